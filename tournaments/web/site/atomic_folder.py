"""Replaces the content of a folder at once: a reader sees the old or the new content, never a mixture."""

import ctypes
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.core.errors import WrongUse

_MARK = ".referee-site"
"""A file in every folder that this module wrote, with the names of its files. A folder with others is not replaced."""

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
"""renameat2(2): both names are exchanged, in one step."""


class CannotWrite(WrongUse):
    """The folder cannot be written; the text says which, and why."""


def check_is_site(folder: Path) -> None:
    """Check that a folder may be replaced: it holds only files that this module wrote.

    Raises:
        CannotWrite: it holds something other than a site.
    """
    if not folder.exists():
        return
    mark = folder / _MARK
    if not folder.is_dir() or (not mark.is_file() and any(folder.iterdir())):
        raise CannotWrite(f"{folder}: holds something else than pages of leagues; name an empty folder or a new one")
    written = mark.read_text(errors="replace").split("\n") if mark.is_file() else []
    for path in _files_below(folder) - {mark, *(folder / name for name in written)}:
        raise CannotWrite(f"{path}: was not written with the pages beside it; move it away, or name another folder")


def _files_below(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()}


@contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """An empty folder beside `folder`. It replaces `folder` when the context ends; after a failure it is removed.

    Raises:
        CannotWrite: `folder` holds something other than a site, or cannot be replaced.
    """
    check_is_site(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            yield beside
            names = sorted(str(path.relative_to(beside)) for path in _files_below(beside))
            (beside / _MARK).write_text("\n".join(names))
            beside.chmod(0o755)
            check_is_site(folder)  # somebody may have put something there meanwhile
            _take_place(beside, folder)
        finally:
            shutil.rmtree(beside, ignore_errors=True)  # it has the old content now, or is incomplete
    except OSError as error:
        raise CannotWrite(f"{folder}: cannot be written: {error.strerror}") from error


def _take_place(beside: Path, folder: Path) -> None:
    if not folder.exists():
        beside.rename(folder)
    elif not _exchanged(beside, folder):
        _one_after_the_other(beside, folder)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two names in one step; False where the file system cannot."""
    libc = ctypes.CDLL(None, use_errno=True)
    rename = getattr(libc, "renameat2", None)
    if rename is None:
        return False
    if rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}:
        return False
    raise OSError(number, os.strerror(number), str(other))


def _one_after_the_other(beside: Path, folder: Path) -> None:
    """Rename both folders in turn. For a moment no folder has the name, but never an incomplete one."""
    old = folder.with_name(f"{beside.name}.old")
    folder.rename(old)
    try:
        beside.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
