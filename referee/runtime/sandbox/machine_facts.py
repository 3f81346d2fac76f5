"""The facts about this machine on which boxes depend."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from referee.runtime.sandbox.obstacles import MachineFacts

_PROGRAMS = ("bwrap", "setpriv", "prlimit")
_MARKS_OF_CONTAINERS = ("/.dockerenv", "/run/.containerenv", "/run/systemd/container")
_PATIENCE_S = 10.0


def this_machine() -> MachineFacts:
    """Look at it. Nothing is changed."""
    bwrap = shutil.which("bwrap")
    return MachineFacts(
        is_root=os.geteuid() == 0,
        kernel=_numbers(platform.release())[:2],
        missing=tuple(program for program in _PROGRAMS if shutil.which(program) is None),
        bwrap=bwrap or "",
        bwrap_version=_version(bwrap) if bwrap else (),
        has_proc=Path("/proc/self/status").exists(),
        lists_children=Path(f"/proc/self/task/{os.getpid()}/children").exists(),
        user_namespaces=_number("/proc/sys/user/max_user_namespaces"),
        forbids_users=_number("/proc/sys/kernel/unprivileged_userns_clone") == 0,
        apparmor_restricts=_number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1,
        is_contained=any(Path(mark).exists() for mark in _MARKS_OF_CONTAINERS),
        is_filtered="\nSeccomp:\t2\n" in _text("/proc/self/status"),
    )


def _version(bwrap: str) -> tuple[int, ...]:
    try:
        result = subprocess.run(
            [bwrap, "--version"], check=False, capture_output=True, stdin=subprocess.DEVNULL, timeout=_PATIENCE_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return _numbers(result.stdout.decode(errors="replace"))


def _numbers(words: str) -> tuple[int, ...]:
    """The first version in a text, such as (6, 1, 0) of `6.1.0-18-amd64`; empty if there is none."""
    found = re.search(r"\d+(?:\.\d+)+", words)
    return tuple(map(int, found[0].split("."))) if found else ()


def _text(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""


def _number(path: str) -> int | None:
    try:
        return int(_text(path))
    except ValueError:
        return None
