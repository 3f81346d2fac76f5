"""Bots and builds end by themselves when the referee is killed, at whichever moment of their start."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Tell
from tests.runtime.sandbox.boxes import needs_boxes
from tests.runtime.sandbox.needed import needs_landlock

pytestmark = [pytest.mark.process, pytest.mark.rogues]

KILLER = Path(__file__).with_name("killer.py")


def lived_on(sandbox: str, kills: int) -> int:
    command = [sys.executable, str(KILLER), sandbox, str(kills), "67"]
    return int(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


@needs_boxes
def test_nothing_lives_on_in_the_box_when_the_referee_is_killed_at_any_moment(tell: Tell) -> None:
    assert lived_on("bubblewrap", 300) == 0
    tell("referees killed while their boxes start, run and end", {"kills": 300, "boxes that lived on": 0})


@pytest.mark.parametrize("sandbox", [pytest.param("landlock", marks=needs_landlock), "none"])
def test_a_bot_without_a_box_ends_when_the_referee_is_killed_at_any_moment(sandbox: str, tell: Tell) -> None:
    assert lived_on(sandbox, 60) == 0
    tell(f"referees killed beside bots under {sandbox}", {"kills": 60, "bots that lived on": 0})
