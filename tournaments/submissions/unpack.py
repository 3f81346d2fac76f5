"""Unpacks an archive that a stranger made: into a tree within limits, or else it refuses and leaves nothing."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from referee.core.bot_limits import FolderLimits
from referee.core.errors import FileProblems
from referee.core.tree_listing import File, Listing, Symlink
from referee.files.manifest import MANIFEST
from tournaments.submissions.archive import BLOCK, Gunzip, MemberKind, Tar, TarMember
from tournaments.submissions.file_names import LONGEST_PATH, TreeNames, UnfitFile, check_links_stay_inside, shortened
from tournaments.submissions.tree_cache import FILE, FOLDER, PROGRAM

_HEADERS = 4 * BLOCK
"""Bytes that an archive may have for each file besides its content: headers, a long name, and padding."""

_ENDING = 1 << 20
"""Bytes of zeros that an archive may have at its end."""


class ArchiveError(FileProblems):
    """An archive is not that of a bot that can be submitted."""


def unpack(archive: BinaryIO, folder: Path, limits: FolderLimits) -> Listing:
    """Unpack a bot's archive. All bytes are counted while they are read; headers are not trusted before that.

    `archive` is a tar.gz, read from its position to its end. `folder` must not exist; it is made in one step when
    all is unpacked.

    Returns:
        The listing of the folder.

    Raises:
        ArchiveError: the archive is refused; the text says why. Nothing is left on the disk.
        OSError: the disk is full, or cannot be written. Nothing is left, either.
    """
    try:
        with _made_at_once(folder) as place:
            return _Unpacking(place, limits).take(archive)
    except UnfitFile as reason:
        raise ArchiveError([f"the archive is refused: {reason}"]) from reason


@contextmanager
def _made_at_once(folder: Path) -> Iterator[Path]:
    """A folder to fill. It gets its place when it is complete; on an error it is removed."""
    place = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        yield place
        place.chmod(FOLDER)
        place.rename(folder)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


class _Unpacking:
    """The unpacked members so far. Links are made last, so nothing is written through one."""

    def __init__(self, place: Path, limits: FolderLimits) -> None:
        self._place = place
        self._limits = limits
        self._names = TreeNames(limits)
        self._listing: dict[str, File | Symlink] = {}
        self._made = {place}
        self._size = 0

    def take(self, archive: BinaryIO) -> Listing:
        most = (self._limits.size_mib << 20) + self._limits.files * _HEADERS + _ENDING
        tar = Tar(Gunzip(archive, most))
        for member in tar:
            self._take(member, tar)
        self._check_bot()
        for name, item in self._listing.items():
            if isinstance(item, Symlink):
                self._at(name).symlink_to(item.target)
        return self._listing

    def _take(self, member: TarMember, tar: Tar) -> None:
        match member.kind:
            case MemberKind.FOLDER:
                if member.path not in {"", "."}:  # the bot's own folder
                    self._names.take_folder(member.path)
            case MemberKind.LINK:
                self._names.take_file(member.path)
                self._listing[member.path] = _link(member)
            case MemberKind.FILE:
                self._names.take_file(member.path)
                self._listing[member.path] = self._write(member, tar.content())

    def _write(self, member: TarMember, content: Iterator[bytes]) -> File:
        path, total = self._at(member.path), hashlib.sha256()
        with path.open("xb") as file:
            for chunk in content:
                self._count(len(chunk))
                total.update(chunk)
                file.write(chunk)
            os.fchmod(file.fileno(), PROGRAM if member.executable else FILE)
        return File(total.hexdigest(), member.size, member.executable)

    def _at(self, name: str) -> Path:
        """The path of a file or link, after making its folder."""
        path = self._place / name
        self._make(path.parent)
        return path

    def _make(self, folder: Path) -> None:
        if folder not in self._made:
            self._make(folder.parent)
            folder.mkdir()
            folder.chmod(FOLDER)
            self._made.add(folder)

    def _count(self, size: int) -> None:
        self._size += size
        if self._size > self._limits.size_mib << 20:
            raise UnfitFile(
                f"has files of more than {self._limits.size_mib:,} MiB together; no submitted bot may have more"
            )

    def _check_bot(self) -> None:
        if not isinstance(self._listing.get(MANIFEST), File):
            raise UnfitFile(
                f"has no file {MANIFEST} at its top; pack what is in the folder: tar -czf bot.tar.gz -C FOLDER ."
            )
        check_links_stay_inside(self._listing)


def _link(member: TarMember) -> Symlink:
    """The link, if its target can be written.

    Raises:
        UnfitFile: it cannot.
    """
    target = member.target
    try:
        size = len(target.encode())
    except UnicodeEncodeError as error:
        raise UnfitFile(f"{shortened(member.path)}: this link leads to a name that is not UTF-8") from error
    if not 0 < size <= LONGEST_PATH or "\0" in target:
        raise UnfitFile(f"{shortened(member.path)}: this link says nothing, or something that no link can say")
    return Symlink(target)
