"""A forecast of a league's matches and their cost, before any of them is played.

Counts come from the league file and the roster. The rest is an estimate from a few matches of a throwaway league: with
the same bots and tables, but with a seed of its own and a store in a folder of temporary files. Nothing of it remains.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, islice, pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.core.errors import FileProblems
from referee.match.transcript import Metadata
from referee.runtime.process_sessions import temporary_folder
from tournaments.config.league_file import SQLITE
from tournaments.league.format_settings import ByResults
from tournaments.league.model import FinishedMatch, League, Luck, faults_of
from tournaments.league.roster import roster
from tournaments.maintenance.separation import Separation, TooLarge, separation
from tournaments.maintenance.simulated_league import count_sittings
from tournaments.play.environment import Environment
from tournaments.play.match_results import MatchPostponed
from tournaments.play.participants import check_enough_bots
from tournaments.play.run import Run, open_run
from tournaments.schedule.formats import Balance, apart, evenness, first_wave
from tournaments.schedule.formats.format import PlayedWaves
from tournaments.schedule.formats.issued_waves import IssuedLineUps
from tournaments.schedule.formats.wave import FIRST, LineUp, Wave
from tournaments.store import SAMPLES, Store, logs_folder, store_file
from tournaments.store.pinned_league import keep_pins
from tournaments.submissions.bot_folders import BotFolders
from tournaments.submissions.tree_cache import TreeCache

LINE_UPS = 8
"""How many line-ups are tried, but at least one of each table."""

LONGEST_MS = 60_000
"""After this time no further match of the throwaway league begins."""

MOST_LINE_UPS = 1_000_000
"""A check goes through all line-ups, so more would take minutes."""

_COPIES = 1_000
"""So many matches are stored twice over to see how much a store grows by them."""

_FIRST_COPY = 100_000
"""The deal of the first copy: a number with as many digits as a long league has."""

_AT_ONCE = 32


class PlannedMatches(msgspec.Struct, frozen=True):
    """The matches that the league file asks for.

    Attributes:
        matches: how many matches there are.
        sittings: how often the bots of a line-up are started for them.
        tables: how many matches each table has.
        bots: how many matches each bot has.
        processes: how many processes of bots one worker has at once, at most. Remote bots have none here.
    """

    matches: int
    sittings: int
    tables: dict[str, int]
    bots: dict[str, int]
    processes: int


class Cost(msgspec.Struct, frozen=True):
    """How long a worker is busy, in seconds.

    Attributes:
        start_s: with starting the bots of a line-up.
        match_s: with a match, once they are started.
    """

    start_s: float
    match_s: float


class TrialResult(msgspec.Struct, frozen=True):
    """The outcome of the throwaway league.

    Attributes:
        line_ups: how many line-ups finished a match.
        bots: how many bots did.
        matches: how many matches were finished.
        void: how many were void through our fault, or because the machine was too busy.
        cost: the cost of sittings and matches; None if no match was finished.
        match_bytes: how many bytes a match takes in the store; None likewise.
        faults: a sentence for each kind of fault that a bot had.
    """

    line_ups: int
    bots: int
    matches: int
    void: int
    cost: Cost | None
    match_bytes: float | None
    faults: tuple[str, ...]


class Forecast(msgspec.Struct, frozen=True):
    """A forecast of a league's matches and their cost.

    Attributes:
        league: its name.
        deals: how many deals every group plays at every table.
        goes_on: whether other waves follow, which are decided by results. All figures are then about the first.
        planned: the matches that the file asks for.
        choice: how even the choice of groups is at each table; empty if no groups are chosen.
        apart: a sentence if some bots never meet, not even by way of others; else None.
        workers: how many matches are played at once.
        processes: how many processes of bots there are at once, at most.
        memory_mib: how much memory these may take together; None if nothing limits them.
        tried: the outcome of a few matches.
        hours: how long all matches take with these workers; None if it is not known.
        megabytes: how large the store becomes; None if it is not known.
        away: a sentence for each remote bot that does not answer.
        luck: by table, which of its matches share their luck.
        assumed_luck: the tables for which neither the league file nor the first run says so.
        separation: how long the league must be to tell two bots apart; None if nobody asked.
        separation_hours: how long that takes with these workers; None if it is not known.
    """

    league: str
    deals: int
    goes_on: bool
    planned: PlannedMatches
    choice: tuple[Balance, ...]
    apart: str | None
    workers: int
    processes: int
    memory_mib: int | None
    tried: TrialResult
    hours: float | None
    megabytes: float | None
    away: tuple[str, ...]
    luck: dict[str, Luck]
    assumed_luck: tuple[str, ...]
    separation: Separation | None
    separation_hours: float | None


def forecast(league: League, url: str, machine: Environment, workers: int, separate: float | None = None) -> Forecast:
    """Count what a league would play, and try a few matches. Nothing of these is written into its store.

    The store need not exist. If it does, its roster counts: bots that were submitted or entered, too.

    With `separate`, it also says how long the league must be to tell two bots apart if one beats the other so often,
    above 0.5 and below 1.

    Raises:
        TooFewBots: bots may be submitted, and so far there are too few.
        TooLarge: the league has more than `MOST_LINE_UPS` line-ups, or as `separation`.
        FileProblems: a bot cannot be played with, or a file of it cannot be read.
        StoreError: the throwaway store fails.
        WorkersFail: no worker stays alive.
    """
    with _with_roster(league, url, machine) as whole:
        return _forecast(whole, url, machine, workers, separate)


@contextmanager
def _with_roster(league: League, url: str, machine: Environment) -> Iterator[League]:
    """The league with the bots of its roster. Those of the store are unpacked in a folder of temporary files."""
    file = store_file(url)
    if file is not None and not file.exists():
        yield league
        return
    with (
        Store(url, league.name) as store,
        temporary_folder() as home,
        TreeCache(home, store.trees) as cache,
    ):
        pinned = store.pinned()
        if pinned is None:
            yield league
            return
        league = replace(keep_pins(league, pinned), entries=roster(league.entries, store.changes()))
        if any(entry.source is not None for entry in league.entries):
            league = BotFolders(store, cache).with_folders(league, machine.build_environment(league), machine.now_ms())
        # The throwaway store does not have them.
        yield replace(league, entries=tuple(replace(entry, source=None) for entry in league.entries))


def _forecast(league: League, url: str, machine: Environment, workers: int, separate: float | None) -> Forecast:
    check_enough_bots(league)
    called = machine.roll_call(league, store_file(url), logs_folder(url, league.name))
    if called.problems:
        raise FileProblems(called.problems)
    throwaway = bytes(32)  # never the league's own: for a wave that is decided by results, only the size matters
    wave = first_wave(league, throwaway)
    assert wave is not None  # noqa: S101 - every format begins with a wave
    if (many := len(wave.line_ups)) > MOST_LINE_UPS:
        raise TooLarge(
            f"{league.name} has {many:,} line-ups, too many to be checked; take fewer bots, or a [format] with fewer"
            f" matches, so that there are at most {MOST_LINE_UPS:,}"
        )
    planned = plan_of(league, wave)
    needed = None if separate is None else separation(league, separate)
    tried = _tried(league, sample(wave, LINE_UPS), machine, workers)
    processes = workers * planned.processes
    return Forecast(
        league=league.name,
        deals=league.deals,
        goes_on=isinstance(league.format, ByResults),
        planned=planned,
        choice=evenness(league),
        apart=apart(league),
        workers=workers,
        processes=processes,
        memory_mib=processes * league.limits.memory_mib if league.sandbox != "none" else None,
        tried=tried,
        hours=_hours(planned.matches, planned.sittings, tried.cost, workers),
        megabytes=None if tried.match_bytes is None else planned.matches * tried.match_bytes / 1e6,
        away=tuple(called.away),
        luck={table.name: table.luck for table in league.tables},
        assumed_luck=league.assumed_luck,
        separation=needed,
        separation_hours=None if needed is None else _hours(needed.matches, needed.sittings, tried.cost, workers),
    )


def _hours(matches: int | None, sittings: int | None, cost: Cost | None, workers: int) -> float | None:
    if matches is None or sittings is None or cost is None:
        return None
    return (sittings * cost.start_s + matches * cost.match_s) / workers / 3_600


def plan_of(league: League, wave: Wave) -> PlannedMatches:
    """The matches that a wave of a league asks for."""
    tables, bots = Counter[str](), Counter({entry.name: 0 for entry in league.entries})
    here = {entry.name for entry in league.entries if entry.remote is None}
    processes = 0
    for _, line_up in wave.line_ups.numbered():
        tables[line_up.table] += len(wave.deals)
        bots.update(dict.fromkeys(line_up.entries, len(wave.deals)))
        processes = max(processes, sum(entry in here for entry in line_up.entries))
    return PlannedMatches(len(wave), count_sittings(league, wave), dict(tables), dict(bots), processes)


# Which matches are tried


def sample(wave: Wave, most: int) -> tuple[LineUp, ...]:
    """A few line-ups of a wave: as many of each table, at least one, with as many different bots as possible."""
    tables = list(dict.fromkeys(line_up.table for _, line_up in wave.line_ups.numbered()))
    share = max(1, most // len(tables))
    return tuple(line_up for table in tables for line_up in _picked(wave, table, share))


def _picked(wave: Wave, table: str, most: int) -> Iterable[LineUp]:
    """Line-ups of a table: first those with the most bots that were in none before, at last those with no such bot."""
    here = [line_up for _, line_up in wave.line_ups.numbered() if line_up.table == table]
    picked: dict[LineUp, None] = {}
    seen: set[str] = set()
    for new in range(len(here[0].entries), -1, -1):
        for line_up in here:
            if len(picked) == most:
                return picked
            if line_up not in picked and len(set(line_up.entries) - seen) >= new:
                picked[line_up] = None
                seen.update(line_up.entries)
    return picked


class _Trial:
    """A format: each line-up plays one deal, then another one, then as many as the first sitting of a league has.

    The first deal tries every line-up, and brings up the workers. From the others it is seen what starting takes, and
    what a match.
    """

    def __init__(self, game: str, line_ups: Sequence[LineUp]) -> None:
        self.waves = [
            Wave(game, IssuedLineUps(line_ups), deals) for deals in (range(1), range(1, 2), range(2, 2 + FIRST))
        ]

    def wave(self, number: int, so_far: PlayedWaves) -> Wave | None:  # noqa: ARG002 - results change nothing here
        return self.waves[number] if number < len(self.waves) else None


# The outcome


class _TrialRun(NamedTuple):
    """The results of the throwaway league.

    Attributes:
        matches: those that were finished, in the order of their arrival.
        void: how many were void.
        ends_ms: when the first match began, and when each wave was over; at last, when all was over.
    """

    matches: list[FinishedMatch]
    void: int
    ends_ms: list[int]


def _tried(league: League, line_ups: Sequence[LineUp], machine: Environment, workers: int) -> TrialResult:
    throwaway = replace(league, seed=None, rehearsal=False)  # so that a seed is drawn
    trial = _Trial(league.game, line_ups)
    with temporary_folder() as folder:
        with open_run(throwaway, f"{SQLITE}{folder}/store.sqlite", machine, trial) as run:
            trial_run = _run_trial(run, trial, machine)
        room = _match_bytes(throwaway, trial_run.matches, folder) if trial_run.matches else None
    return TrialResult(
        line_ups=len({(match.fixture.table, match.fixture.entries) for match in trial_run.matches}),
        bots=len({entry for match in trial_run.matches for entry in match.fixture.entries}),
        matches=len(trial_run.matches),
        void=trial_run.void,
        cost=_cost(trial_run, len(line_ups), min(workers, len(line_ups))) if trial_run.matches else None,
        match_bytes=room,
        faults=tuple(_faults(trial_run.matches)),
    )


def _run_trial(run: Run, trial: _Trial, machine: Environment) -> _TrialRun:
    """Play until all is played, or for long enough, or until a remote bot is missed."""
    matches: list[FinishedMatch] = []
    void = 0
    missed = False
    ends_ms = [machine.now_ms()]
    waves = list(accumulate(map(len, trial.waves)))

    def enough() -> bool:
        return missed or machine.now_ms() - ends_ms[0] > LONGEST_MS

    for result in run.play(enough):
        if isinstance(result, FinishedMatch):
            matches.append(result)
        elif isinstance(result, MatchPostponed):
            missed = True
        else:
            void += 1
        if waves and len(matches) == waves[0]:
            ends_ms.append(machine.now_ms())
            del waves[0]
    return _TrialRun(matches, void, ends_ms if not waves else [ends_ms[0], machine.now_ms()])


def _cost(trial_run: _TrialRun, line_ups: int, at_once: int) -> Cost:
    """The cost of a start and of a match. If not all was played, matches are slow, and starts are counted with them."""
    workers_s = [at_once * (end - begin) / 1_000 for begin, end in pairwise(trial_run.ends_ms)]
    if len(workers_s) == 1:
        return Cost(0.0, workers_s[0] / len(trial_run.matches))
    _, one_s, several_s = (seconds / line_ups for seconds in workers_s)
    match_s = max(0.0, several_s - one_s) / (FIRST - 1)
    return Cost(max(0.0, one_s - match_s), match_s)


def _faults(matches: Sequence[FinishedMatch]) -> Iterator[str]:
    """For every bot and every kind of its faults, the first one, and how many there were."""
    first_remarks: dict[tuple[str, str], str] = {}
    count = Counter[tuple[str, str]]()
    for match in matches:
        remarks = {remark.seat: remark.text for remark in msgspec.json.decode(match.metadata, type=Metadata).remarks}
        for fault in faults_of(match):
            entry = match.fixture.entries[fault.seat]
            count[entry, fault.kind] += 1
            first_remarks.setdefault((entry, fault.kind), remarks.get(fault.seat, ""))
    for (entry, kind), text in first_remarks.items():
        yield f"{entry}: {kind}, in {count[entry, kind]} of {len(matches)} matches: {text}"


def _match_bytes(league: League, matches: Sequence[FinishedMatch], folder: Path) -> float:
    """How many bytes a store grows by a match, measured on copies of these matches under the numbers of further deals.

    A store of a few matches would say little: its pages are half empty, and its first matches are not packed. The last
    match of each line-up is copied: with the first ones the others are packed, so copies of them would take no room.
    """
    path = folder / "copies.sqlite"
    played = {(match.fixture.table, match.fixture.entries, match.fixture.rotation): match for match in matches}
    line_ups = [LineUp(*line_up) for line_up in played]
    fixtures = iter(Wave(league.game, IssuedLineUps(line_ups), range(_FIRST_COPY, _FIRST_COPY + 2 * _COPIES)))
    sizes = []
    for _ in range(2):
        with Store(f"{SQLITE}{path}", league.name) as store:
            store.open_league(league, {}, bytes(32), 0)
            store.save(matches[:SAMPLES], 0)
            some = islice(fixtures, _COPIES)
            copies = (replace(played[it.table, it.entries, it.rotation], fixture=it) for it in some)
            while group := list(islice(copies, _AT_ONCE)):
                store.save(group, 0)
        sizes.append(path.stat().st_size)
    return (sizes[1] - sizes[0]) / _COPIES
