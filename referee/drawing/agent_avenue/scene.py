"""The content of a picture, for every viewer: a whole position and a seat's view both become a scene."""

from typing import Any

import msgspec

from referee.core.outcome import Seat
from referee.drawing.drawer import Moment
from referee.drawing.look import fitted
from referee.games.agent_avenue.marks import SeenMark, seen
from referee.games.agent_avenue.pieces import Agent, Cards
from referee.games.agent_avenue.state import Market, SideState, State
from referee.games.agent_avenue.teams import ALLOWED_DISCARDS, BY_SEATS, LINE_UPS
from referee.games.agent_avenue.view import View


class Holding(msgspec.Struct, frozen=True):
    """The things that a player has.

    Attributes:
        hand: the cards; None if the viewer may not know them.
        hand_count: how many there are.
        discards: the cards put away, oldest first; None if the viewer may not know them.
        discard_count: how many there are.
        allowed: how many the player may put away in a match.
        marks: the cards of the hand that everybody knows of.
    """

    hand: Cards | None
    hand_count: int
    discards: Cards | None
    discard_count: int
    allowed: int
    marks: tuple[SeenMark, ...]


class Scene(msgspec.Struct, frozen=True):
    """A position as its viewer knows it.

    Attributes:
        turn: counted from 1; 0 before the first.
        active: the seat whose turn it is.
        sides: the open part of each side.
        holdings: by seat.
        deck_count: how many cards are left to draw.
        face_up: the card played face up, while it waits to be recruited.
        face_down: the card played face down, likewise, if the viewer knows it.
        face_down_lies: whether there is one.
        market: the open part of the market, if there is a market.
        pile_count: how many cards are left in the market's pile.
    """

    turn: int
    active: Seat
    sides: tuple[SideState, ...]
    holdings: tuple[Holding, ...]
    deck_count: int
    face_up: Agent | None
    face_down: Agent | None
    face_down_lies: bool
    market: Market | None
    pile_count: int


def whole(moment: Moment[State]) -> Scene:
    """The scene for an onlooker who sees everything."""
    state = moment.position
    allowed = ALLOWED_DISCARDS[state.options.line_up]
    return Scene(
        turn=state.turn,
        active=state.active,
        sides=state.sides,
        holdings=tuple(
            Holding(
                hand=own.hand,
                hand_count=len(own.hand),
                discards=own.discards,
                discard_count=len(own.discards),
                allowed=most,
                marks=seen(own.marks, len(own.discards)),
            )
            for own, most in zip(state.seats, allowed, strict=True)
        ),
        deck_count=len(state.deck),
        face_up=state.face_up,
        face_down=state.face_down,
        face_down_lies=state.face_down is not None,
        market=state.market,
        pile_count=len(state.pile),
    )


def seen_by_its_seat(moment: Moment[View]) -> Scene:
    """The scene for a seat."""
    view = moment.position
    return Scene(
        turn=view.turn,
        active=view.active_seat,
        sides=view.sides,
        holdings=tuple(_holding(view, seat) for seat in range(len(view.seats))),
        deck_count=view.deck_count,
        face_up=view.face_up,
        face_down=view.own_face_down,
        face_down_lies=view.teams.face_down_laid if view.teams else view.face_up is not None,
        market=None if view.market is None else view.market.open,
        pile_count=0 if view.market is None else view.market.pile_count,
    )


def _holding(view: View, seat: Seat) -> Holding:
    held, own = view.seats[seat], seat == view.seat
    return Holding(
        hand=view.hand if own else None,
        hand_count=held.hand_count,
        discards=view.own_discards if own else None,
        discard_count=held.discard_count,
        allowed=ALLOWED_DISCARDS[BY_SEATS[len(view.seats)]][seat],
        marks=held.marks,
    )


def side_name(moment: Moment[Any], side: int, width: float) -> str:
    """What a picture calls a side: the name of its player if it is alone, in so many units, else its letter."""
    own = LINE_UPS[BY_SEATS[len(moment.names)]].sides[side]
    return fitted(moment.names[own.seats[0]], width) if len(own.seats) == 1 else f"side {own.name}"


def counted(cards: Any) -> list[tuple[Any, int]]:
    """Each name with how many there are, sorted."""
    return [(name, list(cards).count(name)) for name in sorted(set(cards))]
