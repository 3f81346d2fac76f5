"""How far the results of a pair of bots are beyond what all their other matches say.

A bet on the shares of a pair, deal by deal, gives a bound for its mean share (`confidence_sequence`). The ratings of
the two, without the matches between them, say which share would be usual, and how exactly they know. A pair is beyond
that if the bound is by more than `ERRORS` standard errors and `TOLERANCE`: styles that fit more or less well are
honest.

This looks at shares alone, so seats and sides count for nothing: a pair plays each of them equally often.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, permutations
from math import fsum
from statistics import fmean
from typing import TypeAlias

import numpy as np
from scipy.special import log_ndtr, ndtr

from tournaments.comparison.confidence_sequence import LowerBound
from tournaments.comparison.pair_flags import PairFlag
from tournaments.rating.contest import PSEUDO, Contest
from tournaments.rating.numerics import Floats
from tournaments.rating.ratings import numbered
from tournaments.rating.scale import BETA, SIGMA
from tournaments.rating.sides import points

TOLERANCE = 0.1
"""The difference of shares that honest styles may make."""

ERRORS = 2.5

_MOVES, _LITTLE = 50, 1e-6
_SPREAD = BETA * 2**0.5
_Pair: TypeAlias = tuple[str, str]
_Shares: TypeAlias = Mapping[_Pair, list[list[float]]]
"""By bot and opponent, the shares of the bot in their matches, deal by deal."""


def shares_of(rated: Iterable[Contest]) -> _Shares:
    """The shares of every two bots that met, each alone on its side."""
    found: defaultdict[_Pair, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for contest in rated:
        teams = [{each.player for each in team if not each.player.startswith(PSEUDO)} for team in contest.teams]
        for (one, place), (other, its) in permutations(zip(teams, contest.places, strict=True), 2):
            if len(one) == len(other) == 1 and one != other:
                found[min(one), min(other)][contest.block].append(points(place, its))
    return {pair: list(deals.values()) for pair, deals in found.items()}


def bound_of(deals: Iterable[list[float]], error: float) -> float:
    """A bound that the mean share of a bot is above."""
    found = LowerBound(error)
    for shares in deals:
        found.take(2 * fmean(shares) - 1)
    return (found.bound + 1) / 2


def beyond(by_pair: _Shares, bound: Callable[[_Pair], float]) -> Iterator[tuple[float, PairFlag]]:
    """The pairs that are beyond what is usual, each with how far."""
    index = numbered(sorted({name for pair in by_pair for name in pair}))
    won = np.zeros((len(index), len(index)))
    for (bot, against), deals in by_pair.items():
        won[index[bot], index[against]] = fsum(chain(*deals))
    gaps, deviations = _usual(won)
    least = ndtr(gaps + ERRORS * deviations) + TOLERANCE
    matches = won + won.T
    for bot, against in by_pair:
        at = index[bot], index[against]
        share = won[at] / matches[at]
        if share > least[at] and bound((bot, against)) > least[at]:  # no bound is above the share
            flag = PairFlag(bot, against, round(matches[at]), float(share), float(ndtr(gaps[at])))
            yield bound((bot, against)) - float(least[at]), flag


def _usual(won: Floats) -> tuple[Floats, Floats]:
    """The lead of each bot over each, and its standard error, in deviations of a match, without their own matches.

    Ratings without the matches of a pair are one step of Newton's method from those with them.

    Args:
        won: bots x bots: the points of each against each other.
    """
    skills, error = np.zeros(len(won)), np.eye(len(won))
    for _ in range(_MOVES):
        gaps = (skills[:, None] - skills) / _SPREAD
        push = np.exp(-(gaps**2) / 2 - log_ndtr(gaps)) / (2 * np.pi) ** 0.5
        force, loss = won * push / _SPREAD, won * push * (push + gaps) / _SPREAD**2
        force, loss = force - force.T, loss + loss.T
        error = np.linalg.inv(np.diag(loss.sum(axis=1) + SIGMA**-2) - loss)
        move = error @ (force.sum(axis=1) - skills / SIGMA**2)
        skills = skills + move
        if np.abs(move).max(initial=0.0) < _LITTLE:
            break
    variance = np.add.outer(error.diagonal(), error.diagonal()) - 2 * error
    variance = variance / np.maximum(1 - variance * loss, _LITTLE)
    return gaps - variance * force / _SPREAD, np.sqrt(variance) / _SPREAD
