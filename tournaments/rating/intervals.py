"""How far the ratings can be trusted: a bootstrap, which resamples the league by drawing its blocks with replacement.

A block is a deal, with all that was played on it. Its matches share the luck of the deal, so they are drawn together.
Every resample is rated until nothing changes.

A resample has no results that the league did not have. So a bot that won every match would win every match of every
resample, and its interval would have no width, as if its rating were certain. Two corrections prevent that.
Both matter if results are few or one-sided, and fade as results become many.

First, a unit, the matches of the same players on a deal, may be turned round: its players change places, so that the
last comes first. The sides fare as they did. (If sides were turned round, too, a strong side would lose a whole unit.
Then its advantage would seem smaller, wins of the weak side would count for less, and intervals would be too narrow.)
The chance follows Jeffreys' rule for a first loss after n wins in n: half a unit in n + 1, where n is the number of
units of that player in it who played the fewest. So a resample has about half a turned unit for each bot, however long
the league. (Whole deals are not turned: that would set bots against each other that did not meet.)

Second, the players have different priors in every resample: their means are drawn from the prior. That all bots are
worth 25 until they play is an assumption, not a result, so it must not be the same each time. Where results say little
(such as how much better a bot is that never lost) the interval is nearly as wide as the prior. For Gaussians, drawing
both the results and the priors anew gives the posterior.

The interval follows from the resamples in four steps.

- Its ends are where another resample would lie beyond each end in 2.5 % of all cases: of 200 the 5th from either end.
  (The quantile of the 200 themselves lies nearer to the middle; another one would be beyond it in 3 %.)
- The interval's ends are as far from the rating as these are from the median of the resamples.
  Turned units draw all resamples towards equality, and one-sided results drive them apart, but neither is an error of
  the rating.
- Resamples of few blocks differ less from each other than leagues of few deals do. So both distances are multiplied by
  Student's factor for that number of blocks.
- Where sides have ratings, neither distance may be shorter than the mean of both. If a side is much stronger, only its
  few losses say which bot is better, and they may lie on few deals. If they happen to help one bot, the resamples lie
  far to one side, and the end near 0 is too near: two equal bots would be separated too often.

Players that the results do not tell apart draw different numbers, but their ratings are equally certain. So the
interval of each reaches as far as theirs do on average. That of a difference reaches as far as those of all pairs of
players like these two do on average.

In a league of many bots a resample is not rated until nothing changes. One step of Newton's method from the most likely
skills does: resamples of a long league are near it, and to solve 200 leagues of 1,000 bots takes minutes.

`benchmarks/calibration.py` measures how often these intervals hold.

Sources: B. Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979; half a unit: H. Jeffreys, "An Invariant
Form for the Prior Probability in Estimation Problems", 1946; drawn priors: G. Papandreou, A. Yuille, "Gaussian Sampling
by Local Perturbations", NIPS 2010; ends: R. Hyndman, Y. Fan, "Sample Quantiles in Statistical Packages", 1996,
definition 6; bias of resamples and Student's factor: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993,
chapters 10 and 12.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from statistics import fmean

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from referee.core import seeds
from tournaments.rating import FEWEST_BLOCKS, TAIL, Interval
from tournaments.rating.contest import Contest
from tournaments.rating.expectation_propagation import FactorGraph, PlayerBeliefs, newcomers, solve
from tournaments.rating.field_estimate import FieldEstimator, Influence, influence, pushes
from tournaments.rating.numerics import Floats, one_thread
from tournaments.rating.ratings import USUAL_FIELD, FieldEstimate, RatedLeague, at_rest, centred, numbered, numbers
from tournaments.rating.resampling import BlockPool, RandomWords, drawn_priors, player_order
from tournaments.rating.scale import Rating
from tournaments.rating.tally import Tally, tally

RESAMPLES = 200

_AT_ONCE = 1 << 18
"""About so many numbers are worked on together, which fits the caches of a core."""

MANY = 250
"""In a league of more players each resample gets one step."""

_DRAWN_AT_ONCE = 1 << 19
"""At most so many units of resamples are drawn together: a long league has hundreds of thousands in each. In a league
of many players these are units or comparisons."""


class Bootstrap(msgspec.Struct, frozen=True, dict=True):
    """The ratings of a league, and those that other leagues of the same kind could have given.

    Attributes:
        ratings: by player and pseudo-player. The mean over all players is 25.
        mus: by player and pseudo-player, its mu in every resample.
        blocks: by player and pseudo-player, how many blocks say anything about it.
        groups: the players in groups that never met. Only players of one group can be compared.
        influence: how each block moves the ratings.
        alike: the players that the results do not tell apart, in groups of two or more (`player_order`).
        has_sides: whether sides have ratings: a pseudo-player was in a team with players.
        field: what the ratings assume of all players.
    """

    ratings: dict[str, Rating]
    mus: dict[str, tuple[float, ...]]
    blocks: dict[str, int]
    groups: tuple[tuple[str, ...], ...]
    influence: Influence
    alike: tuple[tuple[str, ...], ...] = ()
    has_sides: bool = False
    field: FieldEstimate = USUAL_FIELD

    def interval(self, player: str) -> Interval | None:
        """The 95 % interval of the player's mu; None if it played fewer than `FEWEST_BLOCKS`."""
        if not self.has_interval(player):
            return None
        mu = self.ratings[player].mu
        alike = self.like(player)
        drawn = np.array([self._drawn[name] for name in alike])
        low, high = mean(self._reaches(drawn, np.array([self.blocks[name] for name in alike])))
        return mu + low, mu + high

    def difference(self, a: str, b: str) -> Interval | None:
        """The 95 % interval of mu of `a` minus mu of `b`; None if either played too few blocks, or they never met."""
        reach = self._leads.get((self.like(a)[0], self.like(b)[0])) if self.met(a, b) else None
        if reach is None:
            return None
        lead = self.ratings[a].mu - self.ratings[b].mu
        return lead + reach[0], lead + reach[1]

    def at(self, ratings: Mapping[str, Rating]) -> "Bootstrap":
        """The same reaches of intervals about newer ratings of the same players.

        This is right as long as few matches are new: reaches change with the square root of their number.
        """
        return replace(self, ratings=dict(ratings))

    def separated(self, a: str, b: str) -> bool:
        """Whether the interval of their difference exists and excludes 0."""
        found = self.difference(a, b)
        return found is not None and (found[0] > 0 or found[1] < 0)

    def like(self, player: str) -> tuple[str, ...]:
        """The players that the results do not tell apart from this one, itself among them."""
        return self._like.get(player, (player,))

    def has_interval(self, player: str) -> bool:
        """Whether the player played enough blocks for an interval."""
        return self.blocks[player] >= FEWEST_BLOCKS

    def met(self, a: str, b: str) -> bool:
        """Whether two players, or two pseudo-players, met directly or by way of others."""
        return self._group.get(a) == self._group.get(b)

    @cached_property
    def _leads(self) -> dict[tuple[str, str], Interval]:
        """How far the intervals of leads reach: the mean over all pairs of players like these two.

        The first of those that are alike stands for all. All pairs of a player are worked on at once: 500 players have
        124,750.
        """
        representatives = {player: self.like(player)[0] for player in self.mus if self.has_interval(player)}
        found: defaultdict[tuple[str, str], list[Interval]] = defaultdict(list)
        for player, one in representatives.items():
            met = [
                name
                for name in representatives
                if name != player and one <= representatives[name] and self.met(player, name)
            ]
            if met:
                drawn = self._drawn[player] - np.array([self._drawn[name] for name in met])
                blocks = np.array([min(self.blocks[player], self.blocks[name]) for name in met])
                for name, reach in zip(met, self._reaches(drawn, blocks), strict=True):
                    found[one, representatives[name]].append(reach)
        leads = {pair: mean(reaches) for pair, reaches in found.items()}
        return {(other, one): (-high, -low) for (one, other), (low, high) in leads.items()} | leads

    def _reaches(self, drawn: Floats, blocks: NDArray[np.intp]) -> list[Interval]:
        """How far the intervals of values reach from the value found to either end; the first number is negative.

        Args:
            drawn: values x resamples: the values in the resamples.
            blocks: the number of blocks behind each value; at least 2.
        """
        fewest, which = np.unique(blocks, return_inverse=True)
        student = stdtrit(fewest - 1, 1 - TAIL) / ndtri(1 - TAIL)
        factor = (np.sqrt(fewest / (fewest - 1)) * student)[which]
        low, middle, high = np.quantile(drawn, [TAIL, 0.5, 1 - TAIL], axis=1, method="weibull")
        below, above = factor * (low - middle), factor * (high - middle)
        if self.has_sides:
            mean = (above - below) / 2
            below, above = np.minimum(below, -mean), np.maximum(above, mean)
        return list(zip(below.tolist(), above.tolist(), strict=True))

    @cached_property
    def _drawn(self) -> dict[str, Floats]:
        """As `mus`."""
        return {player: np.array(mus) for player, mus in self.mus.items()}

    @cached_property
    def _like(self) -> dict[str, tuple[str, ...]]:
        """By player that is like others, all these."""
        return {player: group for group in self.alike for player in group}

    @cached_property
    def _group(self) -> dict[str, int]:
        """By player, the number of its group. Pseudo-players have none."""
        return {player: number for number, group in enumerate(self.groups) for player in group}


def bootstrap(
    contests: Iterable[Contest] | Tally,
    players: Sequence[str],
    draw_probability: float,
    seed: bytes,
    resamples: int = RESAMPLES,
    field_of: FieldEstimator | None = None,
) -> Bootstrap:
    """Rate a league, and `resamples` resamples of it.

    The ratings and intervals depend neither on the order of the contests nor on the names of players or their order: if
    names are exchanged, the ratings and intervals are exchanged and nothing else changes. (Rounding errors can show.)

    Args:
        contests: the matches, with their blocks, or what was counted of them.
        players: the players whose ratings have the mean 25; at least one.
        draw_probability: how often two equal teams draw, at least 0.001 and below 1.
        seed: 32 bytes.
        resamples: at least 1.
        field_of: finds what to assume of all players; None: what is usual.

    Raises:
        ValueError: a contest cannot be rated, as `at_rest`, or `resamples` is below 1.
    """
    if resamples < 1:
        raise ValueError(f"A bootstrap needs at least one resample, not {resamples}.")
    counted = contests if isinstance(contests, Tally) else tally(contests)
    field = field_of(counted, players, draw_probability) if field_of else USUAL_FIELD
    league = at_rest(counted, players, draw_probability, field)
    mus = {player: league.ratings[player].mu for player in players}
    found = player_order(league.results, mus, sorted(league.ratings.keys() - mus.keys()))
    index = numbered(found.order)
    results = league.results.ordered(index)
    resampling = _Resampling(league, results, index, draw_probability, field)
    played = results.played()
    drawn = resampling.mus(seed, resamples)
    return Bootstrap(
        ratings=league.ratings,
        mus={name: tuple(drawn[at].tolist()) for name, at in sorted(index.items())},
        blocks={name: played[name] for name in sorted(index)},
        groups=league.groups,
        influence=resampling.influence,
        alike=found.alike,
        has_sides=_has_sides(results, players),
        field=field,
    )


def _has_sides(results: Tally, players: Sequence[str]) -> bool:
    names = frozenset(players)
    teams = {team for kind in results.kinds for team in (kind.upper, kind.lower)}
    return any(len({member.player in names for member in team}) == 2 for team in teams)


class _Resampling:
    """The resamples of a league.

    Attributes:
        influence: how its blocks move its ratings.
    """

    def __init__(
        self,
        league: RatedLeague,
        results: Tally,
        index: Mapping[str, int],
        draw_probability: float,
        field: FieldEstimate,
    ) -> None:
        self._urn = BlockPool(results)
        self._graph = FactorGraph(self._urn.kinds, index, draw_probability, field.dispersion)
        self._met = [numbers(group, index) for group in league.groups]
        self._spread = field.spread
        self._precision = newcomers(self._graph.players).precision
        for group in self._met:
            self._precision[group] = field.spread**-2
        graph = FactorGraph(results.kinds, index, draw_probability, field.dispersion)
        with one_thread():
            self.influence = influence(graph, results, self._precision, index)
        ratings = sorted((at, league.ratings[name]) for name, at in index.items())
        self._start = PlayerBeliefs(
            np.array([[rating.mu] for _, rating in ratings]), np.array([[rating.sigma**-2] for _, rating in ratings])
        )

    def mus(self, seed: bytes, resamples: int) -> Floats:
        """Players x resamples: every mu.

        Resamples are drawn and rated some at a time. How many does not depend on the machine, so neither do the
        results.
        """
        worked_on = len(self._graph.player) + self._graph.players**2
        size = max(1, min(_AT_ONCE // worked_on, _DRAWN_AT_ONCE // max(1, self._urn.units)))
        if self._takes_one_step:
            size = max(1, _DRAWN_AT_ONCE // max(len(self._graph.player), self._urn.units))
        parts = [(first, min(size, resamples - first)) for first in range(0, resamples, size)]
        with one_thread(), ThreadPoolExecutor(2 if self._takes_one_step else None) as pool:  # so that memory suffices
            rated = [
                pool.submit(self._rated, RandomWords(seeds.child(seed, str(first))), count) for first, count in parts
            ]
            return np.concatenate([part.result() for part in rated], axis=1)

    def _rated(self, luck: RandomWords, leagues: int) -> Floats:
        counts = self._urn.counts(self._urn.draw(luck, leagues))
        means = drawn_priors(luck, self._met, self._graph.players, leagues, self._spread)
        if self._takes_one_step:
            return centred(self._after_one_step(counts, means), self._met)
        prior = PlayerBeliefs(means, self._precision)
        return centred(solve(self._graph, counts, prior, self._start).mean, self._met)

    @property
    def _takes_one_step(self) -> bool:
        return self._graph.players > MANY

    def _after_one_step(self, counts: Floats, priors: Floats) -> Floats:
        """Players x leagues: the skills after one step from the most likely ones, towards these counts and priors."""
        graph, known = self._graph, self.influence
        push, _ = pushes(graph, known.skills)
        force = graph.lessons @ (push * counts)[graph.kind] + self._precision * (priors - known.skills)
        return np.asarray(known.skills + known.error @ force)


def mean(reaches: Sequence[Interval]) -> Interval:
    """The mean of some intervals; at least one."""
    low, high = zip(*reaches, strict=True)
    return fmean(low), fmean(high)
