"""Who gets a core first, as far as a process may say that without privileges."""

import ctypes
import os
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from referee.shell import precedence
from referee.shell.offspring import dying_with_us
from referee.shell.precedence import STAY_BEHIND, go_into_background, is_in_background, prompt
from referee.shell.sandbox.seccomp import architecture_here

T = TypeVar("T")

GROUP = "/proc/self/autogroup"
LEAST, USUAL = "19", "0"

needs_groups = pytest.mark.skipif(not Path(GROUP).exists(), reason="this kernel makes no group of a session")

INSIDE_AND_AFTERWARDS = """
from pathlib import Path
from referee.shell.precedence import staying_behind
def weight():
    return Path("/proc/self/autogroup").read_text().split()[-1]
with staying_behind():
    inside = weight()
print(inside, weight())
"""


def in_a_thread(work: Callable[[], T]) -> T:
    """What a thread of its own comes to: who is in the background cannot come back."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def in_the_background(work: Callable[[], T]) -> T:
    def move_there() -> T:
        go_into_background()
        return work()

    return in_a_thread(move_there)


def started(command: Sequence[str]) -> str:
    """What a command prints that leads a session of its own."""
    process = subprocess.run(command, check=True, capture_output=True, text=True, start_new_session=True)
    return process.stdout


def weight_of_a_session() -> str:
    """The niceness that the kernel has noted of the session of a process that is started here."""
    return started(dying_with_us(["cat", GROUP], Path("/"))).split()[-1]


def test_a_thread_in_the_background_knows_that_it_is_there() -> None:
    assert (in_the_background(is_in_background), in_a_thread(is_in_background)) == (True, False)


@needs_groups
@pytest.mark.process
def test_what_the_background_starts_has_a_session_with_the_least_weight_and_nobody_else_has() -> None:
    assert (in_the_background(weight_of_a_session), in_a_thread(weight_of_a_session)) == (LEAST, USUAL)


@pytest.mark.process
def test_what_the_background_starts_finds_the_same_environment_as_ever() -> None:
    def environment() -> str:
        return started(dying_with_us(["env"], Path("/")))

    assert in_the_background(environment) == in_a_thread(environment)


@needs_groups
@pytest.mark.process
def test_a_process_stays_behind_with_its_session_only_as_long_as_it_wants() -> None:
    assert started([sys.executable, "-c", INSIDE_AND_AFTERWARDS]).split() == [LEAST, USUAL]


@needs_groups
@pytest.mark.process
def test_several_sessions_of_an_ordinary_user_stay_behind_though_the_kernel_weighs_one_in_a_tenth_of_a_second() -> None:
    user = [] if os.getuid() else ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    command = [*user, "sh", "-c", f"{STAY_BEHIND} cat {GROUP}"]
    with ThreadPoolExecutor(3) as pool:
        weights = [said.split()[-1] for said in pool.map(started, [command] * 3)]
    assert weights == [LEAST] * 3


def test_a_session_is_weighed_again_as_long_as_the_kernel_says_later(monkeypatch: pytest.MonkeyPatch) -> None:
    rested: list[float] = []
    written: list[bytes] = []

    def write(_file: int, text: bytes) -> int:
        if len(rested) < len(written) + 1:
            raise BlockingIOError
        written.append(text)
        return len(text)

    monkeypatch.setattr(precedence, "_GROUP", os.devnull)
    monkeypatch.setattr(os, "write", write)
    monkeypatch.setattr(time, "sleep", rested.append)
    with precedence.staying_behind():
        assert (written, len(rested)) == ([b"19"], 1)
    assert (written, len(rested)) == ([b"19", b"0"], 2)


def test_where_sessions_have_no_weight_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precedence, "_GROUP", "/proc/no-such-file")
    with precedence.staying_behind():
        pass


# Promptness

_SCHED_GETATTR = {"x86_64": 315, "aarch64": 275}


def slice_ns(process: int = 0) -> int:
    """The slice of this thread, or of a process; 0 where the kernel does not tell it (before Linux 6.12)."""
    found = ctypes.create_string_buffer(struct.calcsize(precedence._ATTRIBUTES))
    number = _SCHED_GETATTR[os.uname().machine]
    assert ctypes.CDLL(None, use_errno=True).syscall(number, process, found, len(found), 0) == 0
    _, _, _, _, _, runtime, _, _ = struct.unpack(precedence._ATTRIBUTES, found)
    return int(runtime)


needs_slices = pytest.mark.skipif(
    os.uname().machine not in _SCHED_GETATTR or not slice_ns(), reason="this kernel gives no slices that are asked for"
)


@needs_slices
@pytest.mark.process
def test_who_is_prompt_has_the_shortest_slice_and_nothing_that_it_starts_has() -> None:
    def seen() -> tuple[int, int, int]:
        usual = slice_ns()
        with prompt(), subprocess.Popen(["sleep", "60"]) as child:
            short, of_child = slice_ns(), slice_ns(child.pid)
            child.kill()
        return short, of_child - usual, slice_ns() - usual

    assert in_a_thread(seen) == (100_000, 0, 0)


@needs_slices
def test_who_was_given_a_priority_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_vain() -> bool:
        usual = slice_ns()
        with prompt():
            return slice_ns() == usual

    assert in_the_background(in_vain)
    monkeypatch.setattr(os, "getpriority", lambda *_whose: -5)
    assert in_a_thread(in_vain)


def test_on_a_machine_of_an_unknown_kind_nobody_is_prompt_and_all_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    architecture_here()
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with prompt():
        pass
