"""What the kernel says of processes that run, sleep, wait for a core, and are gone."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.match.starvation import CpuSample, CpuTotals, Starvation, between
from referee.runtime import process_counters
from referee.runtime.process_counters import counted, cpu_clock

pytestmark = pytest.mark.process

SPIN = "import os; os.sched_setaffinity(0, {int(os.sys.argv[1])})\nprint(flush=True)\nwhile True: pass"


@contextmanager
def spinning(many: int) -> Iterator[list[int]]:
    """So many processes that compute on the same core, each in a session of its own; their pids."""
    core = str(min(os.sched_getaffinity(0)))
    started = [
        subprocess.Popen([sys.executable, "-S", "-c", SPIN, core], stdout=subprocess.PIPE, start_new_session=True)
        for _ in range(many)
    ]
    try:
        for process in started:
            assert process.stdout is not None
            process.stdout.readline()
        yield [process.pid for process in started]
    finally:
        for process in started:
            process.kill()
            process.communicate()


def happened_between(before: CpuTotals, after: CpuTotals) -> Starvation:
    """What happened, if a minute passed."""
    first = CpuSample(0, 0, 0, before, 0, 0)
    return between(first, first, CpuSample(60_000_000_000, 0, 0, after, 0, 0))


@pytest.mark.slow
def test_a_process_that_shares_its_core_with_others_waits_most_of_the_time() -> None:
    with spinning(4) as (bot, *_):
        before = counted([bot])
        time.sleep(1.0)
        after = counted([bot])
    happened = happened_between(before, after)
    assert happened.waited_ns > 400_000_000
    assert happened.ran_ns < 600_000_000


@pytest.mark.slow
def test_processes_that_wait_for_each_other_keep_themselves_from_running() -> None:
    with spinning(3) as bots:
        before = counted(bots)
        time.sleep(1.0)
        after = counted(bots)
    waited_ns = sum(thread.waited_ns for thread in after.threads.values())
    assert waited_ns > 1_000_000_000
    others_ns = 1_000_000_000 - happened_between(before, after).ran_ns
    assert happened_between(before, after).waited_ns < max(0, others_ns) + 400_000_000


def test_a_process_that_sleeps_neither_runs_nor_waits() -> None:
    with subprocess.Popen(["sleep", "60"]) as sleeping:
        time.sleep(0.3)
        before = counted([sleeping.pid])
        time.sleep(0.3)
        happened = happened_between(before, counted([sleeping.pid]))
        sleeping.kill()
    assert happened.ran_ns == happened.waited_ns == 0


def test_a_process_that_is_gone_is_left_out() -> None:
    with subprocess.Popen(["true"]) as process:
        process.wait()
    assert counted([process.pid, os.getpid()]).processes.keys() == {os.getpid()}
    with pytest.raises(ProcessLookupError):
        cpu_clock(process.pid)


@pytest.mark.parametrize(("content", "kept"), [("5 0 1", True), ("0 0 0", False), ("", False)])
def test_a_kernel_that_counts_nothing_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, kept: bool
) -> None:
    (tmp_path / "schedstat").write_text(content)
    monkeypatch.setattr(process_counters, "_OWN", str(tmp_path / "schedstat"))
    assert process_counters.are_kept.__wrapped__() is kept
