"""A bot's process: started in a session of its own, paused off turn, ended without leaving anything behind."""

import asyncio
import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from referee.shell.bot import Bot
from referee.shell.sessions import record_session
from referee.shell.void import Void

Sandbox = Callable[[Sequence[str], Path], list[str]]
"""Turns a bot's command and its folder into the command that is really run."""

STDERR_TAIL_BYTES = 4096
_POLL_S = 0.005
_TERM_GRACE_S = 1.0


def no_sandbox(command: Sequence[str], folder: Path) -> list[str]:  # noqa: ARG001 - other sandboxes need the folder
    """`sandbox = "none"`: the bot runs with all the rights of the referee. For bots you trust."""
    return list(command)


class BotProcess:
    """One running bot.

    The process leads a session and process group of its own, so that it can be paused, resumed and ended with all its
    children, and dies with the thread that started it (PDEATHSIG).

    Attributes:
        address: where the bot was told to listen.
    """

    def __init__(self, popen: subprocess.Popen[bytes], scratch: Path, address: str) -> None:
        self.address = address
        self._popen = popen
        self._scratch = scratch
        self._tail = _Tail()
        self._paused = False

    @classmethod
    async def start(cls, bot: Bot, run_dir: Path, sandbox: Sandbox) -> "BotProcess":
        """Start `bot` in its folder; its socket will lie in a folder of its own below `run_dir`.

        Raises:
            Void: the process could not be started, for reasons that are not the bot's.
        """
        try:
            scratch = Path(tempfile.mkdtemp(prefix="", dir=run_dir))
            address = f"unix:{scratch / 'bot.sock'}"
            command = [word.replace("{address}", address) for word in bot.command]
            popen = _popen(sandbox(command, bot.folder), bot.folder, address)
            record_session(scratch, popen.pid)
        except OSError as error:
            raise Void(f"a bot process could not be started: {error}") from error
        process = cls(popen, scratch, address)
        await asyncio.get_running_loop().connect_read_pipe(lambda: process._tail, popen.stdout)
        return process

    @property
    def pid(self) -> int:
        """Of the bot, which is also its session and its process group."""
        return self._popen.pid

    @property
    def exit_status(self) -> int | None:
        """None while it runs, else its exit code, or minus the signal that ended it."""
        return self._popen.poll()

    def pause(self) -> None:
        """Stop the whole group until `resume`: a bot must not think on its opponent's time."""
        if not self._paused:
            self._signal(signal.SIGSTOP)
            self._paused = True

    def resume(self) -> None:
        """Let the group go on."""
        if self._paused:
            self._signal(signal.SIGCONT)
            self._paused = False

    def kill(self) -> None:
        """End the whole group at once."""
        self._signal(signal.SIGKILL)

    async def terminate(self) -> None:
        """Ask the bot to end, wait a moment, end it; then clear away what it was given."""
        self.resume()
        if self.exit_status is None:
            self._signal(signal.SIGTERM)
            await self.wait(_TERM_GRACE_S)
        await self.bury()

    async def bury(self) -> None:
        """End the whole group at once and clear away what it was given."""
        self.kill()
        await self.wait(_TERM_GRACE_S)
        self._tail.close()
        with contextlib.suppress(OSError):
            for path in self._scratch.iterdir():
                path.unlink()
            self._scratch.rmdir()

    async def wait(self, seconds: float) -> int | None:
        """The exit status, as soon as it is known but after `seconds` at most."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while self.exit_status is None and loop.time() < until:
            await asyncio.sleep(_POLL_S)
        return self.exit_status

    def last_words(self) -> str:
        """The last lines that the bot wrote to stderr or stdout."""
        return self._tail.text()

    def _signal(self, number: signal.Signals) -> None:
        # The pid stays ours until it is waited for, and poll() is that wait; so a pid used here is never another's.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, number)


class _Tail(asyncio.Protocol):
    """Keeps the end of what is read, however much comes."""

    def __init__(self) -> None:
        self._bytes = b""
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._bytes = (self._bytes + data)[-STDERR_TAIL_BYTES:]

    def text(self) -> str:
        return self._bytes.decode(errors="replace").strip()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


def _popen(command: Sequence[str], folder: Path, address: str) -> subprocess.Popen[bytes]:
    # setpriv instead of preexec_fn: gRPC has threads, and Python must not run between fork and exec beside them.
    return subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", "--", *command],  # noqa: S607 - found by PATH on every Linux
        cwd=folder,
        env=_environment(address),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _environment(address: str) -> dict[str, str]:
    """All that a bot is told through its environment: nothing that differs from match to match but the address."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "REFEREE_ADDRESS": address,
    }
