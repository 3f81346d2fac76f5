"""Which bots come to the service of a league, as a run hears it."""

from pathlib import Path

import pytest

from tournaments.results import live_seats


def test_a_bot_that_stays_here_has_come_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said = iter([{"a": (1, 0, 0)}, {"a": (1, 0, 5)}, {"a": (0, 1, 7)}, {}, {"a": (1, 0, 9)}])
    monkeypatch.setattr(live_seats, "_reported", lambda _service_lock: next(said))
    monkeypatch.setattr(live_seats, "LOOK_MS", 0)
    watch = live_seats.SeatWatch(Path("lock"))
    assert [watch.came() for _ in range(5)] == [{"a"}, set(), set(), set(), {"a"}]


def test_a_service_that_does_not_run_says_nothing(tmp_path: Path) -> None:
    assert live_seats.SeatWatch(tmp_path / "nobody.lock").came() == set()
