from itertools import count
from pathlib import Path

import pytest

from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tests.tournaments.play.test_waves import league
from tournaments.league.format_settings import BalancedSettings, SwissSettings
from tournaments.league.model import League
from tournaments.play.environment import REST_MS, TRIES, wait_out
from tournaments.play.participants import Participants
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.store import Store, StoreAway, StoreError
from tournaments.store.run_lock import LockLost


class Action:
    """Fails so often with an error."""

    def __init__(self, failures: int, error: Exception) -> None:
        self.calls = 0
        self._failures = failures
        self._error = error

    def __call__(self) -> int:
        self.calls += 1
        if self.calls <= self._failures:
            raise self._error
        return self.calls


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine(FakeExecutor())


def test_what_fails_while_the_server_is_away_is_done_when_it_is_back_and_both_is_said_once(
    machine: FakeMachine,
) -> None:
    assert wait_out(machine, Action(3, StoreAway("it is away"))) == 4
    assert machine.waited_ms == [REST_MS] * 3
    assert machine.told == [
        "it is away; the run keeps its results, and waits for the store",
        "the store is back, and the run goes on",
    ]
    assert wait_out(machine, Action(0, StoreAway(""))) == 1
    assert len(machine.told) == 2


def test_after_an_hour_of_rests_it_gives_up(machine: FakeMachine) -> None:
    with pytest.raises(StoreAway):
        wait_out(machine, Action(TRIES + 1, StoreAway("it is away")))
    assert sum(machine.waited_ms) == 3_600_000


@pytest.mark.parametrize("error", [StoreError("the disk is full"), LockLost("another runner")])
def test_nothing_else_is_waited_for(machine: FakeMachine, error: Exception) -> None:
    with pytest.raises(type(error)):
        wait_out(machine, Action(1, error))
    assert machine.waited_ms == []


@pytest.mark.parametrize("planned", [league(BalancedSettings(), deals=2), league(SwissSettings(rounds=2), deals=1)])
def test_a_run_whose_every_write_fails_before_and_after_it_is_done_plays_the_same_matches_as_often(
    planned: League, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = played(planned, f"sqlite:///{tmp_path / 'undisturbed.sqlite'}")
    disturbed = played(planned, f"sqlite:///{tmp_path / 'disturbed.sqlite'}", monkeypatch)
    assert disturbed == undisturbed


def played(
    planned: League, url: str, monkeypatch: pytest.MonkeyPatch | None = None
) -> tuple[str, list[str], list[tuple[str, bool]], int]:
    """Play a league whose matches are void at first. Returns its digest, results, void matches and waves."""
    executor = FakeExecutor(loses=lambda _fixture, attempt: attempt == 1)
    with open_run(planned, url, FakeMachine(executor)) as run:
        if monkeypatch is not None:
            assert run.results.state.goes_on()  # it has read what was played so far
            for name in ("save", "issue", "close_deals", "closing", "decisions", "results"):
                fail_twice(monkeypatch, Store, name)
            fail_twice(monkeypatch, Participants, "refresh")
        played = [result.fixture.id for result in run.play()]
        if monkeypatch is not None:
            monkeypatch.undo()
        voids = [(void.fixture, void.counts) for void in run._store.voids()]
        assert set(executor.started.values()) == {2}
        return league_standings(run.results).digest, played, voids, len(run._store.issues())


def fail_twice(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> None:
    """From now on, each call fails once before it does its work, and once after that; then it succeeds."""
    whole, calls = getattr(owner, name), count()

    def failing(*given: object) -> object:
        call = next(calls) % 3
        done = None if call == 0 else whole(*given)
        if call < 2:
            raise StoreAway("the connection was lost")
        return done

    monkeypatch.setattr(owner, name, failing)
