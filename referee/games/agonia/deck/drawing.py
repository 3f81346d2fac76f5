"""Players draw cards from the deck (AG-22, AG-25, AG-48)."""

from collections.abc import Callable

from msgspec.structs import replace

from referee.core.game import Shuffle
from referee.core.outcome import Seat
from referee.games.agonia.box.cards import EVENTS, Card, card_of, with_card
from referee.games.agonia.deck.happenings import happen, lapse
from referee.games.agonia.position.agenda import Reshuffle, RoundDraw, Step, Supplies
from referee.games.agonia.position.events import Drew, Reshuffled
from referee.games.agonia.position.hands import gaining
from referee.games.agonia.position.state import Progress, State, done


def round_draw(state: State, step: RoundDraw) -> Progress:
    """The next seat draws. An event acts, and the seat draws no other card for it (AG-22)."""
    if not step.seats:
        return done(state), ()
    return draw(state, step.seats[0], RoundDraw(step.seats[1:]), happen)


def supplies(state: State, step: Supplies) -> Progress:
    """The next seat draws. It discards an event (AG-48)."""
    if not step.seats:
        return done(state), ()
    return draw(state, step.seats[0], Supplies(step.seats[1:]), lapse)


def draw(state: State, seat: Seat, rest: Step, meet: Callable[[State, Seat, Card, Step], Progress]) -> Progress:
    """The top card goes to the hand. An event goes to the discards, and `meet` says what happens then."""
    if not state.deck:
        return _without_deck(state, rest)
    top, deck = state.deck[0], state.deck[1:]
    card = card_of(top)
    if card in EVENTS:
        return meet(replace(state, deck=deck, discards=with_card(state.discards, top)), seat, card, rest)
    return done(state, rest, deck=deck, seats=gaining(state, seat, top)), (Drew(seat, top),)


def _without_deck(state: State, rest: Step) -> Progress:
    """The discards become the deck before the draw (AG-25). Without discards, there is no card to draw."""
    if state.discards:
        return replace(state, agenda=(Reshuffle(), *state.agenda)), ()
    return done(state, rest), ()


# An empty deck


def shuffle(state: State, _step: Reshuffle) -> Shuffle:
    """Shuffle all discards."""
    return Shuffle(f"cards/{state.shuffles + 1}", len(state.discards))


def reshuffled(state: State, _step: Reshuffle, order: tuple[int, ...]) -> Progress:
    """The shuffled discards are the deck now (AG-25)."""
    deck = tuple(map(state.discards.__getitem__, order))
    return done(state, deck=deck, discards=(), shuffles=state.shuffles + 1), (Reshuffled(len(deck)),)
