"""The system calls that a bot in a box may not make, as a program for the kernel's filter (seccomp(2)).

The filter says no with EPERM. It says ENOSYS where a program then does the same in another way: for clone3, whose
arguments a filter cannot see, so that libraries use clone; for io_uring, memfd_create and inotify; for calls that tell
or change what the kernel keeps in its caches, which outlive a bot; and for calls that are newer than this list. Locks
of files seem to work, but do nothing. Otherwise two bots could signal to each other by the lock of a program that both
may read. No bot needs a lock against others on files that only it can write. A player may not set the times of files:
the device nodes that it sees are those of the machine, and keep what is written on them.

The numbers are the kernel's own and never change (asm/unistd.h).
"""

import errno
import platform
import struct
from collections.abc import Iterable, Mapping

import msgspec

_LATEST = 462
"""mseal, of Linux 6.10: the last call that is known here. From 424 on, every architecture has the same numbers."""

REFUSED: Mapping[str, Mapping[str, tuple[int | None, int | None]]] = {
    "leaving its processes' group or session, by which it is paused and ended": {
        "setpgid": (109, 154),
        "setsid": (112, 157),
    },
    "looking into other processes, or acting for them": {
        "kcmp": (312, 272),
        "pidfd_getfd": (438, 438),
        "pidfd_send_signal": (424, 424),
        "process_madvise": (440, 440),
        "process_mrelease": (448, 448),
        "process_vm_readv": (310, 270),
        "process_vm_writev": (311, 271),
        "ptrace": (101, 117),
    },
    "more than its share of processor and memory": {
        "ioprio_set": (251, 30),
        "mbind": (237, 235),
        "migrate_pages": (256, 238),
        "move_pages": (279, 239),
        "sched_setaffinity": (203, 122),
        "sched_setattr": (314, 274),
        "sched_setparam": (142, 118),
        "sched_setscheduler": (144, 119),
        "set_mempolicy": (238, 237),
        "set_mempolicy_home_node": (450, 450),
        "setpriority": (141, 140),
    },
    "hearing of what others do with a file": {
        "inotify_init": (253, None),
        "inotify_init1": (294, 26),
    },
    "what the kernel keeps in its caches, which outlive a bot": {
        "cachestat": (451, 451),
        "fadvise64": (221, 223),
        "io_setup": (206, 0),
        "io_submit": (209, 2),
        "mincore": (27, 232),
        "openat2": (437, 437),
        "preadv2": (327, 286),
        "pwritev2": (328, 287),
        "readahead": (187, 213),
    },
    "memory that outlives it, or that no limit counts": {
        "add_key": (248, 217),
        "keyctl": (250, 219),
        "landlock_add_rule": (445, 445),
        "landlock_create_ruleset": (444, 444),
        "landlock_restrict_self": (446, 446),
        "memfd_create": (319, 279),
        "memfd_secret": (447, 447),
        "mq_open": (240, 180),
        "msgget": (68, 186),
        "request_key": (249, 218),
        "seccomp": (317, 277),
        "semget": (64, 190),
        "shmget": (29, 194),
        "splice": (275, 76),
        "tee": (276, 77),
        "vmsplice": (278, 75),
    },
    "namespaces, mounts and file systems": {
        "chroot": (161, 51),
        "fanotify_init": (300, 262),
        "fsconfig": (431, 431),
        "fsmount": (432, 432),
        "fsopen": (430, 430),
        "fspick": (433, 433),
        "listmount": (458, 458),
        "mount": (165, 40),
        "mount_setattr": (442, 442),
        "move_mount": (429, 429),
        "name_to_handle_at": (303, 264),
        "open_by_handle_at": (304, 265),
        "open_tree": (428, 428),
        "pivot_root": (155, 41),
        "quotactl": (179, 60),
        "quotactl_fd": (443, 443),
        "setns": (308, 268),
        "statmount": (457, 457),
        "swapoff": (168, 225),
        "swapon": (167, 224),
        "umount2": (166, 39),
        "unshare": (272, 97),
    },
    "the machine, its clock and its name": {
        "acct": (163, 89),
        "adjtimex": (159, 171),
        "clock_adjtime": (305, 266),
        "clock_settime": (227, 112),
        "delete_module": (176, 106),
        "finit_module": (313, 273),
        "init_module": (175, 105),
        "ioperm": (173, None),
        "iopl": (172, None),
        "kexec_file_load": (320, 294),
        "kexec_load": (246, 104),
        "reboot": (169, 142),
        "setdomainname": (171, 162),
        "sethostname": (170, 161),
        "settimeofday": (164, 170),
        "syslog": (103, 116),
        "vhangup": (153, 58),
    },
    "parts of the kernel in which mistakes were found often": {
        "bpf": (321, 280),
        "clone3": (435, 435),
        "io_uring_enter": (426, 426),
        "io_uring_register": (427, 427),
        "io_uring_setup": (425, 425),
        "lookup_dcookie": (212, 18),
        "modify_ldt": (154, None),
        "perf_event_open": (298, 241),
        "personality": (135, 92),
        "userfaultfd": (323, 282),
    },
}
"""By purpose, the calls that no bot may make, with their numbers on x86_64 and aarch64; None: there is no such call."""

LOOKED_AT: Mapping[str, tuple[int, int, str]] = {
    "mmap": (9, 222, "of shared memory without a file"),
    "ioctl": (16, 29, "that types into a terminal, or asks for a number of a namespace or a process"),
    "madvise": (28, 233, "that drops pages from memory"),
    "socket": (41, 198, "but those of unix, IPv4, IPv6 and for routes; no raw ones"),
    "socketpair": (53, 199, "but those of unix"),
    "setsockopt": (54, 208, "of the sizes of buffers, and for filters"),
    "getsockopt": (55, 209, "of numbers that count the sockets and networks of the machine"),
    "clone": (56, 220, "with new namespaces, and for a thread with open files of its own"),
    "fcntl": (72, 25, "for leases, for the size of a pipe, and to ask for locks; to set a lock does nothing"),
    "flock": (73, 32, "does nothing"),
    "prctl": (157, 167, "for filters and tables of locks (futex) of its own, and to hide its memory"),
    "statx": (332, 291, "for a number that counts the mounts of the machine"),
}
"""Calls that are allowed unless their arguments say otherwise: their numbers, and with which they are refused."""

_NOT_THERE = frozenset(
    {"clone3", "inotify_init", "inotify_init1", "io_uring_enter", "io_uring_register", "io_uring_setup"}
    | {"landlock_add_rule", "landlock_create_ruleset", "landlock_restrict_self", "memfd_create", "memfd_secret"}
    | {"seccomp", "splice", "tee", "vmsplice"}
    | {"cachestat", "fadvise64", "io_setup", "io_submit", "mincore", "openat2", "preadv2", "pwritev2", "readahead"}
)
TIMES = frozenset({"futimesat", "utime", "utimensat", "utimes"})
"""They set the times of a file: see `filter_for_players`."""

_NEW_NAMESPACES = 0x7E020080  # sched.h: CLONE_NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET | NEWTIME
_THREAD, _SAME_FILES = 0x10000, 0x400  # sched.h: CLONE_THREAD, CLONE_FILES
_TYPING = (0x5412, 0x541C)  # ioctl_tty(2): TIOCSTI and TIOCLINUX, which put words into a terminal as if typed
_SET_LOCK = (6, 7, 37, 38)  # fcntl(2): F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
_NO_COMMANDS = (5, 36, 1024, 1025, 1026, 1031)  # F_GETLK, F_OFD_GETLK, F_SETLEASE, F_GETLEASE, F_NOTIFY, F_SETPIPE_SZ
_SHARED_MEMORY = 0x21  # mmap(2): MAP_SHARED | MAP_ANONYMOUS, memory that no limit counts once it is not mapped
_COOL_DOWN = (20, 21)  # madvise(2): MADV_COLD, MADV_PAGEOUT, which drop pages from memory
_SOCKET_LEVEL = 1  # setsockopt(2): SOL_SOCKET
_BUFFERS = (7, 8, 32, 33)  # socket(7): SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE
_FILTERS = (26, 51)  # SO_ATTACH_FILTER, SO_ATTACH_REUSEPORT_CBPF
_COUNTERS = (56, 57, 71)  # getsockopt(2): SO_INCOMING_NAPI_ID, SO_COOKIE, SO_NETNS_COOKIE, numbers of the whole machine
_UNIQUE_MOUNT = 0x4000  # statx(2): STX_MNT_ID_UNIQUE, which counts the mounts of the machine
_KIND = 0xFF00  # ioctl(2): the second byte of a request says for which kind of file it is
_NUMBERED = (0xB700, 0xFF00)  # namespaces and pidfds, whose numbers count the namespaces and groups of the machine
_NO_OPTIONS = (4, 22, 78)  # prctl(2): PR_SET_DUMPABLE; PR_SET_SECCOMP, PR_FUTEX_HASH, which take memory of the kernel
_FAMILIES = (1, 2, 10)  # socket(2): AF_UNIX, AF_INET, AF_INET6
_NETLINK = 16  # some runtimes list their network interfaces with it; only its protocol 0 (routes) is allowed
_RAW = 3  # SOCK_RAW; the type of a socket has flags beside it
_TYPE_MASK = 0xF


_AMONG_OTHERS: Mapping[str, tuple[int | None, int | None]] = {
    "open": (2, None),
    "ioctl": (16, 29),
    "socket": (41, 198),
    "connect": (42, 203),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "socketpair": (53, 199),
    "truncate": (76, 45),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "utime": (132, None),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "utimes": (235, None),
    "openat": (257, 56),
    "fchownat": (260, 54),
    "futimesat": (261, None),
    "fchmodat": (268, 53),
    "utimensat": (280, 88),
    "prlimit64": (302, 261),
    "sendmmsg": (307, 269),
    "fchmodat2": (452, 452),
}
"""The same, for calls that only a bot may not make that shares the files and processes of the machine."""
_LOOKED_AT_AMONG_OTHERS = LOOKED_AT.keys() | {"open", "openat", "prlimit64", "sendto", "sendmsg", "sendmmsg"}
_STREAM = 1  # SOCK_STREAM
_FAST_OPEN = 0x20000000  # sendto(2): MSG_FASTOPEN, which calls without connect
_ACCESS, _EMPTIED = 0x3, 0x200  # open(2): O_ACCMODE; O_TRUNC
_CHANGES_OF_FLAGS = (0x40086602, 0x40046602, 0x401C5820)  # ioctl(2): FS_IOC_(32_)SETFLAGS, FS_IOC_FSSETXATTR


class Architecture(msgspec.Struct, frozen=True):
    """One kind of machine.

    Attributes:
        audit: how the kernel names it (linux/audit.h).
        numbers: the numbers of its system calls, by name: those that no bot may make, or not with all arguments.
        among_others: those that a bot may not make besides if it shares the machine's files and processes.
    """

    audit: int
    numbers: Mapping[str, int]
    among_others: Mapping[str, int]


def _architecture(audit: int, column: int) -> Architecture:
    looked_at: dict[str, tuple[int | None, int | None]] = {
        name: (x86_64, aarch64) for name, (x86_64, aarch64, _) in LOOKED_AT.items()
    }
    refused = {name: numbers for calls in REFUSED.values() for name, numbers in calls.items()}
    own, among_others = (
        {name: number for name, numbers in table.items() if (number := numbers[column]) is not None}
        for table in (looked_at | refused, _AMONG_OTHERS)
    )
    return Architecture(audit, own, among_others)


ARCHITECTURES = {"x86_64": _architecture(0xC000003E, 0), "aarch64": _architecture(0xC00000B7, 1)}

_LOAD, _AND, _JUMP_IF_EQUAL, _JUMP_IF_GREATER, _JUMP_IF_ANY, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # where struct seccomp_data has them
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_REFUSE, _UNKNOWN, _PRETEND = _ERROR | errno.EPERM, _ERROR | errno.ENOSYS, _ERROR | 0


def architecture_here() -> Architecture:
    """The architecture of this machine.

    Raises:
        OSError: there is no filter for it.
    """
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        known = " and ".join(ARCHITECTURES)
        raise OSError(f"bots can be confined on {known} only, and this machine is {machine}")
    return ARCHITECTURES[machine]


def filter_for(architecture: Architecture) -> bytes:
    """The filter for an architecture: an array of `struct sock_filter`, as the kernel takes it."""
    return b"".join([*_steps(architecture), _step(_RETURN, _ALLOW)])


def filter_for_players(architecture: Architecture) -> bytes:
    """The filter for a bot that plays in a box. Builds set times of files, and know nothing that they could pass on.

    A call may name `/dev/null`, whose times everybody may set to now, and another process of the bot could read them.
    bwrap cannot make a device node read-only, and a filter does not see the name.
    """
    times = [number for name, number in architecture.among_others.items() if name in TIMES]
    return b"".join([*_steps(architecture), *_if_one_of(times, _REFUSE), _step(_RETURN, _ALLOW)])


def _steps(architecture: Architecture) -> list[bytes]:
    """The steps of the filter up to where it allows a call. The last of them leave the number of the call loaded."""
    numbers = architecture.numbers
    plain = [name for name in numbers if name not in LOOKED_AT]
    program = [
        _step(_LOAD, _ARCHITECTURE),
        *_unless_equal(architecture.audit, _KILL),
        _step(_LOAD, _NUMBER),
        _step(_JUMP_IF_GREATER, _LATEST, 0, 1),  # on x86-64 also calls of 32-bit programs, which begin at 2 ** 30
        _step(_RETURN, _UNKNOWN),
        *_first_argument(
            numbers["clone"],
            [*_if_any(_NEW_NAMESPACES, _REFUSE), _step(_AND, _THREAD | _SAME_FILES), *_if_equal(_THREAD, _REFUSE)],
        ),
        *_second_argument(
            numbers["ioctl"],
            [*_if_one_of(_TYPING, _REFUSE), _step(_AND, _KIND), *_if_one_of(_NUMBERED, _REFUSE)],
        ),
        *_first_argument(numbers["socketpair"], _unless_equal(_FAMILIES[0], _REFUSE)),
        *_socket(numbers["socket"]),
        *_if_equal(numbers["flock"], _PRETEND),
        *_second_argument(numbers["fcntl"], [*_if_one_of(_SET_LOCK, _PRETEND), *_if_one_of(_NO_COMMANDS, _REFUSE)]),
        *_with_argument(numbers["mmap"], 3, [_step(_AND, _SHARED_MEMORY), *_if_equal(_SHARED_MEMORY, _REFUSE)]),
        *_with_argument(numbers["madvise"], 2, _if_one_of(_COOL_DOWN, _REFUSE)),
        *_second_argument(numbers["setsockopt"], _socket_options(_BUFFERS + _FILTERS)),
        *_second_argument(numbers["getsockopt"], _socket_options(_COUNTERS)),
        *_first_argument(numbers["prctl"], _if_one_of(_NO_OPTIONS, _REFUSE)),
        *_with_argument(numbers["statx"], 3, _if_any(_UNIQUE_MOUNT, _UNKNOWN)),
    ]
    for name in plain:
        program += _if_equal(numbers[name], _UNKNOWN if name in _NOT_THERE else _REFUSE)
    return program


def filter_among_others(architecture: Architecture) -> bytes:
    """A second filter, for a bot that has no files, network and processes of its own, as Landlock leaves it.

    Landlock looks neither at calls to sockets with a path, nor at who changes the owner, the times or the attributes
    of a file, or the limits of a process, nor, before its third version, at who empties a file. A bot has to do none
    of it. The first filter must be in force beside it.
    """
    numbers = architecture.among_others
    of_a_stream = [_step(_LOAD, _argument(1)), _step(_AND, _TYPE_MASK), *_unless_equal(_STREAM, _REFUSE)]
    program = [
        _step(_LOAD, _NUMBER),
        *_first_argument(numbers["socket"], [*_if_equal(_NETLINK, _ALLOW), *of_a_stream]),
        *_second_argument(
            numbers["socketpair"], [_step(_AND, _TYPE_MASK), *_if_equal(2, _REFUSE), *_if_equal(3, _REFUSE)]
        ),
        *_with_argument(numbers["sendto"], 3, _if_any(_FAST_OPEN, _REFUSE)),
        *_with_argument(numbers["sendmsg"], 2, _if_any(_FAST_OPEN, _REFUSE)),
        *_with_argument(numbers["sendmmsg"], 3, _if_any(_FAST_OPEN, _REFUSE)),
        *_first_argument(numbers["prlimit64"], _unless_equal(0, _REFUSE)),
        *_second_argument(numbers["ioctl"], _if_one_of(_CHANGES_OF_FLAGS, _REFUSE)),
        *_with_argument(numbers["openat"], 2, _if_read_and_emptied()),
        *(_second_argument(numbers["open"], _if_read_and_emptied()) if "open" in numbers else ()),
    ]
    for name in sorted(numbers.keys() - _LOOKED_AT_AMONG_OTHERS):
        program += _if_equal(numbers[name], _REFUSE)
    return b"".join([*program, _step(_RETURN, _ALLOW)])


def _if_read_and_emptied() -> list[bytes]:
    """Opening a file to read it and to empty it at once, for which some versions of Landlock ask no right to write."""
    return [_step(_AND, _ACCESS | _EMPTIED), *_if_equal(_EMPTIED, _REFUSE)]


def _socket_options(refused: Iterable[int]) -> list[bytes]:
    """The level of an option is loaded: some options of all sockets."""
    options = [_step(_LOAD, _argument(2)), *_if_one_of(refused, _REFUSE)]
    return [_step(_JUMP_IF_EQUAL, _SOCKET_LEVEL, 0, len(options)), *options]


def _socket(number: int) -> list[bytes]:
    """Sockets of a few families, and no raw ones."""
    netlink = [_step(_LOAD, _argument(2)), *_unless_equal(0, _REFUSE), _step(_RETURN, _ALLOW)]
    usual = [_step(_LOAD, _argument(1)), _step(_AND, _TYPE_MASK), *_if_equal(_RAW, _REFUSE), _step(_RETURN, _ALLOW)]
    of_a_family = [_step(_JUMP_IF_EQUAL, _NETLINK, 0, len(netlink)), *netlink]
    for family in _FAMILIES:
        of_a_family += [_step(_JUMP_IF_EQUAL, family, 0, len(usual)), *usual]
    return _first_argument(number, [*of_a_family, _step(_RETURN, _REFUSE)])


def _first_argument(number: int, judge: list[bytes]) -> list[bytes]:
    return _with_argument(number, 0, judge)


def _second_argument(number: int, judge: list[bytes]) -> list[bytes]:
    return _with_argument(number, 1, judge)


def _with_argument(number: int, which: int, judge: list[bytes]) -> list[bytes]:
    """At the call `number`: load the argument, judge it, and allow the call unless it was refused."""
    steps = [_step(_LOAD, _argument(which)), *judge, _step(_RETURN, _ALLOW)]
    return [_step(_JUMP_IF_EQUAL, number, 0, len(steps)), *steps]


def _argument(which: int) -> int:
    """Where struct seccomp_data has the lower half of an argument. Families, flags and requests are ints."""
    return 16 + 8 * which


def _if_one_of(values: Iterable[int], verdict: int) -> list[bytes]:
    return [step for value in values for step in _if_equal(value, verdict)]


def _if_equal(value: int, verdict: int) -> list[bytes]:
    return [_step(_JUMP_IF_EQUAL, value, 0, 1), _step(_RETURN, verdict)]


def _unless_equal(value: int, verdict: int) -> list[bytes]:
    return [_step(_JUMP_IF_EQUAL, value, 1, 0), _step(_RETURN, verdict)]


def _if_any(bits: int, verdict: int) -> list[bytes]:
    return [_step(_JUMP_IF_ANY, bits, 0, 1), _step(_RETURN, verdict)]


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    """One `struct sock_filter`: what to do, how many steps to leave out if it holds or does not hold, and a number."""
    return struct.pack("=HBBI", code, if_so, if_not, value)
