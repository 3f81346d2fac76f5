"""A search: the player draws cards from the deck and may equip some of them for free (AG-23, AG-48)."""

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import EVENTS, Cards, card_of, with_card, without_card
from referee.games.agonia.deck import draw, happen
from referee.games.agonia.players.equipping import equipped, equips
from referee.games.agonia.position.actions import KEEP, Action, Equip, Keep
from referee.games.agonia.position.agenda import Search
from referee.games.agonia.position.state import Progress, State, done

SEARCHED = 2
"""How many cards a search draws (AG-23)."""


def search(state: State, step: Search) -> Progress | None:
    """Draw the cards one by one (AG-48). Then wait as long as the player can equip one of them."""
    if not step.left:
        return None if _offers(state, step) else (done(state), ())
    return draw(state, step.seat, Search(step.seat, step.left - 1, _found(state, step)), happen)


def _found(state: State, step: Search) -> Cards:
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


def found(state: State, step: Search, seat: Seat, action: Equip | Keep) -> Progress:
    """Put a card on the table, and go on offering the other cards. Or end the search."""
    if isinstance(action, Keep):
        return done(state), ()
    left = Search(seat, 0, without_card(step.drawn, action.card))
    seats, events = equipped(state, seat, action.card)
    return done(state, left, seats=seats), events
