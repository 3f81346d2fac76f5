"""Pairs of bots whose results differ from what all their other matches say. Valid however often one looks.

A bet on the shares of a pair, deal by deal, gives a bound for its mean share (`confidence_sequence`). The ratings of
the two, without the matches between them, say which share would be usual, and how exactly they know. A pair is flagged
if the bound is beyond that by more than `ERRORS` standard errors and `TOLERANCE`: styles that fit more or less well are
honest. The pair that is furthest beyond is flagged first, and then its matches say nothing about the others either.

This looks at shares alone, so seats and sides count for nothing: a pair plays each of them equally often.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import combinations
from statistics import NormalDist, fmean
from typing import TypeAlias

import msgspec
import numpy as np
from scipy.special import log_ndtr

from tournaments.comparison.confidence_sequence import LowerBound
from tournaments.league.model import Fixture, League, StoredMatch
from tournaments.rating.contest import PSEUDO, Contest, contests
from tournaments.rating.numerics import Floats, one_thread
from tournaments.rating.scale import BETA, SIGMA
from tournaments.rating.sides import points

TOLERANCE = 0.1
"""The difference of shares that honest styles may make."""

ERRORS = 2.5
FALSE_FLAGS = 0.05
"""The share of leagues in which the bound of any pair is ever wrong, at most."""

_MOVES = 50
_SPREAD = BETA * 2**0.5
_CDF = NormalDist().cdf
_Pair: TypeAlias = tuple[str, str]
_Shares: TypeAlias = Mapping[_Pair, list[list[float]]]
"""By pair, the shares of the first bot in their matches, deal by deal."""


class PairFlag(msgspec.Struct, frozen=True):
    """A pair whose results differ from what all their other matches say.

    Attributes:
        bot: the name of the entry with the larger share than usual.
        against: the other one.
        matches: how many matches they played.
        share: the share of the first bot in them.
        usual: the share that the ratings without these matches expect.
    """

    bot: str
    against: str
    matches: int
    share: float
    usual: float

    @property
    def words(self) -> str:
        """What the organizer reads. It accuses nobody."""
        return (
            f"{self.bot} got {100 * self.share:.0f} of 100 points from {self.against}. By all their other matches"
            f" {100 * self.usual:.0f} would be usual. This happens if a bot plays badly against one opponent on"
            " purpose, if it crashes against it, or if the styles fit."
        )


def pair_flags(league: League, matches: Iterable[tuple[Fixture, StoredMatch]]) -> tuple[PairFlag, ...]:
    """The flagged pairs, from matches in plan order that count; the furthest beyond what is usual first."""
    by_pair = _shares(contests(league, matches))
    bounds = {pair: _bounds(shares, FALSE_FLAGS / (2 * len(by_pair))) for pair, shares in by_pair.items()}
    found: dict[_Pair, PairFlag] = {}
    with one_thread():
        while flags := list(_beyond(by_pair, bounds, found.keys())):
            _, pair, flag = max(flags)
            found[pair] = flag
    return tuple(found.values())


def _shares(rated: Iterable[Contest]) -> _Shares:
    found: defaultdict[_Pair, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for contest in rated:
        teams = [{each.player for each in team if not each.player.startswith(PSEUDO)} for team in contest.teams]
        for (one, place), (other, its) in combinations(zip(teams, contest.places, strict=True), 2):
            if len(one) == len(other) == 1 and one != other:
                first, second = min(*one, *other), max(*one, *other)
                share = points(place, its) if one == {first} else points(its, place)
                found[first, second][contest.block].append(share)
    return {pair: list(deals.values()) for pair, deals in found.items()}


def _bounds(deals: Iterable[list[float]], error: float) -> tuple[float, float]:
    """Bounds that the mean share of a pair is above and below."""
    low, high = LowerBound(error), LowerBound(error)
    for shares in deals:
        low.take(2 * fmean(shares) - 1)
        high.take(1 - 2 * fmean(shares))
    return (low.bound + 1) / 2, (1 - high.bound) / 2


def _beyond(
    by_pair: _Shares, bounds: Mapping[_Pair, tuple[float, float]], out: Set[_Pair]
) -> Iterator[tuple[float, _Pair, PairFlag]]:
    """The pairs that are beyond what is usual, each with how far; without those that are `out` already."""
    index = {name: at for at, name in enumerate(sorted({name for pair in by_pair for name in pair}))}
    won = np.zeros((len(index), len(index)))
    for (one, other), deals in by_pair.items():
        if (one, other) not in out:
            shares = [share for deal in deals for share in deal]
            won[index[one], index[other]] = sum(shares)
            won[index[other], index[one]] = len(shares) - sum(shares)
    skills, _ = _fitted(won, np.zeros(len(index)))
    for pair, (low, high) in bounds.items():
        one, other = (index[name] for name in pair)
        usual = _CDF((skills[one] - skills[other]) / _SPREAD)
        if pair in out or low <= usual <= high:  # with their own matches it is nearer to their share
            continue
        without = won.copy()
        without[one, other] = without[other, one] = 0
        found, error = _fitted(without, skills)
        gap = found[one] - found[other]
        width = ERRORS * (error[one, one] + error[other, other] - 2 * error[one, other]) ** 0.5
        above = low - _CDF((gap + width) / _SPREAD) - TOLERANCE
        below = _CDF((gap - width) / _SPREAD) - TOLERANCE - high
        if max(above, below) > 0:
            number = round(won[one, other] + won[other, one])
            share, usual = won[one, other] / number, _CDF(gap / _SPREAD)
            flag = PairFlag(*pair, number, share, usual)
            if below > above:
                flag = PairFlag(pair[1], pair[0], number, 1 - share, 1 - usual)
            yield max(above, below), pair, flag


def _fitted(won: Floats, skills: Floats) -> tuple[Floats, Floats]:
    """The most likely skills, and the covariance of their errors, from the points of each bot against each other."""
    for _ in range(_MOVES):
        gaps = (skills[:, None] - skills[None, :]) / _SPREAD
        push = np.exp(-(gaps**2) / 2 - log_ndtr(gaps)) / (2 * np.pi) ** 0.5
        force = won * push / _SPREAD
        loss = won * push * (push + gaps) / _SPREAD**2
        loss += loss.T
        error = np.linalg.inv(np.diag(loss.sum(1) + SIGMA**-2) - loss)
        move = error @ (force.sum(1) - force.sum(0) - skills / SIGMA**2)
        skills = skills + move
        if np.abs(move).max(initial=0.0) < 1e-6:
            break
    return skills, error
