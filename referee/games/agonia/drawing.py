"""Cards drawn from the deck: a search, round draws, suministros (AG-22, AG-23, AG-25, AG-48)."""

from collections.abc import Callable

from msgspec.structs import replace

from referee.core.game import Shuffle
from referee.core.outcome import Seat
from referee.games.agonia.agenda import Reshuffle, RoundDraw, Search, Step, Supplies
from referee.games.agonia.cards import EVENTS, Card, Cards, card_of, with_card, without_card
from referee.games.agonia.equipping import equipped, equips
from referee.games.agonia.events import Drew, Reshuffled
from referee.games.agonia.hands import gaining
from referee.games.agonia.happenings import happen, lapse
from referee.games.agonia.moves import KEEP, Action, Equip, Keep
from referee.games.agonia.state import Progress, State, done

SEARCHED = 2
"""How many cards a search draws (AG-23)."""


def round_draw(state: State, step: RoundDraw) -> Progress:
    """The next seat draws; an event acts and is not replaced (AG-22)."""
    if not step.seats:
        return done(state), ()
    return _draw(state, step.seats[0], RoundDraw(step.seats[1:]), happen)


def supplies(state: State, step: Supplies) -> Progress:
    """The next seat draws; an event is discarded (AG-48)."""
    if not step.seats:
        return done(state), ()
    return _draw(state, step.seats[0], Supplies(step.seats[1:]), lapse)


def search(state: State, step: Search) -> Progress | None:
    """Cards are drawn one by one (AG-48); then it waits while one of them can be equipped."""
    if not step.left:
        return None if _offers(state, step) else (done(state), ())
    return _draw(state, step.seat, Search(step.seat, step.left - 1, _found(state, step)), happen)


def _found(state: State, step: Search) -> Cards:
    """What the search has brought to the hand once it has drawn the top card."""
    top = state.deck[:1]
    return step.drawn if not top or card_of(top[0]) in EVENTS else with_card(step.drawn, top[0])


def _draw(state: State, seat: Seat, rest: Step, meet: Callable[[State, Seat, Card, Step], Progress]) -> Progress:
    """The top card goes to the hand. An event goes to the discards, and `meet` says what comes of it."""
    if not state.deck:
        return _without_deck(state, rest)
    top, deck = state.deck[0], state.deck[1:]
    card = card_of(top)
    if card in EVENTS:
        return meet(replace(state, deck=deck, discards=with_card(state.discards, top)), seat, card, rest)
    return done(state, rest, deck=deck, seats=gaining(state, seat, top)), (Drew(seat, top),)


def _without_deck(state: State, rest: Step) -> Progress:
    """The discards become the deck before the draw (AG-25); with none either, there is no card to draw."""
    if state.discards:
        return replace(state, agenda=(Reshuffle(), *state.agenda)), ()
    return done(state, rest), ()


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


# The deck


def shuffle(state: State, _step: Reshuffle) -> Shuffle:
    """All discards."""
    return Shuffle(f"cards/{state.shuffles + 1}", len(state.discards))


def reshuffled(state: State, _step: Reshuffle, order: tuple[int, ...]) -> Progress:
    """They are the deck now (AG-25)."""
    deck = tuple(map(state.discards.__getitem__, order))
    return done(state, deck=deck, discards=(), shuffles=state.shuffles + 1), (Reshuffled(len(deck)),)
