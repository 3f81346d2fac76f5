"""The limits that the organizer of a match sets for bots."""

import msgspec

MAX_BATCH = 1024
"""The referee asks no bot about more matches at once, even if the bot offers more."""


class FolderLimits(msgspec.Struct, frozen=True):
    """The most that a bot's folder may hold of what its bot sees.

    Attributes:
        size_mib: the sizes of all files together, in MiB. A sparse file counts with its apparent size.
        files: how many files, folders and links.
        depth: how many folders lie in one another, the bot's own not counted.
    """

    size_mib: int = 512
    files: int = 20_000
    depth: int = 32
