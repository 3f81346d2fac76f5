"""Which players meet in a match, as the rating sees it.

A team is as good as the mean of its members: each member counts for 1/size. So a bot that plays alone can be compared
with bots that play together. (With plain sums a pair would be rated twice as good as each of its two members.)

If sides differ in size, or are dealt, their chances differ as well, whichever bots sit there. The advantage of such a
side is the skill of a pseudo-player that always sits on it: one for every (game, options, number of seats, side). Sides
of equal size that are fixed before play have no pseudo-player. Over a block every entry has each of them equally often,
so neither side favours anybody, and a pseudo-player would only add the noise of one more performance to each match.

If all seats are one side, they play against the game. It is a pseudo-player too, one for every (game, options, number
of seats): the harder the game is with these, the higher its rating. A fault there is a loss to the game for the
offenders alone, and the game's rating learns nothing from it.

In any other match that does not have two sides, a fault is a loss of the offenders to all the others together, and both
learn from it. If only the offenders learned, nothing would hold their ratings: two bots that both fail now and then,
each at a table with the other, would pull each other down for ever, away from everyone whose only comparison with them
is such matches. The others gain little, and the less the more often the offenders fail: beating a bot that fails often
is no surprise. (The game as an opponent does hold ratings: it never fails.)
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from referee.core.outcome import Seat
from tournaments.league.deals import OwnDeals, own_deals
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec
from tournaments.rating.contest import PSEUDO, Contest, Member, Team
from tournaments.rating.sides import alone, teams, together, uneven

_AGAINST = "against "
"""Goes before the name of the side that plays against the game, in the name of the game's pseudo-player."""

_Seats: TypeAlias = tuple[Seat, ...]


class _Result(NamedTuple):
    """A contest without its block. Matches that ended alike, with the same bots in the same seats, share it."""

    teams: tuple[Team, ...]
    places: tuple[int, ...]


def contests(league: League, matches: Iterable[tuple[Fixture, StoredMatch]]) -> list[Contest]:
    """The matches as contests: between sides, between seats if there are no sides, or of all seats against the game.

    A fault in a match of two sides is a loss of the offender's side. The offender's partners learn nothing from it, and
    neither do the pseudo-players: the side as such did not fail. In every other match a fault is a loss of the
    offenders alone: to the game if all seats are one side, else to the other entries. Without other entries there is no
    contest.
    """
    tables = {table.name: (table, _setting(league.game, table)) for table in league.tables}
    own = own_deals(league)
    known: dict[object, _Result | None] = {}
    blocks: dict[str, str] = {}  # so that the matches of a block name it with the same object
    found = []
    for fixture, played in matches:
        alike = (fixture.table, played.entries, played.outcome.places, played.outcome.sides, played.faults)
        if alike not in known:
            known[alike] = _result(*tables[fixture.table], played)
        result = known[alike]
        if result is not None:
            name = block(fixture, own)
            found.append(Contest(blocks.setdefault(name, name), *result))
    return found


def block(fixture: Fixture, own: OwnDeals) -> str:
    """The block of a fixture: all matches with the same luck. The bootstrap draws them together.

    It is the deal, whatever groups play it at whatever tables, or the match itself if it has a deal of its own.
    """
    return fixture.id if own.has(fixture.table, fixture.entries) else f"deal-{fixture.deal}"


def hypothetical(game: str, table: TableSpec, entries: Sequence[str], known: Iterable[str]) -> Contest:
    """The contest that a match between these entries would be, as far as that is known before it is played.

    The sides are those that are fixed before play; otherwise each seat counts as alone. They have no pseudo-players: a
    group of entries plays every side in turn. The game as an opponent is in it. The places mean nothing.

    `entries` are by seat; `known` are all players and pseudo-players that have a rating.
    """
    sides = table.sides or alone(table.seats)
    members = [tuple(Member(entries[seat], 1 / len(seats)) for seat in seats) for seats in sides]
    if len(members) == 1:
        mark = f"{PSEUDO}{_setting(game, table)}/{_AGAINST}"
        members.append((Member(next((name for name in known if name.startswith(mark)), mark)),))
    return Contest("", tuple(members), tuple(range(1, len(members) + 1)))


def _setting(game: str, table: TableSpec) -> str:
    """The part of a pseudo-player's name that says what the chances of a side depend on: game, seats and options."""
    return f"{game}/{table.seats}/{msgspec.json.encode(table.options, order='sorted').decode()}"


def _result(table: TableSpec, setting: str, played: StoredMatch) -> _Result | None:
    if together(played.outcome):
        return _against_the_game(setting, played)
    if played.faults and len(teams(played.outcome)) != 2:
        return _loss_to_the_others(played)
    return _of_the_sides(played, setting if uneven(table, played.outcome) else None)


def _of_the_sides(played: StoredMatch, setting: str | None) -> _Result:
    """A match between its sides, or between seats. With a `setting`, each side also has its pseudo-player."""
    offenders = frozenset(fault.seat for fault in played.faults)
    sides = teams(played.outcome)
    members = [_members(played, seats, _learners(seats, offenders)) for seats in sides]
    if setting is not None:
        names = (side.name for side in played.outcome.sides)
        marks = [Member(f"{PSEUDO}{setting}/{name}", updated=not offenders) for name in names]
        members = [(*team, mark) for team, mark in zip(members, marks, strict=True)]
    places = tuple(played.outcome.places[seats[0]] for seats in sides)
    return _Result(tuple(members), places)


def _members(played: StoredMatch, seats: _Seats, learners: frozenset[Seat]) -> tuple[Member, ...]:
    return tuple(Member(played.entries[seat], 1 / len(seats), seat in learners) for seat in seats)


def _learners(seats: _Seats, offenders: frozenset[Seat]) -> frozenset[Seat]:
    """The seats of a side that are rated on the match."""
    return offenders.intersection(seats) or frozenset(seats)


def _against_the_game(setting: str, played: StoredMatch) -> _Result:
    """A match against the game: of all seats, or after a fault of the offenders alone."""
    (side,) = played.outcome.sides
    everybody = _members(played, side.seats, frozenset(side.seats))
    team = _team_of(played.offenders) if played.faults else everybody
    game = Member(f"{PSEUDO}{setting}/{_AGAINST}{side.name}", updated=not played.faults)
    won = played.outcome.places[0] == 1
    return _Result((team, (game,)), (1, 2) if won else (2, 1))


def _loss_to_the_others(played: StoredMatch) -> _Result | None:
    """A match that a fault cut short; None if no other entry played in it."""
    others = frozenset(played.entries) - played.offenders
    return _Result((_team_of(others), _team_of(played.offenders)), (1, 2)) if others else None


def _team_of(entries: frozenset[str]) -> tuple[Member, ...]:
    return tuple(Member(entry, 1 / len(entries)) for entry in sorted(entries))
