"""The rows of the table: what was measured, compared with a floor and with targets."""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Literal, NamedTuple

import msgspec
from rich import box
from rich.markup import escape
from rich.table import Table

Better = Literal["higher", "lower"]


class Target(NamedTuple):
    """What a row must reach first, and what after that."""

    first: float
    then: float


class Pair(NamedTuple):
    """A figure and its floor, measured one right after the other."""

    value: float
    floor: float

    @property
    def ratio(self) -> float:
        """The figure over its floor."""
        return self.value / self.floor


class Missing(Exception):
    """Something cannot be measured on this machine; says why, for people."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One row of `results.json`.

    Attributes:
        name: what was measured, with its unit.
        value: the figure; None if it could not be measured.
        floor: the figure that it is compared with, in the same unit, measured in the same run.
        ratio: value / floor.
        first: the target to reach first: for `ratio` if there is a floor, else for `value`.
        then: the target after that, for the same figure.
        better: whether higher or lower is better.
        spread: the smallest and the largest measurement of the figure that the targets apply to.
        missing: why it could not be measured.
    """

    name: str
    value: float | None = None
    floor: float | None = None
    ratio: float | None = None
    first: float | None = None
    then: float | None = None
    better: Better
    spread: tuple[float, float] | None = None
    missing: str | None = None

    @property
    def judged(self) -> float | None:
        """The figure that the targets apply to."""
        return self.value if self.ratio is None else self.ratio

    @property
    def reached(self) -> str:
        """Which of its targets it reaches; empty if it has none, or if there is no figure."""
        judged = self.judged
        if judged is None or self.first is None or self.then is None:
            return ""
        sign = 1 if self.better == "higher" else -1
        if sign * judged >= sign * self.then:
            return "then"
        return "first" if sign * judged >= sign * self.first else "none"


def plain_row(name: str, values: Sequence[float], better: Better, target: Target | None = None) -> Row:
    """The median of several measurements of one figure that has no floor."""
    first, then = target or (None, None)
    spread = (min(values), max(values))
    return Row(name=name, value=median(values), first=first, then=then, better=better, spread=spread)


def paired_row(name: str, pairs: Sequence[Pair], better: Better, target: Target | None = None) -> Row:
    """The pair with the median ratio."""
    first, then = target or (None, None)
    ordered = sorted(pairs, key=lambda pair: pair.ratio)
    middle = ordered[len(ordered) // 2]
    return Row(
        name=name,
        value=middle.value,
        floor=middle.floor,
        ratio=middle.ratio,
        first=first,
        then=then,
        better=better,
        spread=(ordered[0].ratio, ordered[-1].ratio),
    )


def missing_row(name: str, better: Better, why: Missing) -> Row:
    """A row without a figure."""
    return Row(name=name, better=better, missing=str(why))


def table(rows: Sequence[Row]) -> Table:
    """The rows for people."""
    shown = Table(title="Benchmarks", box=box.SIMPLE)
    shown.add_column("what", min_width=30)
    for heading in ("measured", "floor", "ratio", "spread", "first", "then", "reached"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        spread = "" if row.spread is None else " - ".join(map(_text, row.spread))
        numbers = [_text(number) for number in (row.value, row.floor, row.ratio)]
        bound = ">= " if row.better == "higher" else "<= "
        targets = ["" if target is None else bound + _text(target) for target in (row.first, row.then)]
        name = row.name if row.missing is None else f"{row.name}: not measured, since {row.missing}"
        shown.add_row(escape(name), *numbers, spread, *targets, row.reached)
    return shown


def write(rows: Sequence[Row], path: Path) -> None:
    """The rows for programs: a JSON list."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(list(rows))) + b"\n")


def _text(number: float | None) -> str:
    """The number with three significant digits, and all digits before the point."""
    if number is None:
        return ""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"
