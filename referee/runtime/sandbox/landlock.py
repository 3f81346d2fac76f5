"""`sandbox = "landlock"`: a fence for machines that forbid the namespaces that boxes need. Chosen by hand only.

A bot reads and writes the same places as in a box, calls nobody, and its system calls are filtered. But it lives among
the other processes and files of the machine, and that is weaker than a box; `WEAKNESSES` says how.
"""

import asyncio
import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, NoReturn

import msgspec

from referee.core.bot_limits import MIB, Sandbox, SandboxLimits
from referee.files.bot_folder import Visible
from referee.files.manifest import Reach
from referee.runtime.bot_address import NO_VARIABLES, ListenAddress, Peer, listening
from referee.runtime.process_sessions import kill_session, members
from referee.runtime.sandbox import landlock_fence, readable_paths
from referee.runtime.sandbox.box import USERS, as_user
from referee.runtime.sandbox.bubblewrap import SIGNALS, Bubblewrap
from referee.runtime.sandbox.resource_watch import BoxWatch, too_many_files, written
from referee.runtime.sandbox.seccomp import architecture_here, filter_among_others, filter_for

NOTE = "bots run behind Landlock, which stops less than a box does; `referee doctor` says what it does not stop"
"""Commands print it whenever bots run so."""

WEAKNESSES = (
    "it can remember: a read changes the time of last access of a file, which the bot's next process can look up",
    "of every path it can learn whether there is such a file, how large it is and when it was changed",
    "of every number it can learn whether there is such a process, and see the names and addresses of the network",
    "its memory, processes and files are counted twice a second only; deleted files and sockets that it holds are not",
    "there is no /tmp and no /dev/shm; TMPDIR names its folder",
    "it cannot confine builds",
)
"""The weaknesses of a fence in comparison with a box, as sentences about "it", the bot or the fence."""

_WEAKER_BEFORE = {
    4: "it can listen on any free port, on which others may call it (Linux 6.7 and newer prevent that)",
    6: "it can end and stop other processes of the same user, also the referee (Linux 6.12 and newer prevent that)",
}
"""Further weaknesses where Landlock has a version before these."""

_DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
_FACTS = ("/proc/cpuinfo", "/proc/meminfo", "/proc/sys/vm/overcommit_memory")
"""The files that runtimes read in `/proc`, besides those about themselves."""


_POLL_S = 0.001


def weaknesses(version: int) -> list[str]:
    """The weaknesses of this version of Landlock in comparison with a box."""
    return [*WEAKNESSES, *(words for since, words in _WEAKER_BEFORE.items() if version < since)]


class FencePlan(msgspec.Struct, frozen=True):
    """The rights that the fence gives: see landlock_fence.py.

    Attributes:
        read: files and folders that the bot may read and run.
        listed: folders in which it may see all names.
        write: folders in which it may write.
        devices: devices that it may use.
        port: the port on which it may listen, 0 for any free one; None for none.
        limits: by name, limits of each process (setrlimit(2)).
        filters: filters for system calls, in hexadecimal digits. The last one forbids to make more.
        parent: the pid of the referee.
        report: the open file into which the fence writes its result.
    """

    read: list[str]
    listed: list[str]
    write: list[str]
    devices: tuple[str, ...]
    port: int | None
    limits: dict[str, int]
    filters: list[str]
    parent: int
    report: int


class Landlock(msgspec.Struct, frozen=True):
    """Fences made by Landlock.

    Attributes:
        limits: what each bot may use of the machine.
        read: places that every bot may read besides.
    """

    limits: SandboxLimits = SandboxLimits()
    read: tuple[Path, ...] = ()

    name: ClassVar[Sandbox] = "landlock"

    def to_play(
        self,
        command: Sequence[str],
        visible: Visible,
        scratch: Path,
        reach: Reach,
        variables: Mapping[str, str] = NO_VARIABLES,
    ) -> "FencedBot":
        """A fence for a bot that plays.

        Raises:
            OSError: there is no filter for this kind of machine, or no place to listen.
        """
        user = secrets.choice(USERS) if os.geteuid() == 0 else None
        architecture = architecture_here()
        place = listening(reach, scratch)
        report_fd, says = os.pipe()
        os.set_blocking(report_fd, False)
        plan = FencePlan(
            read=[*map(str, self._read(command, visible))],
            listed=[*map(str, _listed(command, visible))],
            write=[str(scratch)],
            devices=_DEVICES,
            port=int(place.address.rpartition(":")[2]) if reach in ("tcp", "tcp-any") else None,
            limits=_limits(self.limits, has_own_user=user is not None),
            filters=[filter_among_others(architecture).hex(), filter_for(architecture).hex()],
            parent=os.getpid(),
            report=says,
        )
        return FencedBot(place.command(command, variables), plan, place, scratch, user, report_fd, self.limits)

    def to_build(self, command: Sequence[str], visible: Visible) -> NoReturn:  # noqa: ARG002
        """There is no fence for builds: compilers must change the rights of files, which no bot here may.

        Raises:
            OSError: always.
        """
        raise OSError(
            'sandbox = "landlock" cannot confine builds; build under "bubblewrap", or under "none" what you trust'
        )

    def _read(self, command: Sequence[str], visible: Visible) -> Iterator[Path]:
        yield from _unhidden(visible.folder, frozenset(visible.hidden))
        yield readable_paths.SYSTEM
        yield from (Path("/") / name for name in readable_paths.ROOT_LINKS)
        yield from Bubblewrap(read=self.read).host_paths(command, visible)
        yield from map(Path, _FACTS)


def _listed(command: Sequence[str], visible: Visible) -> Iterator[Path]:
    """The folders in which a bot sees all names. Python must list a folder to import from it."""
    yield visible.folder
    if sys.executable in command:
        yield from (package.parent for package in readable_paths.bot_library())


def _unhidden(folder: Path, hidden: frozenset[Path]) -> Iterator[Path]:
    """The parts of a folder without its hidden folders: the folder itself if it has none."""
    if not any(place.is_relative_to(folder) for place in hidden):
        yield folder
    elif folder not in hidden:
        for inner in sorted(folder.iterdir()):
            if not inner.is_symlink():
                yield from _unhidden(inner, hidden)


def _limits(limits: SandboxLimits, *, has_own_user: bool) -> dict[str, int]:
    """The limits of each process. The kernel counts processes by user, so that limit needs a user of the bot's own."""
    found = {
        "DATA": limits.memory_mib * MIB,
        "NOFILE": limits.files,
        "FSIZE": limits.file_mib * MIB,
        "CORE": 0,
        "SIGPENDING": SIGNALS,
    }
    return found | ({"NPROC": limits.processes} if has_own_user else {})


class FencedBot:
    """A bot behind a fence: a `Box`. The started process becomes the bot."""

    walls: frozenset[int] = frozenset()
    stdin = subprocess.DEVNULL

    def __init__(
        self,
        command: Sequence[str],
        plan: FencePlan,
        place: ListenAddress,
        scratch: Path,
        user: int | None,
        report_fd: int,
        limits: SandboxLimits,
    ) -> None:
        """Prepare the fence.

        `scratch` is the bot's folder, `user` the id of the user that it becomes (None: it stays the referee's), and
        `report_fd` the open file with the fence's report.
        """
        self.listening = place
        self.user = user
        self.environment: Mapping[str, str] = {**place.environment, "TMPDIR": str(scratch)}
        self.inherited = (plan.report,)
        source = Path(landlock_fence.__file__).read_text(encoding="utf-8")
        fenced = [sys.executable, "-I", "-S", "-c", source, msgspec.json.encode(plan).decode()]
        self.command = [*fenced, *command]
        if user is not None:
            _give(scratch, user)
            reaches_all = _is_searchable(scratch) and all(map(_is_readable, plan.read))
            self.command = [*as_user(user, reads_all=not reaches_all), *self.command]
        self._scratch = scratch
        self._limits = limits
        self._report_fd, self._says = report_fd, plan.report
        self._ours = [report_fd, plan.report]
        self._session = 0
        self._watch: BoxWatch | None = None

    @property
    def limit_exceeded(self) -> str | None:
        """The limit that the bot exceeded."""
        return None if self._watch is None else self._watch.limit_exceeded

    def started(self, session: int) -> None:
        """Close the open files that the fence has inherited."""
        self._session = session
        self._ours.remove(self._says)
        os.close(self._says)
        self._watch = _Watch(session, session, self._scratch, self._limits)

    async def bot_pid(self) -> int:
        """The process that was started, once the fence says that it becomes the bot."""
        report = b""
        while new := await self._next_words():
            report += new
        if report != landlock_fence.READY:
            raise OSError(report.decode(errors="replace") or "the fence around a bot could not be made")
        if self._watch is not None:
            self._watch.start()
        return self._session

    async def peer(self, port: Awaitable[int]) -> Peer:
        """How to call the bot."""
        return await self.listening.peer(port)

    def bot_status(self, status: int) -> int:
        """The same."""
        return status

    def close(self) -> None:
        """Stop watching, close all files, and give the port up."""
        if self._watch is not None:
            self._watch.stop()
        while self._ours:
            os.close(self._ours.pop())
        self.listening.release()

    async def _next_words(self) -> bytes:
        """More of what the fence says; nothing once it said all. It closes the file when the bot begins."""
        while True:
            with contextlib.suppress(BlockingIOError):
                return os.read(self._report_fd, 1 << 12)
            await asyncio.sleep(_POLL_S)


class _Watch(BoxWatch):
    """Watches a bot for which nothing else counts processes and files."""

    def end(self) -> None:
        """End all its processes. Where the first is gone for good, its number may be another's, and nothing is done."""
        if self.signal_first(signal.SIGKILL):
            kill_session(self.session)

    def socket_bytes(self) -> int:
        """Not known: it shares its network with others."""
        return 0

    def took_too_much_else(self) -> str | None:
        """Its processes and its written files."""
        processes = sum(map(_threads, members(self.session)))
        if processes > self.limits.processes:
            return f"had {processes} processes and threads; allowed: {self.limits.processes}"
        found = written(self.scratch, self.limits.scratch_files)
        if found is None:
            return "made a folder that cannot be looked into"
        files, bytes_ = found
        if bytes_ > self.limits.scratch_mib * MIB:
            return f"wrote {bytes_ // MIB} MiB; allowed: {self.limits.scratch_mib}"
        return too_many_files(files, self.limits)


def _threads(pid: int) -> int:
    """The threads of a process; 0 if it is gone."""
    try:
        return len(os.listdir(f"/proc/{pid}/task"))  # noqa: PTH208 - twice as fast, and this is done for every process
    except OSError:
        return 0


def _give(scratch: Path, user: int) -> None:
    """Make a folder another user's, who can then reach it. The folders of a run have names that nobody can guess."""
    os.chown(scratch, user, user)
    temporary = Path(tempfile.gettempdir())
    if scratch.is_relative_to(temporary):
        for folder in scratch.relative_to(temporary).parents[:-1]:
            (temporary / folder).chmod(0o711)


def _is_readable(place: str) -> bool:
    """Whether every user can read a file or folder. It takes the content of a folder to be as open as the folder."""
    path = Path(place)
    return not path.exists() or (path.stat().st_mode & 0o4 == 0o4 and _is_searchable(path))


def _is_searchable(path: Path) -> bool:
    """Whether every user can reach it."""
    return all(folder.stat().st_mode & 0o1 for folder in path.parents)
