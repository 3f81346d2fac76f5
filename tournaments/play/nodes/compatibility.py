"""The versions that a machine plays with, and whether two machines play with the same ones."""

import hashlib
import multiprocessing
import os
import platform
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import msgspec

from referee.wire.registry import games

_PACKAGES = ("referee", "tournaments", "referee_bot")


class Compatibility(msgspec.Struct, frozen=True):
    """The versions and cores that a machine plays with.

    Attributes:
        version: of this program.
        program: the SHA-256 of its sources, in hex: two programs may have the same version while it is developed.
        python: the version of Python.
        rules: by game, the version of the rules that are installed.
        cores: how many cores the process that said this may use.
        may_have_children: whether it may start worker processes.
    """

    version: str
    program: str
    python: str
    rules: dict[str, int]
    cores: int
    may_have_children: bool


def about() -> Compatibility:
    """The versions and cores of this machine."""
    rules = {name: entry.game.rules_version for name, entry in sorted(games().items())}
    may = not multiprocessing.current_process().daemon
    cores = len(os.sched_getaffinity(0))
    return Compatibility(version("referee"), _program(), platform.python_version(), rules, cores, may)


def refusal(ours: Compatibility, theirs: Compatibility) -> str | None:
    """Why a node that plays with `theirs` cannot play for a runner that plays with `ours`; None if it can."""
    if ours.version != theirs.version:
        return f"it has version {theirs.version} of this program, and the runner has {ours.version}; install the same"
    if ours.python != theirs.python:
        return f"it has Python {theirs.python}, and the runner has {ours.python}; install the same"
    for game in sorted(ours.rules.keys() | theirs.rules.keys()):
        here, there = ours.rules.get(game), theirs.rules.get(game)
        if here != there:
            return f"it has {_rules(there)} of {game}, and the runner has {_rules(here)}; install the same games"
    if ours.program != theirs.program:
        return f"its program says that it is version {theirs.version}, too, but its files differ; install the same"
    if not theirs.may_have_children:
        return (
            "its process may start no others; start it with `referee machine`, or with `dask worker --no-nanny`,"
            " or set distributed.worker.daemon to false in the settings of Dask"
        )
    return None


def _rules(number: int | None) -> str:
    return "no rules" if number is None else f"version {number} of the rules"


@cache
def _program() -> str:
    """The SHA-256 of all modules of this program, by name."""
    total = hashlib.sha256()
    for package in _PACKAGES:
        spec = find_spec(package)
        for folder in sorted(spec.submodule_search_locations or () if spec else ()):
            for path in sorted(Path(folder).rglob("*.py")):
                total.update(f"{package}/{path.relative_to(folder)}\0".encode())
                total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
