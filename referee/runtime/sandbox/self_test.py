"""Tests the sandboxes of this machine: it confines a bot, which tries things that it should not be able to do."""

import os
import secrets
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import msgspec

from referee.core.bot_limits import MIB, Sandbox, SandboxLimits
from referee.runtime.confinement import confinement
from referee.runtime.process_sessions import temporary_folder
from referee.runtime.sandbox import escape_attempts, landlock_fence
from referee.runtime.sandbox.machine_facts import this_machine
from referee.runtime.sandbox.obstacles import (
    MachineFacts,
    Obstacle,
    explained,
    explained_of_a_fence,
    foreseen,
    foreseen_of_a_fence,
)
from referee.runtime.sandbox.run_command import run_playing
from referee.runtime.shortages import in_words, is_shortage, remedy

_LEAKS = "do not run bots of strangers here; `referee doctor --json` says more: please report it"
_NETWORK = "it sees no network but a loopback of its own"
_PROCESSES = "it reaches no process of others"
_KEPT_AS_ROOT = 1 << 2  # capabilities(7): CAP_DAC_READ_SEARCH, where root has closed its files to all others


class AttemptResults(msgspec.Struct, frozen=True):
    """The findings of the bot of the self-test.

    Attributes:
        capabilities: its rights as a number in hexadecimal digits (capabilities(7)).
        no_new_privileges: whether no program that it starts can have more rights.
        is_filtered: whether its system calls are filtered.
        networks: the names of the network interfaces that it sees.
        limits: by name, the limit of a resource; -1 for none.
        has_scratch: whether it can write temporary files.
        reached: the names of the things outside that it could reach.
    """

    capabilities: str
    no_new_privileges: bool
    is_filtered: bool
    networks: tuple[str, ...]
    limits: Mapping[str, int]
    has_scratch: bool
    reached: frozenset[str]


class Point(msgspec.Struct, frozen=True):
    """One thing that a confinement promises.

    Attributes:
        what: the promise, a sentence about "it", the bot.
        holds: whether it was kept.
    """

    what: str
    holds: bool


class SelfTest(msgspec.Struct, frozen=True):
    """The result of a trial.

    Attributes:
        sandbox: the kind of sandbox that was tried.
        obstacle: why bots cannot be confined so; None if they can.
        points: what was tried from inside; nothing if nothing could run there.
    """

    sandbox: Sandbox
    obstacle: Obstacle | None
    points: tuple[Point, ...] = ()


@cache
def obstacle(sandbox: Sandbox = "bubblewrap") -> Obstacle | None:
    """Why bots cannot be confined so on this machine; None if they can. A process tries it once."""
    return tried(sandbox).obstacle


def tried(sandbox: Sandbox = "bubblewrap") -> SelfTest:
    """Confine a bot as a league would, and let it try things that it should not be able to do."""
    machine = this_machine()
    is_fence = sandbox == "landlock"
    prevented = foreseen_of_a_fence(machine) if is_fence else foreseen(machine)
    if prevented is not None:
        return SelfTest(sandbox, prevented)
    limits = SandboxLimits()
    try:
        with temporary_folder() as folder:
            found, planted = _run(sandbox, limits, folder)
    except OSError as error:
        if is_shortage(error):
            return SelfTest(sandbox, Obstacle(in_words(error), remedy(error), is_shortage=True))
        return SelfTest(sandbox, explained_of_a_fence(str(error)) if is_fence else explained(machine, str(error)))
    points = points_of(found, limits, planted=planted)
    if is_fence:
        points = tuple(point for point in points if point.what not in _unpromised(machine))
    broken = [point.what for point in points if not point.holds]
    leak = Obstacle(f"what was confined does not keep to this: {'; '.join(broken)}", _LEAKS) if broken else None
    return SelfTest(sandbox, leak, points)


def points_of(results: AttemptResults, limits: SandboxLimits, *, planted: bool) -> tuple[Point, ...]:
    """The promises of a confinement, and whether it keeps them, point by point.

    Args:
        results: what the bot in it has found out.
        limits: the limits of the confinement.
        planted: whether it could make a file where it may not write.
    """
    wanted = {
        "DATA": limits.memory_mib * MIB,
        "NOFILE": limits.files,
        "FSIZE": limits.file_mib * MIB,
        "CORE": 0,
    }
    rights = int(results.capabilities, 16) & ~_KEPT_AS_ROOT
    return (
        Point("it has no rights, and no program can give it any", not rights and results.no_new_privileges),
        Point("its system calls are filtered", results.is_filtered and "session" not in results.reached),
        Point("it reads nothing but what it is shown", "file" not in results.reached),
        Point("it writes nowhere but in its own temporary folder", results.has_scratch and not planted),
        Point("it reaches no network", "port" not in results.reached),
        Point(_NETWORK, results.networks == ("lo",)),
        Point("it reaches no socket of others", results.reached.isdisjoint({"socket", "abstract"})),
        Point(_PROCESSES, "process" not in results.reached),
        Point("its limits hold", all(results.limits[name] == limit for name, limit in wanted.items())),
    )


def _unpromised(machine: MachineFacts) -> set[str]:
    """The promises of a box that a fence of Landlock does not make."""
    shares_its_user = not machine.is_root and landlock_fence.version() < landlock_fence.SCOPES_SINCE
    return {_NETWORK, *([_PROCESSES] if shares_its_user else [])}


def _run(sandbox: Sandbox, limits: SandboxLimits, folder: Path) -> tuple[AttemptResults, bool]:
    """The findings of a confined bot, and whether it could make files where it may not.

    Raises:
        OSError: the bot could not run.
    """
    with bait_in(folder) as bait:
        source = Path(escape_attempts.__file__).read_text(encoding="utf-8")
        command = [sys.executable, "-I", "-S", "-c", source, msgspec.json.encode(bait).decode()]
        ended = run_playing(confinement(sandbox, limits), command, folder)
    try:
        found = msgspec.json.decode(ended.output, type=AttemptResults)
    except msgspec.DecodeError as error:
        raise OSError(*ended.words.splitlines()[-1:] or [f"the bot of the trial failed, code {ended.code}"]) from error
    planted = [place / bait["plant"] for place in (folder, folder / "bot", Path("/"), Path("/usr"))]
    try:
        return found, any(file.exists() for file in planted)
    finally:
        for file in planted:
            file.unlink(missing_ok=True)


@contextmanager
def bait_in(folder: Path) -> Iterator[dict[str, str]]:
    """Things that an unconfined bot could reach: a file, a folder, a port, sockets, a process; a name for a file."""
    secret, path, name = folder / "secret", folder / "socket", f"referee-{secrets.token_hex(8)}"
    secret.write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as port, _listener(str(path)), _listener(f"\0{name}"):
        yield {
            "file": str(secret),
            "folder": str(folder),
            "port": str(port.getsockname()[1]),
            "socket": str(path),
            "abstract": name,
            "plant": name,
            "process": str(os.getpid()),
        }


@contextmanager
def _listener(address: str) -> Iterator[None]:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        yield
