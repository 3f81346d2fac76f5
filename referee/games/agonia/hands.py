"""Cards that come to players, go from them, and are too many (AG-25, AG-48)."""

from functools import cache, lru_cache

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agonia.agenda import Step, Trim
from referee.games.agonia.cards import EQUIPMENT, Cards, Held, card_of, with_card, without_card
from referee.games.agonia.characters import PRINTS, Character
from referee.games.agonia.moves import Action, Discard, discard
from referee.games.agonia.state import Progress, SeatState, State, done

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


def is_over_limit(own: SeatState) -> bool:
    """Whether a player must discard (AG-25)."""
    return len(own.hand) > _limit(own.character, own.equipment)


@cache
def _limit(character: Character, equipment: Held | None) -> int:
    """Vera holds 4, the others 3; the chaleco táctico adds 1."""
    more = 0 if equipment is None else EQUIPMENT[card_of(equipment)].more_hand
    return PRINTS[character].hand + more


def trim(state: State, step: Trim) -> Progress | None:
    """Waits for the first of these seats that is over its limit; once none is, the step is done."""
    over = [seat for seat in step.seats if is_over_limit(state.seats[seat])]
    if not over:
        return done(state), ()
    return None if len(over) == len(step.seats) else (done(state, Trim(tuple(over))), ())


def discards(state: State, _step: Trim, seat: Seat) -> tuple[Action, ...]:
    """Every different card of the hand, sorted."""
    return _discards(state.seats[seat].hand)


@lru_cache(HANDS_KEPT)
def _discards(hand: Cards) -> tuple[Action, ...]:
    return tuple(map(discard, different(hand)))


def discarded(state: State, step: Trim, seat: Seat, action: Discard) -> Progress:
    """The same seats are looked at again."""
    return used_up(state, seat, action.card, step), ()
