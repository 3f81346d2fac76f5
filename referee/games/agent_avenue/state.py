"""The position: what lies where, and whose move it is."""

from typing import Literal, TypeAlias

import msgspec

from referee.core.outcome import Outcome, Seat, Side
from referee.games.agent_avenue.pieces import Agent, Cards


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be agreed before a game (AA-03)."""

    mode: Literal["simple"] = "simple"
    line_up: Literal["1v1"] = "1v1"


LINE_UPS = {"1v1": (Side("a", (0,)), Side("b", (1,)))}
"""The sides of every line-up. Side 0 lives at the first home, side 1 at the second."""


Phase: TypeAlias = Literal["deal", "first", "play", "recruit", "over"]
"""What the game waits for: two draws of luck, the active player, the opponent, nothing."""


class SideState(msgspec.Struct, frozen=True, gc=False):
    """What lies open of a side.

    Attributes:
        progress: spaces walked, forwards minus backwards, without bounds (AA-08).
        recruited: the agents in front of it, sorted.
    """

    progress: int = 0
    recruited: Cards = ()


class SeatState(msgspec.Struct, frozen=True, gc=False):
    """What a player holds.

    Attributes:
        hand: sorted.
        discards: what the player put away face down (AA-04), oldest first.
    """

    hand: Cards = ()
    discards: Cards = ()


class State(msgspec.Struct, frozen=True, gc=False):
    """A position, whole: the hidden parts included.

    Attributes:
        options: what was agreed.
        phase: what the game waits for.
        turn: counted from 1; 0 before the first.
        active: the seat whose turn it is.
        deck: what is left of it, top first.
        seats: by seat.
        sides: by side.
        face_up: the card played so, while it waits to be recruited.
        face_down: likewise.
        outcome: of a game that is over.
    """

    options: Options
    phase: Phase
    turn: int
    active: Seat
    deck: Cards
    seats: tuple[SeatState, ...]
    sides: tuple[SideState, ...]
    face_up: Agent | None = None
    face_down: Agent | None = None
    outcome: Outcome | None = None


def lead(sides: tuple[SideState, ...], side: int) -> int:
    """How far `side` has come nearer to the other from behind: its progress minus the other's (AA-08)."""
    return sides[side].progress - sides[1 - side].progress
