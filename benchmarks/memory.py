"""Whether a worker grows: its memory after many matches compared with its memory after few."""

import multiprocessing
import re
import tempfile
from pathlib import Path

from msgspec.structs import replace

from benchmarks.leagues import echo_league
from benchmarks.rows import Pair, Row, Target, paired_row
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run

_FEW = 100
_MANY = 10_000
_BATCH = 256
_TARGET = Target(first=1.1, then=1.02)
_IN_BATCHES = Target(first=1.3, then=1.15)


def rows() -> list[Row]:
    """The worker over itself, earlier; and one that plays in batches over one that does not."""
    after_few, after_many = worker_mib(_FEW, _MANY)
    _, in_batches = worker_mib(_FEW, _MANY, _BATCH)
    later = f"memory of a worker in MiB after {_MANY} matches, over after {_FEW}"
    batched = f"memory of a worker in MiB after {_MANY} matches in batches of {_BATCH}, over singly"
    return [
        paired_row(later, [Pair(after_many, after_few)], "lower", _TARGET),
        paired_row(batched, [Pair(in_batches, after_many)], "lower", _IN_BATCHES),
    ]


def worker_mib(few: int, many: int, batch: int = 1) -> tuple[float, float]:
    """The resident memory in MiB of one worker after `few` and after `many` matches between echo bots."""
    league = replace(echo_league(many // 2), batch=batch)
    mib = {}

    with (
        tempfile.TemporaryDirectory() as folder,
        open_run(league, f"sqlite:///{folder}/bench.sqlite", LocalEnvironment(1)) as run,
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
