"""The cards of a trick: what may be played, and with a token or without (IJ-12, IJ-13)."""

from bisect import bisect_left
from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.inside_job.aftermath import finish_trick
from referee.games.inside_job.common import Laid, OpenSeat
from referee.games.inside_job.moves import PLAIN, WAGERED, Action, PlayCard, Played
from referee.games.inside_job.pieces import Cards
from referee.games.inside_job.roles import ROLES
from referee.games.inside_job.state import State, Step


def cards(state: State, seat: Seat) -> tuple[Action, ...]:
    """Cards without a token, then cards with one; sorted. They depend on the seat's own role and hand (IJ-12)."""
    hand, laid = state.hands[seat], state.common.laid
    if not laid:
        return _actions(hand, hand if state.options.leader_wagers else (), state.common.seats[seat])
    suited = _of_suit(hand, laid[0].card // 100)
    bound = suited and ROLES[state.roles[seat]].must_follow
    return _actions(suited if bound else hand, suited, state.common.seats[seat])


def _of_suit(hand: Cards, suit: int) -> Cards:
    """The cards of a suit in a sorted hand."""
    return hand[bisect_left(hand, 100 * suit) : bisect_left(hand, 100 * suit + 100)]


def _actions(plain: Cards, wagered: Cards, own: OpenSeat) -> tuple[Action, ...]:
    """A seat may place a token if it has one and tokens have not made it reveal its role (IJ-13, IJ-17)."""
    without = map(PLAIN.__getitem__, plain)
    if own.revealed or not own.tokens:
        return tuple(without)
    return (*without, *map(WAGERED.__getitem__, wagered))


_LAID = {action: Laid(action.card, action.wager) for action in (*PLAIN.values(), *WAGERED.values())}


def play(state: State, choices: Mapping[Seat, PlayCard]) -> Step:
    """Put the card on the table. The last card of a trick ends it."""
    ((seat, action),) = choices.items()
    card, common, hands = action.card, state.common, list(state.hands)
    at = hands[seat].index(card)
    hands[seat] = hands[seat][:at] + hands[seat][at + 1 :]
    seats = _with_token_gone(common.seats, seat) if action.wager else common.seats
    common = replace(common, seats=seats, laid=(*common.laid, _LAID[action]))
    after = replace(state, common=common, hands=tuple(hands))
    played = Played(seat, card, action.wager)
    if len(common.laid) < len(hands):
        return after, (played,)
    after, events = finish_trick(after)
    return after, (played, *events)


def _with_token_gone(seats: tuple[OpenSeat, ...], seat: Seat) -> tuple[OpenSeat, ...]:
    """The seats after `seat` has put a token on its card. The token is handed out when the trick is over."""
    changed = list(seats)
    changed[seat] = replace(seats[seat], tokens=seats[seat].tokens - 1)
    return tuple(changed)
