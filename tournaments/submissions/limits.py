"""The limits of a submitted bot."""

from referee.core.folder_limits import FolderLimits

USUAL = FolderLimits(size_mib=64)
"""Where nothing else is said. What is submitted is kept for good, so this is less than any bot's folder may have."""
