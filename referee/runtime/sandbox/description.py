"""The rights and limits of a box on this machine, in words: for people, and for `referee doctor`.

The system calls that the filter refuses come in groups; seccomp.py decides which these are.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from referee.core.bot_limits import SandboxLimits
from referee.runtime.sandbox import cgroup, readable_paths
from referee.runtime.sandbox.box import SCRATCH
from referee.runtime.sandbox.bubblewrap import NAMESPACES

GROUPS: Mapping[str, tuple[str, ...]] = {
    purpose: tuple(calls.split())
    for purpose, calls in {
        "leaving its processes' group or session, by which it is paused and ended": "setpgid setsid",
        "looking into other processes, or acting for them": (
            "kcmp pidfd_getfd pidfd_send_signal process_madvise process_mrelease process_vm_readv process_vm_writev "
            "ptrace"
        ),
        "more than its share of processor and memory": (
            "ioprio_set mbind migrate_pages move_pages sched_setaffinity sched_setattr sched_setparam "
            "sched_setscheduler set_mempolicy set_mempolicy_home_node setpriority"
        ),
        "hearing of what others do with a file": "inotify_init inotify_init1",
        "what the kernel keeps in its caches, which outlive a bot": (
            "cachestat fadvise64 io_setup io_submit mincore openat2 preadv2 pwritev2 readahead"
        ),
        "memory that outlives it, or that no limit counts": (
            "add_key keyctl landlock_add_rule landlock_create_ruleset landlock_restrict_self memfd_create "
            "memfd_secret mq_open msgget request_key seccomp semget shmget splice tee vmsplice"
        ),
        "namespaces, mounts and file systems": (
            "chroot fanotify_init fsconfig fsmount fsopen fspick listmount mount mount_setattr move_mount "
            "name_to_handle_at open_by_handle_at open_tree pivot_root quotactl quotactl_fd setns statmount swapoff "
            "swapon umount2 unshare"
        ),
        "the machine, its clock and its name": (
            "acct adjtimex clock_adjtime clock_settime delete_module finit_module init_module ioperm iopl "
            "kexec_file_load kexec_load reboot setdomainname sethostname settimeofday syslog vhangup"
        ),
        "parts of the kernel in which mistakes were found often": (
            "bpf clone3 io_uring_enter io_uring_register io_uring_setup lookup_dcookie modify_ldt perf_event_open "
            "personality userfaultfd"
        ),
    }.items()
}
"""By purpose, the calls that are refused with any arguments."""

BY_ARGUMENTS = {
    "clone": "with new namespaces, and for a thread with open files of its own",
    "fcntl": "for leases, for the size of a pipe, and to ask for locks; to set a lock does nothing",
    "flock": "does nothing",
    "futimesat": "for a player",
    "getsockopt": "of numbers that count the sockets and networks of the machine",
    "ioctl": "that types into a terminal, or asks for a number of a namespace or a process",
    "madvise": "that drops pages from memory",
    "mmap": "of shared memory without a file",
    "prctl": "for filters and tables of locks (futex) of its own, and to hide its memory",
    "setsockopt": "of the sizes of buffers, and for filters",
    "socket": "but those of unix, IPv4, IPv6 and for routes; no raw ones",
    "socketpair": "but those of unix",
    "statx": "for a number that counts the mounts of the machine",
    "utime": "for a player",
    "utimensat": "for a player",
    "utimes": "for a player",
}
"""The calls that are refused with some arguments, and which these are."""


class BoxDescription(msgspec.Struct, frozen=True):
    """A box.

    Attributes:
        namespaces: its own namespaces (namespaces(7)).
        reads: what every bot in it can read, besides its own folder and its runtime.
        reads_with_python: what a bot can read besides that runs with the referee's own Python.
        writes: the only place where a bot can write.
        limits: the limits of a league file that names none.
        memory_limited_by: what limits the memory of all processes together: the kernel, or a look twice a second.
        refused: by purpose, the system calls that are refused with any arguments.
        refused_by_arguments: by system call, the arguments with which it is refused.
    """

    namespaces: tuple[str, ...]
    reads: tuple[str, ...]
    reads_with_python: tuple[str, ...]
    writes: str
    limits: SandboxLimits
    memory_limited_by: Literal["cgroup", "watch"]
    refused: Mapping[str, tuple[str, ...]]
    refused_by_arguments: Mapping[str, str]


def described() -> BoxDescription:
    """A box on this machine with the limits of a league file that names none."""
    users = () if os.geteuid() == 0 else ("user",)
    roots = [path for name in readable_paths.ROOT_LINKS if (path := Path("/") / name).exists()]
    return BoxDescription(
        namespaces=("mount", *(name.removesuffix("-try") for name in NAMESPACES), *users),
        reads=(str(readable_paths.SYSTEM), *map(str, roots), *map(str, readable_paths.settings())),
        reads_with_python=tuple(map(str, readable_paths.own_python())),
        writes=str(SCRATCH),
        limits=SandboxLimits(),
        memory_limited_by="watch" if cgroup.parent_here() is None else "cgroup",
        refused=GROUPS,
        refused_by_arguments=BY_ARGUMENTS,
    )
