"""The missions, each at its boundaries: IJ-04."""

import pytest

from referee.games.inside_job.common import Laid
from referee.games.inside_job.conditions import CONDITIONS
from referee.games.inside_job.missions import MISSIONS, ORDINARY, RISKY, Mission, checked, holds
from referee.games.inside_job.pieces import Suit
from referee.games.inside_job.tricks import complete
from tests.games.inside_job.table import Table

TRUMPS = {
    "blue": "M01 M02 M03 M04 M05 M06 R3",
    "yellow": "M07 M08 M09 M10 M11 M12 R1",
    "green": "M13 M14 M15 M16 M17 M18 R2",
    "red": "M19 M20 M21 M22 M23 M24 R4",
}

# By mission, tricks that complete it and tricks that do not. A number is a card of a suit that is not trump. `t` puts
# a token on the card. Another letter stands for another suit.
TRICKS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "M01": (("2 4 6", "12 2 8 10", "2 4 6 8 10"), ("2 4 7", "1 2 4 6", "2 4 6 8 9")),
    "M02": (("3 4 9", "9 1 2 5t"), ("9 4 3", "4 9 3", "1 2 3 9 4", "9 4 5 g12")),
    "M03": (("1 2 3", "1 5 6 13"), ("1 3 3", "2 1 3", "3 4 2", "1 2 4 4", "4 3 2 1")),
    "M04": (("8 8 8", "13 10 1", "8 8 8 8", "13 13 13 1 g1"), ("8 8 7", "10 13 4 4", "8 8 8 8 7")),
    "M05": (("2 4 7", "7 g12 4", "12 3t 4"), ("2 4 8", "7 8 4", "11 2t 3")),
    "M06": (("2 3 4", "3 2 2 5", "1 2 4 6 13"), ("2 3 5", "3 4 4 6", "1 3 5 7 2")),
    "M07": (("9 4 3", "5 g6 4", "2t 5 4"), ("4 9 3", "4 3 9", "5 4 2t", "5 4 5")),
    "M08": (("1 3 5", "13 11 9 7"), ("1 3 6", "2 3 5 7", "1 3 5 7 8")),
    "M09": (("3 4 2", "9 9 9 8", "4 3 2 13 1"), ("3 4 3", "4 5 6 4", "2 3 1 5 4", "3 2 4")),
    "M10": (("6 6 6", "13 4 1", "6 6 6 6", "1 2 3 11 13"), ("6 6 7", "13 4 4 4", "6 6 6 6 7")),
    "M11": (("3 11 4", "13 2 1", "2 b13 g13 12"), ("3 10 4", "2 10 g13 4 9", "13 10t 4")),
    "M12": (("1 7 3", "13 7 8 9", "5 5 5 5 5"), ("1 8 3", "13 6 8 9", "1 2 3 4 8")),
    "M13": (("3 9 4", "9 2t 4 8", "9 9 3"), ("9 3 4", "3 4 9", "3 9 4 9", "9 2t 3t 1")),
    "M14": (("3 2 1", "13 9 8 1"), ("3 3 1", "3 1 2", "1 2 3", "4 3 2 2")),
    "M15": (("3 4 9", "1t 5t 6t", "g3 g4 1t"), ("3 4 b9", "3 4 9t", "3 b4 3 3")),
    "M16": (("3 4 5", "4 3 2 9"), ("3 5 5", "3 4 3", "9 3 2 8", "1 2 13 4 12")),
    "M17": (("3 5 8", "7 b12 4 8", "13 2t 5"), ("2 4 9", "8 7 9", "12 3t 4")),
    "M18": (("4 10 7", "1 13 5 6", "10 9 8 5 4"), ("5 10 7", "4 9 7", "1 2 3 9", "5 6 13 7 8")),
    "M19": (("6 6 6", "1 2 3 4", "6t 5 4"), ("6 6 7", "7 1 2 3", "1 2 3 4 13")),
    "M20": (("2 3 4", "2 3 5 4", "2 4 7 6 8"), ("3 2 3", "3 3 4 3", "3 4 3 3", "3 3 4 3 3")),
    "M21": (("1 2 3", "4 5 9 9"), ("3 3 4", "3 4 2", "5 6 7 8 5")),
    "M22": (("3 4 2", "3 2 9 4", "9 2t 3", "9 4 9"), ("4 3 2", "2t 9 8", "3 g9 b9 2")),
    "M23": (("3 4 5", "g3 b4 3 y5"), ("3 4t 5", "3 4 r5", "r1 2 3", "1t 2 3 4")),
    "M24": (("8 7 6", "2 3 b13 1", "13 8t 3"), ("9 7 6", "1 2 3 9", "5 9t 3")),
    "R1": (("1 2 3t", "1t 2 3t 4"), ("1 2 3", "1t 2t 3", "1 2 3 4t", "1t 2t 3 4t 5t")),
    "R2": (("1t 2 3", "1t 5t 3", "9 1 2 8t"), ("1 2 3", "1t 2 3 g5", "3 4 5 9")),
    "R3": (("1t 2t 3", "1t 2t 3t", "1 2t 3 4 5t"), ("1 2 3", "1t 2 3", "1 2 3 4t")),
    "R4": (("1t 5t 3", "1t 5 3 r9"), ("1t 5 3", "5 1t 3", "3 5 2", "9t 3t 2t 1")),
}
LETTERS = {suit.name[0].lower(): suit for suit in Suit}


def laid(card: str, plain: Suit) -> Laid:
    wager = card.endswith("t")
    card = card.removesuffix("t")
    suit = LETTERS.get(card[0], plain)
    return Laid(100 * suit + int(card.lstrip("ygbr")), wager)


def completed(mission: str, cards: str) -> bool:
    """Whether the trick completes the mission."""
    plain = Suit.YELLOW if MISSIONS[mission].trump is not Suit.YELLOW else Suit.RED
    return holds(mission, complete(tuple(laid(card, plain) for card in cards.split()), mission))


def test_ij_04_every_mission_has_its_trump() -> None:
    trumps = {mission: suit for suit, ids in TRUMPS.items() for mission in ids.split()}
    assert {mission.id: mission.trump.name.lower() for mission in MISSIONS.values()} == trumps


def test_ij_04_there_are_24_missions_and_4_risky_ones() -> None:
    assert (len(ORDINARY), len(RISKY)) == (24, 4)
    assert set(MISSIONS) == set(TRICKS)


@pytest.mark.parametrize(
    ("mission", "cards"), [(mission, cards) for mission, (those, _) in TRICKS.items() for cards in those]
)
def test_ij_04_a_mission_is_completed_by(mission: str, cards: str) -> None:
    assert completed(mission, cards)


@pytest.mark.parametrize(
    ("mission", "cards"), [(mission, cards) for mission, (_, those) in TRICKS.items() for cards in those]
)
def test_ij_04_a_mission_is_not_completed_by(mission: str, cards: str) -> None:
    assert not completed(mission, cards)


def test_ij_04_a_mission_is_judged_by_the_suits_that_cards_count_as() -> None:
    table = Table.arranged("insider", "agent", "agent")
    table.trick("M15", "yellow 3", "yellow 4", "yellow 9 with a token")
    assert "M15 fails" in table.told
    table.trick("M23", "yellow 3", "yellow 4", "yellow 9")
    assert "M23 is completed" in table.told


def test_ij_04_all_conditions_are_asked_for_by_some_mission() -> None:
    assert {mission.condition for mission in MISSIONS.values()} == set(CONDITIONS)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ([Mission("M01", Suit.RED, "", "all_odd"), Mission("M01", Suit.RED, "", "all_even")], "M01 stands twice"),
        ([Mission("M01", Suit.RED, "", "all_prime")], "M01: no condition 'all_prime'; there are all_even, "),
        ([Mission("M01", Suit.RED, "", "all_below")], "M01: all_below takes 1 numbers, not 0"),
        ([Mission("M01", Suit.RED, "", "low_and_high", (4,))], "M01: low_and_high takes 2 numbers, not 1"),
        ([Mission("M01", Suit.RED, "", "all_odd", (4,))], "M01: all_odd takes 0 numbers, not 1"),
    ],
)
def test_ij_04_a_table_of_missions_that_cannot_be_played_is_refused_when_it_is_loaded(
    wrong: list[Mission], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        checked(wrong)
