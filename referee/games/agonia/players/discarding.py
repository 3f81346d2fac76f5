"""Players discard cards when their hands are too full (AG-25, AG-48)."""

from functools import cache, lru_cache

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import EQUIPMENT, Cards, Held, card_of
from referee.games.agonia.box.characters import PRINTS, Character
from referee.games.agonia.position.actions import Action, Discard, discard
from referee.games.agonia.position.agenda import Trim
from referee.games.agonia.position.hands import different, used_up
from referee.games.agonia.position.state import RESULTS_KEPT, Progress, SeatState, State, done


def is_over_limit(own: SeatState) -> bool:
    """Whether a player must discard (AG-25)."""
    return len(own.hand) > _limit(own.character, own.equipment)


@cache
def _limit(character: Character, equipment: Held | None) -> int:
    """Vera holds 4, the others 3; the chaleco táctico adds 1."""
    more = 0 if equipment is None else EQUIPMENT[card_of(equipment)].more_hand
    return PRINTS[character].hand + more


def trim(state: State, step: Trim) -> Progress | None:
    """Wait for the first of these seats that is over its limit. When no seat is, the step is done."""
    over = [seat for seat in step.seats if is_over_limit(state.seats[seat])]
    if not over:
        return done(state), ()
    return None if len(over) == len(step.seats) else (done(state, Trim(tuple(over))), ())


def discards(state: State, _step: Trim, seat: Seat) -> tuple[Action, ...]:
    """Each different card of the hand, sorted."""
    return _discards(state.seats[seat].hand)


@lru_cache(RESULTS_KEPT)
def _discards(hand: Cards) -> tuple[Action, ...]:
    return tuple(map(discard, different(hand)))


def discarded(state: State, step: Trim, seat: Seat, action: Discard) -> Progress:
    """Discard the card, then check the same seats again."""
    return used_up(state, seat, action.card, step), ()
