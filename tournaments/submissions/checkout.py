"""Writes a tree of the store to the disk."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from referee.core.tree_listing import File, Symlink
from tournaments.store import StoredTree

FOLDER, FILE, PROGRAM = 0o755, 0o644, 0o755
"""The modes of folders, files and programs in a working copy."""


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
