"""The results of a league as tables and notes for people, with the tree of a knock-out and the table of a Swiss."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import TypeVar

from referee.cli.console import AsJson, print_json, say
from referee.core.text import several
from tournaments.cli.arguments import File, Url, Wide, opened
from tournaments.cli.table_layout import LONGEST_NAME, FittedTable, TableColumn, fitted, pages, room, shortened, show
from tournaments.rating import FEWEST_BLOCKS
from tournaments.rating.bot_records import SeatRecord, SideRecord
from tournaments.rating.cooperation import Cooperation, TeamRecord
from tournaments.rating.fit import Fit, OverallShare
from tournaments.results.computed_tables import league_rounds, league_standings
from tournaments.results.crosstable import Crosstable, PairResults
from tournaments.results.standings import Placement, Standing, Standings
from tournaments.schedule.formats import Bracket, SwissStanding
from tournaments.schedule.formats.knockout_bracket import drawn

_R = TypeVar("_R", SideRecord, SeatRecord)


def interim_notes(table: Standings | Crosstable) -> Iterator[str]:
    """The text before the table of a league that is not over."""
    if table.interim:
        planned = several(table.matches.planned, "match", "matches")
        yield (
            f"interim: {table.matches.played:,} of {planned}. Intervals hold for one look. If"
            " you look again and again until two bots are separated, you find differences that do not exist: between"
            " equal bots in 25 to 28 of 100 simulated leagues. `referee compare` and `referee league compare` may be"
            " watched."
        )


def standings_table(table: Standings, width: int) -> FittedTable:
    """The standings, one line for each bot, in lines of `width` characters."""
    lines = table.standings
    title = f"{table.league}: {table.matches.played:,} of {several(table.matches.planned, 'match', 'matches')}"
    return fitted(title, list(_columns(table, lines)), width)


def _columns(table: Standings, lines: Sequence[Standing]) -> Iterator[TableColumn]:
    def column(title: str, cell: Callable[[Standing], str], spare: int = 0) -> TableColumn:
        return TableColumn(title, [cell(line) for line in lines], spare, names=title == "bot")

    if len(table.groups) > 1:
        yield column("group", lambda line: str(line.group))
    yield column("#", lambda line: str(line.rank))
    yield column("bot", lambda line: line.bot)
    if any(line.last_of for line in lines):
        yield column("version", lambda line: f"last of {line.last_of}" if line.last_of else "", spare=2)
    yield column("rating", lambda line: f"{line.rating:.2f}")
    yield column("95 %", lambda line: rating_interval(line.interval))
    yield column("ranks", lambda line: "-" if line.ranks is None else "{}..{}".format(*line.ranks))
    yield column("first", lambda line: _chance(line.first if line.may_be_best else None))
    if any(line.beats_next is not None for line in lines):
        yield column("vs next", lambda line: _percent(line.beats_next), spare=2)
    yield column("matches", lambda line: str(line.matches))
    yield column("score", lambda line: _percent(line.score))
    if any(line.mean_return is not None for line in lines):
        yield column("mean return", lambda line: mean(line.mean_return), spare=3)
    yield from extra_columns(lines)
    yield column("won", lambda line: str(line.wins), spare=5)
    yield column("drawn", lambda line: str(line.draws), spare=5)
    yield column("lost", lambda line: str(line.losses), spare=5)
    yield column("draws", lambda line: _percent(line.draw_share))
    yield column("faults", lambda line: str(line.faults), spare=1)
    yield column("ms", lambda line: mean(line.mean_decision_ms), spare=4)
    if any(line.costs.processor_ms is not None for line in lines):
        yield column("cpu ms", lambda line: mean(line.costs.processor_ms), spare=4)
    if any(line.costs.money is not None for line in lines):
        yield column("money", lambda line: mean(line.costs.money, ".4g"), spare=3)  # perhaps a hundredth of a cent
    if any(line.costs.tokens is not None for line in lines):
        yield column("tries", lambda line: mean(line.costs.tries), spare=4)
        yield column("tokens", lambda line: mean(line.costs.tokens, ".0f"), spare=3)


def overall_columns(overall: Sequence[OverallShare]) -> Iterator[TableColumn]:
    """What bots may expect over several tables."""
    yield TableColumn("overall", [_percent(each.share) for each in overall])
    ends = ["{:.1%}..{:.1%}".format(*each.interval) if each.interval else "-" for each in overall]
    yield TableColumn("95 % of it", ends, spare=1)
    if any(each.share is None for each in overall):
        yield TableColumn("tables", [f"{each.tables} of {each.of}" for each in overall], spare=1)


def extra_columns(lines: Sequence[Placement]) -> Iterator[TableColumn]:
    """What bots may expect over several tables, and how they fare however often each is copied, where it is known."""
    if any(line.overall for line in lines):
        yield from overall_columns([line.overall or OverallShare(0, 0) for line in lines])
    mixed = [line.best_mix for line in lines]
    if any(mixed):
        ends = ["{:.0%}..{:.0%}".format(*each.interval) if each else "-" for each in mixed]
        yield TableColumn("vs best mix", [_percent(each.share if each else None) for each in mixed], spare=1)
        yield TableColumn("its interval", ends, spare=2)
        yield TableColumn("worst", [_percent(each.worst if each else None) for each in mixed], spare=1)


def mean(value: float | None, form: str = ".2f") -> str:
    """A figure in a column; - where there is none."""
    return "-" if value is None else f"{value:{form}}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _chance(share: float | None) -> str:
    """A share of the resamples. They are too few to estimate anything rarer than 1 in 100."""
    if share is None:
        return "-"
    return "<1%" if share < 0.01 else ">99%" if share > 0.99 else f"{share:.0%}"


def rating_interval(ends: tuple[float, float] | None) -> str:
    """The interval of a rating. A bot without one is provisional."""
    return "provisional" if ends is None else _interval(ends)


def _interval(ends: tuple[float, float] | None) -> str:
    return "-" if ends is None else "{:.2f}..{:.2f}".format(*ends)


def sides_table(table: Standings, width: int) -> FittedTable:
    """How every bot fared on every side. The first line of a side is over all bots."""
    whose = _of_all_bots(table.sides, ((line.bot, line.sides) for line in table.standings), lambda record: record.side)
    title = "by side, without matches that a fault cut short" if whose else "by side: sides differ at no table"
    where = TableColumn("side", [record.side for record, _ in whose], names=True)
    return fitted(title, [*_record_columns(whose, where)], width)


def seats_table(table: Standings, width: int) -> FittedTable:
    """How every bot fared in every seat. The first line of a seat is over all bots."""
    whose = _of_all_bots(table.seats, ((line.bot, line.seats) for line in table.standings), lambda record: record.seat)
    where = TableColumn("seat", [str(record.seat) for record, _ in whose])
    return fitted("by seat, without matches that a fault cut short", [*_record_columns(whose, where)], width)


def _of_all_bots(
    everybody: Iterable[_R], bots: Iterable[tuple[str, Iterable[_R]]], where: Callable[[_R], str | int]
) -> list[tuple[_R, str]]:
    """Records with whose they are, by table and where the bots sat."""
    found = [(record, "all bots") for record in everybody]
    found += [(record, name) for name, own in bots for record in own]
    return sorted(found, key=lambda each: (each[0].table, where(each[0])))


def _record_columns(whose: Sequence[tuple[SideRecord | SeatRecord, str]], where: TableColumn) -> Iterator[TableColumn]:
    yield TableColumn("table", [record.table for record, _ in whose], names=True)
    yield where
    yield TableColumn("bot", [name for _, name in whose], names=True)
    yield TableColumn("matches", [str(record.matches) for record, _ in whose])
    yield TableColumn("won", [_percent(record.share) for record, _ in whose])
    yield TableColumn("drawn", [_percent(record.draws / record.matches) for record, _ in whose])
    yield TableColumn("score", [_percent(record.score) for record, _ in whose])


def cross_play_tables(together: Cooperation, width: int) -> Iterator[FittedTable]:
    """The results of every pair of bots, one line for each bot. A bot that is paired with itself had all seats."""
    records = {record.bots: record for record in together.records}
    names = [record.bots[0] for record in together.records if len(record.bots) == 1]
    own = ", each match on a deal of its own" if together.luck == "own" else ""
    title = f"{', '.join(together.tables)}: share won and mean score of {several(together.deals, 'deal', 'deals')}{own}"
    columns = [
        TableColumn(
            f"with {shortened(other, LONGEST_NAME)}",
            [_team(records.get(tuple(sorted((name, other))))) for name in names],
        )
        for other in names
    ]
    alone = TableColumn("all its matches", [_team(records[(name,)]) for name in names])
    yield from pages(title, [TableColumn("bot", names, names=True), alone], columns, width)


def _team(record: TeamRecord | None) -> str:
    if record is None:
        return "-"
    return f"{record.share:.1%}" + ("" if record.mean_score is None else f" {record.mean_score:.0f}")


def crosstables(table: Crosstable, bots: Collection[str], width: int) -> Iterator[FittedTable]:
    """The scores of the bots in `bots` against all bots, one line for each."""
    if not any(pair.matches for pair in table.pairs):
        return
    scores = {(pair.bot, pair.against): _percent(pair.score) for pair in table.pairs}
    placed = [(str(at), name) for at, group in enumerate(table.groups, 1) for name in group]
    numbered = [(str(at), group, name) for at, (group, name) in enumerate(placed, 1)]
    lines = [line for line in numbered if line[-1] in bots]
    head = [
        TableColumn("group", [group for _, group, _ in lines]),
        TableColumn("#", [number for number, _, _ in lines]),
        TableColumn("bot", [name for _, _, name in lines], names=True),
    ]
    columns = [
        TableColumn(number, [scores.get((name, other), "") for _, _, name in lines]) for number, _, other in numbered
    ]
    title = f"{table.league}: score against the bot of each number"
    yield from pages(title, head if len(table.groups) > 1 else head[1:], columns, width)


def pairs_table(table: Crosstable, bots: Collection[str], width: int) -> FittedTable:
    """A line for every two bots of a group, one of them in `bots`: their score, and the one by their ratings."""
    index: dict[frozenset[str], PairResults] = {}
    for pair in table.pairs:
        if pair.bot in bots and pair.difference is not None:
            index.setdefault(frozenset((pair.bot, pair.against)), pair)
    pairs = index.values()
    columns = [
        TableColumn("bot", [pair.bot for pair in pairs], names=True),
        TableColumn("against", [pair.against for pair in pairs], names=True),
        TableColumn("matches", [str(pair.matches) for pair in pairs]),
        TableColumn("score", [f"{_percent(pair.score)}{' !' if pair.unusual else ''}" for pair in pairs]),
        TableColumn("expected", [_percent(pair.expected) for pair in pairs]),
        TableColumn("difference", ["-" if pair.difference is None else f"{pair.difference:+.2f}" for pair in pairs]),
        TableColumn("95 %", [_interval(pair.interval) for pair in pairs]),
        TableColumn("beats", [_percent(pair.beats) for pair in pairs], spare=1),
    ]
    return fitted("two by two", columns, width)


SCORE_NOTE = "score: how often the bot's side beat the other; a tie counts half"
"""The note below every crosstable."""

PAIRS_NOTE = (
    "expected: the score by the ratings; difference: of the ratings, with its 95 % interval;"
    " beats: chance in a match of two, draws left out"
)
"""The note below `pairs_table`."""


def crosstable_notes(table: Crosstable) -> Iterator[str]:
    """The last notes below the crosstable; the digest is the last."""
    yield from crosstable_remarks(table)
    yield f"digest: {table.digest}"


def crosstable_remarks(table: Crosstable) -> Iterator[str]:
    """These without the digest."""
    yield from _groups(table.groups)
    yield from fit_note(table.fit)
    if any(pair.unusual for pair in table.pairs):
        yield "!: the score differs from what the ratings say, by a test of all pairs at once"
    if not any(pair.matches for pair in table.pairs):
        yield "no two bots were on opposing sides"
    elif table.fit is None:
        yield "not tested: whether one number describes the bots; it takes six deals on which all bots met alone"


def standings_notes(table: Standings) -> Iterator[str]:
    """The notes below the table; the digest is the last."""
    yield from standings_remarks(table)
    yield f"digest: {table.digest}"


def standings_remarks(table: Standings) -> Iterator[str]:
    """These without the digest."""
    lines = table.standings
    yield from best_note(table.standings)
    yield from _vs_next(table)
    yield from fit_note(table.fit)
    yield from overall_note(lines)
    yield from _groups(table.groups)
    yield "95 %: interval of the rating; ms: mean time of a decision"
    yield "ranks: 95 % interval of the rank among bots with an interval"
    yield "first: in so many of 100 resamples of this league a bot that may be the best is first"
    if any(line.beats_next is not None for line in lines):
        yield "vs next: probability, by the ratings, to beat the next bot in a match of two, draws left out"
    yield "score: the share of other sides that the bot's side beat; a tie counts half"
    if any(line.mean_return is not None for line in lines):
        yield "mean return: the mean of what the game counts for a seat, such as chips or points; it does not rank"
    if any(line.costs.tokens is not None for line in lines):
        yield "tries, tokens: for each decision, as the bot's own notes say"
    provisional = [line.bot for line in lines if line.interval is None]
    if provisional:
        yield f"provisional, below all others until they have played {FEWEST_BLOCKS} deals: {', '.join(provisional)}"
    for name, sides in groupby(table.sides, key=lambda record: record.table):
        shares = ", ".join(f"{record.side} {record.share:.1%} of {record.matches}" for record in sides)
        yield f"won by side at table {name}: {shares}"
    if table.sides:
        yield "won by each bot on each side, in each seat: --sides, --seats"
    if table.suspended:
        yield f"suspended: {', '.join(table.suspended)}; {several(table.matches.skipped, 'match', 'matches')} skipped"
    yield from _without_effect(table)


def _without_effect(table: Standings) -> Iterator[str]:
    """Which matches count for nothing."""
    if table.void or table.matches.abandoned:
        yield f"void: {table.void}; abandoned: {table.matches.abandoned}"
    if table.same_author:
        left_out = several(table.same_author, "match", "matches")
        yield f"left out, because bots of one author played against each other: {left_out}"
    for bot, count in table.forgiven.items():
        yield f"forgiven, because {bot} was unavailable before its first choice: {several(count, 'match', 'matches')}"


def best_note(lines: Sequence[Placement]) -> Iterator[str]:
    """Which bots may be the best of their groups."""
    for _, group in groupby(lines, key=lambda line: line.group):
        best = [line.bot for line in group if line.may_be_best]
        if best:
            yield f"may be the best (95 %): {', '.join(best)}"


def overall_note(lines: Sequence[Placement]) -> Iterator[str]:
    """What the shares over several tables mean."""
    if any(line.overall for line in lines):
        yield "overall: share of points to expect against all others, the mean over tables; ratings pool all matches"


def fit_note(fit: Fit | None) -> Iterator[str]:
    """What is to be known of how well the ratings describe the results."""
    if fit and fit.words:
        yield fit.words
    if fit and fit.is_bad:
        yield "vs best mix: share against a mix of these bots that loses to none; its interval: from 200 resamples"
        yield "worst: lowest share against any one bot"


def _vs_next(table: Standings) -> Iterator[str]:
    """Which bots with an interval are separated from the next of their group."""
    neighbours = [
        (f"{above.bot} and {below.bot}", apart)
        for (above, below), apart in zip(pairwise(table.standings), table.separated, strict=False)
        if above.interval and below.interval and above.group == below.group
    ]
    close = [pair for pair, apart in neighbours if not apart]
    if close:
        yield f"vs next, not separated (95 %): {', '.join(close)}"
    elif neighbours:
        yield "vs next: every bot is separated from the next (95 %)"


def _groups(groups: Sequence[Sequence[str]]) -> Iterator[str]:
    """Whether there are bots that never met. The tables say who is in which group."""
    if all(len(group) == 1 for group in groups):
        yield "no bot has met another so far"
    elif len(groups) > 1:
        yield f"{len(groups)} groups never met, not even by way of others: each is rated apart, around 25"


SWISS_NOTES = (
    "points: the sum of the bot's mean shares in its rounds; Buchholz: the points of its opponents",
    "a round counts when all its matches are settled",
)


def rounds(file: File, everything: Wide = False, store: Url = None, json: AsJson = False) -> None:
    """Print the rounds of a knock-out or a Swiss so far."""
    with opened(file, store) as results:
        found = league_rounds(results)
        ratings = (
            {}
            if isinstance(found, Bracket)
            else {line.bot: line.rating for line in league_standings(results).standings}
        )
    if json:
        print_json(found)
    elif isinstance(found, Bracket):
        say(drawn(found, room(everything=everything)).rstrip("\n"))
    else:
        width = room(everything=everything)
        show((), [swiss_table(results.league.name, found, ratings, width)], SWISS_NOTES, width)


def swiss_table(name: str, lines: Sequence[SwissStanding], ratings: Mapping[str, float], width: int) -> FittedTable:
    """The table of a Swiss, one line for each bot, in lines of `width` characters."""
    played = max((len(line.rounds) for line in lines), default=0)
    columns = [
        TableColumn("#", [str(at) for at in range(1, len(lines) + 1)]),
        TableColumn("bot", [line.entry for line in lines], names=True),
        TableColumn("points", [f"{line.points:.3f}" for line in lines]),
        TableColumn("Buchholz", [f"{line.buchholz:.3f}" for line in lines]),
        TableColumn("rating", [f"{ratings[line.entry]:.2f}" if line.entry in ratings else "-" for line in lines]),
        TableColumn("byes", [str(line.byes) for line in lines], spare=1),
    ]
    return fitted(f"{name}: {_after(played)}", columns, width)


def _after(rounds: int) -> str:
    if rounds == 0:
        return "no round is over yet"
    return "after 1 round" if rounds == 1 else f"after {rounds} rounds"
