"""The tokens that cards place on the board, with the printed values of each kind (AG-27)."""

from enum import IntEnum
from typing import Literal

import msgspec

from referee.games.agonia.box.files import read_all, require


class TokenKind(IntEnum):
    """A kind of token, numbered as in agonia.proto."""

    BARRICADA = 1
    BARRICADA_DOBLE = 2
    BARRIL = 3
    FOSO = 4
    CEPO = 5
    ACEITE = 6


# By themselves too, as in `enemies`.
BARRICADA, BARRICADA_DOBLE, BARRIL, FOSO, CEPO, ACEITE = TokenKind


class Print(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of tokens.toml."""

    name: str
    english: str
    tokens: int
    ground: Literal["street", "street and spawn"]
    cells: Literal[1, 2] = 1


_FILE = "tokens.toml"

PRINTS = read_all(_FILE, Print, TokenKind)
"""The printed values of each kind."""

BARRICADES = frozenset({BARRICADA, BARRICADA_DOBLE})

FIRE = 2
"""How many entries a burning barricade lasts (AG-35)."""

BARRICADE_DEFENCE = 4
"""The number that an attack must reach to set a barricade alight (AG-35)."""

FIRE_DAMAGE = 0
BARREL_DAMAGE = 2  # AG-36

require(all(it.tokens > 0 for it in PRINTS.values()), _FILE, "there must be at least 1 token of every kind")
require(
    all((PRINTS[kind].cells == 2) == (kind is BARRICADA_DOBLE) for kind in TokenKind),
    _FILE,
    "the double barricade covers 2 cells, every other token 1",
)
