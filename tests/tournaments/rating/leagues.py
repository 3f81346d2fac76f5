"""Simulated leagues: a bot performs as well as it is, plus Gaussian noise; the best performance wins."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

import trueskill

from tournaments.rating.contest import Contest, Member, TeamComparison, comparisons
from tournaments.rating.ratings import RatedLeague, at_rest
from tournaments.rating.scale import BETA, Rating
from tournaments.rating.tally import tally

DRAW = 0.01
SEED = bytes(range(32))


def rate(contests: Sequence[Contest], players: Sequence[str], draw_probability: float) -> RatedLeague:
    """A league at rest, from its matches."""
    return at_rest(tally(contests), players, draw_probability)


def converged(contests: Sequence[Contest], players: Sequence[str], draw_probability: float) -> dict[str, Rating]:
    """The ratings alone."""
    return rate(contests, players, draw_probability).ratings


def solo(*names: str, places: Sequence[int] | None = None, block: str = "deal") -> Contest:
    """A contest of single players, who came in as listed if no places are given."""
    return Contest(block, tuple((Member(name),) for name in names), tuple(places or range(1, len(names) + 1)))


def league(
    truth: Mapping[str, float], matches: int, size: int = 2, tie: float = 0.0, seed: int = 1, rotations: int = 2
) -> list[Contest]:
    """`matches` of `size` players each, every group in turn. Players within `tie` of the one before share its place."""
    rng = random.Random(seed)
    groups = list(combinations(sorted(truth), size))
    return [
        _match(groups[at // rotations % len(groups)], truth, tie, rng, f"deal {at // rotations}")
        for at in range(matches)
    ]


def _match(group: Sequence[str], truth: Mapping[str, float], tie: float, rng: random.Random, block: str) -> Contest:
    ranked = sorted(((rng.gauss(truth[name], BETA), name) for name in group), reverse=True)
    places = [1]
    for (better, _), (worse, _) in pairwise(ranked):
        places.append(places[-1] + (better - worse > tie))
    return solo(*(name for _, name in ranked), places=places, block=block)


def unshared(contests: Sequence[Contest], players: Sequence[str], tolerance: float) -> dict[str, Rating]:
    """The plain way: every comparison of every match is a factor with its own messages, computed by the library.

    It takes factor after factor until no rating changes.
    """
    environment = trueskill.TrueSkill(tau=0.0, draw_probability=DRAW)
    factors = [_Factor(comparison) for contest in contests for comparison in comparisons(contest)]
    names = sorted({name for factor in factors for name in factor.names} | {*players})
    known = {name: trueskill.Gaussian(25.0, 25 / 3) for name in names}
    before: dict[str, Rating] = {}
    while True:
        for factor in factors:
            factor.update(environment, known)
        shift = 25 - sum(known[name].mu for name in players) / len(players)
        after = {name: Rating(known[name].mu + shift, known[name].sigma) for name in names}
        if before and max(_change(before[name], after[name]) for name in names) < tolerance:
            return after
        before = after


def _change(before: Rating, after: Rating) -> float:
    return max(abs(before.mu - after.mu), abs(before.sigma - after.sigma))


class _Factor:
    def __init__(self, comparison: TeamComparison) -> None:
        self.names = [member.player for member in comparison.members]
        self._comparison = comparison
        self._messages = [(0.0, 0.0)] * len(self.names)

    def update(self, environment, known) -> None:  # type: ignore[no-untyped-def] # trueskill has no types
        weight, comparison = self._comparison.weight, self._comparison
        cavities = [
            trueskill.Gaussian(pi=known[name].pi - weight * pi, tau=known[name].tau - weight * tau)
            for name, (pi, tau) in zip(self.names, self._messages, strict=True)
        ]
        ratings = [trueskill.Rating(cavity.mu, cavity.sigma) for cavity in cavities]
        size = len(comparison.upper)
        weights = [[member.weight for member in team] for team in (comparison.upper, comparison.lower)]
        rated = environment.rate([ratings[:size], ratings[size:]], [0, int(not comparison.drawn)], weights)
        posteriors = [rating for team in rated for rating in team]
        for at, (name, cavity) in enumerate(zip(self.names, cavities, strict=True)):
            if comparison.members[at].updated:
                said = posteriors[at] / cavity
                self._messages[at] = (said.pi, said.tau)
                known[name] = trueskill.Gaussian(pi=cavity.pi + weight * said.pi, tau=cavity.tau + weight * said.tau)
