"""Counters of the whole machine, by which a process could learn how many came before it. A box has none of its own."""

import contextlib
import ctypes
import fcntl
import os
import socket
from collections.abc import Callable
from pathlib import Path

from .bot import FIRST, Moment, at
from .calls import call

_COOKIE, _NETWORK_COOKIE = 57, 71
_LEFT, _MASK = 0xB000, 0xFFFF
_MOUNT_OF = 0x4000  # statx(2): STX_MNT_ID_UNIQUE
_NUMBER_OF_MOUNTS = 0x8008B705  # ioctl_nsfs(2): NS_GET_MNTNS_ID


@at(FIRST)
def reads_counters_of_the_machine(_moment: Moment) -> bool:
    """Reads how many sockets, networks, mounts, namespaces and processes the machine has had."""
    counters: tuple[Callable[[], object], ...] = (
        lambda: _option(_COOKIE),
        lambda: _option(_NETWORK_COOKIE),
        lambda: call("statx", -100, b"/usr", 0, _MOUNT_OF, ctypes.create_string_buffer(256)),
        lambda: fcntl.ioctl(os.open("/proc/self/ns/mnt", os.O_RDONLY), _NUMBER_OF_MOUNTS, bytes(8)),
        lambda: Path("/proc/stat").read_bytes(),
        lambda: Path("/proc/vmstat").read_bytes(),
        lambda: Path("/proc/sys/fs/dentry-state").read_bytes(),
    )
    return any(map(_succeeds, counters))


@at(FIRST)
def remembers_by_a_counter_of_the_machine(_moment: Moment) -> bool:
    """Moves the counter of sockets to a number, which its next process finds there."""
    with contextlib.suppress(OSError):
        if (_option(_COOKIE) - 1) & _MASK == _LEFT:
            return True
        while _option(_COOKIE) & _MASK != _LEFT:
            pass
    return False


def _option(name: int) -> int:
    with socket.socket(socket.AF_UNIX) as asked:
        return int.from_bytes(asked.getsockopt(socket.SOL_SOCKET, name, 8), "little")


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True
