"""Load on the machine: processes that spin, and one that writes."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

_SPIN = "while True: pass"
_WRITE = """\
import os, sys
while True:
    with open(sys.argv[1], "wb") as file:
        for _ in range(64):
            file.write(os.urandom(1 << 20))
            os.fsync(file.fileno())
"""

AUTOGROUP = Path("/proc/sys/kernel/sched_autogroup_enabled")
"""Whether the kernel shares out a core to sessions, and not to threads."""


@contextmanager
def spinning(each: int, cores: Iterable[int] | None = None) -> Iterator[None]:
    """Processes that spin, so many on every core, each in a session of its own."""
    with ExitStack() as stack:
        for core in cores or os.sched_getaffinity(0):
            for _ in range(each):
                started = stack.enter_context(_running(_SPIN))
                os.sched_setaffinity(started.pid, {core})
        yield


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """A process that writes a large file in `folder` again and again, and waits for the disk."""
    with _running(_WRITE, str(folder / "large")):
        yield


@contextmanager
def autogroup(wanted: bool) -> Iterator[None]:
    """Let the kernel share out cores to sessions, or not. Only root may set it.

    It concerns the whole machine. So another process sets it back, also if this one is killed: then its input ends.
    """
    set_back = f"read _; echo {AUTOGROUP.read_text().strip()} > {AUTOGROUP}"
    with subprocess.Popen(["sh", "-c", set_back], stdin=subprocess.PIPE, start_new_session=True):
        AUTOGROUP.write_text(str(int(wanted)))
        yield


@contextmanager
def _running(program: str, *words: str) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen([sys.executable, "-c", program, *words], start_new_session=True) as started:
        try:
            yield started
        finally:
            started.kill()
