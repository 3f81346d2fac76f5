"""The players' part of the rules, put together: what its steps wait for, allow and do."""

from collections.abc import Callable
from typing import Any

from referee.core.game import Awaiting, Decide
from referee.core.outcome import Seat
from referee.games.agonia import attacks, drawing, exchanging, hands, turns
from referee.games.agonia.agenda import (
    Answer,
    BeginTurn,
    Reshuffle,
    RoundDraw,
    Search,
    SecondShot,
    Supplies,
    Trim,
    Turn,
)
from referee.games.agonia.moves import Action
from referee.games.agonia.state import Progress, State

_ALONE = tuple(Decide((seat,)) for seat in range(5))

PERFORM: dict[type, Callable[[State, Any], Progress | None]] = {
    RoundDraw: drawing.round_draw,
    Supplies: drawing.supplies,
    Trim: hands.trim,
    BeginTurn: turns.begin,
    Turn: turns.turn,
    Search: drawing.search,
    SecondShot: attacks.second_shot,
}
AWAITED: dict[type, Callable[[State, Any], Awaiting]] = {
    Trim: lambda _state, step: _ALONE[step.seats[0]],
    Turn: lambda _state, step: _ALONE[step.seat],
    Search: lambda _state, step: _ALONE[step.seat],
    SecondShot: lambda _state, step: _ALONE[step.seat],
    Answer: lambda _state, step: _ALONE[step.partner],
    Reshuffle: drawing.shuffle,
}
LEGAL: dict[type, Callable[[State, Any, Seat], tuple[Action, ...]]] = {
    Trim: hands.discards,
    Turn: turns.actions,
    Search: drawing.finds,
    SecondShot: attacks.second_shots,
    Answer: exchanging.replies,
}
APPLY: dict[type, Callable[[State, Any, Seat, Any], Progress]] = {
    Trim: hands.discarded,
    Turn: turns.act,
    Search: drawing.found,
    SecondShot: attacks.shot_again,
    Answer: exchanging.answered,
}
LUCK: dict[type, Callable[[State, Any, tuple[int, ...]], Progress]] = {Reshuffle: drawing.reshuffled}
