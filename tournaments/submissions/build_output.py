"""The files of a bot after its build: all that the bot sees in its own folder."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from referee.core.bot_limits import FolderLimits
from referee.core.tree_listing import Listing
from referee.files.bot_folder import item_at, read_tree
from referee.files.bot_toml import read_manifest
from referee.files.manifest import MANIFEST
from referee.files.problems import FileProblems
from referee.files.safe_read import open_ordinary
from tournaments.store import LONGEST, Trees
from tournaments.submissions.file_names import TreeNames, UnfitFile, check_links_stay_inside


def built(folder: Path, limits: FolderLimits) -> Listing:
    """The part of its folder that a bot sees, sorted by path: sources and build output, without hidden files.

    `.refereeignore` has no effect here: a build may create the files that it names.

    Raises:
        FileProblems: the folder is not that of a bot, is too large, or contains something that cannot be stored.
    """
    tree = read_tree(folder, read_manifest(folder), limits)
    if tree.visible.links:
        link = folder / tree.visible.links[0].name
        raise FileProblems([f"{link}: leads out of the folder; the links that {MANIFEST} names cannot be submitted"])
    return listed(folder, tree.sources | tree.output, limits)


def listed(folder: Path, files: Mapping[str, Path], limits: FolderLimits) -> Listing:
    """The listing of these files and links, sorted by path.

    `files` maps the path in the tree to the place on the disk. A refusal names `folder`.

    Raises:
        FileProblems: one of them cannot be stored.
    """
    names = TreeNames(limits)
    try:
        for name in sorted(files):
            names.take_file(name)
        listing = {name: item_at(files[name]) for name in sorted(files)}
        check_links_stay_inside(listing)
    except (UnfitFile, OSError) as reason:
        raise FileProblems([f"{folder}: {reason}"]) from reason
    return listing


def keep(folder: Path, listing: Listing, trees: Trees, now_ms: int) -> str:
    """Store the files of a folder that a listing names.

    Returns:
        The digest of the tree.

    Raises:
        Damaged: a file has changed since it was listed.
        StoreError: the store fails.
        OSError: a file cannot be read.
    """
    return trees.keep(listing, lambda name: _chunks(folder / name), now_ms)


def _chunks(path: Path) -> Iterator[bytes]:
    with open_ordinary(path) as file:
        while chunk := file.read(LONGEST):
            yield chunk
