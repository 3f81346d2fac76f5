"""A group of the kernel (cgroup v2) that limits the memory of a box, where the machine has delegated groups to us.

The kernel counts all that is taken for the processes of a group, at once and whatever it is. Groups are delegated by
`systemd-run --user --scope --property Delegate=yes COMMAND`, or by `Delegate=yes` in a service. A group with processes
cannot have groups with limits inside it, so the first who makes a box moves our own processes into a group below.
"""

import contextlib
import errno
import os
import secrets
import time
from functools import cache
from pathlib import Path

import msgspec

from referee.core.bot_limits import MIB, SandboxLimits

_MOUNT = Path("/sys/fs/cgroup")
_MEMBERSHIP = Path("/proc/self/cgroup")
_DELEGATED = "user.delegate"
"""The attribute by which systemd marks a group that is ours to divide."""

_OURS = "referee"
"""The group of our own processes."""

_JOIN = 'echo $$ > "$0" && exec "$@"'
_TRIES = 100
_PAUSE_S = 0.01
"""A killed process may stay in its group for a moment."""


class BoxGroup(msgspec.Struct, frozen=True):
    """The group of one box.

    Attributes:
        folder: its folder in the file system of groups.
        memory_mib: the memory that its processes may use, besides the files that they write.
    """

    folder: Path
    memory_mib: int

    def joining(self, command: list[str]) -> list[str]:
        """A command that enters the group and becomes `command`."""
        return ["sh", "-c", _JOIN, str(self.folder / "cgroup.procs"), *command]

    @property
    def limit_exceeded(self) -> str | None:
        """That the kernel has ended a process for this limit, in words that go after "it"; None if it has not."""
        with contextlib.suppress(OSError):
            events = dict(line.split() for line in (self.folder / "memory.events").read_text().splitlines())
            if all(int(events.get(key, 0)) for key in ("oom", "oom_kill")):  # only oom_kill: others took the memory
                return f"used more memory than the allowed {self.memory_mib} MiB"
        return None

    def remove(self) -> None:
        """Remove the group. Its processes must have been killed."""
        for _ in range(_TRIES):
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError as error:
                if error.errno != errno.EBUSY:
                    return
                time.sleep(_PAUSE_S)


def made(parent: Path, limits: SandboxLimits) -> BoxGroup:
    """Make a group for a box.

    Raises:
        OSError: it cannot be made.
    """
    group = BoxGroup(parent / f"bot-{secrets.token_hex(8)}", limits.memory_mib)
    group.folder.mkdir()
    try:
        (group.folder / "memory.max").write_text(str((limits.memory_mib + limits.scratch_mib) * MIB))
        swap = group.folder / "memory.swap.max"
        if swap.exists():  # some kernels have no swap
            swap.write_text("0")
    except OSError:
        group.remove()
        raise
    return group


@cache
def parent_here() -> Path | None:
    """The group in which this process can make groups for boxes; None if there is none."""
    return parent(_MOUNT, _MEMBERSHIP)


def parent(mount: Path, membership: Path) -> Path | None:
    """The same, for a machine with the groups at `mount` and a process whose groups `membership` names (cgroups(7))."""
    try:
        lines = membership.read_text().splitlines()
        own = mount / next(line.removeprefix("0::/") for line in lines if line.startswith("0::/"))
        place = own.parent if own.name == _OURS else own
        if os.getxattr(place, _DELEGATED) != b"1":
            return None
        if "memory" not in (place / "cgroup.controllers").read_text().split():
            return None
        if "memory" not in (place / "cgroup.subtree_control").read_text().split():
            _divide(place)
    except (OSError, StopIteration):
        return None
    return place


def _divide(place: Path) -> None:
    """Move all processes of a group into one below, and let the others below have limits of memory."""
    (place / _OURS).mkdir(exist_ok=True)
    for pid in (place / "cgroup.procs").read_text().split():
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            (place / _OURS / "cgroup.procs").write_text(pid)
    (place / "cgroup.subtree_control").write_text("+memory")
