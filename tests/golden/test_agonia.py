"""The playthroughs of Agonía show everything that is in the box."""

import pytest

from referee.games.agonia.box.cards import AREAS, EVENTS, PLACINGS, PRINTS, Card
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.words.describe import CHARACTERS, ENEMIES
from tests.golden import records
from tests.golden.tables import GOLDEN


@pytest.fixture(scope="module")
def told() -> str:
    """All playthroughs, even those that are not kept in text."""
    return "".join(records.retold(golden).text for golden in GOLDEN if golden.game == "agonia")


@pytest.mark.slow
def test_most_events_act(told: str) -> None:
    acted = [card for card in EVENTS if f"draws {PRINTS[card].name}, which acts" in told]
    assert len(acted) >= len(EVENTS) - 2


def test_every_character_plays(told: str) -> None:
    assert [character for character in CHARACTERS.values() if f"] {character} on " not in told] == []


def test_every_kind_of_enemy_appears_and_dies(told: str) -> None:
    fates = [f"({ENEMIES[kind]}) {fate} on" for kind in EnemyKind for fate in ("appears", "dies")]
    assert [fate for fate in fates if fate not in told] == []


def test_every_card_comes_up_and_those_that_are_used_up_are_used(told: str) -> None:
    uses = [f"{_use(card)}{PRINTS[card].name}" for card in Card]
    assert [use for use in uses if use not in told] == []


def _use(card: Card) -> str:
    return "throw " if card in AREAS else "place " if card in PLACINGS else ""


def test_much_happens(told: str) -> None:
    happenings = ("is caught in a trap", "slips back to", "burns, for 1 more entry", "explodes")
    assert [happening for happening in happenings if happening not in told] == []
