"""How players get and lose cards: a search, and what they equip and discard.

In a search the player draws cards from the deck and may equip some of them for free (AG-23, AG-48). Players discard
cards when their hands are too full (AG-25, AG-48). Equipped cards lie on the table before their player (AG-23, AG-47).
"""

from functools import cache, lru_cache

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import (
    EQUIPMENT,
    EVENTS,
    JOINED,
    WEAPONS,
    Card,
    Cards,
    HeldCard,
    card_of,
    with_card,
    without_card,
)
from referee.games.agonia.box.characters import PRINTS, Character
from referee.games.agonia.deck import draw
from referee.games.agonia.position.actions import KEEP, Action, Discard, Equip, Keep, discard, equip
from referee.games.agonia.position.agenda import Search, Trim
from referee.games.agonia.position.events import Event, TookBack
from referee.games.agonia.position.state import (
    RESULTS_KEPT,
    Progress,
    SeatState,
    State,
    different,
    done,
    used_up,
    with_seat,
)


def equips(own: SeatState, cards: Cards) -> tuple[Action, ...]:
    """Each different card of `cards` that can go from the hand to the table now. Sorted."""
    return _equips(cards, _joins(own.weapon, own.joined))


@lru_cache(RESULTS_KEPT)
def _equips(cards: Cards, joins: frozenset[Card]) -> tuple[Action, ...]:
    return tuple(equip(held) for held in different(cards) if _fits(card_of(held), joins))


def _fits(card: Card, joins: frozenset[Card]) -> bool:
    return card in WEAPONS or card in EQUIPMENT or card in joins


@cache
def _joins(weapon: HeldCard | None, joined: Cards) -> frozenset[Card]:
    """The cards that could join the weapon: none if it shoots along a line, else one card of each kind (AG-47)."""
    if weapon is None or WEAPONS[card_of(weapon)].line:
        return frozenset()
    return frozenset(JOINED).difference(joined)


def equipped(state: State, seat: Seat, held_card: HeldCard) -> tuple[tuple[SeatState, ...], tuple[Event, ...]]:
    """The players after one of them put a card on the table. The card that it replaces goes back to the hand."""
    own, back = _on_table(state.seats[seat], held_card)
    seats = with_seat(state, seat, replace(own, hand=tuple(sorted(own.hand + back))))
    return seats, (TookBack(seat, tuple(sorted(back))),) if back else ()


def _on_table(own: SeatState, held_card: HeldCard) -> tuple[SeatState, Cards]:
    """The player, and the cards that leave the table. A weapon takes its joined cards with it (AG-47)."""
    hand, card = without_card(own.hand, held_card), card_of(held_card)
    if card in JOINED:
        return replace(own, hand=hand, joined=with_card(own.joined, held_card)), ()
    if card in EQUIPMENT:
        return replace(own, hand=hand, equipment=held_card), _there(own.equipment)
    return replace(own, hand=hand, weapon=held_card, joined=()), _there(own.weapon) + own.joined


def _there(card: HeldCard | None) -> Cards:
    return () if card is None else (card,)


def is_over_limit(own: SeatState) -> bool:
    """Whether a player must discard (AG-25)."""
    return len(own.hand) > _limit(own.character, own.equipment)


@cache
def _limit(character: Character, equipment: HeldCard | None) -> int:
    """Vera holds 4, the others 3; the chaleco táctico adds 1."""
    more = 0 if equipment is None else EQUIPMENT[card_of(equipment)].more_hand
    return PRINTS[character].hand + more


def trim(state: State, step: Trim) -> Progress | None:
    """Wait for the first of these seats that is over its limit. When no seat is, the step is done."""
    over = [seat for seat in step.seats if is_over_limit(state.seats[seat])]
    if not over:
        return done(state), ()
    return None if len(over) == len(step.seats) else (done(state, Trim(tuple(over))), ())


def discards(state: State, _step: Trim, seat: Seat) -> tuple[Action, ...]:
    """Each different card of the hand, sorted."""
    return _discards(state.seats[seat].hand)


@lru_cache(RESULTS_KEPT)
def _discards(hand: Cards) -> tuple[Action, ...]:
    return tuple(map(discard, different(hand)))


def discarded(state: State, step: Trim, seat: Seat, action: Discard) -> Progress:
    """Discard the card, then check the same seats again."""
    return used_up(state, seat, action.card, step), ()


SEARCHED = 2
"""How many cards a search draws (AG-23)."""


def search(state: State, step: Search) -> Progress | None:
    """Draw the cards one by one (AG-48). Then wait as long as the player can equip one of them."""
    if not step.left:
        return None if _offers(state, step) else (done(state), ())
    return draw(state, step.seat, Search(step.seat, step.left - 1, _drawn_cards(state, step)))


def _drawn_cards(state: State, step: Search) -> Cards:
    """The cards that the search has found, after it draws the top card."""
    top = state.deck[:1]
    return step.drawn if not top or card_of(top[0]) in EVENTS else with_card(step.drawn, top[0])


# The player may equip the found cards for free


def finds(state: State, step: Search, _seat: Seat) -> tuple[Action, ...]:
    """The cards that the player can equip, sorted. It can also keep them all in the hand."""
    return (*_offers(state, step), KEEP)


def _offers(state: State, step: Search) -> tuple[Action, ...]:
    own = state.seats[step.seat]
    return equips(own, tuple([card for card in step.drawn if card in own.hand])) if step.drawn else ()


def equip_or_keep(state: State, step: Search, seat: Seat, action: Equip | Keep) -> Progress:
    """Put a card on the table, and go on offering the other cards. Or end the search."""
    if isinstance(action, Keep):
        return done(state), ()
    left = Search(seat, 0, without_card(step.drawn, action.card))
    seats, events = equipped(state, seat, action.card)
    return done(state, left, seats=seats), events
