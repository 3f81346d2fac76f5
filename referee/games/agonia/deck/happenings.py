"""The effects of event cards when a player draws them (AG-56 and others): a function for each, and a table of them."""

from collections.abc import Callable

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import EVENTS, Card
from referee.games.agonia.box.tokens import BARRICADES
from referee.games.agonia.deck.jamming import jam
from referee.games.agonia.enemies.combat import strike
from referee.games.agonia.enemies.spawning import horde
from referee.games.agonia.enemies.street import Street
from referee.games.agonia.position.agenda import Step, Supplies, Trim
from referee.games.agonia.position.events import Drew
from referee.games.agonia.position.state import Progress, State, Token, board_of, done


def happen(state: State, seat: Seat, card: Card, rest: Step) -> Progress:
    """Let an event act that `seat` drew. Its steps replace the step on top, and `rest` follows them."""
    after, events = HAPPENINGS[card](state, seat, rest)
    return after, (Drew(seat, int(card), acts=True), *events)


def lapse(state: State, seat: Seat, card: Card, rest: Step) -> Progress:
    """Only discard an event that `seat` drew (AG-48)."""
    return done(state, rest), (Drew(seat, int(card)),)


def _supplies(state: State, _seat: Seat, rest: Step) -> Progress:
    """Before anything else, every player draws a card, then discards down to the limit (AG-48)."""
    return done(state, Supplies(state.order), Trim(state.order), rest), ()


def _covering_shot(state: State, _seat: Seat, rest: Step) -> Progress:
    """Attack the enemy nearest the entrance (AG-30)."""
    if not state.enemies:
        return done(state, rest), ()
    attack = strike(board_of(state), state.enemies, state.enemies[0], EVENTS[Card.DISPARO_DE_APOYO].damage)
    return done(state, attack, rest), ()


def _calm(state: State, _seat: Seat, rest: Step) -> Progress:
    """No more enemies appear in this round: none at its end, and none by a ¡horda! (AG-52)."""
    return done(state, rest, calm=True), ()


def _horde(state: State, _seat: Seat, rest: Step) -> Progress:
    """An enemy appears, unless the counter is on its last cell or the round is calm (AG-52)."""
    return done(state, *horde(state), rest), ()


def _stampede(state: State, _seat: Seat, rest: Step) -> Progress:
    """Every enemy moves 1 step more in the next advance."""
    return done(state, rest, stampedes=state.stampedes + 1), ()


def _jam(state: State, seat: Seat, rest: Step) -> Progress:
    """The weapon of the player who drew the card is jammed (AG-56)."""
    after, events = jam(state, seat)
    return done(after, rest), events


def _collapse(state: State, _seat: Seat, rest: Step) -> Progress:
    """Remove the barricade nearest the entrance. For a double barricade, its nearest cell counts (AG-56)."""
    barricades = [token for token in state.tokens if token.kind in BARRICADES]
    street = Street(state)
    if barricades:
        street.remove(min(barricades, key=lambda token: _rank(street, token)))
    return street.done(rest)


def _rank(street: Street, token: Token) -> int:
    return min(street.board.rank[cell] for cell in token.cells)


HAPPENINGS: dict[Card, Callable[[State, Seat, Step], Progress]] = {
    Card.SUMINISTROS: _supplies,
    Card.DISPARO_DE_APOYO: _covering_shot,
    Card.CALMA_TENSA: _calm,
    Card.HORDA: _horde,
    Card.ESTAMPIDA: _stampede,
    Card.ENCASQUILLADA: _jam,
    Card.DERRUMBE: _collapse,
}
"""The function of each event. It takes the seat that drew the card, and the step after the event."""
