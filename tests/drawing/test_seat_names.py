"""Sentences have names in the place of numbers."""

import pytest

from referee.core.outcome import Side
from referee.drawing.seat_names import SeatNames

ALONE = (Side("a", (0,)), Side("b", (1,)))
TEAMS = (Side("a", (0, 2)), Side("b", (1, 3)))


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("seat 0 plays Mole face up", "ada plays Mole face up"),
        ("seat 1's weapon jams", "ben's weapon jams"),
        ("seats 0 and 1", "ada and ben"),
        ("vote for seat 0 and seat 1", "vote for ada and ben"),
        ("side 1 recruits Mole", "ben recruits Mole"),
        ("seat 7 and side 9 and besides 1", "seat 7 and side 9 and besides 1"),
    ],
)
def test_seats_and_sides_of_one_have_the_names_of_their_players(words: str, named: str) -> None:
    assert SeatNames(("ada@1", "ben@2"), ALONE).put_into(words) == named


def test_a_team_has_its_letter() -> None:
    assert SeatNames(("ada@1", "ben@1", "cleo@1", "dan@1"), TEAMS).put_into("side 0 begins") == "side a begins"


@pytest.mark.parametrize(
    ("entries", "names"),
    [
        (("ada@1", "ada@2"), ("ada v1", "ada v2")),
        (("ada+copy@1", "ada@1"), ("ada (copy)", "ada")),
        (("ada@1", "ada@1"), ("ada (seat 1)", "ada (seat 2)")),
        (("x" * 40 + "0@1", "x" * 40 + "1@1"), ("x" * 14 + "…" + "x" * 12 + "0", "x" * 14 + "…" + "x" * 12 + "1")),
        (("a\n\u202e@1", "b@1"), ("a\\n\\u202e", "b")),
    ],
)
def test_names_are_short_different_and_on_one_line(entries: tuple[str, ...], names: tuple[str, ...]) -> None:
    found = SeatNames(entries, ())
    assert tuple(map(found.of, range(len(entries)))) == names
    assert found.put_into("seats 0 and 1") == " and ".join(names)
