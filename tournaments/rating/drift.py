"""Where the ratings of a slowly settling league drift to.

If one group of players never lost to another, the two are far apart, but hardly anything says how far. Sweep after
sweep they move on, each time by nearly the same fraction of the last move. If moves along one line shrink by a factor
r, then r / (1 - r) times the last move is still to come (Aitken's extrapolation). A leap there saves thousands of
sweeps.
"""

import math
from collections.abc import Sequence

from tournaments.rating.gaussian import BETA, Gaussian

_STRAIGHT = 0.95
"""Moves are on one line if the cosine of the angle between them is above this."""
_PATIENCE = 3
"""This many moves must shrink along one line before the first leap, and one more before each further leap. So leaps
become rare if they lead nowhere, and sweeps alone do the work."""
_MOST_AHEAD = 1000.0
_LEAST_AHEAD = 2.0
"""A shorter leap is not worth the disturbance that it causes."""
_FARTHEST = BETA
"""The longest leap, in points; farther away the league may look too different."""


class Drift:
    """The moves of all mu, sweep by sweep."""

    def __init__(self) -> None:
        self._move: list[float] = []
        self._straight = 0
        self._patience = _PATIENCE
        self.ahead = 0.0
        """How many times the length of the last move is still to come, as far as can be seen."""

    def watch(self, before: Sequence[Gaussian], after: Sequence[Gaussian]) -> None:
        """Note what one sweep changed."""
        move = [tau / pi - old_tau / old_pi for (old_pi, old_tau), (pi, tau) in zip(before, after, strict=True)]
        ratio = _ratio(self._move, move)
        self._move = move
        self._straight = self._straight + 1 if 0 < ratio < 1 else 0
        self.ahead = min(ratio / (1 - ratio), _MOST_AHEAD) if ratio < 1 else _MOST_AHEAD

    def leap(self) -> list[float]:
        """By seat, how far to leap now; the drift is then forgotten. Empty if there is no steady drift."""
        if self._straight < self._patience or self.ahead < _LEAST_AHEAD:
            return []
        length = min(self.ahead, _FARTHEST / max(map(abs, self._move)))
        leap = [length * part for part in self._move]
        self._move, self._straight = [], 0
        self._patience += 1
        return leap


def _ratio(last: Sequence[float], move: Sequence[float]) -> float:
    """The length of a move divided by that of the last one; 0 if it does not go the same way."""
    if not last:
        return 0.0
    along = sum(was * is_ for was, is_ in zip(last, move, strict=True))
    was, is_ = math.hypot(*last), math.hypot(*move)
    return along / was**2 if along > _STRAIGHT * was * is_ else 0.0
