"""What encasquillada has jammed, and for how long (AG-56).

The marks are on the card itself, so they go wherever it goes: another hand, the discards, the deck.
"""

from collections.abc import Callable

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agonia.cards import Cards, Held, is_jammed, jammed_by, turn_begins, turn_ends
from referee.games.agonia.events import Cleared, Event, Jammed
from referee.games.agonia.hands import with_seat
from referee.games.agonia.state import SeatState, State


def jam(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    """The weapon on the table of `seat`, who drew the card, is jammed; with none there, nothing."""
    weapon = state.seats[seat].weapon
    if weapon is None:
        return state, ()
    jammed = jammed_by(weapon, seat)
    return replace(state, seats=with_seat(state, seat, weapon=jammed)), (Jammed(seat, jammed),)


def begin_turn(state: State, seat: Seat) -> State:
    """What `seat` has jammed before now will be free when this turn ends."""
    return _everywhere(state, lambda held: turn_begins(held, seat)) if _is_any(state) else state


def end_turn(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    """What waited for the end of this turn is free."""
    if not _is_any(state):
        return state, ()
    after = _everywhere(state, lambda held: turn_ends(held, seat))
    return after, () if after == state else (Cleared(seat),)


def _is_any(state: State) -> bool:
    """Whether any card is jammed. A jammed card is a greater number than all that are not."""
    places = (state.deck, state.discards, *(own.hand for own in state.seats))
    weapons = [own.weapon or 0 for own in state.seats]
    return is_jammed(max(max(cards, default=0) for cards in (*places, weapons)))


def _everywhere(state: State, change: Callable[[Held], Held]) -> State:
    return replace(
        state,
        seats=tuple(_at_a_table(own, change) for own in state.seats),
        deck=tuple(map(change, state.deck)),
        discards=_sorted(state.discards, change),
    )


def _at_a_table(own: SeatState, change: Callable[[Held], Held]) -> SeatState:
    weapon = None if own.weapon is None else change(own.weapon)
    return replace(own, hand=_sorted(own.hand, change), weapon=weapon)


def _sorted(cards: Cards, change: Callable[[Held], Held]) -> Cards:
    return tuple(sorted(map(change, cards)))
