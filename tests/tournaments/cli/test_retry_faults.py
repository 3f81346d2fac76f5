"""`referee league retry-faults`: the organizer sees which matches would be played again, and is asked."""

import io
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.command import GAME, Ended, referee
from tests.tournaments.cli.test_league import FLAWED, Place
from tests.tournaments.fakes import Bot, FakeExecutor, FakeMachine, Stopped, fails
from tournaments.play.run import open_run
from tournaments.store.pinned_league import contents

DAY = ("--from", "1970-01-01T00:00", "--until", "1970-01-02")
"""The day on which all of it was played."""

PREVIEW = "6 matches would be played again: faults of flawed@1 (3), greedy@1 (3)"
NOTHING = "nothing is played again"


class Terminal(io.StringIO):
    """A terminal at which somebody writes this."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A league of which two bots failed in six matches, and in two more nobody did."""
    found = Place(tmp_path)
    play(found, 6, {FLAWED: fails, "greedy@1": fails})
    play(found, 2, {})
    return found


def play(place: Place, matches: int, bots: Mapping[str, Bot]) -> None:
    executor = FakeExecutor(bots, game=GAME, clock=place.league.clock, stops_after=matches)
    with open_run(place.league, place.url, FakeMachine(executor, contents)) as run, pytest.raises(Stopped):
        for _ in run.play():
            pass


def state(place: Place) -> tuple[int, int]:
    """How many matches are played, and how many are void."""
    status = place.ask("status", "--json").json
    return status["progress"]["matches"]["played"], status["progress"]["void"]


def answered(place: Place, monkeypatch: pytest.MonkeyPatch, answer: str) -> Ended:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    return place.ask("retry-faults", *DAY)


def test_without_a_terminal_the_matches_are_named_and_nothing_is_played_again(place: Place) -> None:
    ended = place.ask("retry-faults", *DAY)
    assert ended == (2, f"{PREVIEW}\n", f"{NOTHING}; to go on without a question, add --yes\n")
    assert state(place) == (8, 0)


def test_the_organizer_is_asked_and_may_say_no_or_yes(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = answered(place, monkeypatch, "n\n")
    assert (refused.code, refused.err) == (2, f"{NOTHING}\n")
    assert refused.out.startswith(f"{PREVIEW}\nGo on? [y/N]")
    assert state(place) == (8, 0)
    agreed = answered(place, monkeypatch, "y\n")
    assert agreed.code == 0
    assert agreed.out.endswith("6 matches are taken up again; run the league again\n")
    assert state(place) == (2, 6)


def test_a_script_says_yes_and_the_audit_and_the_report_tell_of_it(place: Place, tmp_path: Path) -> None:
    ended = place.ask("retry-faults", *DAY, "--yes")
    assert ended == (0, "6 matches are taken up again; run the league again\n", "")
    assert state(place) == (2, 6)
    audit = referee("entries", place.file, "--audit", "--store", place.url).out
    assert audit.endswith(
        "organizer         retry-faults   6 matches from 1970-01-01T00:00:00+00:00 until 1970-01-02T00:00:00+00:00\n"
    )
    place.ask("report", tmp_path / "report")
    assert "the organizer has it played again: an outage" in (tmp_path / "report" / "report.md").read_text()
    assert place.ask("retry-faults", *DAY) == (0, "0 matches are taken up again\n", "")


def test_a_time_is_utc_unless_it_names_a_zone(place: Place) -> None:
    hours = ("--from", "1970-01-01T02:00", "--until", "1970-01-01T03:00")
    assert place.ask("retry-faults", *hours).out == "0 matches are taken up again\n"
    zoned = ("--from", "1970-01-01T02:00+02:00", "--until", "1970-01-01T03:00+02:00")
    assert place.ask("retry-faults", *zoned).out == f"{PREVIEW}\n"


@pytest.mark.parametrize(("option", "at"), [("--from", 1), ("--until", 3)])
def test_what_is_no_time_is_refused_with_an_example(place: Place, option: str, at: int) -> None:
    words = [*DAY[:at], "soon", *DAY[at + 1 :]]
    assert place.ask("retry-faults", *words) == (
        2,
        "",
        f"{option} soon: not a time; write for instance 2026-11-23T07:30\n",
    )


def test_the_organizer_hears_that_everybody_could_see_the_cards_of_a_match_with_luck_of_its_own(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.file.write_text(place.file.read_text().replace("[[tables]]", '[[tables]]\nluck = "own"'))
    play(place, 3, {FLAWED: fails})
    ended = place.ask("retry-faults", *DAY)
    assert ended.out.endswith("; everybody could see the cards of 3 of them\n")


def test_a_match_of_a_complete_wave_is_refused_in_one_sentence(tmp_path: Path) -> None:
    place = Place(tmp_path)
    text = place.file.read_text().replace("[clock]", '[format]\nkind = "swiss"\nrounds = 2\n\n[clock]')
    place.file.write_text(text)
    place.play()
    ended = place.ask("retry-faults", *DAY, "--yes")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith(" is in a wave that is complete, so it stays; name a time without it\n")
