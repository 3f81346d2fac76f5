import subprocess
import sys

import pytest

from benchmarks import shares
from benchmarks.leagues import echo_league
from benchmarks.shares import _descendants, _everyone, _Process

BUSY = "import time\nwhile time.process_time() < 0.2: pass"


def test_what_a_process_spent_is_seen_as_its_own_and_after_its_end_as_its_parents() -> None:
    script = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BUSY!r}])\nprint(flush=True)\ninput()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        parent.stdout.readline()
        process = _everyone()[parent.pid]
        assert _descendants({process.parent}, _everyone()) >= {parent.pid}
        parent.communicate(b"\n")
    assert process.ended_s >= 0.15  # counted in ticks
    assert process.own_s < process.ended_s


def test_descendants_are_children_and_their_children() -> None:
    parents = {1: 0, 2: 1, 3: 2, 4: 3, 5: 1, 6: 5}
    everyone = {pid: _Process(parent, 0, 0) for pid, parent in parents.items()}
    assert _descendants({2}, everyone) == {3, 4}
    assert _descendants({4, 6}, everyone) == set()


@pytest.mark.slow
@pytest.mark.process
def test_runner_workers_and_bots_all_spend_something_on_a_league(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "_FROM", 1)
    spent = shares.spent_us(echo_league(10))
    assert min(spent) >= 0
    assert 20 < sum(spent) < 1_000_000
