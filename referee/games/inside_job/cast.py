"""The facts that roles fix for a whole game: first the roles in the game, then the roles as they were dealt."""

from collections.abc import Callable
from functools import cache

import msgspec

from referee.core.outcome import Seat
from referee.games.inside_job.ending import Ending
from referee.games.inside_job.missions import ORDINARY, MissionIds
from referee.games.inside_job.options import read_roles
from referee.games.inside_job.pieces import SETUPS
from referee.games.inside_job.role import Role, RoleId
from referee.games.inside_job.roles import AGENT, INSIDER, ROLES


class Cast(msgspec.Struct, frozen=True):
    """The facts that are fixed before anything is shuffled.

    Attributes:
        roles: one for each player (IJ-30).
        missions: the deck of missions.
        tricks: the most tricks that are played (IJ-02).
        missions_to_win: how many completed missions the agents need (IJ-03).
        reveals_at: a seat with this many tokens must reveal its role (IJ-17, IJ-38).
        chooses_partner: whether one of the roles chooses a partner (IJ-35).
        silences_open_roles: whether one of the roles takes the vote from every seat with an open role (IJ-43).
    """

    roles: tuple[RoleId, ...]
    missions: MissionIds
    tricks: int
    missions_to_win: int
    reveals_at: int
    chooses_partner: bool
    silences_open_roles: bool


@cache
def cast(roles: str, seats: int) -> Cast:
    """The cast of a game with these special roles, as the options name them, and this number of players.

    Raises:
        ValueError: the game is not for this number of players.
    """
    if seats not in fitting_seats(roles):
        raise ValueError(f"inside-job with roles {roles} is not for {seats} players")
    special, setup = read_roles(roles), SETUPS[seats]
    insiders = [role for role in special if role.is_insider] or [INSIDER]
    others = [role for role in special if not role.is_insider]
    agents = [AGENT] * (seats - len(insiders) - len(others))
    added = tuple(mission for role in special for mission in role.missions)
    own_limits = [role.reveals_at[seats] for role in special if role.reveals_at]
    return Cast(
        roles=tuple(role.id for role in (*insiders, *others, *agents)),
        missions=tuple(mission.id for mission in ORDINARY) + added,
        tricks=setup.tricks,
        missions_to_win=setup.missions,
        reveals_at=min(own_limits, default=setup.tokens),
        chooses_partner=any(role.chooses_partner for role in special),
        silences_open_roles=any(role.silences_open_roles for role in special),
    )


def fitting_seats(roles: str) -> tuple[int, ...]:
    """3 to 5 players; with special roles 4 or 5 (IJ-30)."""
    return tuple(seats for seats in SETUPS if seats > 3 or not read_roles(roles))


class Dealt(msgspec.Struct, frozen=True):
    """The roles as they were dealt.

    Attributes:
        roles: the role of each seat.
        insider: the seat of the Insider, or of Prof. No.
        tested: the seats whose tokens are tested after every trick, and how (IJ-31).
    """

    roles: tuple[Role, ...]
    insider: Seat
    tested: tuple[tuple[Seat, Callable[[int], Ending | None]], ...]


@cache  # at most some hundred different deals
def dealt(ids: tuple[RoleId, ...]) -> Dealt:
    """The roles with these ids, by seat."""
    roles = tuple(ROLES[role] for role in ids)
    (insider,) = (seat for seat, role in enumerate(roles) if role.is_insider)
    tested = tuple((seat, role.test_tokens) for seat, role in enumerate(roles) if role.test_tokens)
    return Dealt(roles, insider, tested)
