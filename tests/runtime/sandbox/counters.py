"""Runs in a box as a bot would, reads every counter of the table in docs/sandbox.md, and prints what it read as JSON.

A counter is read as a word; the word starts with `!` if the kernel or the box refuses it.
"""

import ctypes
import errno
import fcntl
import json
import os
import platform
import socket
import struct
from collections.abc import Callable
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
STATX = {"x86_64": 332, "aarch64": 291}[platform.machine()]
ADJTIMEX, NAME_TO_HANDLE = {"x86_64": (159, 303), "aarch64": (171, 264)}[platform.machine()]
KEYCTL = {"x86_64": 250, "aarch64": 219}[platform.machine()]
STATMOUNT, PIDFD_OPEN = 457, 434
MOUNT_ID, UNIQUE_MOUNT_ID = 0x1000, 0x4000
MOUNT_NAMESPACE, ANY_NAMESPACE, OF_PIDFD = 0x8008B705, 0x8008B70D, 0xC040FF0B


def call(number: int, *arguments: object) -> int:
    passed = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    result: int = LIBC.syscall(number, *passed)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def option(name: int) -> object:
    with socket.socket(socket.AF_UNIX) as asked:
        return asked.getsockopt(socket.SOL_SOCKET, name, 8).hex()


def request(path: str, number: int) -> object:
    return fcntl.ioctl(os.open(path, os.O_RDONLY), number, bytes(64)).hex()


def mount(asked: int) -> int:
    room = ctypes.create_string_buffer(256)
    call(STATX, -100, b"/usr", 0, asked, room)
    return int(struct.unpack_from("Q", room, 144)[0])


def inode(descriptor: int) -> int:
    return os.fstat(descriptor).st_ino


def name_of(bound: socket.socket, address: object) -> object:
    bound.bind(address)  # type: ignore[arg-type]
    return repr(bound.getsockname())


def called() -> int:
    with (
        socket.create_server(("127.0.0.1", 14_014)) as server,
        socket.create_connection(server.getsockname()) as caller,
    ):
        port: int = caller.getsockname()[1]
        return port


def first_of(path: str) -> str:
    """All of a file, or the names in a folder."""
    place = Path(path)
    if place.is_dir():
        return " ".join(sorted(path.name for path in place.iterdir())) or "!empty"
    return place.read_text()


READ: dict[str, Callable[[], object]] = {
    "`SO_COOKIE`": lambda: option(57),
    "`SO_NETNS_COOKIE`": lambda: option(71),
    "`SO_INCOMING_NAPI_ID`": lambda: option(56),
    "numbers of namespaces (`ioctl_nsfs`)": lambda: [
        request("/proc/self/ns/mnt", MOUNT_NAMESPACE),
        request("/proc/self/ns/net", ANY_NAMESPACE),
    ],
    "numbers of control groups (`PIDFD_GET_INFO`)": lambda: fcntl.ioctl(
        call(PIDFD_OPEN, os.getpid(), 0), OF_PIDFD, struct.pack("Q", 0xFF) + bytes(56)
    ).hex(),
    "unique numbers of mounts (`STX_MNT_ID_UNIQUE`, `statmount`)": lambda: (
        mount(UNIQUE_MOUNT_ID) or call(STATMOUNT, 0, 0, 0, 0)
    ),
    "handles of files (`name_to_handle_at`)": lambda: call(NAME_TO_HANDLE, -100, b"/usr", 0, 0, 0),
    "sockets of the machine (`sock_diag`)": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4).fileno(),
    "offset of the clock (`adjtimex`)": lambda: call(ADJTIMEX, bytes(256)),
    "keys, queues, semaphores, shared memory of System V": lambda: call(KEYCTL, 0, -3, 1),
    **{
        f"`/proc/{name}`": lambda name=name: first_of(f"/proc/{name}")  # type: ignore[misc]
        for name in (
            *("buddyinfo", "cgroups", "diskstats", "fs", "interrupts", "irq", "key-users", "loadavg", "locks"),
            *("pressure", "softirqs", "stat", "swaps", "sys/fs", "uptime", "vmstat", "zoneinfo"),
        )
    },
    "process ids": os.getpid,
    "inode numbers in `/tmp`": lambda: inode(os.open("/tmp/file", os.O_CREAT)),  # noqa: S108 - the box's own
    "inode numbers of epoll sets, event files and timer files": lambda: inode(os.eventfd(0)),
    "what its network counts (`/proc/net/snmp`)": lambda: first_of("/proc/net/snmp"),
    "ports that the kernel chooses (`bind`)": lambda: name_of(socket.socket(), ("127.0.0.1", 0)),
    "names that the kernel chooses (`AF_UNIX`)": lambda: name_of(socket.socket(socket.AF_UNIX), ""),
    "`/proc/sys/kernel/random/uuid`": lambda: first_of("/proc/sys/kernel/random/uuid"),
    "numbers of mounts (`STX_MNT_ID`, `mountinfo`)": lambda: mount(MOUNT_ID),
    "inode numbers of namespaces": lambda: str(Path("/proc/self/ns/net").readlink()),
    "numbers of devices (`st_dev` of `/tmp`)": lambda: Path("/tmp").stat().st_dev,  # noqa: S108 - as above
    "inode numbers of sockets": lambda: inode(socket.socketpair()[0].detach()),
    "inode numbers of pipes": lambda: inode(os.pipe()[0]),
    "inode numbers in `/proc`": lambda: Path("/proc/self/stat").stat().st_ino,
    "inode numbers of pidfds": lambda: inode(call(PIDFD_OPEN, os.getpid(), 0)),
    "ports of callers (`connect`)": called,
    "packets (`/proc/net/softnet_stat`, `/proc/net/stat`)": lambda: first_of("/proc/net/softnet_stat"),
    "`/proc/self/sched`, `/proc/self/autogroup`": lambda: first_of("/proc/self/sched"),
    "memory and load (`/proc/meminfo`, `sysinfo`)": lambda: first_of("/proc/meminfo"),
    "free space of the disk (`statfs`)": lambda: os.statvfs("/usr").f_bfree,
    "clocks, and start times of processes": lambda: first_of("/proc/self/stat").split()[21],
}
"""How each counter is read, by its name in the table."""


def word(read: Callable[[], object]) -> str:
    """What was read."""
    try:
        return str(read())
    except OSError as error:
        return f"!{errno.errorcode[error.errno or 0]}"


if __name__ == "__main__":
    print(json.dumps({name: word(read) for name, read in READ.items()}))
