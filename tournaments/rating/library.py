"""The factor of one match as the library `trueskill` computes it, made safe against extreme gaps.

Source: R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 2006.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Any, TypeAlias

import mpmath
import trueskill

from tournaments.rating.contest import ResultKind
from tournaments.rating.gaussian import BETA, MU, SIGMA, Gaussian

Factor: TypeAlias = Callable[[Sequence[Gaussian]], list[Gaussian]]
"""Takes what is known about each member without this match, and gives what the match says about it. Both are in the
order of `ResultKind.members`."""

STILL = 1e-6
"""A match of three or more teams has settled within itself when its messages change by less than this."""

LOWEST = -37.0
"""Below this, `erfc` runs out of digits (its values become subnormal), and then out of range."""

_DIGITS = 50
_NORMAL = NormalDist()
_PEAK = 1 / math.sqrt(2 * math.pi)


def cdf(x: float) -> float:
    """The standard normal distribution function, to 12 digits even far below 0.

    Raises:
        FloatingPointError: x is so low that the digits run out.
    """
    if x < LOWEST:
        raise FloatingPointError(f"the normal distribution at {x} needs more digits than a float has")
    return 0.5 * math.erfc(-x * math.sqrt(0.5))


def pdf(x: float) -> float:
    """The standard normal density."""
    return _PEAK * math.exp(-0.5 * x * x)


def margin(draw_probability: float, players: int) -> float:
    """The difference of performances within which two teams of so many players together draw."""
    return _NORMAL.inv_cdf((draw_probability + 1) / 2) * math.sqrt(players) * BETA


def library_factor(kind: ResultKind, draw_probability: float) -> Factor:
    """The factor of a match of this kind, by `trueskill.rate` with tau = 0.

    The order of teams in a kind, by place and name, matters: the library compares tied teams in the order it gets them.
    """
    weights = [tuple(member.weight for member in team) for team in kind.teams]

    def factor(cavities: Sequence[Gaussian]) -> list[Gaussian]:
        ratings = iter([trueskill.Rating(tau / pi, pi**-0.5) for pi, tau in cavities])
        groups = [tuple(next(ratings) for _ in team) for team in kind.teams]
        rated = _rated(draw_probability, groups, kind.places, weights)
        posteriors = [(known.pi, known.tau) for group in rated for known in group]
        return [_message(*pair) for pair in zip(posteriors, cavities, strict=True)]

    return factor


def _message(posterior: Gaussian, cavity: Gaussian) -> Gaussian:
    """The message that turns the cavity into the posterior. Only rounding can bring its precision below 0."""
    return (max(0.0, posterior[0] - cavity[0]), posterior[1] - cavity[1])


def _rated(draw_probability: float, *match: Any) -> Any:
    """`trueskill.rate` in floats, or with 50 digits where floats lack digits."""
    try:
        return _environment(draw_probability).rate(*match, min_delta=STILL)
    except (FloatingPointError, ZeroDivisionError):
        return _precise_environment(draw_probability).rate(*match, min_delta=STILL)


@lru_cache
def _environment(draw_probability: float) -> Any:
    return _made(draw_probability, (cdf, pdf, _NORMAL.inv_cdf))


@lru_cache
def _precise_environment(draw_probability: float) -> Any:
    context = mpmath.mp.clone()
    context.dps = _DIGITS
    return _made(draw_probability, (context.ncdf, context.npdf, _NORMAL.inv_cdf))


def _made(draw_probability: float, backend: tuple[Any, Any, Any]) -> Any:
    return trueskill.TrueSkill(
        mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, draw_probability=draw_probability, backend=backend
    )
