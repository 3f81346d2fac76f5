"""Our own shapes for enemies, tokens and cards, as the path data of SVG.

Enemies and tokens lie in a cell of 40 units, from its upper left corner; the lower part of the cell is for a number.
Every kind has an outline of its own, so that nothing depends on colour. Signs of cards begin at their middle with a
relative move, so that many of them can stand in one path, and are about 18 units wide.
"""

from referee.games.agonia.box.board import Facing
from referee.games.agonia.box.cards import AREAS, EQUIPMENT, JOINED, PLACINGS, WEAPONS, Card
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.box.tokens import TokenKind

ENEMIES = {
    # head and shoulders
    EnemyKind.COMUN: "M20 3a5 5 0 0 1 3 9q7 1 7 13h-20q0-12 7-13a5 5 0 0 1 3-9z",
    # leaning forward, with lines of speed
    EnemyKind.FRESCO: "M27 3a4.5 4.5 0 1 1-.1 0zM14 25l6-12h8l5 6-3 2-4-3-3 7zM5 9h9M3 15h9M5 21h7",
    # head on a wide body with a belt
    EnemyKind.CORPULENTO: "M20 2a5 5 0 0 1 4 8q10 0 10 15h-28q0-15 10-15a5 5 0 0 1 4-8zM11 17.5h18v2.5h-18z",
    # a skull
    EnemyKind.OSEO: (
        "M9 12a11 9 0 0 1 22 0v4l-3 3v6h-3v-3h-2.5v3h-5v-3h-2.5v3h-3v-6l-3-3z"
        "M13 13a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0zM21.4 13a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0z"
    ),
    # arms raised, shouting
    EnemyKind.AGITADOR: (
        "M20 5a4 4 0 1 1-.1 0zM16 25l1-8-7-9 2-2 6 7h4l6-7 2 2-7 9 1 8zM7 13l-4 1M7 18l-4-1M33 13l4 1M33 18l4-1"
    ),
    # many small ones
    EnemyKind.ENJAMBRE: "".join(
        f"M{x - 3} {y}a3 3 0 1 0 6 0a3 3 0 1 0-6 0z"
        for x, y in ((20, 5), (11, 9), (29, 9), (20, 14), (11, 19), (29, 19), (20, 23))
    ),
    # a wide mouth with teeth
    EnemyKind.DEVORADOR: "M31 6a12 11 0 1 0 0 17l-3-4-2 3-2-6-3 2-1-4 1-4 3 2 2-5 2 3zM17 7.5a2 2 0 1 1-.1 0z",
    # a block with horns
    EnemyKind.ARRASADOR: (
        "M5 2l6 6h18l6-6v13l-6 10h-18l-6-10zM11 13l6 3v3h-4zM29 13l-6 3v3h4z"
    ),
}  # fmt: skip

FACING = {Facing.DOWN: "M2 23h6l-3 5z", Facing.RIGHT: "M3 22l5 3-5 3z"}
"""The way an enemy faces, at the left of its cell."""

ARROWS = {Facing.DOWN: "m0-7v14m-5-5l5 5 5-5", Facing.RIGHT: "m-7 0h14m-5-5l5 5-5 5"}
"""An arrow of the board, from the middle of its cell."""

TOKENS = {
    # planks on two posts
    TokenKind.BARRICADA: "M9 5v30M31 5v30M3 9h34v6h-34zM3 17.5h34v6h-34zM3 26h34v6h-34z",
    # a barrel with two hoops
    TokenKind.BARRIL: "M11 5q9-4 18 0q5 15 0 30q-9 4-18 0q-5-15 0-30zM9 14h22M9 26h22M20 17v6M17 20h6",
    # a hole with steep walls
    TokenKind.FOSO: "M3 3h34v34h-34zM10 10h20v20h-20zM3 3l7 7M37 3l-7 7M3 37l7-7M37 37l-7-7",
    # jaws with teeth
    TokenKind.CEPO: (
        "M4 22v-8l4 4 4-10 4 8 4-11 4 11 4-8 4 10 4-4v8M4 26v6l5-3 3 7 4-5 4 6 4-6 4 5 3-7 5 3v-6"
    ),
    # a puddle with a gleam
    TokenKind.ACEITE: "M6 29q-5-9 5-12q-1-11 9-9q10-6 13 5q7 6 1 12q3 8-7 8q-6 5-12 1q-8 2-9-5zM14 20q1-5 6-5",
}  # fmt: skip

PLANKS_ACROSS = "M9 5v30M71 5v30M3 9h74v6h-74zM3 17.5h74v6h-74zM3 26h74v6h-74z"
PLANKS_DOWN = "M9 5v70M31 5v70M3 13h34v6h-34zM3 26h34v6h-34zM3 40h34v6h-34zM3 54h34v6h-34z"
"""The double barricade, over two cells."""

FLAME = "q-5-5-1-13q3 2 4 4q1-8-1-13q9 7 8 17q2-1 2-3q4 8-4 10q-5 1-8-2z"
"""A flame, from its lower left."""

LOCK = "M1 32h8v6h-8zM2.5 32v-2a2.5 2.5 0 0 1 5 0v2"
"""The mark of an enemy that a trap holds, in the lower left of its cell."""

_GUN = "m-9-6h17v5h-9l-1 4h-3v4h-4z"
_SPRAY = "m-9-2h7v4h-7zm9 2l7-6m-7 6h8m-8 0l7 6"
_BOW = "m-3-8q8 8 0 16zm-5 8h16m-4-3l4 3-4 3"
_BOMB = "m-8 3a6 6 0 1 0 12 0a6 6 0 1 0-12 0zm10-5l3-3m1-3v1m3 2h-1"
_LAY = "m0-9v9m-4-4l4 4 4-4m-12 8h16v4h-16z"
_JOIN = "m-8 0h7m-3-3v6m3-9h9v12h-9z"
_WEAR = "m-4-8l-5 3 2 4 2-1v10h10v-10l2 1 2-4-5-3q-4 4-8 0z"

CARDS: dict[Card, str] = {
    **dict.fromkeys(WEAPONS, _GUN),
    **{card: _SPRAY for card, it in WEAPONS.items() if it.line},
    Card.BALLESTA: _BOW,
    **dict.fromkeys(AREAS, _BOMB),
    **dict.fromkeys(PLACINGS, _LAY),
    **dict.fromkeys(JOINED, _JOIN),
    **dict.fromkeys(EQUIPMENT, _WEAR),
}
"""Guns, sprayers, a bow, bombs, things to lay down, to join and to wear. Players never hold events."""

JAM = "m-10 9l20-18"
"""A stroke through a weapon that cannot shoot."""

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""The pips of each side of the die, in columns and rows from its middle."""
