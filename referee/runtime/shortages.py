"""What this machine lacks when it can start or write nothing, and what to do about it: files, memory, threads, room."""

import errno
import os
import resource
from collections.abc import Iterator

from referee.core.errors import OurFailure

_REMEDIES = {
    errno.EMFILE: "allow more open files (ulimit -n 1024)",
    errno.ENFILE: "allow more open files on this machine (sysctl fs.file-max), or end other programs",
    errno.EAGAIN: "allow more processes (ulimit -u), or end some",
    errno.ENOMEM: "free memory: end other programs, or play with fewer workers",
    errno.ENOSPC: "free space on that disk, bytes and inodes (df -i); TMPDIR names the folder for temporary files",
    errno.EDQUOT: "free space, since your quota is used up; TMPDIR names the folder for temporary files",
    errno.EROFS: "let TMPDIR name a folder that can be written",
}

_PACKAGES = {"setpriv": "util-linux", "prlimit": "util-linux", "bwrap": "bubblewrap"}

_NO_THREAD = "can't start new thread"
"""Python raises a RuntimeError with these words where other languages have EAGAIN."""

_UNKNOWN = "see what `referee doctor` says"

_FEWEST_FILES = 32
"""With fewer open files the libraries that we use end the process without a word."""


def require_open_files() -> None:
    """Check that this process may have enough files open for the shortest command.

    Raises:
        OurFailure: it may not.
    """
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < _FEWEST_FILES:
        raise OurFailure(f"the referee may have {most} files open at once, which is too few; {_REMEDIES[errno.EMFILE]}")


def is_shortage(error: BaseException) -> bool:
    """Whether this error, or one that led to it, says that this machine lacks something."""
    return any(map(_is_one, _with_causes(error)))


def describe_shortage(error: BaseException) -> str:
    """The shortage, and what to do about it: `(No space left on device: /tmp/x); free space on that disk`."""
    return f"({in_words(next(filter(_is_one, _with_causes(error)), error))}); {remedy(error)}"


def in_words(error: BaseException) -> str:
    """The error for people, without its number."""
    if isinstance(error, MemoryError):
        return os.strerror(errno.ENOMEM)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror if error.filename is None else f"{error.strerror}: {error.filename}"
    return str(error) or type(error).__name__


def remedy(error: BaseException) -> str:
    """What to do about this error, or about the one that led to it. It begins a clause."""
    return next(filter(None, map(_own_remedy, _with_causes(error))), _UNKNOWN)


def _own_remedy(error: BaseException) -> str | None:
    if isinstance(error, OSError) and error.errno == errno.ENOENT and isinstance(error.filename, str):
        package = _PACKAGES.get(error.filename)
        if package is not None:
            return f"install {package}, or put the folder of {error.filename} on PATH"
        return f"make sure that {error.filename} can be made: the folder for temporary files (TMPDIR) must stay there"
    return _REMEDIES.get(_number(error))


def _is_one(error: BaseException) -> bool:
    return _number(error) in _REMEDIES


def _number(error: BaseException) -> int:
    """Its errno; 0 if it has none."""
    if isinstance(error, MemoryError):
        return errno.ENOMEM
    if _NO_THREAD in str(error):
        return errno.EAGAIN
    return (error.errno or 0) if isinstance(error, OSError) else 0


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    """The error, those of its group, and those that led to it, each once."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop()
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            yield each
            waiting += [each.__context__, each.__cause__]
            waiting += each.exceptions if isinstance(each, BaseExceptionGroup) else ()
