"""A person reads who won, and why."""

import re

import pytest

from referee.drawing.registry import drawer
from referee.drawing.words_drawer import WordsDrawer
from referee.match.transcript import FaultKind
from referee.wire.registry import game_entry
from tests.auction import Auction
from tournaments.web.visitors.protocol import SeatEnd
from tournaments.web.visitors.seat_view import result

NAMES = ("~ann", "greedy")
UNDRAWN = WordsDrawer(Auction())


def end(places: tuple[int, ...], ending: str = "ran_out", **more: object) -> SeatEnd:
    return SeatEnd(**({"view": b"", "ending": ending, "places": places, "scores": None, "faults": ()} | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("places", "one_side", "words"),
    [
        ((1, 2), False, "You won: ran out."),
        ((2, 1), False, "You lost: ran out."),
        ((2, 2), False, "Nobody won: ran out."),
        ((1, 1), True, "You won together: ran out."),
        ((2, 2), True, "You lost together: ran out."),
        ((2, 1, 3), False, "You came in at place 2 of 3: ran out."),
        ((1, 2, 3), False, "You won: ran out."),
    ],
)
def test_the_standing_is_told_from_the_places(places: tuple[int, ...], one_side: bool, words: str) -> None:
    assert result(end(places), 0, NAMES, UNDRAWN, one_side=one_side) == words


@pytest.mark.parametrize(
    ("seat", "words"), [(0, "You lost: your time ran out."), (1, "You won: the time of ~ann ran out.")]
)
def test_who_ran_out_of_time_is_told_to_that_person_and_to_the_others(seat: int, words: str) -> None:
    ended = end((2, 1), "fault", faults=((0, FaultKind.TIMEOUT),))
    assert result(ended, seat, NAMES, UNDRAWN, one_side=False) == words


@pytest.mark.parametrize("kind", FaultKind)
def test_every_kind_of_fault_has_words(kind: FaultKind) -> None:
    told = result(end((1, 2), "fault", faults=((1, kind),)), 0, NAMES, UNDRAWN, one_side=False)
    assert told.startswith("You won: ")
    assert re.search(r"\bgreedy\b", told)
    assert f"({kind})" not in told


@pytest.mark.parametrize(("one_side", "words"), [(True, " Your score together: 7."), (False, " Your score: 7.")])
def test_a_score_is_told_if_the_game_counts_one(one_side: bool, words: str) -> None:
    assert result(end((1, 1), scores=(7, 3)), 0, NAMES, UNDRAWN, one_side=one_side).endswith(words)


@pytest.mark.parametrize("game", ["agent-avenue", "agonia", "inside-job"])
def test_a_drawn_game_explains_its_endings(game: str) -> None:
    rules = game_entry(game).game
    for ending in rules.endings:
        told = result(end((1, 2), ending), 0, NAMES, drawer(rules), one_side=False)
        assert told != f"You won: {ending.replace('_', ' ')}."
