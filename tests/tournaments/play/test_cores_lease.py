"""Turns of a run and of a service on the same cores."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tournaments.play import cores
from tournaments.play.cores import CoreLease, hold_lease


def soon(holds: Callable[[], bool]) -> bool:
    """Whether something holds within a generous time."""
    until_s = time.monotonic() + 30
    while not holds():
        if time.monotonic() > until_s:
            return False
        time.sleep(0.01)
    return True


def test_while_nobody_plays_the_service_has_its_turn_at_once_and_again(tmp_path: Path) -> None:
    with CoreLease(tmp_path / "a.lock") as turn:
        for _ in range(3):
            assert turn.take()
            turn.give_back()


def test_while_a_wave_is_played_the_service_waits_and_at_its_end_it_works_before_the_next_wave(tmp_path: Path) -> None:
    lock, order = tmp_path / "a.lock", list[str]()
    with CoreLease(lock) as turn, hold_lease(lock) as yield_cores:
        assert not turn.take()

        def serve() -> None:
            assert soon(turn.take)
            order.append("built")
            turn.give_back()

        service = threading.Thread(target=serve)
        service.start()
        time.sleep(0.05)
        assert order == []
        yield_cores()
        order.append("next wave")
        service.join()
        assert not turn.take()
    assert order == ["built", "next wave"]


def test_a_run_waits_for_the_turn_that_the_service_has_and_says_so(tmp_path: Path) -> None:
    lock, begun, told = tmp_path / "a.lock", threading.Event(), list[str]()
    with CoreLease(lock) as turn:
        assert turn.take()

        def run() -> None:
            with hold_lease(lock, told.append):
                begun.set()

        runner = threading.Thread(target=run)
        runner.start()
        assert not begun.wait(0.3)
        turn.give_back()
        assert begun.wait(30)
        runner.join()
    assert told == ["a bot that was submitted is built or checked on the cores of this run, which begins after that"]


def test_a_service_that_wishes_and_works_elsewhere_does_not_stop_a_league(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, "_PATIENCE_S", 0.2)
    lock = tmp_path / "a.lock"
    with CoreLease(lock) as turn, hold_lease(lock) as yield_cores:
        assert not turn.take()
        yield_cores()
        turn.give_back()
        yield_cores()


def test_without_a_service_giving_way_takes_no_time(tmp_path: Path) -> None:
    with hold_lease(tmp_path / "a.lock") as yield_cores:
        for _ in range(1_000):
            yield_cores()
