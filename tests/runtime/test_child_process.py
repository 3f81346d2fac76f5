"""A process that serves another one: it ends with that one, and what stops the other does not stop it."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from referee.runtime.child_process import ENDING
from tests.runtime.rogues import eventually
from tests.tournaments.arena import alive

PROGRAM = """
import ctypes, os, signal, sys
from referee.runtime.child_process import serve
if sys.argv[1:] == ["wait"]:
    serve(os.getppid())
    print("serves", flush=True)
    sys.stdin.read()
else:
    serve(int(sys.argv[1]))
    number = ctypes.c_int()
    ctypes.CDLL(None).prctl(2, ctypes.byref(number))  # PR_GET_PDEATHSIG
    print(number.value)
"""


@pytest.mark.process
def test_the_kernel_is_to_kill_it_with_its_master() -> None:
    command = [sys.executable, "-c", PROGRAM, str(os.getpid())]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{signal.SIGKILL.value}\n"


@pytest.mark.process
def test_it_does_not_serve_a_master_that_died_before_it_began() -> None:
    with subprocess.Popen(["true"]) as dead:
        dead.wait()
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(dead.pid)], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, b"")


@pytest.mark.process
def test_signals_to_the_whole_group_are_left_to_the_master() -> None:
    command = [sys.executable, "-c", PROGRAM, "wait"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "serves\n"
        for number in ENDING:
            process.send_signal(number)
        process.stdin.close()
        assert process.wait() == 0


PARENTS = """
import os, signal, subprocess, sys
from pathlib import Path
from referee.runtime.child_process import with_parent_death_signal
for _ in range(20):
    parent = os.fork()
    if not parent:
        subprocess.Popen(with_parent_death_signal(["sleep", "60"]), env={**os.environ, "MARK": sys.argv[1]})
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(parent, 0)
"""


@pytest.mark.process
def test_a_bot_whose_parent_dies_while_it_starts_does_not_outlive_it() -> None:
    with tempfile.TemporaryDirectory(prefix="rt-") as mark:
        subprocess.run([sys.executable, "-c", PARENTS, mark], check=True)
        assert eventually(lambda: not alive(Path(mark)))
