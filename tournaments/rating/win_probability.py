"""How a match may end, by the ratings: as likely as the model of the ratings says, if the ratings were exact."""

import math
from collections.abc import Mapping
from statistics import NormalDist

from tournaments.rating.contest import Team, opposed
from tournaments.rating.scale import BETA, Rating, draw_margin

_cdf = NormalDist().cdf


def beats(a: Rating, b: Rating) -> float:
    """The probability that `a` beats `b` in a match of two, if draws are left out."""
    return _cdf((a.mu - b.mu) / (math.sqrt(2) * BETA))


def expected_score(team: Team, other: Team, ratings: Mapping[str, Rating], draw_probability: float) -> float:
    """How often one team comes before another, by the ratings of their members; a tie counts half.

    Args:
        team: its members, pseudo-players too.
        other: the team that it is compared with.
        ratings: by player and pseudo-player.
        draw_probability: how often two equal teams draw, at least 0.001 and below 1.
    """
    upper, lower = opposed(team, other)
    members = upper + lower
    if not members:
        return 0.5
    gap = sum(member.weight * ratings[member.player].mu for member in upper)
    gap -= sum(member.weight * ratings[member.player].mu for member in lower)
    deviation = BETA * math.sqrt(sum(member.weight**2 for member in members))
    margin = draw_margin(draw_probability, len(members))
    return (_cdf((gap - margin) / deviation) + _cdf((gap + margin) / deviation)) / 2
