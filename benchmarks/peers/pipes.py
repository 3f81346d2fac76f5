"""A whole league of ours beside a small C program that does what programs for chess tournaments do.

It plays two games at once. In each, two engines in C get a line and answer with a line, one move after the other, over
pipes (arbiter.c, engine.c). It hides nothing, records nothing and has no clock, so this is the most that pipes allow.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

from benchmarks.leagues import WORKERS, echo_league, played
from benchmarks.rows import Missing, Pair, Row, missing_row, paired_row
from benchmarks.shares import spent_us

_ROUNDS = 3
_DEALS = 500
_GAMES = 5_000
STONES = 120
"""Sixty moves a game, as many as chess engines make in a short one."""

_HERE = Path(__file__).parent
_RATE = "decisions / s of a whole league on 2 cores, over moves / s of C engines over pipes"
_COST = "CPU us / decision of a whole league, over CPU us / move of C engines over pipes"
_LONGEST_S = 300


class Programs(NamedTuple):
    """The compiled programs."""

    arbiter: Path
    engine: Path
    line_bot: Path


class Played(NamedTuple):
    """What an arbiter prints.

    Attributes:
        moves: of both engines in all games.
        seconds: of wall time, from the first question to the last answer.
        won: the games that the engine won which began the first one.
    """

    moves: int
    seconds: float
    won: int

    @classmethod
    def read(cls, line: str) -> Self:
        """The printed line as a value."""
        moves, seconds, won = line.split()
        return cls(int(moves), float(seconds), int(won))


def rows() -> list[Row]:
    """The rates with a core for each game, as our workers have, and with cores as the kernel likes; and the cost."""
    cores = sorted(os.sched_getaffinity(0))[:WORKERS]
    places = {
        f"{_RATE}, each game on one core": [{cores[game % len(cores)]} for game in range(WORKERS)],
        f"{_RATE}, on any core": [set(cores)] * WORKERS,
    }
    league = echo_league(_DEALS)
    rates: dict[str, list[Pair]] = {name: [] for name in places}
    costs = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            programs = compiled(Path(folder))
        except Missing as missing:
            return [*(missing_row(name, "higher", missing) for name in places), missing_row(_COST, "lower", missing)]
        for _ in range(_ROUNDS):
            ours = played(league).decisions_a_second
            for name, games in places.items():
                rates[name].append(Pair(ours, moves_a_second(programs, games, _GAMES)))
            costs.append(Pair(sum(spent_us(league)), cpu_us_a_move(programs, _GAMES)))
    return [*(paired_row(name, some, "higher") for name, some in rates.items()), paired_row(_COST, costs, "lower")]


def compiled(folder: Path) -> Programs:
    """Compile the programs into the folder.

    Raises:
        Missing: there is no compiler, or it is none of C11.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        raise Missing("there is no C compiler called cc")
    programs = Programs(*(folder / name for name in Programs._fields))
    for program in programs:
        source = _HERE / f"{program.name}.c"
        command = [compiler, "-std=c11", "-O2", "-o", str(program), str(source)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            raise Missing(f"cc could not compile {source.name}: {ended.stderr.strip().partition(os.linesep)[0]}")
    return programs


def moves_a_second(programs: Programs, places: Sequence[set[int]], games: int) -> float:
    """Moves a second of arbiters that run at the same time, one for each set of cores, each with so many games."""
    arbiters = [_arbiter(programs, cores, games) for cores in places]
    results = [_result(arbiter) for arbiter in arbiters]
    return sum(result.moves for result in results) / max(result.seconds for result in results)


def cpu_us_a_move(programs: Programs, games: int) -> float:
    """Microseconds of processor time for a move, of arbiter and engines, all on one core."""
    before = os.times()
    result = _result(_arbiter(programs, {min(os.sched_getaffinity(0))}, games))
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds * 1e6 / result.moves


def played_games(programs: Programs, games: int, stones: int = STONES) -> Played:
    """Play so many games on any core."""
    return _result(_arbiter(programs, os.sched_getaffinity(0), games, stones))


def _arbiter(programs: Programs, cores: set[int], games: int, stones: int = STONES) -> subprocess.Popen[str]:
    with _on(cores):
        command = [str(programs.arbiter), str(programs.engine), str(games), str(stones)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _result(arbiter: subprocess.Popen[str]) -> Played:
    """What the arbiter prints at its end.

    Raises:
        RuntimeError: an engine broke a rule, or an arbiter could not do its work; with what the arbiter said.
    """
    with arbiter:
        printed, said = arbiter.communicate(timeout=_LONGEST_S)
    if arbiter.returncode != 0:
        raise RuntimeError(said.strip())
    return Played.read(printed)


@contextmanager
def _on(cores: set[int]) -> Iterator[None]:
    """What is started within runs on these cores only."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
