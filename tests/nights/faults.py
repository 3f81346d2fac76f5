"""The faults of a night: which may strike, when, and how often, all drawn from one seed."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

NO_PROCESSES = "the machine cannot start processes"
BUSY = "the machine is busy"
DISK_FULL = "the disk is full"
CUT_OFF = "the store is cut off"
AWAY = "a remote bot is away"
FOLDER_AWAY = "the folder of a bot is away"
"""Faults that last for a while."""

LASTING = (NO_PROCESSES, BUSY, DISK_FULL, CUT_OFF, AWAY, FOLDER_AWAY)

WORKER_DIES = "a worker dies"
WORKER_HANGS = "a worker hangs"
NOT_STARTED = "a bot is not started, once"
BATCH_BREAKS = "a batch breaks"
NODE_LEAVES = "a node leaves"
UNAVAILABLE = "a remote bot is unavailable"
"""Faults of a match that begins."""

COMMIT_FAILS = "a commit fails"
COMMIT_UNHEARD = "a commit succeeds, and its answer is lost"
"""Faults of a transaction."""

CLOCK_JUMPS = "the clock jumps"
KILLED = "the runner is killed"
SIGNALLED = "the runner gets a signal"
BOT_FAILS = "a bot fails"

CHANCES: Mapping[str, float] = {
    WORKER_DIES: 0.04,
    WORKER_HANGS: 0.02,
    NOT_STARTED: 0.1,
    BATCH_BREAKS: 0.1,
    NODE_LEAVES: 0.05,
    UNAVAILABLE: 0.1,
    COMMIT_FAILS: 0.01,
    COMMIT_UNHEARD: 0.01,
    CLOCK_JUMPS: 0.002,
    KILLED: 0.6,
    SIGNALLED: 0.2,
}
"""How probable a fault is in a night that has it: at each match that begins, transaction, look at the clock, or run."""

_SHARE = 0.45
"""The part of the nights that have a fault."""

_SHORTEST_MS, _LONGEST_MS = 20, 5_000_000
"""A fault that lasts may last longer than the patience of a run."""

_LATEST_MS = 3_000
"""All lasting faults begin by then. Most leagues of forty matches take about a second on two workers."""


class Window(NamedTuple):
    """A time in which a fault lasts, in milliseconds since the night began; `end_ms` does not belong to it."""

    start_ms: int
    end_ms: int


class FaultPlan(NamedTuple):
    """The faults of a night.

    Attributes:
        lasting: when each lasting fault lasts.
        chances: how probable each other fault is. One that is missing does not strike.
    """

    lasting: Mapping[str, Sequence[Window]]
    chances: Mapping[str, float]


QUIET = FaultPlan({}, {})


def draw_faults(rng: Random) -> FaultPlan:
    """The faults of a night. About half of all kinds strike, so that every kind meets every other and none."""
    lasting = {fault: _windows(rng) for fault in LASTING if rng.random() < _SHARE}
    chances = {fault: chance * rng.choice((0.3, 1, 5)) for fault, chance in CHANCES.items() if rng.random() < _SHARE}
    return FaultPlan(lasting, chances)


def _windows(rng: Random) -> list[Window]:
    starts = [round(_LATEST_MS * rng.random() ** 2) for _ in range(rng.choice((1, 1, 2)))]
    return [Window(start, start + _length(rng)) for start in starts]


def _length(rng: Random) -> int:
    """Short and long times are equally probable."""
    ratio: float = (_LONGEST_MS / _SHORTEST_MS) ** rng.random()
    return round(_SHORTEST_MS * ratio)
