"""The readers of a command's output may leave early, as `head` does."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import BOTS, REFEREE

COMMANDS = [
    ["--help"], ["--version"], ["games"], ["games", "--json"], ["league", "run", "-h"], ["build", str(BOTS / "random")],
]  # fmt: skip


def run_into(output: int, *command: str, errors: int = subprocess.PIPE) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run([REFEREE, *command], stdout=output, stderr=errors, text=True, check=False)
    finally:
        os.close(output)


def pipe_without_reader() -> int:
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_whose_reader_has_left_ends_well_and_says_nothing_of_it(command: list[str]) -> None:
    done = run_into(pipe_without_reader(), *command)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_command_goes_on_when_nobody_reads_its_remarks(tmp_path: Path) -> None:
    done = run_into(pipe_without_reader(), "build", str(tmp_path), errors=subprocess.STDOUT)
    assert done.returncode == 2


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_under_what_a_command_says_is_one_sentence(command: list[str]) -> None:
    done = run_into(os.open("/dev/full", os.O_WRONLY), *command)
    assert (done.returncode, done.stderr) == (3, "standard output cannot be written: No space left on device\n")
