"""`explain`: turning points in words, and as JSON."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.core.errors import Exit
from referee.match.match import Ask
from referee.match.replay import Replay
from referee.match.terms import Clock
from referee.match.transcript import from_file, to_file
from referee.match.turning_points import swings, turning_points
from referee.wire.json_codec import json_entry
from tests.auction import Auction
from tests.cli.command import GAME, header, referee
from tests.match.test_match import play
from tests.tournaments.fakes import draws, play_in_process


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "match.json"
    file.write_bytes(to_file(play_in_process(GAME, header(), Clock(), (draws, draws))))
    return file


def test_it_tells_the_three_largest_changes_what_was_chosen_and_what_else_was_legal(file: Path) -> None:
    transcript, _ = from_file(file.read_bytes())
    largest = turning_points(swings(GAME, transcript), 3)
    told = referee("explain", file, "--json").json
    assert [each["move"] for each in told] == [swing.number for swing in largest]
    for each, swing in zip(told, largest, strict=True):
        assert (each["seat"], each["before"], each["after"]) == (swing.seat, [*swing.before], [*swing.after])
        for choice in each["choices"]:
            legal = [GAME.describe_action(action) for action in GAME.legal(swing.move.before, choice["seat"])]
            assert sorted([choice["chose"], *choice["others"]]) == sorted(legal)
            asked = [step.request for step in Replay(GAME, transcript).steps() if step.request.seat == choice["seat"]]
            decision = next(each for each in asked if isinstance(each, Ask) and each.number == choice["number"])
            assert decision.view == GAME.view(swing.move.before, choice["seat"])
            assert choice["chose"] == GAME.describe_action(swing.move.cause[choice["seat"]])  # type: ignore[index]


def test_in_words_each_turning_point_has_its_number_its_seat_and_both_chances(file: Path) -> None:
    code, words, _ = referee("explain", file, "--count", "1")
    first = referee("explain", file, "--count", "1", "--json").json[0]
    seat = first["seat"]
    assert code == 0
    assert f"1. decision {first['decision']}: " in words
    assert f"(seat {seat}) stood at {first['before'][seat]:.2f}, then at {first['after'][seat]:.2f}" in words
    assert f"chose: {first['choices'][0]['chose']}" in words
    assert "2. " not in words.partition("1. decision")[2]


def test_of_many_other_actions_it_tells_eight_and_how_many_more(file: Path) -> None:
    told = referee("explain", file, "--count", "100", "--json").json
    words = referee("explain", file, "--count", "100").out
    most = max((choice for each in told for choice in each["choices"]), key=lambda choice: len(choice["others"]))
    assert f"     {most['others'][7]}\n     and {len(most['others']) - 8} more" in words


def test_a_file_that_departs_from_the_rules_is_refused_in_a_sentence(file: Path) -> None:
    transcript, _ = from_file(file.read_bytes())
    cut = replace(transcript.record, choices=transcript.record.choices[:-1])
    file.write_bytes(to_file(replace(transcript, record=cut)))
    code, _, error = referee("explain", file)
    assert code == Exit.DOES_NOT_HOLD
    assert error.startswith(f"{file}: the record ends before decision ")
    assert error.count("\n") == 1


def test_a_game_that_does_not_say_how_seats_stand_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.cli.transcripts.game_entry", lambda _name: json_entry(Auction()))
    (tmp_path / "match.json").write_bytes(to_file(play()))
    code, _, error = referee("explain", tmp_path / "match.json")
    assert (code, error) == (
        Exit.WRONG_USE,
        "auction does not say how well the seats stand, so it has no turning points\n",
    )
