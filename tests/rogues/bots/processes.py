"""What a rogue may do to other processes, with its own, and to the processor, the memory and the tables they share."""

import contextlib
import ctypes
import fcntl
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from .bot import BEFORE_IT_LISTENS, FIRST, OVER, SECOND, STARTED, Given, Moment, at
from .calls import allowed, call
from .honest import THOUGHT_S

HOUR_S = 3600
_SET_SIGNAL = 10  # fcntl(2), F_SETSIG
Act = Callable[[], object]


def _others() -> Iterator[int]:
    """Every process that can be seen and is neither this one nor below it, nor the first of a box."""
    ours = {os.getpid()}
    pids = sorted(int(path.name) for path in Path("/proc").glob("[0-9]*"))
    for pid in pids:
        with contextlib.suppress(OSError):
            parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
            if parent in ours:
                ours.add(pid)
    yield from (pid for pid in pids if pid not in ours and pid != 1 and _is_of_the_league(pid))


def _is_of_the_league(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"rogues" in Path(f"/proc/{pid}/cmdline").read_bytes() and not _holds_us(pid)
    return False


def _holds_us(pid: int) -> bool:
    """Whether this is a process that started us: bubblewrap's, in a box."""
    return b"bwrap" in Path(f"/proc/{pid}/cmdline").read_bytes()


# Others


@at(FIRST)
def kills_a_process_by_its_number(moment: Moment) -> bool:
    """Kills a process of its user. (Signal 0 asks for the same right and does no harm.)"""
    return _may_signal(moment.given.victim)


@at(FIRST)
def kills_its_opponents(_moment: Moment) -> bool:
    """Looks for processes of the league that it may kill: opponents, worker, runner."""
    return any(_may_signal(pid) for pid in _others())


@at(FIRST)
def kills_its_parents(_moment: Moment) -> bool:
    """Looks for a parent that it may kill, outside of its box."""
    parent = os.getppid()
    return parent > 1 and not _is_bubblewrap(parent) and _may_signal(parent)


def _is_bubblewrap(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"bwrap" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


@at(FIRST)
def kills_by_descriptor(moment: Moment) -> bool:
    """Kills a process of its user by a descriptor of it (pidfd)."""
    try:
        descriptor = call("pidfd_open", moment.given.victim, 0)
        call("pidfd_send_signal", descriptor, 0, None, 0)
    except OSError:
        return False
    return True


def _may_signal(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


@at(FIRST)
def signals_by_a_pipe(moment: Moment) -> bool:
    """Has the kernel signal a process of its user when something comes to a pipe: it is to stop, and to go on."""
    reading, writing = os.pipe()
    try:
        fcntl.fcntl(reading, fcntl.F_SETOWN, moment.given.victim)
    except OSError:
        return False
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    stopped = False
    for number in (signal.SIGSTOP, signal.SIGCONT):
        fcntl.fcntl(reading, _SET_SIGNAL, number)
        os.write(writing, b"x")
        time.sleep(0.2)
        stopped |= _state(moment.given.victim) == "T"
    return stopped


def _state(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return ""


@at(FIRST)
def slows_a_process_down(moment: Moment) -> bool:
    """Changes how a process of its user is scheduled: how nice it is, on which cores it runs."""
    victim = moment.given.victim
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, victim, os.getpriority(os.PRIO_PROCESS, victim))
        return True
    with contextlib.suppress(OSError):
        os.sched_setaffinity(victim, os.sched_getaffinity(victim))
        return True
    return False


@at(FIRST)
def limits_a_process(moment: Moment) -> bool:
    """Sets the limits of a process of its user, to what they are."""
    limits = (ctypes.c_ulong * 2)()
    of_files = 7
    return allowed("prlimit64", moment.given.victim, of_files, None, ctypes.byref(limits)) and allowed(
        "prlimit64", moment.given.victim, of_files, ctypes.byref(limits), None
    )


@at(FIRST)
def traces_a_process(moment: Moment) -> bool:
    """Attaches to a process of its user as a debugger does, and lets it go on."""
    attach, detach = 16, 17
    if not allowed("ptrace", attach, moment.given.victim, 0, 0):
        return False
    os.waitpid(moment.given.victim, 0x40000000)  # __WALL
    call("ptrace", detach, moment.given.victim, 0, 0)
    return True


@at(FIRST)
def traces_its_child(_moment: Moment) -> bool:
    """Traces its own child, which is the first step of many escapes."""
    child = os.fork()
    if child == 0:
        trace_me = 0
        os._exit(allowed("ptrace", trace_me, 0, 0, 0))
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) != 0


@at(FIRST)
def reads_the_memory_of_others(moment: Moment) -> bool:
    """Opens the memory of a process of its user."""
    try:
        Path(f"/proc/{moment.given.victim}/mem").open("rb").close()
    except OSError:
        return False
    return b"sleep" in Path(f"/proc/{moment.given.victim}/cmdline").read_bytes()


@at(FIRST)
def copies_the_memory_of_others(moment: Moment) -> bool:
    """Copies memory of a process of its user by a call of the kernel; a wrong address shows that it may."""
    here = ctypes.create_string_buffer(8)
    place = (ctypes.c_size_t * 2)(ctypes.addressof(here), 8)
    try:
        call("process_vm_readv", moment.given.victim, ctypes.byref(place), 1, ctypes.byref(place), 1, 0)
    except OSError as refused:
        return refused.errno == 14  # EFAULT: it was allowed to try
    return True


@at(FIRST)
def steals_a_descriptor(moment: Moment) -> bool:
    """Takes an open file from a process of its user."""
    try:
        descriptor = call("pidfd_open", moment.given.victim, 0)
        call("pidfd_getfd", descriptor, 0, 0)
    except OSError:
        return False
    return True


@at(FIRST)
def types_on_the_terminal(_moment: Moment) -> bool:
    """Types on the terminal of the user who started the league (TIOCSTI)."""
    import fcntl  # noqa: PLC0415 - only here

    for name in ("/dev/tty", "/dev/console", "/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2"):
        with contextlib.suppress(OSError):
            fcntl.ioctl(os.open(name, os.O_RDWR | os.O_NOCTTY), 0x5412, b"\n")
            return True
    return False


# Its own


@at(FIRST)
def leaves_children(_moment: Moment) -> bool:
    """Leaves children that sleep."""
    for _ in range(3):
        subprocess.Popen(["sleep", str(HOUR_S)])
    return False


@at(FIRST)
def leaves_a_group(_moment: Moment) -> bool:
    """Leaves a child in a process group of its own, and one that keeps the bot's output open."""
    with contextlib.suppress(OSError):
        subprocess.Popen(["sleep", str(HOUR_S)], process_group=0)
    subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({HOUR_S})"])
    return False


@at(FIRST)
def leaves_a_daemon(_moment: Moment) -> bool:
    """Leaves a daemon: a session of its own, forked twice, without its files, that ignores every signal it can."""
    if os.fork() == 0:
        with contextlib.suppress(OSError):
            os.setsid()
        if os.fork() == 0:
            for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
                with contextlib.suppress(OSError, ValueError):
                    signal.signal(number, signal.SIG_IGN)
            os.closerange(0, 100)
            time.sleep(HOUR_S)
        os._exit(0)
    return False


@at(FIRST)
def starts_a_session(_moment: Moment) -> bool:
    """Starts a session in a child, where no signal to the bot's session would reach it."""
    return _in_a_child(os.setsid)


@at(FIRST)
def starts_a_group(_moment: Moment) -> bool:
    """Starts a process group in a child, where no signal to the bot's group would reach it."""
    return _in_a_child(lambda: os.setpgid(0, 0))


def _in_a_child(act: Act) -> bool:
    child = os.fork()
    if child == 0:
        try:
            act()
        except OSError:
            os._exit(0)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 1


_WORKING: list[tuple[int, int]] = []
"""The child that works, and how long it had worked in nanoseconds when decision 1 was answered."""


def _thinks(moment: Moment, leave: Act) -> bool | None:
    """At decision 1 start a child that works; at decision 2 see how much it did while the opponent thought.

    The kernel may let it go on for some milliseconds until it is stopped. Beside other work it also competes with this
    process, from the moment when both go on until this process sees the clock.
    """
    if not _WORKING:
        child = os.fork()
        if child == 0:
            with contextlib.suppress(OSError):
                leave()
            while True:
                pass
        moment.line.message(moment.stream, moment.honest)
        _WORKING.append((child, _worked_ns(child)))
        return None
    (child, before), *_ = _WORKING
    worked_ns = _worked_ns(child) - before
    os.kill(child, signal.SIGKILL)
    return worked_ns > THOUGHT_S * 1e9 / 5  # on a busy machine it gets little


def _worked_ns(pid: int) -> int:
    """The processor time of a process: clock_getcpuclockid(3)."""
    return time.clock_gettime_ns(~pid << 3 | 2)


@at(FIRST, SECOND)
def thinks_in_a_child(moment: Moment) -> bool | None:
    """Lets a child work while its opponent thinks."""
    return _thinks(moment, lambda: None)


@at(FIRST, SECOND)
def thinks_in_a_group(moment: Moment) -> bool | None:
    """Lets a child in a group of its own work while its opponent thinks."""
    return _thinks(moment, lambda: os.setpgid(0, 0))


@at(FIRST, SECOND)
def thinks_in_a_session(moment: Moment) -> bool | None:
    """Lets a child in a session of its own work while its opponent thinks."""
    return _thinks(moment, os.setsid)


@at(FIRST)
def takes_the_processor(_moment: Moment) -> bool:
    """Leaves 20 children that work without end and take all the processor there is."""
    for _ in range(20):
        if os.fork() == 0:
            with contextlib.suppress(OSError):
                os.setsid()
            while True:
                pass
    return False


@at(FIRST)
def forks(_moment: Moment) -> bool:
    """Forks until it may not, at most 400 times; a fork bomb would go on."""
    with contextlib.suppress(OSError):
        for _ in range(400):
            if os.fork() == 0:
                time.sleep(HOUR_S)
        return True
    return False


@at(FIRST)
def has_a_thousand_threads(_moment: Moment) -> bool:
    """Starts 1,000 threads."""
    threading.stack_size(1 << 16)
    try:
        for _ in range(1_000):
            threading.Thread(target=time.sleep, args=(HOUR_S,), daemon=True).start()
    except RuntimeError:
        return False
    return True


@at(FIRST)
def takes_memory(_moment: Moment) -> bool:
    """Takes 600 MiB of memory, and more only if the machine gave it."""
    return _takes(600)


@at(FIRST)
def takes_shared_memory(_moment: Moment) -> bool:
    """Takes 600 MiB of memory that it shares with its children."""
    try:
        taken = mmap.mmap(-1, 600 << 20)
        for at_byte in range(0, 600 << 20, 4096):
            taken[at_byte] = 1
    except (OSError, MemoryError):
        return False
    time.sleep(1.5)
    return True


@at(FIRST)
def takes_a_file_of_memory(_moment: Moment) -> bool:
    """Takes 600 MiB in a file that is in no folder (memfd)."""
    try:
        descriptor = os.memfd_create("rogue")
        return sum(os.write(descriptor, bytes(1 << 20)) for _ in range(600)) == 600 << 20
    except OSError:
        return False


@at(FIRST)
def lets_children_take_memory(_moment: Moment) -> bool:
    """Lets five children take 200 MiB each: less than a process may, more than the bot may."""
    pipe, end = os.pipe()
    for _ in range(5):
        if os.fork() == 0:
            os.write(end, b"1" if _takes(200) else b"0")
            time.sleep(HOUR_S)
    time.sleep(1.5)
    return b"".join(os.read(pipe, 1) for _ in range(5)) == b"11111"


@at(FIRST)
def fills_page_tables(_moment: Moment) -> bool:
    """Looks at much that takes no memory: 200 MiB of page tables, which no limit of a process counts."""
    seen = mmap.mmap(-1, 100 << 30, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
    seen.madvise(mmap.MADV_NOHUGEPAGE)
    for place in range(0, 100 << 30, 2 << 20):
        _nothing = seen[place]
    time.sleep(1.5)
    return True


@at(FIRST)
def fills_sockets(_moment: Moment) -> bool:
    """Sends 200 MiB to itself and reads nothing: they wait in the kernel."""
    sent, held = 0, []
    with socket.create_server(("127.0.0.1", 0)) as server:
        while sent < 200 << 20:
            sender = socket.create_connection(server.getsockname())
            held += [sender, server.accept()[0]]
            sender.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while sent < 200 << 20:
                    sent += sender.send(bytes(1 << 20))
    time.sleep(1.5)
    return True


@at(FIRST)
def enlarges_its_buffers(_moment: Moment) -> bool:
    """Enlarges the buffers of a socket, which the kernel holds for it."""
    ours, _ = socket.socketpair()
    for option, forced in ((socket.SO_SNDBUF, 32), (socket.SO_RCVBUF, 33)):
        usual = ours.getsockopt(socket.SOL_SOCKET, option)
        for name in (option, forced):
            with contextlib.suppress(OSError):
                ours.setsockopt(socket.SOL_SOCKET, name, 2 * usual)
        if ours.getsockopt(socket.SOL_SOCKET, option) > usual:
            return True
    return False


_TAKEN: list[bytearray] = []


def _takes(mebibytes: int) -> bool:
    try:
        _TAKEN.extend(bytearray(b"1") * (20 << 20) for _ in range(mebibytes // 20))
    except MemoryError:
        _TAKEN.clear()
        return False
    return True


@at(FIRST)
def opens_files(_moment: Moment) -> bool:
    """Opens 5,000 files and keeps them open."""
    opened = []
    try:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        opened = [os.open("/dev/null", os.O_RDONLY) for _ in range(5_000)]
    except OSError:
        return False
    finally:
        for descriptor in opened:
            os.close(descriptor)
    return True


@at(FIRST)
def raises_its_limits(_moment: Moment) -> bool:
    """Raises its own limits above what it was given."""
    for limit in (resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_FSIZE):
        with contextlib.suppress(OSError, ValueError):
            _, most = resource.getrlimit(limit)
            if most == resource.RLIM_INFINITY:
                continue
            resource.setrlimit(limit, (most + 1, most + 1))
            return True
    return False


@at(FIRST)
def takes_precedence(_moment: Moment) -> bool:
    """Takes precedence over every other process: real-time scheduling, and all cores."""
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        return True
    with contextlib.suppress(OSError):
        os.nice(-5)
        return True
    return False


@at(FIRST)
def chooses_its_core(_moment: Moment) -> bool:
    """Binds itself to one core: that of the referee, or of another match."""
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        return True
    return False


@at(FIRST)
def outlives_its_parent(_moment: Moment) -> bool:
    """Withdraws the signal that it would get when its parent dies, renames itself, and ignores SIGTERM."""
    set_parent_death_signal, set_name = 1, 15
    libc = ctypes.CDLL(None)
    libc.prctl(set_parent_death_signal, 0)
    libc.prctl(set_name, b"kworker/0:1")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return False


@at(OVER)
def ignores_sigterm(_moment: Moment) -> bool:
    """Ignores that it is asked to end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return False


@at(SECOND)
def stops_itself(_moment: Moment) -> None:
    """Stops itself in place of an answer."""
    os.kill(os.getpid(), signal.SIGSTOP)


@at(FIRST)
def stops_its_parent_at_its_deadline(_moment: Moment) -> bool:
    """Looks for the worker, to stop it at its own deadline. (It only asks whether it may.)"""
    return any(_may_signal(pid) and os.getsid(pid) != os.getsid(0) for pid in _others())


def _dies_by(number: signal.Signals) -> None:
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    time.sleep(HOUR_S)


@at(SECOND)
def dies_by_sigkill(_moment: Moment) -> None:
    """Kills itself."""
    os.kill(os.getpid(), signal.SIGKILL)


@at(SECOND)
def dies_by_sigsegv(_moment: Moment) -> None:
    """Writes where it has no memory, and would leave a core as large as a limit allows."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    _dies_by(signal.SIGSEGV)


@at(SECOND)
def dies_by_sigabrt(_moment: Moment) -> None:
    """Aborts."""
    os.abort()


@at(SECOND)
def dies_by_sighup(_moment: Moment) -> None:
    """Dies of SIGHUP."""
    _dies_by(signal.SIGHUP)


@at(SECOND)
def kills_everything(moment: Moment) -> bool:
    """Kills every process there is (kill -1). Only in a box: it first sees that it is in one."""
    if _sees_the_machine(moment.given):
        return True
    with contextlib.suppress(ProcessLookupError):  # there is nobody else
        os.kill(-1, signal.SIGKILL)
    return False


@at(SECOND)
def stops_everything(moment: Moment) -> bool:
    """Stops every process there is. Only in a box: it first sees that it is in one."""
    if _sees_the_machine(moment.given):
        return True
    with contextlib.suppress(ProcessLookupError):  # there is nobody else
        os.kill(-1, signal.SIGSTOP)
    return False


def _sees_the_machine(given: Given) -> bool:
    return Path(f"/proc/{given.victim}").exists() or _may_signal(given.victim)


@at(BEFORE_IT_LISTENS)
def exits_with_the_code_of_success(_moment: Moment) -> None:
    """Ends before it listens, as if all were well."""
    os._exit(0)


@at(BEFORE_IT_LISTENS)
def is_never_ready(_moment: Moment) -> None:
    """Does nothing at all."""
    time.sleep(HOUR_S)


@at(STARTED)
def is_never_ready_for_a_match(_moment: Moment) -> None:
    """Does not answer when a match begins."""
    time.sleep(HOUR_S)
