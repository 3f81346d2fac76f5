"""Matches as the rating sees them: teams with places, and the comparisons of two teams that they are made of.

A match of two teams is one comparison. A match of k teams is all k(k-1)/2 comparisons of two of its teams, ties too,
and each counts 2/k of a match. So no order of the teams matters, not even among teams that tie. With these weights a
match of k teams says about as much as k-1 matches of two teams, although its comparisons share the performances of
the teams.
"""

import math
from collections.abc import Iterator
from itertools import combinations
from typing import TypeAlias

import msgspec

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
        block: the unit of the bootstrap: matches with the same block share their luck.
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
    pairs = [(member, twins.get(member.player, _nobody(member))) for member in team]
    return tuple(
        Member(member.player, member.weight - twin.weight, member.updated or twin.updated)
        for member, twin in pairs
        if member.weight - twin.weight > _NOTHING
    )


def _nobody(member: Member) -> Member:
    """The player as a member of a team that does not have it: with weight 0."""
    return Member(member.player, weight=0.0, updated=False)
