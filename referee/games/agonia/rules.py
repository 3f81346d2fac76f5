"""The rules, put together: the steps of the agenda are done one after another, with waits in between.

The steps that wait are in `luck` and `decisions`. The steps that are done at once are listed here.
"""

from collections.abc import Callable, Mapping
from typing import Any

from referee.core.game import Awaiting, Over
from referee.core.outcome import Seat
from referee.games.agonia import rounds
from referee.games.agonia.decisions import DECISIONS
from referee.games.agonia.deck import drawing
from referee.games.agonia.enemies import advance, combat, spawning
from referee.games.agonia.luck import DRAWS
from referee.games.agonia.players import attacks, discarding, searching, turns
from referee.games.agonia.position.actions import Action
from referee.games.agonia.position.agenda import (
    Advance,
    Alight,
    Arrivals,
    BeginAdvance,
    BeginRound,
    Blast,
    Columns,
    EndRound,
    Explode,
    Quench,
    RoundDraw,
    Search,
    SecondShot,
    Smoulder,
    Spawning,
    Supplies,
    Trim,
    Turn,
    Walk,
)
from referee.games.agonia.position.events import Acted, Event
from referee.games.agonia.position.state import Progress, State

_AT_ONCE: dict[type, Callable[[State, Any], Progress | None]] = {
    # rounds
    BeginRound: rounds.begin,
    EndRound: rounds.end,
    # players
    RoundDraw: drawing.round_draw,
    Supplies: drawing.supplies,
    Turn: turns.turn,
    Search: searching.search,
    SecondShot: attacks.second_shot,
    Trim: discarding.trim,
    # results of attacks
    Blast: combat.blast,
    Alight: combat.alight,
    Quench: combat.quench,
    Explode: combat.explode,
    # enemies
    BeginAdvance: advance.begin,
    Advance: advance.advance,
    Walk: advance.go_on,
    Smoulder: advance.smoulder,
    Spawning: spawning.begin,
    Columns: spawning.columns,
    Arrivals: spawning.arrive,
}
"""The function for a step on top of the agenda. It returns None if the step must wait for a player or a draw."""

_AWAITED: dict[type, Callable[[State, Any], Awaiting]] = {
    **{step: draw.awaited for step, draw in DRAWS.items()},
    **{step: decision.awaited for step, decision in DECISIONS.items()},
}


def awaiting(state: State) -> Awaiting:
    """The decision or draw of luck that the step on top of the agenda waits for."""
    if state.outcome is not None:
        return Over(state.outcome)
    step = state.agenda[0]
    return _AWAITED[type(step)](state, step)


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """The legal actions of `seat`, which must choose, in a stable order."""
    step = state.agenda[0]
    return DECISIONS[type(step)].legal(state, step, seat)


def luck(state: State, drawn: tuple[int, ...]) -> Progress:
    """The position after the draw that `awaiting` asked for."""
    step = state.agenda[0]
    return settled(*DRAWS[type(step)].drawn(state, step, drawn))


def apply(state: State, choices: Mapping[Seat, Action]) -> Progress:
    """The position after the asked seat has chosen. Raises ValueError if its choice is impossible."""
    ((seat, action),) = choices.items()
    step = state.agenda[0]
    after, events = DECISIONS[type(step)].chosen(state, step, seat, action)
    return settled(after, (Acted(seat, action), *events))


def settled(state: State, events: tuple[Event, ...]) -> Progress:
    """Perform steps until one waits, or until the match is over and no step is left."""
    while state.agenda:
        step = state.agenda[0]
        perform = _AT_ONCE.get(type(step))
        progress = None if perform is None else perform(state, step)
        if progress is None:
            break
        state = progress[0]
        events += progress[1]
    return state, events
