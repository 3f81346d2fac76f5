"""`python warden.py COMMAND...`: run a command, and say what it left running: its exit code, and a line for each process.

Every process that loses its parent below this one becomes a child of this one, whatever session or group it has made
for itself. So no process of the command can hide, and all that are left are ended here.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

_BECOME_REAPER = 36  # prctl(2), PR_SET_CHILD_SUBREAPER
_GRACE_S = 3.0
"""A process that was killed may take a moment to end, above all if it has much memory."""


def watch(command: list[str]) -> tuple[int, list[str]]:
    """The exit code of a command, and the command lines of all processes that it left running. They are ended."""
    ctypes.CDLL(None).prctl(_BECOME_REAPER, 1)
    code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False).returncode
    until = time.monotonic() + _GRACE_S
    while _children() and time.monotonic() < until:
        time.sleep(0.02)
    left = []
    while children := _children():
        for pid in children:
            left.append(_command(pid))
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
    return code, left


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
    print(json.dumps(watch(sys.argv[1:])))
