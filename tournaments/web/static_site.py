"""A site: the pages of leagues as files in a folder, their content as JSON, style sheets and scripts.

The folder gets all of it at once, or does not change: a reader sees the old or the new content, never a mixture.
"""

import ctypes
import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from referee.core.errors import WrongUse
from tournaments.web.page_router import IN_A_LIST, Pages
from tournaments.web.pages import leagues, words
from tournaments.web.pages.highlights import OpenToAll
from tournaments.web.pages.match_pictures import PlayedMatch, played, style_of
from tournaments.web.pages.rendering import FILES_ONLY, GLYPHS, Page, PageFrame, look, rendered
from tournaments.web.pages.urls import Kind, PageAddress, data_file_of, file_of, look_file, relative_links
from tournaments.web.queries import LeagueQueries
from tournaments.web.queries import ListPage as Part
from tournaments.web.visibility.league_view import LeagueView

Item = TypeVar("Item")

STYLE = "pages.css"
OTHERS = ("pages.js", "tables.js", "replay.js", "replay.css")
"""The style sheets and scripts of the pages."""


class SiteFile(NamedTuple):
    """A file of a site: its path, with / between the parts, and its content."""

    path: str
    content: bytes


class Site:
    """The files of a league, for one viewer.

    Attributes:
        league: the league.
        front: what the list of leagues says of it; None before its files were made.
    """

    def __init__(self, showing: LeagueQueries, made_ms: int, viewer: str | None, replays: int) -> None:
        """Prepare to write.

        `viewer` names the viewer of the site, in words; None: a visitor. At most `replays` matches get a page of their
        own, with a replay.
        """
        self.league = showing.league()
        self._showing = showing
        self._made_ms = made_ms
        self._viewer = viewer
        self._replays = replays
        self.front: OpenToAll | None = None

    def files(self) -> Iterator[SiteFile]:
        """All files, each once."""
        watched = dict(islice(self._watched(), self._replays))
        pages = Pages(self._showing, replays=watched)
        self.front = pages.front()
        frame = PageFrame(self.league, self._made_ms, viewer=self._viewer, policy=FILES_ONLY)
        for page in _with_parts(pages, self._places(watched)):
            yield from _files(page, frame)
        if self.league.about.icon:
            yield SiteFile(f"{self.league.name}/{self.league.about.icon}", self._showing.icon())

    def _places(self, watched: Iterable[str]) -> Iterator[PageAddress]:
        """The addresses of the first parts of all pages."""
        yield from (self._place(kind) for kind, _ in words.menu(self.league))
        yield self._place("show")
        if len(self.league.tables) > 1:
            yield from (self._place("standings", table.name) for table in self.league.tables)
        yield from (self._place("match", match) for match in watched)
        for entry in _every(self._showing.entries):
            yield self._place("bot", entry.bot)
            yield self._place("matches", entry.bot)
            if self._showing.bot(entry.bot).results is not None:
                yield self._place("losses", entry.bot)
                yield self._place("decisions", entry.bot)
        yield from (self._place("entry", str(each.number)) for each in _every(self._showing.submissions))

    def _watched(self) -> Iterator[tuple[str, PlayedMatch]]:
        """The matches on closed deals that can be drawn, the latest deal first."""
        for each in _every(lambda after: self._showing.matches(None, after, IN_A_LIST)):
            found = played(self._showing.transcript(each.match)) if each.closed else None
            if found is not None:
                yield each.match, found

    def _place(self, kind: Kind, key: str = "") -> PageAddress:
        return PageAddress(kind, self.league.name, key)


def files_of(sites: Sequence[Site], made_ms: int) -> Iterator[SiteFile]:
    """All files of a site of several leagues, each once."""
    for each in sites:
        yield from each.files()
    yield from common_files(
        [each.league for each in sites],
        made_ms,
        {each.league.name: each.front for each in sites if each.front is not None},
    )


def _with_parts(pages: Pages, places: Iterable[PageAddress]) -> Iterator[Page]:
    """The pages at these addresses, each followed by its other parts."""
    for place in places:
        waiting, known = [place], {place}
        while waiting:
            page = pages.page(waiting.pop(0))
            yield page
            new = [part.place for part in page.parts if part.place not in known]
            waiting += new
            known.update(new)


def common_files(
    views: Sequence[LeagueView], made_ms: int, fronts: Mapping[str, OpenToAll] | None = None
) -> Iterator[SiteFile]:
    """The list of the leagues, and the common files of all pages."""
    frame = PageFrame(made=made_ms, policy=FILES_ONLY)
    yield from _files(leagues.leagues(views, fronts), frame)
    yield SiteFile(look_file(STYLE), look(STYLE))
    yield from (SiteFile(look_file(name), look(name)) for name in OTHERS)
    for game in sorted({league.game for league in views}):
        yield SiteFile(look_file(words.board_style(game)), style_of(game).encode())
    for game in sorted({league.game for league in views if not league.about.icon}.intersection(GLYPHS)):
        yield SiteFile(look_file(f"glyph-{game}.svg"), look(f"glyph-{game}.svg"))


def _files(page: Page, frame: PageFrame) -> Iterator[SiteFile]:
    """A page, and its content as JSON if it has any."""
    yield SiteFile(file_of(page.place), rendered(page, frame, relative_links(page.place)).encode())
    if page.value is None:
        return
    yield SiteFile(data_file_of(page.place), msgspec.json.format(msgspec.json.encode(page.value), indent=1))


def _every(ask: Callable[[str | None], Part[Item]]) -> Iterator[Item]:
    """All items of a list, read part by part."""
    after: str | None = None
    while True:
        part = ask(after)
        yield from part.items
        after = part.next
        if after is None:
            return


_MARK = ".referee-site"
"""A file in every folder that this module wrote, with the names of its files. A folder with others is not replaced."""

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
"""renameat2(2): both names are exchanged, in one step."""


class CannotWrite(WrongUse):
    """The folder cannot be written; the text says which, and why."""


def check_is_site(folder: Path) -> None:
    """Check that a folder may be replaced: it holds only files that this module wrote.

    Raises:
        CannotWrite: it holds something other than a site.
    """
    if not folder.exists():
        return
    mark = folder / _MARK
    if not folder.is_dir() or (not mark.is_file() and any(folder.iterdir())):
        raise CannotWrite(f"{folder}: holds something else than pages of leagues; name an empty folder or a new one")
    written = mark.read_text(errors="replace").split("\n") if mark.is_file() else []
    for path in _files_below(folder) - {mark, *(folder / name for name in written)}:
        raise CannotWrite(f"{path}: was not written with the pages beside it; move it away, or name another folder")


def _files_below(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()}


@contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """An empty folder beside `folder`. It replaces `folder` when the context ends; after a failure it is removed.

    Raises:
        CannotWrite: `folder` holds something other than a site, or cannot be replaced.
    """
    check_is_site(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            yield beside
            names = sorted(str(path.relative_to(beside)) for path in _files_below(beside))
            (beside / _MARK).write_text("\n".join(names))
            beside.chmod(0o755)
            check_is_site(folder)  # somebody may have put something there meanwhile
            _take_place(beside, folder)
        finally:
            shutil.rmtree(beside, ignore_errors=True)  # it has the old content now, or is incomplete
    except OSError as error:
        raise CannotWrite(f"{folder}: cannot be written: {error.strerror}") from error


def _take_place(beside: Path, folder: Path) -> None:
    if not folder.exists():
        beside.rename(folder)
    elif not _exchanged(beside, folder):
        _one_after_the_other(beside, folder)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two names in one step; False where the file system cannot."""
    libc = ctypes.CDLL(None, use_errno=True)
    rename = getattr(libc, "renameat2", None)
    if rename is None:
        return False
    if rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}:
        return False
    raise OSError(number, os.strerror(number), str(other))


def _one_after_the_other(beside: Path, folder: Path) -> None:
    """Rename both folders in turn. For a moment no folder has the name, but never an incomplete one."""
    old = folder.with_name(f"{beside.name}.old")
    folder.rename(old)
    try:
        beside.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def write(files: Iterable[SiteFile], folder: Path) -> int:
    """Write all files. They replace the old content of the folder. Returns their number.

    Raises:
        CannotWrite: the folder holds something other than a site, or cannot be written.
    """
    written = 0
    with replace_folder(folder) as beside:
        for file in files:
            path = beside / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
            written += 1
    return written
