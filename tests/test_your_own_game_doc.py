"""The steps of docs/your-own-game.md lead from an empty folder to a rated league."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import REFEREE
from tests.starter_game import install

PAGE = (Path(__file__).parents[1] / "docs" / "your-own-game.md").read_text(encoding="utf-8")
COMMANDS = [
    command
    for block in re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for command in block.splitlines()
]
PROGRAMS = {"referee": [str(REFEREE)], "pytest": [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]}


@pytest.mark.slow
@pytest.mark.process
def test_every_command_of_the_page_works_in_the_order_of_the_page(tmp_path: Path) -> None:
    folder, environment, said = tmp_path, dict(os.environ), ""
    for command in COMMANDS:
        program, *arguments = shlex.split(command)
        if program == "cd":
            folder /= arguments[0]
        elif program == "pip":  # the same without a network
            assert arguments[:2] == ["install", "-e"]
            environment = install(folder / arguments[2])
        else:
            done = subprocess.run(
                [*PROGRAMS[program], *arguments],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
                timeout=300,
            )
            assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
            said = done.stdout
    assert "careful+bold@1" in said
    assert "mean return" in said
    assert (folder / "match.html").is_file()
