"""The visible data of a league that was never played, as `LeagueQueries` returns it."""

# ruff: noqa: ARG002 - the arguments are those of `LeagueQueries`

from typing import TypeVar, cast

from msgspec.structs import replace

from referee.match.transcript import Transcript
from tests.tournaments.web.pages import values
from tournaments.play.bot_logs import LogRecord
from tournaments.results.bot_losses import Highlights
from tournaments.results.league_events import LeagueEvent
from tournaments.store import MatchSearch
from tournaments.web.queries import LeagueQueries, ListPage, NotThere, NotYet, StandingsQuery
from tournaments.web.queries.league_queries import EVERY_LINE
from tournaments.web.visibility.bot_view import BotView, EntryView, LossesView
from tournaments.web.visibility.entry_view import SubmissionView
from tournaments.web.visibility.league_view import LeagueView, OperationView
from tournaments.web.visibility.match_view import MatchView
from tournaments.web.visibility.table_views import CrosstableView, RatingsView, RoundsSeen, SidesView, StandingsView

Item = TypeVar("Item")

ICON = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#0072b2"/></svg>'


class Pretended:
    """A league of so many bots, with so many matches of which the first few are closed and have this transcript."""

    def __init__(
        self, league: LeagueView, matches: int = 0, transcript: Transcript | None = None, *, computed: bool = True
    ) -> None:
        self._league = league
        self._transcript = transcript
        self._computed = computed
        self._names = values.names(league.bots)
        self._found = [self.match(values.FIXTURE.format(deal)) for deal in range(matches)]

    def league(self) -> LeagueView:
        return self._league

    def icon(self) -> bytes:
        return ICON if self._league.about.icon else b""

    def standings(self, asked: StandingsQuery = EVERY_LINE, after: int = 0, most: int = 100) -> StandingsView:
        self._hold_computed()
        table = asked.table
        lines = tuple(values.standing(name, at) for at, name in enumerate(self._names, 1))
        following = after + most if after + most < len(lines) else None
        return values.standings(len(lines), following, table=table, lines=lines[after : after + most])

    def crosstable(self, row: int = 0, column: int = 0) -> CrosstableView:
        self._hold_computed()
        return values.crosstable(len(self._names), row, column)

    def sides(self) -> SidesView:
        self._hold_computed()
        return values.sides()

    def ratings(self, *bots: str) -> RatingsView:
        self._hold_computed()
        return values.ratings()

    def rounds(self, after: int = 0, most: int = 100) -> RoundsSeen | None:
        self._hold_computed()
        if self._league.format["kind"] == "knockout":
            return values.bracket()
        lines = values.swiss(len(self._names)).lines * 10
        following = after + most if after + most < len(self._names) else None
        return replace(
            values.swiss(), bots=len(self._names), lines=lines[: min(most, len(self._names) - after)], next=following
        )

    def search(self, bot: str | None = None) -> MatchSearch:
        return MatchSearch(bot and (bot,))

    def matches(
        self, search: MatchSearch | None = None, after: str | None = None, most: int = 50
    ) -> ListPage[MatchView]:
        return _page(self._found, int(after or 0), most)

    def match(self, match: str) -> MatchView:
        if "/deal-" not in match:
            raise NotThere(match)
        deal = int(match.partition("deal-")[2].partition("/")[0])
        return values.match(deal, closed=values.match().closed if self._transcript and deal < 5 else None)

    def same_deal(self, match: str) -> tuple[MatchView, ...]:
        return tuple(each for each in self._found[:3] if each.match != match)

    def transcript(self, match: str) -> Transcript:
        if self._transcript is None:
            raise NotThere("its deal is open")
        return self._transcript

    def output(self, match: str) -> tuple[LogRecord, ...]:
        raise NotThere("none of the bots is the visitor's")

    def bot(self, name: str) -> BotView:
        known = values.bot(name)
        assert known.results is not None
        best, worst = (
            tuple(replace(each, bot=bot) for each in found)
            for found, bot in ((known.results.best, self._names[-1]), (known.results.worst, self._names[0]))
        )
        return replace(known, versions=(name,), results=replace(known.results, best=best, worst=worst))

    def losses(self, name: str) -> LossesView:
        self._hold_computed()
        found = values.losses(name, min(2, len(self._names) - 1))
        return replace(found, losses=replace(found.losses, versions=()))

    def highlights(self) -> Highlights:
        return values.HIGHLIGHTS if self._transcript and self._found else Highlights()

    def events(self) -> tuple[LeagueEvent, ...]:
        return values.EVENTS if self._computed else ()

    def operation(self) -> OperationView | None:
        return None

    def entries(self, after: str | None = None, most: int = 100, sort: str = "", find: str = "") -> ListPage[EntryView]:
        entries = [replace(values.ENTRY, bot=name) for name in self._names]
        return _page([it for it in entries if find.casefold() in f"{it.bot} {it.author}"], int(after or 0), most)

    def submissions(self, after: str | None = None, most: int = 100) -> ListPage[SubmissionView]:
        return ListPage((values.SUBMISSION,), None)

    def submission(self, number: int) -> SubmissionView:
        return values.SUBMISSION

    def _hold_computed(self) -> None:
        if not self._computed:
            raise NotYet("there are no tables")


def pretended(
    league: LeagueView, matches: int = 0, transcript: Transcript | None = None, *, computed: bool = True
) -> LeagueQueries:
    return cast("LeagueQueries", Pretended(league, matches, transcript, computed=computed))


def _page(items: list[Item], first: int, most: int) -> ListPage[Item]:
    following = str(first + most) if first + most < len(items) else None
    return ListPage(tuple(items[first : first + most]), following)
