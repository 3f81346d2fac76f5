"""`python warden.py`: runs leagues one after the other, and says of each what it left running.

It reads an order from each line of its standard input, and answers it with a line of its standard output; both are
JSON. It loads the program once and forks for each league, since loading takes longer than playing.

Every process that loses its parent below this one becomes a child of this one, whatever session or group it has made
for itself. So no process of a league can hide, and all that are left are ended here.
"""

import contextlib
import ctypes
import importlib
import json
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

_BECOME_REAPER = 36  # prctl(2), PR_SET_CHILD_SUBREAPER
_GUARD_S = 240.0
"""A league that takes longer than this hangs, however busy the machine is. It is killed."""

_GRACE_S = 15.0
"""A process that was killed may take a moment to end, above all if it has much memory or the machine is busy."""


class Order(NamedTuple):
    """A league to run.

    Attributes:
        arguments: of `referee`.
        folder: in which it is run.
        scratch: its folder for temporary files.
        output: the file for what it prints.
    """

    arguments: list[str]
    folder: str
    scratch: str
    output: str


def serve() -> None:
    """Carry out every order."""
    for module in ("referee.cli.main", "tournaments.cli.league", "tournaments.play.environment"):
        importlib.import_module(module)
    ctypes.CDLL(None).prctl(_BECOME_REAPER, 1)
    for line in sys.stdin:
        print(json.dumps(_watched(Order(*json.loads(line)))), flush=True)


def _watched(order: Order) -> tuple[int, list[str]]:
    """The exit code of a league, and the command lines of all processes that it left running. They are ended."""
    pid = os.fork()
    if pid == 0:
        _run(order)
    guard = threading.Timer(_GUARD_S, os.kill, (pid, signal.SIGKILL))
    guard.start()
    _, status = os.waitpid(pid, 0)
    guard.cancel()
    guard.join()  # no thread may be there when the next league is forked
    until = time.monotonic() + _GRACE_S
    while _children() and time.monotonic() < until:
        time.sleep(0.02)
    left = set()
    while children := _children():
        for child in children:
            with contextlib.suppress(OSError):  # it has just ended
                left.add(f"{child} {_command(child)}")
                os.kill(child, signal.SIGKILL)
        time.sleep(0.02)
    return os.waitstatus_to_exitcode(status), sorted(left)


def _run(order: Order) -> None:
    """Become the league. This does not return."""
    code: object = 3
    try:
        os.chdir(order.folder)
        os.environ["TMPDIR"] = order.scratch
        tempfile.tempdir = None  # it is found anew
        output = os.open(order.output, os.O_WRONLY | os.O_CREAT)
        for descriptor, file in enumerate((os.open(os.devnull, os.O_RDONLY), output, output)):
            os.dup2(file, descriptor)
        sys.argv = ["referee", *order.arguments]
        importlib.import_module("referee.cli.main").main()
        code = 0
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0)


def _children() -> list[int]:
    """The living children of this process. Those that have ended are reaped."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                break
        except ChildProcessError:
            return []
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def _command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()


if __name__ == "__main__":
    serve()
