"""The position: where everything is, and which seat must choose."""

from typing import Literal, TypeAlias

import msgspec

from referee.core.outcome import Outcome, Seat
from referee.games.agent_avenue.marks import Sightings
from referee.games.agent_avenue.pieces import Agent, Cards, MarketCard, MarketCards


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that players agree on before a game (AA-03).

    Raises:
        ValueError: Ceasefire is chosen without a market.
    """

    mode: Literal["simple", "advanced"] = "simple"
    line_up: Literal["1v1", "2v2", "2v1"] = "1v1"
    ceasefire: bool = False

    def __post_init__(self) -> None:
        if self.ceasefire and self.mode == "simple":
            raise ValueError("ceasefire is a card of the black market; set mode to advanced, or leave it out")


Phase: TypeAlias = Literal[
    "deal", "offer", "first", "play", "face_up", "face_down", "recruit", "market", "target", "again", "over"
]
"""The next decision or draw of luck.

Luck: `deal`, `offer` (of the market), `first` (side). A player alone: `play`. A team: `face_up`, then `face_down`. The
other side: `recruit`. A side on a market space: `market`; the taker of an instant: `target`, `again` (Spycation).
Nothing: `over`.
"""


class SideState(msgspec.Struct, frozen=True, gc=False):
    """The open part of a side.

    Attributes:
        progress: spaces walked, forwards minus backwards, without bounds (AA-08).
        recruited: the agents in front of it, sorted.
        ongoing: its ongoing market cards, sorted.
    """

    progress: int = 0
    recruited: Cards = ()
    ongoing: MarketCards = ()


class SeatState(msgspec.Struct, frozen=True, gc=False):
    """The cards of a player.

    Attributes:
        hand: sorted.
        discards: the cards that the player discarded face down (AA-04), oldest first.
        sightings: what everybody has seen of the hand.
    """

    hand: Cards = ()
    discards: Cards = ()
    sightings: Sightings = ()


class Market(msgspec.Struct, frozen=True, gc=False):
    """The open part of the black market.

    Attributes:
        offer: sorted.
        discarded: the instants that were used, oldest first.
        removed: the agents that a Ceasefire put out of the game, sorted.
        landed: the sides that must take a card, in this order (AA-22).
        resolving: the instant whose choice is awaited.
        taker: the seat that took it.
        returned: the agent that Spycation took back, while it may be recruited again.
    """

    offer: MarketCards = ()
    discarded: MarketCards = ()
    removed: Cards = ()
    landed: tuple[int, ...] = ()
    resolving: MarketCard | None = None
    taker: Seat | None = None
    returned: Agent | None = None


class State(msgspec.Struct, frozen=True, gc=False):
    """A position, whole: the hidden parts included.

    Attributes:
        options: what was agreed.
        phase: what the game waits for.
        turn: counted from 1; 0 before the first.
        active: the seat whose turn it is; captain of its side (AA-40).
        following: the seat whose turn comes next; captain of the other side (AA-40).
        laying: the seats that lay the face-up and the face-down card (AA-41); the active one twice if it is alone.
        deck: the rest of the deck, top first.
        seats: what each player holds.
        sides: the open part of each side.
        face_up: the card played face up, while it waits to be recruited.
        face_down: the card played face down, while it waits to be recruited.
        began: the side that had the first turn.
        market: the open part of the market, in advanced mode.
        pile: the rest of the market's cards, top first.
        outcome: the outcome, once the game is over.
    """

    options: Options
    phase: Phase
    turn: int
    active: Seat
    following: Seat
    laying: tuple[Seat, Seat]
    deck: Cards
    seats: tuple[SeatState, ...]
    sides: tuple[SideState, ...]
    face_up: Agent | None = None
    face_down: Agent | None = None
    began: int = 0
    market: Market | None = None
    pile: MarketCards = ()
    outcome: Outcome | None = None


def lead(sides: tuple[SideState, ...], side: int) -> int:
    """How many spaces `side` has gained on the other side: its progress minus the other's (AA-08)."""
    return sides[side].progress - sides[1 - side].progress
