"""All files of a site, one after another: the pages of leagues, what they show as JSON, style sheets and scripts."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import chain, islice
from typing import NamedTuple, TypeVar

import msgspec

from referee.drawing.svg import Element
from referee.drawing.tokens import variables
from tournaments.disclosure.league import LeagueSeen
from tournaments.disclosure.tables import BracketSeen, RoundsSeen
from tournaments.pages import bots, leagues, matches, rounds, tables, words
from tournaments.pages.boards import Played, played, style_of
from tournaments.pages.places import Kind, Place, Relative, data_file_of, file_of, look_file
from tournaments.pages.rendering import FILES_ONLY, Frame, Page, look, rendered
from tournaments.showing import NotYet, Showing
from tournaments.showing import Page as Part
from tournaments.store import Search

Item = TypeVar("Item")

STYLE = "pages.css"
OTHERS = ("pages.js", "history.js", "uplot.js", "uplot.css", "uplot.LICENSE")
"""What pages look like, and the rest that they need."""

_IN_A_LIST = 100
"""So many matches are on a page of a list."""

_PICTURES = 6
"""So many matches on a page of a list are shown as pictures: the first ones."""

_OF_A_BOT = 20
"""So many matches are on the page of a bot."""


class File(NamedTuple):
    """A file of a site: its path, with / between the parts, and its content."""

    path: str
    content: bytes


class Site:
    """The files of a league, for one viewer."""

    def __init__(self, showing: Showing, made_ms: int, viewer: str | None, replays: int) -> None:
        """Prepare to write.

        Args:
            showing: the league, for the one for whom the site is made.
            made_ms: when it is made, in milliseconds since 1970 (UTC).
            viewer: for whom, in words; None for a visitor.
            replays: how many matches at most get a page of their own, with a replay.
        """
        self.league = showing.league()
        self._showing = showing
        self._made_ms = made_ms
        self._viewer = viewer
        self._replays = replays

    def files(self) -> Iterator[File]:
        """All files, each once."""
        watched = dict(islice(self._watched(), self._replays))
        frame = self._frame()
        for page in chain(self._of_the_league(), self._of_tables(), self._of_matches(watched), self._of_bots(watched)):
            yield from _files(page, frame)
        for match, each in watched.items():
            yield File(file_of(self._place("replay", match)), each.replay().encode())

    def _frame(self) -> Frame:
        return Frame(
            heading=self.league.name,
            about=words.about(self.league),
            doors=leagues.doors(self.league),
            made=self._made_ms,
            board=words.board_style(self.league.game),
            viewer=self._viewer,
            policy=FILES_ONLY,
        )

    def _place(self, kind: Kind, key: str = "", after: str = "") -> Place:
        return Place(kind, self.league.name, key, after)

    def _watched(self) -> Iterator[tuple[str, Played]]:
        """The matches on closed deals, the latest deal first, as far as they can be drawn."""
        for each in _every(lambda after: self._showing.matches(None, after, _IN_A_LIST)):
            found = played(self._showing.transcript(each.match)) if each.closed else None
            if found is not None:
                yield each.match, found

    def _of_the_league(self) -> Iterator[Page]:
        yield leagues.league(self.league, self._place("league"))
        for after, entries in _parts(self._showing.entries):
            submissions = () if after else tuple(_every(self._showing.submissions))
            seen = bots.EntriesSeen(entries.items, entries.next, submissions)
            yield bots.entries(self.league, seen, self._place("entries", after=after))
            for each in submissions:
                submission = self._showing.submission(each.number)
                yield bots.submission(self.league, submission, self._place("entry", str(each.number)))

    def _of_tables(self) -> Iterator[Page]:
        try:
            yield from self._of_computed_tables()
        except NotYet:
            kinds = (door.place for door in leagues.doors(self.league))
            yield from (leagues.waiting(self.league, place) for place in kinds if place.kind in leagues.COMPUTED)

    def _of_computed_tables(self) -> Iterator[Page]:
        kinds = {door.place.kind for door in leagues.doors(self.league)}
        names = ("", *(table.name for table in self.league.tables)) if len(self.league.tables) > 1 else ("",)
        for name in names:
            yield from self._standings(name)
        sides = self._showing.sides()
        yield tables.fared(self.league, sides, self._place("fared"))
        yield tables.history(self.league, self._showing.ratings(), self._place("history"))
        if "crosstable" in kinds:
            yield from self._crosstable()
        if "crossplay" in kinds:
            for part in tables.crossplay_parts(sides, self._place("crossplay")):
                yield tables.crossplay(self.league, sides, part.place)
        if "rounds" in kinds:
            yield from self._rounds()

    def _standings(self, table: str) -> Iterator[Page]:
        after: int | None = 0
        while after is not None:
            seen = self._showing.standings(table or None, after, tables.LINES)
            yield tables.standings(self.league, seen, self._place("standings", table, str(after or "")))
            after = seen.next

    def _crosstable(self) -> Iterator[Page]:
        whole = self._showing.crosstable()
        for part in tables.blocks(self._place("crosstable"), whole.bots):
            seen = self._showing.crosstable(*tables.corner(part.place.after))
            yield tables.crosstable(self.league, seen, part.place)

    def _rounds(self) -> Iterator[Page]:
        after: int | None = 0
        while after is not None:
            seen: RoundsSeen | None = self._showing.rounds(after, rounds.LINES)
            if seen is None:
                return
            yield rounds.rounds(self.league, seen, self._place("rounds", after=str(after or "")))
            after = None if isinstance(seen, BracketSeen) else seen.next

    def _of_matches(self, watched: Mapping[str, Played]) -> Iterator[Page]:
        boards = {match: each.end() for match, each in watched.items()}
        yield from self._lists(None, boards, watched.keys())
        for match, board in boards.items():
            watch = [(words.SAY["replay"], self._place("replay", match))]
            yield matches.match(self.league, self._showing.match(match), self._place("match", match), board, watch)

    def _lists(self, bot: str | None, boards: Mapping[str, Element], linked: Set[str]) -> Iterator[Page]:
        search = None if bot is None else Search(bot=bot)
        for after, part in _parts(lambda after: self._showing.matches(search, after, _IN_A_LIST)):
            found = matches.MatchesSeen(part.items, part.next)
            shown = {each.match: boards[each.match] for each in part.items[:_PICTURES] if each.match in boards}
            yield matches.matches(self.league, found, self._place("matches", bot or "", after), shown, linked)

    def _of_bots(self, watched: Mapping[str, Played]) -> Iterator[Page]:
        for entry in _every(self._showing.entries):
            latest = self._showing.matches(Search(bot=entry.bot), None, _OF_A_BOT).items
            seen = self._showing.bot(entry.bot)
            yield bots.bot(self.league, seen, latest, self._place("bot", entry.bot), watched.keys())
            yield from self._lists(entry.bot, matches.NO_BOARDS, watched.keys())


def common_files(seen: Sequence[LeagueSeen], made_ms: int) -> Iterator[File]:
    """The list of the leagues, and what all pages need."""
    frame = Frame(words.SAY["leagues"], "", (), made_ms, policy=FILES_ONLY)
    yield from _files(leagues.leagues(seen), frame)
    yield File(look_file(STYLE), variables().encode() + look(STYLE))
    yield from (File(look_file(name), look(name)) for name in OTHERS)
    for game in sorted({league.game for league in seen}):
        yield File(look_file(words.board_style(game)), style_of(game).encode())


def _files(page: Page, frame: Frame) -> Iterator[File]:
    """A page, and what it shows as JSON."""
    yield File(file_of(page.place), rendered(page, frame, Relative(page.place)).encode())
    yield File(data_file_of(page.place), msgspec.json.format(msgspec.json.encode(page.value), indent=1))


def _parts(ask: Callable[[str | None], Part[Item]]) -> Iterator[tuple[str, Part[Item]]]:
    """All parts of a list, each with the position at which the one before ended."""
    after: str | None = ""
    while after is not None:
        part = ask(after or None)
        yield after, part
        after = part.next


def _every(ask: Callable[[str | None], Part[Item]]) -> Iterator[Item]:
    """All items of a list."""
    for _, part in _parts(ask):
        yield from part.items
