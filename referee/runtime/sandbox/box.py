"""A box while it is used: the bot's process in it, the way to call the bot, and the limits."""

import asyncio
import contextlib
import os
import re
import secrets
import signal
import stat
import subprocess
import sys
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path

import msgspec

from referee.core.bot_limits import SandboxLimits
from referee.files.manifest import Reach
from referee.runtime.bot_address import LOOPBACK, ListenAddress, Peer, listening
from referee.runtime.sandbox import relay
from referee.runtime.sandbox.cgroup import BoxGroup, made
from referee.runtime.sandbox.resource_watch import BoxWatch

SCRATCH = Path("/tmp")  # noqa: S108 - a box has its own
"""The only place in a box where a bot can write."""

_SOCKET = SCRATCH / "bot.sock"
_RELAY_SOCKET = SCRATCH / "relay.sock"
_PORT = 50051
"""The port for every bot. Every box has a network of its own, so bots do not get in each other's way."""

_POLL_S = 0.001
_RELAYED = """
exec 3<&0 </dev/null
python=$1 source=$2 socket=$3
shift 3
("$python" -I -S -c "$source" "$socket" <&3 >/dev/null 2>&1 &)
exec "$@" 3<&-
"""
"""Starts the relay as a process that is not the bot's child, and becomes the bot."""


class PlayedBox:
    """A box in which a bot plays: a `Box`."""

    def __init__(
        self,
        bwrap: Sequence[str],
        inside: Sequence[str],
        command: Sequence[str],
        variables: Mapping[str, str],
        reach: Reach,
        allowed: bytes,
        limits: SandboxLimits,
    ) -> None:
        """Prepare the box.

        Args:
            bwrap: the command that makes it, up to the options for open files.
            inside: what is run in it before the bot's own command, and becomes that command.
            command: the bot's own command, with `{address}` still to be filled in.
            variables: more of the bot's environment.
            reach: how the referee reaches the bot.
            allowed: the filter for system calls.
            limits: what the bot may use of the machine.
        """
        port = ListenAddress(f"{LOOPBACK}:{_PORT}", secrets.token_hex(16))
        self.listening = port if reach == "tcp" else listening(reach, SCRATCH)
        self.environment: Mapping[str, str] = self.listening.environment
        self.user: int | None = None
        self._limits = limits
        self._report = b""
        self._report_fd, says = os.pipe()
        os.set_blocking(self._report_fd, False)
        self._ours = [self._report_fd]
        self._theirs = [says, _readable(allowed)]
        self.stdin = subprocess.DEVNULL
        self._relay: int | None = None
        relayed: list[str] = []
        if reach in ("tcp", "tcp-any"):
            self.stdin, self._relay = os.pipe()
            self._theirs.append(self.stdin)
            source = Path(relay.__file__).read_text(encoding="utf-8")
            relayed = ["sh", "-c", _RELAYED, "sh", sys.executable, source, str(_RELAY_SOCKET)]
        bot_command = self.listening.command(command, variables)
        files = ["--json-status-fd", str(says), "--seccomp", str(self._theirs[1])]
        self.command = [*bwrap, *files, "--", *inside, *relayed, *bot_command]
        self.inherited = (says, self._theirs[1])
        self._session = 0
        self._walls: list[int] = []
        self._depth = 2 if bwrap[0] == "sh" else 1  # bwrap below unshare, or bwrap alone
        self._watch: BoxWatch | None = None
        self._group: BoxGroup | None = None

    def enter_group(self, parent: Path) -> None:
        """Make a group of the kernel below `parent` that limits the memory of the box, and enter it at the start.

        Raises:
            OSError: it cannot be made.
        """
        self._group = made(parent, self._limits)
        self.command = self._group.joining(self.command)

    @property
    def walls(self) -> frozenset[int]:
        """The processes from the one that was started down to the first of the box, which is bwrap."""
        return frozenset(self._walls)

    @property
    def limit_exceeded(self) -> str | None:
        """The limit that the bot exceeded."""
        seen = None if self._watch is None else self._watch.limit_exceeded
        return seen or (None if self._group is None else self._group.limit_exceeded)

    def started(self, session: int) -> None:
        """Close the open files that the box has inherited."""
        self._session = session
        self._walls = [session]
        _close(self._theirs)

    async def bot_pid(self) -> int:
        """The one process that the first process of the box has started, before it becomes the bot."""
        while self._reported_number("child-pid") is None:
            if not self._hear() and self._reported_number("child-pid") is None:
                raise OSError("bwrap could not make a box")
            await asyncio.sleep(_POLL_S)
        with contextlib.suppress(OSError, IndexError):  # it has ended already; what bwrap says decides
            for _ in range(self._depth):
                self._walls.append(_children(self._walls[-1])[0])
            self._watch = BoxWatch(self._session, self._walls[-1], self._root / SCRATCH.name, self._limits)
        while True:
            with contextlib.suppress(OSError):
                if started := _children(self._walls[-1]):
                    # Not earlier: until the box is made, its root is the host's, which may have any number of files.
                    if self._watch is not None:
                        self._watch.start()
                    return started[0]
            if not self._hear():
                if self._reported_number("exit-code") is None:
                    raise OSError("bwrap could not make a box")
                return self._session  # the bot came and went
            await asyncio.sleep(_POLL_S)

    async def peer(self, port: Awaitable[int]) -> Peer:
        """How to call the bot: by a socket in the box, as soon as there is one.

        The socket is opened without following links, which a bot could lay to any place of the host, and called as
        that open file.
        """
        if self._relay is None:
            socket = await self._opened(_SOCKET)
        else:
            number = await port if self.listening.is_chosen_by_the_bot else _PORT
            with contextlib.suppress(BrokenPipeError):  # all of the box has ended already
                os.write(self._relay, str(number).encode())
            socket = await self._opened(_RELAY_SOCKET)
        return Peer(f"unix:/proc/self/fd/{socket}", self.listening.token, is_coming_up=True)

    def bot_status(self, status: int) -> int:
        """Bwrap ends with 128 + n if signal n ended the bot."""
        return 128 - status if 128 < status <= 128 + signal.NSIG else status

    def close(self) -> None:
        """Close all files, and remove the group."""
        if self._watch is not None:
            self._watch.stop()
        if self._group is not None:
            self._group.remove()
        if self._relay is not None:
            self._ours.append(self._relay)
            self._relay = None
        _close(self._theirs)
        _close(self._ours)

    @property
    def _root(self) -> Path:
        """The root of the box, as the host sees it. This needs a process of ours in the box, not one of the bot's."""
        return Path(f"/proc/{self._walls[-1]}/root")

    async def _opened(self, path: Path) -> int:
        while True:
            with contextlib.suppress(OSError):
                found = os.open(self._root / path.relative_to("/"), os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
                if stat.S_ISSOCK(os.fstat(found).st_mode):
                    self._ours.append(found)
                    return found
                os.close(found)
            await asyncio.sleep(_POLL_S)

    def _hear(self) -> bool:
        """Read what bwrap has said by now; whether it may say more."""
        with contextlib.suppress(BlockingIOError):
            while new := os.read(self._report_fd, 1 << 12):
                self._report += new
            return False
        return True

    def _reported_number(self, key: str) -> int | None:
        """A number that bwrap has said; it says `exit-code` only of a command that it has run."""
        found = re.search(rb'"%b": (\d+)\D' % key.encode(), self._report)
        return None if found is None else int(found[1])


class FolderLoan(msgspec.Struct, frozen=True):
    """A folder that belongs to another user for a while, with all that is in it. Only root can lend.

    Attributes:
        folder: the folder.
        user: the id of the user to whom it is lent.
        group: the id of the group.
    """

    folder: Path
    user: int
    group: int

    def give(self) -> "FolderLoan":
        """Lend the folder.

        Returns:
            The loan that gives it back to its owner.

        Raises:
            OSError: it cannot be lent.
        """
        before = self.folder.stat()
        # Not by a walk of ours: what a build has made may be nested deeper than any path reaches.
        command = ["chown", "-R", "-h", f"{self.user}:{self.group}", "--", str(self.folder)]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            raise OSError(f"{self.folder} cannot be given to the user of the box")
        return FolderLoan(self.folder, before.st_uid, before.st_gid)


class BuiltBox:
    """A box for the build of a bot: a `BuildBox`."""

    def __init__(self, bwrap: Sequence[str], inside: Sequence[str], allowed: bytes, loan: FolderLoan | None) -> None:
        """Prepare the box: see `PlayedBox`. If there is a `loan`, it lasts until the box is closed.

        Raises:
            OSError: the folder could not be lent.
        """
        self._return = None if loan is None else loan.give()
        self._theirs = [_readable(allowed)]
        self.command = [*bwrap, "--seccomp", str(self._theirs[0]), "--", *inside]
        self.inherited = tuple(self._theirs)

    def close(self) -> None:
        """Close all files, and take the folder back."""
        _close(self._theirs)
        if self._return is not None:
            self._return.give()
            self._return = None


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _readable(content: bytes) -> int:
    """An open file with this content, read from its beginning."""
    file = os.memfd_create("referee")
    os.write(file, content)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _close(files: list[int]) -> None:
    while files:
        os.close(files.pop())


USERS = range(1_800_000_000, 1_900_000_000)
"""User ids that no person and no service has. Each bot that root confines gets a random one of them."""

READ_ALL = "dac_read_search"
"""The right to read and reach all files, of those that are shown at all (capabilities(7))."""


def as_user(user: int, *, reads_all: bool) -> list[str]:
    """A command to put before another one: it makes that one run as another user, without rights (setpriv(1)).

    Args:
        user: the id of the user and of its only group.
        reads_all: whether the right to read stays, where root keeps to itself (umask 077) what the bot may read.
    """
    rights = f"-all,+{READ_ALL}" if reads_all else "-all"
    caps = [f"--{kind}={rights}" for kind in ("inh-caps", "ambient-caps", "bounding-set")]
    if reads_all:  # else access(2), which many programs ask first, knows nothing of a right that open(2) has
        caps.append("--securebits=+no_setuid_fixup")
    return ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups", *caps, "--"]
