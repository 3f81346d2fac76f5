"""The command line as a user sees it: what it prints, and how it ends."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from referee.cli.main import main
from referee.cli.signals import SIGNALS
from referee.match.header import header as header_of
from referee.match.transcript import Header
from referee.wire.agent_avenue import entry as agent_avenue

GAME = agent_avenue.game
BOTS = Path(__file__).parents[2] / "sample_bots" / "python"
UNBOXED = ("--sandbox", "none")
"""For bots that need no box: a machine without bubblewrap does not speak of it."""
REFEREE = Path(sys.executable).with_name("referee")


class Ended(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def referee(*arguments: str | Path) -> Ended:
    """Run a command in this process, as `referee ARGUMENTS` would."""
    out, err = io.StringIO(), io.StringIO()
    argv = mock.patch.object(sys, "argv", ["referee", *map(str, arguments)])
    printing = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
    with _signals_as_they_were(), _cores_as_they_were(), argv, printing[0], printing[1]:
        try:
            main()
            code = 0
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Ended(code, out.getvalue(), err.getvalue())


def run(*arguments: str | Path, folder: Path, environment: dict[str, str] | None = None) -> Ended:
    """A command as a process of its own."""
    done = subprocess.run(
        [REFEREE, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return Ended(done.returncode, done.stdout, done.stderr)


@contextlib.contextmanager
def _signals_as_they_were() -> Iterator[None]:
    """Restore the handling of signals. A command leaves them ignored, because its process ends with it."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _cores_as_they_were() -> Iterator[None]:
    """Restore the cores on which this process may run. `serve` keeps to some, because its process ends with it."""
    before = os.sched_getaffinity(0)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def start(folder: Path, scratch: Path, *arguments: str | Path, prefix: tuple[str, ...] = ()) -> "subprocess.Popen[str]":
    """Start a command as a process of its own, in `folder`, with its temporary files below `scratch`."""
    return subprocess.Popen(
        [*prefix, REFEREE, *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: "subprocess.Popen[str]") -> Ended:
    """Wait for a process."""
    out, err = process.communicate()
    return Ended(process.returncode, out, err)


def header(seed: int = 7, **changes: Any) -> Header:
    """The header of a match of Agent Avenue between random and greedy."""
    options = {"mode": "simple", "line_up": "1v1"}
    values: dict[str, Any] = {
        "game": GAME.name,
        "rules_version": GAME.rules_version,
        "options": options,
        "fixture": f"test/{seed}",
        "entries": ("random@1", "greedy@1"),
        "root": bytes([seed]) * 32,
        "deal": 0,
    }
    return header_of(**(values | changes))
