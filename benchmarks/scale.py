"""What everything costs in leagues of 1,000 matches and more: for each match, and how that grows with their number.

The matches are real ones, so they can be verified. Each figure is measured in a new process.

    python -m benchmarks.scale [COUNT...]

prints the rows of leagues with these numbers of matches. A million takes about half an hour.
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from rich.console import Console

from benchmarks.kernel import reference_second_on
from benchmarks.leagues import echo_league
from benchmarks.rows import Pair, Row, Target, paired_row, plain_row, table
from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Match, Open
from referee.match.transcript import Header, Transcript
from referee.wire.registry import games
from tournaments.league import league_seed
from tournaments.league.model import Entry, FinishedMatch, League, finished
from tournaments.play.bots import RollCall
from tournaments.play.cores import GiveWay
from tournaments.play.run import open_run
from tournaments.play.workers.worker_messages import Executor, Work
from tournaments.results.computed_tables import league_standings
from tournaments.results.export_files import export
from tournaments.results.progress import league_progress
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.results.verify import differences
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.round_robin import RoundRobin
from tournaments.store import Store
from tournaments.store.pinned_league import Content
from tournaments.submissions.build_environment import BuildEnvironment

COUNTS = (1_000, 10_000, 100_000)
_BOTS = 5
_A_DEAL = _BOTS * (_BOTS - 1)
"""How many matches they play on each deal."""

_SECONDS = "s a 100,000, over a second of the reference machine"
_GROUP = 32
"""How many matches are stored in one transaction, as a run of short matches does."""

_SEED = bytes(32)
_GROWTH = Target(first=1.35, then=1.1)
"""Ten times as many matches: their cost for each match may grow as n log n lets it, from 1,000 on."""


def rows(counts: tuple[int, ...] = COUNTS) -> list[Row]:
    """For each step: the row of the smallest league, and one for each larger league compared with the one before."""
    measured = [_measured(count) for count in counts]
    found = []
    for step in measured[0]:
        costs = [each[step] for each in measured]
        found.append(plain_row(f"{step}, {counts[0]:,} matches: CPU us a match", [costs[0].us], "lower"))
        for count, cost, smaller in zip(counts[1:], costs[1:], costs, strict=False):
            name = f"{step}, {count:,} matches: CPU us a match, over a tenth of them"
            found.append(paired_row(name, [Pair(cost.us, smaller.us)], "lower", _GROWTH))
        mib = f"{step}, {counts[-1]:,} matches: MiB above {counts[0]:,}"
        found.append(plain_row(mib, [costs[-1].mib - costs[0].mib], "lower"))
    verifying = Pair(measured[-1]["verify"].seconds * 100_000 / counts[-1], reference_second_on(_cores()))
    name = f"league verify of {counts[-1]:,} matches on {_cores()} cores: {_SECONDS}"
    return [*found, paired_row(name, [verifying], "lower", Target(first=15, then=10))]


class Cost(NamedTuple):
    """What a step took: processor time for each match, seconds in all, and all the memory its process has used."""

    us: float
    seconds: float
    mib: float


def _measured(count: int) -> dict[str, Cost]:
    """What each step takes with this many matches."""
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{folder}/bench.sqlite"
        return {name: _apart(step, store, count) for name, step in STEPS.items()}


def _apart(step: Callable[[str, int], float | None], store: str, count: int) -> Cost:
    """What a step costs in a process of its own, without what it imports."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(_cost, step, store, count).result()


def _cost(step: Callable[[str, int], float | None], store: str, count: int) -> Cost:
    began, cpu_s = time.perf_counter(), _cpu_s()
    own_s = step(store, count)
    seconds, cpu_s = time.perf_counter() - began, _cpu_s() - cpu_s
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Cost((cpu_s if own_s is None else own_s) / count * 1e6, seconds, mib)


def _cpu_s() -> float:
    """The processor time of this process and of those it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


# The steps. Each takes the address of the store and the number of matches. The first fills the store.


def fill(store: str, count: int) -> float:
    """Play the matches in this process and store them, a group at a time. The processor time of storing alone."""
    league, spent_s = league_of(count), 0.0
    with Store(store, league.name) as kept:
        kept.open_league(league, _contents(league), _SEED, 0)
        for group in _groups(_played(league)):
            began = time.process_time()
            kept.save(group, 0)
            spent_s += time.process_time() - began
    return spent_s


def start(_store: str, count: int) -> None:
    """Open a run of a league with so many planned fixtures, to its first sitting."""
    with tempfile.TemporaryDirectory() as folder:
        _open(f"sqlite:///{folder}/empty.sqlite", league_of(count))


def go_on(store: str, count: int) -> None:
    """Open a run of a league of which all but one deal is stored, to its first sitting."""
    _open(store, league_of(count + _A_DEAL))


def status(store: str, count: int) -> None:
    """Ask how far the league is."""
    with _kept(store, count) as kept:
        assert league_progress(kept).matches.played == count


def standings(store: str, count: int) -> None:
    """Ask for the table, which is computed or kept from the last time."""
    with _kept(store, count) as kept:
        assert league_standings(kept).matches.played == count


def matches(store: str, count: int) -> None:
    """List the matches."""
    with _kept(store, count) as kept:
        assert sum(1 for _ in kept.matches()) == count


def verify(store: str, count: int) -> None:
    """Verify the matches on all cores."""
    with _kept(store, count) as kept:
        found = [difference for _, difference in differences(kept, workers=_cores())]
    assert found == [None] * count


def write_export(store: str, count: int) -> None:
    """Export the league."""
    with tempfile.TemporaryDirectory() as folder, _kept(store, count) as kept:
        assert export(kept, Path(folder)) == count


STEPS: dict[str, Callable[[str, int], float | None]] = {
    f"storing in groups of {_GROUP}": fill,
    "start of a run, nothing stored": start,
    "start of a run, all stored but one deal": go_on,
    "status": status,
    "standings, first time": standings,
    "standings, again": standings,
    "matches": matches,
    "verify": verify,
    "export": write_export,
}
"""What is measured, in this order."""


def league_of(count: int) -> League:
    """A league of so many matches, which must fill whole deals. Its bots do not exist."""
    deals, rest = divmod(count, _A_DEAL)
    assert not rest, f"{count} matches are not whole deals; write a multiple of {_A_DEAL}"
    entries = tuple(Entry(f"bot{number}@1", f"/bots/{number}") for number in range(_BOTS))
    return replace(echo_league(deals), entries=entries, seed=_SEED.hex())


def _played(league: League) -> Iterator[FinishedMatch]:
    """Every match of the league, played in this process. Each bot goes through the actions at a pace of its own."""
    wave = RoundRobin(league).wave(0, NothingPlayed())
    for fixture in wave or ():
        paces = [int(entry[3]) + 2 for entry in fixture.entries]
        yield finished(fixture, transcript_of(league_seed.header(league, _SEED, fixture), paces))


def transcript_of(header: Header, paces: list[int]) -> Transcript:
    """A match of bots that go through the actions at these paces."""
    match = Match(games()[header.game].game, header, echo_league(1).clock)
    for request in match:
        if isinstance(request, Ask):
            match.reply(Chosen(request.number * paces[request.seat] % len(request.legal)), 1_000)
        else:
            match.reply(Ready() if isinstance(request, Open) else None, 0)
    return match.transcript()


def _groups(played: Iterator[FinishedMatch]) -> Iterator[list[FinishedMatch]]:
    group: list[FinishedMatch] = []
    for match in played:
        group.append(match)
        if len(group) == _GROUP:
            yield group
            group = []
    yield group


def _contents(league: League) -> dict[str, Content]:
    return {entry.name: Content("tree", "built") for entry in league.entries}


def _kept(store: str, count: int) -> AbstractContextManager[StoredLeague]:
    return open_results(league_of(count), store)


def _open(store: str, league: League) -> None:
    with open_run(league, store, _NoMachine()) as run:
        assert next(run.results.state.sittings()).fixtures


class _NoMachine:
    """A machine on which nobody plays."""

    def now_ms(self) -> int:
        """No time passes."""
        return 0

    def wait_ms(self, milliseconds: int) -> None:
        """Nobody waits."""
        raise AssertionError(milliseconds)

    def tell(self, sentence: str) -> None:
        """Nothing is waited for."""
        raise AssertionError(sentence)

    def new_seed(self) -> bytes:
        """The seed that is always the same."""
        return _SEED

    def contents(self, league: League) -> dict[str, Content]:
        """The contents of bots that do not exist."""
        return _contents(league)

    def roll_call(self, _league: League, _store: Path | None, _logs: Path) -> RollCall:
        """Nobody is called."""
        return RollCall({}, [], [])

    def build_environment(self, league: League) -> BuildEnvironment:
        raise AssertionError(league)

    def executor(self, _work: Work, _run_dir: Path) -> AbstractContextManager[Executor]:
        """Nobody plays."""
        return nullcontext(None)  # type: ignore[arg-type] # it is never asked to play

    def turn(self, _lock: Path) -> AbstractContextManager[GiveWay]:
        """Nobody is given way to."""
        return nullcontext(lambda: None)


def _cores() -> int:
    return len(os.sched_getaffinity(0))


if __name__ == "__main__":
    Console(width=None if sys.stdout.isatty() else 130).print(table(rows(tuple(map(int, sys.argv[1:])) or COUNTS)))
