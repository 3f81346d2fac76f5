"""Puts a fence around itself, by Landlock and two filters for system calls, and becomes a bot.

The referee starts the program as `python -I -S -c SOURCE PLAN COMMAND...`. PLAN is a JSON object, see
`landlock.FencePlan`. Just before the program becomes the bot, it writes `READY` into the open file that the plan names.
If it fails, it writes the reason. It uses the standard library only, and imports little, because it starts with every
such bot. See landlock(7), seccomp(2).
"""

import ctypes
import json
import os
import resource
import signal
import sys
from typing import Any

READY = b"ready"

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_ASK_VERSION = 1
_BELOW_PATH, _ON_PORT = 1, 2

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_FILE, _MAKE_SOCKET = 1 << 7, 1 << 8, 1 << 9
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_RIGHTS_OF_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
"""All that can be done to files, as a set of bits, by the version that knows it. Later ones know no more."""

_NETWORK_SINCE = 4
SCOPES_SINCE = 6
"""The version since which a process can be kept from signalling to those outside."""

_BIND, _CONNECT = 1, 2
_ABSTRACT_SOCKETS, _SIGNALS = 1, 2

_TO_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_FILES = _EXECUTE | _READ_FILE | _WRITE_FILE | _TRUNCATE  # the others are for folders only
_TO_WRITE = (
    _TO_READ | _WRITE_FILE | _TRUNCATE | _REFER | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_FILE | _MAKE_SOCKET
)
"""No links: the referee calls the bot's socket by its name, which must not lead elsewhere."""

_NO_NEW_PRIVILEGES, _DIE_WITH_PARENT, _FILTER = 38, 1, 22  # prctl(2): NO_NEW_PRIVS, PDEATHSIG, SECCOMP
_BY_PROGRAM = 2  # SECCOMP_MODE_FILTER

_libc = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _BelowPath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _OnPort(ctypes.Structure):
    _fields_ = (("allowed", ctypes.c_uint64), ("port", ctypes.c_uint64))


class _Program(ctypes.Structure):
    _fields_ = (("steps", ctypes.c_ushort), ("first", ctypes.c_char_p))


def version() -> int:
    """The version of Landlock that the kernel has; 0 if none.

    It is 1 in Linux 5.13, 2 in 5.19, 3 in 6.2, 4 in 6.7 (network), 5 in 6.10, 6 in 6.12 (signals).
    """
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)))


def _checked(result: int, call: str) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{call}: {os.strerror(ctypes.get_errno())}")
    return result


def _prctl(*words: Any) -> None:
    _checked(_libc.prctl(*words, *[ctypes.c_ulong(0)] * (5 - len(words))), "prctl")


def _fence(plan: dict[str, Any]) -> None:
    """Allow the rights in the plan, and nothing else."""
    known = version()
    if not known:
        raise OSError("this kernel has no Landlock")
    files = _RIGHTS_OF_VERSION[min(known, max(_RIGHTS_OF_VERSION))]
    network = _BIND | _CONNECT if known >= _NETWORK_SINCE else 0
    scopes = _ABSTRACT_SOCKETS | _SIGNALS if known >= SCOPES_SINCE else 0
    ruleset = _Ruleset(files, network, scopes)
    size = ctypes.c_size_t(24 if scopes else 16 if network else 8)
    rules = _checked(_libc.syscall(_CREATE_RULESET, ctypes.byref(ruleset), size, 0), "landlock_create_ruleset")
    for rights, places in (
        (_TO_READ, plan["read"]),
        (_READ_DIR, plan["listed"]),
        (_TO_WRITE, plan["write"]),
        (_READ_FILE | _WRITE_FILE, plan["devices"]),
        (_READ_FILE | _READ_DIR, [f"/proc/{os.getpid()}"]),
    ):
        for place in places:
            _allow_below(rules, rights & files, place)
    if network and plan["port"] is not None:
        rule = _OnPort(_BIND, plan["port"])
        _checked(_libc.syscall(_ADD_RULE, rules, _ON_PORT, ctypes.byref(rule), 0), "landlock_add_rule")
    _checked(_libc.syscall(_RESTRICT_SELF, rules, 0), "landlock_restrict_self")
    os.close(rules)


def _allow_below(rules: int, rights: int, place: str) -> None:
    try:
        parent = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    is_folder = os.path.isdir(place)  # noqa: PTH112 - pathlib is slow to import, and this runs with every bot
    rule = _BelowPath(rights if is_folder else rights & _OF_FILES, parent)
    _checked(_libc.syscall(_ADD_RULE, rules, _BELOW_PATH, ctypes.byref(rule), 0), f"landlock_add_rule: {place}")
    os.close(parent)


def _filter(steps: bytes) -> None:
    program = _Program(len(steps) // 8, steps)
    _prctl(_FILTER, ctypes.c_ulong(_BY_PROGRAM), ctypes.byref(program))


def main(plan: dict[str, Any], command: list[str]) -> None:
    """Become the bot, behind the fence."""
    report = plan["report"]
    os.set_inheritable(report, False)
    try:
        _prctl(_DIE_WITH_PARENT, ctypes.c_ulong(signal.SIGKILL))  # the kernel forgot it when the user changed
        if os.getppid() != plan["parent"]:
            sys.exit(1)  # the referee has ended
        for name, limit in plan["limits"].items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))
        _prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1))
        _fence(plan)
        for steps in plan["filters"]:
            _filter(bytes.fromhex(steps))
    except (OSError, ValueError) as error:
        os.write(report, str(error).encode())
        sys.exit(1)
    os.write(report, READY)
    try:
        os.execvp(command[0], command)  # noqa: S606 - no shell is what we want
    except OSError as error:
        sys.exit(f"{command[0]} cannot be started: {error.strerror}")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2:])
