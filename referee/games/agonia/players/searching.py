"""A search: cards drawn from the deck, of which some may be equipped for free (AG-23, AG-48)."""

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import EVENTS, Cards, card_of, with_card, without_card
from referee.games.agonia.deck.drawing import draw
from referee.games.agonia.deck.happenings import happen
from referee.games.agonia.players.equipping import equipped, equips
from referee.games.agonia.position.actions import KEEP, Action, Equip, Keep
from referee.games.agonia.position.agenda import Search
from referee.games.agonia.position.state import Progress, State, done

SEARCHED = 2
"""How many cards a search draws (AG-23)."""


def search(state: State, step: Search) -> Progress | None:
    """Cards are drawn one by one (AG-48); then it waits while one of them can be equipped."""
    if not step.left:
        return None if _offers(state, step) else (done(state), ())
    return draw(state, step.seat, Search(step.seat, step.left - 1, _found(state, step)), happen)


def _found(state: State, step: Search) -> Cards:
    """What the search has brought to the hand once it has drawn the top card."""
    top = state.deck[:1]
    return step.drawn if not top or card_of(top[0]) in EVENTS else with_card(step.drawn, top[0])


# What a search brought may be equipped for free


def finds(state: State, step: Search, _seat: Seat) -> tuple[Action, ...]:
    """What can be equipped, sorted; or nothing of it."""
    return (*_offers(state, step), KEEP)


def _offers(state: State, step: Search) -> tuple[Action, ...]:
    own = state.seats[step.seat]
    return equips(own, tuple([card for card in step.drawn if card in own.hand])) if step.drawn else ()


def found(state: State, step: Search, seat: Seat, action: Equip | Keep) -> Progress:
    """A card goes to the table, and the rest of the find is on offer still; or the search is over."""
    if isinstance(action, Keep):
        return done(state), ()
    left = Search(seat, 0, without_card(step.drawn, action.card))
    seats, events = equipped(state, seat, action.card)
    return done(state, left, seats=seats), events
