"""`referee doctor` says whether bots can be confined, what removes the obstacle, and what a confined bot can do."""

import sys

import pytest

from referee.cli import doctor
from referee.core.bot_limits import Sandbox, SandboxLimits
from referee.runtime.sandbox import landlock, runtimes
from referee.runtime.sandbox.description import GROUPS
from referee.runtime.sandbox.obstacles import Obstacle
from referee.runtime.sandbox.run_command import run_building
from referee.runtime.sandbox.runtimes import Runtime
from referee.runtime.sandbox.self_test import Point, SelfTest
from tests.cli.command import referee
from tests.runtime.sandbox.needed import needs_bwrap, needs_landlock

pytestmark = pytest.mark.process

PROFILE = Obstacle("\x1b[31mno", "write\n    profile bwrap {\n      userns,\n    }\nand load it")


@pytest.fixture(autouse=True)
def few_runtimes(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [(run, command) for run, command in runtimes._COMMANDS if command[0] == sys.executable]
    monkeypatch.setattr(runtimes, "_COMMANDS", (*known, (run_building, ("no-such-program",))))


@pytest.fixture
def no_box(monkeypatch: pytest.MonkeyPatch) -> None:
    def tried(sandbox: Sandbox) -> SelfTest:
        points = (Point("it flies", True), Point("it swims", False))
        return SelfTest(sandbox, PROFILE) if sandbox == "bubblewrap" else SelfTest(sandbox, None, points)

    monkeypatch.setattr(doctor, "tried", tried)


@needs_bwrap
@needs_landlock
def test_where_boxes_work_it_says_what_was_tried_and_which_programs_run() -> None:
    ended = referee("doctor")
    assert (ended.code, ended.err) == (0, "")
    box, fenced, clock, described, programs = ended.out.strip().split("\n\n")
    assert box.splitlines()[0] == "bubblewrap: works here"
    assert [line[:6] for line in box.splitlines()[1:]] == ["  ok  "] * 9
    assert fenced.splitlines()[0] == "landlock (by hand only, weaker than a box): works here"
    assert landlock.WEAKNESSES[0].split()[-1] in fenced
    assert clock.splitlines()[1].startswith("  ok    the clock of a bot stands still")
    assert f"{SandboxLimits().processes} processes and threads" in described
    assert [call for calls in GROUPS.values() for call in calls if f"{call}" not in described] == []
    version = f"Python {sys.version.split()[0]}"
    assert programs.splitlines()[1:] == [f"  ok    python    {version}", "  -     no-such-program  is not installed"]
    assert [line for line in ended.out.splitlines() if len(line) > 100] == []


@needs_bwrap
@needs_landlock
def test_as_json_it_says_the_same() -> None:
    ended = referee("doctor", "--json")
    assert ended.code == 0
    told = ended.json
    assert set(told) == {"bubblewrap", "landlock", "waits_are_counted", "box", "runtimes"}
    assert told["bubblewrap"]["obstacle"] is told["landlock"]["obstacle"] is None
    assert {point["holds"] for point in told["bubblewrap"]["points"]} == {True}
    assert told["landlock"]["weaknesses"] == landlock.weaknesses(told["landlock"]["version"])
    assert told["box"]["limits"]["memory_mib"] == SandboxLimits().memory_mib
    assert set(told["box"]["refused"]) == set(GROUPS)
    assert [runtime["runs"] for runtime in told["runtimes"]] == [True, None]


def test_it_says_when_the_kernel_does_not_count_how_long_bots_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.runtime.process_counters.are_kept", lambda: False)
    told = referee("doctor").out
    assert "FAIL  the kernel does not count how long programs wait" in told
    assert "remedy        leave each bot a core of its own" in told
    assert referee("doctor", "--json").json["waits_are_counted"] is False


@pytest.mark.usefixtures("no_box")
def test_a_point_that_fails_has_a_remedy() -> None:
    lines = referee("doctor").out.splitlines()
    fails = lines.index("  FAIL  it swims")
    assert lines[fails + 1].startswith("  remedy        run no bots of strangers in landlock here")


def test_a_program_that_does_not_run_in_a_box_has_a_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "say", print)
    doctor._print_runtimes([Runtime("node", "/home/me/node", False, "not found"), Runtime("go", None)])
    _, fails, remedy, *_, absent = capsys.readouterr().out.splitlines()
    assert fails == "  FAIL  node      not found"
    assert remedy.startswith("  remedy        /home/me/node does not run in a box, which shows /usr; install it there")
    assert absent == "  -     go        is not installed"


@pytest.mark.usefixtures("no_box")
def test_where_they_do_not_it_names_obstacle_and_remedy_and_ends_with_1() -> None:
    ended = referee("doctor")
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.splitlines()[:7] == [
        "bubblewrap: does not work here",
        r"  obstacle      \x1b[31mno",
        "  remedy        write",
        "                    profile bwrap {",
        "                      userns,",
        "                    }",
        "                and load it",
    ]
    assert "  ok    it flies\n  FAIL  it swims\n" in ended.out
    assert f"  ?     python    {sys.executable}" in ended.out


@pytest.mark.usefixtures("no_box")
def test_as_json_it_ends_with_1_too() -> None:
    ended = referee("doctor", "--json")
    assert ended.code == 1
    assert ended.json["bubblewrap"]["obstacle"] == {"what": PROFILE.what, "remedy": PROFILE.remedy}
    assert {runtime["runs"] for runtime in ended.json["runtimes"]} == {None}
