"""A league as one viewer may see it."""

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType

import msgspec

from tournaments.league.format_settings import KnockoutSettings
from tournaments.league.status import Fleet
from tournaments.league.submissions import Submission, refused_now
from tournaments.league.timetable import RunnerState
from tournaments.results.bot_losses import BotLosses, Highlights, bare_name
from tournaments.results.league_tables import BotPart, Ratings, Rounds, Sides, StandingsPart, Summary
from tournaments.results.live_seats import league_seats
from tournaments.web.queries import build_views
from tournaments.web.queries.build_views import StandingsQuery
from tournaments.web.queries.list_page import ListPage, NotThere, has_text, in_order, page_of, within
from tournaments.web.queries.match_queries import MatchQueries
from tournaments.web.queries.request_state import (
    HIGHLIGHTS,
    LINES,
    RATINGS,
    ROUNDS,
    SIDES,
    losses_of,
    of_table,
)
from tournaments.web.visibility.bot_view import BotView, LossesView, Membership, ResultsView, fault_causes
from tournaments.web.visibility.entry_view import EntryView, SubmissionView, submission_seen
from tournaments.web.visibility.league_view import FaultsView, LeagueView, OperationView, Phase, TableView
from tournaments.web.visibility.permissions import reads_submissions, sees_all
from tournaments.web.visibility.table_views import CrosstableView, RatingsView, RoundsSeen, SidesView, StandingsView

EVERY_LINE = StandingsQuery()
"""All lines of the standings, best first."""

ENTRY_COLUMNS: Mapping[str, Callable[[EntryView], str]] = MappingProxyType(
    {
        "bot": lambda entry: entry.bot.casefold(),
        "author": lambda entry: entry.author.casefold(),
        "state": lambda entry: entry.membership,
    }
)
"""The columns by which entries are sorted."""

CELLS = 50
"""The number of rows and columns on a page of the crosstable."""

_FIRST = 10
"""How many bots have their ratings shown if none is named."""

_VOIDS = 10
_RATE_MS = 600_000


class LeagueQueries(MatchQueries):
    """A league for one viewer, at one moment. Every method may raise `StoreError`."""

    # The league and its tables

    def league(self) -> LeagueView:
        """The league: its settings, its progress, its seed as far as it is public, and the organizer's nodes."""
        state = self._state
        file, pinned, found, permissions = state.file, state.pinned, state.summary, state.permissions
        stored = state.stored
        terms, extensions = file.submissions, state.store.calendar.extensions()
        return LeagueView(
            name=file.name,
            game=pinned.game,
            rules_version=pinned.rules_version,
            format=msgspec.to_builtins(file.format),
            deals=file.deals,
            tables=tuple(msgspec.convert(table, TableView, from_attributes=True) for table in file.tables),
            clock=pinned.clock,
            sandbox=file.sandbox,
            rehearsal=pinned.rehearsal,
            bots=len(state.playing),
            phase=self._phase(stored),
            stored=stored,
            progress=None if found is None else build_views.progress(found, file.format),
            suspended=() if found is None else found.suspended,
            seed_sha256=pinned.commitment,
            seed=pinned.seed if permissions.deals.are_all_closed else None,
            own_luck=state.has_own_luck,
            deals_closed=None if state.closing.is_whole else state.closing.below,
            closed_ms=state.closing.closed_ms,
            takes_bots=self._takes_bots(),
            opens_ms=None if terms is None else terms.opens_ms,
            closes_ms=None if terms is None else terms.extended(extensions).closes_ms,
            closes_by_file_ms=None if terms is None else terms.closes_ms,
            starts_ms=file.due_ms(extensions),
            ends_ms=file.ends_ms,
            runner=self._runner(),
            fleet=self._fleet(),
            seats=league_seats(file, state.store.url),
            memory=state.memory,
            pairs=state.pairs,
        )

    def _phase(self, stored: int) -> Phase:
        state, found = self._state, self._state.summary
        if state.closing.is_whole:
            return "closed"
        if state.is_played:
            return "under way"
        if not stored:
            return "waiting"
        if found is None or found.progress.stored < stored:
            return "counting"
        if found.is_over:
            return "over"
        return "paused" if found.progress.matches.remaining else "between waves"

    def _runner(self) -> RunnerState | None:
        now = self._state.runner_state
        if now is None or sees_all(self._state.viewer):
            return now
        match now.kind:
            case "waits for its time" | "waits for bots" | "paused":
                return now
        return RunnerState(now.kind)

    def _takes_bots(self) -> bool:
        """Whether a service takes bots in now: it refuses the same leagues, whoever submits."""
        state, file = self._state, self._state.file
        terms = file.submissions and file.submissions.extended(state.store.calendar.extensions())
        if terms and state.minute_ms is not None and any(refused_now(terms, state.minute_ms)):
            return False
        if state.closing.is_whole or file.sandbox == "none" or (file.submissions is None and file.service is None):
            return False
        return not (isinstance(file.format, KnockoutSettings) and state.store.issue_times())

    def _fleet(self) -> Fleet | None:
        return self._state.store.fleet() if sees_all(self._state.viewer) and self._state.is_played else None

    def operation(self) -> OperationView | None:
        """How the league is played, for the organizer; None for other viewers."""
        store = self._state.store
        if not sees_all(self._state.viewer):
            return None
        with store.counting() as counting:
            stored, faults = counting.last_stored(_RATE_MS), counting.faults_by_entry()
        voids = store.voids()
        return OperationView(
            a_minute=stored * 60_000 / _RATE_MS,
            faults=tuple(FaultsView(*each) for each in faults),
            voids=len(voids),
            latest=voids[: -_VOIDS - 1 : -1],
            file_problems=self._state.file_problems,
        )

    def standings(self, query: StandingsQuery = EVERY_LINE, after: int = 0, most: int = 100) -> StandingsView:
        """A page of the table.

        Args:
            query: which lines, and in which order.
            after: the position at which the previous page ended.
            most: how many lines at most.

        Raises:
            NotYet: there are no tables.
            NotThere: there is no table of that name, or only one.
            BadQuery: there is no such column to sort by.
        """
        found, table = self._state.tables, query.table
        if table is not None and table not in found.tables:
            names = ", ".join(found.tables) or "none"
            raise NotThere(f"there is no table {table} with standings of its own; tables: {names}")
        lines = self._state.part(LINES if table is None else of_table(table), StandingsPart)
        return build_views.standings(found, lines, self._state.permissions, query, max(after, 0), within(most))

    def crosstable(self, row: int = 0, column: int = 0) -> CrosstableView:
        """A page of the crosstable, `CELLS` rows and columns from these positions on.

        Raises:
            NotYet: there are no tables.
        """
        found, row, column = self._state.tables, max(row, 0), max(column, 0)
        rows = self._state.rows(found.order[row : row + CELLS], column, column + CELLS)
        return build_views.crosstable(found, rows, self._state.permissions, row, column, CELLS)

    def sides(self) -> SidesView:
        """The results of seats and sides, and of bots by pairs.

        Raises:
            NotYet: there are no tables.
        """
        return build_views.sides(self._state.tables, self._state.part(SIDES, Sides), self._state.permissions)

    def ratings(self, *bots: str) -> RatingsView:
        """The ratings of these bots over the matches; of the first ten if none is named.

        Raises:
            NotYet: there are no tables.
            NotThere: one of the bots is not in them.
        """
        found, part = self._state.tables, self._state.part(RATINGS, Ratings)
        named = bots or found.order[:_FIRST]
        unknown = [name for name in named if name not in part.bots]
        if unknown:
            raise NotThere(f"there is no bot {unknown[0]} in the tables of {self._state.file.name}")
        return build_views.ratings(found, part, self._state.permissions, named)

    def rounds(self, after: int = 0, most: int = 100) -> RoundsSeen | None:
        """The bracket, or a page of the table of a Swiss; None in other formats.

        Args:
            after: in a Swiss, the position at which the previous page ended.
            most: in a Swiss, how many lines at most.

        Raises:
            NotYet: there are no tables.
        """
        found, part = self._state.tables, self._state.part(ROUNDS, Rounds)
        return build_views.rounds(found, part, self._state.permissions, max(after, 0), within(most))

    # Bots

    def bot(self, name: str) -> BotView:
        """One bot, by the name of its entry.

        Raises:
            NotThere: it never was in the league.
        """
        state = self._state
        if name not in state.everybody:
            raise NotThere(f"there is no bot {name} in {state.file.name}")
        remote = name in state.pinned.remote
        content = state.pinned.contents.get(name)
        return BotView(
            bot=name,
            author=state.permissions.author(name),
            membership=self._membership(name),
            remote=remote,
            versions=tuple(each for each in state.everybody if bare_name(each) == bare_name(name)),
            source=content.sources if content is not None and not remote and state.permissions.owns(name) else None,
            results=None if state.summary is None else self._results(name, state.summary),
        )

    def _results(self, name: str, summary: Summary) -> ResultsView | None:
        part = self._state.bots((name,), BotPart).get(name)
        if part is None:
            return None
        line = build_views.line_of(name, self._state.part(LINES, StandingsPart), self._state.permissions)
        return None if line is None else build_views.results(part, line, summary, self._state.permissions)

    def losses(self, name: str) -> LossesView:
        """The losses of a bot, by the name of its entry.

        Raises:
            NotYet: there are no tables.
            NotThere: the bot is in no table.
        """
        state, of = self._state, build_views.moment(self._state.tables, self._state.permissions)
        losses = state.known_part(losses_of(name), BotLosses)
        if losses is None:
            raise NotThere(f"there is no bot {name} in the tables of {state.file.name}")
        remarks = self._remarks_on(losses.faults) if state.permissions.owns(name) else {}
        return LossesView(of, name, losses, fault_causes(losses.faults, remarks))

    def faults(self) -> Counter[str]:
        """By kind, how many matches a fault cut short, of those in the tables."""
        found = self._state.summary
        parts = {} if found is None else self._state.bots(found.order, BotPart)
        return sum((Counter(part.faults) for part in parts.values()), Counter[str]())

    def highlights(self) -> Highlights:
        """The matches of the last day that are worth a look. All of them are on closed deals."""
        return self._state.known_part(HIGHLIGHTS, Highlights) or Highlights()

    def entries(self, after: str | None = None, most: int = 100, sort: str = "", find: str = "") -> ListPage[EntryView]:
        """The bots that are or were in the league, by name.

        Args:
            after: the position at which the previous page ended.
            most: how many at most.
            sort: another order, as `in_order` takes it.
            find: a part of the name of a bot or an author; empty: all bots.

        Raises:
            NotThere: `after` is no position.
            BadQuery: there is no such column to sort by.
        """
        state, most, remote = self._state, within(most), self._state.pinned.remote
        every = [
            EntryView(name, author, self._membership(name), name in remote)
            for name in sorted(state.everybody)
            if has_text(find, name, author := state.permissions.author(name))
        ]
        found = in_order(every, sort, ENTRY_COLUMNS)
        if after is not None:
            names = [entry.bot for entry in found]
            if after not in names:
                raise NotThere(f"{after[:64]!r} is no position in this list; begin at its first page")
            found = found[names.index(after) + 1 :]
        return page_of(found[: most + 1], most, lambda entry: entry.bot)

    def _membership(self, name: str) -> Membership:
        state = self._state
        if name not in state.playing:
            return "withdrawn"
        return "suspended" if state.summary is not None and name in state.summary.suspended else "plays"

    # Submissions

    def submissions(self, after: str | None = None, most: int = 100) -> ListPage[SubmissionView]:
        """The viewer's submissions, the latest first; for staff, all submissions. Without logs.

        Args:
            after: the position at which the previous page ended.
            most: how many at most.

        Raises:
            NotThere: `after` is no position.
        """
        own, most = self._own()[::-1], within(most)
        if after is not None:
            numbers = [each.number for each in own]
            if _number(after) not in numbers:
                raise NotThere(f"there is no submission {after}")
            own = own[numbers.index(_number(after)) + 1 :]
        return page_of(list(map(submission_seen, own[: most + 1])), most, lambda each: str(each.number))

    def submission(self, number: int) -> SubmissionView:
        """One submission with its log.

        Raises:
            NotThere: there is none of this number, or it is somebody else's.
        """
        for each in self._own():
            if each.number == number:
                return submission_seen(each, self._state.store.submissions.log(number))
        raise NotThere(f"there is no submission {number}")

    def _own(self) -> list[Submission]:
        registry = self._state.store.submissions.registry(self._state.file)
        return [each for each in registry.submissions if reads_submissions(self._state.viewer, each.author)]


def _number(after: str) -> int:
    if not after.isdecimal() or len(after) > 18:
        raise NotThere(f"{after!r} is no position in this list; begin at its first page")
    return int(after)
