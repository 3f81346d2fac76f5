"""Cards come to the players' hands and leave them."""

from functools import lru_cache

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import Cards, HeldCard, with_card, without_card
from referee.games.agonia.position.agenda import Step
from referee.games.agonia.position.state import RESULTS_KEPT, SeatState, State


def with_seat(state: State, seat: Seat, own: SeatState) -> tuple[SeatState, ...]:
    """The players, with one of them replaced by `own`."""
    seats = list(state.seats)
    seats[seat] = own
    return tuple(seats)


def gaining(state: State, seat: Seat, card: HeldCard) -> tuple[SeatState, ...]:
    """The players, with one more card in the hand of one of them."""
    own = state.seats[seat]
    return with_seat(state, seat, replace(own, hand=with_card(own.hand, card)))


def used_up(state: State, seat: Seat, card: HeldCard, *steps: Step) -> State:
    """Move a card from a hand to the discards. These steps replace the one on top.

    Raises:
        ValueError: the hand has no such card.
    """
    own = state.seats[seat]
    return replace(
        state,
        agenda=steps + state.agenda[1:],
        seats=with_seat(state, seat, replace(own, hand=without_card(own.hand, card))),
        discards=with_card(state.discards, card),
    )


@lru_cache(RESULTS_KEPT)
def different(cards: Cards) -> Cards:
    """Each of these cards once, sorted. Equal cards are one choice."""
    return tuple(sorted(set(cards)))
