"""Takes the groups of a wave with the most information about the bots, one after another.

When a wave has taken a group, it judges all others as if the results of that group were there. So it does not ask the
same question twice. Between groups with about as much information, the seed decides.

This imports numpy and scipy, for which most commands need not wait.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from referee.core import seeds
from tournaments.rating.information_gain import InformationGain
from tournaments.rating.ratings import RatedLeague
from tournaments.schedule.formats.open_groups import Group, HypotheticalMatches

_ALIKE = 0.9
"""Groups that tell at least this part of what the best one tells count as equal to it. Otherwise a new bot would play
those whose ratings are nearest, if only by chance: one that is rated too high those that are rated too high, and so its
error would stay. Among equals all opponents are alike then."""


class GroupSelection:
    """The groups that could be taken, and those that were.

    Attributes:
        taken: the groups that were taken, in order.
        turns: by entry, how many of them it is in.
    """

    def __init__(
        self,
        hypotheticals: Mapping[Group, HypotheticalMatches],
        deals: int,
        rated: RatedLeague,
        bots: Sequence[str],
        draw_probability: float,
        seed: bytes,
    ) -> None:
        """Nothing is taken.

        Args:
            hypotheticals: by group, its hypothetical matches on a deal.
            deals: how many deals it would play.
            rated: the league at rest.
            bots: the entries that may play.
            draw_probability: how often two equal teams draw.
            seed: 32 bytes. It decides between groups with about as much information.
        """
        rows = [(at, *item) for at, group in enumerate(hypotheticals.values()) for item in group.comparisons.items()]
        often = [deals * row[2] for row in rows]
        self._outlook = InformationGain(rated, [row[1] for row in rows], often, set(bots), draw_probability)
        self._group = np.array([row[0] for row in rows], dtype=np.intp)
        self._matches = np.array([hypothetical.matches for hypothetical in hypotheticals.values()])
        self._groups = list(hypotheticals)
        self._number = {group: at for at, group in enumerate(self._groups)}
        self._column = {bot: at for at, bot in enumerate(bots)}
        self._sits = np.zeros((len(self._groups), len(bots)), dtype=np.bool_)
        for at, group in enumerate(self._groups):
            self._sits[at, [self._column[bot] for bot in group]] = True
        self._turn = np.array(seeds.permutation(seed, len(self._groups)))
        self._left = np.ones(len(self._groups), dtype=np.bool_)
        self.taken: list[Group] = []
        self.turns: Counter[str] = Counter()

    def take(self, group: Group) -> None:
        """Take a group that was not taken before."""
        number = self._number[group]
        for row in np.flatnonzero(self._group == number).tolist():
            self._outlook.take(row)
        self._left[number] = False
        self.taken.append(group)
        self.turns.update(set(group))

    def best(self, most: Mapping[str, int]) -> Group | None:
        """The group that tells most, of those whose bots are all in fewer than `most`; None if there is none."""
        return self._first(self._left & ~self._with_any(most))

    def best_with(self, bot: str, most: Mapping[str, int]) -> Group | None:
        """The same among the groups with this bot. If there is none, `most` does not count."""
        its = self._left & self._sits[:, self._column[bot]]
        return self._first(its & ~self._with_any(most)) or self._first(its)

    def _with_any(self, most: Mapping[str, int]) -> NDArray[np.bool_]:
        """By group, whether a bot of it is in as many as `most` says."""
        full = [at for bot, at in self._column.items() if self.turns[bot] >= most[bot]]
        return np.asarray(self._sits[:, full].any(axis=1))

    def _first(self, among: NDArray[np.bool_]) -> Group | None:
        if not among.any():
            return None
        gains = np.bincount(self._group, self._outlook.gains, len(self._groups)) / self._matches
        alike = np.flatnonzero(among & (gains >= _ALIKE * gains[among].max()))
        return self._groups[int(alike[np.argmin(self._turn[alike])])]
