"""How many results a second a runner can take in from a thousand nodes that play in no time.

`python -m benchmarks.virtual_nodes` prints the table of docs/scaling.md. All is real but the nodes: the plan, the
dispatch, the judges in their processes, the season and the store. The matches were played before, by chance, and are
handed over as soon as the runner looks. So the runner is the only one that works, and its time of processor a match
says how many matches a second one core of it keeps up with.

What Dask itself costs is not in it, but for the pickles; docs/scaling.md has measurements of the rest.
"""

import multiprocessing
import pickle
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from benchmarks.standings import long_league
from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Match, Open
from referee.match.transcript import Header, Transcript
from referee.wire.registry import games
from tournaments.league import league_seed
from tournaments.league.model import FinishedMatch, League, finished
from tournaments.play.bot_logs import Words
from tournaments.play.bots import RollCall
from tournaments.play.environment import LocalEnvironment
from tournaments.play.nodes.node_executor import NodeExecutor
from tournaments.play.nodes.node_messages import Kit, NodeJoined, NodeMeasured, Piece, PieceDone, PieceResult
from tournaments.play.nodes.speed_limits import SpeedMeasurement
from tournaments.play.nodes.verification import VerificationPool
from tournaments.play.run import open_run
from tournaments.play.workers.worker_messages import Work
from tournaments.schedule.formats import first_wave
from tournaments.store.pinned_league import Content

NODES = 1_000
_SEED = bytes(32)
_QUICK = SpeedMeasurement(0.0, 0.0, 0.0, 0.0)
_MATCH_S = 0.75
"""What a match is said to take on a node, so that a piece has four."""


class Shares(NamedTuple):
    """Time of processor a match, in microseconds.

    Attributes:
        runner: of the runner's own process.
        judges: of those that judge.
        messages: of the pickles of results, there and back.
        results: matches a second by the wall clock.
    """

    runner: float
    judges: float
    messages: float
    results: float


def measured(deals: int, judges: int, nodes: int = NODES) -> Shares:
    """Play a league of fifty bots with so many virtual nodes and processes that judge; no processes: nobody judges."""
    league = replace(long_league(), deals=deals, seed=_SEED.hex())
    played = _played(league)
    with tempfile.TemporaryDirectory() as folder, pool(judges) as judging:
        machine = _Machine(league, VirtualNodes(played, nodes), judging, max(1, judges))
        begun, own, theirs = time.perf_counter(), time.process_time(), _children_s()
        with open_run(league, f"sqlite:///{folder}/league.sqlite", machine) as run:
            stored = sum(1 for _ in run.play())
        passed, own = time.perf_counter() - begun, time.process_time() - own
    assert stored == len(played)
    each = 1e6 / stored
    return Shares(own * each, (_children_s() - theirs) * each, _messages_us(played), stored / passed)


def _played(league: League) -> dict[str, FinishedMatch]:
    """By fixture, its match, played by chance."""
    wave = first_wave(league, _SEED)
    assert wave is not None
    fixtures = (one for sitting in wave.sittings(lambda _at, _line_up: True) for one in sitting.fixtures)
    return {one.id: finished(one, _by_chance(league, league_seed.header(league, _SEED, one))) for one in fixtures}


def _by_chance(league: League, header: Header) -> Transcript:
    match = Match(games()[league.game].game, header, league.clock)
    luck = Random(header.match_id)
    for request in match:
        if isinstance(request, Ask):
            match.reply(Chosen(luck.randrange(len(request.legal))), 1_000)
        else:
            match.reply(Ready() if isinstance(request, Open) else None, 1_000)
    return match.transcript()


def _messages_us(played: dict[str, FinishedMatch]) -> float:
    some = tuple(list(played.values())[:1_000])
    begun = time.process_time()
    pickle.loads(pickle.dumps(PieceResult(some, 1.0)))  # noqa: S301 - our own
    return (time.process_time() - begun) * 1e6 / len(some)


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class _Nobody(Executor):
    """Passes every match."""

    def submit(self, _function: Any, /, *arguments: Any, **_named: Any) -> "Future[Any]":
        done: Future[Any] = Future()
        (held,) = arguments
        done.set_result([None if one is None else one[1] for one in held])
        return done


@contextmanager
def pool(judges: int) -> Iterator[Executor]:
    """So many processes that judge; none: whatever comes is passed."""
    if not judges:
        yield _Nobody()
        return
    with ProcessPoolExecutor(judges, mp_context=multiprocessing.get_context("spawn")) as pool:
        list(pool.map(abs, range(judges)))  # they come up
        yield pool


class VirtualNodes:
    """Nodes that have played everything before. They are their own inbox."""

    def __init__(self, played: dict[str, FinishedMatch], nodes: int) -> None:
        self._played = played
        self._nodes = nodes
        self._news: list[Any] = []
        self.inbox = self

    def equip(self, kit: Kit) -> None:
        """All join."""
        self._news += [NodeJoined(f"node-{number}", 1, 2, kit.id, _QUICK) for number in range(self._nodes)]

    def send(self, _name: str, piece: Piece) -> None:
        """The piece is played at once."""
        told = tuple(self._played[fixture.id] for fixture in piece.fixtures)
        self._news.append(PieceDone(piece.number, PieceResult(told, _MATCH_S * len(told))))

    def cancel(self, name: str, piece: int) -> None:
        """Never happens."""
        raise AssertionError((name, piece))

    def leave_out(self, name: str) -> None:
        """Never happens."""
        raise AssertionError(name)

    def measure(self, name: str) -> None:
        """It is as quick as before."""
        self._news.append(NodeMeasured(name, _QUICK))

    def close(self) -> list[Words]:
        """End."""
        self._news.clear()
        return []

    def put(self, item: Any) -> None:
        """Add what a judge says."""
        self._news.append(item)

    def get(self, *, timeout: float) -> Any:
        """The first thing, if there is any."""
        if not self._news:
            time.sleep(min(timeout, 0.001))
            raise Empty
        return self._news.pop(0)


class _Machine(LocalEnvironment):
    """A machine with bots that need no files."""

    def __init__(self, league: League, nodes: VirtualNodes, pool: Executor, judges: int) -> None:
        super().__init__()
        self._league = league
        self._virtual = nodes
        self._judges = VerificationPool(pool, judges)

    def contents(self, league: League) -> dict[str, Content]:
        """The same of each bot."""
        return {entry.name: Content("tree", "built", entry.terms) for entry in league.entries}

    def roll_call(self, _league: League, _store: Path | None, _logs: Path) -> RollCall:
        """Nobody is called."""
        return RollCall({}, [], [])

    @contextmanager
    def executor(self, work: Work, run_dir: Path) -> Iterator[NodeExecutor]:  # noqa: ARG002 - nothing runs
        """The virtual nodes."""
        executor = NodeExecutor(work, self._league, lambda _: self._virtual, self._judges, lambda _: None)
        yield executor
        executor.close()


def main(deals: int) -> None:
    """Print the table."""
    print("| | microseconds a match | matches a second, one core |\n|---|---|---|")
    measured(1, 0, 10)  # all modules are loaded
    alone, with_judges = measured(deals, 0), measured(deals, 2)
    rows = {
        "the runner: plan, dispatch, season, store": alone.runner,
        "the runner, with handing matches to judges and back": with_judges.runner,
        "judges: each match by the rules": with_judges.judges,
        "messages: pickles of results, there and back": alone.messages,
    }
    for name, us in rows.items():
        print(f"| {name} | {us:,.0f} | {1e6 / us:,.0f} |")
    print(f"by the wall clock, with two judges: {with_judges.results:,.0f} matches a second")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
