"""The sides of matches: which seats play together, and how often each side won."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from referee.core.outcome import Outcome, Seat
from tournaments.model import Fixture, League, Played, TableSpec


class SideRecord(msgspec.Struct, frozen=True):
    """How often a side won, over all bots or with one bot on it. Matches that a fault cut short are left out.

    Attributes:
        table: the name of the table.
        side: the name of the side.
        matches: the matches with this side, or those in which the bot had a seat on it.
        wins: how many of them the side won; nobody wins a match in which all places are equal.
        share: wins / matches.
    """

    table: str
    side: str
    matches: int
    wins: int
    share: float


def teams(outcome: Outcome) -> tuple[tuple[Seat, ...], ...]:
    """The seats that won or lost together: those of each side, or each seat alone where there are no sides."""
    return tuple(side.seats for side in outcome.sides) or alone(len(outcome.places))


def alone(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Each seat as a team of its own."""
    return tuple((seat,) for seat in range(seats))


def uneven(table: TableSpec, outcome: Outcome) -> bool:
    """Whether one side of a match can have better chances than another, with equal bots on both.

    It can if the sides differ in size. It also can if the sides were dealt, as they then differ in their roles.
    """
    dealt = bool(outcome.sides) and not table.sides
    return dealt or len({len(side.seats) for side in outcome.sides}) > 1


def together(outcome: Outcome) -> bool:
    """Whether all seats were one side and played against the game."""
    return len(outcome.sides) == 1


def result(outcome: Outcome, seat: Seat) -> str:
    """`win`, `draw` or `loss`: a draw if all places are equal, unless all seats were one side; place 1 wins."""
    if len(set(outcome.places)) == 1 and not together(outcome):
        return "draw"
    return "win" if outcome.places[seat] == 1 else "loss"


EVERYBODY = ""
"""Stands in the place of an entry for the records over all bots. No entry can have this name."""


def side_records(league: League, matches: Iterable[tuple[Fixture, Played]]) -> dict[str, tuple[SideRecord, ...]]:
    """By entry, and for `EVERYBODY`: the sides of all matches in which sides differ, sorted by table and name.

    A match counts once for each side on which the entry has seats, however many seats those are.
    """
    tables = {table.name: table for table in league.tables}
    played: Counter[tuple[str, str, str]] = Counter()
    won: Counter[tuple[str, str, str]] = Counter()
    for fixture, match in matches:
        if match.faults or not uneven(tables[fixture.table], match.outcome):
            continue
        for side in match.outcome.sides:
            has_won = result(match.outcome, side.seats[0]) == "win"
            for who in {EVERYBODY, *(match.entries[seat] for seat in side.seats)}:
                played[who, fixture.table, side.name] += 1
                won[who, fixture.table, side.name] += has_won
    records: dict[str, list[SideRecord]] = {}
    for (who, table, side_name), count in sorted(played.items()):
        wins = won[who, table, side_name]
        records.setdefault(who, []).append(SideRecord(table, side_name, count, wins, wins / count))
    return {who: tuple(found) for who, found in records.items()}
