"""The course of a game: deal, turns, end. For each phase: its awaited decision, legal actions and effects."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from referee.core.game import Awaiting, Decide, Over, Roll, Shuffle
from referee.core.outcome import Seat
from referee.games.agent_avenue import pieces, playing, visits
from referee.games.agent_avenue.ending import begin_turn
from referee.games.agent_avenue.hands import draw_up
from referee.games.agent_avenue.instants import Step
from referee.games.agent_avenue.moves import AGAIN, RECRUITS, Action, Offered, SideBegan
from referee.games.agent_avenue.pieces import DECK
from referee.games.agent_avenue.playing import recruit
from referee.games.agent_avenue.state import Market, Options, Phase, SeatState, SideState, State
from referee.games.agent_avenue.teams import LINE_UPS, side_of

_ALONE = tuple(Decide((seat,)) for seat in range(4))
# The seats that answer together with a seat (AA-43), by line-up and seat.
_WITH_PARTNER = {
    name: tuple(Decide(line_up.sides[side_of(seat)].seats) for seat in range(len(line_up.partners)))
    for name, line_up in LINE_UPS.items()
}


def setup(options: Options, seats: int) -> State:
    """Both pawns are at home, nothing is shuffled yet, and nobody has a card."""
    advanced = options.mode == "advanced"
    return State(
        options=options,
        phase="deal",
        turn=0,
        active=0,
        following=1,
        laying=(0, 0),
        deck=DECK,
        seats=(SeatState(),) * seats,
        sides=(SideState(), SideState()),
        market=Market() if advanced else None,
        pile=pieces.deck(ceasefire=options.ceasefire) if advanced else (),
    )


def awaiting(state: State) -> Awaiting:
    """Luck first (AA-03). Then the active side plays, the other recruits (AA-11), and sides that land take a card."""
    phase = state.phase
    if phase == "play":  # asked for so often that a look into the table would cost noticeable time; likewise in `legal`
        return _ALONE[state.active]
    return _AWAITED[phase](state)


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """The legal actions of a seat, sorted by name within each kind."""
    phase = state.phase
    if phase == "recruit":
        return RECRUITS
    return playing.of_a_seat_alone(state, seat) if phase == "play" else _LEGAL[phase](state, seat)


def luck(state: State, drawn: tuple[int, ...]) -> Step:
    """The position after the deck or the market was shuffled, or the first side was drawn (AA-03, AA-20)."""
    return _LUCK[state.phase](state, drawn)


def apply(state: State, choices: Mapping[Seat, Action]) -> Step:
    """The position after every seat that had to choose has chosen. Raises ValueError if it cannot be done at all."""
    return _STEPS[state.phase](state, choices)


def _deal(state: State, order: tuple[int, ...]) -> Step:
    """Deal four cards to each seat, in seat order. The rest is the deck and is never reshuffled (AA-03)."""
    seats = list(state.seats)
    deck, events = draw_up(seats, tuple(map(DECK.__getitem__, order)), range(len(seats)))
    following: Phase = "first" if state.market is None else "offer"
    return replace(state, phase=following, seats=tuple(seats), deck=deck), events


def _offer(state: State, order: tuple[int, ...]) -> Step:
    """Lay three market cards face up; the rest is the pile (AA-20)."""
    pile = tuple(state.pile[card] for card in order)
    offer = tuple(sorted(pile[: pieces.OFFERED]))
    after = replace(state, phase="first", market=Market(offer=offer), pile=pile[pieces.OFFERED :])
    return after, (Offered(offer),)


def _first(state: State, drawn: tuple[int, ...]) -> Step:
    """Note which side begins (AA-03)."""
    (side,) = drawn
    return begin_turn(replace(state, began=side), turn=1), (SideBegan(side),)


def _over(state: State) -> Over:
    if state.outcome is None:
        raise ValueError("the game is over, but nobody has won")
    return Over(state.outcome)


def _taker(state: State) -> Decide:
    if state.market is None or state.market.taker is None:
        raise ValueError("no instant is being resolved")
    return _ALONE[state.market.taker]


def _landed(state: State) -> Decide:
    if state.market is None:
        raise ValueError("there is no market in this game")
    return _WITH_PARTNER[state.options.line_up][visits.captain(state, state.market.landed[0])]


_AWAITED: dict[Phase, Callable[[State], Awaiting]] = {
    "deal": lambda _: Shuffle("deck", len(DECK)),
    "offer": lambda state: Shuffle("market", len(state.pile)),
    "first": lambda _: Roll("first", 2),
    "face_up": lambda state: _ALONE[state.laying[0]],
    "face_down": lambda state: _ALONE[state.laying[1]],
    "recruit": lambda state: _WITH_PARTNER[state.options.line_up][state.following],
    "market": _landed,
    "target": _taker,
    "again": _taker,
    "over": _over,
}

_LEGAL: dict[Phase, Callable[[State, Seat], tuple[Action, ...]]] = {
    "face_up": playing.of_the_face_up_seat,
    "face_down": playing.of_the_face_down_seat,
    "market": visits.takes,
    "target": visits.targets,
    "again": lambda _state, _seat: AGAIN,
}

_LUCK: dict[Phase, Callable[[State, tuple[int, ...]], Step]] = {"deal": _deal, "offer": _offer, "first": _first}

_STEPS: dict[Phase, Callable[[State, Any], Step]] = {
    "play": playing.act,
    "face_up": playing.act,
    "face_down": playing.act,
    "recruit": recruit,
    "market": visits.take,
    "target": visits.target,
    "again": visits.again,
}
