"""The turn: discarding and playing cards (AA-04, AA-05, AA-41, AA-42), recruiting the played ones (AA-06, AA-07)."""

from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agent_avenue.hands import draw_up, leaves_hidden, leaves_openly, opened, put_away
from referee.games.agent_avenue.instants import Step
from referee.games.agent_avenue.moves import (
    DISCARDS,
    FACE_DOWN,
    FACE_UP,
    HAND_OVER,
    LAYS,
    Action,
    Discard,
    Discarded,
    Drew,
    HandedOver,
    Laid,
    Lay,
    Play,
    Played,
    Recruit,
    Recruited,
    plays,
    plays_and_discards,
)
from referee.games.agent_avenue.pawns import enlist
from referee.games.agent_avenue.pieces import Agent, Cards, with_card
from referee.games.agent_avenue.state import SeatState, State
from referee.games.agent_avenue.teams import ALLOWED_DISCARDS, LINE_UPS, answers, side_of
from referee.games.agent_avenue.visits import go_on


def recruit(state: State, choices: Mapping[Seat, Recruit]) -> Step:
    """The other side takes the chosen card, the active side the other (AA-06); both pawns move (AA-07)."""
    slot = choices[state.following].slot  # the captain's answer stands (AA-43)
    active = side_of(state.active)
    chooser = 1 - active
    up, down = state.face_up, state.face_down
    if up is None or down is None:
        raise ValueError("nothing was played that could be recruited")
    if slot is FACE_UP:
        chosen, left, left_slot = up, down, FACE_DOWN
    else:
        chosen, left, left_slot = down, up, FACE_UP
    theirs, their_moves = enlist(state.sides[chooser], chooser, chosen)
    own, own_moves = enlist(state.sides[active], active, left)
    recruited = (Recruited(chooser, slot, chosen), Recruited(active, left_slot, left))
    events = (*recruited, *their_moves, *own_moves)
    sides = (own, theirs) if active == 0 else (theirs, own)
    seats, layer = list(state.seats), state.laying[1]
    seats[layer] = opened(seats[layer], down)
    after = replace(state, seats=tuple(seats), sides=sides, face_up=None, face_down=None)
    return go_on(state, after, (*answers(choices), *events) if len(choices) > 1 else events)


def may_discard(state: State, seat: Seat) -> bool:
    """Whether the seat has discards left and the deck is not empty (AA-04, AA-42)."""
    return bool(state.deck) and len(state.seats[seat].discards) < ALLOWED_DISCARDS[state.options.line_up][seat]


def of_a_seat_alone(state: State, seat: Seat) -> tuple[Action, ...]:
    """Plays, then discards (AA-04, AA-05, AA-45); sorted."""
    hand = state.seats[seat].hand
    return plays_and_discards(hand) if may_discard(state, seat) else plays(hand)


def of_the_face_up_seat(state: State, seat: Seat) -> tuple[Action, ...]:
    """Cards to lay, discards, and for the captain, once, handing over (AA-41); sorted."""
    names = _names(state.seats[seat].hand)
    hand_over = (HAND_OVER,) if seat == state.active else ()
    return (*(LAYS[FACE_UP][name] for name in names), *_discards(state, seat, names), *hand_over)


def of_the_face_down_seat(state: State, seat: Seat) -> tuple[Action, ...]:
    """Cards of another name than the face-up one, or of its name if the hand has no other (AA-41); then discards."""
    names = _names(state.seats[seat].hand)
    others = tuple(name for name in names if name != state.face_up) or names
    return (*(LAYS[FACE_DOWN][name] for name in others), *_discards(state, seat, names))


def _discards(state: State, seat: Seat, names: Cards) -> tuple[Action, ...]:
    return tuple(DISCARDS[name] for name in names) if may_discard(state, seat) else ()


@cache
def _names(hand: Cards) -> Cards:
    return tuple(sorted(set(hand)))


def act(state: State, choices: Mapping[Seat, Action]) -> Step:
    """Carry out the choice of the seat that plays or discards. Raises ValueError if it cannot be done at all."""
    ((seat, action),) = choices.items()
    if isinstance(action, Play):
        return _play(state, seat, action)
    if isinstance(action, Discard):
        return _discard(state, seat, action.agent)
    if isinstance(action, Lay):
        return (_lay_up if action.slot is FACE_UP else _lay_down)(state, seat, action.agent)
    if action is HAND_OVER and seat == state.active:
        return replace(state, laying=state.laying[::-1]), (HandedOver(seat),)
    raise ValueError(f"{action} cannot be chosen where a card must be played")


def _discard(state: State, seat: Seat, agent: Agent) -> Step:
    """Discard one card face down and draw another. The same seat chooses again (AA-04)."""
    seats, drawn = list(state.seats), state.deck[0]
    own = put_away(seats[seat], agent)
    seats[seat] = SeatState(with_card(own.hand, drawn), own.discards, own.sightings)
    events = (Discarded(seat, agent), Drew(seat, 1, (drawn,)))
    return replace(state, seats=tuple(seats), deck=state.deck[1:]), events


def _play(state: State, seat: Seat, action: Play) -> Step:
    """Play one card face up and one face down (AA-05)."""
    seats, up, down = list(state.seats), action.face_up, action.face_down
    seats[seat] = leaves_hidden(leaves_openly(seats[seat], up), down, up)
    return _both_lie(state, seats, up, down, Played(seat, up, down))


def _lay_up(state: State, seat: Seat, agent: Agent) -> Step:
    """Play the first card of a team. Nobody draws yet (AA-41)."""
    seats = list(state.seats)
    seats[seat] = leaves_openly(seats[seat], agent)
    return replace(state, phase="face_down", seats=tuple(seats), face_up=agent), (Laid(seat, FACE_UP, agent),)


def _lay_down(state: State, seat: Seat, agent: Agent) -> Step:
    """Play the second card of a team (AA-41)."""
    seats, up = list(state.seats), state.face_up
    if up is None:
        raise ValueError("nothing lies face up yet")
    seats[seat] = leaves_hidden(seats[seat], agent, up)
    return _both_lie(state, seats, up, agent, Laid(seat, FACE_DOWN, agent))


def _both_lie(state: State, seats: list[SeatState], up: Agent, down: Agent, event: Played | Laid) -> Step:
    """All draw before the other side chooses: first the seats that played, face-up before face-down (AA-05, AA-41)."""
    deck, draws = draw_up(seats, state.deck, _DRAWING[state.options.line_up][state.laying[0]])
    after = replace(state, phase="recruit", seats=tuple(seats), deck=deck, face_up=up, face_down=down)
    return after, (event, *draws)


_DRAWING = {
    name: tuple(line_up.drawing_order(up) for up in range(len(line_up.partners))) for name, line_up in LINE_UPS.items()
}
