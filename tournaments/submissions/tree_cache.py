"""Trees of bots, unpacked beside the store, ready to play. Each is unpacked once, and checked before each use.

Several processes use a cache at once. Each tree has a lock file beside it. Processes that use the tree share the lock;
a process that makes or removes the tree holds the lock exclusively.
"""

import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol, Self

from referee.core.errors import OurFailure
from referee.core.tree_listing import File, Listing, Symlink, size_of
from referee.files.safe_read import open_ordinary
from referee.runtime.process_sessions import remove_tree
from tournaments.store import Damaged, StoredTree
from tournaments.store.run_lock import FileLock

FOLDER, FILE, PROGRAM = 0o755, 0o644, 0o755
"""The modes of folders, files and programs in a working copy, whatever umask is in force."""


class TreeSource(Protocol):
    """A source of trees to unpack: a store's `Trees`, or the trees that a runner sent."""

    def find(self, key: str) -> StoredTree | None:
        """The tree with this digest; None if the source does not have it.

        Raises:
            Damaged: its list of files has changed.
        """

    def files(self, tree: StoredTree) -> Iterator[tuple[str, File, Iterator[bytes]]]:
        """The files of a tree, each with its path and its content in chunks. Read each content to its end.

        Raises:
            Damaged: a content has changed.
        """


def check_out_tree(
    trees: TreeSource, tree: StoredTree, place: Path, file_mode: int = FILE, program_mode: int = PROGRAM
) -> None:
    """Write a tree into an empty folder.

    Its files get `file_mode`; executable files get `program_mode`.

    Raises:
        Damaged: a content has changed. The files written so far remain.
        OSError: the folder cannot be written.
        StoreError: the store fails.
    """
    for name, file, content in trees.files(tree):
        with _made(place / name).open("xb") as out:
            for chunk in content:
                out.write(chunk)
            os.fchmod(out.fileno(), program_mode if file.executable else file_mode)
    for name, item in tree.listing.items():
        if isinstance(item, Symlink):
            _made(place / name).symlink_to(item.target)


def give_rights(place: Path, mode: int) -> None:
    """Give a folder that we made, and all folders in it, these rights, whatever umask is in force."""
    for folder in _folders(place):
        folder.chmod(mode)


def _made(path: Path) -> Path:
    """The same path, after making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _folders(place: Path) -> Iterator[Path]:
    """A folder that we made, and all folders in it."""
    waiting = [place]
    while waiting:
        here = waiting.pop()
        yield here
        with os.scandir(here) as entries:
            waiting += [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]


USUAL_BYTES = 4 << 30
"""The size of a cache on the disk, besides the trees in use."""

_FOLDER, _FILE, _PROGRAM = 0o555, 0o444, 0o555
"""The modes of folders and files in the cache: nobody writes there."""

_HOME, _HOME_OF_ROOT = 0o700, 0o711
"""The mode of the cache itself. Where root confines bots they run as other users, who must reach their own trees.
Nobody else can list the trees, and their names are digests."""

_DIGEST = "[0-9a-f]" * 64  # as a pattern; nothing of another name is removed

_LOOK_S = 0.05
_PATIENCE_S = 60.0
"""How long to wait for others who use a tree that was changed."""


class CacheError(OurFailure):
    """A tree is not available. No damaged tree is in its place."""


class TreeCache:
    """The unpacked trees of a store. A tree that the cache returned does not change until the cache is closed."""

    def __init__(self, folder: Path, trees: TreeSource, most_bytes: int = USUAL_BYTES) -> None:
        """Use the cache in a folder, which is made when it is needed. Nobody else may write there.

        If all trees have more than `most_bytes`, the least recently used are removed.
        """
        self._folder = folder
        self._trees = trees
        self._most = most_bytes
        self._locks = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._locks.close()

    def tree(self, key: str) -> Path:
        """The folder with the tree of this digest, after comparing its content with the store's.

        Raises:
            CacheError: it is missing or damaged in the store; it cannot be written; or it was changed on the
                disk while others use it.
            StoreError: the store fails.
        """
        tree = self._find(key)
        place = self._folder / key
        try:
            self._folder.mkdir(mode=_HOME_OF_ROOT if os.geteuid() == 0 else _HOME, parents=True, exist_ok=True)
            self._sweep()
            lock = self._locks.enter_context(_lock_of(place))
            self._prepare(place, tree, lock)
            lock.touch()
        except OSError as error:
            raise CacheError(f"{place} cannot be written: {error.strerror}") from error
        return place

    def _find(self, key: str) -> StoredTree:
        try:
            tree = self._trees.find(key)
        except Damaged as damage:
            raise _damaged(key, damage) from damage
        if tree is None:
            raise CacheError(f"the store does not have the tree {key} of a bot")
        return tree

    def _prepare(self, place: Path, tree: StoredTree, lock: FileLock) -> None:
        """Make sure that the tree is in its place, as it is in the store, with its lock shared."""
        until = time.monotonic() + _PATIENCE_S
        while True:
            if not lock.take(shared=True):
                until = time.monotonic() + _PATIENCE_S  # another process makes it right now
            elif _is_sound(place, tree.listing):
                return
            if lock.take():
                self._make(place, tree, lock)
            elif time.monotonic() > until:
                raise CacheError(f"{place} was changed, and other processes use it; end them, then it is made anew")
            else:
                time.sleep(_LOOK_S)

    def _sweep(self) -> None:
        """Remove the files that killed processes left beside the trees."""
        for left in self._folder.glob(f".{_DIGEST}-*"):
            key = left.name[1:].partition("-")[0]
            with _lock_of(self._folder / key) as lock:
                if lock.take():
                    remove_tree(left)

    def _make(self, place: Path, tree: StoredTree, lock: FileLock) -> None:
        """Put a tree in its place, under its exclusive lock. It replaces what an earlier tree or process left."""
        _remove(place)
        made = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=self._folder))
        try:
            self._fill(made, tree)
        except Damaged as damage:
            _remove(place)
            raise _damaged(place.name, damage) from damage
        except BaseException:
            _remove(place)
            raise
        lock.write(str(size_of(tree.listing)).encode())
        made.rename(place)
        self._shrink()

    def _fill(self, place: Path, tree: StoredTree) -> None:
        check_out_tree(self._trees, tree, place, _FILE, _PROGRAM)
        give_rights(place, _FOLDER)

    def _shrink(self) -> None:
        """Remove the least recently used trees until the rest fits the limit. Trees in use stay."""
        found = sorted(
            (path.stat().st_mtime_ns, path)
            for path in self._folder.glob(f"{_DIGEST}.lock")
            if path.with_suffix("").exists()
        )
        sizes = {path: int(path.read_text() or 0) for _, path in found}
        total = sum(sizes.values())
        for _, path in found:
            if total <= self._most:
                return
            with FileLock(path) as lock:
                if lock.take():
                    _remove(path.with_suffix(""))
                    total -= sizes[path]


def _damaged(key: str, damage: Damaged) -> CacheError:
    return CacheError(f"the tree {key} of a bot is damaged in the store: {damage}; see referee league verify")


def _lock_of(place: Path) -> FileLock:
    return FileLock(place.with_name(f"{place.name}.lock"))


def _is_sound(place: Path, listing: Listing) -> bool:
    """Whether a folder has exactly the files of the listing, with these contents."""
    folders = {str(folder) for name in listing for folder in (place / name).parents if folder != place}
    left = dict(listing)
    waiting = [] if place.is_symlink() else [place]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    path = Path(entry.path)
                    if entry.is_dir(follow_symlinks=False) and entry.path in folders:
                        waiting.append(path)
                    elif not _is(path, left.pop(path.relative_to(place).as_posix(), None)):
                        return False
        except OSError:  # it is missing, or changes right now
            return False
    return not left


def _is(path: Path, item: File | Symlink | None) -> bool:
    """Whether this item is at a path."""
    if isinstance(item, Symlink):
        return path.is_symlink() and str(path.readlink()) == item.target
    if item is None or path.is_symlink():
        return False
    with open_ordinary(path) as file:
        status = os.fstat(file.fileno())
        same = (status.st_size, bool(status.st_mode & stat.S_IXUSR)) == (item.size, item.executable)
        return same and hashlib.file_digest(file, "sha256").hexdigest() == item.sha256


def _remove(place: Path) -> None:
    """Remove a tree and its half-made copies. The caller holds its exclusive lock."""
    if os.path.lexists(place):
        # In one step: a tree in its place is whole. Only root may move a read-only folder into another folder,
        # so such a folder takes the place of an empty one.
        beside = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
        is_folder = place.is_dir() and not place.is_symlink()
        place.rename(beside if is_folder else beside / "gone")
    for left in place.parent.glob(f".{place.name}-*"):
        remove_tree(left)
