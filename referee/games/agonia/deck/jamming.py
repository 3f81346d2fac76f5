"""The weapons that encasquillada has jammed, and for how long (AG-56).

The marks are on the card itself. They go with the card to another hand, to the discards or to the deck.
"""

from collections.abc import Callable

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import Cards, Held, jammed_by, turn_begins, turn_ends
from referee.games.agonia.position.events import Cleared, Jammed
from referee.games.agonia.position.hands import with_seat
from referee.games.agonia.position.state import Progress, SeatState, State


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


def _everywhere(state: State, change: Callable[[Held], Held]) -> State:
    return replace(
        state,
        seats=tuple(_at_a_table(own, change) for own in state.seats),
        deck=tuple(map(change, state.deck)),
        discards=_sorted(state.discards, change),
        jams=change(state.jams),
    )


def _at_a_table(own: SeatState, change: Callable[[Held], Held]) -> SeatState:
    weapon = None if own.weapon is None else change(own.weapon)
    return replace(own, hand=_sorted(own.hand, change), weapon=weapon)


def _sorted(cards: Cards, change: Callable[[Held], Held]) -> Cards:
    return tuple(sorted(map(change, cards)))
