"""Which players meet in a match, as the rating sees it.

A team is as good as the mean of its members: each counts for 1/size, so that one who plays alone can be compared with
those who play together (plain sums would take a pair to be twice as good as each of its two).

Where sides differ in size, or are dealt, they differ in their chances as well, whoever sits there. What a side is worth
by itself is the skill of a pseudo-player that always sits on it: one for every (game, options, number of seats, side).
Sides of equal size that are fixed before play have none. Over a block every entry has each of them equally often, so
neither can favour anybody, and a pseudo-player would only add the noise of one more performance to what a match tells.

Where all seats are one side they play against the game, which is a pseudo-player too, one for every (game, options,
number of seats): the harder the game is so, the higher it is rated. A fault there is a loss of the offenders alone to
the game, which learns nothing from it.

A fault in any other match that has not two sides is the offenders' loss to all the others together, and both learn. If
only the offenders learned nothing would hold them: two bots that both fail now and then, each at the table of the
other, would pull each other down for ever, away from everyone who is compared with them by such matches only. What the
others gain is little, the less the oftener somebody fails, since to do better than that is no surprise. (The game does
hold them: it never fails.)
"""

from collections.abc import Iterable

import msgspec

from referee.core.outcome import Seat
from tournaments.model import Fixture, League, Played, TableSpec
from tournaments.rating import Contest, Member
from tournaments.sides import teams, together, uneven

PSEUDO = "~"
"""What the name of a pseudo-player begins with; names of entries have letters, digits, -, _ and @ only."""

_Seats = tuple[Seat, ...]


def contests(league: League, matches: Iterable[tuple[Fixture, Played]]) -> list[Contest]:
    """The matches as contests of their sides, of their seats where there are no sides, or of all against the game.

    A fault in a match of two sides costs the offender's side. Its partners learn nothing from that, and the
    pseudo-players neither: it was not the side that failed. In every other match it costs the offenders alone, who lose
    to the game where all seats are one side, else to the other entries; if there are no others, it tells nothing.
    """
    tables = {table.name: (table, _setting(league.game, table)) for table in league.tables}
    found = (_contest(*tables[fixture.table], fixture, played) for fixture, played in matches)
    return [contest for contest in found if contest is not None]


def block(fixture: Fixture) -> str:
    """One deal as the same entries play it among them, in all line-ups: what the bootstrap draws as one.

    With copies that is several groups: the same bots with the same deal, whoever has one seat more.
    """
    return f"{fixture.table}/{'+'.join(sorted(set(fixture.entries)))}/deal-{fixture.deal}"


def _setting(game: str, table: TableSpec) -> str:
    """What gives the sides of a table their chances, whatever the table is called and whoever sits there."""
    return f"{game}/{table.seats}/{msgspec.json.encode(table.options, order='sorted').decode()}"


def _contest(table: TableSpec, setting: str, fixture: Fixture, played: Played) -> Contest | None:
    if together(played.outcome):
        return _against_the_game(setting, fixture, played)
    if played.faults and len(teams(played.outcome)) != 2:
        return _loss_to_the_others(fixture, played)
    return _of_the_sides(fixture, played, setting if uneven(table, played.outcome) else None)


def _of_the_sides(fixture: Fixture, played: Played, setting: str | None) -> Contest:
    """A match between its sides, or seats; in a setting, with the pseudo-players of its sides there."""
    offenders = frozenset(fault.seat for fault in played.faults)
    sides = teams(played.outcome)
    members = [_members(fixture, seats, _learners(seats, offenders)) for seats in sides]
    if setting is not None:
        names = (side.name for side in played.outcome.sides)
        marks = [Member(f"{PSEUDO}{setting}/{name}", updated=not offenders) for name in names]
        members = [(*team, mark) for team, mark in zip(members, marks, strict=True)]
    places = tuple(played.outcome.places[seats[0]] for seats in sides)
    return Contest(block(fixture), tuple(members), places)


def _members(fixture: Fixture, seats: _Seats, learners: frozenset[Seat]) -> tuple[Member, ...]:
    return tuple(Member(fixture.entries[seat], 1 / len(seats), seat in learners) for seat in seats)


def _learners(seats: _Seats, offenders: frozenset[Seat]) -> frozenset[Seat]:
    """Who of a side's seats is rated on the match."""
    return offenders.intersection(seats) or frozenset(seats)


def _against_the_game(setting: str, fixture: Fixture, played: Played) -> Contest:
    """All seats, or after a fault the offenders alone, and what they played against."""
    (side,) = played.outcome.sides
    everybody = _members(fixture, side.seats, frozenset(side.seats))
    team = _team_of(played.offenders) if played.faults else everybody
    game = Member(f"{PSEUDO}{setting}/against {side.name}", updated=not played.faults)
    won = played.outcome.places[0] == 1
    return Contest(block(fixture), (team, (game,)), (1, 2) if won else (2, 1))


def _loss_to_the_others(fixture: Fixture, played: Played) -> Contest | None:
    """A match that was cut short, if anybody else was in it."""
    others = frozenset(played.entries) - played.offenders
    return Contest(block(fixture), (_team_of(others), _team_of(played.offenders)), (1, 2)) if others else None


def _team_of(entries: frozenset[str]) -> tuple[Member, ...]:
    return tuple(Member(entry, 1 / len(entries)) for entry in sorted(entries))
