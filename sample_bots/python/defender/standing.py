"""Rates other cells to stand on: how much better our weapon is there, now and in later advances.

At the start the team stands side by side in the middle of the row, in turn order.
"""

from collections.abc import Iterator

from board import LINES, MAPS, ROW, distance, line
from cards import Weapon
from referee_bot.v1 import agonia_pb2 as ag
from situation import Situation
from threat import Foe, chance

AHEAD = 6  # how many advances the bot thinks ahead
LATER = 0.8  # the factor for points made one advance later
WALKING = 0.35  # the factor for moves, because their points may never be made
NEAR = 3  # a player this near to an enemy is likely to shoot at it too
SHARED = 0.7  # how much an enemy counts if another player is near it
COVERED = 0.3  # how much a cell of a lane counts if another player is near it
UNARMED = Weapon(3, 0)


def go(here: Situation, action: ag.Go) -> float:
    """How much better our weapon stands there. At the start: how near it is to our place in the middle."""
    if here.view.HasField("start"):
        return -abs(action.cell % ROW - middle(here.view))
    return WALKING * (outlook(here, action.cell) - outlook(here, here.me.cell))


def middle(view: ag.View) -> int:
    """The column where our player starts."""
    return (len(MAPS[view.board][0]) - len(view.order)) // 2 + list(view.order).index(view.seat)


def outlook(here: Situation, cell: int) -> float:
    """What our weapon can do from a cell to the enemies that are there, and to those that are still to come."""
    weapon = here.weapon or UNARMED
    shots = sum(LATER**number * best_shot(here, weapon, cell, number) for number in range(AHEAD))
    return shots + (0.0 if here.view.counter == here.view.last else covered(here, weapon, cell))


def best_shot(here: Situation, weapon: Weapon, cell: int, advances: int) -> float:
    """The best attack after this many advances."""
    worths = dict(_targets(here, weapon, advances))
    if weapon.line:
        lines = (line(cell, direction, weapon.reach) for direction in LINES)
        return max(sum(worths.get(at, 0.0) for at in cells) for cells in lines)
    found = (worth for at, worth in worths.items() if weapon.nearest <= distance(cell, at) <= weapon.reach)
    return sum(sorted(found, reverse=True)[: weapon.attacks])


def _targets(here: Situation, weapon: Weapon, advances: int) -> Iterator[tuple[int, float]]:
    """Roughly where every enemy will be, and the worth of a shot at it then."""
    for foe in here.foes:
        if foe.advances > advances:
            way = here.ways[foe.enemy.number]
            speed = max(1, round((len(way) - 1) / foe.advances))
            yield way[min(advances * speed, len(way) - 1)], _worth(here, weapon, foe)


def _worth(here: Situation, weapon: Weapon, foe: Foe) -> float:
    shared = any(distance(player.cell, foe.enemy.cell) <= NEAR for player in here.others)
    return foe.worth * chance(here.view, foe.enemy, weapon.damage) * (SHARED if shared else 1.0)


def covered(here: Situation, weapon: Weapon, cell: int) -> float:
    """How many cells of the lanes the weapon reaches. Cells near another player count less."""
    reach = min(weapon.reach, 2) if weapon.line else weapon.reach
    reached = [at for lane in here.board.lanes for at in lane[1:-1] if distance(cell, at) <= reach]
    near = sum(any(distance(player.cell, at) <= NEAR for player in here.others) for at in reached)
    return len(reached) - near * (1 - COVERED)
