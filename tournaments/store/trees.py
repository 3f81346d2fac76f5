"""The trees of bots by their content: the submitted trees, and those that were built of them.

A file is cut into pieces, and each piece is stored once, even if several files have it. Pieces are written in groups, a
transaction each, without the lock of any league. A tree exists when the last transaction has named its pieces. If that
transaction never happens, pieces are left that no tree needs; `drop` deletes them with the next tree.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeAlias

import msgspec
import sqlalchemy as sql
import zstandard

from referee.core.tree_listing import File, LeadsOut, Listing, Symlink, digest
from tournaments.store.database import Database, insert_of
from tournaments.store.schema import PIECE, TREE, TREE_PIECE
from tournaments.store.store_errors import StoreError
from tournaments.store.submission_tables import wait_for_turn
from tournaments.store.transcript_packing import Damaged, unpacked

LONGEST = 1 << 20
"""Bytes of a piece, at most."""

_MOST_LISTED = 64 << 20
"""Bytes of what says which files a tree has, at most: so a damaged store cannot fill the memory."""

_GROUP_BYTES = 4 << 20
_GROUP = 200
"""Bytes and pieces that are written in one transaction, at most."""

_READ = 16
"""Pieces that are read at once."""

_TRIES = 10
"""How often to begin anew if pieces that were just written are deleted."""

_LOCK = 7234298815
"""So nobody deletes pieces while a tree is named that needs them."""

Contents: TypeAlias = Callable[[str], Iterable[bytes]]
"""By path, the content of a file in chunks of `LONGEST` bytes, the last of which may be shorter."""


class StoredTree(msgspec.Struct, frozen=True):
    """A tree as it is kept.

    Attributes:
        listing: its list of files.
        cut: by the SHA-256 of a file that is longer than a piece, the pieces that it was cut into, in order. A shorter
            file is a piece as it is, and an empty one has none.
    """

    listing: dict[str, File | Symlink]
    cut: dict[str, tuple[str, ...]]

    def files(self) -> Iterator[tuple[str, File]]:
        """The files, by path."""
        return ((name, item) for name, item in self.listing.items() if isinstance(item, File))

    def pieces_of(self, file: File) -> tuple[str, ...]:
        """The pieces of a file, in order."""
        return self.cut.get(file.sha256, (file.sha256,)) if file.size else ()

    def pieces(self) -> dict[str, None]:
        """All its pieces, each once."""
        return dict.fromkeys(piece for _, file in self.files() for piece in self.pieces_of(file))


def read_tree(key: str, packed: bytes) -> StoredTree:
    """The tree in a row.

    Raises:
        Damaged: it is none, or not the one with this digest.
    """
    try:
        tree = msgspec.json.decode(unpacked(zstandard.ZstdDecompressor(), packed, _MOST_LISTED), type=StoredTree)
        same = digest(tree.listing) == key
    except (Damaged, ValueError, RecursionError, LeadsOut) as error:
        raise Damaged(f"its list of files is damaged ({error})") from error
    if not same:
        raise Damaged("its list of files is that of another tree")
    return tree


def read_piece(key: str, packed: bytes | None) -> bytes:
    """The content of a piece in a row; None: there is no such row.

    Raises:
        Damaged: it is none, or not the one with this digest.
    """
    if packed is None:
        raise Damaged(f"its piece {key} is missing")
    try:
        content = unpacked(zstandard.ZstdDecompressor(), packed, LONGEST)
    except Damaged as error:
        raise Damaged(f"its piece {key} is damaged ({error})") from error
    if hashlib.sha256(content).hexdigest() != key:
        raise Damaged(f"its piece {key} is not what it was")
    return content


def checked_chunks(name: str, file: File, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same chunks.

    Raises:
        Damaged: they were not the content of the file, as is known when they are over.
    """
    total = hashlib.sha256()
    for chunk in chunks:
        total.update(chunk)
        yield chunk
    if total.hexdigest() != file.sha256:
        raise Damaged(f"its file {name} is not what it was")


class Trees:
    """The trees in a store. Every method raises `StoreError` if the store fails."""

    def __init__(self, database: Database) -> None:
        self._database = database
        insert = insert_of(database.dialect)
        self._add = {table: insert(table).on_conflict_do_nothing() for table in (TREE, PIECE, TREE_PIECE)}

    def digests(self) -> list[str]:
        """The digests of all trees, sorted."""
        with self._database.reading() as connection:
            return list(connection.scalars(sql.select(TREE.c.digest).order_by(TREE.c.digest)))

    def keep(self, listing: Listing, contents: Contents, now_ms: int) -> str:
        """Keep a tree. It may be there already. If this fails, it is not there, or as it was.

        No link of the listing leads out.

        Returns:
            Its digest.

        Raises:
            Damaged: a file is not what the listing says.
        """
        key = digest(listing)
        self._database.prepare()
        for _ in range(_TRIES):
            cut: dict[str, tuple[str, ...]] = {}
            for group in _groups(_cut(listing, contents, cut)):
                self._write(group)
            if self._name(key, StoredTree(dict(listing), cut), now_ms):
                return key
        raise StoreError(f"the store {self._database.place}: what was just written is deleted again and again")

    def find(self, key: str) -> StoredTree | None:
        """The tree with this digest; None if it is not there.

        Raises:
            Damaged: it is there, but its list of files is not what it was.
        """
        with self._database.reading() as connection:
            packed = connection.scalar(sql.select(TREE.c.content).where(TREE.c.digest == key))
        return None if packed is None else read_tree(key, packed)

    def files(self, tree: StoredTree) -> Iterator[tuple[str, File, Iterator[bytes]]]:
        """The files of a tree, each with its path and content in chunks. A content is read to its end before the next.

        Raises:
            Damaged: a piece is missing or damaged, or a content is not what it was.
        """
        pieces = self._pieces(piece for _, file in tree.files() for piece in tree.pieces_of(file))
        for name, file in tree.files():
            yield name, file, checked_chunks(name, file, islice(pieces, len(tree.pieces_of(file))))

    def wrong(self, key: str) -> str | None:
        """The first thing that is wrong with a tree, which is read whole; None if nothing is, or if it is not there."""
        try:
            self._hold(key)
        except Damaged as error:
            return str(error) if key in self.digests() else None  # it may have been dropped meanwhile
        return None

    def drop(self, key: str) -> None:
        """Delete a tree, if it is there, and all pieces that no tree needs."""
        with self._database.writing() as connection:
            delete(connection, [key])

    # How it is done

    def _hold(self, key: str) -> None:
        """Read a tree whole, if it is there.

        Raises:
            Damaged: something of it is not what it was.
        """
        tree = self.find(key)
        if tree is None:
            return
        for _, _, content in self.files(tree):
            for _ in content:
                pass
        with self._database.reading() as connection:
            named = connection.scalars(sql.select(TREE_PIECE.c.piece).where(TREE_PIECE.c.tree == key))
            if set(named) != set(tree.pieces()):
                raise Damaged("the pieces that are kept for it are not those that it needs")

    def _pieces(self, keys: Iterable[str]) -> Iterator[bytes]:
        """The contents of pieces, in this order, a few at a time in memory."""
        left = iter(keys)
        while some := list(islice(left, _READ)):
            with self._database.reading() as connection:
                query = sql.select(PIECE.c.digest, PIECE.c.content).where(PIECE.c.digest.in_(some))
                found = {row.digest: row.content for row in connection.execute(query)}
            yield from (read_piece(key, found.get(key)) for key in some)

    def _write(self, group: Mapping[str, bytes]) -> None:
        """Write those pieces of a group that are not there."""
        with self._database.reading() as connection:
            there = _there(connection, group)
        packer = zstandard.ZstdCompressor(write_checksum=True)
        rows = [{"digest": key, "content": packer.compress(group[key])} for key in group if key not in there]
        if rows:
            with self._database.writing() as connection:
                connection.execute(self._add[PIECE], rows)

    def _name(self, key: str, tree: StoredTree, now_ms: int) -> bool:
        """Note a tree whose pieces were written; whether they are still there."""
        pieces = tree.pieces()
        content = zstandard.ZstdCompressor(write_checksum=True).compress(msgspec.json.encode(tree))
        with self._database.writing() as connection:
            wait_for_turn(connection, _LOCK)
            if len(_there(connection, pieces)) < len(pieces):
                return False
            connection.execute(self._add[TREE], [{"digest": key, "content": content, "stored_ms": now_ms}])
            if pieces:
                connection.execute(self._add[TREE_PIECE], [{"tree": key, "piece": piece} for piece in pieces])
        return True


def delete(connection: sql.Connection, keys: Iterable[str]) -> None:
    """Delete trees, those that are there, and all pieces that no tree needs, in the transaction that has begun."""
    wait_for_turn(connection, _LOCK)
    for key in keys:
        connection.execute(sql.delete(TREE_PIECE).where(TREE_PIECE.c.tree == key))
        connection.execute(sql.delete(TREE).where(TREE.c.digest == key))
    needed = sql.exists().where(TREE_PIECE.c.piece == PIECE.c.digest)
    connection.execute(sql.delete(PIECE).where(~needed))


def _cut(listing: Listing, contents: Contents, cut: dict[str, tuple[str, ...]]) -> Iterator[tuple[str, bytes]]:
    """The pieces of a tree with their digests. Those of files that are longer than a piece are noted in `cut`."""
    for name, file in listing.items():
        if isinstance(file, File):
            pieces = []
            for chunk in checked_chunks(name, file, contents(name)):
                pieces.append(hashlib.sha256(chunk).hexdigest())
                yield pieces[-1], chunk
            if len(pieces) > 1:
                cut[file.sha256] = tuple(pieces)


def _groups(pieces: Iterable[tuple[str, bytes]]) -> Iterator[dict[str, bytes]]:
    """The same pieces, as many in a group as are written at once."""
    group: dict[str, bytes] = {}
    size = 0
    for key, content in pieces:
        group[key] = content
        size += len(content)
        if size >= _GROUP_BYTES or len(group) >= _GROUP:
            yield group
            group, size = {}, 0
    if group:
        yield group


def _there(connection: sql.Connection, keys: Iterable[str]) -> set[Any]:
    """Those of these pieces that the store has."""
    found: set[Any] = set()
    left = iter(keys)
    while some := list(islice(left, _GROUP)):
        found.update(connection.scalars(sql.select(PIECE.c.digest).where(PIECE.c.digest.in_(some))))
    return found
