"""Building a bot: its build command, in a session of its own that is ended with it."""

import codecs
import errno
import os
import select
import shutil
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Protocol

from referee.runtime.child_process import hold_signals_back, with_parent_death_signal
from referee.runtime.confinement import BuildBox, Confinement
from referee.runtime.local_bot import LocalBot
from referee.runtime.process_sessions import kill_session

FIRST_SHOWN = 1_000_000
"""The program shows so many characters of a build's output at once. After that, it shows only the last ones."""

LAST_SHOWN = 4_000
_LOOK_S = 0.05
LOOK_EVERY_S = 0.5
"""The time between two looks at a build's use of the machine."""
_READ_BYTES = 65_536
_MOST_IN_A_PIPE = 16
"""Pipes hold a megabyte at most, unless root says otherwise (pipe(7)): so many pieces."""

_KILLS = 200
"""How often to look for processes that were started while others were killed."""


class LimitExceeded(Exception):
    """A build was ended because it exceeded a limit; the text says which, in words that go after "it"."""


class BuildLimits(Protocol):
    """The limits of a build besides time, and its environment."""

    @property
    def environment(self) -> Mapping[str, str] | None:
        """Its environment; None: that of this process."""

    def limit_exceeded(self, session: int, folder: Path) -> str | None:
        """The limit that it exceeded, in words that go after "it"; None if none. The caller asks again and again.

        Its processes have this session, and it writes into `folder`.
        """


def build(
    bot: LocalBot,
    confinement: Confinement,
    limit_s: float,
    tell: Callable[[str], None],
    bounds: BuildLimits | None = None,
) -> int | None:
    """Run a bot's build command in its folder. When this returns or raises, the processes of its session have ended.

    If this process is killed, the build command is, too (its children only if a confinement ends them).

    Args:
        bot: it must have a build command.
        confinement: what the build is confined in.
        limit_s: how long it may take, in seconds.
        tell: gets its output to stdout and stderr at once, in pieces of any length, unescaped.
        bounds: its other limits; None for people who build their own bots: it has our environment, and may use all.

    Returns:
        Its exit code, or minus the signal that ended it; None if it was ended at the limit.

    Raises:
        OSError: the command cannot be run.
        LimitExceeded: it took too much, and was ended.
    """
    _check_runnable(bot.build_command[0], bot.folder)
    environment = bounds.environment if bounds else None
    with (
        closing(confinement.to_build(bot.build_command, bot.visible)) as box,
        _started(box, bot.folder, environment) as popen,
    ):
        output = _Output(_pipe(popen), tell)
        limit_exceeded = partial(bounds.limit_exceeded, popen.pid, bot.folder) if bounds else None
        in_time = _follow(popen.pid, output, limit_s, limit_exceeded)
        _end(popen)
        output.show_the_rest()
    return popen.returncode if in_time else None


@contextmanager
def _started(box: BuildBox, folder: Path, environment: Mapping[str, str] | None) -> Iterator[subprocess.Popen[bytes]]:
    """The build command as it runs. No process of it remains, whichever signal arrives when."""
    popen: subprocess.Popen[bytes] | None = None
    try:
        with hold_signals_back():  # a signal in the middle of it would leave a process that nobody knows
            popen = _popen(box, folder, environment)
        yield popen
    finally:
        if popen is not None:
            with hold_signals_back():
                _end(popen)
            _pipe(popen).close()


def _pipe(popen: subprocess.Popen[bytes]) -> IO[bytes]:
    assert popen.stdout is not None  # noqa: S101 - `_popen` asks for it
    return popen.stdout


def _popen(box: BuildBox, folder: Path, environment: Mapping[str, str] | None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        with_parent_death_signal(box.command),
        cwd=folder,
        pass_fds=box.inherited,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,
    )


def _check_runnable(program: str, folder: Path) -> None:
    """Find the program, as a shell in the folder would: the error of the shell itself could be the build's own."""
    found = (folder / program).exists() if "/" in program else shutil.which(program) is not None
    if not found:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)


def _follow(pid: int, output: "_Output", limit_s: float, limit_exceeded: Callable[[], str | None] | None) -> bool:
    """Show the output until the process has ended or its time is over; whether it has ended.

    From time to time it asks for the limit that the build exceeded.

    Raises:
        LimitExceeded: it took too much.
    """
    until, next_look = time.monotonic() + limit_s, time.monotonic() + LOOK_EVERY_S
    # WNOWAIT leaves it to be waited for: until then its number can stand for no other session.
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() >= until:
            return False
        if limit_exceeded and time.monotonic() >= next_look:
            if (words := limit_exceeded()) is not None:
                raise LimitExceeded(words)
            next_look = time.monotonic() + LOOK_EVERY_S  # a look at many files takes its time, too
        output.show(_LOOK_S)
    return True


def _end(popen: subprocess.Popen[bytes]) -> None:
    """End every process of the session. One that starts others meanwhile is met again."""
    for _ in range(_KILLS):
        # Once it was waited for, its number may stand for another session.
        if popen.returncode is not None or not kill_session(popen.pid):
            break
        time.sleep(_LOOK_S / 10)
    popen.wait()


class _Output:
    """The output of a build: shown at once up to a limit, after that only the end of it."""

    def __init__(self, pipe: IO[bytes], tell: Callable[[str], None]) -> None:
        os.set_blocking(pipe.fileno(), False)
        self._pipe = pipe
        self._tell = tell
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._left = FIRST_SHOWN
        self._tail: deque[str] = deque(maxlen=LAST_SHOWN)
        self._hidden = 0
        self._line_is_open = False
        self._ended = False

    def show(self, wait_s: float) -> bool:
        """Show a piece of it, if there is one within this many seconds; whether there was one."""
        if self._ended:
            time.sleep(wait_s)
            return False
        if not select.select([self._pipe], [], [], wait_s)[0]:
            return False
        piece = os.read(self._pipe.fileno(), _READ_BYTES)
        self._ended = not piece
        self._take(self._decoder.decode(piece, final=self._ended))
        return not self._ended

    def show_the_rest(self) -> None:
        """Show the content of the pipe. It may never end, if a process has left the session and writes on."""
        for _ in range(_MOST_IN_A_PIPE):
            if not self.show(0):
                break
        if self._hidden:
            skipped = self._hidden - len(self._tail)
            self._say(f"\n[{skipped} more characters are not shown; the last are:]\n{''.join(self._tail)}")
        if self._line_is_open:
            self._say("\n")

    def _take(self, text: str) -> None:
        head, hidden = text[: self._left], text[self._left :]
        self._left -= len(head)
        self._hidden += len(hidden)
        self._tail.extend(hidden)
        if head:
            self._say(head)

    def _say(self, text: str) -> None:
        self._line_is_open = not text.endswith("\n")
        self._tell(text)
