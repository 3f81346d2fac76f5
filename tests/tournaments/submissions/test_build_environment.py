"""Where submitted bots are built and checked: the resources and files of a build, and the sentences about it."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee.check.matches import Setup
from referee.check.run_check import Finding
from referee.core.bot_limits import Sandbox, SandboxLimits
from referee.runtime import run_build
from referee.runtime.probe_process import UnusableLimit
from referee.runtime.sandbox.runtimes import runtimes
from tests.cli.command import BOTS, REFEREE
from tests.runtime.sandbox.needed import needs_bwrap
from tests.tournaments.arena import write_bot
from tests.tournaments.leagues import league
from tournaments.league.model import League, TableSpec
from tournaments.league.service_terms import SubmissionTerms
from tournaments.submissions import build_environment as module
from tournaments.submissions.build_environment import (
    BotKilled,
    BuildFailed,
    CannotConfine,
    LocalBuildEnvironment,
    Tell,
    WorkLog,
)

OPTIONS = {"mode": "simple", "line_up": "1v1"}
LEAGUE = league((), game="agent-avenue", tables=(TableSpec("simple", 2, OPTIONS), TableSpec("again", 2, OPTIONS)))


def nobody(_text: str) -> None:
    """Ignore all output."""


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds are looked at all the time, and of all programs only Python is asked for its version."""
    monkeypatch.setattr(run_build, "LOOK_EVERY_S", 0.05)
    monkeypatch.setattr(module, "runtimes", lambda confined: runtimes(confined, ("python",)))


def build(
    folder: Path,
    script: str,
    terms: SubmissionTerms = SubmissionTerms(),  # noqa: B008 - frozen
    planned: League = LEAGUE,
    tell: Tell = nobody,
) -> Any:
    """Build a bot by a script of the shell; its bot is a file that the script may make."""
    words = json.dumps(["sh", "-c", script])
    head = 'name = "made"\nversion = "1"\nauthor = "the tests"\ngames = ["*"]\nrun = ["build/bot"]\n'
    (folder / "bot.toml").write_text(f"{head}build = {words}\n")
    return LocalBuildEnvironment(planned, terms).build(folder, tell)


MAKE = "mkdir -p build; touch build/bot; "


def test_a_build_is_told_line_by_line_with_a_mark_that_no_line_of_ours_has(tmp_path: Path) -> None:
    told: list[str] = []
    build(tmp_path, MAKE + "printf 'one\\ntw'; sleep 0.2; printf 'o\\nentered\\n'", tell=told.append)
    assert "".join(told) == "    | one\n    | two\n    | entered\n"


@pytest.mark.parametrize(
    ("script", "terms", "reason"),
    [
        ("exit 3", SubmissionTerms(), "the build command failed with code 3"),
        ("sleep 1000", SubmissionTerms(build_s=1), "the build was ended after 1 s"),
        (
            "true",
            SubmissionTerms(),
            r"bot.toml: run\[0\]: there is no file build/bot in the bot's folder after the build",
        ),
        (
            "head -c 3000000 /dev/zero > big; sleep 1000",
            SubmissionTerms(build_disk_mib=1),
            r"the build was ended because it filled its folder with \d MiB; allowed: 1",
        ),
        (
            "touch 1 2 3 4; sleep 1000",
            SubmissionTerms(),
            "the build was ended because it made more than 3 files and folders",
        ),
        (
            f"exec {shlex.quote(sys.executable)} -c 'x = bytes(range(256)) * 200_000; import time; time.sleep(1000)'",
            SubmissionTerms(build_memory_mib=20),
            r"the build was ended because it used \d\d+ MiB of memory; allowed: 20",
        ),
        (
            MAKE + "sed -i 1s/made/theirs/ bot.toml",
            SubmissionTerms(),
            "bot.toml: the build changed name; a build may not change what you submit",
        ),
        (MAKE + "sed -i 2s/1/2/ bot.toml", SubmissionTerms(), "the build changed version"),
        (MAKE + "sed -i s:build/bot:/bin/sh: bot.toml", SubmissionTerms(), "the build changed run"),
        (MAKE + "sed -i /^build/d bot.toml", SubmissionTerms(), "the build changed build"),
        (MAKE + "rm bot.toml", SubmissionTerms(), "bot.toml"),
        (MAKE + "ln -s /etc/passwd build/out", SubmissionTerms(), "build/out: this link leads out of the bot's folder"),
        (MAKE + "mkfifo build/pipe", SubmissionTerms(), "build/pipe: is a pipe"),
        (MAKE + "head -c 3000000 /dev/zero > big", SubmissionTerms(size_mib=1), "has more than 1 MiB"),
    ],
)
def test_a_build_that_fails_or_takes_or_leaves_too_much_is_ended_with_a_reason_without_our_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, terms: SubmissionTerms, reason: str
) -> None:
    if "files and folders" in reason:
        monkeypatch.setattr(module, "_MOST_WRITTEN", 3)
    with pytest.raises(BuildFailed, match=reason) as caught:
        build(tmp_path, script, terms)
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize("kind", ["none", pytest.param("bubblewrap", marks=needs_bwrap)])
@pytest.mark.parametrize(
    ("script", "kind_of_failure"),
    [
        ("kill -KILL $$", BotKilled),
        ("kill -TERM $$", BotKilled),
        ("kill -ABRT $$", BuildFailed),
        ("exit 9", BuildFailed),
    ],
)
def test_a_build_that_was_killed_is_told_from_one_that_failed(
    tmp_path: Path, kind: Sandbox, script: str, kind_of_failure: type[BuildFailed]
) -> None:
    with pytest.raises(BuildFailed, match=r"the build command failed with code -?\d+$") as caught:
        build(tmp_path, script, planned=league((), game="agent-avenue", sandbox=kind))
    assert type(caught.value) is kind_of_failure


def test_what_an_author_reads_has_no_path_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "organizer"))
    folder = tmp_path / "organizer" / "league" / "bot"
    folder.mkdir(parents=True)
    told: list[str] = []
    script = f"pwd; printf 'at {tmp_path}/organizer/league'; echo; "
    script += f"{shlex.quote(sys.executable)} -c 'import json; json.loads(\"no\")' || printf $PWD"
    build(folder, MAKE + script, tell=told.append)
    said = "".join(told)
    assert said.startswith("    | bot\n    | at ~/league\n")
    assert said.endswith("    | bot\n")
    assert "lib/python3" in said
    places = {str(tmp_path), sys.prefix, sys.base_prefix} - {"/usr"}  # where Python is the system's, it is everybody's
    assert [place for place in places if place in said] == []


def test_a_build_sees_nothing_of_our_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "secret")
    told: list[str] = []
    build(tmp_path, MAKE + "env", tell=told.append)
    assert "PATH=" in "".join(told)
    assert "secret" not in "".join(told)


@needs_bwrap
@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
def test_a_build_runs_in_the_box_without_a_network_also_where_bots_play_behind_landlock(
    tmp_path: Path, kind: str
) -> None:
    told: list[str] = []
    confined = league((), game="agent-avenue", sandbox=kind)
    versions = build(tmp_path, MAKE + "echo home $HOME; cat /proc/net/dev", planned=confined, tell=told.append)
    interfaces = [line for line in told if ":" in line]
    assert "    | home /tmp\n" in "".join(told)
    assert ["lo:" in line for line in "".join(interfaces).splitlines() if ":" in line] == [True]
    assert versions["python"].startswith("Python 3")


@needs_bwrap
def test_one_process_of_a_build_may_use_all_the_memory_and_fill_all_the_disk_of_the_build(tmp_path: Path) -> None:
    confined = league((), game="agent-avenue", sandbox="bubblewrap")
    much = "dd if=/dev/null of=/dev/null bs=5G count=1 && truncate -s 3G big && rm big"
    build(tmp_path, MAKE + much, SubmissionTerms(build_memory_mib=8192, build_disk_mib=4096), confined)


@needs_bwrap
@pytest.mark.slow
def test_a_machine_that_allows_few_open_files_costs_no_bot_its_build(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    shutil.copytree(BOTS / "random", bot)
    with (bot / "bot.toml").open("a") as manifest:
        manifest.write('build = ["true"]\n')
    command = ["prlimit", "--nofile=1024", str(REFEREE), "build", str(bot), "--sandbox", "bubblewrap"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_bwrap
def test_submitted_bots_are_not_taken_if_a_limit_of_the_sandbox_is_unusable() -> None:
    confined = replace(LEAGUE, sandbox="bubblewrap", limits=SandboxLimits(files=3))
    with pytest.raises(UnusableLimit, match=r"^sandbox\.files in the league file: 3 is too low; the least usable"):
        LocalBuildEnvironment(confined, SubmissionTerms()).check_confinement()


def test_where_no_box_can_be_made_nothing_is_built_or_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Obstacle:
        what = "it is Monday"

    monkeypatch.setattr(module, "obstacle", lambda _kind: Obstacle())
    confined = league((), game="agent-avenue", sandbox="bubblewrap")
    with pytest.raises(CannotConfine, match="bubblewrap does not work here: it is Monday"):
        LocalBuildEnvironment(confined, SubmissionTerms()).check_confinement()
    with pytest.raises(CannotConfine):
        build(tmp_path, MAKE, planned=confined)
    assert not (tmp_path / "build").exists()
    LocalBuildEnvironment(LEAGUE, SubmissionTerms()).check_confinement()  # sandbox = "none"


def test_a_check_is_made_at_every_table_and_told_point_by_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, str]] = []

    async def check(setup: Setup) -> tuple[Finding, ...]:
        asked.append((setup.seats, setup.options.mode))
        return (Finding("plays well", ("P-99",), setup.options.mode == "simple", "\x1b[2J"),)

    monkeypatch.setattr(module, "check", check)
    told: list[str] = []
    tables = (*LEAGUE.tables, TableSpec("teams", 4, {"mode": "advanced", "line_up": "2v2"}))
    bot = write_bot(tmp_path / "ann", "ann", tmp_path / "log")
    with pytest.raises(BuildFailed, match="did not keep the rules at teams:"):
        LocalBuildEnvironment(replace(LEAGUE, tables=tables), SubmissionTerms()).check(bot, told.append)
    assert asked == [(2, "simple"), (2, "simple"), (4, "advanced")]
    assert "".join(told[2:]) == (
        "table again:\n  ok    plays well (P-99): \\x1b[2J\ntable teams:\n  FAIL  plays well (P-99): \\x1b[2J\n"
    )


@pytest.mark.slow
@pytest.mark.process
def test_a_bot_that_does_not_keep_the_rules_fails_and_one_that_keeps_us_waiting_is_ended(tmp_path: Path) -> None:
    told: list[str] = []
    bot = write_bot(tmp_path / "ann", "ann", tmp_path / "log")
    toml = bot / "bot.toml"
    toml.write_text(toml.read_text().replace("{python}", "false"))
    with pytest.raises(
        BuildFailed, match="did not keep the rules at simple, again: see the points that begin with FAIL"
    ):
        LocalBuildEnvironment(LEAGUE, SubmissionTerms()).check(bot, told.append)
    assert any("  FAIL  starts in time" in line for line in told)
    toml.write_text(toml.read_text().replace('"false", ', '"sleep", "1000"] #'))
    with pytest.raises(BuildFailed, match="the check was ended after 1 s"):
        LocalBuildEnvironment(LEAGUE, SubmissionTerms(check_s=1)).check(bot, nobody)


def test_of_a_long_account_the_beginning_and_the_end_are_kept_and_all_is_told() -> None:
    told: list[str] = []
    account = WorkLog(told.append, most=5)
    for piece in ("abc", "defg", "x" * 10_000, "end"):
        account(piece)
    assert "".join(told) == "abcdefg" + "x" * 10_000 + "end"
    assert account.text == "abcde\n[6,005 more characters are not kept; the last are:]\n" + "x" * 3_997 + "end"
