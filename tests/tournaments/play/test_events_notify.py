import json
import os
import sys
import time
from pathlib import Path

import pytest

from tests.runtime.rogues import eventually
from tournaments.play.events import BotSuspended, MatchVoid, Notifier, RunEnded

pytestmark = pytest.mark.process

SUSPENDED = BotSuspended("autumn", "bob@1", 5, 9)
ENDED = RunEnded("autumn", "done", "", 0)


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def test_suspensions_and_the_end_are_told_as_json_and_nothing_else_is(tmp_path: Path) -> None:
    keep = "import sys, uuid; open(f'{sys.argv[1]}/{uuid.uuid4()}', 'w').write(sys.stdin.read())"
    notifier = Notifier(python(keep, str(tmp_path)))
    for event in (MatchVoid("match", "-", busy=False), SUSPENDED, ENDED):
        notifier.note(event)
    notifier.close()
    told = sorted((json.loads(file.read_text()) for file in tmp_path.iterdir()), key=lambda each: each["type"])
    assert told == [
        {"type": "end", "league": "autumn", "why": "done", "reason": "", "exit_code": 0},
        {"type": "suspension", "league": "autumn", "bot": "bob@1", "faults": 5, "matches": 9},
    ]
    assert notifier.failures == []


def test_without_a_command_nobody_is_told() -> None:
    notifier = Notifier([])
    notifier.note(ENDED)
    notifier.close()
    assert notifier.failures == []


@pytest.mark.parametrize(
    ("command", "failure"),
    [
        (["/nowhere/at-all"], "could not be started: No such file or directory"),
        (["with\0nul"], "could not be started: embedded null byte"),
        (python("import sys; sys.exit('no mail today')"), "ended with 1: no mail today"),
        (python("raise SystemExit(3)"), "ended with 3"),
    ],
)
def test_a_command_that_fails_is_told_in_one_sentence(command: list[str], failure: str) -> None:
    notifier = Notifier(command)
    notifier.note(ENDED)
    notifier.close()
    assert notifier.failures == [f"the command of [notify] {failure}"]


@pytest.mark.slow
def test_a_command_that_hangs_is_ended_with_its_children_and_the_run_does_not_wait_for_it(tmp_path: Path) -> None:
    hang = (
        "import os, subprocess, sys, time; child = subprocess.Popen(['sleep', '600']);"
        " open(sys.argv[1], 'w').write(f'{child.pid}\\n'); time.sleep(600)"
    )
    notifier = Notifier(python(hang, str(tmp_path / "child")), limit_s=2)
    began = time.monotonic()
    notifier.note(SUSPENDED)
    assert time.monotonic() - began < 1
    notifier.close()
    assert notifier.failures == ["the command of [notify] took longer than 2 s and was ended"]
    child = int((tmp_path / "child").read_text())
    assert eventually(lambda: not _runs(child))


def test_a_command_that_reads_nothing_is_no_failure() -> None:
    notifier = Notifier(["true"])
    notifier.note(RunEnded("autumn", "failure", "x" * 1_000_000, 3))
    notifier.close()
    assert notifier.failures == []


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
