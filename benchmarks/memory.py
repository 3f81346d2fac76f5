"""Whether a worker grows: its memory after many matches, against after few."""

import multiprocessing
import re
import tempfile
from pathlib import Path

from benchmarks.echoes import SEED
from benchmarks.leagues import echo_league
from benchmarks.rows import Pair, Row, Target, paired_row
from referee.match.transcript import Header
from tournaments import seeding
from tournaments.executors.local import LocalExecutor
from tournaments.executors.work import work_of
from tournaments.model import Fixture
from tournaments.schedule import plan, sittings

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

    def header(fixture: Fixture) -> Header:
        return seeding.header(league, SEED, fixture)

    with tempfile.TemporaryDirectory() as run_dir, LocalExecutor(work_of(league), 1, Path(run_dir)) as executor:
        (worker,) = multiprocessing.active_children()
        results = executor.play(sittings(plan(league)), header, lambda _: True)
        for count, _ in enumerate(results, 1):
            if count in (few, many):
                mib[count] = _resident_mib(worker.pid)
    return mib[few], mib[many]


def _resident_mib(pid: int | None) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024
