"""Bots on their way to a node: trees by content. Only what a node lacks is sent."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from referee.core.bot_limits import FolderLimits
from referee.core.tree_listing import File, Listing, digest
from referee.files.bot_folder import Tree, read_tree
from referee.files.safe_read import open_ordinary
from referee.runtime.local_bot import LocalBot
from tournaments.play.nodes.node_messages import Chunk
from tournaments.store import LONGEST, StoredTree
from tournaments.store.trees import checked_chunks
from tournaments.submissions.bot_folders import listed

_TOGETHER = 4 << 20
"""Bytes that are sent in one message, about. Dask warns of messages above 10 MiB."""


class TreeMissing(Exception):
    """A node lacks the content of a tree."""


class TreeSender:
    """The trees of a league's bots, on the runner's machine."""

    def __init__(self, limits: FolderLimits) -> None:
        """`limits` are those of the bots' folders."""
        self._limits = limits
        self._files: dict[str, Mapping[str, Path]] = {}
        self.listings: dict[str, Listing] = {}

    def take(self, bot: LocalBot) -> str:
        """Take up what a bot sees of its folder and by its links; its digest.

        Raises:
            FileProblems: the folder has something that cannot be sent.
        """
        files = _followed(read_tree(bot.folder, bot.manifest, self._limits))
        listing = listed(bot.folder, files, self._limits)
        key = digest(listing)
        self._files[key], self.listings[key] = files, listing
        return key

    def chunks(self, key: str) -> Iterator[list[Chunk]]:
        """The files of a tree, each content once, in parts that fit a message.

        Raises:
            OSError: a file cannot be read.
        """
        return _together(self._chunks(key))

    def _chunks(self, key: str) -> Iterator[Chunk]:
        contents = {item.sha256: name for name, item in self.listings[key].items() if isinstance(item, File)}
        for sha256, name in contents.items():
            with open_ordinary(self._files[key][name]) as file:
                at = 0
                while content := file.read(LONGEST):
                    yield Chunk(sha256, at, content)
                    at += len(content)


def _followed(tree: Tree) -> dict[str, Path]:
    """The files of a tree. A link that leads out of the tree is replaced by the files it leads to."""
    files = tree.sources | tree.output
    for link in tree.visible.links:
        if link.target.is_dir():
            del files[link.name]  # what lies in it is listed
        else:
            files[link.name] = link.target
    return files


def _together(chunks: Iterable[Chunk]) -> Iterator[list[Chunk]]:
    group: list[Chunk] = []
    size = 0
    for chunk in chunks:
        group.append(chunk)
        size += len(chunk.content)
        if size >= _TOGETHER:
            yield group
            group, size = [], 0
    if group:
        yield group


class ReceivedTrees:
    """The contents of trees that arrived at a node. A `TreeCache` makes its folders of them."""

    def __init__(self, folder: Path) -> None:
        """Keep the contents in `folder`, which is made; nobody else may write there."""
        self._folder = folder
        self._listings: dict[str, Listing] = {}
        folder.mkdir(mode=0o700)

    def expect(self, listings: Mapping[str, Listing]) -> None:
        """Note what trees consist of, by digest."""
        self._listings.update(listings)

    def take(self, chunks: Iterable[Chunk]) -> None:
        """Keep these parts of files.

        Raises:
            OSError: the disk is full, or cannot be written.
        """
        for chunk in chunks:
            with (self._folder / chunk.sha256).open("r+b" if chunk.at else "wb") as file:
                file.seek(chunk.at)
                file.write(chunk.content)

    def clear(self) -> None:
        """Remove all contents, once the folders are made."""
        for path in self._folder.iterdir():
            path.unlink()

    def find(self, key: str) -> StoredTree | None:
        """The tree with this digest; None if nothing is known of it."""
        listing = self._listings.get(key)
        return None if listing is None else StoredTree(dict(listing), {})

    def files(self, tree: StoredTree) -> Iterator[tuple[str, File, Iterator[bytes]]]:
        """The files of a tree, each with its path and content.

        Raises:
            TreeMissing: a content has not arrived.
            Damaged: a content is not what it should be.
        """
        for name, file in tree.files():
            yield name, file, checked_chunks(name, file, self._content(file))

    def _content(self, file: File) -> Iterator[bytes]:
        if not file.size:
            return
        try:
            with (self._folder / file.sha256).open("rb") as content:
                while chunk := content.read(LONGEST):
                    yield chunk
        except FileNotFoundError as error:
            raise TreeMissing from error
