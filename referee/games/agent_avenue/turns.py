"""Where a turn begins and ends."""

from msgspec.structs import replace

from referee.core.outcome import Outcome
from referee.games.agent_avenue.ending import Verdict, verdict
from referee.games.agent_avenue.state import State
from referee.games.agent_avenue.teams import LINE_UPS, LineUp


def begin_turn(state: State, turn: int) -> State:
    """The captain plays alone, or lays the face-up card of its team (AA-40, AA-41)."""
    line_up = LINE_UPS[state.options.line_up]
    active = line_up.turn(state.began, turn)
    partner = line_up.partners[active]
    return replace(
        state,
        phase="play" if partner == active else "face_up",
        turn=turn,
        active=active,
        following=line_up.turn(state.began, turn + 1),
        laying=(active, partner),
    )


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
