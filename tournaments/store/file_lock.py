"""Files that processes lock (flock). The kernel keeps the locks, so each ends with its holder, killed or not."""

import fcntl
import os
from pathlib import Path
from typing import Self

_LONGEST = 1 << 16


class FileLock:
    """A file to lock, with what its holder writes into it. It is made if it is not there, and is no link.

    It stays for good: if it were removed, two processes could lock two files of its name.
    """

    def __init__(self, path: Path) -> None:
        """Open the file; it is not locked yet.

        Raises:
            OSError: it cannot be opened.
        """
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(self, *, shared: bool = False) -> bool:
        """Lock it, instead of as it was locked before; whether that is possible now. If not, it is not locked.

        Several can share a lock, but not with one who has it alone.
        """
        how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(self._descriptor, how | fcntl.LOCK_NB)
        except BlockingIOError:
            self.free()
            return False
        return True

    def free(self) -> None:
        """Let others lock it."""
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def read(self) -> bytes:
        """The last text that was written into it."""
        return os.pread(self._descriptor, _LONGEST, 0)

    def write(self, content: bytes) -> None:
        """Write this into it, instead of what was there."""
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, content, 0)

    def touch(self) -> None:
        """Make now the time of its last change."""
        os.utime(self._descriptor)

    def close(self) -> None:
        """Free it for good."""
        os.close(self._descriptor)
