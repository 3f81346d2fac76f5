"""The content of a picture, for every viewer: a whole position and a seat's view both become a scene.

Each event changes the scene before it, as far as the viewer heard the event.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.drawing.drawer import Moment
from referee.drawing.look import fitted
from referee.games.agent_avenue.marks import SeenMark, seen_marks
from referee.games.agent_avenue.moves import (
    FACE_UP,
    Ceased,
    Discarded,
    Drew,
    Enlisted,
    GotAway,
    Laid,
    Moved,
    Offered,
    Played,
    Recruited,
    Took,
    TookBack,
)
from referee.games.agent_avenue.pieces import ONGOING, Agent, Cards
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
                marks=seen_marks(own.sightings),
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


T = TypeVar("T")


def _with(cards: tuple[T, ...], *new: T) -> tuple[T, ...]:
    return tuple(sorted([*cards, *new]))  # type: ignore[type-var]  # cards are numbers


def _without(cards: tuple[T, ...], *gone: T) -> tuple[T, ...]:
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def _side(scene: Scene, number: int, change: Callable[[SideState], SideState]) -> Scene:
    sides = (change(own) if at == number else own for at, own in enumerate(scene.sides))
    return replace(scene, sides=tuple(sides))


def _hand(scene: Scene, seat: Seat, gained: tuple[Agent, ...], lost: tuple[Agent | None, ...], drawn: int = 0) -> Scene:
    """A hand with some cards more and some less. Cards that the viewer may not know are only counted."""

    def changed(own: Holding) -> Holding:
        known = tuple(agent for agent in lost if agent is not None)
        hand = None if own.hand is None else _without(_with(own.hand, *gained), *known)
        return replace(own, hand=hand, hand_count=own.hand_count + max(len(gained), drawn) - len(lost))

    holdings = (changed(own) if at == seat else own for at, own in enumerate(scene.holdings))
    return replace(scene, holdings=tuple(holdings))


def _drew(scene: Scene, event: Drew) -> Scene:
    return replace(_hand(scene, event.seat, event.agents, (), event.count), deck_count=scene.deck_count - event.count)


def _discarded(scene: Scene, event: Discarded) -> Scene:
    def put_away(own: Holding) -> Holding:
        known = own.discards if own.discards is None or event.agent is None else (*own.discards, event.agent)
        return replace(own, discards=known, discard_count=own.discard_count + 1)

    after = _hand(scene, event.seat, (), (event.agent,))
    holdings = (put_away(own) if at == event.seat else own for at, own in enumerate(after.holdings))
    return replace(after, holdings=tuple(holdings))


def _played(scene: Scene, event: Played) -> Scene:
    after = _hand(scene, event.seat, (), (event.face_up, event.face_down))
    return replace(after, face_up=event.face_up, face_down=event.face_down, face_down_lies=True)


def _laid(scene: Scene, event: Laid) -> Scene:
    after = _hand(scene, event.seat, (), (event.agent,))
    if event.slot is FACE_UP:
        return replace(after, face_up=event.agent)
    return replace(after, face_down=event.agent, face_down_lies=True)


def _recruited(scene: Scene, event: Recruited) -> Scene:
    after = _side(scene, event.side, lambda own: replace(own, recruited=_with(own.recruited, event.agent)))
    return (
        replace(after, face_up=None) if event.slot is FACE_UP else replace(after, face_down=None, face_down_lies=False)
    )


def _moved(scene: Scene, event: Moved | GotAway) -> Scene:
    return _side(scene, event.side, lambda own: replace(own, progress=event.progress))


def _offered(scene: Scene, event: Offered) -> Scene:
    if scene.market is None:
        return scene
    market = replace(scene.market, offer=_with(scene.market.offer, *event.cards))
    return replace(scene, market=market, pile_count=scene.pile_count - len(event.cards))


def _took(scene: Scene, event: Took) -> Scene:
    if scene.market is None:
        return scene
    market = replace(scene.market, offer=_without(scene.market.offer, event.card))
    if event.card not in ONGOING:
        return replace(scene, market=replace(market, discarded=(*market.discarded, event.card)))
    return _side(
        replace(scene, market=market), event.side, lambda own: replace(own, ongoing=_with(own.ongoing, event.card))
    )


def _took_back(scene: Scene, event: TookBack) -> Scene:
    after = _side(scene, event.side, lambda own: replace(own, recruited=_without(own.recruited, event.agent)))
    return _hand(after, event.seat, (event.agent,), ())


def _enlisted(scene: Scene, event: Enlisted) -> Scene:
    after = _side(scene, event.side, lambda own: replace(own, recruited=_with(own.recruited, event.agent)))
    if event.seat is None:
        return replace(after, deck_count=after.deck_count - 1)
    return _hand(after, event.seat, (), (event.agent,))


def _ceased(scene: Scene, event: Ceased) -> Scene:
    if scene.market is None:
        return scene
    market = replace(scene.market, removed=_with(scene.market.removed, *event.agents))
    return replace(scene, market=market, sides=tuple(replace(own, recruited=()) for own in scene.sides))


CHANGES: Mapping[type, Callable[[Scene, Any], Scene]] = {
    Drew: _drew,
    Discarded: _discarded,
    Played: _played,
    Laid: _laid,
    Recruited: _recruited,
    Moved: _moved,
    GotAway: _moved,
    Offered: _offered,
    Took: _took,
    TookBack: _took_back,
    Enlisted: _enlisted,
    Ceased: _ceased,
}
