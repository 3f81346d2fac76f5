"""The enemies, with the printed values of each kind (AG-10)."""

from enum import IntEnum

import msgspec

from referee.games.agonia.box.files import read_all, require


class EnemyKind(IntEnum):
    """A kind of enemy, numbered as in agonia.proto."""

    COMUN = 1
    FRESCO = 2
    CORPULENTO = 3
    OSEO = 4
    AGITADOR = 5
    ENJAMBRE = 6
    DEVORADOR = 7
    ARRASADOR = 8


# As names of the module too: these are 20 times faster than looking a member up in its class.
COMUN, FRESCO, CORPULENTO, OSEO, AGITADOR, ENJAMBRE, DEVORADOR, ARRASADOR = EnemyKind


class Print(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of enemies.toml."""

    name: str
    english: str
    tokens: int
    move: int
    defence: int
    life: int


_FILE = "enemies.toml"
_COUNT = 24

PRINTS = read_all(_FILE, Print, EnemyKind)
"""The printed values of each kind."""

PILE: tuple[EnemyKind, ...] = tuple(kind for kind in EnemyKind for _ in range(PRINTS[kind].tokens))
"""All enemy tokens, sorted."""

require(len(PILE) == _COUNT, _FILE, f"the box has {_COUNT} tokens of enemies, here are {len(PILE)}")
require(
    all(it.move > 0 and it.life > 0 and it.defence > 1 for it in PRINTS.values()),
    _FILE,
    "every enemy moves at least 1 and has a life of at least 1 and a defence of at least 2",
)

HEAVY = frozenset({CORPULENTO, ARRASADOR})
"""The kinds that pass pits (AG-32)."""

FOOD = frozenset({COMUN, FRESCO, CORPULENTO})
"""The kinds that the devorador eats (AG-55)."""
