"""What bots get against each other in a league, as a matrix: the input of alpha-rank and of methods like it."""

from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from itertools import chain, permutations, product
from math import nan, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from tournaments.rating.contest import contests
from tournaments.rating.sides import points
from tournaments.results.league_location import past_league
from tournaments.results.stored_league import StoredLeague, open_results


class Payoffs(NamedTuple):
    """What each bot got against each other; a row for each bot, a column for each that it met.

    Attributes:
        bots: the names of the bots, in the order of the league.
        mean: the mean score, as in the crosstable: from 0 to 1. NaN where two did not meet, 0.5 on the diagonal.
        low, high: the ends of the 95 % interval of the mean. Matches of one deal count as one observation together.
        matches: in how many matches they met.
    """

    bots: tuple[str, ...]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    matches: NDArray[np.int64]

    def frame(self) -> Any:
        """The arrays side by side as a data frame of pandas: `frame()["mean"]` has a row and a column for each bot."""
        pandas = import_module("pandas")  # users may have it; the project does not need it
        _, *arrays = self._fields
        return pandas.concat(
            {name: pandas.DataFrame(getattr(self, name), self.bots, self.bots) for name in arrays}, axis=1
        )


def payoffs(file: Path | str, store: str | None = None) -> Payoffs:
    """The payoffs of a league that was run. `store` is the address of its store, if it is not the usual one.

    Raises:
        LeagueFileError: the league file is wrong.
        NeverRun: the store has no results of the league.
        StoreError: the store fails.
    """
    league, url = past_league(Path(file), store)
    with open_results(league, url) as results:
        return league_payoffs(results)


def league_payoffs(results: StoredLeague) -> Payoffs:
    """The payoffs of a stored league, over the matches that count."""
    met: defaultdict[tuple[str, str], defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for contest in contests(results.league, results.state.counted()):
        found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        teams = [{member.player for member in team} for team in contest.teams]
        for one, other in permutations(range(len(teams)), 2):
            for pair in product(teams[one], teams[other]):
                found[pair].append(points(contest.places[one], contest.places[other]))
        for pair, scores in found.items():
            met[pair][contest.block].append(fmean(scores))
    bots = tuple(entry.name for entry in results.league.entries)
    mean, low, high = (np.full((len(bots), len(bots)), nan) for _ in range(3))
    matches = np.zeros((len(bots), len(bots)), np.int64)
    for (row, bot), (column, against) in permutations(enumerate(bots), 2):
        if blocks := met.get((bot, against)):
            at = row, column
            matches[at] = sum(map(len, blocks.values()))
            mean[at], low[at], high[at] = _interval(list(blocks.values()))
    np.fill_diagonal(mean, 0.5)
    return Payoffs(bots, mean, low, high, matches)


def _interval(blocks: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """The mean of scores in blocks, and the ends of its interval.

    It is that of E. B. Wilson (1927), with as many observations as give the standard error over blocks.
    """
    scores = list(chain.from_iterable(blocks))
    mean, number = fmean(scores), len(blocks)
    if number < 2:
        return mean, 0.0, 1.0
    rest = sum((sum(block) - mean * len(block)) ** 2 for block in blocks)
    variance = number / (number - 1) * rest / len(scores) ** 2
    size = min(mean * (1 - mean) / variance, len(scores)) if variance else number
    square = float(stdtrit(number - 1, 0.975)) ** 2 / size
    half = sqrt(square * (mean * (1 - mean) + square / 4)) / (1 + square)
    middle = (mean + square / 2) / (1 + square)
    return mean, middle - half, middle + half
