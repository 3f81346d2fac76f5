"""How far the intervals of ratings can be trusted: simulated leagues of known strength, rated by the real functions.

    python -m benchmarks.calibration [--leagues N] [--rows TEXT] [--json]

Without `--leagues` and `--rows` it also writes the table of docs/ratings.md anew. That takes some 30 minutes on two
cores that have nothing else to do. `--rows` takes the rows with this text in their names, such as "duel, 8";
`--leagues` simulates no more than N leagues of each row.
"""

import argparse
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import lru_cache
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Literal, NamedTuple, TypeAlias

from benchmarks.simulation import PERFECT, AdaptiveLeagues, Leagues, Luck, Model, names_of, truth
from referee.core import seeds
from tournaments.league.format_settings import KnockoutSettings, OpenSettings, SwissSettings
from tournaments.rating.contest import Contest
from tournaments.rating.field_estimate import estimated_field
from tournaments.rating.intervals import Bootstrap, bootstrap
from tournaments.rating.leads import Leads
from tournaments.rating.scale import MU

DOCUMENT = Path(__file__).parents[1] / "docs" / "ratings.md"
BLOCK = re.compile(r"(?<=<!-- written by benchmarks/calibration.py -->\n).*?(?=<!-- end -->)", re.DOTALL)

_SEED = seeds.from_text("calibration")
_WORKERS = 2
_PIECES = 4
"""The leagues of a row are shared out in so many tasks."""
_MOST_PAIRS = 15
"""The differences of so many pairs of bots are looked at in a round robin; of six bots these are all."""
_STEP, _SPAN, _GAP = 2.0, 14.0, 8.0
"""Points between neighbours of a ladder, at most between its ends, and between the halves of a lopsided league."""
_HALVES, _OUTLIER = 2.0, 6.0
"""Points between two halves that are near each other, and between an outlier and the others, who are equal."""

Truth: TypeAlias = Mapping[str, float]
Format: TypeAlias = Literal["round robin", "swiss", "knockout", "open"]


class Row(NamedTuple):
    """A kind of league.

    Attributes:
        table: the name of a table of the simulation.
        players: how many bots.
        bots: `equal`; `ladder`: evenly spaced, with a number by so many points; `lopsided`: the second half is much
            better than the first; `halves`: it is a little better; `outlier`: the last is better than the others, who
            are equal; `perfect`: a ladder and a bot that never loses.
        deals: how many. In a Swiss and a knock-out, in each round; in an open league, how many each bot plays.
        luck: whose luck a deal is.
        ties: how often two equal bots tie.
        draw_probability: how often the rating expects it.
        leagues: how many are simulated.
        format: how bots are paired.
    """

    table: str
    players: int
    bots: str
    deals: int
    luck: Luck
    ties: float = 0.0
    draw_probability: float = 0.01
    leagues: int = 1_000
    format: Format = "round robin"

    @property
    def cells(self) -> tuple[str, ...]:
        """What the table says about the row before it says what was measured."""
        ties = f", {self.ties:.0%} ties" if self.ties else ""
        pairing = "" if self.format == "round robin" else f"{self.format}: "
        return (
            f"{pairing}{self.table}{ties}",
            f"{self.players} {self.bots}",
            str(self.deals),
            self.luck,
            f"{self.leagues:,}",
        )

    @property
    def title(self) -> str:
        """Its name, without the number of leagues."""
        table, bots, deals, luck, _ = self.cells
        return f"{table}, {bots}, {deals} deals, luck of {luck}"

    @property
    def long_model(self) -> Model:
        """What decides the matches of the long league that shows the true ratings.

        Of 16 bots at a table of four there would be millions of matches. Duels show the same: there, too, the ratings
        compare every two bots, by the same performances.
        """
        return self.model if self.format == "round robin" else self.model._replace(table="duel")

    @property
    def model(self) -> Model:
        """What decides its matches."""
        return Model(self.table, _strengths(self.bots, self.players), self.luck, self.ties, self.draw_probability)


def _strengths(bots: str, count: int) -> tuple[float, ...]:
    if bots == "equal":
        return (MU,) * count
    if bots == "lopsided":
        return tuple(MU + _GAP * (number >= count / 2) for number in range(count))
    if bots == "halves":
        return tuple(MU + _HALVES * (number >= count / 2) for number in range(count))
    if bots == "outlier":
        return (*(MU,) * (count - 1), MU + _OUTLIER)
    if bots == "perfect":
        return (*_strengths("ladder", count - 1), PERFECT)
    _, _, given = bots.partition(" ")
    step = float(given) if given else min(_STEP, _SPAN / (count - 1))
    return tuple(MU + step * (number - (count - 1) / 2) for number in range(count))


def _by_results(pairing: Format, table: str, bots: str, deals: int, luck: Luck) -> Row:
    return Row(table, 16, bots, deals, luck, leagues=400, format=pairing)


ROWS = (
    Row("duel", 2, "equal", 6, "nobody"),
    Row("duel", 2, "equal", 10, "nobody"),
    Row("duel", 2, "equal", 10, "seat"),
    Row("duel", 2, "equal", 10, "bot"),
    Row("duel", 2, "equal", 10, "nobody", 0.4),
    Row("duel", 2, "equal", 30, "bot"),
    Row("duel", 2, "equal", 100, "seat"),
    Row("duel", 2, "equal", 200, "bot"),
    Row("duel", 2, "lopsided", 10, "seat"),
    Row("duel", 2, "lopsided", 30, "seat"),
    Row("duel", 2, "lopsided", 100, "seat"),
    Row("duel", 4, "equal", 10, "bot"),
    Row("duel", 4, "ladder", 10, "seat"),
    Row("duel", 4, "ladder", 30, "bot"),
    Row("duel", 4, "ladder", 30, "nobody", 0.4),
    Row("duel", 4, "perfect", 10, "seat"),
    Row("duel", 4, "perfect", 30, "seat"),
    Row("duel", 8, "equal", 6, "bot"),
    Row("duel", 8, "equal", 10, "bot"),
    Row("duel", 8, "equal", 30, "bot"),
    Row("duel", 8, "equal", 30, "seat", 0.4, 0.1),
    Row("duel", 8, "lopsided", 10, "bot"),
    Row("duel", 8, "ladder", 10, "bot"),
    Row("duel", 8, "ladder", 30, "bot"),
    Row("duel", 8, "ladder", 100, "nobody"),
    Row("duel", 16, "ladder", 10, "seat"),
    Row("duel", 16, "ladder", 30, "bot"),
    Row("duel", 64, "ladder", 10, "bot", leagues=100),
    Row("free-for-all", 4, "equal", 10, "bot"),
    Row("free-for-all", 4, "equal", 30, "seat", 0.4, 0.1),
    Row("free-for-all", 5, "perfect", 10, "seat"),
    Row("free-for-all", 6, "ladder", 10, "seat"),
    Row("free-for-all", 8, "ladder", 10, "bot"),
    Row("free-for-all, copies", 3, "equal", 10, "bot"),
    Row("2v2", 4, "equal", 10, "bot"),
    Row("2v2", 5, "ladder", 10, "seat"),
    Row("2v2", 6, "lopsided", 30, "bot"),
    Row("2v2, teams", 4, "ladder", 10, "seat"),
    Row("2v1", 4, "ladder", 10, "seat"),
    Row("2v1", 5, "equal", 30, "bot"),
    Row("2v1, teams", 3, "equal", 10, "seat"),
    Row("dealt roles", 4, "equal", 20, "seat"),
    Row("dealt roles", 5, "ladder", 30, "bot"),
    Row("dealt roles, copies", 2, "equal", 10, "seat"),
    Row("dealt roles, copies", 2, "equal", 20, "bot"),
    Row("dealt roles, copies", 3, "ladder", 20, "bot"),
    Row("strong role, copies", 2, "equal", 20, "nobody", leagues=4_000),
    Row("cooperation", 4, "equal", 10, "deal"),
    Row("cooperation", 4, "ladder", 30, "deal"),
    Row("cooperation", 8, "ladder", 10, "bot"),
    Row("cooperation, teams", 2, "equal", 10, "deal"),
    Row("cooperation, teams", 4, "ladder", 30, "deal"),
    Row("cooperation, teams", 6, "ladder", 100, "bot"),
    _by_results("swiss", "duel", "equal", 4, "nobody"),
    _by_results("swiss", "duel", "equal", 10, "bot"),
    _by_results("swiss", "duel", "equal", 30, "seat"),
    _by_results("swiss", "duel", "ladder 0.1", 10, "nobody"),
    _by_results("swiss", "duel", "ladder 0.25", 4, "seat"),
    _by_results("swiss", "duel", "ladder 0.25", 10, "bot"),
    _by_results("swiss", "duel", "ladder 0.5", 10, "nobody"),
    _by_results("swiss", "duel", "ladder 1", 30, "bot"),
    _by_results("swiss", "duel", "halves", 10, "nobody"),
    _by_results("swiss", "duel", "outlier", 10, "bot"),
    _by_results("swiss", "free-for-all", "equal", 10, "bot"),
    _by_results("swiss", "free-for-all", "ladder 0.5", 10, "nobody"),
    _by_results("knockout", "duel", "equal", 10, "nobody"),
    _by_results("knockout", "duel", "equal", 30, "bot"),
    _by_results("knockout", "duel", "ladder 0.25", 30, "bot"),
    _by_results("knockout", "duel", "ladder 1", 30, "nobody"),
    _by_results("knockout", "duel", "halves", 30, "seat"),
    _by_results("knockout", "free-for-all", "equal", 10, "bot"),
    _by_results("open", "duel", "equal", 10, "nobody"),
    _by_results("open", "duel", "equal", 30, "bot"),
    _by_results("open", "duel", "ladder 0.25", 30, "nobody"),
    _by_results("open", "duel", "ladder 0.5", 30, "bot"),
    _by_results("open", "duel", "outlier", 30, "nobody"),
    _by_results("open", "free-for-all", "ladder 1", 30, "bot"),
)
"""At most 80. The last 24 are formats that pair by results."""


class Figures(NamedTuple):
    """Shares of one league, each from 0 to 1, or means of shares over leagues. None where there is nothing to measure.

    Attributes:
        interval: the bots whose interval contains what their rating comes to after a very long league.
        difference: the pairs whose interval of the difference contains what that comes to.
        separated: the pairs that are separated.
        false: the pairs that are separated though they are equal, or the wrong way round.
        order: Spearman's correlation of the ratings with the strengths; no share, it is -1 at the worst.
        best: the leagues in which all bots that are really the best are among those that may be; only in JSON.
    """

    interval: float | None
    difference: float | None
    separated: float | None
    false: float | None
    order: float | None
    best: float | None


class Measured(NamedTuple):
    """A row with its figures.

    Attributes:
        leagues: how many were simulated.
        means: over these.
        errors: the standard errors of the means.
    """

    row: Row
    leagues: int
    means: Figures
    errors: Figures


def league(row: Row, number: int) -> list[Contest]:
    """League `number` of a row."""
    return _leagues(row).contests(seeds.child(_SEED, row.title, str(number), "luck"))


def compared(row: Row, known: Truth, contests: Sequence[Contest], number: int) -> Figures:
    """The league rated, and held to the truth."""
    leagues, seed = _leagues(row), seeds.child(_SEED, row.title, str(number))
    field_of = estimated_field if row.format == "swiss" else None
    drawn = seeds.child(seed, "bootstrap")
    found = bootstrap(contests, leagues.names, row.draw_probability, drawn, field_of=field_of)
    strengths = dict(zip(leagues.names, row.model.strengths, strict=True))
    every = list(combinations(leagues.names, 2))
    comparable = [pair for pair in every if all(map(found.has_interval, pair))]
    most = _MOST_PAIRS if row.format == "round robin" else len(comparable)
    pairs = [comparable[at] for at in seeds.permutation(seed, len(comparable))[:most]]
    separated = [pair for pair in pairs if found.separated(*pair)]
    best = {bot for bot in leagues.names if found.has_interval(bot) and strengths[bot] == max(row.model.strengths)}
    rank = Leads(found, seeds.child(seed, "best")).ranks()
    return Figures(
        None if row.bots == "perfect" else fmean(_intervals(found, known)),
        fmean(_differences(found, known, pairs)),
        len(separated) / len(pairs),
        sum(_is_false(found, strengths, *pair) for pair in separated) / len(pairs),
        None if row.bots == "equal" else _order(found, strengths),
        float(all(rank[bot].may_be_best for bot in best)) if best else None,
    )


def _intervals(found: Bootstrap, known: Truth) -> Iterator[bool]:
    for bot, rating in known.items():
        interval = found.interval(bot)
        if interval is not None:
            yield interval[0] <= rating <= interval[1]


def _differences(found: Bootstrap, known: Truth, pairs: Iterable[tuple[str, str]]) -> Iterator[bool]:
    for a, b in pairs:
        difference = found.difference(a, b)
        assert difference is not None
        if a in known and b in known:
            yield difference[0] <= known[a] - known[b] <= difference[1]


def _is_false(found: Bootstrap, strengths: Truth, a: str, b: str) -> bool:
    """Whether the bots are equal, or rated the wrong way round."""
    return (found.ratings[a].mu - found.ratings[b].mu) * (strengths[a] - strengths[b]) <= 0


def _order(found: Bootstrap, strengths: Truth) -> float:
    from scipy.stats import spearmanr  # noqa: PLC0415 - takes a second to import

    return float(spearmanr(list(strengths.values()), [found.ratings[bot].mu for bot in strengths]).statistic)


@lru_cache(2)
def _leagues(row: Row) -> Leagues | AdaptiveLeagues:
    match row.format:
        case "swiss":
            return AdaptiveLeagues(row.model, row.deals, SwissSettings())
        case "knockout":
            return AdaptiveLeagues(row.model, row.deals, KnockoutSettings())
        case "open":
            return AdaptiveLeagues(row.model, 1, OpenSettings(matches=row.deals * row.players))
        case _:
            return Leagues(row.model, row.deals)


def known_of(model: Model) -> Truth:
    """By bot, what its rating comes to after a very long league. A bot that never loses has no such rating."""
    names = names_of(model)
    if len(set(model.strengths)) == 1:
        return dict.fromkeys(names, MU)
    long = truth(model, _SEED)
    return {name: long[name] for name, strength in zip(names, model.strengths, strict=True) if strength != PERFECT}


def _piece(row: Row, known: Truth, numbers: Sequence[int]) -> list[Figures]:
    return [compared(row, known, league(row, number), number) for number in numbers]


def summed_up(row: Row, seen: Sequence[Figures]) -> Measured:
    """The figures of a row from those of its leagues; at least two."""
    columns = [[value for value in column if value is not None] for column in zip(*seen, strict=True)]
    means = Figures(*(fmean(column) if column else None for column in columns))
    errors = Figures(*(stdev(column) / math.sqrt(len(column)) if column else None for column in columns))
    return Measured(row, len(seen), means, errors)


def measured(rows: Sequence[Row], most: int | None) -> Iterator[Measured]:
    """The figures of all rows, from no more than `most` leagues of each."""
    with ProcessPoolExecutor(_WORKERS, mp_context=get_context("spawn")) as pool:
        models = dict.fromkeys(row.long_model for row in rows)
        known = dict(zip(models, pool.map(known_of, models), strict=True))
        tasks = [(row, _tasks(pool, row, known[row.long_model], most)) for row in rows]
        for row, pieces in tasks:
            yield summed_up(row, [figures for piece in pieces for figures in piece.result()])


def _tasks(pool: ProcessPoolExecutor, row: Row, known: Truth, most: int | None) -> list[Future[list[Figures]]]:
    leagues = min(row.leagues, most or row.leagues)
    return [pool.submit(_piece, row, known, range(first, leagues, _PIECES)) for first in range(_PIECES)]


HEAD = """\
| table | bots | deals | luck | leagues | interval | difference | separated | falsely | order |
|---|---|---|---|---|---|---|---|---|---|
"""


def line(found: Measured) -> str:
    """A row of the table in docs/ratings.md. Formats that pair by results claim nothing outside of 93 to 98 %."""
    interval, difference, separated, false, order, _ = found.means
    claimed = found.row.format == "round robin" or difference is None or 0.93 <= difference <= 0.98
    shares = (
        _percent(interval, found.errors.interval),
        f"{_percent(difference, found.errors.difference)}{'' if claimed else ' (no claim)'}",
        "-" if separated is None else f"{separated:.0%}".removesuffix("%"),
        _percent(false, found.errors.false),
        "-" if order is None else f"{order:.2f}",
    )
    cells = (*found.row.cells[:-1], f"{found.leagues:,}", *shares)
    return f"| {' | '.join(cells)} |"


def _percent(mean: float | None, error: float | None) -> str:
    return "-" if mean is None or error is None else f"{100 * mean:.1f} ± {100 * error:.1f}"


def _as_json(found: Measured) -> dict[str, Any]:
    return found.row._asdict() | {
        "leagues": found.leagues,
        "means": found.means._asdict(),
        "errors": found.errors._asdict(),
    }


def main(arguments: Sequence[str]) -> int:
    """Measure, print and write; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration")
    parser.add_argument("--leagues", type=int, metavar="N", help="no more than N leagues of each row, at least 8")
    parser.add_argument("--rows", default="", metavar="TEXT", help="only the rows with this text in their names")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    rows = [row for row in ROWS if given.rows in row.title]
    if not rows:
        parser.error(f"--rows: no row has {given.rows!r} in its name; a name is {ROWS[0].title!r}")
    if given.leagues is not None and given.leagues < 2 * _PIECES:
        parser.error(f"--leagues: at least {2 * _PIECES}, not {given.leagues}")
    found = []
    for one in measured(rows, given.leagues):
        found.append(one)
        if not given.json:
            print(line(one), flush=True)
    if given.json:
        print(json.dumps([_as_json(one) for one in found], indent=2))
    if rows == list(ROWS) and given.leagues is None:
        text = DOCUMENT.read_text(encoding="utf-8")
        table = HEAD + "".join(f"{line(one)}\n" for one in found)
        DOCUMENT.write_text(BLOCK.sub(lambda _: table, text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
