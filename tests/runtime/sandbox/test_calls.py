"""The filters name the system calls by the kernel's own numbers, and refuse every one of them."""

import errno
import json
import re
import sys
from pathlib import Path

import pytest

from referee.runtime.sandbox import seccomp
from referee.runtime.sandbox.landlock import Landlock
from referee.runtime.sandbox.run_command import run_playing
from tests.needed import skip_for_lack
from tests.runtime.sandbox.needed import needs_landlock

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.mark.parametrize("machine", HEADERS)
def test_the_numbers_are_the_kernel_s(machine: str) -> None:
    if not HEADERS[machine].exists():
        skip_for_lack("the headers of the kernel")
    defined = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", HEADERS[machine].read_text(), re.MULTILINE)
    known = {name: int(number) for name, number in defined}
    architecture = seccomp.ARCHITECTURES[machine]
    ours = {**architecture.numbers, **architecture.among_others}
    assert len(known) > 300
    assert {name: number for name, number in ours.items() if known.get(name, number) != number} == {}
    newer = {name for name in ours if name not in known}
    assert {name for name in newer if ours[name] < 424} == set()  # headers are older than the newest calls


CALLS = """
import ctypes, json, sys
libc = ctypes.CDLL(None, use_errno=True)
def called(number):
    ctypes.set_errno(0)
    libc.syscall(number, *[ctypes.c_long(-1)] * 6)
    return ctypes.get_errno()
print(json.dumps({name: called(number) for name, number in json.loads(sys.argv[1]).items()}))
"""


@pytest.mark.process
@needs_landlock
def test_every_call_that_is_refused_whatever_its_arguments_is_refused_behind_a_fence(tmp_path: Path) -> None:
    architecture = seccomp.architecture_here()
    plain = {name: number for name, number in architecture.numbers.items() if name not in seccomp.LOOKED_AT} | {
        name: number
        for name, number in architecture.among_others.items()
        if name not in seccomp._LOOKED_AT_AMONG_OTHERS
    }
    command = [sys.executable, "-I", "-S", "-c", CALLS, json.dumps(plain)]
    found = json.loads(run_playing(Landlock(), command, tmp_path).output)
    assert set(found) == set(plain)
    assert {name for name, number in found.items() if number not in (errno.EPERM, errno.ENOSYS)} == set()
    assert found["chmod" if "chmod" in plain else "fchmod"] == errno.EPERM
