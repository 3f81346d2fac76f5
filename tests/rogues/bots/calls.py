"""Calls of the kernel that Python has no name for, by their number on this machine."""

import ctypes
import os

_NUMBERS = {  # on x86-64, on aarch64
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "cachestat": (451, 451),
    "chroot": (161, 51),
    "clock_settime": (227, 112),
    "clone": (56, 220),
    "clone3": (435, 435),
    "exit": (60, 93),
    "fadvise64": (221, 223),
    "fanotify_init": (300, 262),
    "fsopen": (430, 430),
    "futex": (202, 98),
    "init_module": (175, 105),
    "inotify_add_watch": (254, 27),
    "inotify_init1": (294, 26),
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "landlock_add_rule": (445, 445),
    "landlock_create_ruleset": (444, 444),
    "mincore": (27, 232),
    "mount": (165, 40),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "msgget": (68, 186),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "openat2": (437, 437),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "preadv2": (327, 286),
    "prlimit64": (302, 261),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "pwritev2": (328, 287),
    "quotactl": (179, 60),
    "readahead": (187, 213),
    "reboot": (169, 142),
    "semget": (64, 190),
    "setns": (308, 268),
    "sethostname": (170, 161),
    "shmget": (29, 194),
    "statx": (332, 291),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "timer_create": (222, 107),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vmsplice": (278, 75),
}
_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def call(name: str, *arguments: object) -> int:
    """What the kernel answers.

    Raises:
        OSError: it refuses.
    """
    number = _NUMBERS[name][os.uname().machine == "aarch64"]
    answer: int = _libc.syscall(ctypes.c_long(number), *(_argument(value) for value in arguments))
    if answer < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return answer


def allowed(name: str, *arguments: object) -> bool:
    """Whether the kernel does it."""
    try:
        call(name, *arguments)
    except OSError:
        return False
    return True


def _argument(value: object) -> object:
    return ctypes.c_long(value) if isinstance(value, int) else value
