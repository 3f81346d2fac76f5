"""What attacks and tokens are worth: the danger that they are likely to take away."""

from board import around, line
from cards import AREAS, BARREL_DAMAGE, PLACED
from referee_bot.v1 import agonia_pb2 as ag
from sharing import KEPT
from situation import Situation
from threat import BLOCKS, Lying, danger, foes_of, gain

BEFORE = 4  # a token so many cells before an enemy may matter
SPOILT = 3.0  # what it costs to hit a barricade of ours


def shoot_enemy(here: Situation, action: ag.ShootEnemy) -> float:
    """One attack."""
    if here.weapon is None:
        return 0.0
    cell = next(enemy.cell for enemy in here.view.enemies if enemy.number == action.enemy)
    return gain(here.view, here.foes, here.weapon.damage, frozenset([cell]))


def shoot_barrel(here: Situation, _action: ag.ShootBarrel) -> float:
    """All around it."""
    barrel = next(cell for cell, lying in here.tokens.items() if lying.kind == ag.TOKEN_KIND_BARRIL)
    return gain(here.view, here.foes, BARREL_DAMAGE, around(barrel) - {barrel})


def shoot_line(here: Situation, action: ag.ShootLine) -> float:
    """Everything in a direction."""
    if here.weapon is None:
        return 0.0
    return area(here, here.weapon.damage, frozenset(line(here.me.cell, action.direction, here.weapon.reach)))


def throw(here: Situation, action: ag.Throw) -> float:
    """Everything around a cell, less the card."""
    card = action.card.card
    return area(here, AREAS[card].damage, around(action.cell)) - KEPT[card]


def area(here: Situation, damage: int, cells: frozenset[int]) -> float:
    """An attack on all these cells, less the barricades of ours that may burn or go."""
    ours = sum(cell in cells and lying.kind in BLOCKS for cell, lying in here.tokens.items())
    return gain(here.view, here.foes, damage, cells) - SPOILT * ours


def place(here: Situation, action: ag.Place) -> float:
    """What the token takes from the danger, less the card."""
    card = action.card.card
    if not any(cell in way[1 : BEFORE + 1] for way in here.ways.values() for cell in action.cells):
        return -KEPT[card]
    tokens = here.tokens | dict.fromkeys(action.cells, Lying(PLACED[card]))
    return danger(here.foes) - danger(foes_of(here.view, here.board, tokens)) - KEPT[card]
