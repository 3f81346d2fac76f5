"""Bots that are killed from outside while they are checked: nothing is decided about them, whenever it happens."""

import os
import signal
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random

import pytest

from referee.core.bot_limits import Sandbox
from referee.runtime.bot_process import BotProcess
from tests.cli.command import BOTS
from tests.conftest import Tell
from tests.runtime.sandbox.needed import needs_bwrap, needs_landlock
from tests.tournaments.leagues import league
from tests.tournaments.workshops import nobody
from tournaments.league.model import TableSpec
from tournaments.league.service_terms import SubmissionTerms
from tournaments.submissions.build_environment import BotKilled, LocalBuildEnvironment

pytestmark = pytest.mark.process

TABLES = (TableSpec("simple", 2, {"mode": "simple", "line_up": "1v1"}),)
MOMENTS = 15
"""How often a bot is killed in each kind of box."""


def check(folder: Path, kind: Sandbox) -> None:
    planned = league((), game="agent-avenue", tables=TABLES, sandbox=kind)
    LocalBuildEnvironment(planned, SubmissionTerms()).check(folder, nobody)


def at_each_call(monkeypatch: pytest.MonkeyPatch, then: Callable[[int, BotProcess], None]) -> None:
    """Call `then` with a number and the process whenever a process is called the first time, goes on or has to rest."""
    numbers = count(1)
    for name in ("peer", "resume", "rest"):
        method = getattr(BotProcess, name)

        def called(process: BotProcess, method: Callable[[BotProcess], object] = method) -> object:
            then(next(numbers), process)
            return method(process)

        monkeypatch.setattr(BotProcess, name, called)


@pytest.mark.submissions
@pytest.mark.parametrize(
    "kind",
    ["none", pytest.param("landlock", marks=needs_landlock), pytest.param("bubblewrap", marks=needs_bwrap)],
)
def test_at_whichever_moment_a_bot_is_killed_from_outside_its_check_decides_nothing_against_it(
    kind: Sandbox, monkeypatch: pytest.MonkeyPatch, tell: Tell
) -> None:
    calls: list[int] = []
    with monkeypatch.context() as patch:
        at_each_call(patch, lambda number, _: calls.append(number))
        check(BOTS / "random", kind)
    rng, ends = Random(68), Counter[str]()
    for moment in rng.sample(calls, MOMENTS):
        how = rng.choice([signal.SIGKILL, signal.SIGTERM])

        def kill(number: int, process: BotProcess, moment: int = moment, how: int = how) -> None:
            if number == moment:
                os.kill(process.pid, how)

        with monkeypatch.context() as patch:
            at_each_call(patch, kill)
            try:
                check(BOTS / "random", kind)
            except BotKilled:
                ends["undecided"] += 1
            else:
                ends["passed all the same"] += 1
    assert ends["undecided"] > MOMENTS / 2
    tell(f"checks with {kind} in which a bot was killed", ends)


def test_a_bot_that_kills_itself_is_taken_for_one_that_was_killed_since_nobody_can_tell(tmp_path: Path) -> None:
    run = '["sh", "-c", "kill -KILL $$"]'
    (tmp_path / "bot.toml").write_text(f'name = "a"\nversion = "1"\nauthor = "a"\ngames = ["*"]\nrun = {run}\n')
    with pytest.raises(BotKilled, match="did not keep the rules at simple: see the points that begin with FAIL"):
        check(tmp_path, "none")
