"""Matches as the rating sees them, and which of them have equal results.

A league of 100,000 matches has a few hundred kinds of result. Equal results are one kind with a count; everything
that follows works on kinds, in one canonical order, so no order of the matches can matter.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

import msgspec

_NOTHING = 1e-9
"""The most that rounding can leave where two weights cancel."""


class Member(msgspec.Struct, frozen=True, order=True):
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


class Contest(msgspec.Struct, frozen=True):
    """One match.

    Attributes:
        block: the unit of the bootstrap: one deal of one group of entries in all rotations.
        teams: the members of each team.
        places: by team, 1 is best, equal places are a tie.
    """

    block: str
    teams: tuple[Team, ...]
    places: tuple[int, ...]


class ResultKind(msgspec.Struct, frozen=True, order=True):
    """A result in canonical form: teams from first to last, every player once and in one team only.

    Attributes:
        teams: sorted by place, then by name; the members of each sorted by name.
        places: by team, counted 1, 2, 3 without gaps; equal places are a tie.
    """

    teams: tuple[Team, ...]
    places: tuple[int, ...]

    @property
    def members(self) -> Team:
        """All members, team after team."""
        return tuple(member for team in self.teams for member in team)


ResultCounts: TypeAlias = Mapping[ResultKind, int]
"""How often each kind occurred."""

Content: TypeAlias = tuple[tuple[ResultKind, int], ...]
"""The results of one block, counted, in canonical order."""


def result_counts(contests: Iterable[Contest]) -> dict[ResultKind, int]:
    """How often each kind occurred, in canonical order.

    Raises:
        ValueError: a contest cannot be rated; the message names its block.
    """
    return total(blocks(contests).items())


def blocks(contests: Iterable[Contest]) -> dict[Content, int]:
    """How many blocks there are of each content, in canonical order.

    Raises:
        ValueError: as `result_counts`.
    """
    known: dict[tuple[tuple[Team, ...], tuple[int, ...]], tuple[ResultKind, ...]] = {}
    contents: dict[str, Counter[ResultKind]] = {}
    for contest in contests:
        result = (contest.teams, contest.places)
        if result not in known:
            known[result] = kinds(contest)
        contents.setdefault(contest.block, Counter()).update(known[result])
    return dict(sorted(Counter(tuple(sorted(content.items())) for content in contents.values()).items()))


def total(contents: Iterable[tuple[Content, int]]) -> dict[ResultKind, int]:
    """The results of some blocks, counted: pairs of a content and how many blocks have it."""
    counts: Counter[ResultKind] = Counter()
    for content, times in contents:
        for kind, count in content:
            counts[kind] += count * times
    return {kind: counts[kind] for kind in sorted(counts) if counts[kind]}


def opposite(content: Content) -> Content:
    """The block with the places of all its matches turned round: the last comes first, and the first last."""
    return tuple(sorted((_opposite(kind), count) for kind, count in content))


def learners(content: Content) -> frozenset[str]:
    """The players and pseudo-players that the block says anything about."""
    return frozenset(member.player for kind, _ in content for member in kind.members if member.updated)


def kinds(contest: Contest) -> tuple[ResultKind, ...]:
    """The kinds of result that a contest consists of: one, none or several.

    A comparison of a player with itself says nothing. If a player is in several teams, the contest is split into the
    comparisons of neighbours by place. In each comparison the player's smaller weight is taken off both sides, which
    leaves the difference of the two teams' skills as it was. A comparison that is then empty on both sides is dropped.

    Raises:
        ValueError: the contest makes no sense, or a player would have no opponent.
    """
    _refuse_nonsense(contest)
    teams = tuple(_merged(team) for team in contest.teams)
    names = [member.player for team in teams for member in team]
    if len(set(names)) == len(names):
        found = [_canonical(teams, contest.places)]
    else:
        found = list(_comparisons(_canonical(teams, contest.places), contest.block))
    return tuple(kind for kind in found if any(member.updated for member in kind.members))


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


def _canonical(teams: Sequence[Team], places: Sequence[int]) -> ResultKind:
    ranked = sorted(zip(places, teams, strict=True))
    order = sorted(set(places))
    return ResultKind(tuple(team for _, team in ranked), tuple(order.index(place) + 1 for place, _ in ranked))


def _opposite(kind: ResultKind) -> ResultKind:
    return _canonical(kind.teams, [-place for place in kind.places])


def _comparisons(kind: ResultKind, block: str) -> Iterable[ResultKind]:
    """The comparisons of neighbours, without the weight that a player has on both sides."""
    for (above, place), (below, next_place) in pairwise(zip(kind.teams, kind.places, strict=True)):
        teams = (_without(above, below), _without(below, above))
        if all(teams):
            yield _canonical(teams, (place, next_place))
        elif any(teams):
            alone = ", ".join(member.player for team in teams for member in team)
            raise ValueError(
                f"A contest of block {block!r} cannot be rated: what its sides have in common leaves {alone} without "
                "an opponent; give the members of a team weights that add up to 1."
            )


def _without(team: Team, other: Team) -> Team:
    """The team's members that weigh more here than in the other team, with the difference as their weight."""
    opposed = {member.player: member for member in other}
    left = []
    for member in team:
        twin = opposed.get(member.player)
        weight = member.weight - (twin.weight if twin else 0.0)
        if weight > _NOTHING:
            left.append(Member(member.player, weight, member.updated or (twin is not None and twin.updated)))
    return tuple(left)
