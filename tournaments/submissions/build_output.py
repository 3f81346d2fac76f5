"""What a bot consists of after its build: all that it sees in its own folder."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from referee.core.folder_limits import FolderLimits
from referee.core.tree_listing import Listing
from referee.files.bot_folder import item_at, read_tree
from referee.files.bot_toml import read_manifest
from referee.files.manifest import MANIFEST
from referee.files.problems import FileProblems
from referee.files.safe_read import open_ordinary
from tournaments.store import LONGEST, Trees
from tournaments.submissions.file_names import TreeNames, UnfitFile, check_links_stay_inside


def built(folder: Path, limits: FolderLimits) -> Listing:
    """What a bot sees of its folder, sorted by path: sources and build output, without what is hidden from it.

    `.refereeignore` means nothing here: what stays at home may well be built again.

    Raises:
        FileProblems: the folder is no bot's, is too large, or has something that cannot be kept.
    """
    tree = read_tree(folder, read_manifest(folder), limits)
    if tree.visible.links:
        link = folder / tree.visible.links[0].name
        raise FileProblems([f"{link}: leads out of the folder; the links that {MANIFEST} names cannot be submitted"])
    return listed(folder, tree.sources | tree.output, limits)


def listed(folder: Path, files: Mapping[str, Path], limits: FolderLimits) -> Listing:
    """What these files and links consist of, sorted by path.

    `files` says, by path in the tree, where each is on the disk. A refusal names `folder`.

    Raises:
        FileProblems: something of it cannot be kept.
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
    """Keep in a store what a listing says of a folder.

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
