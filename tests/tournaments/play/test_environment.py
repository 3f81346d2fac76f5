"""What a league needs of the machine before it is played."""

import os
from pathlib import Path

import msgspec
import pytest

from referee.core.bot_limits import Sandbox
from referee.match.terms import Clock
from referee.runtime.confinement import confinement
from referee.runtime.sandbox.obstacles import Obstacle
from tests.tournaments.leagues import league
from tournaments.play import environment
from tournaments.play.bots import RollCall
from tournaments.play.environment import LocalEnvironment
from tournaments.play.workers.worker_messages import Work


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[Sandbox]:
    """No sandbox works; which ones were tried."""
    found: list[Sandbox] = []

    def obstacle(sandbox: Sandbox) -> Obstacle:
        found.append(sandbox)
        return Obstacle("it is Monday", "wait")

    async def roll_call(*_: object) -> RollCall:
        return msgspec.convert({"bots": {}, "problems": [], "away": []}, RollCall)

    monkeypatch.setattr(environment, "obstacle", obstacle)
    monkeypatch.setattr(environment, "roll_call", roll_call)
    return found


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
def test_a_league_whose_bots_cannot_be_confined_as_it_asks_is_refused(kind: Sandbox, tried: list[Sandbox]) -> None:
    (problem,) = (
        LocalEnvironment(1).roll_call(msgspec.structs.replace(league(), sandbox=kind), None, Path("logs")).problems
    )
    assert problem.startswith(f"the bots need a box, and {kind} does not work here: it is Monday; see `referee doctor`")
    assert tried == [kind]


def test_a_league_that_asks_for_no_box_needs_none(tried: list[Sandbox]) -> None:
    trusted = msgspec.structs.replace(league(), sandbox="none")
    assert LocalEnvironment(1).roll_call(trusted, None, Path("logs")).problems == []
    assert tried == []


@pytest.mark.parametrize("spared", [0, 1])
def test_a_run_keeps_to_the_cores_of_its_workers_if_and_only_if_others_are_spared_for_a_service(
    spared: int, tmp_path: Path
) -> None:
    usual = os.sched_getaffinity(0)
    nothing = Work("auction", Clock(), {}, {}, confinement("none"))
    with LocalEnvironment(1, spared).executor(nothing, tmp_path):
        meanwhile = os.sched_getaffinity(0)
    assert len(meanwhile) == (1 if spared else len(usual))
    assert meanwhile <= usual
    assert os.sched_getaffinity(0) == usual
