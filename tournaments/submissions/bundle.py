"""The archive of a submission: which files of a bot's folder it contains, and how they are packed.

Folders of bots are hostile, here as elsewhere. The same files give the same bytes, on any machine and at any time.

We use tar.gz, since every system has programs for it, it can be read as a stream, and it describes each file in one
place only. (A zip describes each file twice; not every system has zstd.)
"""

import gzip
import hashlib
import io
import os
import re
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from pathspec import GitIgnoreSpec, RegexPattern

from referee.core.bot_limits import FolderLimits
from referee.core.errors import FileProblems
from referee.core.tree_listing import File, Listing, Symlink
from referee.files.bot_folder import item_at
from referee.files.bot_toml import read_manifest
from referee.files.manifest import is_for_tools
from referee.files.safe_read import NotOrdinary, open_ordinary, read_ordinary
from tournaments.submissions.file_names import TreeNames, UnfitFile, check_links_stay_inside

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
        held = _ExactLengthFile(file, path)
        tar.addfile(header, held)
        if held.digest != item.sha256:
            raise _changed(path)


def _header(name: str, mode: int) -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)  # without an owner, from 1970
    header.mode = mode
    return header


class _ExactLengthFile:
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


IGNORE = ".refereeignore"
"""A submission leaves out the files that this file at the top of a bot's folder names, by the rules of `.gitignore`."""

_STAYING_FILES = frozenset({".git", ".DS_Store"})  # a file of the name .git says where the folder is
_STAYING_FOLDER = "node_modules/.cache"

_LONGEST_IGNORE = 16 << 10
_MOST_STARS = 3
"""Stars in one pattern. The time of a match grows with the length of a name to the power of their number."""


def bundle(folder: Path, limits: FolderLimits) -> Listing:
    """The files of a bot's folder that are submitted, sorted by path. Each was read once.

    Caches, the files of version control, and the files that `IGNORE` names are left out.

    Raises:
        FileProblems: the folder is not that of a bot, is too large, or has something that cannot be submitted; the text
            says what, and what to do.
    """
    read_manifest(folder)
    try:
        return _Packing(folder, limits).listing()
    except (UnfitFile, _Unreadable) as reason:
        raise FileProblems([f"{folder}: {reason}"]) from reason


class _Unreadable(Exception):
    """Something in the folder cannot be read."""


class _Packing:
    """One walk through a bot's folder."""

    def __init__(self, folder: Path, limits: FolderLimits) -> None:
        self._folder = folder
        self._limits = limits
        self._ignored = _ignored(folder / IGNORE)
        self._names = TreeNames(limits)
        self._size = 0
        self._items: dict[str, File | Symlink] = {}
        self._waiting = [""]

    def listing(self) -> Listing:
        while self._waiting:
            here = self._waiting.pop()
            try:
                self._look(here)
            except OSError as error:
                raise _Unreadable(f"{here or 'the folder'}: cannot be read: {error.strerror}") from error
        listing = dict(sorted(self._items.items()))
        check_links_stay_inside(listing)
        return listing

    def _look(self, here: str) -> None:
        with os.scandir(self._folder / here) as entries:
            for entry in entries:
                name = f"{here}/{entry.name}" if here else entry.name
                if entry.is_dir(follow_symlinks=False):
                    self._look_later(entry, name)
                elif entry.name not in _STAYING_FILES and not _stays(self._ignored, name):
                    self._names.take_file(name)
                    self._items[name] = self._item(entry, name)

    def _look_later(self, entry: os.DirEntry[str], name: str) -> None:
        stays = is_for_tools(entry.name) or name.endswith(_STAYING_FOLDER)
        # As with git, no pattern can include a file of an ignored folder.
        if not stays and not _stays(self._ignored, f"{name}/"):
            self._names.take_folder(name)
            self._waiting.append(name)

    def _item(self, entry: os.DirEntry[str], name: str) -> File | Symlink:
        if not entry.is_symlink():
            self._count(entry.stat(follow_symlinks=False).st_size)
        try:
            return item_at(Path(entry.path))
        except NotOrdinary as error:
            raise UnfitFile(
                f"{name}: {error.strerror}; a submitted bot has ordinary files, folders and links"
            ) from error

    def _count(self, size: int) -> None:
        self._size += size
        if self._size > self._limits.size_mib << 20:
            raise UnfitFile(
                f"has files of more than {self._limits.size_mib:,} MiB together;"
                f" name what the bot does not need in {IGNORE}"
            )


def _stays(patterns: Sequence[RegexPattern], path: str) -> bool:
    """Whether a file or a folder is left out, by the last pattern that names it. A folder's path ends with a slash.

    For the library a pattern also names everything in a folder that it names. We ask about a folder before its
    content, as git does, so that `a/**` and `!b` together mean the same as in git.
    """
    return next((bool(pattern.include) for pattern in reversed(patterns) if _names(pattern, path)), False)


def _names(pattern: RegexPattern, path: str) -> bool:
    if pattern.regex is None:
        return False
    if not pattern.regex.pattern.startswith("^"):  # `*` and `*/` are short: they name everything, or all folders
        return path.endswith("/") or "/" not in pattern.regex.pattern
    found = pattern.regex.match(path)
    # Only a pattern like `a/**` names the content of a folder, and not the folder itself.
    inside = str(pattern.pattern).rstrip().endswith("/**")
    return found is not None and (found.end() == len(path)) is not inside


def _ignored(path: Path) -> Sequence[RegexPattern]:
    """The patterns of the file that says what to leave out; none if there is no such file.

    Raises:
        FileProblems: it cannot be read, or has an invalid pattern.
    """
    patterns = []
    if path.exists():
        patterns = _lines(path)
    for number, pattern in enumerate(patterns, start=1):
        try:
            GitIgnoreSpec.from_lines([pattern])
        except (ValueError, re.error) as error:
            raise FileProblems([f"{path}: line {number}: is not a pattern: {error}"]) from error
        if len(re.findall(r"\*\*?", pattern)) > _MOST_STARS and not pattern.startswith("#"):
            raise FileProblems([f"{path}: line {number}: has more than {_MOST_STARS} stars; write several patterns"])
    return list(GitIgnoreSpec.from_lines(map(_of_folders, patterns)).patterns)


def _of_folders(pattern: str) -> str:
    """The same pattern in the syntax of the library. In git `**/` means all folders, and `a/**/` the folders in a."""
    if pattern.strip() in {"**/", "!**/"}:
        return pattern.replace("**/", "*/")
    return re.sub(r"\*\*/\s*$", "**/*/", pattern)


def _lines(path: Path) -> list[str]:
    try:
        return read_ordinary(path, _LONGEST_IGNORE).decode().splitlines()
    except UnicodeDecodeError as error:
        raise FileProblems([f"{path}: is not UTF-8; save it as UTF-8"]) from error
