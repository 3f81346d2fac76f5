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

from referee.core.bot_limits import Sandbox, SandboxLimits
from referee.core.errors import CannotStart, Exit, Void
from referee.files.bot_folder import Visible
from referee.files.manifest import Transport
from referee.runtime.bot_process import BotProcess
from referee.runtime.confinement import confinement
from referee.runtime.host import HostSettings
from referee.runtime.process_sessions import temporary_folder
from referee.runtime.shortages import describe_shortage

_THREADS = 16
"""So many threads a bot in Python with gRPC needs, about."""

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
for thread in threads:  # one that outlives the others may open a file at its end
    thread.join()
"""


class UnusableLimit(CannotStart):
    """Nothing can be started within the limits of `[sandbox]`; the text says which must change, and to what."""

    exit_code = Exit.WRONG_USE


@cache
def require_usable_limits(sandbox: Sandbox, limits: SandboxLimits) -> None:
    """Check once that this machine can start a program in a sandbox with these limits; raises as `require_starts`."""
    with temporary_folder() as folder:
        uvloop.run(require_starts(HostSettings(folder, confinement(sandbox, limits), start_ms=0)))


async def require_starts(hosting: HostSettings) -> None:
    """Check that this machine can start a program in the confinement of bots now.

    Raises:
        UnusableLimit: it could, if a limit of the confinement were higher, or one that the machine cannot set lower.
        CannotStart: it cannot; the text says why.
    """
    try:
        await _start(hosting)
    except (Void, OSError) as error:
        unusable = await _unusable_limits(hosting)
        if unusable:
            raise UnusableLimit("; ".join(unusable)) from error
        raise CannotStart(f"no bot can be started here {describe_shortage(error)}") from error


async def _unusable_limits(hosting: HostSettings) -> list[str]:
    """A sentence for each limit that keeps the probe from starting; none if the usual limits do so, too."""

    async def works(limits: SandboxLimits) -> bool:
        try:
            await _start(replace(hosting, confinement=confinement(hosting.confinement.name, limits)))
        except (Void, OSError):
            return False
        return True

    wanted, usable = hosting.confinement.limits, SandboxLimits()
    sentences: list[str] = []
    if wanted is None or not await works(usable):
        return sentences
    for key in reversed(SandboxLimits.__struct_fields__):  # processes before memory_mib: threads need memory
        given = bad = getattr(wanted, key)
        good = given if await works(replace(usable, **{key: given})) else getattr(usable, key)
        while abs(bad - good) > 1:
            middle = (good + bad) // 2
            good, bad = (middle, bad) if await works(replace(usable, **{key: middle})) else (good, middle)
        usable = replace(usable, **{key: good})
        if good != given:
            what = f"{given} is too {'low; the least' if given < good else 'high; the greatest'} usable value"
            sentences.append(f"sandbox.{key} in the league file: {what} on this machine is {good}")
    return sentences


async def _start(hosting: HostSettings) -> None:
    """Start the probe, and wait for its end.

    Raises:
        Void, OSError: it could not be started, or failed.
    """
    limits = hosting.confinement.limits
    threads = _THREADS if limits is None else min(_THREADS, max(2, limits.processes // 2))
    transport: Transport = "unix" if limits is None else "tcp"  # with our relay, which needs two threads for a call
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(threads)]
    with tempfile.TemporaryDirectory(prefix="", dir=hosting.run_dir, ignore_cleanup_errors=True) as folder:
        process = await BotProcess.start(command, Visible(Path(folder).resolve()), transport, hosting, {})
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
