"""A probe: a tiny program of ours that is started as a bot is, in the same confinement.

When a bot does not start, the probe tells a machine that cannot start bots from a bot that cannot start. It needs what
every bot needs: a process, a folder for its socket, memory, some threads and some open files.
"""

import sys
import tempfile
from pathlib import Path

from referee.core.errors import CannotStart, Void
from referee.files.bot_folder import Visible
from referee.runtime.bot_process import BotProcess
from referee.runtime.host import HostSettings
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
"""


async def require_starts(hosting: HostSettings) -> None:
    """Check that this machine can start a program in the confinement of bots now.

    Raises:
        CannotStart: it cannot; the text says why.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="", dir=hosting.run_dir, ignore_cleanup_errors=True) as folder:
            await _start_in(Path(folder), hosting)
    except (Void, OSError) as error:
        raise CannotStart(f"no bot can be started here {describe_shortage(error)}") from error


async def _start_in(folder: Path, hosting: HostSettings) -> None:
    threads = min(_THREADS, hosting.confinement.most_processes // 2)
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(threads)]
    process = await BotProcess.start(command, Visible(folder.resolve()), "unix", hosting, {})
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
