"""A bot that tries things: `python -I -S -c SOURCE BAIT`. It prints which of them went well.

Where nothing confines it, all of them do. So each is tried on files that were put in order before.
"""

import ctypes
import errno
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import struct
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

bait = json.loads(sys.argv[1])
secret, shut, pid = bait["file"], bait["folder"], int(bait["process"])
own, scratch = bait["own"], os.environ["TMPDIR"]
libc = ctypes.CDLL(None, use_errno=True)
OPEN = 2  # of x86-64 only
FCHMODAT2, OPENAT2 = 452, 437  # the same on every architecture
FAST_OPEN = 0x20000000


def succeeds(attempt: Callable[[], object]) -> bool:
    try:
        return attempt() is not False
    except OSError:
        return False


def in_order() -> None:
    for path in (secret, f"{own}/bot.txt"):
        succeeds(lambda path=path: Path(path).write_text("secret"))  # type: ignore[misc]  # a default binds it
    for name in ("moved", "linked", "link", "pipe"):
        succeeds(lambda name=name: os.unlink(f"{scratch}/{name}"))  # type: ignore[misc]  # as above


def went_well(attempt: Callable[[], object]) -> bool:
    in_order()
    return succeeds(attempt)


def called(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


def connect(family: int, kind: int, address: object) -> None:
    with socket.socket(family, kind) as caller:
        caller.connect(address)  # type: ignore[arg-type]


def fast_open() -> None:
    with socket.socket() as caller:
        caller.sendto(b"x", FAST_OPEN, ("127.0.0.1", int(bait["port"])))


def fast_open_message() -> None:
    with socket.socket() as caller:
        caller.sendmsg([b"x"], [], FAST_OPEN, ("127.0.0.1", int(bait["port"])))


class Message(ctypes.Structure):
    """A struct mmsghdr without anything but an address."""

    _fields_ = (("name", ctypes.c_char_p), ("size", ctypes.c_uint), ("rest", ctypes.c_char * 48))


def fast_open_messages() -> None:
    address = (
        struct.pack("=H", socket.AF_INET) + struct.pack(">H", int(bait["port"])) + bytes([127, 0, 0, 1]) + bytes(8)
    )
    with socket.socket() as caller:
        message = Message(address, len(address))
        called(libc.sendmmsg(caller.fileno(), ctypes.byref(message), 1, FAST_OPEN))


def listen() -> None:
    with socket.create_server(("127.0.0.1", 0)):
        pass


def close(descriptor: int) -> None:
    os.close(descriptor)


def closed(file: object) -> None:
    file.close()  # type: ignore[attr-defined]


def written(path: str) -> None:
    Path(path).write_bytes(b"x")


def made(path: str) -> None:
    written(path)
    os.unlink(path)


def in_child(attempt: Callable[[], object]) -> None:
    """For what would change this process for good."""
    child = os.fork()
    if not child:
        os._exit(not succeeds(attempt))
    called(-os.waitpid(child, 0)[1])


def attribute(path: str) -> None:
    os.setxattr(path, "user.x", b"x")


def flags(path: str) -> None:
    file = os.open(path, os.O_RDONLY)
    fcntl.ioctl(file, 0x40086602, b"\0" * 8)


ATTACKS: dict[str, Callable[[], object]] = {
    "read a file": lambda: Path(secret).read_bytes(),
    "list a folder": lambda: os.listdir(shut),
    "list the root": lambda: os.listdir("/"),
    "read the users": lambda: Path("/etc/passwd").read_bytes(),
    "write a file": lambda: written(secret),
    "make a file": lambda: made(f"{shut}/made"),
    "make a file in its own folder": lambda: made(f"{own}/made"),
    "make a file in /tmp": lambda: made("/tmp/referee-made"),
    "make a file in /dev/shm": lambda: made("/dev/shm/referee-made"),
    "make a folder": lambda: os.mkdir(f"{shut}/folder"),
    "remove a file": lambda: os.unlink(secret),
    "move a file": lambda: os.rename(secret, f"{scratch}/moved"),
    "link a file": lambda: os.link(secret, f"{scratch}/linked"),
    "link by name": lambda: os.symlink(secret, f"{scratch}/link"),
    "make a pipe": lambda: os.mkfifo(f"{scratch}/pipe"),
    "truncate": lambda: os.truncate(secret, 0),
    "truncate its own": lambda: os.truncate(f"{own}/bot.txt", 0),
    "empty what it may read": lambda: close(os.open(f"{own}/bot.txt", os.O_RDONLY | os.O_TRUNC)),
    "empty in the oldest way": lambda: called(libc.syscall(OPEN, f"{own}/bot.txt".encode(), os.O_RDONLY | os.O_TRUNC)),
    "open in the newest way": lambda: called(libc.syscall(OPENAT2, -100, own.encode(), b"\0" * 24, 24)),
    "change rights": lambda: os.chmod(secret, 0o777),
    "change rights of its own": lambda: os.chmod(f"{own}/bot.txt", 0o777),
    "change rights of an open file": lambda: os.chmod(os.open(f"{own}/bot.txt", os.O_RDONLY), 0o777),
    "change rights in the newest way": lambda: called(libc.syscall(FCHMODAT2, -100, secret.encode(), 0o777, 0)),
    "change the owner": lambda: os.chown(secret, os.getuid(), -1),
    "change the owner of a link": lambda: os.lchown(secret, os.getuid(), -1),
    "change times": lambda: os.utime(secret),
    "change times of its own": lambda: os.utime(f"{own}/bot.txt"),
    "set an attribute": lambda: attribute(f"{own}/bot.txt"),
    "set flags": lambda: flags(f"{own}/bot.txt"),
    "watch a folder": lambda: called(libc.inotify_init()),
    "watch a folder, newer": lambda: called(libc.inotify_init1(0)),
    "call a port": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(bait["port"]))),
    "call a port at once": fast_open,
    "call a port by a message": fast_open_message,
    "call a port by messages": fast_open_messages,
    "call a socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, bait["socket"]),
    "call an abstract socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + bait["abstract"]),
    "send datagrams": lambda: closed(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)),
    "send datagrams by IPv6": lambda: closed(socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)),
    "send datagrams to a socket": lambda: closed(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)),
    "send datagrams from a pair": lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM),
    "listen on a port": listen,
    "signal to a process": lambda: os.kill(pid, 0),
    "end a process": lambda: os.kill(pid, signal.SIGURG),
    "limit a process": lambda: resource.prlimit(pid, resource.RLIMIT_CORE),
    "leave its session": lambda: in_child(os.setsid),
    "leave its group": lambda: in_child(lambda: os.setpgid(0, 0)),
    "list processes": lambda: os.listdir("/proc"),
    "read of a process": lambda: Path(f"/proc/{pid}/cmdline").read_bytes(),
    "read files of a process": lambda: os.listdir(f"/proc/{pid}/fd"),
    "reach the root by a process": lambda: os.listdir(f"/proc/{pid}/root"),
    "have a root of its own": lambda: in_child(lambda: called(libc.unshare(0x10000000))),
    "trace": lambda: in_child(lambda: called(libc.ptrace(0, 0, 0, 0))),
    "run a program": lambda: in_child(lambda: os.execv(f"{shut}/program", ["program"])),
}


def works_in_its_folder() -> None:
    folder = tempfile.mkdtemp()
    written(f"{folder}/a")
    os.rename(f"{folder}/a", f"{scratch}/b")
    with Path(f"{scratch}/b").open("r+b") as file:
        file.truncate(0)
    os.unlink(f"{scratch}/b")
    os.rmdir(folder)


def serves() -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{scratch}/bot.sock")
        listener.listen()
    os.unlink(f"{scratch}/bot.sock")


def has_children() -> None:
    child = os.fork()
    if not child:
        signal.pause()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def has_threads() -> None:
    thread = threading.Thread(target=os.getpid)
    thread.start()
    thread.join()


NEEDED: dict[str, Callable[[], object]] = {
    "files of its own": works_in_its_folder,
    "its own files": lambda: Path(f"{own}/bot.txt").read_bytes() and os.listdir(own),
    "the system's files": lambda: os.listdir("/usr/bin"),
    "a socket of its own": serves,
    "a pair of sockets": lambda: list(map(closed, socket.socketpair())),
    "children": has_children,
    "threads": has_threads,
    "memory": lambda: mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE).close(),
    "nothing": lambda: Path("/dev/null").write_bytes(b"x"),
    "luck": lambda: Path("/dev/urandom").open("rb").close(),
    "what is said of itself": lambda: Path("/proc/self/status").read_bytes(),
    "how much memory there is": lambda: Path("/proc/meminfo").read_bytes(),
    "its own limits": lambda: resource.getrlimit(resource.RLIMIT_CORE),
}


def no_such_process() -> bool:
    """Whether it can tell a process that there is from one that there is not."""
    try:
        os.getsid(pid)
    except PermissionError:
        return True
    except OSError:
        return False
    try:
        os.getsid(2**22 + 1)  # more than there can be
    except OSError as error:
        return error.errno == errno.ESRCH
    return False


def is_locked() -> bool:
    file = os.open(f"{own}/bot.txt", os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


WEAK: dict[str, Callable[[], object]] = {
    "the size of a file": lambda: Path(secret).stat().st_size == len("secret"),
    "whether there is a process": no_such_process,
    "the networks": lambda: socket.if_nameindex() == [tuple(each) for each in bait["networks"]],
    "a lock of another": is_locked,
}


kinds: dict[str, dict[str, Callable[[], object]]] = {"attacks": ATTACKS, "needed": NEEDED, "weak": WEAK}
found = {kind: {name: went_well(attempt) for name, attempt in attempts.items()} for kind, attempts in kinds.items()}
print(json.dumps(found))
