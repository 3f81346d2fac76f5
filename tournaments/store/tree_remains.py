"""What remains of the trees of bots in a damaged store. A tree is whole if its digest says so."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from tournaments.store.packing import Damaged
from tournaments.store.trees import StoredTree, read_piece, read_tree
from tournaments.store.wreck import Wreck


class TreeFound(NamedTuple):
    """A tree in a damaged store.

    Attributes:
        digest: its digest.
        stored_ms: when it was stored.
        tree: its files; or what is wrong with what lists them.
    """

    digest: str
    stored_ms: int
    tree: StoredTree | Damaged


class TreeRemains:
    """The trees that can be found, one at a time in memory."""

    def __init__(self, wreck: Wreck) -> None:
        self._wreck = wreck

    @property
    def lost(self) -> bool:
        """Whether a part of what lists the trees could not be read, of what was asked so far."""
        return self._wreck.lost["tree"] > 0

    def found(self) -> Iterator[TreeFound]:
        """The trees, in the order in which they were stored."""
        if "tree" in self._wreck.tables:
            for row in self._wreck.rows("tree", ("digest", "content", "stored_ms")):
                match row:
                    case (str(key), bytes(content), int(stored_ms)):
                        yield TreeFound(key, stored_ms, _read(key, content))

    def content(self, tree: StoredTree, name: str) -> Iterable[bytes]:
        """The content of a file, piece by piece.

        Raises:
            Damaged: a piece is lost or damaged.
        """
        files = dict(tree.files())
        return (self._piece(key) for key in tree.pieces_of(files[name]))

    def _piece(self, key: str) -> bytes:
        number = self._numbers.get(key)
        row = None if number is None else self._wreck.find("piece", ("content",), rowid=number)
        content = row[0] if row is not None else None
        return read_piece(key, content if isinstance(content, bytes) else None)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """By digest, the numbers of the rows of pieces, by which they are found although an index is damaged."""
        if "piece" not in self._wreck.tables:
            return {}
        return {key: number for key, number in self._wreck.rows("piece", ("digest", "rowid")) if isinstance(key, str)}


def _read(key: str, content: bytes) -> StoredTree | Damaged:
    try:
        return read_tree(key, content)
    except Damaged as damage:
        return damage
