"""The rights and limits of a box on this machine, in words: for people, and for `referee doctor`."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from referee.core.bot_limits import SandboxLimits
from referee.runtime.sandbox import cgroup, readable_paths
from referee.runtime.sandbox.box import SCRATCH
from referee.runtime.sandbox.bubblewrap import NAMESPACES
from referee.runtime.sandbox.seccomp import LOOKED_AT, REFUSED, TIMES

GROUPS: Mapping[str, tuple[str, ...]] = {purpose: tuple(calls) for purpose, calls in REFUSED.items()}
"""By purpose, the calls that are refused with any arguments."""

_BY_ARGUMENTS = {name: words for name, (*_, words) in LOOKED_AT.items()} | dict.fromkeys(TIMES, "for a player")
BY_ARGUMENTS = dict(sorted(_BY_ARGUMENTS.items()))
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
