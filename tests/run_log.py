"""`python -m tests.run_log LOG COMMAND...`: run a command, keep what it prints, and say what it left running.

The log of the last run that failed is kept beside LOG, with `-failed` in its name. Only the standard library is used:
nothing need be installed yet.
"""

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

_BECOME_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of prctl(2): orphans below this process become its children
_GRACE_S = 3.0  # what ends because its parent has ended needs a moment


def main(log: Path, command: Sequence[str]) -> int:
    """Run a command, show what it prints, and keep it in the log.

    The command writes to a file, not to a pipe: a process that it leaves behind would keep a pipe open.

    Returns:
        The exit code of the command.
    """
    ctypes.CDLL(None).prctl(_BECOME_SUBREAPER, 1, 0, 0, 0)
    log.parent.mkdir(parents=True, exist_ok=True)
    ended = threading.Event()
    with log.open("w", encoding="utf-8") as writer, log.open(encoding="utf-8", errors="replace") as reader:
        process = subprocess.Popen(command, stdout=writer, stderr=subprocess.STDOUT)
        follower = threading.Thread(target=_follow, args=(reader.read, ended))
        follower.start()
        process.returncode = code = _wait(process.pid)
        with log.open("a", encoding="utf-8") as end:
            end.writelines(f"left behind: {row}\n" for row in _left_behind())
        ended.set()
        follower.join()
    if code:
        shutil.copy(log, log.with_stem(f"{log.stem}-failed"))
    return code


def _follow(read: Callable[[], str], ended: threading.Event) -> None:
    is_last = False
    while not is_last:
        is_last = ended.wait(0.05)
        sys.stdout.write(read())
        sys.stdout.flush()


def _wait(process: int) -> int:
    """Wait for the process, and meanwhile for each orphan that ends, as the first process of a machine does."""
    while True:
        with contextlib.suppress(KeyboardInterrupt):  # the command has received it, too
            ended, status = os.wait()
            if ended == process:
                return os.waitstatus_to_exitcode(status)


def _left_behind() -> list[str]:
    """The orphans that still live, by number and command."""
    ends = time.monotonic() + _GRACE_S
    while (orphans := _orphans()) and time.monotonic() < ends:
        time.sleep(0.05)
    return [f"process {orphan}: {_command_line(orphan)}" for orphan in orphans]


def _orphans() -> list[str]:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()


def _command_line(process: str) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:200]
    except OSError:
        return "it has just ended"


if __name__ == "__main__":
    if sys.stdout.isatty():
        os.environ.setdefault("PY_COLORS", "1")  # pytest writes to a file, which is shown on a terminal
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
