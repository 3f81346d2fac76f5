"""How likely a team holds out after each of several plans: `course.py` plays the match on in several drawn futures."""

from collections.abc import Sequence

import numpy as np
from cards import KINDS
from course import Course, Numbers
from paths import Indices, Layout
from plan import Plan

_LIVES = np.array([[float(life <= (KINDS[kind].life if kind else 0)) for kind in range(9)] for life in (1, 2, 3)])
"""By number of lives, whether a kind of enemy has so many, or more."""


def _in_futures(layout: Layout) -> tuple[Indices, Indices]:
    """The paths of all enemies, by future: their cells and their arrivals."""
    now, later = layout
    futures = len(later.arrivals)
    cells = np.broadcast_to(now.cells, (futures, *now.cells.shape))
    arrivals = np.broadcast_to(now.arrivals, (futures, *now.arrivals.shape))
    return np.concatenate([cells, later.cells], axis=1), np.concatenate([arrivals, later.arrivals], axis=1)


class Forecast:
    """The enemies of all plans: on the board, and in several drawn futures.

    Args:
        kinds: of the enemies on the board, and their `lives`.
        coming: by future, the kinds of the enemies that will appear.
    """

    def __init__(self, kinds: Sequence[int], lives: Sequence[int], coming: Indices) -> None:
        self._lives = np.array([[life >= number for life in lives] for number in (1, 2, 3)], float)
        self._coming = coming
        self._kinds = np.concatenate([np.tile(np.array(kinds, int), (len(coming), 1)), coming], axis=1)

    def chances(self, layouts: Sequence[Layout], plans: Sequence[Plan]) -> Numbers:
        """How likely the team holds out after each plan, on average over the futures."""
        cells, arrivals = (np.array(each) for each in zip(*map(_in_futures, layouts), strict=True))
        order = np.argsort(arrivals, axis=2, kind="stable")
        which = np.array([plan.layout for plan in plans])
        course = Course(
            np.take_along_axis(cells, order[..., None], axis=2),
            np.take_along_axis(arrivals, order, axis=2),
            np.take_along_axis(np.broadcast_to(self._kinds, order.shape), order, axis=2),
            np.take_along_axis(self._shares(plans), order[which][None], axis=3),
            plans,
        )
        held = course.played()
        found: Numbers = np.add.accumulate(held, axis=1)[:, -1] / held.shape[1]
        return found

    def _shares(self, plans: Sequence[Plan]) -> Numbers:
        """By number of lives, plan, future and enemy: how likely the enemy has so many lives left, or more."""
        now = np.repeat(self._lives[:, None, :], len(plans), axis=1)
        for number, plan in enumerate(plans):
            for enemy, hit in plan.hits:
                one, two, three = now[:, number, enemy]
                now[:, number, enemy] = one - (one - two) * hit, two - (two - three) * hit, three * (1 - hit)
        later = np.broadcast_to(_LIVES[:, None, self._coming], (len(now), len(plans), *self._coming.shape))
        again = np.broadcast_to(now[:, :, None], (*later.shape[:3], now.shape[2]))
        return np.concatenate([again, later], axis=3)
