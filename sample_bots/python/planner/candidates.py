"""Picks the actions to compare. The cards in a hand can have hundreds of targets, and most of them are useless."""

from collections.abc import Sequence

from board import NOWHERE, within
from cards import AREAS
from plan import Hits
from referee_bot.v1 import agonia_pb2 as ag
from table import Table

THROWS = 8
SITES = 14
BEFORE = 4  # a token at most so many cells before an enemy may matter


def candidates(table: Table, actions: Sequence[ag.Action]) -> list[int]:
    """The indices of the actions to compare, in order: all but the least promising throws and sites of tokens."""
    throws: dict[tuple[int, Hits, tuple[int, ...]], tuple[float, int]] = {}
    sites: list[tuple[int, int, int]] = []
    kept: list[int] = []
    near = _near(table)
    for index, action in enumerate(actions):
        if action.HasField("throw"):
            area = within(action.throw.cell, 0, 1)
            hits = table.hits(area, AREAS[action.throw.card.card])
            tokens = tuple(at for at, token in enumerate(table.view.tokens) if not area.isdisjoint(token.cells))
            if hits:
                throws.setdefault((action.throw.card.card, hits, tokens), (-sum(hit for _, hit in hits), index))
        elif action.HasField("place"):
            sites += sorted((*near[cell], index) for cell in action.place.cells if cell in near)[:1]
        else:
            kept.append(index)
    kept += [index for _, index in sorted(throws.values())[:THROWS]]
    kept += [index for *_, index in sorted(sites)[:SITES]]
    return sorted(kept)


def _near(table: Table) -> dict[int, tuple[int, int]]:
    """The cells before enemies: how many steps away, and the place of the enemy in the order of their moves."""
    near: dict[int, tuple[int, int]] = {}
    for at, enemy in enumerate(table.view.enemies):
        cell, facing = enemy.cell, int(enemy.facing)
        for step in range(1, BEFORE + 1):
            cell = table.board.ahead[facing][cell]
            if cell == NOWHERE:
                break
            facing = table.board.facing[cell] or facing
            near[cell] = min(near.get(cell, (step, at)), (step, at))
    return near
