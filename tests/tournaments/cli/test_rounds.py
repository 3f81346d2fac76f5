"""`referee league rounds`: what it prints of a Swiss before and after its only round."""

from pathlib import Path

import pytest

from tests.tournaments.cli.runs import Place
from tournaments.kept import league_in
from tournaments.machine import ThisMachine
from tournaments.run import to_play

pytestmark = pytest.mark.process


def test_the_table_of_a_swiss_says_how_many_rounds_are_over(tmp_path: Path, scratch: Path) -> None:
    place = Place(tmp_path, scratch, 0, deals=1)
    file = place.folder / "autumn.toml"
    file.write_text(file.read_text().replace("[clock]", '[format]\nkind = "swiss"\n\n[clock]'))
    with to_play(league_in(file), place.url, ThisMachine(1)):
        pass  # its first round is issued
    assert place.ask("rounds").out.startswith("autumn: no round is over yet\n")
    assert place.run("--workers", "1").code == 0
    assert place.ask("rounds").out.startswith("autumn: after 1 round\n")
