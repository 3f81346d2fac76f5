"""The course of the rounds: what a round consists of, and how the counter moves (AG-22, AG-38, AG-41, AG-52)."""

from referee.games.agonia.enemies.spawning import has_tokens
from referee.games.agonia.position.agenda import (
    Agenda,
    BeginAdvance,
    BeginRound,
    EndRound,
    RoundDraw,
    Spawning,
    Trim,
    Turn,
)
from referee.games.agonia.position.ending import Ending, ended, is_besieged, is_cleared
from referee.games.agonia.position.events import RoundBegan
from referee.games.agonia.position.state import Progress, State, done

SUPPLIED = (3, 6, 9)
"""When the counter arrives on one of these cells, every player draws a card (AG-22)."""


def begin(state: State, _step: BeginRound) -> Progress:
    """First the supply draws, if the counter has just arrived there (AG-52), then all turns, then the advance."""
    if is_besieged(state):
        return ended(state, Ending.SIEGE)
    order = state.order
    turns = tuple([Turn(seat) for seat in order])
    after = done(
        state,
        *_supply(state),
        *turns,
        BeginAdvance(),
        Spawning(),
        round=state.round + 1,
        rounds_on_last=state.rounds_on_last + (state.counter == state.last),
        rolls=0,
    )
    return after, (RoundBegan(after.round, after.counter),)


def _supply(state: State) -> Agenda:
    return (RoundDraw(state.order), Trim(state.order)) if state.supplied else ()


def end(state: State, step: EndRound) -> Progress:
    """The counter moves, and the next round begins."""
    moves = _counter_moves(state, step)
    counter = state.counter + moves
    after = done(
        state,
        BeginRound(),
        counter=counter,
        supplied=moves and counter in SUPPLIED,
        calm=False,
        stampedes=0,
    )
    return ended(after, Ending.VICTORY) if is_cleared(after) else (after, ())


def _counter_moves(state: State, step: EndRound) -> bool:
    """The counter stays on its last cell, or if no enemy had room. Calma tensa or a lack of tokens does not stop it."""
    if state.counter == state.last:
        return False
    return state.calm or state.spawned > step.spawned or not has_tokens(state)
