"""Whose fault it is if a bot does not start: the bot's, or nobody's."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import uvloop

from referee.core.bot_limits import SandboxLimits
from referee.core.errors import CannotStart, Exit, Void
from referee.match.transcript import FaultKind
from referee.runtime.confinement import Confinement, Unconfined
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import is_away, unusable_program
from referee.runtime.probe_process import UnusableLimit, require_starts
from referee.runtime.remote_bot import Unreachable
from referee.runtime.sandbox.bubblewrap import Bubblewrap
from referee.runtime.shortages import is_shortage, remedy
from referee.runtime.table import play_once
from tests.auction import auction_header
from tests.runtime.rogues import ENTRY, PATIENT, bot_that_runs, faults, play_one, rogue, run_folder
from tests.runtime.sandbox.needed import needs_bwrap


@pytest.mark.parametrize(
    ("content", "mode", "words"),
    [
        (None, 0, "has no file ./program in its folder"),
        ("#!/bin/sh\n", 0o644, "has no right to execute ./program; give it: chmod +x ./program"),
        ("#!/bin/sh\r\n", 0o755, "has a first line in ./program that ends with CR LF, as on Windows"),
        ("#!/bin/sh\n", 0o755, None),
        ("\x7fELF", 0o755, None),
    ],
)
def test_a_program_that_cannot_be_run_is_named_with_what_is_wrong(
    tmp_path: Path, content: str | None, mode: int, words: str | None
) -> None:
    if content is not None:
        (tmp_path / "program").write_bytes(content.encode())
        (tmp_path / "program").chmod(mode)
    found = unusable_program(["./program"], tmp_path)
    assert found == words or (words is not None and found is not None and found.startswith(words))


def test_only_programs_in_the_folder_are_looked_at(tmp_path: Path) -> None:
    assert unusable_program(["no-such-program"], tmp_path) is None


def test_a_folder_is_away_if_its_manifest_is_not_there_as_on_a_disk_that_is_not_mounted(tmp_path: Path) -> None:
    bot = rogue(tmp_path, "honest")
    assert not is_away(bot.folder)
    bot.folder.rename(tmp_path / "elsewhere")
    assert is_away(bot.folder)
    bot.folder.mkdir()
    assert is_away(bot.folder)


def test_a_shortage_of_the_machine_is_told_from_other_errors_and_has_a_remedy() -> None:
    assert is_shortage(OSError(24, "Too many open files"))
    assert is_shortage(RuntimeError("can't start new thread"))
    assert not is_shortage(OSError(2, "No such file or directory"))
    assert not is_shortage(RuntimeError("no idea"))
    assert remedy(FileNotFoundError(2, "No such file", "setpriv")).startswith("install util-linux")
    assert "ulimit -n" in remedy(OSError(24, "Too many open files"))
    assert "TMPDIR" in remedy(OSError(28, "No space left on device"))


def tried(confinement: Confinement, before: Callable[[Path], None] = lambda _: None) -> None:
    with run_folder() as run_dir:
        before(run_dir)
        uvloop.run(require_starts(HostSettings(run_dir, confinement, PATIENT.start_ms)))


@pytest.mark.process
def test_a_machine_that_works_starts_the_probe_and_leaves_nothing_of_it() -> None:
    with run_folder() as run_dir:
        uvloop.run(require_starts(HostSettings(run_dir, Unconfined(), PATIENT.start_ms)))
        assert not list(run_dir.iterdir())


@pytest.mark.process
@needs_bwrap
def test_the_probe_starts_in_a_box_too() -> None:
    tried(Bubblewrap())


def refusal(monkeypatch: pytest.MonkeyPatch, given: SandboxLimits, *, starts: Callable[[SandboxLimits], bool]) -> str:
    """What is said of limits on a machine that starts the probe within those for which `starts` holds."""

    async def start(hosting: HostSettings) -> None:
        assert hosting.confinement.limits is not None
        if not starts(hosting.confinement.limits):
            raise Void("it ended")

    monkeypatch.setattr("referee.runtime.probe_process._start", start)
    with pytest.raises(CannotStart) as caught:
        tried(Bubblewrap(given))
    assert isinstance(caught.value, UnusableLimit) == (caught.value.exit_code == Exit.WRONG_USE)
    return str(caught.value)


def test_each_limit_with_which_nothing_starts_is_named_with_the_nearest_with_which_all_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def starts(limits: SandboxLimits) -> bool:
        return limits.memory_mib >= 8 * limits.processes and 19 <= limits.files <= 20_000 and limits.processes > 1

    given = SandboxLimits(memory_mib=16, processes=1, files=1 << 30)
    assert refusal(monkeypatch, given, starts=starts) == (
        "sandbox.files in the league file: 1073741824 is too high; the greatest usable value on this machine is 20000;"
        " sandbox.processes in the league file: 1 is too low; the least usable value on this machine is 2"
    )
    assert refusal(monkeypatch, SandboxLimits(memory_mib=100, processes=20), starts=starts) == (
        "sandbox.memory_mib in the league file: 100 is too low; the least usable value on this machine is 160"
    )


def test_no_limit_is_named_where_nothing_starts_within_usual_limits_either(monkeypatch: pytest.MonkeyPatch) -> None:
    said = refusal(monkeypatch, SandboxLimits(memory_mib=1), starts=lambda _: False)
    assert said == "no bot can be started here (it ended); see what `referee doctor` says"


@pytest.mark.process
@needs_bwrap
def test_a_bot_that_cannot_live_within_a_limit_in_which_our_relay_cannot_either_has_no_fault(tmp_path: Path) -> None:
    """Here even the shell that starts the relay fails, so that nobody reads the port that we write to it."""
    bots = [rogue(tmp_path, "honest", "tcp"), rogue(tmp_path, "exits")]
    box = Bubblewrap(SandboxLimits(processes=1))
    with pytest.raises(UnusableLimit, match=r"sandbox\.processes in the league file: 1 is too low; the least"):
        uvloop.run(play_once(ENTRY, bots, auction_header(seats=2, seed=1, rounds=3), PATIENT, box))


@pytest.mark.process
@pytest.mark.parametrize("confinement", [Unconfined(), pytest.param(Bubblewrap(), marks=needs_bwrap)], ids=str)
def test_a_machine_without_setpriv_can_start_nothing(confinement: Confinement, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CannotStart, match=r"no bot can be started here \(.*\); (install|see)"):
        tried(confinement)


@pytest.mark.process
def test_a_machine_whose_temporary_folder_is_gone_can_start_nothing() -> None:
    with pytest.raises(CannotStart, match=r"the folder for temporary files .* must stay there"):
        tried(Unconfined(), os.rmdir)


@pytest.mark.process
def test_a_bot_whose_folder_is_away_is_not_reached_and_has_no_fault(tmp_path: Path) -> None:
    away = rogue(tmp_path, "honest")
    away.folder.rename(tmp_path / "elsewhere")
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(Unreachable, match=r"its folder .* is not there now"):
        play_one([away, rogue(other, "honest")])


@pytest.mark.process
def test_a_bot_that_loses_its_folder_before_it_is_ready_has_no_fault(tmp_path: Path) -> None:
    bot = bot_that_runs(tmp_path / "moves", "sh", "-c", "mv bot.toml away; exit 3")
    with pytest.raises(Unreachable):
        play_one([bot, rogue(tmp_path, "honest")])


@pytest.mark.process
def test_if_the_machine_can_start_nothing_a_bot_that_does_not_start_has_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Void) as caught:
        play_one([rogue(tmp_path, "exits"), rogue(tmp_path, "honest")])
    assert isinstance(caught.value, CannotStart)


@pytest.mark.process
def test_the_fault_of_a_bot_whose_program_cannot_be_run_says_why(tmp_path: Path) -> None:
    bot = bot_that_runs(tmp_path / "plain", "./program", "{address}")
    (bot.folder / "program").write_text("#!/bin/sh\n")
    transcript = play_one([bot, rogue(tmp_path, "honest")])
    assert faults(transcript) == [(0, 0, FaultKind.NO_START)]
    (remark,) = transcript.metadata.remarks
    assert remark.text == (
        "ended before it could be called; its process ended with code 126;"
        " the bot has no right to execute ./program; give it: chmod +x ./program"
    )
