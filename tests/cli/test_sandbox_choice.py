"""What `--sandbox` chooses, and what is said where it does not work."""

import pytest

from referee.cli import bot_arguments
from referee.core.bot_limits import Sandbox
from referee.runtime.sandbox.landlock import NOTE
from referee.runtime.sandbox.obstacles import Obstacle
from tests.cli.command import BOTS, Ended, referee
from tests.runtime.sandbox.needed import needs_landlock

pytestmark = pytest.mark.process


def play(*words: str) -> Ended:
    return referee("play", "agent-avenue", BOTS / "random", BOTS / "greedy", "--seed", "7", *words)


@pytest.fixture
def nothing_works(monkeypatch: pytest.MonkeyPatch) -> list[Sandbox]:
    """No sandbox works; which ones were tried."""
    tried: list[Sandbox] = []

    def obstacle(sandbox: Sandbox) -> Obstacle:
        tried.append(sandbox)
        return Obstacle("it is Monday", "wait")

    monkeypatch.setattr(bot_arguments, "obstacle", obstacle)
    return tried


@pytest.mark.slow
@needs_landlock
def test_landlock_is_said_aloud_and_changes_no_match() -> None:
    fenced, free = play("--sandbox", "landlock"), play("--sandbox", "none")
    assert (fenced.code, fenced.err) == (0, f"{NOTE}\n")
    assert (free.code, free.err) == (0, "")
    assert fenced.out == free.out


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
def test_what_is_asked_for_and_does_not_work_is_refused(kind: Sandbox, nothing_works: list[Sandbox]) -> None:
    ended = play("--sandbox", kind)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"{kind} does not work here: it is Monday; `referee doctor` says what to do\n"
    assert nothing_works == [kind]


def test_landlock_never_stands_in_for_a_box(nothing_works: list[Sandbox]) -> None:
    ended = play()
    assert ended.code == 0
    assert ended.err.startswith("bots run without a box, since bubblewrap does not work here: it is Monday")
    assert "hear and answer for others through /proc" in ended.err
    assert nothing_works == ["bubblewrap"]
