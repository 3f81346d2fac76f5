"""`referee league rounds`: what it prints of a Swiss before and after its only round."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.cli.command import GAME
from tests.tournaments.cli.runs import Place
from tests.tournaments.fakes import FakeExecutor
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in


def test_the_table_of_a_swiss_says_how_many_rounds_are_over(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place(tmp_path, scratch, 0, deals=1)
    file = place.folder / "autumn.toml"
    file.write_text(file.read_text().replace("[clock]", '[format]\nkind = "swiss"\n\n[clock]'))
    with open_run(league_in(file), place.url, LocalEnvironment(1)):
        pass  # its first round is issued
    assert place.ask("rounds").out.startswith("autumn: no round is over yet\n")
    fake = FakeExecutor(game=GAME, clock=league_in(file).clock)
    monkeypatch.setattr(LocalEnvironment, "executor", lambda *_: nullcontext(fake))
    assert place.ask("run").code == 0
    assert place.ask("rounds").out.startswith("autumn: after 1 round\n")
