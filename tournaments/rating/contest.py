"""Matches as the rating sees them: which players meet, in which teams, and the comparisons of two teams.

A match of two teams is one comparison. A match of k teams is all k(k-1)/2 comparisons of two of its teams, ties too,
and each counts 2/k of a match. So no order of the teams matters, not even among teams that tie. With these weights a
match of k teams says about as much as k-1 matches of two teams, although its comparisons share the performances of
the teams.

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

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from referee.core.outcome import Seat
from tournaments.league.deals import OwnDeals, own_deals
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec
from tournaments.rating.sides import alone, is_left_out, teams, together, uneven

PSEUDO = "~"
"""The first character of a pseudo-player's name; names of entries have letters, digits, -, _ and @ only."""

_NOTHING = 1e-9
"""The most that rounding can leave where two weights cancel."""


class Member(msgspec.Struct, frozen=True, order=True, cache_hash=True):
    """A player, or a pseudo-player, in a team.

    Attributes:
        player: the name of the player.
        weight: the share of its skill that counts for the team, above 0.
        updated: whether its rating learns from the contest; if not, it plays with its rating as it is.
    """

    player: str
    weight: float = 1.0
    updated: bool = True


Team: TypeAlias = tuple[Member, ...]


class Contest(msgspec.Struct, frozen=True, gc=False):
    """One match. There are hundreds of thousands, so they are kept out of the garbage collector.

    Attributes:
        block: the unit of the bootstrap (`block`).
        teams: the members of each team.
        places: by team, 1 is best, equal places are a tie.
    """

    block: str
    teams: tuple[Team, ...]
    places: tuple[int, ...]


class TeamComparison(msgspec.Struct, frozen=True, order=True):
    """A result between two teams. No player is in both, and none is in a team twice.

    Attributes:
        upper: the better team, sorted by name.
        lower: the other team. In a draw it is the later one in the order of teams.
        drawn: whether neither was better.
        teams: how many teams the match had.
    """

    upper: Team
    lower: Team
    drawn: bool
    teams: int = 2

    @property
    def weight(self) -> float:
        """How much it counts: 1 in a match of two teams."""
        return 2 / self.teams

    @property
    def members(self) -> Team:
        """The members of both teams, the upper team first."""
        return self.upper + self.lower

    def turned(self) -> "TeamComparison":
        """The opposite result: the worse team was better. A draw stays a draw."""
        return self if self.drawn else TeamComparison(self.lower, self.upper, drawn=False, teams=self.teams)

    def exchanged(self) -> "TeamComparison":
        """The result if the players of the teams had been exchanged, and each side had fared as it did.

        Without pseudo-players, or against the game, this is the opposite result.
        """
        (above, upper_side), (below, lower_side) = _players_and_side(self.upper), _players_and_side(self.lower)
        if bool(above) != bool(below):
            return self.turned()
        teams = tuple(sorted((*below, *upper_side))), tuple(sorted((*above, *lower_side)))
        upper, lower = sorted(teams) if self.drawn else teams
        return TeamComparison(upper, lower, self.drawn, self.teams)


def comparisons(contest: Contest) -> tuple[TeamComparison, ...]:
    """The comparisons that a contest consists of.

    A comparison of a player with itself says nothing: what a player weighs in both teams is taken off both. That leaves
    the difference of the two teams' skills as it was. A comparison that is then empty is dropped, and so is one of
    which nobody learns. The others count no more for that.

    Raises:
        ValueError: the contest makes no sense, or a player would have no opponent.
    """
    _refuse_nonsense(contest)
    return tuple(_comparisons(contest))


def opposed(team: Team, other: Team) -> tuple[Team, Team]:
    """The difference of two teams: the members of each that weigh more there than in the other, by the difference."""
    above, below = _merged(team), _merged(other)
    return _without(above, below), _without(below, above)


def _refuse_nonsense(contest: Contest) -> None:
    where = f"A contest of block {contest.block!r} cannot be rated"
    if len(contest.teams) < 2:
        raise ValueError(f"{where}: it needs at least two teams, not {len(contest.teams)}.")
    if len(contest.places) != len(contest.teams):
        raise ValueError(f"{where}: {len(contest.teams)} teams need as many places, not {len(contest.places)}.")
    if not all(contest.teams):
        raise ValueError(f"{where}: a team has no members.")
    for member in (member for team in contest.teams for member in team):
        if not (math.isfinite(member.weight) and member.weight > 0):
            raise ValueError(f"{where}: the weight of {member.player!r} must be above 0, not {member.weight}.")


def _comparisons(contest: Contest) -> Iterator[TeamComparison]:
    ranked = sorted(zip(contest.places, contest.teams, strict=True))
    for (place, above), (next_place, below) in combinations(ranked, 2):
        upper, lower = opposed(above, below)
        if bool(upper) != bool(lower):
            alone = ", ".join(member.player for member in upper + lower)
            raise ValueError(
                f"A contest of block {contest.block!r} cannot be rated: what its sides have in common leaves {alone} "
                "without an opponent; give the members of a team weights that add up to 1."
            )
        if any(member.updated for member in upper + lower):
            if place == next_place:
                first, second = sorted((upper, lower))
                yield TeamComparison(first, second, drawn=True, teams=len(ranked))
            else:
                yield TeamComparison(upper, lower, drawn=False, teams=len(ranked))


def _players_and_side(team: Team) -> tuple[Team, Team]:
    """The players of a team, and its pseudo-players."""
    pseudo = tuple(member for member in team if member.player.startswith(PSEUDO))
    return tuple(member for member in team if member not in pseudo), pseudo


def _merged(team: Team) -> Team:
    """The team with one member for each player: a player with several seats gets the sum of their weights."""
    return tuple(
        Member(
            player,
            math.fsum(member.weight for member in team if member.player == player),
            any(member.updated for member in team if member.player == player),
        )
        for player in sorted({member.player for member in team})
    )


def _without(team: Team, other: Team) -> Team:
    """The team's members that weigh more here than in the other team, with the difference as their weight."""
    twins = {member.player: member for member in other}
    # A player that the other team does not have is in it with weight 0.
    pairs = [(each, twins.get(each.player, replace(each, weight=0.0, updated=False))) for each in team]
    return tuple(
        Member(member.player, member.weight - twin.weight, member.updated or twin.updated)
        for member, twin in pairs
        if member.weight - twin.weight > _NOTHING
    )


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
    contest, and neither is there between entries of one author (`League.authors`).
    """
    tables = {table.name: (table, _setting(league.game, table)) for table in league.tables}
    own = own_deals(league)
    known: dict[object, _Result | None] = {}
    blocks: dict[str, str] = {}  # so that the matches of a block name it with the same object
    found = []
    for fixture, played in matches:
        alike = (fixture.table, played.entries, played.outcome.places, played.outcome.sides, played.faults)
        if alike not in known:
            left_out = is_left_out(played.outcome, played.entries, league.authors)
            known[alike] = None if left_out else _result(*tables[fixture.table], played)
        result = known[alike]
        if result is not None:
            name = block(fixture, own)
            found.append(Contest(blocks.setdefault(name, name), *result))
    return found


def block(fixture: Fixture, own: OwnDeals) -> str:
    """The block of a fixture. The bootstrap draws the matches of a block together.

    It is the deal, whatever groups play it at whatever tables: all matches with the same luck. Of matches with deals of
    their own it is those of a group with the same number of a deal. There every bot takes every seat, so no block shows
    a bot in the better seat only.
    """
    if own.has(fixture.table, fixture.entries):
        return f"{fixture.table}/deal-{fixture.deal}/{'+'.join(sorted(fixture.entries))}"
    return f"deal-{fixture.deal}"


def hypothetical(game: str, table: TableSpec, entries: Sequence[str], rated_players: Iterable[str]) -> Contest:
    """The contest that a match between these entries would be, as far as that is known before it is played.

    The sides are those that are fixed before play; otherwise each seat counts as alone. They have no pseudo-players: a
    group of entries plays every side in turn. The game as an opponent is in it. The places mean nothing.

    `entries` are by seat; `rated_players` are all players and pseudo-players that have a rating.
    """
    sides = table.sides or alone(table.seats)
    members = [tuple(Member(entries[seat], 1 / len(seats)) for seat in seats) for seats in sides]
    if len(members) == 1:
        mark = f"{PSEUDO}{_setting(game, table)}/{_AGAINST}"
        members.append((Member(next((name for name in rated_players if name.startswith(mark)), mark)),))
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
    # Of a side with offenders these alone are rated.
    members = [_members(played, seats, offenders.intersection(seats) or frozenset(seats)) for seats in sides]
    if setting is not None:
        names = (side.name for side in played.outcome.sides)
        marks = [Member(f"{PSEUDO}{setting}/{name}", updated=not offenders) for name in names]
        members = [(*team, mark) for team, mark in zip(members, marks, strict=True)]
    places = tuple(played.outcome.places[seats[0]] for seats in sides)
    return _Result(tuple(members), places)


def _members(played: StoredMatch, seats: _Seats, learners: frozenset[Seat]) -> tuple[Member, ...]:
    return tuple(Member(played.entries[seat], 1 / len(seats), seat in learners) for seat in seats)


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
