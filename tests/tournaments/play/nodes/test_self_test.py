"""A machine that stood still excuses a bot that ran out of time, and no bot can make a machine seem to stand still."""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.match.conversation import Failed
from referee.match.transcript import FaultKind
from tests.tournaments.fakes import play_in_process
from tests.tournaments.leagues import plan
from tests.tournaments.play.nodes.leagues import CLOCK, GAME, avenue, played
from tournaments.league import league_seed
from tournaments.league.model import FinishedMatch, finished
from tournaments.play.nodes import self_test
from tournaments.play.nodes.self_test import ClockStalls, excused, ran_s, stood_still_s

LEAGUE = avenue()
FIXTURE = plan(LEAGUE)[0]
HEADER = league_seed.header(LEAGUE, bytes(32), FIXTURE)


def failed(kind: FaultKind) -> FinishedMatch:
    """A match that the first bot that is asked ends by this fault."""
    bots = [lambda _ask, _seed: Failed(kind, "it did")] * len(HEADER.entries)
    return finished(FIXTURE, play_in_process(GAME, HEADER, CLOCK, bots))


class Machine:
    """A clock, and what its cores ran, that a test sets."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.ran_s = 0.0

    def passes(self, seconds: float, ran_s: float) -> None:
        self.now_s += seconds
        self.ran_s += ran_s


@contextmanager
def watched(machine: Machine) -> Iterator[ClockStalls]:
    stills = ClockStalls(lambda: machine.now_s, lambda: machine.ran_s)
    stills.close()  # the test looks itself
    stills._cores = 4
    yield stills


@pytest.mark.parametrize("kind", [FaultKind.TIMEOUT, FaultKind.NO_START])
def test_a_bot_that_ran_out_of_time_while_the_machine_stood_still_has_no_fault(kind: FaultKind) -> None:
    void = excused(failed(kind), still_s=0.4)
    assert void is not None
    assert void.busy
    assert void.reason == "a bot ran out of time while the machine stood still for 0.4 s"


def test_within_the_margin_it_has() -> None:
    assert excused(failed(FaultKind.TIMEOUT), still_s=0.1) is None


@pytest.mark.parametrize("kind", [FaultKind.CRASH, FaultKind.ILLEGAL, FaultKind.PROTOCOL])
def test_other_faults_are_not_excused_and_no_match_without_a_fault_is_void(kind: FaultKind) -> None:
    assert excused(failed(kind), still_s=60) is None
    assert excused(finished(FIXTURE, played(HEADER)), still_s=60) is None


@given(st.floats(0, 100), st.floats(0, 800), st.integers(1, 64), st.floats(0, 800))
def test_what_any_program_ran_is_taken_off_so_that_more_work_never_makes_a_standstill(
    late_s: float, ran_s: float, cores: int, more_s: float
) -> None:
    still_s = stood_still_s(late_s, ran_s, cores)
    assert 0 <= still_s <= late_s
    assert stood_still_s(late_s, ran_s + more_s, cores) <= still_s
    assert stood_still_s(late_s, late_s * cores, cores) == pytest.approx(0, abs=1e-9)  # all cores were busy


def test_standstills_since_a_moment_are_added_up_and_those_before_it_are_not() -> None:
    machine = Machine()
    with watched(machine) as stills:
        machine.passes(2.1, ran_s=0)
        stills.look()
        since = machine.now_s
        for seconds, ran in [(0.1, 0.4), (1.1, 0.0), (0.1, 0.0), (3.1, 4.0)]:
            machine.passes(seconds, ran)
            stills.look()
        assert stills.since(since) == pytest.approx(1 + 2)
        assert stills.since(machine.now_s) == 0


def test_a_standstill_that_nobody_has_looked_at_yet_counts() -> None:
    machine = Machine()
    with watched(machine) as stills:
        since = machine.now_s
        machine.passes(5.1, ran_s=0)
        assert stills.since(since) == pytest.approx(5)


def test_many_places_may_ask_at_once_while_the_machine_stands_still_again_and_again() -> None:
    seconds, usual_s = count(), sys.getswitchinterval()
    stills = ClockStalls(lambda: float(next(seconds)), lambda: 0.0)
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as places:
            asked = [places.submit(lambda: [stills.since(0) for _ in range(400)]) for _ in range(4)]
        assert all(told[-1] > 0 for told in (each.result() for each in asked))
    finally:
        sys.setswitchinterval(usual_s)
        stills.close()


def test_late_timers_of_a_machine_whose_cores_are_all_busy_are_no_standstill() -> None:
    machine = Machine()
    with watched(machine) as stills:
        since = machine.now_s
        machine.passes(2.1, ran_s=8.2)
        assert stills.since(since) == 0


def test_the_thread_looks_by_itself_and_this_machine_runs() -> None:
    looks: list[float] = []

    def clock() -> float:
        looks.append(time.monotonic())
        return looks[-1]

    stills = ClockStalls(clock)
    _eventually(lambda: len(looks) > 3)
    stills.close()
    before = ran_s()
    until = time.monotonic() + 0.2
    while time.monotonic() < until:
        pass
    assert ran_s() > before
    assert self_test._TICK_S < 1


def _eventually(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)
