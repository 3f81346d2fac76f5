"""How long it takes until something begins: a bot, the command line, a run of a long league."""

import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import uvloop

from benchmarks.echoes import CLOCK
from benchmarks.kernel import reference_second
from benchmarks.leagues import echo_league
from benchmarks.rows import Pair, Row, Target, paired_row, plain_row
from referee.runtime.confinement import Confinement, Unconfined
from referee.runtime.host import Bot, HostSettings
from referee.runtime.local_bot import read_bot
from referee.runtime.seat import SeatedBot
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run

_ROUNDS = 7
_BOT = Path("sample_bots/python/random")
_MILLION = 500_000  # deals, each played both ways

_HELP = Target(first=0.25, then=0.15)
_CPU_S = "CPU s, over a second of the reference machine"


def rows() -> list[Row]:
    """The rows."""
    bot = read_bot(_BOT)
    times = [uvloop.run(start_ms(bot, Unconfined())) for _ in range(_ROUNDS)]
    helps = [Pair(help_cpu_s(), reference_second()) for _ in range(_ROUNDS)]
    league_helps = [Pair(help_cpu_s("league"), reference_second()) for _ in range(_ROUNDS)]
    opened = [opening(_MILLION) for _ in range(_ROUNDS)]
    empty = [opening(1) for _ in range(_ROUNDS)]
    above = [long.mib - short.mib for long, short in zip(opened, empty, strict=True)]
    what = "start of a run with 1,000,000 planned fixtures"
    return [
        plain_row("start of a bot in Python (the sample bot random): ms", times, "lower"),
        paired_row(f"referee --help: {_CPU_S}", helps, "lower", _HELP),
        paired_row(f"referee league --help: {_CPU_S}", league_helps, "lower", _HELP),
        plain_row(f"{what}: s", [each.seconds for each in opened], "lower", Target(first=1, then=0.5)),
        plain_row(f"{what}: MiB above an empty run", above, "lower", Target(first=60, then=20)),
    ]


async def start_ms(bot: Bot, confinement: Confinement) -> float:
    """Milliseconds from starting the bot to its answer to Describe."""
    with tempfile.TemporaryDirectory() as run_dir:
        seat = SeatedBot(bot, HostSettings(Path(run_dir), confinement, CLOCK.start_ms))
        began = time.perf_counter()
        await seat.start()
        elapsed_ms = (time.perf_counter() - began) * 1000
        assert seat.alive
        await seat.stop()
    return elapsed_ms


def help_cpu_s(*words: str) -> float:
    """The processor time of `referee WORDS --help`, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "referee.cli.main", *words, "--help"], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Opening(NamedTuple):
    """What it took to get the first sitting; `mib` is all the memory that the process has used."""

    seconds: float
    mib: float


def opening(deals: int) -> Opening:
    """Open a league with this many deals in a new process, as a run does."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(_open, deals).result()


def _open(deals: int) -> Opening:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with open_run(echo_league(deals), f"sqlite:///{folder}/bench.sqlite", LocalEnvironment(1)) as run:
            first = next(run.results.state.sittings())
            seconds = time.perf_counter() - began
    assert first.fixtures
    return Opening(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
