"""What the commands say of a league of which too little was played, and how it goes on."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.cli.command import GAME
from tests.tournaments.cli.runs import Place
from tests.tournaments.fakes import FakeExecutor
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import league_in


@pytest.fixture
def place(tmp_path: Path, scratch: Path) -> Place:
    """A knock-out of two bots."""
    found = Place(tmp_path, scratch, 0, deals=4)
    file = tmp_path / "autumn.toml"
    file.write_text(file.read_text().replace("[clock]", '[format]\nkind = "knockout"\n\n[clock]'))
    return found


def plays(place: Place, monkeypatch: pytest.MonkeyPatch, *, loses: bool) -> None:
    """Let all matches be void from now on, or none."""
    clock = league_in(place.folder / "autumn.toml").clock
    fake = FakeExecutor(game=GAME, clock=clock, loses=lambda *_: loses, stops_after=None)
    monkeypatch.setattr(LocalEnvironment, "executor", lambda *_: nullcontext(fake))


def test_a_run_of_which_too_little_was_played_says_what_to_do_and_retry_lets_it_go_on(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays(place, monkeypatch, loses=True)
    ended = place.ask("run")
    assert ended.code == 3
    assert "8 matches are abandoned, void too often:\n" in ended.err
    assert "\n  and 3 more\nno wave follows: a pairing counts only when" in ended.err
    assert "take up again what is abandoned with: referee league retry" in ended.err
    assert "wins" not in place.ask("rounds").out
    assert place.ask("retry").out == "8 matches are taken up again; run the league again to play them\n"
    plays(place, monkeypatch, loses=False)
    assert place.ask("run").code == 0
    assert place.ask("rounds").out.endswith("wins.\n")
