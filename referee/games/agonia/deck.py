"""The deck: players draw from it (AG-22, AG-25, AG-48), and event cards act when drawn (AG-56 and others).

The card encasquillada jams weapons for a time (AG-56). Its marks are on the jammed card itself: they go with the card
to another hand, to the discards or to the deck.
"""

from collections.abc import Callable

from msgspec.structs import replace

from referee.core.game import Shuffle
from referee.core.outcome import Seat
from referee.games.agonia.box.cards import (
    EVENTS,
    Card,
    Cards,
    HeldCard,
    card_of,
    jammed_by,
    turn_begins,
    turn_ends,
    with_card,
)
from referee.games.agonia.box.tokens import BARRICADES
from referee.games.agonia.enemies.combat import strike
from referee.games.agonia.enemies.spawning import horde
from referee.games.agonia.enemies.street import Street
from referee.games.agonia.position.agenda import Agenda, Happening, Reshuffle, Step, Supplies, Trim
from referee.games.agonia.position.events import Cleared, Drew, Jammed, Reshuffled
from referee.games.agonia.position.state import Progress, SeatState, State, Token, board_of, done, gaining, with_seat


def jam(state: State, seat: Seat) -> Progress:
    """Jam the weapon on the table of `seat`, the player who drew the card. Without a weapon there, nothing happens."""
    own = state.seats[seat]
    if own.weapon is None:
        return state, ()
    jammed = jammed_by(own.weapon, seat)
    seats = with_seat(state, seat, replace(own, weapon=jammed))
    return replace(state, seats=seats, jams=jammed_by(state.jams, seat)), (Jammed(seat, jammed),)


def begin_turn(state: State, seat: Seat) -> State:
    """Weapons that `seat` jammed before now will be free when this turn ends. Nothing changes the second time."""
    if not state.jams or turn_begins(state.jams, seat) == state.jams:
        return state
    return _everywhere(state, lambda held: turn_begins(held, seat))


def end_turn(state: State, seat: Seat) -> Progress:
    """Weapons that were jammed until the end of this turn are free."""
    if not state.jams or turn_ends(state.jams, seat) == state.jams:
        return state, ()
    return _everywhere(state, lambda held: turn_ends(held, seat)), (Cleared(seat),)


def _everywhere(state: State, change: Callable[[HeldCard], HeldCard]) -> State:
    return replace(
        state,
        seats=tuple(_at_a_table(own, change) for own in state.seats),
        deck=tuple(map(change, state.deck)),
        discards=_sorted(state.discards, change),
        jams=change(state.jams),
    )


def _at_a_table(own: SeatState, change: Callable[[HeldCard], HeldCard]) -> SeatState:
    weapon = None if own.weapon is None else change(own.weapon)
    return replace(own, hand=_sorted(own.hand, change), weapon=weapon)


def _sorted(cards: Cards, change: Callable[[HeldCard], HeldCard]) -> Cards:
    return tuple(sorted(map(change, cards)))


def round_of_draws(state: State) -> Agenda:
    """Every player draws a card, and then discards down to the limit (AG-22, AG-48)."""
    return Supplies(state.order), Trim(state.order)


def _supplies(state: State, _seat: Seat) -> Progress:
    """All of this is over before anything else goes on (AG-48)."""
    return done(state, *round_of_draws(state)), ()


def _covering_shot(state: State, _seat: Seat) -> Progress:
    """Attack the enemy nearest the entrance (AG-30)."""
    if not state.enemies:
        return done(state), ()
    attack = strike(board_of(state), state.enemies, state.enemies[0], EVENTS[Card.DISPARO_DE_APOYO].damage)
    return done(state, attack), ()


def _calm(state: State, _seat: Seat) -> Progress:
    """No more enemies appear in this round: none at its end, and none by a ¡horda! (AG-52)."""
    return done(state, calm=True), ()


def _horde(state: State, _seat: Seat) -> Progress:
    """An enemy appears, unless the counter is on its last cell or the round is calm (AG-52)."""
    return done(state, *horde(state)), ()


def _stampede(state: State, _seat: Seat) -> Progress:
    """Every enemy moves 1 step more in the next advance."""
    return done(state, stampedes=state.stampedes + 1), ()


def _jam(state: State, seat: Seat) -> Progress:
    """The weapon of the player who drew the card is jammed (AG-56)."""
    after, events = jam(state, seat)
    return done(after), events


def _collapse(state: State, _seat: Seat) -> Progress:
    """Remove the barricade nearest the entrance. For a double barricade, its nearest cell counts (AG-56)."""
    barricades = [token for token in state.tokens if token.kind in BARRICADES]
    street = Street(state)
    if barricades:
        street.remove(min(barricades, key=lambda token: _rank(street, token)))
    return street.done()


def _rank(street: Street, token: Token) -> int:
    return min(street.board.rank[cell] for cell in token.cells)


HAPPENINGS: dict[Card, Callable[[State, Seat], Progress]] = {
    Card.SUMINISTROS: _supplies,
    Card.DISPARO_DE_APOYO: _covering_shot,
    Card.CALMA_TENSA: _calm,
    Card.HORDA: _horde,
    Card.ESTAMPIDA: _stampede,
    Card.ENCASQUILLADA: _jam,
    Card.DERRUMBE: _collapse,
}
"""The function of each event. It takes the seat that drew the card."""


def happen(state: State, step: Happening) -> Progress:
    """The event acts. A shuffle for which its card was the last one of the deck is over (AG-25)."""
    return HAPPENINGS[step.card](state, step.seat)


def supplies(state: State, step: Supplies) -> Progress:
    """The next seat draws. It draws no other card for an event (AG-22)."""
    if not step.seats:
        return done(state), ()
    return draw(state, step.seats[0], Supplies(step.seats[1:]))


def draw(state: State, seat: Seat, rest: Step) -> Progress:
    """The top card goes to the hand. An event goes to the discards, and acts before the `rest` (AG-48)."""
    if not state.deck:  # there are no discards either (AG-25)
        return done(state, rest), ()
    top, deck = state.deck[0], state.deck[1:]
    card = card_of(top)
    if card not in EVENTS:
        return done(state, rest, deck=deck, seats=gaining(state, seat, top)), (Drew(seat, top),)
    after = done(state, Happening(seat, card), rest, deck=deck, discards=with_card(state.discards, top))
    return after, (Drew(seat, top, acts=True),)


# An empty deck


def is_to_shuffle(state: State) -> bool:
    """Whether the discards must become the deck before anything else is done (AG-25)."""
    return not state.deck and bool(state.discards) and not isinstance(state.agenda[0], Reshuffle)


def shuffle(state: State, _step: Reshuffle) -> Shuffle:
    """Shuffle all discards."""
    return Shuffle(f"cards/{state.shuffles + 1}", len(state.discards))


def reshuffled(state: State, _step: Reshuffle, order: tuple[int, ...]) -> Progress:
    """The shuffled discards are the deck now (AG-25)."""
    deck = tuple(map(state.discards.__getitem__, order))
    return done(state, deck=deck, discards=(), shuffles=state.shuffles + 1), (Reshuffled(len(deck)),)
