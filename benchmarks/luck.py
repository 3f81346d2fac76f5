"""How many more matches a league needs with luck of its own: `python -m benchmarks.luck EXPORT...`.

Each export is of a league with common luck, whose bots all met each other. For every two bots it prints the factor by
which the variance of the one's lead over the other would grow if no two matches shared their luck. As many times more
matches bring the same interval.

A bot's points in a match are the share of the others that it beat, a tie is half; where all seats are one side, 1 for a
win. The lead on a deal is the difference of the two bots' mean points there. With common luck, the variance of the lead
is that over deals. With own luck the matches of a deal are independent, so the variances of their parts add up.
"""

import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

import numpy as np

Cell: TypeAlias = tuple[str, str]
"""A line-up in one rotation: the name of its fixture without the deal."""
Points: TypeAlias = Mapping[Cell, Mapping[int, Mapping[str, float]]]
"""By line-up and rotation, by deal, the points of each bot."""


def points_in(export: Path) -> Mapping[str, Points]:
    """The points in an export, by table. Matches that do not count are left out."""
    seats: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (export / "matches.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["counts"] == "true":
                seats[row["fixture"]].append(row)
    found: dict[str, dict[Cell, dict[int, dict[str, float]]]] = defaultdict(lambda: defaultdict(dict))
    for rows in seats.values():
        one = rows[0]
        cell = ("+".join(row["bot"] for row in rows), one["rotation"])
        found[one["table"]][cell][int(one["deal"])] = _points(rows)
    return found


def _points(rows: list[dict[str, str]]) -> dict[str, float]:
    """The mean points of each bot over its seats."""
    places = [int(row["place"]) for row in rows]
    together = len({row["side"] for row in rows}) == 1 and rows[0]["side"] != ""
    of: dict[str, list[float]] = defaultdict(list)
    for row, place in zip(rows, places, strict=True):
        beaten = sum((place < other) + (place == other) / 2 for other in places) - 0.5
        of[row["bot"]].append(float(place == 1) if together else beaten / (len(places) - 1))
    return {bot: float(np.mean(points)) for bot, points in of.items()}


def growth(points: Points, one: str, other: str) -> tuple[int, float] | None:
    """The number of deals, and the factor by which the variance of a lead grows; None if it never varied."""
    cells = [by_deal for by_deal in points.values() if any(bot in (one, other) for bot in next(iter(by_deal.values())))]
    deals = sorted(set.intersection(*(set(by_deal) for by_deal in cells)))
    rows = {bot: [by_deal for by_deal in cells if bot in by_deal[deals[0]]] for bot in (one, other)}
    parts = np.array(
        [
            [
                _part(by_deal[deal], one, len(rows[one])) - _part(by_deal[deal], other, len(rows[other]))
                for deal in deals
            ]
            for by_deal in cells
        ]
    )
    common = parts.sum(axis=0).var(ddof=1)
    return (len(deals), float(parts.var(axis=1, ddof=1).sum() / common)) if common else None


def _part(points: Mapping[str, float], bot: str, matches: int) -> float:
    return points.get(bot, 0.0) / matches


def lines(export: Path) -> Iterable[str]:
    """A line for every two bots at each table."""
    for table, points in points_in(export).items():
        bots = sorted({bot for by_deal in points.values() for bot in next(iter(by_deal.values()))})
        for one, other in combinations(bots, 2):
            found = growth(points, one, other)
            if found is not None:
                yield f"{export.name} {table}: {one} and {other}: {found[1]:.2f} times the matches ({found[0]} deals)"


if __name__ == "__main__":
    for folder in sys.argv[1:]:
        print(*lines(Path(folder)), sep="\n")
