"""Exchanges between players who stand next to each other (AG-45)."""

from functools import cache

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agonia.box.board import BOARDS, BoardName, Cell, cells_in
from referee.games.agonia.box.cards import HeldCard, with_card, without_card
from referee.games.agonia.position.actions import REPLIES, Action, Exchange, Reply, exchange
from referee.games.agonia.position.agenda import Answer, Step, Trim
from referee.games.agonia.position.events import Exchanged
from referee.games.agonia.position.state import Progress, SeatState, State, different, done


def exchanges(state: State, seat: Seat) -> list[Action]:
    """Sorted by partner, then by the card given, then by the card taken. No card comes before any card."""
    own = state.seats[seat]
    beside = _beside(state.options.board, own.cell)
    found: list[Action] = []
    for partner, other in enumerate(state.seats):
        if other.cell in beside:
            takes = different(other.hand)
            found += map(_offers(partner, None).__getitem__, takes)
            anything = (None, *takes)
            for gives in different(own.hand):
                found += map(_offers(partner, gives).__getitem__, anything)
    return found


@cache
def _beside(board: BoardName, cell: Cell) -> frozenset[Cell]:
    """The 8 neighbours. The walkway does not make two cells neighbours."""
    return frozenset(cells_in(BOARDS[board].around[cell]))


class _Offers(dict[HeldCard | None, Exchange]):
    """The offer to a partner for each of its cards. An offer is made when it is first asked for."""

    def __init__(self, partner: Seat, gives: HeldCard | None) -> None:
        self._partner, self._gives = partner, gives

    def __missing__(self, takes: HeldCard | None) -> Exchange:
        self[takes] = exchange(self._partner, self._gives, takes)
        return self[takes]


_offers = cache(_Offers)


def offered(state: State, seat: Seat, action: Exchange, *rest: Step) -> Progress:
    """Ask the partner first. The `rest` follows."""
    return done(state, Answer(seat, action.partner, action.gives, action.takes), *rest), ()


def replies(_state: State, _step: Answer, _seat: Seat) -> tuple[Action, ...]:
    """Yes, or no."""
    return REPLIES


def answered(state: State, step: Answer, _seat: Seat, action: Reply) -> Progress:
    """The cards change hands if the partner agrees. Then both players keep their limits, the active player first."""
    if not action.accept:
        return done(state), ()
    seats = list(state.seats)
    seats[step.seat] = _swapped(seats[step.seat], step.gives, step.takes)
    seats[step.partner] = _swapped(seats[step.partner], step.takes, step.gives)
    limits = Trim((step.seat, step.partner))
    return done(state, limits, seats=tuple(seats)), (Exchanged(step.seat, step.partner, step.gives, step.takes),)


def _swapped(own: SeatState, out: HeldCard | None, into: HeldCard | None) -> SeatState:
    hand = own.hand if out is None else without_card(own.hand, out)
    return replace(own, hand=hand if into is None else with_card(hand, into))
