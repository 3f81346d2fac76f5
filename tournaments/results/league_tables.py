"""The tables of a league that take long to compute, in the parts in which they are kept and shown.

Ratings depend only on places and sides, so they use all matches that count; where sides are dealt, those that
`public_results` gives. A table has its figures on times, on sides that are dealt, and on the seats of such tables
twice: of all matches, for the organizer, and of those that everybody may see (`known`).
"""

import itertools
import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from tournaments.league.model import League
from tournaments.league.status import Progress
from tournaments.rating.bot_records import BotRecords, CostMeans, DecisionTotals, SeatRecord, SideRecord, records
from tournaments.rating.contest import Contest, contests
from tournaments.rating.cooperation import Cooperation
from tournaments.rating.fit import Fit
from tournaments.rating.tally import growing
from tournaments.results.bot_losses import BotLosses, Highlights, losses_of
from tournaments.results.crosstable import Crosstable, PairResults, crosstable_of
from tournaments.results.public_results import Match, ends_of_deals
from tournaments.results.standings import CellView, Placement, Standings, StandingView, TableInputs, standings_of
from tournaments.schedule.formats import Bracket, SwissStanding

if TYPE_CHECKING:
    from tournaments.rating.ranking import FullCount, Ranking
    from tournaments.rating.ratings import FieldEstimate

POINTS = 12
"""At so many points of a league its bots are rated to show how the ratings went."""

_DIGITS = 4


class Summary(msgspec.Struct, frozen=True):
    """The facts that all parts have in common.

    Attributes:
        at_ms: when they were computed, in milliseconds since 1970 (UTC).
        progress: how far the league was.
        matches: how many matches the tables were computed from.
        is_over: whether nothing remained, and nothing more was to be decided.
        digest: that of all matches that the tables were computed from.
        order: the bots, best first, group after group.
        groups: how many groups of bots never met.
        tables: the names of the tables with lines of their own; empty if there is only one.
        suspended: the suspended bots.
    """

    at_ms: int
    progress: Progress
    matches: int
    is_over: bool
    digest: str
    order: tuple[str, ...]
    groups: int
    tables: tuple[str, ...]
    suspended: tuple[str, ...]


class StandingsPart(msgspec.Struct, frozen=True):
    """A table of the league.

    Attributes:
        matches: how many matches counted for it.
        digest: that of these matches.
        groups: how many groups of bots never met.
        lines: best first, group after group, as anybody may see them; without authors.
        all_ms: for the organizer: by bot, its mean thinking time for a decision, those on open deals included.
        all_costs: for the organizer: by bot, what its decisions cost, those on open deals included.
        fit: whether one number describes the bots; None where this is not tested.
        best_ms: the moment of the last full count, whose ranks and bots that may be the best these are, in milliseconds
            since 1970 (UTC); None: that of the table.
    """

    matches: int
    digest: str
    groups: int
    lines: tuple[StandingView, ...]
    all_ms: dict[str, float | None]
    all_costs: dict[str, CostMeans] = {}
    fit: Fit | None = None
    best_ms: int | None = None


class Sides(msgspec.Struct, frozen=True):
    """How seats and sides fared, over all bots; `known_seats` and `known_sides`: as far as everybody may know it."""

    seats: tuple[SeatRecord, ...]
    sides: tuple[SideRecord, ...]
    known_seats: tuple[SeatRecord, ...]
    known_sides: tuple[SideRecord, ...]
    cooperation: tuple[Cooperation, ...]


class CrosstableCell(CellView, frozen=True, array_like=True, gc=False):
    """A cell of the crosstable in few bytes. A page of 500 bots reads 25,000 of them."""


class BotPart(msgspec.Struct, frozen=True):
    """The stored figures of one bot.

    Attributes:
        sides: how it fared on each side.
        seats: how it fared in each seat.
        known_sides: as `sides`, as far as everybody may know it.
        known_seats: as `seats`, as far as everybody may know it.
        faults: how many matches its fault cut short, by kind.
        row: its row of the crosstable, in the order of the summary; None where it meets itself, or where there is
            nothing to say.
    """

    sides: tuple[SideRecord, ...]
    seats: tuple[SeatRecord, ...]
    known_sides: tuple[SideRecord, ...]
    known_seats: tuple[SeatRecord, ...]
    faults: dict[str, int]
    row: tuple[CrosstableCell | None, ...]


class RowOfBot(msgspec.Struct, frozen=True):
    """The row in `BotPart`, whose cells are not read yet: a page of the crosstable needs only some of them."""

    row: tuple[msgspec.Raw, ...]


class Ratings(msgspec.Struct, frozen=True):
    """Ratings over matches, in plan order.

    Attributes:
        matches: how many matches counted at each point.
        bots: by name, the rating at each point; None before its first match.
    """

    matches: tuple[int, ...]
    bots: dict[str, tuple[float | None, ...]]


class Rounds(msgspec.Struct, frozen=True):
    """The bracket of a knock-out, or the table of a Swiss; neither in other formats."""

    bracket: Bracket | None = None
    swiss: tuple[SwissStanding, ...] | None = None


class Tables(msgspec.Struct, frozen=True):
    """All of it.

    Attributes:
        standings: the table of the league as the organizer sees it.
        summary: what the parts that are shown have in common.
        lines: the table of the league.
        by_table: the same for each of several tables alone, by name.
        sides: how seats and sides fared.
        ratings: ratings over matches.
        rounds: those of a knock-out or a Swiss.
        bots: by name.
        losses: those of each bot, by name.
        highlights: the matches that are worth a look.
        full: the last full count.
    """

    standings: Standings
    summary: Summary
    lines: StandingsPart
    by_table: dict[str, StandingsPart]
    sides: Sides
    ratings: Ratings
    rounds: Rounds
    bots: dict[str, BotPart]
    losses: dict[str, BotLosses]
    highlights: Highlights
    full: "FullCount"


def tables(
    inputs: TableInputs,
    rounds: Rounds,
    progress: Progress,
    at_ms: int,
    before: "FullCount | None" = None,
    *,
    is_over: bool,
) -> Tables:
    """Compute the tables, as of `at_ms`, in milliseconds since 1970 (UTC).

    `is_over` says whether nothing remains, and nothing more will be decided. Then all is counted, and otherwise what
    `before`, the last full count, leaves to count.
    """
    ranked, ratings = _rated(inputs, None if is_over else before, at_ms)
    standings = standings_of(inputs, ranked)
    crossed = crosstable_of(inputs, ranked)
    order = tuple(line.bot for line in standings.standings)
    names = sorted({table.name for table in inputs.league.tables}) if len(inputs.league.tables) > 1 else []
    records = _public_records(inputs)
    losses, highlights = losses_of(inputs.league, ranked, _public_matches(inputs), inputs.deals)
    return Tables(
        standings=standings,
        summary=Summary(
            at_ms=at_ms,
            progress=progress,
            matches=len(inputs.matches),
            is_over=is_over,
            digest=standings.digest,
            order=order,
            groups=len(standings.groups),
            tables=tuple(names),
            suspended=standings.suspended,
        ),
        lines=replace(
            _lines(inputs, standings, ratings, records), best_ms=before.at_ms if ranked.full is before else None
        ),
        by_table={name: _lines_at(inputs, name) for name in names},
        sides=Sides(standings.seats, standings.sides, records.seats, records.sides, standings.cooperation),
        ratings=ratings,
        rounds=rounds,
        bots=dict(_bots(inputs, standings, records, crossed)),
        losses=losses,
        highlights=highlights,
        full=ranked.full,
    )


def _public_records(inputs: TableInputs) -> BotRecords:
    """How bots, seats and sides fared in the matches whose sides and scores everybody may know."""
    return records(inputs.league, _public_matches(inputs))


def _public_matches(inputs: TableInputs) -> list[Match]:
    """The matches whose sides and scores everybody may know."""
    dealt = {table.name for table in inputs.league.tables if table.deals_sides}
    return [match for match in inputs.matches if match[0].table not in dealt or inputs.deals.is_closed(match[0])]


def _lines_at(inputs: TableInputs, table: str) -> StandingsPart:
    """The table of one of the league's tables: what was played at others changes nothing."""
    here = replace(inputs, matches=[match for match in inputs.matches if match[0].table == table])
    ranked, ratings = _rated(here)
    standings = standings_of(here, ranked)
    return _lines(here, standings, ratings, _public_records(here))


def _lines(inputs: TableInputs, standings: Standings, ratings: Ratings, records: BotRecords) -> StandingsPart:
    closed = _closed_decisions(inputs)
    separated = itertools.zip_longest(standings.standings, standings.separated)
    return StandingsPart(
        matches=len(inputs.matches),
        digest=standings.digest,
        groups=len(standings.groups),
        lines=tuple(
            StandingView(
                **{name: getattr(line, name) for name in Placement.__struct_fields__},
                author="",
                separated=apart,
                suspended=line.bot in standings.suspended,
                trend=ratings.bots.get(line.bot, ()),
                mean_decision_ms=closed[line.bot].mean_ms,
                mean_return=records.bots[line.bot].mean_return,
                costs=closed[line.bot].costs(inputs.league, line.bot),
            )
            for line, apart in separated
        ),
        all_ms={line.bot: line.mean_decision_ms for line in standings.standings},
        all_costs={line.bot: line.costs for line in standings.standings},
        fit=standings.fit,
    )


def _closed_decisions(inputs: TableInputs) -> Mapping[str, DecisionTotals]:
    """By bot, its decisions on closed deals."""
    totals: defaultdict[str, DecisionTotals] = defaultdict(DecisionTotals)
    for fixture, played in inputs.matches:
        if inputs.deals.is_closed(fixture):
            for seat, entry in enumerate(played.entries):
                totals[entry].enter(played, seat)
    return totals


def _rated(inputs: TableInputs, before: "FullCount | None" = None, at_ms: int = 0) -> tuple["Ranking", Ratings]:
    """The league, rated, and its ratings after each part of the matches."""
    from tournaments.rating.ranking import ranking  # noqa: PLC0415 - it imports numpy and scipy

    points = _points(inputs)
    parts = [inputs.matches[before:point] for before, point in itertools.pairwise([0, *points])]
    rated = [contests(inputs.league, part) for part in parts]
    ranked = ranking(inputs.league, inputs.seed, list(itertools.chain(*rated)), before, at_ms)
    return ranked, Ratings(tuple(points), _trends(inputs.league, parts, rated, ranked.resampled.field))


def _points(inputs: TableInputs) -> list[int]:
    """The numbers of matches after which the bots are rated. Where sides are dealt, each is the end of a deal."""
    count = len(inputs.matches)
    points = sorted({math.ceil(count * part / POINTS) for part in range(1, POINTS + 1)} - {0})
    if not any(table.deals_sides for table in inputs.league.tables):
        return points
    ends = list(ends_of_deals(inputs.matches))
    return sorted({ends[bisect_left(ends, point)] for point in points})


def _trends(
    league: League, parts: Sequence[Sequence[Match]], rated: Sequence[Sequence[Contest]], field: "FieldEstimate"
) -> dict[str, tuple[float | None, ...]]:
    """By bot, its rating after each part; None before its first match. `field` is that of the whole league."""
    from tournaments.rating.ratings import at_rest  # noqa: PLC0415 - it imports numpy and scipy

    bots: dict[str, list[float | None]] = {entry.name: [] for entry in league.entries}
    played: set[str] = set()
    for part, results in zip(parts, growing(rated), strict=True):
        played.update(entry for _, match in part for entry in match.entries)
        found = at_rest(results, list(bots), league.draw_probability, field).ratings
        for name, trend in bots.items():
            trend.append(round(found[name].mu, _DIGITS) if name in played else None)
    return {name: tuple(trend) for name, trend in bots.items()}


def _bots(
    inputs: TableInputs, standings: Standings, records: BotRecords, crossed: Crosstable
) -> Iterator[tuple[str, BotPart]]:
    faults = _faults(inputs)
    rows = _rows(standings, crossed)
    for line in standings.standings:
        kinds = dict(sorted(faults[line.bot].items()))
        of_bot = records.bots[line.bot]
        yield line.bot, BotPart(line.sides, line.seats, of_bot.sides, of_bot.seats, kinds, rows[line.bot])


def _faults(inputs: TableInputs) -> defaultdict[str, Counter[str]]:
    """By bot and kind of fault, how many matches it cut short."""
    faults: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for _, played in inputs.matches:
        for entry, kind in {(played.entries[fault.seat], fault.kind.value) for fault in played.faults}:
            faults[entry][kind] += 1
    return faults


def _rows(standings: Standings, crossed: Crosstable) -> dict[str, tuple[CrosstableCell | None, ...]]:
    """By bot, its row of the crosstable."""
    columns = {line.bot: at for at, line in enumerate(standings.standings)}
    rows: dict[str, list[CrosstableCell | None]] = {name: [None] * len(columns) for name in columns}
    for pair in crossed.pairs:
        rows[pair.bot][columns[pair.against]] = _cell(pair)
    return {name: tuple(row) for name, row in rows.items()}


def _cell(pair: PairResults) -> CrosstableCell | None:
    if pair.matches == 0 and pair.difference is None:
        return None
    low, high = pair.interval or (None, None)
    return CrosstableCell(
        matches=pair.matches,
        score=_short(pair.score),
        expected=_short(pair.expected),
        difference=_short(pair.difference),
        interval=None if low is None or high is None else (round(low, _DIGITS), round(high, _DIGITS)),
        beats=_short(pair.beats),
        unusual=pair.unusual,
    )


def _short(number: float | None) -> float | None:
    return None if number is None else round(number, _DIGITS)
