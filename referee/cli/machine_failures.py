"""Failures of the machine that can strike any command anywhere: no room on the disk, no memory, too few open files."""

import errno
import os
import resource
from collections.abc import Iterator

from referee.core.errors import OurFailure

_FEWEST_FILES = 32
"""With fewer open files the libraries that we use end the process without a word."""

_REMEDIES = {
    errno.EMFILE: "raise the limit of open files (ulimit -n 1024)",
    errno.ENFILE: "end other programs: the whole machine has too many open files",
    errno.ENOSPC: "free space on the disk",
    errno.EDQUOT: "free space on the disk: your quota is used up",
    errno.ENOMEM: "end other programs, or raise the limit of memory (ulimit -v)",
}


class TooFewFiles(OurFailure):
    """The process may have too few files open."""


def check_open_files() -> None:
    """Check that this process may have enough files open for the shortest command.

    Raises:
        TooFewFiles: it may not.
    """
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < _FEWEST_FILES:
        raise TooFewFiles(
            f"the referee may have {most} files open at once, which is too few; {_REMEDIES[errno.EMFILE]}"
        )


def machine_failure(error: BaseException) -> str | None:
    """A sentence for an error that the machine caused, or for one that such an error led to. None for a bug."""
    for each in _with_causes(error):
        remedy = _REMEDIES.get(_number(each))
        if remedy is not None:
            where = getattr(each, "filename2", None) or getattr(each, "filename", None)
            what = os.strerror(_number(each))
            return f"{'' if where is None else f'{os.fsdecode(where)}: '}{what}; {remedy}, then give the command again"
    return None


def _number(error: BaseException) -> int:
    """Its errno; 0 if it has none."""
    if isinstance(error, MemoryError):
        return errno.ENOMEM
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
