"""The ratings of a league: the estimates of its players when nothing changes any more, and what they predict.

Players who never met, directly or by way of others, cannot be compared: each group has the mean rating 25. How a match
may end is as likely as the model of the ratings says, if the ratings were exact.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from tournaments.rating.contest import Team, TeamComparison, opposed
from tournaments.rating.expectation_propagation import FactorGraph, newcomers, solve
from tournaments.rating.numerics import Floats, one_thread
from tournaments.rating.scale import BETA, MU, SIGMA, Rating, draw_margin
from tournaments.rating.tally import Tally


def groups(kinds: Iterable[TeamComparison], players: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The players in groups that never met, in the order of `players`.

    All players of a comparison meet. A pseudo-player lets players meet only if it is an opponent of its own, as the
    game is. If it is the strength of a side, it does not: all bots of a group could be better by a point, and no
    result of the group would be less likely.
    """
    real = set(players)
    nodes = {player: at for at, player in enumerate(players)}
    edges = [(nodes.setdefault(a, len(nodes)), nodes.setdefault(b, len(nodes))) for a, b in _meetings(kinds, real)]
    rows, columns = zip(*edges, strict=True) if edges else ((), ())
    graph = sparse.coo_array((np.ones(len(edges)), (rows, columns)), (len(nodes), len(nodes)))
    found: dict[int, list[str]] = {}
    for player, group in zip(players, connected_components(graph, directed=False)[1].tolist(), strict=False):
        found.setdefault(group, []).append(player)
    return tuple(map(tuple, found.values()))


def _meetings(kinds: Iterable[TeamComparison], real: set[str]) -> Iterator[tuple[str, str]]:
    for teams in dict.fromkeys((kind.upper, kind.lower) for kind in kinds):
        first, *others = (name for team in teams for name in _comparable(team, real))
        yield from ((first, other) for other in others)


def _comparable(team: Team, real: set[str]) -> list[str]:
    names = [member.player for member in team]
    return [name for name in names if name in real] or names


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


class FieldEstimate(NamedTuple):
    """What is known of the players of a league before their single skills.

    Attributes:
        spread: the deviation of their prior, in points.
        dispersion: the factor by which deals vary more than independent matches would. All matches count so much less.
    """

    spread: float
    dispersion: float


USUAL_FIELD = FieldEstimate(SIGMA, 1.0)
"""What is assumed where the plan decides who meets whom."""


class RatedLeague(msgspec.Struct, frozen=True):
    """A league at rest.

    Attributes:
        results: the results that it was rated by.
        ratings: of the players and the pseudo-players. The mean over the players of each group is 25.
        groups: the players in groups that never met, in the order of `players`.
    """

    results: Tally
    ratings: dict[str, Rating]
    groups: tuple[tuple[str, ...], ...]


def at_rest(
    results: Tally, players: Sequence[str], draw_probability: float, field: FieldEstimate = USUAL_FIELD
) -> RatedLeague:
    """The ratings of `players`, and of the pseudo-players in the results.

    They do not depend on the order of the contests or of the players, not even in the last bit.

    Args:
        results: the matches, counted.
        players: the players whose ratings have the mean 25; at least one.
        draw_probability: how often two equal teams draw, at least 0.001 and below 1.
        field: what is known before: the spread of the players, but not of pseudo-players, and the dispersion of deals.

    Raises:
        ValueError: `players` is empty or `draw_probability` out of range.
    """
    if not players:
        raise ValueError("There is nobody to rate: the list of players is empty.")
    if not 0.001 <= draw_probability < 1:
        raise ValueError(f"The draw probability must be at least 0.001 and below 1, not {draw_probability}.")
    index = numbered(sorted({*players, *results.names()}))
    results = results.ordered(index)
    met = groups(results.kinds, players)
    graph = FactorGraph(results.kinds, index, draw_probability, field.dispersion)
    with one_thread():
        prior = newcomers(len(index))
        prior.precision[numbers(players, index)] = field.spread**-2
        known = solve(graph, totals(results), prior, newcomers(len(index)))
    means = centred(known.mean, [numbers(group, index) for group in met])
    found = zip(index, means[:, 0].tolist(), (known.precision[:, 0] ** -0.5).tolist(), strict=True)
    return RatedLeague(results, {name: Rating(mu, sigma) for name, mu, sigma in found}, met)


def numbered(names: Iterable[str]) -> dict[str, int]:
    """Each name with its place."""
    return {name: at for at, name in enumerate(names)}


def numbers(names: Sequence[str], index: Mapping[str, int]) -> NDArray[np.intp]:
    """The numbers of some names, rising."""
    return np.array(sorted(index[name] for name in names), dtype=np.intp)


def centred(means: Floats, met: Sequence[NDArray[np.intp]]) -> Floats:
    """The same means, shifted so that the players of every group have the mean 25.

    Pseudo-players move as the players do on average.

    Args:
        means: players x leagues, in points.
        met: the numbers of the players, by group.
    """
    shifts = [MU - means[group].mean(axis=0) for group in met]
    shifted = means + np.average(shifts, axis=0, weights=[len(group) for group in met])
    for group, shift in zip(met, shifts, strict=True):
        shifted[group] = means[group] + shift
    return shifted


def totals(results: Tally) -> Floats:
    """Kinds x 1: how often each comparison occurred."""
    counts = [0] * len(results.kinds)
    for block in results.blocks:
        for unit in block:
            for kind, count in unit:
                counts[kind] += count
    return np.array(counts, dtype=np.float64)[:, None]
