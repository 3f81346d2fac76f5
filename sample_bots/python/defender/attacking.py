"""Rates attacks and tokens by the danger that they are likely to remove."""

from board import around, line
from cards import AREAS, BARREL_DAMAGE, PLACED
from referee_bot.v1 import agonia_pb2 as ag
from sharing import KEPT
from situation import Situation
from threat import BLOCKS, Lying, danger, foes_of, gain

BEFORE = 4  # a token at most this many cells before an enemy may matter
SPOILT = 3.0  # what it costs to hit a barricade of ours


def shoot_enemy(here: Situation, action: ag.ShootEnemy) -> float:
    """Rate an attack on one enemy."""
    if here.weapon is None:
        return 0.0
    cell = next(enemy.cell for enemy in here.view.enemies if enemy.number == action.enemy)
    return gain(here.view, here.foes, here.weapon.damage, frozenset([cell]))


def shoot_barrel(here: Situation, _action: ag.ShootBarrel) -> float:
    """Rate an attack on everything around the barrel."""
    barrel = next(cell for cell, lying in here.tokens.items() if lying.kind == ag.TOKEN_KIND_BARRIL)
    return gain(here.view, here.foes, BARREL_DAMAGE, around(barrel) - {barrel})


def shoot_line(here: Situation, action: ag.ShootLine) -> float:
    """Rate an attack on everything in a direction."""
    if here.weapon is None:
        return 0.0
    return area(here, here.weapon.damage, frozenset(line(here.me.cell, action.direction, here.weapon.reach)))


def throw(here: Situation, action: ag.Throw) -> float:
    """Rate an attack on everything around a cell, minus the worth of the card."""
    card = action.card.card
    return area(here, AREAS[card].damage, around(action.cell)) - KEPT[card]


def area(here: Situation, damage: int, cells: frozenset[int]) -> float:
    """Rate an attack on all these cells, minus the worth of our barricades that may burn or go."""
    ours = sum(cell in cells and lying.kind in BLOCKS for cell, lying in here.tokens.items())
    return gain(here.view, here.foes, damage, cells) - SPOILT * ours


def place(here: Situation, action: ag.Place) -> float:
    """Rate a token by the danger that it removes, minus the worth of the card."""
    card = action.card.card
    if not any(cell in way[1 : BEFORE + 1] for way in here.ways.values() for cell in action.cells):
        return -KEPT[card]
    tokens = here.tokens | dict.fromkeys(action.cells, Lying(PLACED[card]))
    return danger(here.foes) - danger(foes_of(here.view, here.board, tokens)) - KEPT[card]
