"""Whether a worker grows: its memory after many matches compared with its memory after few."""

import multiprocessing
import re
import tempfile
from pathlib import Path

from benchmarks.leagues import echo_league
from benchmarks.rows import Pair, Row, Target, paired_row
from tournaments.machine import ThisMachine
from tournaments.run import to_play

_FEW = 100
_MANY = 10_000
_TARGET = Target(first=1.1, then=1.02)


def rows() -> list[Row]:
    """The row."""
    after_few, after_many = worker_mib(_FEW, _MANY)
    name = f"memory of a worker in MiB after {_MANY} matches, over after {_FEW}"
    return [paired_row(name, [Pair(after_many, after_few)], "lower", _TARGET)]


def worker_mib(few: int, many: int) -> tuple[float, float]:
    """The resident memory in MiB of one worker after `few` and after `many` matches between echo bots."""
    league = echo_league(many // 2)
    mib = {}

    with (
        tempfile.TemporaryDirectory() as folder,
        to_play(league, f"sqlite:///{folder}/bench.sqlite", ThisMachine(1)) as run,
    ):
        for count, _ in enumerate(run.play(), 1):
            if count in (few, many):
                (worker,) = multiprocessing.active_children()
                mib[count] = _resident_mib(worker.pid)
    return mib[few], mib[many]


def _resident_mib(pid: int | None) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024
