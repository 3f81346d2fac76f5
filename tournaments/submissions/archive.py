"""A tar.gz archive read as a stream: gzip up to a limit, tar in the formats of POSIX (ustar, pax) and GNU. Pure.

The tar reader of the standard library accepts all that it can interpret, and keeps all header extensions in memory.
This reader refuses invalid archives and members that no bot needs. Its memory is bounded: no more than two blocks of
the gzip file are ever in memory.
"""

import io
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import BinaryIO, Final, NamedTuple, Protocol

from tournaments.submissions.file_names import LONGEST_PATH, UnfitFile, shortened

BLOCK: Final = 512
_CHUNK: Final = 64 << 10
_ZEROS: Final = bytes(BLOCK)

_LONGEST_EXTENSION: Final = 64 << 10
"""Bytes of the extensions of a header: long names, and times and owners, which we do not need."""

_MOST_RECORDS: Final = 64
_SIZE: Final = re.compile(b"([1-9][0-9]{0,5}) ")

_SPECIAL_BITS: Final = 0o7000
_MAY_EXECUTE: Final = 0o100


class MemberKind(Enum):
    """The kind of a member."""

    FILE = 1
    FOLDER = 2
    LINK = 3


class TarMember(NamedTuple):
    """One file, folder or link of an archive.

    Attributes:
        path: its path as the archive has it, without `./` in front, and without the slash that ends a folder's. Nothing
            was checked about it. Bytes that are not UTF-8 are surrogates.
        kind: file, folder or link.
        size: bytes of content; 0 unless it is a file.
        executable: whether its owner may execute it.
        target: the target of a link, in the same form; empty unless it is a link.
    """

    path: str
    kind: MemberKind
    size: int
    executable: bool
    target: str


class TarStream(Protocol):
    """The source of an archive."""

    def read(self, size: int) -> bytes:
        """The next bytes; fewer than `size` only at the end."""


class Tar:
    """The members of an archive, in its order. Read the content of a file before you ask for the next member."""

    def __init__(self, stream: TarStream) -> None:
        self._stream = stream
        self._unread = 0
        self._padding = 0

    def __iter__(self) -> Iterator[TarMember]:
        """The members.

        Raises:
            UnfitFile:the archive is damaged, or has something that no bot needs.
        """
        while (found := self._next()) is not None:
            self._unread, self._padding = found.size, -found.size % BLOCK
            yield found
            for _ in self.content():
                pass  # the caller did not read it
        self._check_end()

    def content(self) -> Iterator[bytes]:
        """The unread content of the current member, in chunks.

        Raises:
            UnfitFile:the archive ends in it.
        """
        while self._unread:
            chunk = self._exactly(min(self._unread, _CHUNK))
            self._unread -= len(chunk)
            yield chunk
        self._exactly(self._padding)
        self._padding = 0

    def _next(self) -> TarMember | None:
        """The next member, with the extensions of its header; None at the end."""
        extensions: dict[bytes, bytes] = {}
        while (header := self._header()) is not None:
            read = _EXTENSIONS.get(header.type)
            if read is None:
                return _member(header, extensions)
            extensions |= read(self._extension(header))
        if extensions:
            raise UnfitFile("is damaged: a name stands at its end, and nothing of that name comes")
        return None

    def _header(self) -> "_Header | None":
        """The next header; None if the archive ends."""
        block = self._exactly(BLOCK)
        return None if block == _ZEROS else _header(block)

    def _extension(self, header: "_Header") -> bytes:
        if header.size > _LONGEST_EXTENSION:
            raise UnfitFile(f"has an extended header of {header.size:,} bytes; {_LONGEST_EXTENSION:,} are allowed")
        content = self._exactly(header.size)
        self._exactly(-header.size % BLOCK)
        return content

    def _check_end(self) -> None:
        """Check that a second block of zeros follows the first, and then nothing but zeros."""
        if self._exactly(BLOCK) != _ZEROS:
            raise UnfitFile("has something after its end; pack it again")
        while block := self._stream.read(_CHUNK):
            if block.strip(b"\0"):
                raise UnfitFile("has something after its end; pack it again")

    def _exactly(self, size: int) -> bytes:
        content = self._stream.read(size)
        if len(content) < size:
            raise UnfitFile("is cut short; send it again")
        return content


class _Header(NamedTuple):
    """The fields of a header that we read, names as bytes."""

    type: bytes
    path: bytes
    mode: int
    size: int
    target: bytes


_MAGICS: Final = {b"ustar\x0000": "posix", b"ustar  \x00": "gnu"}


def _header(block: bytes) -> _Header:
    kind = _MAGICS.get(block[257:265])
    if kind is None:
        raise UnfitFile("is not a tar archive of today, or is damaged; pack the folder as tar.gz")
    # The field of the checksum itself counts as spaces.
    if _number(block[148:156]) != sum(block) - sum(block[148:156]) + 8 * ord(" "):
        raise UnfitFile("is damaged: the checksum of a header is wrong")
    path = _text(block[:100])
    if kind == "posix" and (outer := _text(block[345:500])):
        path = outer + b"/" + path
    return _Header(block[156:157], path, _number(block[100:108]), _number(block[124:136]), _text(block[157:257]))


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _number(field: bytes) -> int:
    if field[0] & 0x80:  # GNU's form of a number that does not fit
        raise UnfitFile("has a number in a header that is too large; no bot's file is that large")
    digits = field.strip(b" \0")
    if not re.fullmatch(b"[0-7]+", digits):
        raise UnfitFile("is damaged: there is no number where a header should have one")
    return int(digits, 8)


_KINDS: Final = {b"0": MemberKind.FILE, b"\0": MemberKind.FILE, b"5": MemberKind.FOLDER, b"2": MemberKind.LINK}
_SPECIAL: Final = "{}; a submitted bot has ordinary files, folders and links"
_OTHER_KINDS: Final = {
    b"1": "a hard link; pack with --hard-dereference, which stores the file itself",
    b"3": _SPECIAL.format("a device"),
    b"4": _SPECIAL.format("a device"),
    b"6": _SPECIAL.format("a pipe"),
    b"S": "a sparse file; pack it without --sparse",
    b"V": "the name of a tape; pack it without --label",
}


def _member(header: _Header, extensions: Mapping[bytes, bytes]) -> TarMember:
    path = _plain(extensions.get(b"path", header.path))
    kind = _KINDS.get(header.type)
    if kind is None:
        what = _OTHER_KINDS.get(header.type) or _SPECIAL.format("something unknown")
        raise UnfitFile(f"{shortened(path)}: is {what}")
    if kind is not MemberKind.FILE:
        if header.size:
            raise UnfitFile(f"{shortened(path)}: is damaged: only a file may have content")
    elif header.mode & _SPECIAL_BITS:
        raise UnfitFile(f"{shortened(path)}: has a setuid, setgid or sticky bit; take it away (chmod ug-s,-t)")
    return TarMember(
        path=path.removesuffix("/") if kind is MemberKind.FOLDER else path,
        kind=kind,
        size=header.size,
        executable=bool(header.mode & _MAY_EXECUTE),
        target=_decoded(extensions.get(b"linkpath", header.target)) if kind is MemberKind.LINK else "",
    )


def _plain(path: bytes) -> str:
    """A path without `./` in front, which tar writes if it packs the folder `.`."""
    text = _decoded(path)
    while text.startswith("./"):
        text = text[2:]
    return text


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


# Extensions of the next header. We keep only paths and the targets of links.


def _long(content: bytes) -> bytes:
    return _text(content[: LONGEST_PATH + 2])  # enough to see that it is too long


def _pax(content: bytes) -> dict[bytes, bytes]:
    records = dict(_records(content))
    for key, value in records.items():
        if key.startswith(b"GNU.sparse."):
            raise UnfitFile("has a sparse file; pack it without --sparse")
        if key == b"size":
            raise UnfitFile("has the size of a file in an extended header; no bot's file is that large")
        if key == b"hdrcharset" and value != b"ISO-IR 10646 2000 UTF-8":
            raise UnfitFile("has names that are not UTF-8")
    return {key: records[key][: LONGEST_PATH + 2] for key in (b"path", b"linkpath") if key in records}


def _pax_of_all(content: bytes) -> dict[bytes, bytes]:
    """The records for all following members: git writes the id of a commit there."""
    if _pax(content):
        raise UnfitFile("has one name for all its files")
    return {}


def _records(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The records of an extended header: `LENGTH KEY=VALUE` and a line break, where the length counts all of it."""
    start = number = 0
    while start < len(content):
        number += 1
        if number > _MOST_RECORDS:
            raise UnfitFile(f"has an extended header of more than {_MOST_RECORDS} records")
        size = _SIZE.match(content, start)
        end = start + int(size[1]) if size else 0
        if size is None or end > len(content) or content[end - 1 : end] != b"\n":
            raise UnfitFile("is damaged: an extended header is wrong")
        key, there, value = content[size.end() : end - 1].partition(b"=")
        if not there:
            raise UnfitFile("is damaged: an extended header is wrong")
        yield key, value
        start = end


_EXTENSIONS: Final[Mapping[bytes, Callable[[bytes], dict[bytes, bytes]]]] = {
    b"x": _pax,
    b"g": _pax_of_all,
    b"L": lambda content: {b"path": _long(content)},
    b"K": lambda content: {b"linkpath": _long(content)},
}


_BLOCK: Final = 64 << 10
_GZIP_ONLY: Final = 31
"""Tells zlib to expect a header and a checksum of gzip, and the largest window, 32 KiB."""


class Gunzip:
    """The content of a gzip file that a stranger made. It must have exactly one member."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        """Read `file`; the content, and the file itself, may have `most` bytes each."""
        self._file = file
        self._most = most
        self._read = 0
        self._unpacked_size = 0
        self._ready = io.BytesIO()
        self._inflate = zlib.decompressobj(_GZIP_ONLY)

    def read(self, size: int) -> bytes:
        """The next bytes of the content; fewer than `size` only at its end, which is also the end of the file.

        Raises:
            UnfitFile: the file is no gzip file, is damaged, cut short, or too large.
        """
        content = self._ready.read(size)
        while len(content) < size and (block := self._inflated()):
            self._ready = io.BytesIO(block)
            content += self._ready.read(size - len(content))
        return content

    def _inflated(self) -> bytes:
        """The next block of the content, empty at the end."""
        while not self._inflate.eof:
            packed = self._inflate.unconsumed_tail or self._next_block()
            try:
                block = self._inflate.decompress(packed, _BLOCK)
            except zlib.error as error:
                raise UnfitFile(self._damage(str(error))) from error
            if block:
                self._count(block)
                return block
        if self._inflate.unused_data or self._file.read(1):
            raise UnfitFile("has something after its end; pack it again")
        return b""

    def _next_block(self) -> bytes:
        block = self._file.read(_BLOCK)
        if not block:
            raise UnfitFile("is empty" if self._read == 0 else "is cut short; send it again")
        self._read += len(block)
        if self._read > self._most:
            raise UnfitFile(f"is larger than {self._most >> 20:,} MiB")
        return block

    def _count(self, block: bytes) -> None:
        self._unpacked_size += len(block)
        if self._unpacked_size > self._most:
            raise UnfitFile(f"unpacks to more than {self._most >> 20:,} MiB")

    def _damage(self, error: str) -> str:
        if self._unpacked_size == 0 and "incorrect header" in error:
            return "is not a gzip file; pack the folder as tar.gz"
        return f"is damaged ({error.rpartition(': ')[2]}); send it again"
