"""The state of a league during a request. Each part is read when it is first needed, and only once.

How many matches are stored is shown in steps of time. A client that asks again and again would otherwise learn when
each match ended, and how long it took.
"""

from collections.abc import Callable, Set
from functools import cached_property
from typing import TypeVar

from msgspec.structs import replace

from tournaments.comparison.memory_evidence import MemoryReport
from tournaments.comparison.pair_flags import PairFlag
from tournaments.league.deals import ClosedDeals, LeagueDeals
from tournaments.league.model import Entry, League
from tournaments.league.roster import everybody, roster
from tournaments.league.timetable import RunnerState
from tournaments.results.computed_tables import decoded
from tournaments.results.league_location import never_run
from tournaments.results.league_tables import CrosstableCell, RowOfBot, Summary
from tournaments.store import HiddenResults, Store, lock_path
from tournaments.store.pinned_league import Pinned, keep_pins
from tournaments.store.run_lock import runner
from tournaments.web.queries.list_page import NotYet
from tournaments.web.visibility.permissions import Permissions, Viewer, sees_all

_STEP_MS = 60_000


def everything() -> None:
    """All matches are shown at once."""


def last_minute(now_ms: int) -> int:
    """The last full minute, in milliseconds since 1970 (UTC)."""
    return now_ms - now_ms % _STEP_MS


class StoredMatches:
    """The stored matches of one league. Threads may share it."""

    def __init__(self, store: Store, shown_before_ms: Callable[[], int | None]) -> None:
        """`shown_before_ms` says up to which time, in milliseconds since 1970 (UTC), matches are shown; None: all."""
        self.shown_before_ms = shown_before_ms
        self._store = store
        self._counted: tuple[int, int] | None = None

    def count(self, before_ms: int | None) -> int:
        """How many were stored before a time, whether they count or not; None: how many are stored now."""
        if before_ms is None:
            return self._store.matches.count()
        counted = self._counted  # it is asked for the same time again and again
        if counted is None or counted[0] != before_ms:
            counted = self._counted = before_ms, self._store.matches.count(before_ms)
        return counted[1]


Part = TypeVar("Part")

PART_PREFIX = "shown/"
"""The prefix of the names of all parts."""

SUMMARY, LINES, SIDES, RATINGS, ROUNDS, MEMORY, PAIRS, HIGHLIGHTS = (
    f"{PART_PREFIX}{name}"
    for name in ("summary", "lines", "sides", "ratings", "rounds", "memory", "pairs", "highlights")
)
"""The names of parts. The lines of one of several tables have the table's name, and a bot has its own."""


def of_table(name: str) -> str:
    """The part with the lines of one of several tables."""
    return f"{LINES}/{name}"


def of_bot(name: str) -> str:
    """The part about a bot."""
    return f"{PART_PREFIX}bot/{name}"


def losses_of(name: str) -> str:
    """The part about the losses of a bot."""
    return f"{PART_PREFIX}losses/{name}"


def is_played(store: Store, league: str) -> bool:
    """Whether a runner plays the league of this name now."""
    return runner(lock_path(store.url, league)) is not None or store.holder() is not None


class RequestState:
    """A league for one viewer, at one moment.

    Attributes:
        file: the league, as its file describes it now.
        store: its store.
        viewer: the viewer.
        file_problems: what is wrong in its file as it is now.
        runner_state: what the runner beside the server does about it; None: there is none.
    """

    file_problems: tuple[str, ...] = ()
    runner_state: RunnerState | None = None

    def __init__(self, file: League, store: Store, viewer: Viewer, stored_matches: StoredMatches) -> None:
        self.file = file
        self.store = store
        self.viewer = viewer
        self._stored_matches = stored_matches

    @cached_property
    def pinned(self) -> Pinned:
        """The settings that its first run pinned.

        Raises:
            NeverRun: it has no pinned settings.
        """
        pinned = self.store.pinned()
        if pinned is None:
            raise never_run(self.file, self.store.url)
        return pinned

    @property
    def is_played(self) -> bool:
        """Whether a runner plays the league now."""
        return is_played(self.store, self.file.name)

    @cached_property
    def closing(self) -> ClosedDeals:
        """The closed deals. They are read before any match, so a deal that closes later still counts as open."""
        return self.store.closing()

    @cached_property
    def permissions(self) -> Permissions:
        """The permissions of the viewer."""
        deals = LeagueDeals(self.closing, self.pinned.rehearsal, self.pinned.own_deals)
        fixed = frozenset(table.name for table in self.file.tables if table.sides)
        undealt = {table.name for table in self.file.tables if not table.deals_sides}
        dealt = self.pinned.tables.keys() - undealt  # the league file may have lost a table that has matches
        rated = keep_pins(self.file, self.pinned).authors
        authors, names = self.store.submissions.authors(), self.store.people.display_names()
        return Permissions(self.viewer, deals, authors, fixed, dealt, rated, names)

    @cached_property
    def before_ms(self) -> int | None:
        """The viewer finds only matches that were stored before this time; None: all of them.

        Where every match has luck of its own, its end closes its deal, so nothing is left to hide.
        """
        if self.permissions.sees_all or self.has_own_luck:
            return None
        return self._stored_matches.shown_before_ms()

    @property
    def has_own_luck(self) -> bool:
        """Whether every match has luck of its own."""
        return self.pinned.own_deals.tables >= self.pinned.tables.keys()

    @property
    def minute_ms(self) -> int | None:
        """In a service the last full minute, in milliseconds since 1970 (UTC)."""
        return self._stored_matches.shown_before_ms()

    @cached_property
    def stored(self) -> int:
        """How many of the stored matches the viewer sees, whether they count or not."""
        return self._stored_matches.count(self.before_ms)

    @property
    def hidden(self) -> HiddenResults | None:
        """The matches that the viewer cannot find by how they ended; None: there are none."""
        permissions = self.permissions
        if permissions.sees_all or not permissions.dealt:
            return None
        own = self.pinned.own_deals
        return HiddenResults(permissions.dealt - own.tables, self.closing.below, own.remote)

    @cached_property
    def everybody(self) -> dict[str, Entry | None]:
        """All entries that the league ever had, in order of arrival; None: only the name is known."""
        known: dict[str, Entry | None] = {
            entry.name: entry for entry in everybody(self.file.entries, self.store.changes())
        }
        return known | {name: None for name in sorted(self.pinned.contents) if name not in known}

    @cached_property
    def playing(self) -> Set[str]:
        """The entries on the roster."""
        return frozenset(entry.name for entry in roster(self.file.entries, self.store.changes()))

    @cached_property
    def summary(self) -> Summary | None:
        """The summary of the stored tables; None before the first refresh.

        If the league was closed since, nothing remains of it any more.
        """
        found = self._stored_summary
        if found is None or not self.closing.is_whole:
            return found
        then = found.progress.matches
        matches = replace(then, remaining=0, skipped=then.skipped + then.remaining)
        return replace(found, progress=replace(found.progress, matches=matches), is_over=True)

    @cached_property
    def _stored_summary(self) -> Summary | None:
        return self.known_part(SUMMARY, Summary)

    @property
    def tables(self) -> Summary:
        """The summary of the stored tables.

        Raises:
            NotYet: there are no tables.
        """
        if self.summary is None:
            raise NotYet(f"there are no tables of {self.file.name} yet; they come when matches were played")
        return self.summary

    @property
    def memory(self) -> MemoryReport | None:
        """The stored evidence of a memory, if the viewer may know it; None before the first refresh."""
        return self.known_part(MEMORY, MemoryReport) if self.permissions.sees_all else None

    @property
    def pairs(self) -> tuple[PairFlag, ...]:
        """The stored pairs whose results differ from all else, for the organizer alone."""
        found = self.known_part(PAIRS, tuple[PairFlag, ...])
        return found if found and sees_all(self.permissions.viewer) else ()

    def part(self, name: str, kind: type[Part]) -> Part:
        """A part of the tables.

        Raises:
            NotYet: it does not exist.
        """
        found = self.known_part(name, kind)
        if found is None:
            raise NotYet(f"there is no such table of {self.file.name} yet; it comes when matches were played")
        return found

    def rows(self, names: tuple[str, ...], begin: int, end: int) -> dict[str, tuple[CrosstableCell | None, ...]]:
        """Like `bots`: the cells from `begin` up to `end` in their rows of the crosstable."""
        found = self.bots(names, RowOfBot)
        cells = {name: b"[%b]" % b",".join(map(bytes, part.row[begin:end])) for name, part in found.items()}
        read = {name: decoded(row, tuple[CrosstableCell | None, ...]) for name, row in cells.items()}
        return {name: row for name, row in read.items() if row is not None}

    def bots(self, names: tuple[str, ...], kind: type[Part]) -> dict[str, Part]:
        """The stored parts about some bots; empty if the tables were replaced after the summary was read.

        A row of the crosstable has the order of its summary.
        """
        found = self.store.table_cache.take(SUMMARY, *map(of_bot, names))
        if decoded(found.get(SUMMARY), Summary) != self._stored_summary:
            return {}
        parts = {name: decoded(found.get(of_bot(name)), kind) for name in names}
        return {name: bot for name, bot in parts.items() if bot is not None}

    def known_part(self, name: str, kind: type[Part]) -> Part | None:
        """A part of the tables; None if it does not exist."""
        return decoded(self.store.table_cache.take(name).get(name), kind)
