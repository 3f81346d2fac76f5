"""Simulated comparisons: how often the verdict of `compare` is wrong, and how many deals it takes.

`python -m benchmarks.comparisons` prints the tables of docs/compare.md; it takes some minutes.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from statistics import fmean
from typing import TypeAlias

import msgspec

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


if __name__ == "__main__":
    main()
