"""A bot's process: started in a session of its own, paused off turn, ended without leaving anything behind."""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from referee.core.errors import Void
from referee.files.bot_folder import Visible
from referee.files.manifest import Reach
from referee.match.starvation import CpuTotals
from referee.runtime.bot_address import Peer
from referee.runtime.channels.lines_channel import LinesChannel
from referee.runtime.child_process import with_parent_death_signal
from referee.runtime.confinement import BotBox
from referee.runtime.host import HostSettings, StderrListener, ignore_stderr, run_to_end
from referee.runtime.process_counters import counted, cpu_clock
from referee.runtime.process_sessions import clear_scratch, kill_session, members, record_session, signal_members
from referee.runtime.sandbox.readable_paths import own_python
from referee.runtime.shortages import in_words

FORCED = frozenset({-signal.SIGKILL, -signal.SIGTERM})  # the status of a process that somebody ended
STDERR_TAIL_BYTES = 4096
_AFTER_AN_ANSWER_NS = 300_000
"""Processor time that a process may use off turn and not count as thinking: it still has to finish its answer."""

_TRUSTED_NS = 2_000_000
"""A process that has used this much more than that off turn is stopped off turn for the rest of its life."""

_POLL_S = 0.005
"""How often to look at a process that is expected to end. Asyncio's own watchers would reap it, see `_status`."""

_TERM_GRACE_S = 1.0
_LAST_WORDS_S = 0.1
"""How long to read the output of a dead bot. The output may never end, since children of the bot hold it open too."""

_PORT = re.compile(rb"^REFEREE_PORT=(\d{1,5})\r?\n", re.MULTILINE)

Explain: TypeAlias = Callable[[str], Awaitable[str]]
"""Says why a bot was not ready, as `Host.not_ready` does."""


async def explain_nothing(reason: str) -> str:
    """Take it that the bot is at fault, and say no more about it."""
    return reason


_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
"""Variables of every bot besides PATH and the address to listen on: nothing that differs between matches."""


class BotProcess:
    """One running bot on this machine: a `Host`.

    The started process leads a session and process group of its own, so that the referee can pause, resume and end it
    with all its children. It dies with the thread that started it (PDEATHSIG). The bot is that process or, where it is
    confined, the one that its box names.

    Attributes:
        session: the session of all its processes; its number is the pid of the process that leads it.
        pid: the process that is the bot.
        box: what the bot runs in.
    """

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        scratch: Path,
        box: BotBox,
        stderr_listener: StderrListener,
        explain: Explain,
        kills: list[int],
    ) -> None:
        self._explain = explain
        self._kills = kills
        self.session = popen.pid
        self.box = box
        self._popen = popen
        self._scratch = scratch
        self._tail = _Tail(stderr_listener)
        self._watch(popen.pid)
        self._end = _ProcessEnd(popen.pid)
        self._rested_at_ns: int | None = None
        self._resumed_at_ns = 0
        self._overtime_ns = 0
        self._paused = False
        self._killed = False
        self._lines: LinesChannel | None = None
        if popen.stdin is not None and popen.stdout is not None:
            self._lines = LinesChannel(popen.stdin, popen.stdout, self._end.future)

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        visible: Visible,
        reach: Reach,
        hosting: HostSettings,
        variables: Mapping[str, str],
        stderr_listener: StderrListener = ignore_stderr,
        explain: Explain = explain_nothing,
    ) -> "BotProcess":
        """Start a bot in its folder, with `variables` of its own; its socket will lie in a folder of its own.

        `stderr_listener` gets the bot's output until the process is cleared away. `explain` is called if the bot is
        not ready for a match.

        Raises:
            Void: the process could not be started, for reasons that are not the bot's.
        """
        try:
            parts = _started(command, visible, reach, hosting, variables)
            process = cls(*parts, stderr_listener, explain, hosting.kills)
        except OSError as error:
            raise Void(f"a bot process could not be started: {in_words(error)}") from error
        process._tail.names = {**dict.fromkeys(own_python(), b"{python}"), visible.folder: b"."}
        process.box.started(process.session)
        try:
            await asyncio.get_running_loop().connect_read_pipe(
                lambda: process._tail, process._popen.stderr or process._popen.stdout
            )
            record_session(process._scratch, process.session, process.box.listening.token)
            bot = await process.box.bot_pid()
            with contextlib.suppress(ProcessLookupError):  # it has ended already; the started process says how
                process._watch(bot)
        except (OSError, RuntimeError) as error:  # the latter if there can be no thread to watch it
            words = await process.stderr_tail()
            await process.kill_now()
            raise Void(f"a bot process could not be started: {in_words(error)} {words}".strip()) from error
        except asyncio.CancelledError:
            await process.kill_now()
            raise
        return process

    async def peer(self) -> Peer:
        """How to call the bot, as soon as that is known. This may never return: some bots must first print a port."""
        if (lines := self._lines) is not None:
            return Peer("stdio", door=lambda: lines)
        return await self.box.peer(self._tail.port)

    @property
    def exit_status(self) -> int | None:
        """None while it runs, else its exit code, or minus the signal that ended it."""
        status = _status(self._popen)
        return None if status is None else self.box.bot_status(status)

    @property
    def ended_by_itself(self) -> int | None:
        """The exit status, if the process did not end because it was killed here."""
        return None if self._killed else self.exit_status

    @property
    def limit_exceeded(self) -> str | None:
        """The limit that it exceeded, as its box says."""
        return self.box.limit_exceeded

    @property
    def pending_step(self) -> str:
        """The step that it has not done while nobody can call it."""
        return (
            "did not print REFEREE_PORT=..." if self.box.listening.is_chosen_by_the_bot else "did not answer Describe"
        )

    def rest(self) -> None:
        """Note that it is another seat's turn. A process that worked too much off turn is stopped; others are trusted.

        Here and in `resume`, only the clock of its processor time is read. Stopping and resuming a process at every
        turn would make decisions a tenth slower for the referee, and few bots need it.
        """
        if self._overtime_ns > _TRUSTED_NS:
            self.pause()
        elif self._rested_at_ns is None:
            self._rested_at_ns = self.processor_ns

    def pause(self) -> None:
        """Stop the whole group until `resume`: a bot must not think on its opponent's time."""
        if not self._paused:
            self._signal(signal.SIGSTOP)  # it goes to the whole group and cannot be caught, as SIGTSTP could
            self._paused = True

    def resume(self) -> None:
        """Let the group go on."""
        if self._paused or self._rested_at_ns is not None:
            self._resumed_at_ns = self.processor_ns
        if self._rested_at_ns is not None:
            self._count_overtime(self._resumed_at_ns - self._rested_at_ns)
            self._rested_at_ns = None
        if self._paused:
            self._signal(signal.SIGCONT)
            self._paused = False

    def counted(self) -> CpuTotals:
        """The kernel's counts of all its processes until now."""
        return counted(members(self.session))

    @property
    def ran_ns(self) -> int:
        """For how many nanoseconds its own process ran since it was resumed after a rest; its children not counted."""
        return self.processor_ns - self._resumed_at_ns

    def kill(self) -> None:
        """End the whole group at once."""
        # A process that had ended before keeps its own end, however often it is killed.
        self._killed = self._killed or self.exit_status is None
        self._signal(signal.SIGKILL)

    async def terminate(self) -> None:
        """Ask the bot to end, wait a moment, end it by force; then clear away everything that it got."""
        await run_to_end(self._terminate())

    async def _terminate(self) -> None:
        self.resume()  # a stopped process takes SIGTERM only when it goes on
        if self.exit_status is None:
            self._kills = []  # from now on its end is our doing
            signal_members(self.session, signal.SIGTERM, self.box.walls)
            await self.wait(_TERM_GRACE_S)
        await self._kill_and_clear()

    async def kill_now(self) -> None:
        """End the whole session at once, and clear away everything that the bot got."""
        await run_to_end(self._kill_and_clear())

    async def _kill_and_clear(self) -> None:
        self.kill()
        if (status := self.ended_by_itself) and status in FORCED and self.limit_exceeded is None:
            self._kills.append(-status)
        await self._end_session()
        self._popen.poll()  # reaps it: no signal is sent from now on
        self._end.close()
        self._tail.close()
        if self._lines is not None:
            await self._lines.close()
        self.box.close()
        clear_scratch(self._scratch)

    async def ended(self) -> None:
        """Return when the process has ended."""
        await asyncio.shield(self._end.future)

    async def wait(self, seconds: float) -> int | None:
        """The exit status as soon as it is known; None if it is not known after `seconds`."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while self.exit_status is None and loop.time() < until:
            await asyncio.sleep(_POLL_S)
        return self.exit_status

    async def stderr_tail(self) -> str:
        """The last lines that the bot wrote for people: to stderr and, unless it talks there, to stdout.

        For a dead bot they go to the very end.
        """
        await asyncio.wait([self._tail.ended], timeout=_LAST_WORDS_S)
        return self._tail.text()

    async def not_ready(self, reason: str) -> str:
        """It is the bot's own fault, unless whoever started it knows better."""
        return await self._explain(reason)

    async def _end_session(self) -> None:
        """Kill every process of the session until none is left: a killed one may take a moment to end, or just fork."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _TERM_GRACE_S
        # Once it was reaped, its number may stand for another session.
        while self._popen.returncode is None and loop.time() < until:
            if not kill_session(self.session) and self.exit_status is not None:
                break
            await asyncio.sleep(_POLL_S)

    def _watch(self, bot: int) -> None:
        self.pid, self._group, self._cpu_clock = bot, os.getpgid(bot), cpu_clock(bot)

    def _count_overtime(self, worked_ns: int) -> None:
        # The work that every bot does after an answer is written off at each turn; only thinking adds up.
        if self._overtime_ns <= _TRUSTED_NS:
            self._overtime_ns = max(0, self._overtime_ns + worked_ns - _AFTER_AN_ANSWER_NS)

    @property
    def processor_ns(self) -> int:
        """The processor time that the bot's own process has used, in nanoseconds; its children are not counted."""
        try:
            return time.clock_gettime_ns(self._cpu_clock)
        except OSError:  # the process is gone
            return 0

    def _signal(self, number: signal.Signals) -> None:
        if self._popen.returncode is None:  # otherwise its group may belong to other processes by now
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._group, number)


def _status(popen: subprocess.Popen[bytes]) -> int | None:
    """None while it runs, else its exit code, or minus the signal that ended it."""
    if popen.returncode is not None:
        return popen.returncode
    # WNOWAIT leaves the dead process as it is. Popen would reap it. Then the kernel may give its pid and its group to
    # other processes, and our next signal would hit them. So only `kill_now` reaps, when no signal is to follow.
    ended = os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


class _ProcessEnd:
    """Notices at once that a child of ours has ended, and does not reap it: pidfd_open(2).

    Attributes:
        future: done as soon as it has ended.
    """

    def __init__(self, pid: int) -> None:
        self._loop = asyncio.get_running_loop()
        self.future = self._loop.create_future()
        self._pidfd = os.pidfd_open(pid)
        self._loop.add_reader(self._pidfd, self._see)

    def _see(self) -> None:
        self._loop.remove_reader(self._pidfd)
        self.future.set_result(None)

    def close(self) -> None:
        """Look no more."""
        if self._pidfd >= 0:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1


class _Tail(asyncio.Protocol):
    """Keeps the end of a bot's output, however long that is, and the port if the bot prints one."""

    names: Mapping[Path, bytes] = {}
    """Of places, for its output: its author may be a stranger, who need not know where they are."""

    def __init__(self, stderr_listener: StderrListener) -> None:
        self._stderr_listener = stderr_listener
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._bytes = b""
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        for place, name in self.names.items():
            data = re.sub(rb"(?<![\w.-])%b(?![\w-])" % re.escape(os.fsencode(place)), name, data)
        self._stderr_listener(data)
        self._bytes = (self._bytes + data)[-STDERR_TAIL_BYTES:]
        if not self.port.done() and (port_match := _PORT.search(self._bytes)):
            self.port.set_result(int(port_match[1]))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        if not self.ended.done():
            self.ended.set_result(None)

    def text(self) -> str:
        return self._bytes.decode(errors="replace").strip()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


def _started(
    command: Sequence[str], visible: Visible, reach: Reach, hosting: HostSettings, variables: Mapping[str, str]
) -> tuple[subprocess.Popen[bytes], Path, BotBox]:
    """The started process, its scratch folder and its box. If it cannot be started, nothing is left."""
    scratch = Path(tempfile.mkdtemp(prefix="", dir=hosting.run_dir))
    with ExitStack() as undo:
        undo.callback(clear_scratch, scratch)
        box = hosting.confinement.to_play(command, visible, scratch, reach, variables)
        undo.callback(box.close)
        popen = _popen(box, visible.folder, reach)
        undo.pop_all()
    return popen, scratch, box


def _popen(box: BotBox, folder: Path, reach: Reach) -> subprocess.Popen[bytes]:
    talks = reach == "stdio"
    # setpriv instead of preexec_fn: gRPC has threads, and Python must not run between fork and exec beside them. Popen
    # instead of asyncio's subprocesses, whose watchers reap at once, see `_status`.
    # The folder is entered before anything runs: where it is away, that shows as an error of ours.
    popen = subprocess.Popen(
        with_parent_death_signal(box.command),
        cwd=folder,
        env={**_ENVIRONMENT, "PATH": os.environ.get("PATH", os.defpath), **box.environment},
        pass_fds=box.inherited,
        bufsize=0,
        stdin=subprocess.PIPE if talks else box.stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if talks else subprocess.STDOUT,
        start_new_session=True,
    )
    if talks:
        for pipe in filter(None, (popen.stdin, popen.stdout, popen.stderr)):
            os.set_blocking(pipe.fileno(), False)
            if box.user is not None:  # else the bot could not open /dev/stdin, and nobody else may
                with contextlib.suppress(OSError):
                    os.fchown(pipe.fileno(), box.user, -1)
    return popen
