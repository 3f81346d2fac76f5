"""Building bots: what is shown, when it ends, and that nothing is left of it."""

import json
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from referee.runtime import run_build
from referee.runtime.confinement import Unconfined
from referee.runtime.local_bot import LocalBot, read_sources
from referee.runtime.run_build import LimitExceeded, build
from tests.cli.command import referee, start
from tests.runtime.rogues import eventually, members

pytestmark = pytest.mark.process

FOREVER = "sleep 1000 & echo $$ > leader; echo begun; "
"""Leaves a child in the background that holds the output open."""


def bot_built_by(folder: Path, script: str) -> LocalBot:
    words = json.dumps(["sh", "-c", script])
    head = 'name = "made"\nversion = "1"\nauthor = "the tests"\ngames = ["*"]\nrun = ["./bot"]\n'
    (folder / "bot.toml").write_text(f"{head}build = {words}\n")
    return read_sources(folder)


def built(folder: Path, script: str, limit_s: float = 60.0) -> tuple[int | None, str]:
    """How the build ended, and what it said."""
    said: list[str] = []
    code = build(bot_built_by(folder, script), Unconfined(), limit_s, said.append)
    return code, "".join(said)


def assert_nothing_is_left(folder: Path) -> None:
    leader = int((folder / "leader").read_text())
    assert eventually(lambda: not members(leader))


def test_both_outputs_are_told_whole_and_the_code_is_given(tmp_path: Path) -> None:
    assert built(tmp_path, "echo one; echo two >&2; printf three; exit 4") == (4, "one\ntwo\nthree\n")


def test_a_build_that_a_signal_ends_says_which(tmp_path: Path) -> None:
    assert built(tmp_path, "kill -9 $$") == (-9, "")


def test_output_is_told_while_the_build_goes_on(tmp_path: Path) -> None:
    def tell(text: str) -> None:
        (tmp_path / "told").write_text(text)

    # It ends only when what it said has been told.
    script = "echo first; while [ ! -e told ]; do sleep 0.02; done"
    assert build(bot_built_by(tmp_path, script), Unconfined(), 60, tell) == 0


def test_children_that_outlive_the_build_are_ended_with_it(tmp_path: Path) -> None:
    assert built(tmp_path, FOREVER) == (0, "begun\n")
    assert_nothing_is_left(tmp_path)


def test_at_its_limit_a_build_is_ended_with_its_children(tmp_path: Path) -> None:
    assert built(tmp_path, FOREVER + "sleep 1000", limit_s=1.0) == (None, "begun\n")
    assert_nothing_is_left(tmp_path)


def test_a_build_that_closes_its_output_is_waited_for(tmp_path: Path) -> None:
    assert built(tmp_path, "exec >&- 2>&-; sleep 0.3; exit 3") == (3, "")


def test_of_too_much_output_the_beginning_and_the_end_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_build, "FIRST_SHOWN", 10)
    monkeypatch.setattr(run_build, "LAST_SHOWN", 6)
    code, said = built(tmp_path, "printf 0123456789abcdefghij; exit 1")
    assert (code, said) == (1, "0123456789\n[4 more characters are not shown; the last are:]\nefghij\n")


def test_a_flood_of_output_neither_fills_memory_nor_keeps_the_build_from_its_limit(tmp_path: Path) -> None:
    code, said = built(tmp_path, "yes", limit_s=0.5)
    assert code is None
    assert len(said) <= run_build.FIRST_SHOWN + run_build.LAST_SHOWN + 100


def test_a_process_that_left_the_session_and_writes_on_does_not_keep_the_build(tmp_path: Path) -> None:
    script = "setsid sh -c 'echo $$ > leader; exec yes' & while [ ! -s leader ]; do sleep 0.02; done"
    try:
        assert built(tmp_path, script)[0] == 0
    finally:
        with suppress(ProcessLookupError):  # it ends by itself as soon as nobody reads what it writes
            os.kill(int((tmp_path / "leader").read_text()), signal.SIGKILL)


def test_what_a_build_says_is_shown_escaped(tmp_path: Path) -> None:
    bot_built_by(tmp_path, r"printf '\033[2Jred\360\237'")
    ended = referee("build", tmp_path)
    assert (ended.code, ended.out) == (0, "\\x1b[2Jred\N{REPLACEMENT CHARACTER}\nmade@1 is built\n")


@pytest.mark.slow
def test_a_build_over_its_time_limit_is_one_sentence(tmp_path: Path) -> None:
    bot_built_by(tmp_path, FOREVER + "sleep 1000")
    ended = referee("build", tmp_path, "--time-limit", "1")
    hint = "if it only needs more time, set --time-limit"
    assert (ended.code, ended.err) == (1, f"{tmp_path}: its build command was ended after 1 s; {hint}\n")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_build_with_its_children(number: signal.Signals, tmp_path: Path, scratch: Path) -> None:
    bot_built_by(tmp_path, FOREVER + "sleep 1000")
    command = start(tmp_path, scratch, "build", tmp_path)
    assert eventually(lambda: (tmp_path / "leader").exists() and bool((tmp_path / "leader").read_text()))
    command.send_signal(number)
    _, err = command.communicate()
    assert (command.returncode, err) == (128 + number, "stopped before it was done\n")
    assert_nothing_is_left(tmp_path)


def test_a_signal_while_the_build_is_started_ends_it_as_soon_as_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hit(Exception):
        """A signal came."""

    def hit(*_: object) -> None:
        raise Hit

    real = run_build._popen

    def popen(*arguments: Any) -> subprocess.Popen[bytes]:
        started = real(*arguments)
        assert eventually(lambda: (tmp_path / "leader").exists() and bool((tmp_path / "leader").read_text()))
        os.kill(os.getpid(), signal.SIGTERM)
        return started

    monkeypatch.setattr(run_build, "_popen", popen)
    before = signal.signal(signal.SIGTERM, hit)
    try:
        with pytest.raises(Hit):
            built(tmp_path, FOREVER + "sleep 1000")
    finally:
        signal.signal(signal.SIGTERM, before)
    assert_nothing_is_left(tmp_path)


@pytest.mark.slow
def test_who_kills_the_referee_kills_the_build(tmp_path: Path, scratch: Path) -> None:
    bot_built_by(tmp_path, "echo $$ > leader; exec sleep 1000")
    command = start(tmp_path, scratch, "build", tmp_path)
    assert eventually(lambda: (tmp_path / "leader").exists() and bool((tmp_path / "leader").read_text()))
    command.kill()
    command.communicate()
    assert_nothing_is_left(tmp_path)


def test_a_build_that_takes_too_much_is_ended_with_its_children_and_what_it_took_is_said(tmp_path: Path) -> None:
    class Bounds:
        environment = None

        def limit_exceeded(self, session: int, folder: Path) -> str | None:
            assert folder == tmp_path
            begun = (folder / "leader").exists() and len(members(session)) > 1
            return "took it all" if begun else None

    with pytest.raises(LimitExceeded, match="took it all"):
        build(bot_built_by(tmp_path, FOREVER + "sleep 1000"), Unconfined(), 60, lambda _text: None, Bounds())
    assert_nothing_is_left(tmp_path)
