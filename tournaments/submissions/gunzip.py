"""A gzip file read as a stream, up to a limit. No more than two blocks of it are ever in memory."""

import io
import zlib
from typing import BinaryIO, Final

from tournaments.submissions.file_names import UnfitFile

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
        self._given = 0
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
        self._given += len(block)
        if self._given > self._most:
            raise UnfitFile(f"unpacks to more than {self._most >> 20:,} MiB")

    def _damage(self, error: str) -> str:
        if self._given == 0 and "incorrect header" in error:
            return "is not a gzip file; pack the folder as tar.gz"
        return f"is damaged ({error.rpartition(': ')[2]}); send it again"
