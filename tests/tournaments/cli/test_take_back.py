"""What the commands say of a league of which too little was played, and how it goes on."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.cli.command import GAME
from tests.tournaments.cli.runs import Place
from tests.tournaments.fakes import FakeExecutor
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import league_in
from tournaments.schedule.league_state import LeagueState


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
    assert place.ask("take-back").code == 2
    assert place.ask("retry").out == "8 matches are taken up again; run the league again to play them\n"
    plays(place, monkeypatch, loses=False)
    assert place.ask("run").code == 0
    assert place.ask("rounds").out.endswith("wins.\n")


def test_a_winner_that_an_earlier_version_crowned_without_a_match_is_taken_back(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays(place, monkeypatch, loses=True)
    with monkeypatch.context() as earlier:
        earlier.setattr(LeagueState, "undecided", ())
        earlier.setattr("tournaments.schedule.formats.knockout_winners.any", lambda _: True, raising=False)
        place.ask("run")
    assert "wins" not in place.ask("rounds").out
    assert "referee league take-back" in place.ask("run").err
    said = place.ask("retry").out
    assert "abandoned on closed deals, and not played again\n" in said
    assert said.endswith("wave 1 was never played; take it and all after it back with: referee league take-back\n")
    assert place.ask("take-back").out.endswith(
        "waves are taken back; run the league again to play new ones, on new deals\n"
    )
    plays(place, monkeypatch, loses=False)
    assert place.ask("run").code == 0
    assert place.ask("rounds").out.endswith("wins.\n")
    assert place.ask("verify").code == 0
