"""Cards that come to players and go from them."""

from functools import lru_cache

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import Cards, Held, with_card, without_card
from referee.games.agonia.position.agenda import Step
from referee.games.agonia.position.state import SeatState, State

HANDS_KEPT = 4096
"""How many different hands keep what follows from them: most that a match meets, in bounded memory."""


def with_seat(state: State, seat: Seat, own: SeatState) -> tuple[SeatState, ...]:
    """The players, one of them as it is now."""
    seats = list(state.seats)
    seats[seat] = own
    return tuple(seats)


def gaining(state: State, seat: Seat, card: Held) -> tuple[SeatState, ...]:
    """The players, one of them with a card more in the hand."""
    own = state.seats[seat]
    return with_seat(state, seat, replace(own, hand=with_card(own.hand, card)))


def used_up(state: State, seat: Seat, card: Held, *steps: Step) -> State:
    """A card goes from a hand to the discards; these steps come in place of the one on top.

    Raises:
        ValueError: there is no such card.
    """
    own = state.seats[seat]
    return replace(
        state,
        agenda=steps + state.agenda[1:],
        seats=with_seat(state, seat, replace(own, hand=without_card(own.hand, card))),
        discards=with_card(state.discards, card),
    )


@lru_cache(HANDS_KEPT)
def different(cards: Cards) -> Cards:
    """Each of these cards once, sorted: equal cards are one choice."""
    return tuple(sorted(set(cards)))
