"""Doors of the kernel that lead out of a box or to more rights. Each is asked for without doing harm."""

import ctypes
import os
import socket
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from .bot import FIRST, Moment, at
from .calls import allowed, call

_NEW_USER, _NEW_MOUNTS, _NEW_PIDS, _NEW_NET = 0x10000000, 0x00020000, 0x20000000, 0x40000000


@at(FIRST)
def makes_a_user_namespace(_moment: Moment) -> bool:
    """Becomes root of a user namespace of its own, which opens much of the kernel."""
    return _in_a_child(lambda: allowed("unshare", _NEW_USER))


@at(FIRST)
def makes_other_namespaces(_moment: Moment) -> bool:
    """Makes namespaces of mounts, processes and networks."""
    kinds = (_NEW_MOUNTS, _NEW_PIDS, _NEW_NET)
    return any(_in_a_child(lambda kind=kind: allowed("unshare", kind)) for kind in kinds)  # type: ignore[misc]


@at(FIRST)
def forks_into_namespaces(_moment: Moment) -> bool:
    """Forks into new namespaces by clone3, whose arguments no filter can read."""
    arguments = struct.pack("8Q", _NEW_USER, 0, 0, 0, 17, 0, 0, 0)
    try:
        child = call("clone3", arguments, len(arguments))
    except OSError:
        return False
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


@at(FIRST)
def joins_namespaces(_moment: Moment) -> bool:
    """Joins the namespaces of the first process, and its own by name."""
    for process in ("1", "self"):
        for name in ("user", "mnt", "pid", "net", "ipc"):
            try:
                descriptor = os.open(f"/proc/{process}/ns/{name}", os.O_RDONLY)
            except OSError:
                continue
            if _in_a_child(lambda opened=descriptor: allowed("setns", opened, 0)):  # type: ignore[misc]
                return True
    return False


@at(FIRST)
def mounts(_moment: Moment) -> bool:
    """Mounts a file system, binds a folder, and asks for mounts in the newer ways."""
    bind = 4096
    return any(
        [
            allowed("mount", b"rogue", b"/tmp", b"tmpfs", 0, None),
            allowed("mount", b"/usr", b"/tmp", None, bind, None),
            allowed("mount", b"proc", b"/proc", b"proc", 0, None),
            allowed("fsopen", b"tmpfs", 0),
            allowed("open_tree", -100, b"/", 1),
        ]
    )


@at(FIRST)
def makes_what_it_reads_writable(_moment: Moment) -> bool:
    """Mounts its own root, folder and /usr again, so that it may write there."""
    again, bind = 32, 4096
    places = (b"/", b"/usr", str(Path.cwd()).encode(), b"/proc/sys")
    return any(allowed("mount", None, place, None, again | bind, None) for place in places)


@at(FIRST)
def unmounts(_moment: Moment) -> bool:
    """Unmounts file systems, to see the folders below them."""
    return any(allowed("umount2", place, 2) for place in (b"/tmp", b"/proc", b"/dev", str(Path.cwd()).encode()))


@at(FIRST)
def changes_its_root(_moment: Moment) -> bool:
    """Changes its root."""
    return _in_a_child(lambda: allowed("chroot", b"/")) or allowed("pivot_root", b"/tmp", b"/tmp")


@at(FIRST)
def opens_by_handle(_moment: Moment) -> bool:
    """Opens a file by its number on the disk, wherever it lies."""
    handle = struct.pack("IiQ", 8, 1, 2)
    try:
        call("open_by_handle_at", -100, handle, 0)
    except OSError as refused:
        return refused.errno not in (1, 38)  # EPERM, ENOSYS
    return True


@at(FIRST)
def runs_programs_of_root(_moment: Moment) -> bool:
    """Runs a program that gives rights to its user, and asks it for its user."""
    programs = [Path(place) / name for place in ("/bin", "/usr/bin") for name in ("su", "mount", "passwd", "ping")]
    return any(map(_gains_rights, programs))


def _gains_rights(program: Path) -> bool:
    """Whether it is a program of the kind, and has other rights than we have."""
    if not program.exists() or not program.stat().st_mode & 0o4000:
        return False
    with subprocess.Popen(
        [program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as run:
        time.sleep(0.05)
        try:
            effective = Path(f"/proc/{run.pid}/status").read_text().partition("\nUid:\t")[2].split()[1]
        except (OSError, IndexError):
            effective = "none"
        run.kill()
    return effective == "0" != str(os.getuid())


@at(FIRST)
def has_capabilities(_moment: Moment) -> bool:
    """Looks for capabilities that it has or could get."""
    status = Path("/proc/self/status").read_text()
    sets = {line.partition(":")[0]: int(line.split()[1], 16) for line in status.splitlines() if line.startswith("Cap")}
    return any(sets[kind] for kind in ("CapInh", "CapPrm", "CapEff", "CapAmb")) or "NoNewPrivs:\t1" not in status


@at(FIRST)
def becomes_root(_moment: Moment) -> bool:
    """Is root, or becomes it."""
    if os.getuid() == 0 or os.geteuid() == 0:
        return True
    return _in_a_child(lambda: _tries(lambda: os.setuid(0)))


@at(FIRST)
def asks_for_io_uring(_moment: Moment) -> bool:
    """Sets up a ring for calls that no filter sees."""
    parameters = ctypes.create_string_buffer(120)
    return allowed("io_uring_setup", 1, parameters)


@at(FIRST)
def loads_bpf(_moment: Moment) -> bool:
    """Makes a map of BPF in the kernel."""
    return allowed("bpf", 0, struct.pack("4I", 2, 4, 4, 1) + bytes(112), 128)


@at(FIRST)
def counts_what_others_do(_moment: Moment) -> bool:
    """Opens a counter of the processor (perf)."""
    attributes = struct.pack("IIQ", 1, 112, 0) + bytes(96)
    return allowed("perf_event_open", attributes, 0, -1, -1, 0) or allowed("perf_event_open", attributes, -1, 0, -1, 0)


@at(FIRST)
def handles_faults_of_memory(_moment: Moment) -> bool:
    """Asks to handle page faults itself, with which it could hold the kernel up."""
    return allowed("userfaultfd", 1) or allowed("userfaultfd", 0)


@at(FIRST)
def watches_all_files(_moment: Moment) -> bool:
    """Asks the kernel to report every access to any file (fanotify)."""
    return allowed("fanotify_init", 0, 0)


@at(FIRST)
def has_a_keyring(_moment: Moment) -> bool:
    """Asks for the keyrings of its session and user."""
    get_id, of_the_session, of_the_user = 0, -3, -4
    return allowed("keyctl", get_id, of_the_session, 1) or allowed("keyctl", get_id, of_the_user, 1)


@at(FIRST)
def compares_processes(moment: Moment) -> bool:
    """Compares the insides of two processes."""
    return allowed("kcmp", os.getpid(), moment.given.victim, 0, 0, 0)


@at(FIRST)
def reads_the_log_of_the_kernel(_moment: Moment) -> bool:
    """Reads the messages of the kernel."""
    room = ctypes.create_string_buffer(4096)
    return allowed("syslog", 3, room, 4096)


@at(FIRST)
def sets_the_clock(_moment: Moment) -> bool:
    """Sets the clock of the machine, to what it shows."""
    now = time.time_ns()
    return allowed("clock_settime", 0, struct.pack("qq", now // 10**9, now % 10**9))


@at(FIRST)
def switches_the_machine(_moment: Moment) -> bool:
    """Asks for the right to switch the machine off: it only says what Ctrl-Alt-Delete should do."""
    return allowed("reboot", 0xFEE1DEAD, 672274793, 0, None)


@at(FIRST)
def loads_a_kernel(_moment: Moment) -> bool:
    """Asks to load another kernel, and modules into this one."""
    return allowed("kexec_load", 0, 0, None, 0) or allowed("init_module", None, 0, b"")


@at(FIRST)
def keeps_accounts_of_processes(_moment: Moment) -> bool:
    """Turns the accounting of processes off, and quotas and swap on."""
    return allowed("acct", None) or allowed("swapon", b"/tmp", 0) or allowed("quotactl", 0x800001 << 8, None, 0, None)


# Sockets


@at(FIRST)
def opens_odd_sockets(_moment: Moment) -> bool:
    """Opens sockets of every family but those that a bot may need: with Netlink some look for their own network."""
    needed = {int(socket.AF_UNIX), int(socket.AF_INET), int(socket.AF_INET6), int(socket.AF_NETLINK)}
    return any(_opens(family, kind) for family in range(1, 46) if family not in needed for kind in (1, 2, 3, 5)) or any(
        _opens(socket.AF_NETLINK, kind, protocol) for protocol in range(1, 32) for kind in (2, 3)
    )


@at(FIRST)
def opens_raw_sockets(_moment: Moment) -> bool:
    """Opens raw sockets of the network."""
    return any(_opens(family, 3, protocol) for family in (2, 10) for protocol in (1, 6, 255))


def _opens(family: int, kind: int, protocol: int = 0) -> bool:
    try:
        socket.socket(family, kind, protocol).close()
    except OSError:
        return False
    return True


def _in_a_child(act: Callable[[], object]) -> bool:
    """Whether a function is true in a child, whose state it may change."""
    child = os.fork()
    if child == 0:
        os._exit(7 if act() else 0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 7


def _tries(act: Callable[[], object]) -> bool:
    try:
        act()
    except OSError:
        return False
    return True
