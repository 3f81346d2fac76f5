"""The open part of a position, which everybody knows. It is also the open part of every view."""

import msgspec

from referee.core.outcome import Seat
from referee.games.inside_job.missions import MissionId, MissionIds
from referee.games.inside_job.pieces import Card


class Laid(msgspec.Struct, frozen=True, gc=False):
    """A card played to the trick; `wager` says whether a token lies on it (IJ-13)."""

    card: Card
    wager: bool


class OpenSeat(msgspec.Struct, frozen=True, gc=False):
    """The open part of a player, which everybody knows.

    Attributes:
        tokens: the tokens that the player holds, without those on cards.
        role: the id of the role, if it is open (IJ-44).
        revealed: whether tokens made the player reveal the role (IJ-17).
    """

    tokens: int
    role: str | None = None
    revealed: bool = False


class Common(msgspec.Struct, frozen=True, gc=False):
    """The open part of a position, which everybody knows.

    Attributes:
        seats: the open part of each seat.
        supply: the tokens that nobody holds and that lie on no card.
        trick: the number of the trick, counted from 1; 0 before the first.
        leader: the seat that leads this trick; after the last trick, its winner. Has no meaning before the first trick.
        mission: the mission of this trick, once it is chosen.
        laid: the cards of this trick: the leader's first, then by rising seat.
        completed: the missions completed so far, oldest first (IJ-15).
        failed: the missions failed so far, oldest first (IJ-15).
        partner: the seat that the Accomplice has chosen (IJ-35).
    """

    seats: tuple[OpenSeat, ...]
    supply: int
    trick: int = 0
    leader: Seat = 0
    mission: MissionId | None = None
    laid: tuple[Laid, ...] = ()
    completed: MissionIds = ()
    failed: MissionIds = ()
    partner: Seat | None = None
