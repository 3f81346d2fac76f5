"""The processor time of a whole league: which process spends it at a decision, and what the settings of a league add.

It is read from the kernel's counts, all processes of all bots included, from the tenth match of a league to its last.
So the start of the workers does not count; starts of bots do.
"""

import contextlib
import multiprocessing
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from benchmarks.kernel import kernel_rate
from benchmarks.leagues import WORKERS, echo_league
from benchmarks.rows import Pair, Row, paired_row
from tournaments.league.model import FinishedMatch, League
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run

_ROUNDS = 3
_FROM = 10  # matches
_DEALS = 1_000
_FRESH_DEALS = 25  # each of their matches starts two bots
_KERNEL_STEPS = 200_000
_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


class Spent(NamedTuple):
    """Seconds of processor time, or microseconds a decision."""

    runner: float
    workers: float
    bots: float


def rows() -> list[Row]:
    """Who spends it, over a step of the fixed kernel; and a league with a setting, over one without."""
    plain = echo_league(_DEALS)
    settings = _settings(plain)
    shares: dict[str, list[Pair]] = {part: [] for part in Spent._fields}
    costs: dict[str, list[Pair]] = {setting: [] for setting in settings}
    for _ in range(_ROUNDS):
        spent, step_us = spent_us(plain), 1e6 / kernel_rate(_KERNEL_STEPS)
        for part, us in spent._asdict().items():
            shares[part].append(Pair(us, step_us))
        for setting, league in settings.items():
            costs[setting].append(Pair(sum(spent_us(league)), sum(spent)))
    name = "CPU us / decision of a whole league"
    return [
        *(paired_row(f"{name}, {part}, over a step of a fixed kernel", some, "lower") for part, some in shares.items()),
        *(paired_row(f"{name}, {setting}, over one without", some, "lower") for setting, some in costs.items()),
    ]


def _settings(plain: League) -> dict[str, League]:
    """The league with each setting. Boxes are not among them: they are killed from outside, so counts are lost."""
    return {
        "pondering": replace(plain, pondering=True),
        "fresh": replace(plain, fresh=True, deals=_FRESH_DEALS),
    }


def spent_us(league: League, first: int = _FROM) -> Spent:
    """Microseconds a decision of runner, workers and bots, from this match on."""
    decisions, before = 0, Spent(0, 0, 0)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_run(league, f"sqlite:///{folder}/bench.sqlite", LocalEnvironment(WORKERS)) as run,
    ):
        for count, result in enumerate(run.play(), 1):
            assert isinstance(result, FinishedMatch)
            decisions += sum(result.decisions)
            if count == first:
                decisions, before = 0, _spent_s()
        after = _spent_s()
    return Spent(*((now - then) * 1e6 / decisions for now, then in zip(after, before, strict=True)))


def spent_in_all_s() -> float:
    """What this process and all its descendants have spent so far, in seconds, those that ended as well."""
    processes = _everyone()
    ours = {os.getpid()} | _descendants({os.getpid()}, processes)
    return sum(processes[pid].own_s + processes[pid].ended_s for pid in ours)


def _spent_s() -> Spent:
    """What this process, which is the runner, its workers and all their bots have spent so far, in seconds."""
    everyone = _everyone()
    workers = {pid for worker in multiprocessing.active_children() if (pid := worker.pid) in everyone}
    bots = _descendants(workers, everyone)
    return Spent(
        time.process_time(),
        sum(everyone[pid].own_s for pid in workers),
        sum(everyone[pid].own_s for pid in bots) + sum(everyone[pid].ended_s for pid in workers | bots),
    )


class _Process(NamedTuple):
    """A process: its parent, what it has spent itself, and what those of its children have spent that ended."""

    parent: int
    own_s: float
    ended_s: float


def _everyone() -> dict[int, _Process]:
    """All processes of the machine, by pid."""
    everyone = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            # The name, in parentheses, may contain anything. The numbers of proc(5) from the fourth follow, two on.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            own, ended = (sum(map(int, fields[at : at + 2])) / _TICKS_A_SECOND for at in (11, 13))
            everyone[int(folder.name)] = _Process(int(fields[1]), own, ended)
    return everyone


def _descendants(parents: set[int], everyone: Mapping[int, _Process]) -> set[int]:
    children = {pid for pid, process in everyone.items() if process.parent in parents}
    return children | _descendants(children, everyone) if children else set()
