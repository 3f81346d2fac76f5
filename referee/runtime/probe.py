"""A probe: a tiny program of ours that is started as a bot is, in the same confinement.

When a bot does not start, the probe tells a machine that cannot start bots from a bot that cannot start. It needs what
every bot needs: a process, a folder for its socket, memory, some threads and some open files.
"""

import sys
import tempfile
from functools import cache
from pathlib import Path

import uvloop
from msgspec.structs import replace

from referee.core.errors import CannotStart, Void
from referee.core.sandbox import Sandbox, SandboxLimits
from referee.files.bot_folder import Visible
from referee.files.manifest import Transport
from referee.runtime.bot_process import BotProcess
from referee.runtime.confinement import confinement
from referee.runtime.host import HostSettings
from referee.runtime.shortages import describe_shortage

_THREADS = 16
"""So many threads a bot in Python with gRPC needs, about."""

_FEWEST_THREADS = 2
"""So many threads our relay needs for each call of a bot that listens on a port."""

_PATIENCE_S = 10.0
"""How long the probe may take. It takes some hundredths of a second."""

_PROGRAM = """
import os, sys, threading
files = [os.open("/dev/null", os.O_RDONLY) for _ in range(16)]
over = threading.Event()
threads = [threading.Thread(target=over.wait, daemon=True) for _ in range(int(sys.argv[1]))]
for thread in threads:
    thread.start()
over.set()
for thread in threads:  # the end of a thread may open a file, too
    thread.join()
"""


class UnusableLimit(CannotStart):
    """No bot can be started within the limits of the sandbox; the text has a sentence for each that must change."""


@cache
def require_usable_limits(sandbox: Sandbox, limits: SandboxLimits) -> None:
    """Check once that this machine can start a program in a sandbox with these limits.

    Raises:
        UnusableLimit, CannotStart: as `require_starts`.
    """
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        uvloop.run(require_starts(HostSettings(Path(folder), confinement(sandbox, limits), start_ms=0)))


async def require_starts(hosting: HostSettings) -> None:
    """Check that this machine can start a program in the confinement of bots now.

    Raises:
        UnusableLimit: a limit of the confinement is too low for any program, or higher than this machine can set it.
        CannotStart: it cannot for another reason; the text says why.
    """
    error = await _try_start(hosting)
    if error is not None:
        unusable = await _unusable_limits(hosting)
        if unusable:
            raise UnusableLimit("; ".join(unusable)) from error
        raise CannotStart(f"no bot can be started here {describe_shortage(error)}") from error


async def _unusable_limits(hosting: HostSettings) -> list[str]:
    """A sentence for each limit that keeps the probe from starting; none if the usual limits do so, too."""

    async def works(limits: SandboxLimits) -> bool:
        confined = confinement(hosting.confinement.name, limits)
        return await _try_start(replace(hosting, confinement=confined)) is None

    wanted, usable = hosting.confinement.limits, SandboxLimits()
    if wanted is None or not await works(usable):
        return []
    sentences = []
    for key in reversed(SandboxLimits.__struct_fields__):  # processes before memory_mib: threads need memory
        given = bad = getattr(wanted, key)
        good = given if await works(replace(usable, **{key: given})) else getattr(usable, key)
        while abs(bad - good) > 1:
            middle = (good + bad) // 2
            if await works(replace(usable, **{key: middle})):
                good = middle
            else:
                bad = middle
        usable = replace(usable, **{key: good})
        if good != given:
            what = "low; the least" if given < good else "high; the greatest"
            sentences.append(
                f"sandbox.{key} in the league file: {given} is too {what} usable value on this machine is {good}"
            )
    return sentences


async def _try_start(hosting: HostSettings) -> Void | OSError | None:
    """Start the probe. Returns the reason why it could not; None if it could."""
    try:
        with tempfile.TemporaryDirectory(prefix="", dir=hosting.run_dir, ignore_cleanup_errors=True) as folder:
            await _start_in(Path(folder), hosting)
    except (Void, OSError) as error:
        return error
    return None


async def _start_in(folder: Path, hosting: HostSettings) -> None:
    limits = hosting.confinement.limits
    threads = _THREADS if limits is None else min(_THREADS, max(_FEWEST_THREADS, limits.processes // 2))
    transport: Transport = "unix" if limits is None else "tcp"  # which needs most: our relay is in the box, too
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(threads)]
    process = await BotProcess.start(command, Visible(folder.resolve()), transport, hosting, {})
    try:
        status = await process.wait(_PATIENCE_S)
        words = (await process.stderr_tail()).splitlines()
    finally:
        await process.kill_now()
    if status is None:
        raise Void(f"a program that does nothing did not end within {_PATIENCE_S:g} s")
    if status != 0:
        raise Void(
            f"a program that does nothing ended with code {status} ({words[-1] if words else 'it said nothing'})"
        )
