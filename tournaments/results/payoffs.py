"""What bots get against each other in a league, as a matrix: the input of alpha-rank and of other population methods.

from tournaments.results.payoffs import payoffs

found = payoffs("league.toml")
found.frame()                                 # pandas
alpharank.compute(found.tables, alpha=1e2)    # open_spiel.python.egt
"""

from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from itertools import permutations
from math import nan, sqrt
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from tournaments.rating.contest import contests
from tournaments.rating.sides import points
from tournaments.results.league_location import past_league
from tournaments.results.stored_league import StoredLeague, open_results

Floats: TypeAlias = NDArray[np.float64]


class Payoffs(NamedTuple):
    """What each bot got against each other; a row for each bot, a column for each that it met.

    Attributes:
        bots: the names of the bots, in the order of the league.
        mean: the mean score, as in the crosstable: from 0 to 1. NaN where two did not meet, 0.5 on the diagonal.
        low, high: the ends of the 95 % interval of the mean. Matches of one deal count as one observation together.
        matches: in how many matches they met.
    """

    bots: tuple[str, ...]
    mean: Floats
    low: Floats
    high: Floats
    matches: NDArray[np.int64]

    @property
    def tables(self) -> list[Floats]:
        """The payoffs of a symmetric game for two, for each player: what OpenSpiel's alpha-rank takes."""
        return [self.mean, self.mean.T]

    def frame(self) -> Any:
        """A data frame of pandas with a line for each two bots that met: bot, against, mean, low, high, matches."""
        pandas = import_module("pandas")  # users may have it; the project does not need it
        rows, columns = self.matches.nonzero()
        names = np.array(self.bots, object)
        met = {name: getattr(self, name)[rows, columns] for name in ("mean", "low", "high", "matches")}
        return pandas.DataFrame({"bot": names[rows], "against": names[columns], **met})


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
    bots = tuple(entry.name for entry in results.league.entries)
    places = {name: at for at, name in enumerate(bots)}
    met: defaultdict[tuple[int, int], list[tuple[str, float]]] = defaultdict(list)
    for deal, bot, against, payoff in _meetings(results):
        if bot in places and against in places:
            met[places[bot], places[against]].append((deal, payoff))
    mean, low, high = (np.full((len(bots), len(bots)), nan) for _ in range(3))
    matches = np.zeros((len(bots), len(bots)), np.int64)
    for pair, found in met.items():
        matches[pair] = len(found)
        mean[pair], low[pair], high[pair] = _interval(found)
    np.fill_diagonal(mean, 0.5)
    return Payoffs(bots, mean, low, high, matches)


def _meetings(results: StoredLeague) -> Iterator[tuple[str, str, str, float]]:
    """By match and two bots that met in it: the block, both bots, and the mean payoff of the first."""
    for contest in contests(results.league, results.state.counted()):
        found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        for one, other in permutations(range(len(contest.teams)), 2):
            score = points(contest.places[one], contest.places[other])
            for bot in {member.player for member in contest.teams[one]}:
                for against in {member.player for member in contest.teams[other]} - {bot}:
                    found[bot, against].append(score)
        for (bot, against), worth in found.items():
            yield contest.block, bot, against, sum(worth) / len(worth)


def _interval(found: list[tuple[str, float]]) -> tuple[float, float, float]:
    """The mean of scores with their blocks, and the ends of its interval.

    It is that of E. B. Wilson (1927), with as many observations as give the standard error over blocks.
    """
    worth, count, rest = [score for _, score in found], len(found), defaultdict[str, float](float)
    mean = sum(worth) / count
    for deal, score in found:
        rest[deal] += score - mean
    blocks = len(rest)
    if blocks < 2:
        return mean, 0.0, 1.0
    variance = blocks / (blocks - 1) * sum(each**2 for each in rest.values()) / count**2
    size = min(mean * (1 - mean) / variance, count) if variance else blocks
    square = float(student.ppf(0.975, blocks - 1)) ** 2 / size
    half = sqrt(square * (mean * (1 - mean) + square / 4)) / (1 + square)
    middle = (mean + square / 2) / (1 + square)
    return mean, middle - half, middle + half
