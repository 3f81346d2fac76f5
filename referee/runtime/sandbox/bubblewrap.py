"""`sandbox = "bubblewrap"`: boxes made of the kernel's namespaces, by the program bwrap(1).

In it a bot sees `/usr`, some settings of `/etc`, its interpreter and its own folder, all read-only. It has processes, a
network and a `/tmp` of its own, and no rights. It can write no file of the host, and `/tmp` ends with the box.
"""

import os
import resource
import secrets
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

import msgspec

from referee.core.bot_limits import MIB, Sandbox, SandboxLimits
from referee.files.bot_folder import Visible
from referee.files.manifest import Reach
from referee.runtime.bot_address import NO_VARIABLES
from referee.runtime.child_process import START_ONLY_UNDER
from referee.runtime.sandbox import cgroup, readable_paths
from referee.runtime.sandbox.box import READ_ALL, SCRATCH, USERS, BuiltBox, FolderLoan, PlayedBox, as_user
from referee.runtime.sandbox.seccomp import architecture_here, filter_for, filter_for_players

_FILES = min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])  # more than this machine allows cannot be set
TO_BUILD = SandboxLimits(1 << 31, processes=512, files=_FILES, file_mib=1 << 31, scratch_mib=2048)
"""Compilers need more than players. The caller limits the time, and what a build takes of memory and disk."""

NAMESPACES = ("pid", "net", "ipc", "uts", "cgroup-try")
"""The namespaces of every box, by bwrap's names, besides its file system."""

_NEST = 'exec unshare {} --pid --fork --kill-child -- sh -c "$0" $$ "$@"'
_SHARED = "/dev/shm"  # noqa: S108 - in the box, where it is the box's own /tmp
_DEVICES = ("null", "full", "random", "urandom")  # no zero: it gives shared memory that no limit counts

_COUNTERS = """
buddyinfo cgroups diskstats fs interrupts irq key-users loadavg locks pressure sched_debug schedstat softirqs stat swaps
sys/fs timer_list uptime vmstat zoneinfo
"""
"""What is in `/proc` and counts what the whole machine did, so that a bot could remember by it."""

SIGNALS = 1024
"""How many signals may wait for a bot, and how many timers it may have. The kernel allows some 100,000."""

_INSIDE = "1000"
"""The user id in a box that an ordinary user makes. Outside it is that user."""


class Bubblewrap(msgspec.Struct, frozen=True):
    """Boxes made by bwrap.

    Attributes:
        limits: what each bot may use of the machine.
        read: places that every bot may read besides.
        network: whether builds have the network of the machine. By hand only: nothing that a league builds has it.
    """

    limits: SandboxLimits = SandboxLimits()
    read: tuple[Path, ...] = ()
    network: bool = False

    name: ClassVar[Sandbox] = "bubblewrap"

    def to_play(
        self,
        command: Sequence[str],
        visible: Visible,
        scratch: Path,
        reach: Reach,
        variables: Mapping[str, str] = NO_VARIABLES,
    ) -> PlayedBox:
        """A box for a bot that plays.

        Raises:
            OSError: there is no bwrap, or no filter for this kind of machine, or no group of the kernel can be made.
        """
        paths = [visible.folder, *self.host_paths(command, visible)]
        if reach in ("tcp", "tcp-any"):
            paths += readable_paths.own_python()  # for the relay
        user = secrets.choice(USERS)
        outside, inside = _identity(paths, user)
        box = PlayedBox(
            [*_bwrap(NAMESPACES), *outside, *_view(paths, self.limits), *_covers(visible), *_closed_in(visible.folder)],
            [*inside, *_limited(self.limits)],
            command,
            variables,
            reach,
            filter_for_players(architecture_here()),
            self.limits,
        )
        # The box has a /tmp of its own. This only names its processes, see `end_sessions`.
        box.environment = {**box.environment, "TMPDIR": str(scratch)}
        box.user = user if _is_root() else None
        groups = cgroup.parent_here()
        if groups is not None:
            try:
                box.enter_group(groups)
            except OSError:
                box.close()
                raise
        return box

    def to_build(self, command: Sequence[str], visible: Visible) -> BuiltBox:
        """A box for a build. It may write in the bot's folder, which is the box's user's as long as the box is open.

        Raises:
            OSError: there is no bwrap, or no filter for this kind of machine.
        """
        folder, user = str(visible.folder), secrets.choice(USERS)
        paths = [
            visible.folder,
            *self.host_paths(command, visible),
            *(readable_paths.network() if self.network else ()),
        ]
        outside, inside = _identity(paths, user)
        writable = ["--bind", folder, folder, "--setenv", "HOME", str(SCRATCH)]
        namespaces = [kind for kind in NAMESPACES if not (self.network and kind == "net")]
        return BuiltBox(
            [*_bwrap(namespaces), *outside, *_view(paths, TO_BUILD), *writable, *_closed_in(visible.folder)],
            [*inside, *_limited(TO_BUILD), *command],
            filter_for(architecture_here()),
            FolderLoan(visible.folder, user, user) if _is_root() else None,
        )

    def host_paths(self, command: Sequence[str], visible: Visible) -> Iterator[Path]:
        """The paths that the command may read besides `/usr` and its own folder."""
        yield from readable_paths.settings()
        yield from readable_paths.runtime(command, visible.folder)
        yield from self.read
        for link in visible.links:
            yield link.place
            yield link.target


def _bwrap(namespaces: Iterable[str]) -> list[str]:
    """Namespaces of its own, by bwrap's names, and no bot without its referee."""
    program = shutil.which("bwrap")
    if program is None:
        raise FileNotFoundError("bwrap is not installed")
    own = [f"--unshare-{kind}" for kind in namespaces]
    return [*_nest(program), program, *own, "--hostname", "bot", "--die-with-parent"]


@cache
def _nest(program: str) -> tuple[str, ...]:
    """Puts bwrap into an outer namespace of processes, in which it is the first. Empty where that is not allowed.

    If bwrap is killed while it makes a box, what it has started lives on: bwrap asks only at the end to be killed with
    its parent (PDEATHSIG). But a namespace of processes ends with its first one, whatever has been started in it.
    """
    nest = ("sh", "-c", _NEST.format("" if _is_root() else "--user --map-current-user"), START_ONLY_UNDER)
    user = () if _is_root() else ("--unshare-user",)
    trial = [*nest, program, *user, "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    return nest if subprocess.run(trial, check=False, capture_output=True).returncode == 0 else ()


def _is_root() -> bool:
    return os.geteuid() == 0


def _identity(paths: Iterable[Path], user: int) -> tuple[list[str], list[str]]:
    """The user that the bot runs as: arguments of bwrap, and the command that gives the last rights away, inside.

    An ordinary user needs a namespace of users to make a box at all. The bot is that user in it, without any rights.
    Root needs none. Its bots run as the user of this number, which nobody else has. So they do not own root's files,
    and the limit of processes holds. Where root keeps its files to itself (umask 077), they may still read the
    shown paths.
    """
    if not _is_root():
        return ["--unshare-user", "--disable-userns", "--uid", _INSIDE, "--gid", _INSIDE, "--cap-drop", "ALL"], []
    reads_all = not all(map(_is_open, paths))
    needed = ["setuid", "setgid", "setpcap", *([READ_ALL] if reads_all else [])]
    options = [word for name in needed for word in ("--cap-add", f"CAP_{name.upper()}")]
    return ["--cap-drop", "ALL", *options], as_user(user, reads_all=reads_all)


def _is_open(place: Path) -> bool:
    """Whether everybody may look into a place. Those who close it have usually closed all that is in it."""
    needed = 0o5 if place.is_dir() else 0o4
    return place.stat().st_mode & needed == needed


def _view(paths: Iterable[Path], limits: SandboxLimits) -> list[str]:
    """The file system of the box. Its `/tmp` is first, since shown places of the host may lie in one."""
    view = ["--perms", "1777", "--size", str(limits.scratch_mib * MIB), "--tmpfs", str(SCRATCH)]
    view += ["--ro-bind", "/usr", "/usr"]
    for name in readable_paths.ROOT_LINKS:
        path = Path("/") / name
        if path.is_symlink():
            view += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            view += ["--ro-bind", str(path), str(path)]
    view += ["--proc", "/proc", "--tmpfs", "/dev"]
    for device in _DEVICES:
        view += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    view += ["--symlink", "/proc/self/fd", "/dev/fd", "--symlink", str(SCRATCH), _SHARED]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        view += ["--symlink", f"/proc/self/fd/{number}", f"/dev/{name}"]
    view += ["--remount-ro", "/dev"]
    for place in readable_paths.outermost(paths):  # bwrap cannot mount over a link of a folder that is shown
        for parent in reversed(place.parents[:-1]):
            view += ["--perms", "0755", "--dir", str(parent)]  # else they have the rights that umask leaves
        view += ["--ro-bind", str(place.resolve()), str(place)]
    return view


def _covers(visible: Visible) -> list[str]:
    """Empty folders over those that the bot may not see, and over such files a device that cannot be opened there."""
    counters = [Path("/proc", name) for name in _COUNTERS.split()]
    files = [str(place) for place in counters if place.is_file()]
    folders = map(str, [*visible.hidden, *filter(Path.is_dir, counters)])
    return [
        *(word for file in files for word in ("--ro-bind", "/dev/null", file)),
        *(word for folder in folders for word in ("--perms", "0755", "--tmpfs", folder, "--remount-ro", folder)),
    ]


def _closed_in(folder: Path) -> list[str]:
    """Nothing more can be mounted or made in the root, and the command runs in `folder`."""
    return ["--remount-ro", "/", "--chdir", str(folder)]


def _limited(limits: SandboxLimits) -> list[str]:
    """The command that sets the limits of each process, to be put before another command (prlimit(1))."""
    return [
        "prlimit",
        "--core=0",
        f"--data={limits.memory_mib * MIB}",
        f"--nproc={limits.processes}",
        f"--nofile={limits.files}",
        f"--fsize={limits.file_mib * MIB}",
        f"--sigpending={SIGNALS}",
        *("env", "-u", "PWD", "-u", "TMPDIR"),  # bwrap sets the first; the second is of the host
    ]
