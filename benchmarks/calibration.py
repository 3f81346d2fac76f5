"""How far one can trust what is said of ratings: simulated leagues of known strength, rated by the real functions.

    python -m benchmarks.calibration [--leagues N] [--table NAME] [--rows TEXT] [--json] [--write]

There are four tables: `intervals` of ratings, who may be the `best` with the places of bots, the `fit` of one number,
and the shares `overall` of several tables. `--rows` takes the rows with this text in their names, such as "duel, 8";
`--leagues` simulates no more than N leagues of each row. `--write` writes the tables that are measured whole into
docs/ratings.md. All leagues of all rows take about an hour on two cores that have nothing else to do.
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
from operator import eq, gt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy.special import ndtr, ndtri

from benchmarks.simulation import PERFECT, AdaptiveLeagues, Leagues, Luck, Model, names_of, truth
from referee.core import seeds
from tournaments.league.format_settings import (
    BalancedSettings,
    GauntletSettings,
    KnockoutSettings,
    OpenSettings,
    SwissSettings,
)
from tournaments.rating.contest import Contest
from tournaments.rating.field_estimate import estimated_field
from tournaments.rating.intervals import Bootstrap, bootstrap
from tournaments.rating.leads import Leads
from tournaments.rating.misfit import best_mix, misfit
from tournaments.rating.overall import Overall, rate_tables
from tournaments.rating.scale import BETA, MU

DOCUMENT = Path(__file__).parents[1] / "docs" / "ratings.md"
BLOCK = re.compile(r"(?<=<!-- written by benchmarks/calibration.py: )(\w+) -->\n(.*?)(?=<!-- end -->)", re.DOTALL)
"""The name of a table, and the table."""

_SEED = seeds.from_text("calibration")
_WORKERS = 2
_PIECES = 4
"""The leagues of a row are shared out in so many tasks."""
_MOST_PAIRS = 15
"""The differences of so many pairs of bots are looked at in a round robin; of six bots these are all."""
_STEP, _SPAN, _GAP = 2.0, 14.0, 8.0
"""Points between neighbours of a ladder, at most between its ends, and between the halves of a lopsided league."""
_BALANCED = 16
"""In a balanced league a bot plays so many matches of each deal."""
_HALVES, _OUTLIER = 2.0, 6.0
"""Points between two halves that are near each other, or the one that is ahead and the others, who are equal; and
between an outlier and the others."""

_AHEAD = {"lopsided": (_GAP, 0.5), "halves": (_HALVES, 0.5), "outlier": (_OUTLIER, 0), "ahead": (_HALVES, 0)}
"""By how many points the last bots are better, and which part of all bots comes before them; 0: all but one."""

Truth: TypeAlias = Mapping[str, float]
Format: TypeAlias = Literal["round robin", "swiss", "knockout", "open", "gauntlet", "balanced"]
Table: TypeAlias = Literal["intervals", "best", "fit", "overall"]


class Row(NamedTuple):
    """A kind of league.

    Attributes:
        table: the name of a table of the simulation.
        players: how many bots.
        bots: `equal`; `ladder`: evenly spaced, with a number by so many points; `lopsided`: the second half is much
            better than the first; `halves`: it is a little better; `outlier`: the last is better than the others, who
            are equal; `ahead`: it is a little better; `perfect`: a ladder and a bot that never loses; `cycle`: equal
            but for a cycle, in which each beats the next one in so many of 100 matches; `styles`: a ladder with a step
            of one point, and each two suit each other differently, by so many points; `specialists`: at three tables,
            a ladder, the same turned round, and all equal; `masters`: a ladder with a step of one point, and at each of
            three tables other strengths besides.
        deals: how many. In a Swiss and a knock-out, in each round; in an open league, how many each bot plays.
        luck: whose luck a deal is.
        ties: how often two equal bots tie.
        draw_probability: how often the rating expects it.
        leagues: how many are simulated.
        format: how bots are paired.
        of: the table that it belongs to.
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
    of: Table = "intervals"

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
        of = "" if self.of == "intervals" else f"{self.of}: "
        return f"{of}{table}, {bots}, {deals} deals, luck of {luck}"

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
        strengths, styles = _strengths(self.bots, self.players), _styles(self.bots, self.players)
        return Model(self.table, strengths, self.luck, self.ties, self.draw_probability, styles)


def _strengths(bots: str, count: int) -> tuple[float, ...]:
    if bots in {"equal", "masters", "specialists"} or bots.startswith("cycle"):
        return (MU,) * count
    if bots in _AHEAD:
        by, part = _AHEAD[bots]
        return tuple(MU + by * (number >= (count * part if part else count - 1)) for number in range(count))
    if bots.startswith("styles"):
        return _strengths("ladder 1", count)
    if bots == "perfect":
        return (*_strengths("ladder", count - 1), PERFECT)
    _, _, given = bots.partition(" ")
    step = float(given) if given else min(_STEP, _SPAN / (count - 1))
    return tuple(MU + step * (number - (count - 1) / 2) for number in range(count))


def _styles(bots: str, count: int) -> tuple[tuple[float, ...], ...]:
    """How much better each performs against each other, in points."""
    kind, _, size = bots.partition(" ")
    if kind == "cycle":
        gain = float(ndtri(float(size) / 100)) * BETA * math.sqrt(2)
        return tuple(tuple(gain * (0, 1, -1)[(other - one) % 3] for other in range(count)) for one in range(count))
    if kind == "styles":
        drawn = np.triu(np.random.default_rng(count).normal(0, float(size), (count, count)), 1)
        return tuple(map(tuple, (drawn - drawn.T).tolist()))
    return ()


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
    Row("own luck", 6, "equal", 20, "nobody"),
    Row("strong seat, own luck", 2, "equal", 20, "nobody"),
    Row("strong seat, own luck", 6, "equal", 20, "nobody"),
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


def _best(
    players: int,
    bots: str,
    *deals: int,
    luck: Luck = "nobody",
    ties: float = 0.0,
    table: str = "duel",
    pairing: Format = "round robin",
) -> Iterator[Row]:
    for number in deals:
        yield Row(table, players, bots, number, luck, ties, format=pairing, of="best")


BEST = (
    *_best(4, "equal", 6, 10, 20, 100),
    *_best(8, "equal", 6, 10, 20, 100),
    *_best(8, "equal", 10, luck="bot"),
    *_best(16, "equal", 6, 10, 20, 100),
    *_best(16, "equal", 10, luck="bot"),
    *_best(16, "equal", 10, ties=0.4),
    *_best(24, "equal", 6, 10, 20, 100),
    *_best(8, "halves", 10, 20),
    *_best(8, "lopsided", 10, 20),
    *_best(16, "halves", 10, 20),
    *_best(8, "ladder 1.04", 10, 20),
    *_best(8, "ladder 2.08", 10, 20),
    *_best(8, "ladder 4.17", 10, 20),
    *_best(16, "ladder 2.08", 10),
    *_best(8, "ahead", 20),
    *_best(16, "ahead", 20),
    *_best(16, "equal", 5, 10, pairing="swiss"),
    *_best(16, "halves", 10, pairing="swiss"),
    *_best(16, "ladder 1.04", 10, pairing="swiss"),
    *_best(16, "equal", 5, 10, 20, pairing="knockout"),
    *_best(16, "halves", 20, pairing="knockout"),
    *_best(12, "equal", 10, pairing="gauntlet"),
    *_best(12, "equal", 100, pairing="open"),
    *_best(8, "equal", 10, table="free-for-all"),
    *_best(8, "equal", 20, table="own luck"),
    *_best(8, "equal", 20, table="strong seat, own luck"),
    *_best(8, "equal", 15, table="cooperation"),
    *_best(5, "equal", 20, table="strong role"),
    *_best(9, "equal", 20, table="strong role", pairing="balanced"),
    *_best(16, "equal", 10, table="strong role", pairing="swiss"),
)


def _fit(players: int, bots: str, *deals: int, luck: Luck = "nobody") -> Iterator[Row]:
    for number in deals:
        yield Row("duel", players, bots, number, luck, of="fit")


_FIELDS = ((4, "equal"), (8, "equal"), (8, "lopsided"), (8, "ladder 2"), (16, "ladder 1"))
FIT = (
    *(row for field in _FIELDS for row in _fit(*field, 6, 10, 100)),
    *(row for field in _FIELDS for row in _fit(*field, 10, 100, luck="bot")),
    *(row for field in _FIELDS for row in _fit(*field, 10, luck="seat")),
    *_fit(3, "cycle 90", 10, 30, 100),
    *_fit(6, "cycle 60", 10, 30, 100),
    *_fit(8, "styles 1", 10, 30, 100),
    *_fit(8, "styles 2", 10, 30, 100),
    *_fit(16, "styles 1", 10, 30, 100),
)

OVERALL = tuple(
    Row("duel", 8, bots, deals, "nobody", of="overall") for bots in ("masters", "specialists") for deals in (15, 60)
)
"""At each of three tables, which share their deals. No deal has luck of its own, so that the true shares are known."""

EVERY: Mapping[Table, tuple[Row, ...]] = {"intervals": ROWS, "best": BEST, "fit": FIT, "overall": OVERALL}


class Figures(NamedTuple):
    """Shares of one league, each from 0 to 1, or means of shares over leagues. None where there is nothing to measure.

    Attributes:
        interval: the bots whose interval contains what their rating comes to after a very long league.
        difference: the pairs whose interval of the difference contains what that comes to.
        separated: the pairs that are separated.
        false: the pairs that are separated though they are equal, or the wrong way round.
        order: Spearman's correlation of the ratings with the strengths; no share, it is -1 at the worst.
        best: the leagues in which all bots that are really the best are among those that may be.
        size: the bots that may be the best.
        places: the bots whose interval of places contains all places that they may take.
        width: the mean number of places in such an interval; no share.
        alarm: the leagues with a chance of at most 5 % that one number describes the bots.
        strict: the same with at most 1 %.
        misfit: how far the share of a usual pair is from what the ratings expect.
        mix: the bots whose interval of the share against the best mix contains the true one.
    """

    interval: float | None = None
    difference: float | None = None
    separated: float | None = None
    false: float | None = None
    order: float | None = None
    best: float | None = None
    size: float | None = None
    places: float | None = None
    width: float | None = None
    alarm: float | None = None
    strict: float | None = None
    misfit: float | None = None
    mix: float | None = None


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
    if row.of == "overall":
        return _overall(row, seed)
    if row.of == "fit":
        return _fitted(row, bootstrap(contests, leagues.names, row.draw_probability, seed, resamples=1), seed)
    field_of = estimated_field if row.format == "swiss" else None
    drawn = seeds.child(seed, "bootstrap")
    found = bootstrap(contests, leagues.names, row.draw_probability, drawn, field_of=field_of)
    strengths = dict(zip(leagues.names, row.model.strengths, strict=True))
    ranks = Leads(found, seeds.child(seed, "best")).ranks()
    ranked = {bot: strengths[bot] for bot in ranks}
    best = [ranks[bot].may_be_best for bot in ranks if strengths[bot] == max(row.model.strengths)]
    held = Figures(
        best=float(all(best)) if best else None,
        size=fmean(rank.may_be_best for rank in ranks.values()),
        places=fmean(_has_its_places(ranked, bot, rank.interval) for bot, rank in ranks.items()),
        width=fmean(rank.interval[1] - rank.interval[0] + 1 for rank in ranks.values()),
    )
    if row.of == "best":
        return held
    every = list(combinations(leagues.names, 2))
    comparable = [pair for pair in every if all(map(found.has_interval, pair))]
    most = _MOST_PAIRS if row.format == "round robin" else len(comparable)
    pairs = [comparable[at] for at in seeds.permutation(seed, len(comparable))[:most]]
    separated = [pair for pair in pairs if found.separated(*pair)]
    return held._replace(
        interval=None if row.bots == "perfect" else fmean(_intervals(found, known)),
        difference=fmean(_differences(found, known, pairs)),
        separated=len(separated) / len(pairs),
        false=sum(_is_false(found, strengths, *pair) for pair in separated) / len(pairs),
        order=None if row.bots == "equal" else _order(found, strengths),
    )


def _has_its_places(strengths: Truth, bot: str, interval: tuple[int, int]) -> bool:
    better, equal = (sum(of(other, strengths[bot]) for other in strengths.values()) for of in (gt, eq))
    return bool(interval[0] <= better + 1 and better + equal <= interval[1])


def _fitted(row: Row, found: Bootstrap, seed: bytes) -> Figures:
    tested = misfit(found, row.draw_probability, seed)
    assert tested is not None
    chance, mix = tested.fit.chance, None
    if tested.bots:
        gaps = np.subtract.outer(row.model.strengths, row.model.strengths) + np.array(row.model.styles or 0)
        shares = ndtr(gaps / (BETA * math.sqrt(2)))
        true = dict(zip(_leagues(row).names, (shares @ best_mix(shares)).tolist(), strict=True))
        mix = fmean(
            low - 1e-6 <= true[bot] <= high + 1e-6 for bot, each in tested.bots.items() for low, high in [each.interval]
        )
    return Figures(alarm=chance <= 0.05, strict=chance <= 0.01, misfit=tested.fit.difference, mix=mix)


def _overall(row: Row, seed: bytes) -> Figures:
    """A league of three tables."""
    ladder = np.arange(row.players) - (row.players - 1) / 2
    special = np.random.default_rng(row.players).normal(0, 1, (3, row.players))
    strengths = MU + (np.outer([1, -1, 0], ladder) if row.bots == "specialists" else ladder + special)
    names, draws = names_of(row.model), row.draw_probability
    contests = {
        str(at): _at_table(row, tuple(each)).contests(seeds.child(seed, "luck", str(at)))
        for at, each in enumerate(strengths.tolist())
    }
    found = Overall(rate_tables(contests, names, draws, seeds.child(seed, "bootstrap")), names)
    true = np.mean([(ndtr(np.subtract.outer(each, each) / (BETA * math.sqrt(2))).sum(axis=1) - 0.5) / (len(each) - 1)
                    for each in strengths], axis=0)  # fmt: skip
    ends = [found.of(name).interval or (1.0, 0.0) for name in names]
    leads = [(true[a] - true[b], found.difference(names[a], names[b])) for a, b in combinations(range(len(names)), 2)]
    apart = [(low > 0) - (high < 0) for _, (low, high) in leads]
    return Figures(
        interval=fmean(low <= share <= high for share, (low, high) in zip(true.tolist(), ends, strict=True)),
        difference=fmean(low - 1e-9 <= lead <= high + 1e-9 for lead, (low, high) in leads),
        separated=fmean(map(abs, apart)),
        false=fmean(side != 0 and side * lead <= 1e-9 for side, (lead, _) in zip(apart, leads, strict=True)),
    )


@lru_cache(4)
def _at_table(row: Row, strengths: tuple[float, ...]) -> Leagues:
    return Leagues(row.model._replace(strengths=strengths), row.deals)


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
        case "gauntlet":
            return AdaptiveLeagues(row.model, row.deals, GauntletSettings(names_of(row.model)[:2]))
        case "balanced":
            return AdaptiveLeagues(row.model, row.deals, BalancedSettings(matches=_BALANCED * row.deals))
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
    errors = Figures(*(stdev(column) / math.sqrt(len(column)) if len(column) > 1 else None for column in columns))
    return Measured(row, len(seen), means, errors)


def measured(rows: Sequence[Row], most: int | None) -> Iterator[Measured]:
    """The figures of all rows, from no more than `most` leagues of each."""
    with ProcessPoolExecutor(_WORKERS, mp_context=get_context("spawn")) as pool:
        models = dict.fromkeys(row.long_model for row in rows if row.of == "intervals")
        known = dict(zip(models, pool.map(known_of, models), strict=True))
        tasks = [(row, _tasks(pool, row, known.get(row.long_model, {}), most)) for row in rows]
        for row, pieces in tasks:
            yield summed_up(row, [figures for piece in pieces for figures in piece.result()])


def _tasks(pool: ProcessPoolExecutor, row: Row, known: Truth, most: int | None) -> list[Future[list[Figures]]]:
    leagues = min(row.leagues, most or row.leagues)
    return [pool.submit(_piece, row, known, range(first, leagues, _PIECES)) for first in range(_PIECES)]


HEADS: Mapping[Table, str] = {
    "intervals": "interval | difference | separated | falsely | order",
    "best": "all the best | of all bots | places | width",
    "fit": "at 5 % | at 1 % | difference | best mix",
    "overall": "interval | difference | separated | falsely",
}


def head(table: Table) -> str:
    """The first two lines of a table."""
    columns = f"| table | bots | deals | luck | leagues | {HEADS[table]} |\n"
    return f"{columns}{'|---' * (columns.count('|') - 1)}|\n"


def line(found: Measured) -> str:
    """A row of the table in docs/ratings.md. Formats that pair by results claim nothing outside of 93 to 98 %."""
    means, errors = found.means, found.errors
    claimed = found.row.format == "round robin" or means.difference is None or 0.93 <= means.difference <= 0.98
    shares: Mapping[Table, Sequence[str]] = {
        "intervals": (
            _percent(means.interval, errors.interval),
            f"{_percent(means.difference, errors.difference)}{'' if claimed else ' (no claim)'}",
            "-" if means.separated is None else f"{means.separated:.0%}".removesuffix("%"),
            _percent(means.false, errors.false),
            "-" if means.order is None else f"{means.order:.2f}",
        ),
        "best": (
            _percent(means.best, errors.best),
            _percent(means.size, errors.size),
            _percent(means.places, errors.places),
            "-" if means.width is None else f"{means.width:.1f}",
        ),
        "fit": (
            _percent(means.alarm, errors.alarm),
            _percent(means.strict, errors.strict),
            _percent(means.misfit, errors.misfit),
            _percent(means.mix, errors.mix),
        ),
        "overall": (
            _percent(means.interval, errors.interval),
            _percent(means.difference, errors.difference),
            "-" if means.separated is None else f"{means.separated:.0%}".removesuffix("%"),
            _percent(means.false, errors.false),
        ),
    }
    cells = (*found.row.cells[:-1], f"{found.leagues:,}", *shares[found.row.of])
    return f"| {' | '.join(cells)} |"


def _percent(mean: float | None, error: float | None) -> str:
    return "-" if mean is None or error is None else f"{100 * mean:.1f}±{100 * error:.1f}"


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
    parser.add_argument("--table", choices=list(EVERY), help="only the rows of this table")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", action="store_true", help="write whole tables into docs/ratings.md")
    given = parser.parse_args(arguments)
    tables = [given.table] if given.table else list(EVERY)
    rows = [row for table in tables for row in EVERY[table] if given.rows in row.title]
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
    if given.write and not given.rows:
        written = {table: "".join(f"{line(one)}\n" for one in found if one.row.of == table) for table in tables}
        text = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(BLOCK.sub(lambda old: _table(old, written), text), encoding="utf-8")
    return 0


def _table(old: re.Match[str], written: Mapping[Table, str]) -> str:
    """A table of the document with the lines that were measured, or as it was."""
    table: Table = next(name for name in EVERY if name == old[1])
    return f"{table} -->\n{head(table)}{written[table]}" if table in written else old[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
