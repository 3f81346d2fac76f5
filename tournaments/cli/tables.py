"""The results of a league as tables and notes for people."""

import itertools
from collections.abc import Iterable, Iterator

from rich import box
from rich.table import Table

from tournaments.cooperation import Cooperation, TeamRecord
from tournaments.rating.bootstrap import FEWEST_BLOCKS
from tournaments.sides import SideRecord
from tournaments.standings import Standings


def standings_table(table: Standings) -> Table:
    """The standings, one line for each bot."""
    title = f"{table.league}: {table.matches.played} of {table.matches.planned} matches"
    rich = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    rich.add_column("#", justify="right", no_wrap=True)
    rich.add_column("bot", no_wrap=True)
    for name in ("rating", "95 %", "matches", "won", "drawn", "lost", "faults", "ms"):
        rich.add_column(name, justify="right", no_wrap=True)
    for line in table.standings:
        rich.add_row(
            str(line.rank),
            line.bot,
            f"{line.rating:.2f}",
            "-" if line.interval is None else "{:.2f}..{:.2f}".format(*line.interval),
            str(line.matches),
            str(line.wins),
            str(line.draws),
            str(line.losses),
            str(line.faults),
            "-" if line.mean_decision_ms is None else f"{line.mean_decision_ms:.2f}",
        )
    return rich


def cross_play_table(together: Cooperation) -> Table:
    """The results of every pair of bots, one line for each bot. A bot that is paired with itself had all seats."""
    records = {record.bots: record for record in together.records}
    names = [record.bots[0] for record in together.records if len(record.bots) == 1]
    title = f"{', '.join(together.tables)}: share won and mean score of {together.deals} deals"
    rich = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    rich.add_column("bot", no_wrap=True)
    for name in ("all its matches", *(f"with {name}" for name in names)):
        rich.add_column(name, justify="right")
    for name in names:
        pairs = (records.get(tuple(sorted((name, other)))) for other in names)
        rich.add_row(name, *(_fared(record) for record in (records[(name,)], *pairs)))
    return rich


def _fared(record: TeamRecord | None) -> str:
    if record is None:
        return "-"
    return f"{record.share:.1%}" + ("" if record.mean_score is None else f" {record.mean_score:.0f}")


def standings_notes(table: Standings) -> Iterator[str]:
    """The notes below the table."""
    names = [line.bot for line in table.standings]
    close = [f"{a} and {b}" for a, b, apart in zip(names, names[1:], table.separated, strict=False) if not apart]
    if close:
        yield f"not separated (95 %): {', '.join(close)}"
    elif len(names) > 1:
        yield "every bot is separated from the next (95 %)"
    yield "95 %: interval of the rating; ms: mean time of a decision"
    untold = [line.bot for line in table.standings if line.interval is None]
    if untold:
        yield f"no interval below {FEWEST_BLOCKS} deals played: {', '.join(untold)}"
    for name, sides in itertools.groupby(table.sides, key=lambda record: record.table):
        yield f"won by side at table {name}: {_shares(sides)}"
        for line in table.standings:
            own = [record for record in line.sides if record.table == name]
            if own:
                yield f"  {line.bot}: {_shares(own)}"
    if table.suspended:
        yield f"suspended: {', '.join(table.suspended)}; {table.matches.skipped} matches skipped"
    if table.matches.void or table.matches.abandoned:
        yield f"void: {table.matches.void}; abandoned: {table.matches.abandoned}"
    yield f"digest: {table.digest}"


def _shares(sides: Iterable[SideRecord]) -> str:
    return ", ".join(f"{record.side} {record.share:.1%} of {record.matches}" for record in sides)
