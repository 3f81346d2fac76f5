"""A position: the moves since the beginning of the match. OpenSpiel's own position follows from them."""

from functools import cached_property
from typing import Any, TypeAlias

import msgspec

from referee.games.openspiel.library import load_game
from referee.games.openspiel.options import Options

Move: TypeAlias = int | tuple[int, ...]
"""The action of luck or of one seat, or the actions of all seats by seat, where several choose at once."""


class State(msgspec.Struct, frozen=True, dict=True):
    """A position.

    Attributes:
        options: which game is played.
        moves: oldest first.
        draws: how many of them luck made.
    """

    options: Options
    moves: tuple[Move, ...] = ()
    draws: int = 0

    @cached_property
    def position(self) -> Any:
        """OpenSpiel's own position. Nobody may change it; a position that follows is made from a copy."""
        position = load_game(self.options.game).new_initial_state()
        for move in self.moves:
            _make(position, move)
        return position

    def after(self, move: Move) -> "State":
        """The position after one more move."""
        later = State(self.options, (*self.moves, move), self.draws + self.position.is_chance_node())
        position = self.position.clone()
        _make(position, move)
        later.__dict__["position"] = position  # so that nobody plays all moves again
        return later


def state_of(options: Options, position: Any) -> State:
    """The position of OpenSpiel as one of ours, by its moves."""
    state, made = State(options), [each.action for each in position.full_history()]
    while made:
        count = position.num_players() if state.position.is_simultaneous_node() else 1
        move, made = made[:count], made[count:]
        state = state.after(tuple(move) if state.position.is_simultaneous_node() else move[0])
    return state


def _make(position: Any, move: Move) -> None:
    if isinstance(move, tuple):
        position.apply_actions(list(move))
    else:
        position.apply_action(move)
