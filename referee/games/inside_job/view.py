"""The part of a position that a seat may know, and the part of an event that it hears."""

from collections.abc import Callable
from typing import Any

import msgspec

from referee.core.outcome import Seat
from referee.games.inside_job.common import Common
from referee.games.inside_job.missions import MissionIds
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
        common: what everybody knows.
    """

    seat: Seat
    role: RoleId | None
    hand: Cards
    put_away: MissionIds
    looked_at: MissionIds
    partner_role: RoleId | None
    common: Common


def view(state: State, seat: Seat) -> View:
    """The position as `seat` may know it."""
    common = state.common
    return View(
        seat,
        state.roles[seat] if state.phase != "roles" else None,
        state.hands[seat],
        state.put_away[seat],
        state.looked_at if seat == common.leader else (),
        None if common.partner is None else _seen_role(state, seat, common.partner),
        common,
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
