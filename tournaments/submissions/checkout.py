"""Laying out a tree of the store on the disk."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from referee.core.tree_listing import File, Symlink
from tournaments.store import StoredTree

FOLDER, FILE, PROGRAM = 0o755, 0o644, 0o755
"""The modes of what is laid out to be worked with."""


class TreeSource(Protocol):
    """Has the trees that are unpacked: a store's `Trees`, or what a runner sent."""

    def find(self, key: str) -> StoredTree | None:
        """The tree with this digest; None if it is not there.

        Raises:
            Damaged: it is there, but its list of files is not what it was.
        """

    def files(self, tree: StoredTree) -> Iterator[tuple[str, File, Iterator[bytes]]]:
        """The files of a tree, each with its path and content in chunks. A content is read to its end before the next.

        Raises:
            Damaged: a content is not what it was.
        """


def check_out_tree(
    trees: TreeSource, tree: StoredTree, place: Path, file_mode: int = FILE, program_mode: int = PROGRAM
) -> None:
    """Write a tree into an empty folder.

    Its files get `file_mode`, those that may be executed `program_mode`.

    Raises:
        Damaged: a content is not what it was. What was written so far is left.
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
    """The same path, in a folder that is there."""
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
