"""Finds the page at a place for one viewer, and fills it with the data that the viewer may see."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias
from urllib.parse import parse_qsl

from referee.drawing.svg import Element
from tournaments.play.bot_logs import LogRecord
from tournaments.store import MatchSearch
from tournaments.web.pages import bots, highlights, leagues, matches, result_tables, rounds, words
from tournaments.web.pages.lists import TableSearch
from tournaments.web.pages.match_pictures import PlayedMatch, ending_texts, first_differing, played
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.urls import Kind, PageAddress
from tournaments.web.queries import BadQuery, LeagueQueries, NotThere, NotYet, StandingsQuery
from tournaments.web.visibility.league_view import LeagueView
from tournaments.web.visibility.match_view import MatchView, ScrimmageMatch
from tournaments.web.visibility.table_views import StandingsView, TableStamp

Search: TypeAlias = matches.SearchForm | TableSearch
"""What a reader searches: matches, or lines of a table."""

IN_A_LIST = 100
"""The number of matches on a page of a list."""

OF_A_BOT = 20
"""The number of matches on the page of a bot."""

LATEST = 6
"""The number of matches, and of events, beside the standings."""

ON_A_PROJECTOR = 7
"""The number of bots on the page for a projector."""

NO_STANDINGS = StandingsView(TableStamp(0, 0, interim=True, digest=None), None, 0, 0, (), None)
"""The table of a league before anything is played."""

LEADERS = 3
"""The number of bots that the list of leagues names of each."""

PICTURES = 6
"""The number of matches of a list that have a picture: the first ones."""


class Pages:
    """The pages of a league for one viewer.

    Attributes:
        league: the league.
    """

    def __init__(
        self,
        showing: LeagueQueries,
        left_s: Callable[[int], float | None] = lambda _remaining: None,
        replays: Mapping[str, PlayedMatch] | None = None,
        search: Search | None = None,
        decision_cache: bots.DecisionCache | None = None,
        board_cache: bots.BoardCache | None = None,
        unrated: Callable[[str], Sequence[ScrimmageMatch]] | None = None,
    ) -> None:
        """Show a league.

        Args:
            showing: the data that the viewer may see.
            left_s: estimates the seconds that so many matches take, if this is known.
            replays: by id, the replayed matches that have a page; the others are only in lists. None: all have a page,
                and a match is replayed when somebody opens its page.
            search: the search for matches, or of a table; None if nobody can search.
            decision_cache: keeps the decisions of matches for other pages; None: for those of this object alone.
            board_cache: the same for pictures.
            unrated: by the id of a match, the viewer's scrimmages on its deal; None if the viewer may ask for none.
        """
        self.league: LeagueView = showing.league()
        self._showing = showing
        left = self.league.progress.left if self.league.progress else None
        self._left_s = left_s(left) if left is not None and self.league.phase == "under way" else None
        self._replays = replays
        self._page_search = search
        self._unrated = unrated
        self._decision_cache = decision_cache or bots.DecisionCache()
        self._board_cache = board_cache or bots.BoardCache()

    def page(self, place: PageAddress) -> Page:
        """The page at a place of this league.

        Raises:
            NotThere: there is none, or not for this viewer.
            StoreError: the store fails.
        """
        try:
            return self._page(place)
        except NotYet:
            return leagues.waiting(self.league, place)

    def check_closed(self, match: str) -> None:
        """Check that the viewer may see all of a match. This is cheap.

        Raises:
            NotThere: it has no result, or its deal is open to this viewer.
        """
        if self._showing.match(match).closed is None:
            raise NotThere(f"{match[:200]} cannot be watched")

    def replay(self, match: str) -> str:
        """The page that shows a match step by step.

        Raises:
            NotThere: it has no result, its deal is open to this viewer, or no package draws its game.
        """
        found = self._played(self._showing.match(match))
        if found is None:
            raise NotThere(f"{match[:200]} cannot be watched")
        return found.replay()

    def _page(self, place: PageAddress) -> Page:
        ways: Mapping[Kind, Callable[[PageAddress], Page]] = {
            "standings": self._standings,
            "crosstable": self._crosstable,
            "crossplay": self._crossplay,
            "fared": lambda place: result_tables.seat_results(self.league, self._showing.sides(), place),
            "history": lambda place: result_tables.history(self.league, self._showing.ratings(), place),
            "rounds": self._rounds,
            "show": self._show,
            "matches": self._matches,
            "match": self._match,
            "difference": self._difference,
            "bot": self._bot,
            "losses": self._losses,
            "decisions": self._decisions,
            "entries": self._entries,
            "entry": self._submission,
            "league": lambda place: leagues.league(self.league, place, self._left_s, self._showing.operation()),
        }
        return ways[place.kind](place)

    def _standings(self, place: PageAddress, most: int = result_tables.LINES) -> Page:
        search = _of_table(self._page_search)
        query = StandingsQuery(place.key or None, *(search or TableSearch()))
        seen = self._showing.standings(query, _number(place), most)
        is_first = not (place.key or place.after or place.query)
        found = self._to_watch() if is_first else highlights.OpenToAll()
        return result_tables.standings(self.league, seen, place, self._left_s, search, found)

    def _show(self, place: PageAddress) -> Page:
        try:
            page = self._standings(place, ON_A_PROJECTOR)
        except NotYet:
            page = result_tables.standings(self.league, NO_STANDINGS, place, to_watch=self._to_watch())
        newest = self._newest
        return leagues.show(page, None if newest is None else self._drawn(newest, "film"))

    def feed(self) -> Page:
        """What happened in the league, and matches that are worth a look, for programs that read news (RFC 4287)."""
        closed = [(each, self._showing.match(each.id).closed) for each in self._worth()]
        timed = [(each, found.stored_ms) for each, found in closed if found]
        context = {"league": self.league, "events": self._showing.events(), "worth": timed}
        return Page(PageAddress("standings", self.league.name), "Feed", "feed", context, None)

    def _worth(self) -> list[highlights.Highlight]:
        return highlights.highlights(self.league, self._showing.highlights(), self._linked)

    def _to_watch(self) -> highlights.OpenToAll:
        """The matches beside the standings. The viewer may see all of each."""
        worth = [each._replace(board=self._drawn(self._showing.match(each.id))) for each in self._worth()]
        latest, texts = self._latest[:LATEST], ending_texts(self.league.game)
        lines = [(words.result(each), words.ending(each, texts), self._link(each)) for each in latest]
        newest, events = self._newest, self._showing.events()[:LATEST]
        board = None if newest is None else self._drawn(newest)
        main = None if newest is None or board is None else (newest, board, self._link(newest))
        return highlights.OpenToAll(worth, lines, main, events)

    def _link(self, view: MatchView) -> bots.MatchLink:
        return bots.link(self.league, view.match, self._linked)

    def _drawn(self, view: MatchView, how: Literal["halfway", "film"] = "halfway") -> Element | None:
        """A picture of a match on a closed deal, a method of `PlayedMatch`; None if no package draws it."""

        def drawn() -> Element | None:
            again = self._played(view)
            return None if again is None else (again.film if how == "film" else again.halfway)()

        return self._board_cache.get(f"{view.closed.digest} {how}", drawn) if view.closed else None

    @cached_property
    def _latest(self) -> Sequence[MatchView]:
        """Of the latest deals, the matches that the viewer may see all of, the one that was stored last first."""
        found = self._showing.matches(None, None, IN_A_LIST).items
        closed = [(match.closed.stored_ms, match) for match in found if match.closed]
        return [match for _, match in sorted(closed, key=lambda each: -each[0])]

    @property
    def _newest(self) -> MatchView | None:
        """The match that was stored last, of those that have a page."""
        return next((each for each in self._latest if self._linked is None or each.match in self._linked), None)

    def front(self) -> highlights.OpenToAll:
        """What the list of leagues says of this league."""
        try:
            lines = self._showing.standings(most=LEADERS).lines
        except NotYet:
            lines = ()
        return highlights.OpenToAll(self._worth(), leaders=[line for line in lines if line.matches])

    def _crosstable(self, place: PageAddress) -> Page:
        seen = self._showing.crosstable(*_first_cell(place))
        return result_tables.crosstable(seen, place, has_search=self._page_search is not None)

    def _crossplay(self, place: PageAddress) -> Page:
        _first_cell(place)  # an invalid position is refused here
        return result_tables.crossplay(self._showing.sides(), place)

    def _submission(self, place: PageAddress) -> Page:
        return bots.submission(self._showing.submission(_whole(place.key)), place)

    def _rounds(self, place: PageAddress) -> Page:
        seen = self._showing.rounds(_number(place), rounds.LINES)
        if seen is None:
            raise NotThere(f"{self.league.name} has no rounds")
        return rounds.rounds(seen, place)

    def _matches(self, place: PageAddress) -> Page:
        form = self._page_search if isinstance(self._page_search, matches.SearchForm) else None
        try:
            search = self._search(form.values if form else {"bot": place.key})
            part = self._showing.matches(search, place.after or None, IN_A_LIST)
        except BadQuery as error:
            nothing = matches.MatchesView((), None)
            return matches.matches(self.league, nothing, place, form=form, wrong=str(error))
        found = matches.MatchesView(part.items, part.next)
        boards = dict(self._boards(part.items[:PICTURES]))
        return matches.matches(self.league, found, place, boards, self._linked, form)

    def _search(self, fields: Mapping[str, str]) -> MatchSearch:
        """The search of a form.

        Raises:
            BadQuery: see `LeagueQueries.search`.
        """
        given: dict[str, Any] = {name: value for name, value in fields.items() if value}
        if "seat" in given:
            given["seat"] = _whole(given["seat"])
        return self._showing.search(**given)

    def _boards(self, views: tuple[MatchView, ...]) -> Iterator[tuple[str, Element]]:
        for each in views:
            again = self._played(each)
            if again is not None:
                yield each.match, again.end()

    def _match(self, place: PageAddress) -> Page:
        seen = self._showing.match(place.key)
        again = self._played(seen)
        replay = None if again is None else self._replay(again, place)
        return matches.match(
            self.league,
            seen,
            place,
            replay,
            self._beside(place.key),
            self._wrote(place.key),
            self._same_deal(place) if seen.closed else matches.NO_DEAL,
        )

    def _same_deal(self, place: PageAddress) -> matches.SameDeal:
        if self._unrated is None:
            return matches.SameDeal([*self._rated(place)])
        unrated = (matches.deal_line(each, None, place) for each in self._unrated(place.key))
        return matches.SameDeal([*self._rated(place), *unrated], words.spar(place.key))

    def _rated(self, place: PageAddress) -> Iterator[matches.DealLine]:
        """The other matches on the deal of a match. Only a server compares two of them."""
        for each in self._showing.same_deal(place.key):
            has_page = self._replays is None or each.match in self._replays
            line = matches.deal_line(each, place._replace(key=each.match) if has_page else None, place)
            yield line if self._replays is None else line._replace(difference=None)

    def _difference(self, place: PageAddress) -> Page:
        """Two matches on one deal. The viewer may see all of both, or there is no such page."""
        both = place.key, dict(parse_qsl(place.query)).get("other", "")
        one, other = map(self._showing.transcript, both)
        header, compared = one.record.header, other.record.header
        if (header.deal_seed, header.options) != (compared.deal_seed, compared.options):
            raise NotThere("these two matches have different deals")
        again = played(one), played(other)
        if again[0] is None or again[1] is None:
            raise NotThere(f"{place.key[:200]} cannot be watched")
        seen = self._showing.match(both[0]), self._showing.match(both[1])
        return matches.difference(self.league, seen, place, first_differing(again[0], again[1]))

    def _replay(self, again: PlayedMatch, place: PageAddress) -> matches.MatchReplay:
        """The replay of a match. A file contains it; a server draws it only for those who watch it."""
        if self._replays is None:
            page = place._replace(kind="replay")
            return matches.MatchReplay(again.begin(), again.result(), page=page)
        return matches.MatchReplay(again.begin(), again.result(), again.recording())

    def _beside(self, match: str) -> tuple[str | None, str | None]:
        """The matches before and after this one, among those that the viewer sees and that have a page."""
        if self._replays is None:
            return self._showing.beside(match)
        ids = list(self._replays)
        at = ids.index(match)
        return (ids[at - 1] if at else None, ids[at + 1] if at + 1 < len(ids) else None)

    def _wrote(self, match: str) -> Sequence[LogRecord]:
        """The output of the viewer's own bots, if the viewer may see it."""
        try:
            return self._showing.output(match)
        except NotThere:
            return ()

    def _bot(self, place: PageAddress) -> Page:
        seen = self._showing.bot(place.key)
        latest = self._showing.matches(MatchSearch(bots=(place.key,)), None, OF_A_BOT).items
        return bots.bot(self.league, seen, latest, place, self._linked)

    def _losses(self, place: PageAddress) -> Page:
        seen = self._showing.losses(place.key)
        versions = seen.losses.versions
        other = self._showing.losses(versions[0].bot) if versions else None
        return bots.losses(self.league, seen, place, self._linked, other, has_search=self._page_search is not None)

    def _decisions(self, place: PageAddress) -> Page:
        latest = self._showing.losses(place.key).losses.latest
        found = [
            bots.DecidedMatch(
                bots.link(self.league, match, self._linked),
                self._decision_cache.get(digest, partial(self._decided, match)),
            )
            for match, digest in latest.items()
        ]
        return bots.decisions(place.key, found, place)

    def _decided(self, match: str) -> tuple[bots.ReplayedDecision, ...]:
        """The decisions of a match on a closed deal; none if it cannot be replayed, or a damaged store has lost it."""
        try:
            again = played(self._showing.transcript(match))
        except NotThere:
            return ()
        return () if again is None else bots.decisions_of(again.watched)

    def _entries(self, place: PageAddress) -> Page:
        search = _of_table(self._page_search)
        part = self._showing.entries(place.after or None, IN_A_LIST, *(search or TableSearch()))
        submissions = () if place.after or place.query else self._showing.submissions(None).items
        return bots.entries(self.league, bots.EntriesView(part.items, part.next, submissions), place, search)

    @property
    def _linked(self) -> Set[str] | None:
        return None if self._replays is None else self._replays.keys()

    def _played(self, view: MatchView) -> PlayedMatch | None:
        """A match on a closed deal, replayed."""
        if self._replays is not None:
            return self._replays.get(view.match)
        return played(self._showing.transcript(view.match)) if view.closed else None


def _of_table(search: Search | None) -> TableSearch | None:
    """What a reader asked of a table; None: nobody can search."""
    return TableSearch() if isinstance(search, matches.SearchForm) else search


def _number(place: PageAddress) -> int:
    return _whole(place.after or "0")


def _first_cell(place: PageAddress) -> tuple[int, int]:
    """The first row and column that a place names.

    Raises:
        NotThere: it names none.
    """
    for number in place.after.split("-", 1):
        _whole(number or "0")
    return result_tables.first_cell(place.after)


def _whole(text: str) -> int:
    """A number in an address.

    Raises:
        NotThere: it is not a number.
    """
    if len(text) > 9 or not (text.isascii() and text.isdecimal()):
        raise NotThere(f"{text[:64]!r} is no number")
    return int(text)
