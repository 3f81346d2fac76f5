"""The cards on the table before a player, and how they get there (AG-23, AG-47)."""

from functools import cache, lru_cache

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import (
    EQUIPMENT,
    JOINED,
    WEAPONS,
    Card,
    Cards,
    Held,
    card_of,
    with_card,
    without_card,
)
from referee.games.agonia.position.actions import Action, equip
from referee.games.agonia.position.events import Event, TookBack
from referee.games.agonia.position.hands import different, with_seat
from referee.games.agonia.position.state import RESULTS_KEPT, SeatState, State


def equips(own: SeatState, cards: Cards) -> tuple[Action, ...]:
    """Each different card of `cards` that can go from the hand to the table now. Sorted."""
    return _equips(cards, _joins(own.weapon, own.joined))


@lru_cache(RESULTS_KEPT)
def _equips(cards: Cards, joins: frozenset[Card]) -> tuple[Action, ...]:
    return tuple(equip(held) for held in different(cards) if _fits(card_of(held), joins))


def _fits(card: Card, joins: frozenset[Card]) -> bool:
    return card in WEAPONS or card in EQUIPMENT or card in joins


@cache
def _joins(weapon: Held | None, joined: Cards) -> frozenset[Card]:
    """The cards that could join the weapon: none if it shoots along a line, else one card of each kind (AG-47)."""
    if weapon is None or WEAPONS[card_of(weapon)].line:
        return frozenset()
    return frozenset(JOINED).difference(joined)


def equipped(state: State, seat: Seat, held: Held) -> tuple[tuple[SeatState, ...], tuple[Event, ...]]:
    """The players after one of them put a card on the table. The card that it replaces goes back to the hand."""
    own, back = _on_table(state.seats[seat], held)
    seats = with_seat(state, seat, replace(own, hand=tuple(sorted(own.hand + back))))
    return seats, (TookBack(seat, tuple(sorted(back))),) if back else ()


def _on_table(own: SeatState, held: Held) -> tuple[SeatState, Cards]:
    """The player, and the cards that leave the table. A weapon takes its joined cards with it (AG-47)."""
    hand, card = without_card(own.hand, held), card_of(held)
    if card in JOINED:
        return replace(own, hand=hand, joined=with_card(own.joined, held)), ()
    if card in EQUIPMENT:
        return replace(own, hand=hand, equipment=held), _there(own.equipment)
    return replace(own, hand=hand, weapon=held, joined=()), _there(own.weapon) + own.joined


def _there(card: Held | None) -> Cards:
    return () if card is None else (card,)
