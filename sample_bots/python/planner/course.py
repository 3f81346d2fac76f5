"""The simplified match: it goes on after each plan, in all futures at once, and without dice.

Enemies walk on paths that are known beforehand. In every turn a player shoots at the enemy in reach that would be the
first to come in. Nobody rolls: a hit takes its share of the enemy, and the rest of the enemy walks on. What reaches
the entrance is the chance that an enemy comes in. All plans meet the same enemies in the same futures, so luck makes
no plan look better than another.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from board import CELLS, NOWHERE
from cards import KINDS, chance
from numpy.typing import NDArray
from paths import NEVER, Indices
from plan import Plan, Shooter

Numbers: TypeAlias = NDArray[np.float64]

EFFECT = 0.9  # the most that the cards in the hands stop of what is about to come in
SURE = 0.98  # no enemy comes in more surely than this. So even what seems hopeless can become worse
DOUBT = 0.93  # the factor for what happens one advance later, because much will be otherwise by then
SEARCHED = 0.8  # what a turn without a target adds to the stock
FULL = 6.0  # the most that a player's part of the stock can be
STAYING = 0.02  # how likely an enemy that never comes in costs the match, for each turn of the enemies that it lives
SHORTEST = 4  # the match goes on for at least so many turns of the enemies

_CHANCES = np.array([[chance(kind, damage) if kind else 0.0 for kind in range(len(KINDS) + 1)] for damage in range(5)])
"""By damage and kind of enemy, how likely a hit is."""


@cache
def _mask(reach: frozenset[int]) -> Numbers:
    """By cell, whether it is in reach."""
    mask = np.zeros(CELLS)
    mask[sorted(reach)] = 1.0
    mask[NOWHERE] = 0.0
    return mask


class _Gun(NamedTuple):
    """What one of the players can do in each plan. Most plans share it, so it is kept by variant.

    Attributes:
        cells: by variant, the cells of the enemies, by future, enemy and number of advances.
        masks: by variant, the cells in reach.
        hits: by variant, future and enemy, how likely a hit is.
        of: by plan, its variant.
        turns: by plan, how many turns the player has before the enemies move for the first time.
        again: by plan, whether the weapon attacks twice.
    """

    cells: list[Indices]
    masks: list[Numbers]
    hits: Numbers
    of: Indices
    turns: Numbers
    again: Numbers


class Course:
    """The simplified match after each plan.

    `cells`, `arrivals` and `kinds` are by layout, future and enemy, `shares` by lives, plan, future and enemy. The
    enemies are sorted: the first to come in is the first.
    """

    def __init__(
        self, cells: Indices, arrivals: Indices, kinds: Indices, shares: Numbers, plans: Sequence[Plan]
    ) -> None:
        self._cells, self._arrivals, self._kinds, self._shares, self._plans = cells, arrivals, kinds, shares, plans
        self._which = np.array([plan.layout for plan in plans])
        self._guns = [self._gun(player) for player in range(len(plans[0].shooters))]
        self._end = int(arrivals[arrivals < NEVER].max(initial=SHORTEST))
        self._stock = np.array([plan.stock for plan in plans])[:, None] + np.zeros(shares.shape[1:3])
        self._full = FULL * len(self._guns)

    def _gun(self, player: int) -> _Gun:
        variants: dict[tuple[int, Shooter], int] = {}
        of = [variants.setdefault((plan.layout, plan.shooters[player]), len(variants)) for plan in self._plans]
        return _Gun(
            [self._cells[layout] for layout, _ in variants],
            [_mask(shooter.reach) for _, shooter in variants],
            np.array([_CHANCES[shooter.damage][self._kinds[layout]] for layout, shooter in variants]),
            np.array(of),
            np.array([plan.turns[player] for plan in self._plans])[:, None, None],
            np.array([float(plan.shooters[player].attacks > 1) for plan in self._plans])[:, None, None],
        )

    def played(self) -> Numbers:
        """By plan and future, how likely the team holds out."""
        won, sure = np.ones(self._shares.shape[1:3]), SURE
        staying = (self._arrivals == NEVER)[self._which] * STAYING
        on_board = self._cells.max(axis=(0, 1))  # above 0 if an enemy is on the board in any of the futures
        for time in range(self._end):
            seen = on_board[:, time].nonzero()[0]
            if seen.size:
                part = slice(int(seen[0]), int(seen[-1]) + 1)
                shares = self._shares[..., part]
                for gun in self._guns:
                    self._turn(gun, time, part, shares)
                arrive = (self._arrivals[..., part] == time + 1)[self._which]
                won = won * self._held(shares * arrive, sure) * _none(shares[0] * staying[..., part])
            else:
                self._stock = np.maximum(self._stock, np.minimum(self._stock + SEARCHED * len(self._guns), self._full))
            sure *= DOUBT
        return won

    def _turn(self, gun: _Gun, time: int, part: slice, shares: Numbers) -> None:
        if not time and not gun.turns.any():
            return
        reach = np.array([mask[cells[:, part, time]] for mask, cells in zip(gun.masks, gun.cells, strict=True)])
        able = reach[gun.of] if time else reach[gun.of] * gun.turns
        hits = (reach * gun.hits[..., part])[gun.of]
        if not time:
            hits *= gun.turns
        left = _shoot(shares, able, hits)
        free = left if time else left - 1 + gun.turns[..., 0]
        if gun.again.any():
            _shoot(shares, able * gun.again, hits * gun.again)
        self._stock = np.maximum(self._stock, np.minimum(self._stock + SEARCHED * free, self._full))

    def _held(self, arriving: Numbers, sure: float) -> Numbers:
        """How likely nobody of these comes in, after the cards of the stock have stopped some."""
        one, two, three = arriving
        total = np.add.accumulate(one + two + three, axis=2)[..., -1]
        through = 1 - EFFECT * self._stock / np.maximum(total + self._stock, 1e-9)
        self._stock = self._stock - np.minimum(self._stock, total * (1 - through))
        return _none(sure * one * through[..., None])


def _none(chances: Numbers) -> Numbers:
    """How likely nothing of all this happens."""
    none: Numbers = np.multiply.accumulate(1 - chances, axis=2)[..., -1]
    return none


def _shoot(shares: Numbers, able: Numbers, hits: Numbers) -> Numbers:
    """One attack on the first enemy in reach. Returns how likely there was none."""
    one, two, three = shares  # views: what happens to them happens to `shares`
    left = np.multiply.accumulate(1 - able * one, axis=2)
    aimed = hits.copy()
    aimed[..., 1:] *= left[..., :-1]
    one -= (one - two) * aimed
    two -= (two - three) * aimed
    three -= three * aimed
    none: Numbers = left[..., -1]
    return none
