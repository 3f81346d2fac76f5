"""Ctrl-C, SIGTERM and SIGHUP end every command with one sentence, at any time."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import BOTS, REFEREE

SENTENCE = "stopped before it was done\n"
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]

HIT_WHILE_IMPORTING = """\
import os
try:
    os.kill(os.getpid(), {number})
except BaseException as error:  # as some packages do
    raise ImportError from error
"""

LOSES_EXCEPTIONS = """\
import os, time
from referee.cli.signals import end_on_signals, something_to_tidy_up

class Loses:
    def __del__(self):
        os.kill(os.getpid(), {number})

with end_on_signals():
    something_to_tidy_up()
    Loses()
    time.sleep(600)
"""

IN_A_TASK = """\
import asyncio, os, uvloop
from referee.cli.signals import end_on_signals, something_to_tidy_up

async def hit():
    os.kill(os.getpid(), {number})

async def main():
    task = asyncio.create_task(hit())
    await asyncio.sleep(600)

with end_on_signals():
    something_to_tidy_up()
    uvloop.run(main())
"""


def ended(command: list[str], path: Path | None = None) -> tuple[int, str]:
    """How a process ended, and what it said. It looks for modules in `path` first."""
    env = os.environ | ({} if path is None else {"PYTHONPATH": str(path)})
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    ("module", "command"),
    [("msgspec", ["games"]), ("typer", ["--help"]), ("uvloop", ["check", str(BOTS / "random")]),
     ("sqlalchemy", ["league", "run", "none.toml"])],
)  # fmt: skip
def test_a_signal_while_modules_are_imported_ends_any_command_with_one_sentence(
    tmp_path: Path, module: str, command: list[str], number: signal.Signals
) -> None:
    (tmp_path / f"{module}.py").write_text(HIT_WHILE_IMPORTING.format(number=int(number)))
    assert ended([str(REFEREE), *command], tmp_path) == (128 + number, SENTENCE)


def test_little_is_imported_before_signals_are_heard() -> None:
    script = "import sys; before = set(sys.modules); import referee.cli.signals; print(*set(sys.modules) - before)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert {name for name in loaded if name.partition(".")[0] not in sys.stdlib_module_names} <= {
        "referee",
        "referee.cli",
        "referee.cli.signals",
        "referee.core",
        "referee.core.errors",
    }


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("script", [LOSES_EXCEPTIONS, IN_A_TASK])
def test_a_signal_that_comes_where_exceptions_get_lost_ends_the_command_all_the_same(
    script: str, number: signal.Signals
) -> None:
    code, said = ended([sys.executable, "-c", script.format(number=int(number))])
    assert (code, said) == (128 + number, SENTENCE)


def test_a_signal_is_heard_also_by_a_process_that_was_started_to_ignore_it(tmp_path: Path) -> None:
    """A shell starts a process in the background like this."""
    (tmp_path / "typer.py").write_text(HIT_WHILE_IMPORTING.format(number=int(signal.SIGINT)))
    command = ["sh", "-c", 'trap "" INT; exec "$0" games', str(REFEREE)]
    assert ended(command, tmp_path) == (130, SENTENCE)


def test_sighup_is_not_heard_by_a_process_that_was_started_to_ignore_it(tmp_path: Path) -> None:
    """So nohup(1) starts it."""
    (tmp_path / "typer.py").write_text(HIT_WHILE_IMPORTING.format(number=int(signal.SIGHUP)) + "raise SystemExit(7)")
    command = ["sh", "-c", 'trap "" HUP; exec "$0" games', str(REFEREE)]
    assert ended(command, tmp_path) == (7, "")


@pytest.mark.parametrize("script", [LOSES_EXCEPTIONS, IN_A_TASK])
def test_an_ignored_sighup_stays_ignored_when_there_is_something_to_tidy_up(script: str) -> None:
    quick = script.format(number=int(signal.SIGHUP)).replace("sleep(600)", "sleep(0)")
    command = ["sh", "-c", 'trap "" HUP; exec "$0" -c "$1"', sys.executable, quick]
    assert ended(command) == (0, "")


AT_THE_END = """\
import atexit, os, sys
sys.argv = ["referee", "--version"]
atexit.register(lambda: os.kill(os.getpid(), {number}))
from referee.cli.main import main
main()
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_after_a_command_is_done_changes_nothing(number: signal.Signals) -> None:
    command = [sys.executable, "-c", AT_THE_END.format(number=int(number))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
