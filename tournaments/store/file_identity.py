"""The file of a store in SQLite has one name, and stays the same file while a command writes it.

SQLite keeps its log beside the name by which it opened the file, and so does the referee with the run lock. A file with
two names would have two logs and two locks, and what a killed run left in one log would be lost. Links that SQLite
follows (symbolic ones) do no harm.
"""

import os
import re
from pathlib import Path

from referee.core.errors import WrongUse
from tournaments.store.address import StoreError

_MOUNTS = Path("/proc/self/mountinfo")  # proc(5)
_ESCAPED = re.compile(r"[ \t\n\\]")


class SeveralNames(WrongUse):
    """The file of a store has several names."""


class FileIdentity:
    """Whether a file is still the one that was written first."""

    def __init__(self, file: Path) -> None:
        """`file` is an absolute path without links. It need not exist yet."""
        self._file = file
        self._first: os.stat_result | None = None

    def check(self) -> None:
        """Do this before each write.

        Raises:
            SeveralNames: the file has several names. This is checked once: a later one harms nobody, since whoever
                would write by it is refused.
            StoreError: it is not the file that was written before.
        """
        try:
            found = self._file.stat()
        except OSError:
            found = None
        if self._first is None:
            if found is not None:
                _check_one_name(self._file, found)
            self._first = found
        elif found is None or not os.path.samestat(found, self._first):
            raise StoreError(
                f"the store {self._file} was removed or replaced while it was written; what was written since is not"
                " in it. Put the file back, or give the command again"
            )


def _check_one_name(file: Path, found: os.stat_result) -> None:
    if found.st_nlink > 1:
        raise SeveralNames(
            f"the store {file} is a file with {found.st_nlink} names (hard links), and may have one; remove the others,"
            " or make a copy and name that (--store)"
        )
    if _is_mounted(file):
        raise SeveralNames(
            f"the store {file} is a file that is mounted without its folder, so it has two names; mount the folder"
        )


def _is_mounted(file: Path) -> bool:
    """Whether just this file is mounted from elsewhere, as into a container."""
    escaped = _ESCAPED.sub(lambda found: f"\\{ord(found[0]):03o}", str(file))
    try:
        mounts = _MOUNTS.read_text(errors="surrogateescape").splitlines()
    except OSError:
        return False
    return any(line.split(" ")[4] == escaped for line in mounts)
