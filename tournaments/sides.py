"""The sides of matches: who was with whom, and how often each side won."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from referee.core.outcome import Outcome, Seat
from tournaments.model import Fixture, League, Played, TableSpec


class SideRecord(msgspec.Struct, frozen=True):
    """What a side did, whoever sat there or one bot, in the matches that no fault cut short.

    Attributes:
        table: where.
        side: its name.
        matches: in which there was such a side, or the bot had a seat of it.
        wins: of them; a match in which all were equal is nobody's.
        share: wins / matches.
    """

    table: str
    side: str
    matches: int
    wins: int
    share: float


def teams(outcome: Outcome) -> tuple[tuple[Seat, ...], ...]:
    """Whose seats won or lost together: those of each side, or each seat alone where there are no sides."""
    return tuple(side.seats for side in outcome.sides) or alone(len(outcome.places))


def alone(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Every seat for itself."""
    return tuple((seat,) for seat in range(seats))


def uneven(table: TableSpec, outcome: Outcome) -> bool:
    """Whether the sides of a match have chances of their own.

    They do where one has more seats than another, and where they were dealt: then they differ in more than their seats.
    """
    dealt = bool(outcome.sides) and not table.sides
    return dealt or len({len(side.seats) for side in outcome.sides}) > 1


def together(outcome: Outcome) -> bool:
    """Whether all seats were one side, against nobody but the game."""
    return len(outcome.sides) == 1


def result(outcome: Outcome, seat: Seat) -> str:
    """`draw` if all were equal and yet not one side, else `win` for the first and `loss` for all others."""
    if len(set(outcome.places)) == 1 and not together(outcome):
        return "draw"
    return "win" if outcome.places[seat] == 1 else "loss"


EVERYBODY = ""
"""Whose records those of the sides themselves are; no entry is called so."""


def side_records(league: League, matches: Iterable[tuple[Fixture, Played]]) -> dict[str, tuple[SideRecord, ...]]:
    """By entry, and for `EVERYBODY`, the sides of all matches in which sides differ, by table and name.

    An entry with several seats of a side has one match there; with seats of several sides, one for each of them.
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
