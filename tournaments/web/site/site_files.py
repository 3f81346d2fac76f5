"""All files of a site, one after another: the pages of leagues, their content as JSON, style sheets and scripts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

import msgspec

from referee.drawing.look import variables
from tournaments.web.page_router import IN_A_LIST, Pages
from tournaments.web.pages import leagues, words
from tournaments.web.pages.highlights import LeagueFront
from tournaments.web.pages.labels import SAY
from tournaments.web.pages.match_pictures import PlayedMatch, played, style_of
from tournaments.web.pages.rendering import FILES_ONLY, Page, PageFrame, look, rendered
from tournaments.web.pages.urls import Kind, PageAddress, RelativeLinks, data_file_of, file_of, look_file
from tournaments.web.queries import LeagueQueries
from tournaments.web.queries import ListPage as Part
from tournaments.web.visibility.league_view import LeagueView

Item = TypeVar("Item")

STYLE = "pages.css"
OTHERS = ("pages.js", "tables.js", "replay.js", "replay.css", "history.js", "uplot.js", "uplot.css", "uplot.LICENSE")
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
        self.front: LeagueFront | None = None

    def files(self) -> Iterator[SiteFile]:
        """All files, each once."""
        watched = dict(islice(self._watched(), self._replays))
        pages = Pages(self._showing, kept=watched)
        self.front = pages.front()
        frame = self._frame()
        for page in _with_parts(pages, self._places(watched)):
            yield from _files(page, frame)

    def _places(self, watched: Iterable[str]) -> Iterator[PageAddress]:
        """The addresses of the first parts of all pages."""
        yield from (door.place for door in leagues.doors(self.league))
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

    def _frame(self) -> PageFrame:
        return PageFrame(
            heading=self.league.name,
            about=words.about(self.league),
            doors=leagues.doors(self.league),
            made=self._made_ms,
            board=words.board_style(self.league.game),
            viewer=self._viewer,
            policy=FILES_ONLY,
        )


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
    seen: Sequence[LeagueView], made_ms: int, fronts: Mapping[str, LeagueFront] = leagues.NO_FRONTS
) -> Iterator[SiteFile]:
    """The list of the leagues, and the common files of all pages."""
    frame = PageFrame(SAY["leagues"], "", (), made_ms, policy=FILES_ONLY)
    yield from _files(leagues.leagues(seen, fronts), frame)
    yield SiteFile(look_file(STYLE), variables().encode() + look(STYLE))
    yield from (SiteFile(look_file(name), look(name)) for name in OTHERS)
    for game in sorted({league.game for league in seen}):
        yield SiteFile(look_file(words.board_style(game)), style_of(game).encode())


def _files(page: Page, frame: PageFrame) -> Iterator[SiteFile]:
    """A page, and its content as JSON if it has any."""
    yield SiteFile(file_of(page.place), rendered(page, frame, RelativeLinks(page.place)).encode())
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
