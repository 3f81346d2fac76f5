"""The common level of a league, which no match determines.

If the teams of every match have the same weight, adding a point to every player changes no match. So the level depends
on the priors alone and creeps towards its place, in thousands of sweeps where differences need ten. But its place can
be computed. A match at rest pushes its members up and down by amounts that add up to nothing, since only differences
count. So the priors' pulls must add up to nothing as well: the mean of all mu is the prior's, 25. If some members of a
match do not learn, the mean is as far from 25 as the pushes of the others lift it.

The same holds for every group of players whose weights are equal in the teams of every match: as a rule, for the
players as one group and the pseudo-players as another.
"""

from collections.abc import Sequence

from tournaments.rating.contest import ResultCounts, ResultKind, Team
from tournaments.rating.gaussian import MU, PRIOR

_ROUNDING = 1e-9


class Level:
    """The groups of players that are free to move up and down together."""

    def __init__(self, counts: ResultCounts, players: Sequence[str], names: Sequence[str]) -> None:
        real = frozenset(players)
        apart = [frozenset(name for name in names if (name in real) is which) for which in (True, False)]
        groups = apart if all(_free(group, counts) for group in apart) else [frozenset(names)]
        self._groups = [
            [at for at, name in enumerate(names) if name in group] for group in groups if group and _free(group, counts)
        ]

    def shifts(self, means: Sequence[float], excess: Sequence[float]) -> list[float]:
        """By seat, how far to move so that every free group gets to its place of rest.

        Args:
            means: by seat, in points.
            excess: by seat, the push of matches in which some member does not learn, in precision times points.
        """
        shifts = [0.0] * len(means)
        for group in self._groups:
            lift = sum(excess[seat] for seat in group) / PRIOR[0]
            shift = MU + (lift - sum(means[seat] for seat in group)) / len(group)
            for seat in group:
                shifts[seat] = shift
        return shifts


def _free(group: frozenset[str], counts: ResultCounts) -> bool:
    """Whether no match changes if the whole group gets better by the same amount."""
    return all(max(weights) - min(weights) < _ROUNDING for weights in (_weights(kind, group) for kind in counts))


def _weights(kind: ResultKind, group: frozenset[str]) -> list[float]:
    return [_weight(team, group) for team in kind.teams]


def _weight(team: Team, group: frozenset[str]) -> float:
    return sum(member.weight for member in team if member.player in group)
