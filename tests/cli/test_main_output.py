"""The readers of a command's output may leave early, as `head` does."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import BOTS, REFEREE

COMMANDS = [
    ["--help"], ["--version"], ["games"], ["games", "--json"], ["league", "-h"], ["build", str(BOTS / "random")],
]  # fmt: skip


ONE_AFTER_THE_OTHER = """\
import json, os, sys, tempfile
from referee.cli import commands, main

def ended(command):
    with tempfile.TemporaryFile() as said:
        if child := os.fork():
            _, status = os.waitpid(child, 0)
            said.seek(0)
            return os.waitstatus_to_exitcode(status), said.read().decode()
        os.dup2(int(sys.argv[1]), 1)
        os.dup2(said.fileno(), 2)
        sys.argv[1:] = command
        main.main()
        sys.exit()

print(json.dumps([ended(command) for command in json.loads(sys.argv[2])]))
"""
"""Runs each command in a child of one process, so that most of what they import is imported once."""


def assert_all_end(output: int, code: int, said: str) -> None:
    """Assert that every command ends so, with this on standard error, if it prints into `output`."""
    script = [sys.executable, "-c", ONE_AFTER_THE_OTHER, str(output), json.dumps(COMMANDS)]
    try:
        done = subprocess.run(script, pass_fds=[output], stdout=subprocess.PIPE, text=True, check=True)
    finally:
        os.close(output)
    for command, ended in zip(COMMANDS, json.loads(done.stdout), strict=True):
        assert ended == [code, said], command


def pipe_without_reader() -> int:
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@pytest.mark.slow
def test_a_command_whose_reader_has_left_ends_well_and_says_nothing_of_it() -> None:
    assert_all_end(pipe_without_reader(), 0, "")


def test_a_command_goes_on_when_nobody_reads_its_remarks(tmp_path: Path) -> None:
    output = pipe_without_reader()
    command = [str(REFEREE), "build", str(tmp_path)]
    done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, check=False)
    os.close(output)
    assert done.returncode == 2


@pytest.mark.slow
def test_a_full_disk_under_what_a_command_says_is_one_sentence() -> None:
    said = "standard output cannot be written: No space left on device\n"
    assert_all_end(os.open("/dev/full", os.O_WRONLY), 3, said)
