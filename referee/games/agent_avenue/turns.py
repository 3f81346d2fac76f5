"""Where a turn begins and ends."""

from typing import NamedTuple

from msgspec.structs import replace

from referee.core.outcome import Outcome, Seat
from referee.games.agent_avenue.ending import Verdict, verdict
from referee.games.agent_avenue.state import Phase, State
from referee.games.agent_avenue.teams import LINE_UPS, LineUp


def begin_turn(state: State, turn: int) -> State:
    """The captain plays alone, or lays the face-up card of its team (AA-40, AA-41)."""
    circle = _ROUNDS[state.options.line_up]
    phase, active, following, laying = circle[(state.began + turn - 1) % len(circle)]
    return replace(state, phase=phase, turn=turn, active=active, following=following, laying=laying)


class _Roles(NamedTuple):
    phase: Phase
    active: Seat
    following: Seat
    laying: tuple[Seat, Seat]


def _round(line_up: LineUp) -> tuple[_Roles, ...]:
    """The roles in the turns of one round of the circle, side 0 having begun."""
    return tuple(_roles(line_up, turn) for turn in range(1, len(line_up.circle) + 1))


def _roles(line_up: LineUp, turn: int) -> _Roles:
    active, following = line_up.turn(turn), line_up.turn(turn + 1)
    return _Roles("play" if line_up.alone(active) else "face_up", active, following, (active, line_up.partners[active]))


_ROUNDS = {name: _round(line_up) for name, line_up in LINE_UPS.items()}


def end_turn(state: State) -> State:
    """Conditions are tested here and only here (AA-08, AA-29); with none met, the next turn begins."""
    result = verdict(state)
    if result is None:
        return begin_turn(state, state.turn + 1)
    return replace(state, phase="over", outcome=_outcome(LINE_UPS[state.options.line_up], result))


def _outcome(line_up: LineUp, result: Verdict) -> Outcome:
    """The seats of the side that won come first, the others behind all of them."""
    winners = line_up.sides[result.winner].seats
    places = tuple(1 if seat in winners else len(winners) + 1 for seat in range(len(line_up.partners)))
    return Outcome(ending=result.ending, places=places, sides=line_up.sides)
