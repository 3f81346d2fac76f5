"""The part of a position that a seat may know, and the part of an event that it hears."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import astuple

from referee.core.outcome import Seat
from referee.games.inside_job.common import Common, Laid, OpenSeat
from referee.games.inside_job.missions import MissionIds, MissionInFull
from referee.games.inside_job.moves import ChoseMission, ChosePartner, Event, GotHand, GotRole, LookedAt
from referee.games.inside_job.pieces import Cards
from referee.games.inside_job.role import RoleId
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.state import State


class View(msgspec.Struct, frozen=True, gc=False):
    """A position as one seat may know it.

    Attributes:
        seat: the seat whose view this is.
        role: the seat's own role; None before the roles are dealt.
        hand: the seat's own hand, sorted.
        put_away: the missions that it put away as leader (IJ-11), oldest first.
        looked_at: the two missions that it chooses between (IJ-11), sorted; empty to all but the leader.
        partner_role: the role of the partner, shown to the Accomplice only (IJ-35).
        seats: the open part of each seat.
        supply: the tokens that nobody holds and that lie on no card.
        trick: the number of the trick, counted from 1; 0 before the first.
        leader: the seat that leads this trick; after the last trick, its winner. None before the first trick.
        mission: the mission of this trick, once it is chosen.
        laid: the cards of this trick: the leader's first, then by rising seat.
        completed: the missions completed so far, oldest first (IJ-15).
        failed: the missions failed so far, oldest first (IJ-15).
        partner: the seat that the Accomplice has chosen (IJ-35).
    """

    seat: Seat
    role: RoleId | None
    hand: Cards
    put_away: MissionIds
    looked_at: tuple[MissionInFull, ...]
    partner_role: RoleId | None
    seats: tuple[OpenSeat, ...]
    supply: int
    trick: int
    leader: Seat | None
    mission: MissionInFull | None
    laid: tuple[Laid, ...]
    completed: MissionIds
    failed: MissionIds
    partner: Seat | None

    @property
    def common(self) -> Common:
        """What everybody knows."""
        seats, supply, trick, leader, *others = astuple(self)[-len(Common.__struct_fields__) :]
        return Common(seats, supply, trick, leader or 0, *others)


def view(state: State, seat: Seat) -> View:
    """The position as `seat` may know it."""
    common = state.common
    seats, supply, trick, leader, *others = astuple(common)
    return View(
        seat,
        state.roles[seat] if state.phase != "roles" else None,
        state.hands[seat],
        state.put_away[seat],
        state.looked_at if seat == common.leader else (),
        None if common.partner is None else _seen_role(state, seat, common.partner),
        seats,
        supply,
        trick,
        leader if trick else None,
        *others,
    )


def _seen_role(state: State, seat: Seat, partner: Seat) -> RoleId | None:
    return state.roles[partner] if ROLES[state.roles[seat]].chooses_partner else None


def heard(event: Event, seat: Seat) -> Event | None:
    """The event without the parts that only another seat saw (IJ-11, IJ-35)."""
    part = _PARTS.get(type(event))
    return event if part is None else part(event, seat)


# Events that one seat hears whole and the other seats in part.
_PARTS: dict[type, Callable[[Any, Seat], Event]] = {
    GotRole: lambda it, seat: it if it.seat == seat else GotRole(it.seat, None),
    GotHand: lambda it, seat: it if it.seat == seat else GotHand(it.seat, it.count, ()),
    ChosePartner: lambda it, seat: it if it.seat == seat else ChosePartner(it.seat, it.partner, None),
    LookedAt: lambda it, seat: it if it.seat == seat else LookedAt(it.trick, it.seat, ()),
    ChoseMission: lambda it, seat: it if it.seat == seat else ChoseMission(it.seat, it.mission, None),
}
