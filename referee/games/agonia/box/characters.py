"""The characters, with their abilities and their first weapons (AG-51)."""

from enum import IntEnum
from typing import Literal

import msgspec

from referee.games.agonia.box.cards import WEAPONS, Card
from referee.games.agonia.box.files import read_all, require


class Character(IntEnum):
    """A character, numbered as in agonia.proto."""

    VERA = 1
    BRUNO = 2
    MARTA = 3
    ISMAEL = 4
    LIA = 5


class Print(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of characters.toml."""

    name: str
    ability: str
    item: str
    hand: int = 3
    steps: int = 3
    firearm_range: int = 0
    free: Literal["nothing", "area", "placing"] = "nothing"

    @property
    def weapon(self) -> Card:
        """The weapon it starts with."""
        return Card[self.item.upper()]


_FILE = "characters.toml"

PRINTS = read_all(_FILE, Print, Character)
"""The printed values of each character."""

BY_NAME = {character.name.lower(): character for character in Character}
"""The characters by their ids."""

require(
    all(it.item.upper() in {card.name for card in WEAPONS} for it in PRINTS.values()),
    _FILE,
    "every `item` must be a weapon of cards.toml",
)
