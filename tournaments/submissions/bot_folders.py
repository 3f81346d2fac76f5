"""The bots of a store in folders, ready to play. A bot that was not built on this platform is built again.

What the build left is all that the bot sees in its own folder.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from referee.core.bot_limits import FolderLimits
from referee.core.errors import FileProblems
from referee.core.tree_listing import Listing, size_of
from referee.files.bot_folder import item_at, read_tree
from referee.files.bot_toml import read_manifest
from referee.files.manifest import MANIFEST
from referee.files.safe_read import open_ordinary
from referee.runtime.process_sessions import temporary_folder
from tournaments.league.model import Entry, League
from tournaments.store import LONGEST, Damaged, Store, TreeGone, Trees
from tournaments.submissions.build_environment import BuildEnvironment, BuildFailed, Tell, without
from tournaments.submissions.file_names import TreeNames, UnfitFile, check_links_stay_inside
from tournaments.submissions.tree_cache import FOLDER, CacheError, TreeCache, check_out_tree, give_rights


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


class BotFolders:
    """The bots of a store, each in a folder that does not change until the cache is closed."""

    def __init__(self, store: Store, cache: TreeCache) -> None:
        self._store = store
        self._cache = cache
        self._places: dict[str, Path] = {}

    def with_folders(self, league: League, build_environment: BuildEnvironment, now_ms: int) -> League:
        """The same league, in which every bot of the store has a folder.

        Raises:
            FileProblems: a bot that was built elsewhere cannot be built here.
            CacheError: a tree is missing or damaged, or cannot be written.
            StoreError: the store fails.
        """
        entries = tuple(self._housed(entry, build_environment, now_ms) for entry in league.entries)
        return replace(league, entries=entries)

    def place(self, built_digest: str) -> Path:
        """The folder with a tree.

        Raises:
            CacheError, StoreError: as `with_folders`.
        """
        if built_digest not in self._places:  # the first call checked it, and nobody writes there
            self._places[built_digest] = self._cache.tree(built_digest)
        return self._places[built_digest]

    def _housed(self, entry: Entry, build_environment: BuildEnvironment, now_ms: int) -> Entry:
        if entry.source is None:
            return entry
        found = self._store.submissions.built(entry.source, build_environment.platform)
        if found is None:
            try:
                build_environment.check_confinement()
                found, _ = make(self._store, entry.source, build_environment, now_ms, lambda _output: None)
            except BuildFailed as reason:
                raise FileProblems([f"{entry.name} was built elsewhere and cannot be built here: {reason}"]) from reason
        return replace(entry, place=str(self.place(found)))


def make(store: Store, source: str, build_environment: BuildEnvironment, now_ms: int, tell: Tell) -> tuple[str, int]:
    """Build a submitted tree, and store the build output.

    `source` is the digest of the submitted tree; `tell` receives the output of the build.

    Returns:
        The digest and the size in bytes of the build that counts from now on for this platform. If another process
        was faster, this is its build.

    Raises:
        BuildFailed: it cannot be built.
        CacheError: the submitted tree is missing or damaged, or the disk cannot be written.
        StoreError: the store fails.
    """
    with _writable(store.trees, source) as folder:
        versions = build_environment.build(folder, tell)
        try:
            listing = built(folder, build_environment.limits)
            key = keep(folder, listing, store.trees, now_ms)
        except FileProblems as problems:
            raise BuildFailed(without(folder, str(problems))) from problems
        except (Damaged, OSError) as error:
            raise CacheError(f"what was built could not be kept: {error}") from error
    try:
        return store.submissions.note_build(source, build_environment.platform, key, versions, now_ms), size_of(listing)
    except TreeGone as error:
        raise CacheError("what was built was deleted at once; try again") from error


@contextmanager
def _writable(trees: Trees, source: str) -> Iterator[Path]:
    """A copy of the submitted tree in a folder of its own. The folder is removed afterwards, however deep it is."""
    with temporary_folder() as home:
        folder = home / "bot"
        try:
            tree = trees.find(source)
            if tree is None:
                raise CacheError(f"the store does not have the tree {source} of a bot")
            folder.mkdir()
            check_out_tree(trees, tree, folder)
            give_rights(folder, FOLDER)
            yield folder
        except Damaged as damage:
            raise CacheError(f"the tree {source} of a bot is damaged in the store: {damage}") from damage
