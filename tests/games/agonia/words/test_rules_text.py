"""The rules in words name every printed value as the game has it."""

from collections.abc import Iterator
from typing import Any

import pytest

from referee.api.words import rules
from referee.games.agonia.box import cards, characters, enemies
from referee.games.agonia.position.state import ROUNDS, ROUNDS_ON_LAST
from referee.games.agonia.words.picture import LETTERS

VALUES = (
    ("damage", 0, "damage {}"),
    ("attacks", 1, "{} attacks, the second target is chosen after the first"),
    ("alight", False, "burns barricades without a roll"),
    ("more_range", 0, "range +{}"),
    ("more_damage", 0, "damage +{}"),
    ("more_steps", 0, "{} step more"),
    ("more_area_range", 0, "area cards reach {} cell farther"),
    ("more_hand", 0, "{} card more in hand"),
    ("hand", 3, "holds {} cards"),
    ("steps", 3, "walks {} steps"),
    ("firearm_range", 0, "firearms that do not shoot along a line reach {} cell farther"),
    ("free", "nothing", "{} cards cost no action"),
)
"""Values of cards and characters: the name, the usual value, which needs no words, and the words."""

DECK = {**cards.WEAPONS, **cards.AREAS, **cards.PLACINGS, **cards.JOINED, **cards.EQUIPMENT}
LINES = rules("agonia").splitlines()


def values(it: Any) -> Iterator[str]:
    reach, nearest = getattr(it, "range", 0), getattr(it, "nearest", 1)
    if getattr(it, "line", False):
        yield f"a line of {reach} cells"
    elif reach:
        yield f"range {nearest} to {reach}" if nearest > 1 else f"range {reach}"
    yield from (words.format(value) for name, usual, words in VALUES if (value := getattr(it, name, usual)) != usual)


@pytest.mark.parametrize("card", DECK.values(), ids=str)
def test_a_card_is_told_with_its_copies_and_values(card: Any) -> None:
    assert f"- {card.name} ({card.english}, {card.copies}): {', '.join(values(card))}" in LINES


def test_all_weapons_but_those_that_are_named_are_firearms() -> None:
    others = [it.name for it in cards.WEAPONS.values() if not it.firearm]
    assert f"All weapons except the {' and the '.join(others)} are firearms." in " ".join(LINES)


def test_characters_enemies_events_and_the_limits_of_rounds_are_told() -> None:
    for it in characters.PRINTS.values():
        told = ", ".join((it.ability, *values(it)))
        assert f"- {it.name} ({cards.PRINTS[it.weapon].name}): {told}" in LINES
    for kind, foe in enemies.PRINTS.items():
        usual = {"moves": 1, "life": 1}  # is said once, for all
        printed = {"moves": foe.move, "defence": foe.defence, "life": foe.life}
        words = ", ".join(f"{name} {value}" for name, value in printed.items() if value != usual.get(name))
        assert f"- {foe.name} ({foe.english}, {LETTERS[kind]}, {foe.tokens}): {words}" in LINES
    for event in set(cards.PRINTS) - set(DECK):
        assert any(line.startswith(f"- {cards.PRINTS[event].name} ({cards.PRINTS[event].copies}): ") for line in LINES)
    last = f"- After {ROUNDS_ON_LAST} rounds with the counter on its last cell, or {ROUNDS} rounds in all: all lose"
    assert f"{last} (siege)." in LINES


def test_characters_that_do_not_play_are_left_out() -> None:
    told = rules("agonia", 2, {"characters": "vera,bruno"})
    assert ("- Vera (" in told, "- Bruno (" in told, "- Marta (" in told) == (True, True, False)
