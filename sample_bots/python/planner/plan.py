"""What is known of a plan: the parts of a position that an action can change."""

from typing import NamedTuple, TypeAlias

Hits: TypeAlias = tuple[tuple[int, float], ...]
"""By place of an enemy in the view, how likely it loses a life."""


class Shooter(NamedTuple):
    """What a player can do with its weapon from its cell."""

    reach: frozenset[int]
    damage: int
    attacks: int


class Plan(NamedTuple):
    """What is different after an action.

    Attributes:
        layout: the number of a layout of tokens, which decides the paths of the enemies.
        hits: what the action does to enemies.
        shooters: the players, in turn order.
        turns: by player, in turn order, how many turns it still has before the enemies move.
        stock: how many lives of enemies the cards in all hands are good for.
    """

    layout: int
    hits: Hits
    shooters: tuple[Shooter, ...]
    turns: tuple[float, ...]
    stock: float
