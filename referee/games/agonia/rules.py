"""The rules, put together: what each step of the agenda waits for, allows and does."""

from collections.abc import Callable, Mapping
from typing import Any

from referee.core.game import Awaiting, Over
from referee.core.outcome import Seat
from referee.games.agonia import advance, combat, players, rounds, setup, spawning
from referee.games.agonia.events import Acted, Event
from referee.games.agonia.moves import Action
from referee.games.agonia.state import Progress, State

_PERFORM: dict[type, Callable[[State, Any], Progress | None]] = {
    **rounds.PERFORM,
    **players.PERFORM,
    **combat.PERFORM,
    **advance.PERFORM,
    **spawning.PERFORM,
}
_AWAITED: dict[type, Callable[[State, Any], Awaiting]] = {
    **setup.AWAITED,
    **players.AWAITED,
    **combat.AWAITED,
    **spawning.AWAITED,
}
_LEGAL: dict[type, Callable[[State, Any, Seat], tuple[Action, ...]]] = players.LEGAL
_APPLY: dict[type, Callable[[State, Any, Seat, Any], Progress]] = players.APPLY
_LUCK: dict[type, Callable[[State, Any, tuple[int, ...]], Progress]] = {
    **setup.LUCK,
    **players.LUCK,
    **combat.LUCK,
    **spawning.LUCK,
}


def awaiting(state: State) -> Awaiting:
    """What the step on top of the agenda waits for."""
    if state.outcome is not None:
        return Over(state.outcome)
    step = state.agenda[0]
    return _AWAITED[type(step)](state, step)


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """What `seat`, which must choose, may choose, in a stable order."""
    step = state.agenda[0]
    return _LEGAL[type(step)](state, step, seat)


def luck(state: State, drawn: tuple[int, ...]) -> Progress:
    """The position after the draw that `awaiting` asked for."""
    step = state.agenda[0]
    return settled(*_LUCK[type(step)](state, step, drawn))


def apply(state: State, choices: Mapping[Seat, Action]) -> Progress:
    """The position after the seat that had to choose did. Raises ValueError if it cannot be done at all."""
    ((seat, action),) = choices.items()
    step = state.agenda[0]
    after, events = _APPLY[type(step)](state, step, seat, action)
    return settled(after, (Acted(seat, action), *events))


def settled(state: State, events: tuple[Event, ...]) -> Progress:
    """Steps are performed until one waits, or the match is over and there is none."""
    while state.agenda:
        step = state.agenda[0]
        perform = _PERFORM.get(type(step))
        progress = None if perform is None else perform(state, step)
        if progress is None:
            break
        state = progress[0]
        events += progress[1]
    return state, events
