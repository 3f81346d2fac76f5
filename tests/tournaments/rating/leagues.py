"""Simulated leagues: a bot performs as well as it is, plus Gaussian noise; the best performance wins."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

import trueskill

from tournaments.rating.contest import Contest, Member
from tournaments.rating.scale import Rating
from tournaments.rating.scale import BETA

DRAW = 0.01
SEED = bytes(range(32))


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
    """The plain way: every match is a factor with its own messages; it sweeps until no difference changes."""
    environment = trueskill.TrueSkill(tau=0.0, draw_probability=DRAW)
    names = sorted({member.player for contest in contests for team in contest.teams for member in team} | {*players})
    known = {name: trueskill.Gaussian(25.0, 25 / 3) for name in names}
    said = [[[trueskill.Gaussian() for _ in team] for team in contest.teams] for contest in contests]
    before: dict[str, Rating] = {}
    while True:
        for contest, messages in zip(contests, said, strict=True):
            _update(environment, contest, messages, known)
        shift = 25 - sum(known[name].mu for name in players) / len(players)
        after = {name: Rating(known[name].mu + shift, known[name].sigma) for name in names}
        if before and max(_change(before[name], after[name]) for name in names) < tolerance:
            return after
        before = after


def _change(before: Rating, after: Rating) -> float:
    return max(abs(before.mu - after.mu), abs(before.sigma - after.sigma))


def _update(environment, contest, messages, known) -> None:  # type: ignore[no-untyped-def] # trueskill has no types
    cavities = [
        [known[member.player] / message for member, message in zip(team, told, strict=True)]
        for team, told in zip(contest.teams, messages, strict=True)
    ]
    groups = [[trueskill.Rating(cavity.mu, cavity.sigma) for cavity in team] for team in cavities]
    weights = [[member.weight for member in team] for team in contest.teams]
    rated = environment.rate(groups, contest.places, weights)
    for team, told, left, posterior in zip(contest.teams, messages, cavities, rated, strict=True):
        for at, member in enumerate(team):
            told[at] = posterior[at] / left[at]
            known[member.player] = left[at] * told[at]
