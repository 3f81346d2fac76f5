"""Runs in a box as a bot would, tries what its argument says, and prints what came of it as one line of JSON."""

import contextlib
import ctypes
import errno
import json
import mmap
import os
import platform
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)


def see() -> object:
    """Everything that it can find out about where it is."""
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return {
        "root": sorted(os.listdir("/")),
        "etc": sorted(os.listdir("/etc")),
        "dev": sorted(os.listdir("/dev")),
        "tmp": sorted(os.listdir("/tmp")),
        "here": sorted(os.listdir(".")),
        "folder": os.getcwd().split("/"),  # as a whole it would not be in the output
        "environment": dict(os.environ),
        "files": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1],
        "processes": len([name for name in os.listdir("/proc") if name.isdigit()]),
        "interfaces": [name for _, name in socket.if_nameindex()],
        "host": socket.gethostname(),
        "capabilities": sorted({int(status[f"Cap{which}"], 16) for which in ("Inh", "Prm", "Eff", "Bnd", "Amb")}),
        "no_new_privileges": status["NoNewPrivs"].strip(),
        "seccomp": status["Seccomp"].strip(),
        "root_user": 0 in (os.getuid(), os.geteuid(), os.getgid(), os.getegid(), *os.getgroups()),
        "limits": {
            name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))
            for name in ("CORE", "DATA", "NPROC", "NOFILE", "FSIZE")
        },
    }


def write() -> object:
    """Where it can make a file."""
    return [place for place in _places() if _can(partial(Path(place, "made").touch))]


def _places() -> list[str]:
    found = [
        ".",
        "/",
        "/tmp",
        "/var/tmp",
        "/dev",
        "/dev/shm",
        "/run",
        "/usr",
        "/etc",
        "/proc",
        "/proc/sys/kernel",
        "/sys",
    ]
    return [*found, *map(str, Path.cwd().parents), *sys.path[1:]]


def call() -> object:
    """Which of these system calls are refused, and how."""
    asked = (word.split("=") for word in sys.argv[2:])
    return {name: _refusal(int(number)) for name, number in asked}


def _refusal(number: int) -> str:
    # -1 is a bad pointer, file, flag or process everywhere, so that no call does any harm where it is not refused.
    ctypes.set_errno(0)
    LIBC.syscall(number, -1, -1, -1, -1, -1, -1)
    return errno.errorcode.get(ctypes.get_errno(), "none")


def sockets() -> object:
    """Which kinds of sockets it can make, and where it can connect to."""
    kinds = {
        "unix": (socket.AF_UNIX, socket.SOCK_STREAM, 0),
        "inet": (socket.AF_INET, socket.SOCK_STREAM, 0),
        "inet6": (socket.AF_INET6, socket.SOCK_STREAM, 0),
        "routes": (socket.AF_NETLINK, socket.SOCK_RAW, 0),
        "netfilter": (socket.AF_NETLINK, socket.SOCK_RAW, 12),
        "packet": (socket.AF_PACKET, socket.SOCK_RAW, 0),
        "raw": (socket.AF_INET, socket.SOCK_RAW, 1),
        "vsock": (socket.AF_VSOCK, socket.SOCK_STREAM, 0),
        "crypto": (socket.AF_ALG, socket.SOCK_SEQPACKET, 0),
    }
    made = [name for name, kind in kinds.items() if _can(lambda kind=kind: socket.socket(*kind).close())]  # type: ignore[misc]
    return {"made": made, "connected": [place for place in sys.argv[2:] if _can(lambda place=place: _connect(place))]}  # type: ignore[misc]


def _connect(place: str) -> None:
    host, _, port = place.rpartition(":")
    if port.isdigit():
        socket.create_connection((host, int(port)), timeout=5).close()
    else:
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(place.replace("@", "\0"))


def fork() -> object:
    """How many children it can have."""
    children: list[int] = []
    with contextlib.suppress(OSError):
        while len(children) < 1000:
            child = os.fork()
            if not child:
                time.sleep(600)
            children.append(child)
    return len(children)


def eat() -> object:
    """How many blocks of 16 MiB it can have alone."""
    blocks: list[bytes] = []
    with contextlib.suppress(MemoryError):
        while len(blocks) < 100:
            blocks.append(b"x" * (16 << 20))
    return len(blocks)


def share() -> object:
    """Have more memory together with a child than alone."""
    hungry = [sys.executable, "-c", "import time; block = b'x' * (40 << 20); time.sleep(600)"]
    _children = [subprocess.Popen(hungry) for _ in range(4)]
    time.sleep(600)
    return None


def map_much() -> object:
    """Map much that takes no memory, but 128 MiB of page tables once it was looked at."""
    nothing = mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
    nothing.madvise(mmap.MADV_NOHUGEPAGE)
    for place in range(0, len(nothing), 2 << 20):
        _seen = nothing[place]
    time.sleep(600)
    return None


def send_much() -> object:
    """Send 128 MiB to itself, and read nothing of it."""
    sent, held = 0, []
    with socket.create_server(("127.0.0.1", 0)) as server:
        while sent < 128 << 20:
            sender = socket.create_connection(server.getsockname())
            held += [sender, server.accept()[0]]
            sender.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while sent < 128 << 20:
                    sent += sender.send(bytes(1 << 20))
    time.sleep(600)
    return None


def leave_marks() -> object:
    """Where it can change the size of a buffer, what is in the caches, or the times of the machine's devices."""
    pair, memory = socket.socketpair(), mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE)
    options = ("SO_SNDBUF", "SO_RCVBUF", "SO_SNDBUFFORCE", "SO_RCVBUFFORCE")
    numbers = dict(zip(options, (7, 8, 32, 33), strict=True))
    attempts: dict[str, Callable[[], object]] = {
        name: partial(pair[0].setsockopt, socket.SOL_SOCKET, numbers[name], 1 << 20) for name in options
    }
    attempts |= {
        "MADV_COLD": partial(memory.madvise, 20),
        "MADV_PAGEOUT": partial(memory.madvise, 21),
        "MADV_DONTNEED": partial(memory.madvise, mmap.MADV_DONTNEED),
        "SO_KEEPALIVE": partial(pair[0].setsockopt, socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
        "TCP_NODELAY": partial(socket.socket().setsockopt, socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
        "TCP_SYNCNT": partial(socket.socket().setsockopt, socket.IPPROTO_TCP, numbers["SO_SNDBUF"], 1),
        "/dev/full": partial(os.utime, "/dev/full"),
        "/dev/null": lambda: os.utime(os.open("/dev/null", os.O_WRONLY)),
        "its own file": partial(Path("/tmp/touched").touch),
    }
    return [name for name, attempt in attempts.items() if _can(attempt)]


def clutter() -> object:
    """Make empty files in the one place where it can."""
    for number in range(1_000_000):
        Path(f"/tmp/{number}").touch()
    return None


def open_sockets() -> object:
    """Open more sockets than there may be, in several processes."""
    for _ in range(3):
        if not os.fork():
            _held = [socket.socketpair() for _ in range(100)]
            time.sleep(600)
    time.sleep(600)
    return None


def fill() -> object:
    """How many MiB it can write there, in one file and in all."""
    in_one = 0
    with contextlib.suppress(OSError), open("/tmp/one", "wb", buffering=0) as file:
        while in_one < 1000:
            in_one += file.write(bytes(1 << 20)) >> 20
    more = [_can(lambda n=n: Path(f"/tmp/{n}").write_bytes(bytes(1 << 20))) for n in range(100)]  # type: ignore[misc]
    return {"in_one": in_one, "in_all": in_one + sum(more)}


def spawn() -> object:
    """Whether a child can leave its group or its session."""
    return [name for name in ("setsid", "setpgrp") if _can(getattr(os, name))]


def _can(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    assert platform.system() == "Linux"
    print(json.dumps(globals()[sys.argv[1]]()), flush=True)
    time.sleep(600)
