"""The beginning and the end of a turn."""

from typing import TypeAlias

from msgspec.structs import replace

from referee.core.outcome import Outcome, Seat
from referee.games.agent_avenue.ending import verdict
from referee.games.agent_avenue.state import Phase, State
from referee.games.agent_avenue.teams import LINE_UPS, LineUp

# The phase that a turn begins with; the active and the following seat; the seats that lay the two cards.
_Roles: TypeAlias = tuple[Phase, Seat, Seat, tuple[Seat, Seat]]


def begin_turn(state: State, turn: int) -> State:
    """The captain plays alone, or lays the face-up card of its team (AA-40, AA-41)."""
    circle = _ROUNDS[state.options.line_up]
    phase, active, following, laying = circle[(state.began + turn - 1) % len(circle)]
    return replace(state, phase=phase, turn=turn, active=active, following=following, laying=laying)


def _round(line_up: LineUp) -> tuple[_Roles, ...]:
    """The roles in the turns of one round of the circle, if side 0 began."""
    return tuple(_roles(line_up, turn) for turn in range(1, len(line_up.circle) + 1))


def _roles(line_up: LineUp, turn: int) -> _Roles:
    active, following = line_up.turn(turn), line_up.turn(turn + 1)
    return "play" if line_up.alone(active) else "face_up", active, following, (active, line_up.partners[active])


_ROUNDS = {name: _round(line_up) for name, line_up in LINE_UPS.items()}


def end_turn(state: State) -> State:
    """Test the conditions, which happens only here (AA-08, AA-29). If none is met, the next turn begins."""
    result = verdict(state)
    if result is None:
        return begin_turn(state, state.turn + 1)
    places, sides = _PLACES[state.options.line_up][result.winner], LINE_UPS[state.options.line_up].sides
    return replace(state, phase="over", outcome=Outcome(result.ending, places, sides))


def _places(line_up: LineUp, winner: int) -> tuple[int, ...]:
    """The seats of the side that won come first, the others behind all of them (AA-40)."""
    winners = line_up.sides[winner].seats
    return tuple(1 if seat in winners else len(winners) + 1 for seat in range(len(line_up.partners)))


_PLACES = {name: (_places(line_up, 0), _places(line_up, 1)) for name, line_up in LINE_UPS.items()}
