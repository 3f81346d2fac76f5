"""Simulated comparisons: how often the verdict of `compare` is wrong, and how many deals it takes.

`python -m benchmarks.comparisons` prints the tables of docs/internals/comparing.md; it takes some minutes.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from math import log
from random import Random
from statistics import fmean, stdev
from typing import TypeAlias

import msgspec
import numpy as np
from scipy.optimize import brentq

from tournaments.comparison.stopping_rule import (
    ComparisonQuestion,
    ComparisonResult,
    DealLead,
    Judge,
    OneSided,
    TwoSided,
    Verdict,
)

ALPHA = 0.05
MOST_DEALS = 2_000
MANY = 1_000

Draw: TypeAlias = Callable[[Random], float]
"""Draws the lead of the new bot on a deal."""


class Row(msgspec.Struct, frozen=True):
    """What became of simulated comparisons of one kind.

    Attributes:
        name: says what was simulated.
        counts: by verdict that the question has, how many ended with it.
        deals: the mean number of deals.
    """

    name: str
    counts: dict[Verdict, int]
    deals: float

    @property
    def comparisons(self) -> int:
        """How many there were."""
        return sum(self.counts.values())

    def __str__(self) -> str:
        """The row of a table in Markdown."""
        return f"| {self.name} | {' | '.join(map(str, self.counts.values()))} | {self.deals:.0f} |"


def two_matches(wins: float) -> Draw:
    """Two matches a deal, each won by the new bot with this probability."""
    return lambda rng: (rng.random() < wins) + (rng.random() < wins) - 1


def rarely(value: float, probability: float) -> Draw:
    """`value` with this probability, otherwise the value that makes the mean 0."""
    other = -value * probability / (1 - probability)
    return lambda rng: value if rng.random() < probability else other


def twenty_matches(wins: float) -> Draw:
    """The mean of twenty matches that are won with this probability, as at a table with many line-ups."""
    return lambda rng: sum(rng.random() < wins for _ in range(20)) / 10 - 1


STRENGTHS = {f"{wins} %": two_matches(wins / 100) for wins in (50, 51, 52, 55, 60, 75)}
"""By how often the new bot wins."""

EQUALS = {
    "two matches a deal": two_matches(0.5),
    "one deal in 100 won, the others lost by a little": rarely(1, 0.01),
    "one deal in 100 lost, the others won by a little": rarely(-1, 0.01),
    "one deal in 1,000 won, the others lost by a little": rarely(1, 0.001),
    "one deal in 1,000 lost, the others won by a little": rarely(-1, 0.001),
    "every deal won or lost as a whole": rarely(1, 0.5),
    "twenty matches a deal": twenty_matches(0.5),
}
"""Leads whose mean is 0, some of them made to be hard. Without a margin all of them go on to the last deal."""

MARGINS = (0.05, 0.02, 0.01)


VERDICTS: dict[type[ComparisonQuestion], tuple[Verdict, ...]] = {
    TwoSided: ("better", "worse", "no difference", "undecided"),
    OneSided: ("better", "not better by that much", "undecided"),
}
"""The verdicts that a question has."""

USUAL = TwoSided(0.05)
WITHOUT_MARGIN = TwoSided(0)
BETTER = OneSided(0.05)


def comparison(draw: Draw, rng: Random, question: ComparisonQuestion, most: int) -> ComparisonResult:
    """One simulated comparison, of at most so many deals."""
    judge = Judge(ALPHA, question)
    judge.hear(DealLead(draw(rng), 2) for _ in range(most))
    return judge.finding


def row(name: str, draw: Draw, comparisons: int, question: ComparisonQuestion, most: int = MOST_DEALS) -> Row:
    """So many simulated comparisons. The first ones are the same whatever their number.

    Both questions hear the same leads if their margins are the same.
    """
    (margin,) = msgspec.structs.astuple(question)
    found = [comparison(draw, Random(f"{name} {margin} {number}"), question, most) for number in range(comparisons)]
    counts = Counter(finding.verdict for finding in found)
    return Row(
        name=name,
        counts={verdict: counts[verdict] for verdict in VERDICTS[type(question)]},
        deals=fmean(finding.deals for finding in found),
    )


def no_difference(margin: float, comparisons: int) -> Row:
    """Equal bots, played until it is known that they do not differ by this margin."""
    return row(f"{margin}", two_matches(0.5), comparisons, TwoSided(margin), 1_000_000)


class Likelihoods:
    """GSPRT, which asks the one-sided question of matches whose results it thinks it knows the chances of.

    It compares the largest likelihoods of what was seen, if the mean lead is the margin, and if it is 0. That is no
    promise: with alpha = 5 % it is wrong in 6 to 7 of 100 comparisons. But few rules need fewer deals.

    Source: M. Van den Bergh, "A practical introduction to the GSPRT", 2020.
    """

    def __init__(self, margin: float) -> None:
        """The margin is that of the mean lead."""
        self._margin = margin
        self._counts: Counter[float] = Counter()

    def decides(self, lead: float) -> bool:
        """Take the lead on the next deal; whether it decides."""
        self._counts[lead] += 1
        ratio = self._largest(self._margin) - self._largest(0)
        return abs(ratio) >= log((1 - ALPHA) / ALPHA)

    def _largest(self, mean: float) -> float:
        """The logarithm of the largest likelihood with this mean, over that without a condition."""
        leads = {value: float(self._counts[value]) or 1e-3 for value in (-1.0, -0.5, 0.0, 0.5, 1.0)}
        away = np.array([*leads]) - mean
        seen = np.array([*leads.values()])

        def slope(tilt: float) -> float:
            return float((seen * away / (1 + tilt * away)).sum())

        tilt = brentq(slope, -1 / away.max() + 1e-9, -1 / away.min() - 1e-9)
        return float(-(seen * np.log1p(tilt * away)).sum())


class Ratio(msgspec.Struct, frozen=True):
    """How many deals a comparison takes, and how many GSPRT takes on the same deals.

    Attributes:
        name: says what was simulated.
        deals: the mean numbers of deals, each with its standard error: of `compare`, and of GSPRT.
        wrong: how many of 100 comparisons of `compare` ended with a false verdict.
    """

    name: str
    deals: tuple[tuple[float, float], tuple[float, float]]
    wrong: float

    def __str__(self) -> str:
        """The row of a table in Markdown."""
        (ours, error), (other, its) = self.deals
        figures = f"{ours:.0f} ± {error:.0f} | {other:.0f} ± {its:.0f} | {ours / other:.2f} | {self.wrong:.1f}"
        return f"| {self.name} | {figures} |"


def drawn_matches(wins: float, draws: float) -> Draw:
    """Two matches a deal, of which so many are drawn; draws count half in the share of the new bot."""
    won = wins - draws / 2

    def match(rng: Random) -> float:
        drawn = rng.random()
        return 0.5 if drawn < won else 0.0 if drawn < won + draws else -0.5

    return lambda rng: match(rng) + match(rng)


def ratio(wins: float, draws: float, comparisons: int) -> Ratio:
    """So many one-sided comparisons of at most 1,200 deals, and what GSPRT does with their deals."""
    name = f"{100 * wins:g} %{f', {draws:.0%} draws' if draws else ''}"
    ours, others, wrong = [], [], 0
    for number in range(comparisons):
        rng = Random(f"{name} against GSPRT {number}")
        leads = [drawn_matches(wins, draws)(rng) for _ in range(1_200)]
        found = Judge(ALPHA, BETTER)
        found.hear(DealLead(lead, 2) for lead in leads)
        rule = Likelihoods(2 * BETTER.better_by)
        ours.append(found.finding.deals)
        others.append(next((at for at, lead in enumerate(leads, 1) if rule.decides(lead)), len(leads)))
        false = "better" if wins <= 0.5 else "not better by that much" if wins >= 0.5 + BETTER.better_by else None
        wrong += found.finding.verdict == false
    deals = tuple((fmean(each), stdev(each) / len(each) ** 0.5) for each in (ours, others))
    return Ratio(name, (deals[0], deals[1]), 100 * wrong / comparisons)


RATIOS = ((0.5, 0), (0.525, 0), (0.55, 0), (0.6, 0), (0.75, 0), (0.5, 0.6), (0.55, 0.6))
"""By how often the new bot wins, and how many matches are drawn."""


def tables(comparisons: int) -> Iterator[tuple[str, list[Row]]]:
    """Every table: what its first column says, and its rows."""
    yield "the new bot wins", [row(name, draw, comparisons, USUAL) for name, draw in STRENGTHS.items()]
    yield (
        "the new bot wins, `--better-by 0.05`",
        [row(name, draw, comparisons, BETTER) for name, draw in STRENGTHS.items()],
    )
    yield (
        "equal bots, without a margin",
        [row(name, draw, comparisons, WITHOUT_MARGIN) for name, draw in EQUALS.items()],
    )
    yield "`--margin`", [no_difference(margin, max(1, comparisons // 10)) for margin in MARGINS]


def main() -> None:
    """Print the tables."""
    for heading, rows in tables(MANY):
        verdicts = list(rows[0].counts)
        print(f"| {heading} | {' | '.join(verdicts)} | deals |\n|---|{'---|' * len(verdicts)}---|")
        print(*rows, "", sep="\n", flush=True)
    print("| the new bot wins, `--better-by 0.05` | deals | of GSPRT | ratio | false, of 100 |\n|---|---|---|---|---|")
    for wins, draws in RATIOS:
        print(ratio(wins, draws, MANY * 3 // 10), flush=True)


if __name__ == "__main__":
    main()
