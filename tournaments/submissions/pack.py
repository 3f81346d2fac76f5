"""Packs the files of a bot into a tar.gz. The same files give the same bytes, on any machine and at any time.

We use tar.gz, since every system has programs for it, it can be read as a stream, and it describes each file in one
place only. (A zip describes each file twice; not every system has zstd.)
"""

import gzip
import hashlib
import io
import tarfile
from pathlib import Path
from typing import BinaryIO

from referee.core.tree_listing import File, Listing
from referee.files.problems import FileProblems
from referee.files.safe_read import open_ordinary

_PLAIN, _PROGRAM, _LINK = 0o644, 0o755, 0o777


def pack(folder: Path, listing: Listing, archive: BinaryIO) -> None:
    """Write the archive of the files that a listing names in a bot's folder.

    Raises:
        FileProblems: a file differs from the listing, or cannot be read.
        OSError: the archive cannot be written.
    """
    # The gzip header has no name and no time; pax writes long and non-ASCII names in the same way everywhere.
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=archive, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name in sorted(listing):
            item = listing[name]
            if isinstance(item, File):
                _add(tar, name, item, folder / name)
            else:
                link = _header(name, _LINK)
                link.type, link.linkname = tarfile.SYMTYPE, item.target
                tar.addfile(link)


def _add(tar: tarfile.TarFile, name: str, item: File, path: Path) -> None:
    header = _header(name, _PROGRAM if item.executable else _PLAIN)
    header.size = item.size
    try:
        file = open_ordinary(path)
    except OSError as error:
        raise FileProblems([f"{path}: cannot be read: {error.strerror}"]) from error
    with file:
        held = _Held(file, path)
        tar.addfile(header, held)
        if held.digest != item.sha256:
            raise _changed(path)


def _header(name: str, mode: int) -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)  # without an owner, from 1970
    header.mode = mode
    return header


class _Held:
    """A file that is read to its end, and must have the length that was listed."""

    def __init__(self, file: io.BufferedReader, path: Path) -> None:
        self._file = file
        self._path = path
        self._total = hashlib.sha256()

    @property
    def digest(self) -> str:
        return self._total.hexdigest()

    def read(self, size: int = -1, /) -> bytes:
        chunk = self._file.read(size)
        if len(chunk) < size:
            raise _changed(self._path)
        self._total.update(chunk)
        return chunk


def _changed(path: Path) -> FileProblems:
    return FileProblems([f"{path}: changed while it was packed; pack the bot again"])
