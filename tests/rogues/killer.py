"""`python killer.py SANDBOX KILLS SEED`: kills what starts bots and builds, at any moment; how often some lived on.

Every process that loses its parent below this one becomes a child of this one, whatever session or group it has made
for itself. So nothing that lives on can hide. It is ended here.
"""

import asyncio
import contextlib
import ctypes
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from referee.core.bot_limits import Sandbox
from referee.files.bot_folder import Visible
from referee.runtime.bot_process import BotProcess
from referee.runtime.confinement import confinement
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import read_sources
from referee.runtime.run_build import build

_BECOME_REAPER = 36  # prctl(2), PR_SET_CHILD_SUBREAPER
_GRACE_S = 15.0
_MANIFEST = """
name = "sleeper"
version = "1"
author = "the tests"
games = ["*"]
run = ["sleep", "600"]
build = ["sh", "-c", "sleep 600 & sleep 0.03"]
"""


async def _play(home: Path, sandbox: Sandbox) -> None:
    hosting = HostSettings(home / "run", confinement(sandbox), 60_000)
    # Of a bot that nothing keeps from it, the children live on until the next run.
    command = ["sh", "-c", "sleep 600 & sleep 600"] if sandbox == "bubblewrap" else ["sleep", "600"]
    while True:
        processes = [await BotProcess.start(command, Visible(home / "bot"), "unix", hosting, {}) for _ in range(2)]
        for process in processes:
            await process.kill_now()


def play(home: Path, sandbox: Sandbox) -> None:
    """Start bots and end them."""
    asyncio.run(_play(home, sandbox))


def build_bots(home: Path, sandbox: Sandbox) -> None:
    """Build a bot again and again."""
    while True:
        build(read_sources(home / "bot"), confinement(sandbox), 600, lambda _text: None)


def children(pid: int) -> list[int]:
    """The children of a process. Those of this process that have ended are reaped."""
    if pid == os.getpid():
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
    with contextlib.suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def below(pid: int) -> list[int]:
    """All processes that a process has started, itself first, as far as they are seen in one look."""
    return [pid, *(inner for child in children(pid) for inner in below(child))]


def lives_on(start: Callable[[Path, Sandbox], None], sandbox: Sandbox, rng: Random) -> bool:
    """Whether anything lives on when what starts bots is killed, alone or together with all that it has started."""
    with tempfile.TemporaryDirectory(prefix="killed-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        home.chmod(0o755)
        (home / "run").mkdir()
        (home / "bot").mkdir()
        (home / "bot" / "bot.toml").write_text(_MANIFEST)
        pid = os.fork()
        if not pid:
            with contextlib.suppress(BaseException):
                start(home, sandbox)
            os._exit(1)
        time.sleep(0.05 + rng.random() * 0.15)
        for each in below(pid) if rng.random() < 0.5 else [pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        until = time.monotonic() + _GRACE_S
        while (left := children(os.getpid())) and time.monotonic() < until:
            time.sleep(0.01)
        for each in left:
            print(each, Path(f"/proc/{each}/cmdline").read_bytes().replace(b"\0", b" ")[:200], file=sys.stderr)
        while again := children(os.getpid()):
            for each in again:
                os.kill(each, signal.SIGKILL)
            time.sleep(0.01)
    return bool(left)


def main(sandbox: Sandbox, kills: int, rng: Random) -> None:
    """Kill on a machine that has more to do than it can."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(multiprocessing.cpu_count())]
    try:
        ways = [play] if sandbox != "bubblewrap" else [play, build_bots]
        if not os.fork():  # so that the busy ones are no children of what counts them
            ctypes.CDLL(None).prctl(_BECOME_REAPER, 1)
            print(sum(lives_on(rng.choice(ways), sandbox, rng) for _ in range(kills)), flush=True)
            os._exit(0)
        os.wait()
    finally:
        for each in busy:
            each.kill()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Random(int(sys.argv[3])))  # type: ignore[arg-type]  # a name of a sandbox
