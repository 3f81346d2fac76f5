"""What bots get against each other in a league, as a matrix: the input of alpha-rank and of other population methods.

from tournaments.results.payoffs import payoffs

found = payoffs("league.toml")
found.frame()                                 # pandas
alpharank.compute(found.tables, alpha=1e2)    # open_spiel.python.egt
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations
from math import nan, sqrt
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from tournaments.league.deals import own_deals
from tournaments.rating.contest import block, contests
from tournaments.rating.sides import points
from tournaments.results.league_location import past_league
from tournaments.results.stored_league import StoredLeague, open_results

Floats: TypeAlias = NDArray[np.float64]

Of: TypeAlias = Literal["score", "return"]
"""What a payoff is: the score of the crosstable, from 0 to 1, or what the game counts (`Outcome.scores`)."""


class Payoffs(NamedTuple):
    """What each bot got against each other; a row for each bot, a column for each that it met.

    Attributes:
        bots: the names of the bots, in the order of the league.
        mean: the mean payoff; NaN where two did not meet. On the diagonal 0.5 for scores, NaN for returns.
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
        import pandas  # noqa: PLC0415 - users may have it; the project does not need it

        rows, columns = self.matches.nonzero()
        names = np.array(self.bots, object)
        met = {name: getattr(self, name)[rows, columns] for name in ("mean", "low", "high", "matches")}
        return pandas.DataFrame({"bot": names[rows], "against": names[columns], **met})


def payoffs(file: Path | str, of: Of = "score", store: str | None = None) -> Payoffs:
    """The payoffs of a league that was run. `store` is the address of its store, if it is not the usual one.

    Raises:
        LeagueFileError: the league file is wrong.
        NeverRun: the store has no results of the league.
        StoreError: the store fails.
    """
    league, url = past_league(Path(file), store)
    with open_results(league, url) as results:
        return league_payoffs(results, of)


def league_payoffs(results: StoredLeague, of: Of = "score") -> Payoffs:
    """The payoffs of a stored league, over the matches that count."""
    bots = tuple(entry.name for entry in results.league.entries)
    places = {name: at for at, name in enumerate(bots)}
    met: defaultdict[tuple[int, int], list[tuple[str, float]]] = defaultdict(list)
    for deal, bot, against, payoff in _meetings(results, of):
        if bot in places and against in places:
            met[places[bot], places[against]].append((deal, payoff))
    mean, low, high = (np.full((len(bots), len(bots)), nan) for _ in range(3))
    matches = np.zeros((len(bots), len(bots)), np.int64)
    for pair, found in met.items():
        matches[pair] = len(found)
        mean[pair], low[pair], high[pair] = _interval(found, of)
    if of == "score":
        np.fill_diagonal(mean, 0.5)
    return Payoffs(bots, mean, low, high, matches)


def _meetings(results: StoredLeague, of: Of) -> Iterator[tuple[str, str, str, float]]:
    """By match and two bots that met in it: the block, both bots, and the mean payoff of the first."""
    league, counted = results.league, results.state.counted()
    if of == "return":
        own_luck = own_deals(league)
        for fixture, match in counted:
            scores, seats = match.outcome.scores, range(len(match.entries))
            for bot, against in permutations(dict.fromkeys(match.entries), 2) if scores else ():
                own = [scores[seat] for seat in seats if match.entries[seat] == bot]
                yield block(fixture, own_luck), bot, against, sum(own) / len(own)
        return
    for contest in contests(league, counted):
        found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        for one, other in permutations(range(len(contest.teams)), 2):
            score = points(contest.places[one], contest.places[other])
            for bot in {member.player for member in contest.teams[one]}:
                for against in {member.player for member in contest.teams[other]} - {bot}:
                    found[bot, against].append(score)
        for (bot, against), worth in found.items():
            yield contest.block, bot, against, sum(worth) / len(worth)


def _interval(found: list[tuple[str, float]], of: Of) -> tuple[float, float, float]:
    """The mean of payoffs with their blocks, and the ends of its interval.

    A return has the interval of Student's t over blocks, a score that of E. B. Wilson (1927) with as many observations
    as give this standard error.
    """
    worth, count = [payoff for _, payoff in found], len(found)
    mean, rest = sum(worth) / count, defaultdict[str, float](float)
    for deal, payoff in found:
        rest[deal] += payoff - mean
    blocks = len(rest)
    if blocks < 2:
        return (mean, 0.0, 1.0) if of == "score" else (mean, nan, nan)
    error = sqrt(blocks / (blocks - 1) * sum(each**2 for each in rest.values())) / count
    quantile = float(student.ppf(0.975, blocks - 1))
    if of == "return":
        return mean, mean - quantile * error, mean + quantile * error
    size = min(mean * (1 - mean) / error**2, count) if error else blocks
    middle = (mean + quantile**2 / (2 * size)) / (1 + quantile**2 / size)
    half = quantile / (1 + quantile**2 / size) * sqrt(mean * (1 - mean) / size + quantile**2 / (4 * size**2))
    return mean, middle - half, middle + half
