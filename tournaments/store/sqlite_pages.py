"""The rows of an SQLite file, page by page, whatever the file says of its tables.

SQLite finds a table by its list of tables, and a row by the pages above the row's own. If such a page is lost, SQLite
finds none of the rows below it. But a row can be read by its own page alone: https://sqlite.org/fileformat2.html says
how, and the names here are those of that document. Which table a row belongs to, the page does not say.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

Value: TypeAlias = int | float | str | bytes | None

_MAGIC = b"SQLite format 3\0"
_PAGE_SIZE = 4_096
"""That of a new file. It is taken if the beginning of the file is lost."""

_FIRST_HEADER = 100
"""So many bytes of the first page come before its own header."""

_INTERIOR_INDEX, _LEAF_INDEX, _LEAF_TABLE = 2, 10, 13
"""The kinds of pages that have rows; those of tables without row numbers are the same as those of indexes."""

_REALS = 7
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)
"""How many bytes an integer takes, by its serial type."""


class PageRow(NamedTuple):
    """A row: its number, None in a table without numbers or in an index, and its values."""

    number: int | None
    values: tuple[Value, ...]


def rows_of(path: Path) -> Iterator[PageRow]:
    """All rows that can be read of a file, in the order of its pages. Pages that are free are left out.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        pages = _Pages(file, path.stat().st_size)
        free = pages.free()
        for number in range(1, pages.count + 1):
            if number not in free:
                yield from pages.rows(number)


class _Pages:
    """The pages of a file, numbered from 1."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        head = file.read(_FIRST_HEADER).ljust(_FIRST_HEADER, b"\0")
        self._is_known = head.startswith(_MAGIC)
        self._page_size = int.from_bytes(head[16:18]) if self._is_known else _PAGE_SIZE
        if self._page_size < 512:  # 1 stands for 65,536, and others make no sense
            self._page_size = 65_536 if self._page_size == 1 else _PAGE_SIZE
        self._usable = self._page_size - (head[20] if self._is_known else 0)
        self._first_free = int.from_bytes(head[32:36])
        self._size = size
        self.count = -(-size // self._page_size)

    def free(self) -> set[int]:
        """The pages that have only what was deleted; none are known if the beginning of the file is lost."""
        free = set[int]()
        trunk = self._first_free if self._is_known else 0
        while trunk and trunk not in free and trunk <= self.count:
            page = self._page(trunk)
            count = min(int.from_bytes(page[4:8]), self._usable // 4 - 2)
            free |= {trunk, *(int.from_bytes(page[8 + 4 * at :][:4]) for at in range(count))}
            trunk = int.from_bytes(page[:4])
        return free

    def rows(self, number: int) -> Iterator[PageRow]:
        """The rows on a page, as far as they make sense."""
        page = self._page(number)
        start = _FIRST_HEADER if number == 1 else 0
        kind = page[start]
        if kind not in (_INTERIOR_INDEX, _LEAF_INDEX, _LEAF_TABLE):
            return
        pointers = start + (12 if kind == _INTERIOR_INDEX else 8)
        for at in range(pointers, pointers + 2 * int.from_bytes(page[start + 3 : start + 5]), 2):
            try:
                yield self._row(page, kind, int.from_bytes(page[at : at + 2]))
            except (IndexError, ValueError):
                continue

    def _page(self, number: int) -> bytes:
        self._file.seek((number - 1) * self._page_size)
        return self._file.read(self._page_size).ljust(self._page_size, b"\0")

    def _row(self, page: bytes, kind: int, at: int) -> PageRow:
        if kind == _INTERIOR_INDEX:
            at += 4  # the page below
        length, at = _varint(page, at)
        number = None
        if kind == _LEAF_TABLE:
            number, at = _varint(page, at)
        return PageRow(number, _values(self._payload(page, at, length, is_table=kind == _LEAF_TABLE)))

    def _payload(self, page: bytes, at: int, length: int, *, is_table: bool) -> bytes:
        """The bytes of a row; a long one goes on, after four bytes, on pages of its own."""
        if length > self._size:
            raise ValueError
        local = self._local(length, is_table=is_table)
        pieces = [page[at : at + local]]
        if local < length:
            following, left = int.from_bytes(page[at + local : at + local + 4]), length - local
            while left > 0:
                if not 1 < following <= self.count:
                    raise ValueError
                page = self._page(following)
                pieces.append(page[4 : 4 + min(left, self._usable - 4)])
                following, left = int.from_bytes(page[:4]), left - len(pieces[-1])
        return b"".join(pieces)

    def _local(self, length: int, *, is_table: bool) -> int:
        """How many bytes of a row are on its own page."""
        most = self._usable - 35 if is_table else (self._usable - 12) * 64 // 255 - 23
        if length <= most:
            return length
        least = (self._usable - 12) * 32 // 255 - 23
        some = least + (length - least) % (self._usable - 4)
        return some if some <= most else least


def _values(record: bytes) -> tuple[Value, ...]:
    """Raises ValueError or IndexError if the record makes no sense."""
    body, at = _varint(record, 0)
    end, types = body, list[int]()
    while at < body:
        type_, at = _varint(record, at)
        types.append(type_)
    values = list[Value]()
    for type_ in types:
        start, end = end, end + _bytes_of(type_)
        values.append(_value(type_, record[start:end]))
    if end != len(record):
        raise ValueError
    return tuple(values)


def _bytes_of(type_: int) -> int:
    if type_ < len(_INTEGER_BYTES):
        return _INTEGER_BYTES[type_]
    return 8 if type_ == _REALS else max(0, type_ - 12) // 2


def _value(type_: int, content: bytes) -> Value:
    if type_ == 0:
        return None
    if type_ < _REALS:
        return int.from_bytes(content, signed=True)
    if type_ == _REALS:
        return 0.0  # no table of ours has reals
    if type_ in (8, 9):
        return type_ - 8
    if type_ < 12:
        raise ValueError
    return content.decode() if type_ % 2 else content


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    number = 0
    for offset in range(8):
        byte = content[at + offset]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + offset + 1
    return number << 8 | content[at + 8], at + 9
