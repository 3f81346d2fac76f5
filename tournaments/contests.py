"""Which players meet in a match, as the rating sees it.

A team is as good as the mean of its members: each counts for 1/size, so that one who plays alone can be compared with
those who play together (plain sums would take a pair to be twice as good as each of its two).

Where sides differ in size they differ in their chances as well, whoever sits there. What a side is worth by itself is
the skill of a pseudo-player that always sits on it: one for every (game, options, number of seats, side). Sides of
equal size have none. Over a block every entry has each of them equally often, so neither can favour anybody, and a
pseudo-player would only add the noise of one more performance to what a match tells.

Where all seats are one side they play against the game, which is a pseudo-player too, one for every (game, options,
number of seats): the harder the game is so, the higher it is rated.
"""

from collections.abc import Iterable

import msgspec

from referee.core.outcome import Seat
from tournaments.model import Fixture, League, Played, TableSpec
from tournaments.rating import Contest, Member
from tournaments.sides import alone, teams, together, unequal

PSEUDO = "~"
"""What the name of a pseudo-player begins with; names of entries have letters, digits, -, _ and @ only."""

_Seats = tuple[Seat, ...]


def contests(league: League, matches: Iterable[tuple[Fixture, Played]]) -> list[Contest]:
    """The matches as contests of their sides, or of their seats where there are no sides.

    A fault costs the offender's side. Its partners learn nothing from that, and the pseudo-players neither: it was not
    the side that failed. Where all seats are one side, a fault is a loss of the offender alone to the game. With more
    sides than two, or none, it is a loss to each of the other seats, and they learn nothing.
    """
    settings = {table.name: _setting(league.game, table) for table in league.tables}
    return [_contest(settings[fixture.table], fixture, played) for fixture, played in matches]


def block(fixture: Fixture) -> str:
    """One deal of one group of entries, in all its line-ups: what the bootstrap draws as one."""
    return f"{fixture.table}/{'+'.join(sorted(set(fixture.entries)))}/deal-{fixture.deal}"


def _setting(game: str, table: TableSpec) -> str:
    """What gives the sides of a table their chances, whatever the table is called and whoever sits there."""
    return f"{game}/{table.seats}/{msgspec.json.encode(table.options, order='sorted').decode()}"


def _contest(setting: str, fixture: Fixture, played: Played) -> Contest:
    offenders = frozenset(fault.seat for fault in played.faults)
    if together(played.outcome):
        return _against_the_game(setting, fixture, played)
    sides = teams(played.outcome)
    two_sided = len(sides) == 2
    if offenders and not two_sided:
        sides = alone(len(fixture.entries))
    members = [_members(fixture, seats, _learners(seats, offenders, two_sided)) for seats in sides]
    if unequal(sides):
        names = (side.name for side in played.outcome.sides)
        marks = [Member(f"{PSEUDO}{setting}/{name}", updated=not offenders) for name in names]
        members = [(*team, mark) for team, mark in zip(members, marks, strict=True)]
    places = tuple(played.outcome.places[seats[0]] for seats in sides)
    return Contest(block(fixture), tuple(members), places)


def _against_the_game(setting: str, fixture: Fixture, played: Played) -> Contest:
    """All seats, or the offenders alone, and what they played against; it learns nothing from a fault."""
    offenders = tuple(sorted({fault.seat for fault in played.faults}))
    seats = offenders or tuple(range(len(fixture.entries)))
    (side,) = played.outcome.sides
    game = Member(f"{PSEUDO}{setting}/against {side.name}", updated=not offenders)
    won = played.outcome.places[0] == 1
    return Contest(block(fixture), (_members(fixture, seats, frozenset(seats)), (game,)), (1, 2) if won else (2, 1))


def _members(fixture: Fixture, seats: _Seats, learners: frozenset[Seat]) -> tuple[Member, ...]:
    return tuple(Member(fixture.entries[seat], 1 / len(seats), seat in learners) for seat in seats)


def _learners(seats: _Seats, offenders: frozenset[Seat], two_sided: bool) -> frozenset[Seat]:
    """Who of a side's seats is rated on the match."""
    at_fault = offenders.intersection(seats)
    if not offenders or (two_sided and not at_fault):
        return frozenset(seats)
    return at_fault
