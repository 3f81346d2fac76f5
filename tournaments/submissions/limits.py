"""The limits of a submitted bot."""

from referee.core.folder_limits import FolderLimits

USUAL = FolderLimits(size_mib=64)
"""The default. The store keeps submissions for good, so this is less than the limit of other bots' folders."""
