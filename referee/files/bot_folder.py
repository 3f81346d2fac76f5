"""The folder of a bot: its sources, the output of its build, hidden folders, and the links that lead out.

Folders of bots are hostile. Nothing here opens anything but ordinary files, follows a link that the manifest does not
name, recurses, or goes on once a limit is passed.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from referee.core.bot_limits import FolderLimits
from referee.core.errors import FileProblems
from referee.core.tree_listing import File, ListingLine, Symlink, digest_of
from referee.files.manifest import BUILD_OUTPUT, MANIFEST, Manifest, is_for_tools
from referee.files.safe_read import kind, open_ordinary

MOST_HIDDEN = 200
"""Hidden folders of a bot. A confinement covers each with a mount whenever the bot starts. The time for that grows with
the square of their number: 100 take 5 ms, 1,000 a second."""


class FolderError(FileProblems):
    """A bot's folder cannot be used as it is."""


class Link(msgspec.Struct, frozen=True):
    """A link that leads out of a bot's folder, by leave of the manifest.

    Attributes:
        name: its path inside the folder.
        place: the absolute path that it names. The target must also lie there, for programs that follow the link.
        target: what is there, an existing file or folder; an absolute path without links.
    """

    name: str
    place: Path
    target: Path


class Visible(msgspec.Struct, frozen=True):
    """The part of its own files that a confined bot may see.

    Attributes:
        folder: the bot's folder, an absolute path without links.
        hidden: the folders, in it or in a link's place, whose content the bot must not see; sorted.
        links: the links that lead out, sorted by name.
    """

    folder: Path
    hidden: tuple[Path, ...] = ()
    links: tuple[Link, ...] = ()

    def hides(self, path: Path) -> bool:
        """Whether a path is, or lies in, a hidden folder."""
        return any(path.is_relative_to(folder) for folder in self.hidden)


class Tree(msgspec.Struct, frozen=True):
    """The files that a bot sees. Each is a source or build output.

    Attributes:
        sources: paths of ordinary files and of links, by name. The name is the path inside the folder, with `/`. What
            lies in a folder that a link leads to has the name of the link in front.
        output: what building wrote, in the same form.
        visible: the places of all this, and the hidden folders.
    """

    sources: dict[str, Path]
    output: dict[str, Path]
    visible: Visible


def read_tree(folder: Path, manifest: Manifest, limits: FolderLimits) -> Tree:
    """The files of the bot in a folder. They are listed, not read.

    Raises:
        FolderError: the folder is too large, a link leads out without leave, something in it is neither file, folder
            nor link, or cannot be read.
    """
    return _Walk(folder.resolve(), manifest, limits).tree()


def digest(files: Mapping[str, Path]) -> str:
    """SHA-256, in hex, over name, mode and content of every file, sorted by name.

    The mode says whether the owner may execute the file. For a link it names the target, and the content is the
    target's if that is a file.

    Raises:
        FolderError: a file cannot be read.
    """
    return digest_of(_line(name, files[name]) for name in sorted(files))


def item_at(path: Path) -> File | Symlink:
    """The ordinary file or the link at a path, which is read whole.

    Raises:
        OSError: it cannot be read; `NotOrdinary` if it is neither.
    """
    return Symlink(str(path.readlink())) if path.is_symlink() else _file_at(path)


def _file_at(path: Path) -> File:
    with open_ordinary(path) as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
        return File(content, file.tell(), bool(os.fstat(file.fileno()).st_mode & stat.S_IXUSR))


def resolved(path: Path) -> Path | None:
    """Where a path leads, without links; None if it leads nowhere.

    The kernel follows at most 40 links. `Path.resolve` follows all of them, and recurses for each.
    """
    try:
        found = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return Path(f"/proc/self/fd/{found}").readlink()
    finally:
        os.close(found)


def _line(name: str, path: Path) -> ListingLine:
    with _telling(path):
        if path.is_symlink():
            content = _file_at(path).sha256 if path.is_file() else ""
            return ListingLine(name, f"link to {path.readlink().as_posix()}", content)
        file = _file_at(path)
        return ListingLine(name, "executable" if file.executable else "plain", file.sha256)


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _error(path, f"cannot be read: {error.strerror}") from error


def _error(path: Path, sentence: str) -> FolderError:
    return FolderError([f"{path}: {sentence}"])


class _Part(Enum):
    """The part of the bot that a folder belongs to."""

    SOURCES = 1
    OUTPUT = 2
    AROUND_OUTPUT = 3
    """A folder around build output: the manifest names only something inside. A folder that it does not name
    is hidden. A file that it does not name is output, since files cannot be hidden."""
    HIDDEN = 4


class _Folder(NamedTuple):
    """A folder to list.

    Attributes:
        path: where it is.
        place: where the bot finds it; another path if a link leads there by way of links.
        name: its name in a `Tree`; empty for the bot's own folder.
        part: what it belongs to.
        depth: how many folders it lies in.
    """

    path: Path
    place: Path
    name: str
    part: _Part
    depth: int


class _Walk:
    """One walk through a bot's folder, and through the folders that it links to by leave of the manifest."""

    def __init__(self, folder: Path, manifest: Manifest, limits: FolderLimits) -> None:
        self._folder = folder
        self._limits = limits
        self._output = frozenset(manifest.output)
        self._around = {str(outer) for path in manifest.output for outer in PurePosixPath(path).parents}
        self._allowed = frozenset(manifest.links)
        # Where links may lead: into the folder, and to where a link leads that the manifest names.
        self._own = [folder, *filter(None, (resolved(folder / name) for name in manifest.links))]
        self._bytes = 0
        self._count = 0
        self._files: dict[_Part, dict[str, Path]] = {_Part.SOURCES: {}, _Part.OUTPUT: {}}
        self._hidden: set[Path] = set()
        self._links: list[Link] = []
        self._waiting = [_Folder(folder, folder, "", _Part.SOURCES, 0)]

    def tree(self) -> Tree:
        while self._waiting:
            here = self._waiting.pop()
            with _telling(here.path), os.scandir(here.path) as entries:
                for entry in entries:
                    self._take(entry, here)
        links = sorted(self._links, key=lambda link: link.name)
        visible = Visible(self._folder, tuple(sorted(self._hidden)), tuple(links))
        return Tree(self._files[_Part.SOURCES], self._files[_Part.OUTPUT], visible)

    def _take(self, entry: os.DirEntry[str], here: _Folder) -> None:
        self._count += 1
        if self._count > self._limits.files:
            raise self._too_much("files", f"more than {self._limits.files:,} files, folders and links")
        name = f"{here.name}/{entry.name}" if here.name else entry.name
        path, place = here.path / entry.name, here.place / entry.name
        if entry.is_symlink():
            self._take_link(path, place, name, here)
        elif entry.is_dir(follow_symlinks=False):
            self._enter(_Folder(path, place, name, self._part_of(name, entry.name, here.part), here.depth + 1))
        elif entry.is_file(follow_symlinks=False):
            self._keep(path, name, here)
        else:
            self._refuse_special(path)

    def _keep(self, path: Path, name: str, here: _Folder) -> None:
        """Take up a file or a link, which counts with the size of the file that it leads to."""
        # A file called `build` is more likely a script than the output of a build.
        in_output = here.part is not _Part.SOURCES or (name in self._output and name not in BUILD_OUTPUT)
        self._files[_Part.OUTPUT if in_output else _Part.SOURCES][name] = path
        found = _status(path)
        if found is not None and stat.S_ISREG(found.st_mode):
            self._bytes += found.st_size
        if self._bytes > self._limits.size_mib << 20:
            raise self._too_much("size_mib", f"more than {self._limits.size_mib:,} MiB")

    def _take_link(self, path: Path, place: Path, name: str, here: _Folder) -> None:
        self._keep(path, name, here)
        target = resolved(path)
        if target is None or target.is_relative_to(self._folder):
            return
        if not any(target.is_relative_to(own) for own in self._own):
            raise _error(
                path,
                f"this link leads out of the bot's folder, to {target};"
                f' copy what is there, or name the link in {MANIFEST}: links = ["{name}"]',
            )
        found = _status(target)
        if name in self._allowed and found is not None:
            self._follow(Link(name, Path(os.path.normpath(place.parent / path.readlink())), target), found, here)

    def _follow(self, link: Link, status: os.stat_result, here: _Folder) -> None:
        self._links.append(link)
        if stat.S_ISDIR(status.st_mode):
            part = self._part_of(link.name, PurePosixPath(link.name).name, here.part)
            self._enter(_Folder(link.target, link.place, link.name, part, here.depth + 1))
        elif not stat.S_ISREG(status.st_mode):
            self._refuse_special(link.target)

    def _enter(self, folder: _Folder) -> None:
        if folder.part is _Part.HIDDEN:
            self._hidden.add(folder.place)
            if len(self._hidden) > MOST_HIDDEN:
                raise _error(self._folder, f"has more than {MOST_HIDDEN} folders like {folder.name}; remove them")
            return
        if folder.depth > self._limits.depth:
            raise self._too_much("depth", f"folders that are more than {self._limits.depth} deep")
        self._waiting.append(folder)

    def _part_of(self, name: str, last: str, outer: _Part) -> _Part:
        """The part of a folder that lies in the part `outer`; `last` is the last word of its name."""
        if name in self._output:
            return _Part.OUTPUT
        if name in self._around and (outer is _Part.AROUND_OUTPUT or last in BUILD_OUTPUT):
            return _Part.AROUND_OUTPUT
        if outer is _Part.OUTPUT:
            return _Part.OUTPUT
        if outer is _Part.AROUND_OUTPUT or last in BUILD_OUTPUT or is_for_tools(last):
            return _Part.HIDDEN
        return _Part.SOURCES

    def _too_much(self, key: str, amount: str) -> FolderError:
        return _error(
            self._folder,
            f"has {amount}, which is too much for a bot's folder;"
            f" remove what the bot does not need, or name in {MANIFEST} what it needs of what its build makes (output);"
            f" a league file can allow more ({key} in [folders])",
        )

    def _refuse_special(self, path: Path) -> None:
        found = _status(path)
        what = "nothing any more" if found is None else kind(found.st_mode)
        raise _error(path, f"is {what}; a bot's folder may hold ordinary files, folders and links only")


def _status(path: Path) -> os.stat_result | None:
    """The status of the file that a path leads to; None if there is none."""
    try:
        return path.stat()
    except OSError:
        return None
