"""Files of lines to which several processes append, and which never grow too long."""

import contextlib
import datetime
import errno
import fcntl
import os
import time
from pathlib import Path

_AT_MOST = 16
"""A file grows to this many times its length if a process was stopped while it put the file aside. Lines that come then
are dropped. Usually that process is done in a moment, and lines that come meanwhile go into the old file."""


class LogFile:
    """A file to which lines are appended. When it is full it is put aside as `FILE.1`, and a new one is begun.

    A process that appends needs no lock: the kernel appends each line in one piece. Only the process that puts the file
    aside takes a lock, and no other waits for it: a process that was stopped just then must not hold up the others.
    """

    def __init__(self, path: Path, longest: int, old_files: int) -> None:
        """Open the file, or begin it.

        It may have `longest` bytes. Of the files that were put aside so many are kept; `FILE.1` is the newest.

        Raises:
            OSError: it cannot be opened.
        """
        self._path = path
        self._longest = longest
        self._old_files = old_files
        self._file = self._opened()

    def append(self, line: bytes) -> None:
        """Append a line, which must end with a line break.

        Raises:
            OSError: it cannot be written; perhaps a part of it was. The next line begins on a line of its own.
        """
        if self._has_room(len(line)) and os.write(self._file, line) < len(line):
            self.close()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))

    def close(self) -> None:
        """Close the file; `append` opens it again."""
        file, self._file = self._file, -1
        if file >= 0:
            with contextlib.suppress(OSError):
                os.close(file)

    def _has_room(self, needed: int) -> bool:
        """Whether the newest file takes so many bytes more. If it is full, it is put aside."""
        if self._file < 0 or not is_at(self._file, self._path):
            self._begin_anew()
        size = os.fstat(self._file).st_size
        return not size or size + needed <= self._longest or self._makes_room() or size < _AT_MOST * self._longest

    def _makes_room(self) -> bool:
        """Put the file aside, unless another process does so now; whether it is done."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        if is_at(self._file, self._path):  # else it was done just now; whoever has the lock on the file here moves it
            self._put_aside()
        self._begin_anew()
        return True

    def _put_aside(self) -> None:
        for number in range(self._old_files, 0, -1):
            newer = self._path if number == 1 else old_file(self._path, number - 1)
            with contextlib.suppress(FileNotFoundError):
                newer.replace(old_file(self._path, number))

    def _begin_anew(self) -> None:
        self.close()  # and let go of the lock
        self._file = self._opened()

    def _opened(self) -> int:
        file = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if _ends_amid_a_line(file):  # a process was killed while it wrote, or the disk was full
                os.write(file, b"\n")
        except OSError:
            os.close(file)
            raise
        return file


def moment(now_ms: int) -> str:
    """A time as it stands in logs: ISO 8601, from milliseconds since 1970 (UTC)."""
    return datetime.datetime.fromtimestamp(now_ms / 1_000, datetime.UTC).isoformat(timespec="milliseconds")


def old_file(path: Path, number: int) -> Path:
    """The file that was put aside so many times ago."""
    return path.with_name(f"{path.name}.{number}")


def is_at(descriptor: int, path: Path) -> bool:
    """Whether an open file is the one at that path now."""
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), path.stat())
    return False


def _ends_amid_a_line(file: int) -> bool:
    before = -1
    while (size := os.fstat(file).st_size) != before:  # 0 also of devices, which cannot be read again
        if not size or os.pread(file, 1, size - 1) == b"\n":
            return False
        before = size
        time.sleep(0.001)  # another process may be writing: the file grows by pages, and a line may lie in two of them
    return True
