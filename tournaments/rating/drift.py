"""Where a league drifts to that settles slowly.

Two groups of players of which one never lost to the other are far apart, but hardly anything says how far: sweep after
sweep they move on, each time by nearly the same part of the time before. Moves that shrink by a factor r on one line
have r / (1 - r) of the last one still to come (Aitken's extrapolation), so a leap there saves thousands of sweeps.
"""

import math
from collections.abc import Sequence

from tournaments.rating.gaussian import BETA, Gaussian

_STRAIGHT = 0.95
"""Moves are on one line if the cosine of the angle between them is above this."""
_PATIENCE = 3
"""So many moves must shrink along one line before the first leap, and one more before each further leap: should leaps
lead nowhere, they become rare, and sweeps alone get there."""
_MOST_AHEAD = 1000.0
_LEAST_AHEAD = 2.0
"""A leap over less is not worth the unrest that it makes."""
_FARTHEST = BETA
"""In points; beyond it the league may look too different."""


class Drift:
    """The moves of all mu, sweep by sweep."""

    def __init__(self) -> None:
        self._move: list[float] = []
        self._straight = 0
        self._patience = _PATIENCE
        self.ahead = 0.0
        """How many times the last move is still to come, as far as can be seen."""

    def watch(self, before: Sequence[Gaussian], after: Sequence[Gaussian]) -> None:
        """Take notice of one sweep."""
        move = [tau / pi - old_tau / old_pi for (old_pi, old_tau), (pi, tau) in zip(before, after, strict=True)]
        ratio = _ratio(self._move, move)
        self._move = move
        self._straight = self._straight + 1 if 0 < ratio < 1 else 0
        self.ahead = min(ratio / (1 - ratio), _MOST_AHEAD) if ratio < 1 else _MOST_AHEAD

    def leap(self) -> list[float]:
        """By seat, how far to leap now, which is then forgotten; nothing if there is no steady drift."""
        if self._straight < self._patience or self.ahead < _LEAST_AHEAD:
            return []
        length = min(self.ahead, _FARTHEST / max(map(abs, self._move)))
        leap = [length * part for part in self._move]
        self._move, self._straight = [], 0
        self._patience += 1
        return leap


def _ratio(last: Sequence[float], move: Sequence[float]) -> float:
    """How long a move is, measured on the last one; 0 if it does not go the same way."""
    if not last:
        return 0.0
    along = sum(was * is_ for was, is_ in zip(last, move, strict=True))
    was, is_ = math.hypot(*last), math.hypot(*move)
    return along / was**2 if along > _STRAIGHT * was * is_ else 0.0
