"""Whole leagues on two cores: decisions per second compared with bare clients; matches per second of sample bots."""

import asyncio
import os
import tempfile
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from benchmarks.echoes import CLOCK, OPTIONS, SEED, BareTable, Script, script
from benchmarks.rows import Pair, Row, Target, paired_row, plain_row
from referee.match.transcript import Header
from referee.wire.registry import games
from tournaments.league import league_seed
from tournaments.league.model import Entry, League, TableSpec
from tournaments.play.environment import LocalEnvironment
from tournaments.play.nodes.self_test import ECHO
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.round_robin import RoundRobin

WORKERS = 2
_ROUNDS = 5
_DEALS = 1_500  # both ways, as many matches as the quickstart has
_SAMPLE_DEALS = 100
_QUICKSTART = Path("tournaments/leagues/quickstart.toml")
_TARGET = Target(first=1.1, then=1.3)


def rows() -> list[Row]:
    """The league of echo bots over its floor, and that of the sample bots."""
    league = echo_league(_DEALS)
    bare = scripts(league)
    pairs = [Pair(played(league).decisions_a_second, bare_rate(bare)) for _ in range(_ROUNDS)]
    samples = league_in(_QUICKSTART)
    rate = played(replace(samples, deals=_SAMPLE_DEALS)).matches_a_second
    return [
        paired_row(
            "decisions / s of a whole league on 2 cores, over bare clients of bots on grpc.aio",
            pairs,
            "higher",
            _TARGET,
        ),
        plain_row("matches / s of Agent Avenue simple, sample bots, 2 workers", [rate], "higher"),
    ]


def echo_league(deals: int, bot: Path = ECHO) -> League:
    """Two echo bots, each deal from both seats."""
    return League(
        name="bench",
        game="agent-avenue",
        rules_version=1,
        draw_probability=games()["agent-avenue"].game.draw_probability,
        deals=deals,
        seed=SEED.hex(),
        rehearsal=True,
        sandbox="none",
        fresh=False,
        pondering=False,
        clock=CLOCK,
        tables=(TableSpec("simple", 2, OPTIONS),),
        entries=(Entry("echo-a@1", str(bot)), Entry("echo-b@1", str(bot))),
    )


class Speed(NamedTuple):
    """How fast a league was."""

    matches: int
    decisions: int
    seconds: float

    @property
    def matches_a_second(self) -> float:
        """Of wall time."""
        return self.matches / self.seconds

    @property
    def decisions_a_second(self) -> float:
        """Of wall time."""
        return self.decisions / self.seconds


def played(league: League) -> Speed:
    """Play `league` into an empty store, from starting the workers to the last match stored."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_run(league, f"sqlite:///{folder}/bench.sqlite", LocalEnvironment(WORKERS)) as run,
    ):
        began = time.perf_counter()
        for _ in run.play():
            pass
        seconds = time.perf_counter() - began
        results = run.results.matches()
    assert all(not result.faults for result in results)
    return Speed(len(results), sum(sum(result.decisions) for result in results), seconds)


def scripts(league: League) -> list[Script]:
    """What each bare client sends in place of a worker: the matches of one rotation."""
    entry = games()[league.game]
    headers: list[list[Header]] = [[] for _ in range(WORKERS)]
    for fixture in RoundRobin(league).wave(0, NothingPlayed()) or ():
        headers[fixture.rotation].append(league_seed.header(league, SEED, fixture))
    return [script(entry, some) for some in headers]


def bare_rate(scripts: list[Script]) -> float:
    """Decisions per second of bare clients, each on its own core with two echo bots, counted once all are ready."""
    spawn, cores = get_context("spawn"), sorted(os.sched_getaffinity(0))
    ours, processes = [], []
    for number, each in enumerate(scripts):
        mine, theirs = spawn.Pipe()
        process = spawn.Process(target=_bare_client, args=(theirs, each, cores[number % len(cores)]))
        process.start()
        ours.append(mine)
        processes.append(process)
    for ready in ours:
        ready.recv()
    began = time.perf_counter()
    for go in ours:
        go.send(None)
    for done in ours:
        done.recv()
    seconds = time.perf_counter() - began
    for process in processes:
        process.join()
    return sum(each.decisions for each in scripts) / seconds


def _bare_client(runner: Connection, what: Script, core: int) -> None:
    os.sched_setaffinity(0, {core})

    async def play() -> None:
        async with BareTable() as bare:
            runner.send("ready")
            runner.recv()
            await bare.play(what.sent)
            runner.send("done")

    asyncio.run(play())
