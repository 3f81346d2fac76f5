"""What everybody knows: the open part of a position, which is at the same time the open part of every view."""

import msgspec

from referee.core.outcome import Seat
from referee.games.inside_job.missions import MissionId, MissionIds
from referee.games.inside_job.pieces import Card


class Laid(msgspec.Struct, frozen=True, gc=False):
    """A card played into the trick; with `wager` a token lies on it (IJ-13)."""

    card: Card
    wager: bool


class OpenSeat(msgspec.Struct, frozen=True, gc=False):
    """What everybody knows of a player.

    Attributes:
        tokens: held, those on cards not counted.
        role: the id of the role, if it is open (IJ-44).
        revealed: whether it was opened by tokens (IJ-17).
    """

    tokens: int
    role: str | None = None
    revealed: bool = False


class Common(msgspec.Struct, frozen=True, gc=False):
    """What everybody knows of a position.

    Attributes:
        seats: by seat.
        supply: tokens that nobody holds and that lie on no card.
        trick: counted from 1; 0 before the first.
        leader: of this trick; after the last one, its winner. Means nothing before the first trick.
        mission: of this trick, once it is chosen.
        laid: the cards of this trick, the leader's first, then by rising seat.
        completed: missions that were, oldest first (IJ-15).
        failed: missions that were not, oldest first (IJ-15).
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
