"""A league for viewers: its pulse, and its tables, which are computed seldom and stored."""

import math
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Self

import msgspec
from msgspec.structs import replace

from referee.core.errors import UserError
from referee.match.replay import Difference
from referee.match.transcript import Transcript
from referee.match.turning_points import swings
from referee.wire.registry import game_entry
from tournaments.comparison.memory_evidence import MemoryReport, memory_of
from tournaments.comparison.pair_flags import PairFlag, pair_flags
from tournaments.league.model import League
from tournaments.league.timetable import RunnerState
from tournaments.results.bot_losses import Highlights
from tournaments.results.computed_tables import STANDINGS, NoRounds, league_rounds, public_matches, table_inputs
from tournaments.results.league_location import NeverRun, never_run
from tournaments.results.league_tables import Rounds, Tables, tables
from tournaments.results.progress import is_league_over, league_progress
from tournaments.results.public_results import Match
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.schedule.formats import Bracket
from tournaments.store import Store, is_missing
from tournaments.web.queries.league_queries import LeagueQueries
from tournaments.web.queries.request_state import (
    HIGHLIGHTS,
    LINES,
    MEMORY,
    PAIRS,
    PART_PREFIX,
    RATINGS,
    ROUNDS,
    SIDES,
    SUMMARY,
    RequestState,
    StoredMatches,
    everything,
    is_played,
    losses_of,
    of_bot,
    of_table,
)
from tournaments.web.visibility.permissions import Viewer

if TYPE_CHECKING:
    from tournaments.rating.ranking import FullCount


def mean_gap(transcript: Transcript) -> float:
    """The mean difference between the outlooks of the best winner and the best loser, over all moves.

    It is infinite if the game has no outlook or cannot be replayed, and if nobody lost.
    """
    places = transcript.record.outcome.places
    won, lost = ([seat for seat, place in enumerate(places) if (place == 1) == is_won] for is_won in (True, False))
    try:
        found = swings(game_entry(transcript.record.header.game).game, transcript)
    except (UserError, Difference):
        return math.inf
    if not (found and won and lost):
        return math.inf
    return fmean(
        abs(max(each.before[seat] for seat in won) - max(each.before[seat] for seat in lost)) for each in found
    )


class Pulse(msgspec.Struct, frozen=True):
    """Changes when viewers can see something new. It is cheap; ask every second.

    Attributes:
        stored: how many matches are stored, whether they count or not, as a visitor may know it.
        waves: how many waves were issued.
        deals_closed: all deals with a lower number are closed; None: all of the league are.
        changes: how often the roster has changed.
        tables: changes with every refresh that changes a table; None before the first.
        played: whether a runner plays the league now.
    """

    stored: int
    waves: int
    deals_closed: int | None
    changes: int
    tables: str | None
    played: bool


class PublishedLeague:
    """A league with its store, for many viewers. A runner may play it meanwhile.

    It may have submissions before its first run. Threads may share it.

    Attributes:
        runner_state: what the runner beside the server does about the league; None: there is none.
        file_problems: for the organizer, what is wrong in the file of the league as it is now.
    """

    def __init__(self, league: League, url: str, shown_before_ms: Callable[[], int | None] = everything) -> None:
        """Open the store.

        Args:
            league: the league, as its file describes it now.
            url: the address of its store.
            shown_before_ms: says up to which time, in milliseconds since 1970 (UTC), matches are shown; None: all. The
                organizer sees all of them, and everybody does when the whole league is closed.

        Raises:
            NeverRun: the store does not exist, or is empty.
            StoreError, WrongAddress: it cannot be opened.
        """
        if is_missing(url):
            raise never_run(league, url)
        self._league = league
        self._store = Store(url, league.name)
        if self._store.is_empty:
            self._store.close()
            raise never_run(league, url)
        self.file_problems: tuple[str, ...] = ()
        self.runner_state: RunnerState | None = None
        self._full: FullCount | None = None
        self._stored_matches = StoredMatches(self._store, shown_before_ms)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def pulse(self) -> Pulse:
        """The current pulse."""
        store, closing = self._store, self._store.closing()
        is_open = not (self._league.rehearsal or closing.is_whole)
        return Pulse(
            stored=self._stored_matches.count(self._stored_matches.shown_before_ms() if is_open else None),
            waves=len(store.issue_times()),
            deals_closed=None if closing.is_whole else closing.below,
            changes=len(store.changes()),
            tables=store.table_cache.key(SUMMARY),
            played=is_played(store, self._league.name),
        )

    def refresh(self, now_ms: int) -> bool:
        """Compute and store the tables, unless nothing has changed. Returns whether there are tables now.

        It reads all results, page by page. For 100,000 matches it takes some seconds with 50 bots, and half a minute
        with 500, mostly for their resamples.

        Args:
            now_ms: the time, in milliseconds since 1970 (UTC).
        """
        table_cache = self._store.table_cache
        try:
            with open_results(self._league, self._store.url) as results:
                key = results.key()
                if key == table_cache.key(HIGHLIGHTS):
                    return True
                matches = public_matches(results)
                if not matches or not self._may_begin(results):
                    if table_cache.key(SUMMARY) is not None:  # they are not true of a league whose bots left
                        table_cache.put(PART_PREFIX, key, {})
                    return False
                found = _tables(results, matches, now_ms, self._full)
                memory = memory_of(results.rated, results.pinned.seed_bytes, results.state)
                pairs = pair_flags(results.rated, results.state.counted())
        except NeverRun:
            return False
        self._store.matches.index()
        parts = _parts(found, memory, pairs) | {HIGHLIGHTS: self._highlights(found.highlights)}
        table_cache.put(PART_PREFIX, key, parts)
        self._full, is_full = found.full, found.lines.best_ms is None
        # For `league standings`, which uses all matches and counts all.
        if is_full and found.summary.matches == found.summary.progress.matches.played:
            table_cache.put(STANDINGS, key, {STANDINGS: msgspec.json.encode(found.standings)})
        return True

    def _highlights(self, candidates: Highlights) -> bytes:
        """The highlights, with the closest match first among the even ones."""
        read = {match: self._store.transcript(match) for match in candidates.even}
        gaps = {match: math.inf if transcript is None else mean_gap(transcript) for match, transcript in read.items()}
        return msgspec.json.encode(replace(candidates, even=tuple(sorted(candidates.even, key=gaps.__getitem__))))

    def _may_begin(self, results: StoredLeague) -> bool:
        """Whether there may be tables. The first ones must not tell when the first match ended."""
        return results.deals().are_all_closed or self._stored_matches.count(self._stored_matches.shown_before_ms()) > 0

    def to(self, viewer: Viewer) -> LeagueQueries:
        """The queries of this viewer. They are for one request, and read nothing twice."""
        state = RequestState(self._league, self._store, viewer, self._stored_matches)
        state.file_problems, state.runner_state = self.file_problems, self.runner_state
        return LeagueQueries(state)


def _tables(results: StoredLeague, matches: Sequence[Match], now_ms: int, before: "FullCount | None" = None) -> Tables:
    """All tables of a league in which these matches count for them."""
    inputs, rounds = table_inputs(results, matches), _rounds(results, matches)
    return tables(inputs, rounds, league_progress(results), now_ms, before, is_over=is_league_over(results))


def _rounds(results: StoredLeague, matches: Sequence[Match]) -> Rounds:
    try:
        found = league_rounds(results, lambda: matches)
    except NoRounds:
        return Rounds()
    return Rounds(bracket=found) if isinstance(found, Bracket) else Rounds(swiss=tuple(found))


def _parts(tables: Tables, memory: MemoryReport, pairs: Sequence[PairFlag]) -> dict[str, bytes]:
    """The tables in the parts in which they are stored."""
    parts: dict[str, object] = {
        SUMMARY: tables.summary,
        LINES: tables.lines,
        SIDES: tables.sides,
        RATINGS: tables.ratings,
        ROUNDS: tables.rounds,
        MEMORY: memory,
        PAIRS: pairs,
        **{of_table(name): lines for name, lines in tables.by_table.items()},
        **{of_bot(name): bot for name, bot in tables.bots.items()},
        **{losses_of(name): losses for name, losses in tables.losses.items()},
    }
    return {name: msgspec.json.encode(part) for name, part in parts.items()}
