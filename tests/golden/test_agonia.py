"""The playthroughs of Agonía show everything that is in the box."""

import pytest

from referee.games.agonia.box.cards import AREAS, EVENTS, PLACINGS, PRINTS, Card
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.words.names import CHARACTERS, ENEMIES
from tests.golden import records
from tests.golden.tables import GOLDEN


@pytest.fixture(scope="module")
def told() -> str:
    """All playthroughs, even those that are not kept in text."""
    return "".join(records.retold(golden).text for golden in GOLDEN if golden.game == "agonia")


def test_most_events_act(told: str) -> None:
    acted = [card for card in EVENTS if f"draws {PRINTS[card].name}, which acts" in told]
    assert len(acted) >= len(EVENTS) - 2


@pytest.mark.parametrize("character", CHARACTERS.values())
def test_every_character_plays(character: str, told: str) -> None:
    assert f"] {character} on " in told


@pytest.mark.parametrize("kind", EnemyKind)
def test_every_kind_of_enemy_appears_and_dies(kind: EnemyKind, told: str) -> None:
    assert f"({ENEMIES[kind]}) appears on" in told
    assert f"({ENEMIES[kind]}) dies on" in told


@pytest.mark.parametrize("card", Card)
def test_every_card_comes_up_and_those_that_are_used_up_are_used(card: Card, told: str) -> None:
    name = PRINTS[card].name
    use = "throw {}" if card in AREAS else "place {}" if card in PLACINGS else "{}"
    assert use.format(name) in told


@pytest.mark.parametrize("happening", ["is caught in a trap", "slips back to", "burns, for 1 more entry", "explodes"])
def test_much_happens(happening: str, told: str) -> None:
    assert happening in told
