"""The rules in words, for readers who do not know the game. The values are those of `box/data/`."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.core.rules_text import read_parts
from referee.games.agonia.box.board import BOARDS
from referee.games.agonia.box.cards import AREAS, EQUIPMENT, JOINED, PLACINGS, PRINTS, WEAPONS, Card
from referee.games.agonia.box.characters import PRINTS as CHARACTERS
from referee.games.agonia.box.enemies import PRINTS as ENEMIES
from referee.games.agonia.position.ending import ROUNDS, ROUNDS_ON_LAST
from referee.games.agonia.position.options import Options
from referee.games.agonia.setup import last_cell
from referee.games.agonia.words.picture import LETTERS, describe_board

_VALUES = (
    ("damage", 0, "damage {}"),
    ("attacks", 1, "{} attacks, the second target is chosen after the first"),
    ("firearm", False, "a firearm"),
    ("alight", False, "sets barricades on fire without a roll"),
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


def rules_text(options: Options, seats: int) -> str:
    """How the game is played with these options by so many players."""
    kinds: dict[str, Mapping[Card, Any]] = {
        "weapons": WEAPONS,
        "areas": AREAS,
        "placings": PLACINGS,
        "joined": JOINED,
        "equipment": EQUIPMENT,
    }
    return read_parts(
        "referee.games.agonia",
        ("Start", "A round", "A turn", "Attacks", "Enemies", "Cards"),
        seats=seats,
        board="\n".join(describe_board(BOARDS[options.board])),
        cells=last_cell(options, seats),
        siege=ROUNDS_ON_LAST,
        rounds=ROUNDS,
        characters=_lines(
            f"{it.name}: {', '.join((*_values(it), f'begins with {PRINTS[it.weapon].name}'))}"
            for character, it in CHARACTERS.items()
            if character in (options.cast or CHARACTERS)
        ),
        enemies=_lines(
            f"{it.name} ({it.english}, {LETTERS[kind]}, {it.tokens}): "
            f"moves {it.move}, defence {it.defence}, life {it.life}"
            for kind, it in ENEMIES.items()
        ),
        **{
            kind: _lines(f"{it.name} ({it.english}, {it.copies}): {', '.join(_values(it))}" for it in cards.values())
            for kind, cards in kinds.items()
        },
    )


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _values(it: Any) -> Iterator[str]:
    """The values of a card or a character in words."""
    reach = getattr(it, "range", 0)
    if getattr(it, "line", False):
        yield f"a line of {reach} cells"
    elif reach:
        nearest = getattr(it, "nearest", 1)
        yield f"range {nearest} to {reach}" if nearest > 1 else f"range {reach}"
    yield from (words.format(value) for name, usual, words in _VALUES if (value := getattr(it, name, usual)) != usual)
