"""The limits that the organizer of a match sets for bots: for their folders, and in each kind of sandbox."""

from typing import Literal, TypeAlias

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


MIB = 1 << 20
"""Bytes of a mebibyte."""

Sandbox: TypeAlias = Literal["bubblewrap", "landlock", "none"]
"""The names of sandboxes in a league file."""


class SandboxLimits(msgspec.Struct, frozen=True):
    """The limits of one bot at one seat.

    Attributes:
        memory_mib: private memory of each process, and of all processes together, in MiB. What the kernel holds for all
            of them, such as page tables and sockets, counts, too.
        processes: processes and threads at once.
        files: open files of each process.
        file_mib: the size of a file, in MiB.
        scratch_mib: the size of `/tmp`, the only place where a bot can write, in MiB. It is memory, too.
    """

    memory_mib: int = 2048
    processes: int = 128
    files: int = 256
    file_mib: int = 64
    scratch_mib: int = 64

    @property
    def scratch_files(self) -> int:
        """How many files and folders `/tmp` may have: one for every 4 KiB, since empty ones take memory, too."""
        return self.scratch_mib * MIB // 4096
