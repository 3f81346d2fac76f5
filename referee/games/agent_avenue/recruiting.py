"""Recruiting the two played cards (AA-06, AA-07)."""

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agent_avenue.hands import opened
from referee.games.agent_avenue.instants import Step
from referee.games.agent_avenue.moves import FACE_DOWN, FACE_UP, Recruit, Recruited
from referee.games.agent_avenue.pawns import enlist
from referee.games.agent_avenue.state import SeatState, State
from referee.games.agent_avenue.teams import answers, side_of
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
    seats = state.seats if state.market is None else _face_down_opened(state)
    after = replace(state, seats=seats, sides=sides, face_up=None, face_down=None)
    return go_on(state, after, (*answers(choices), *events) if len(choices) > 1 else events)


def _face_down_opened(state: State) -> tuple[SeatState, ...]:
    """The seats once everybody knows which card was face down, and whether it was a marked one (AA-31)."""
    seat = state.laying[1]
    if state.face_down is None or not state.seats[seat].marks:
        return state.seats
    seats = list(state.seats)
    seats[seat] = opened(seats[seat], state.face_down)
    return tuple(seats)
