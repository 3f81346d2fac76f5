"""How well the players stand, as one number: a formula that was fitted to matches of the sample bots."""

from math import exp

from referee.core.outcome import first_places
from referee.games.agonia.box.board import DIE, Board
from referee.games.agonia.box.enemies import PRINTS
from referee.games.agonia.position.state import Enemy, State, board_of

# Log odds that the players win.
_START = -1.85
_PLAYER = 1.15  # for each player
_SECONDARY = 0.85  # on the board with the longer lanes
_ROUND_LEFT = -0.41  # for each round until the counter is on its last cell
_ROUND_LEFT_SHARED = 0.41  # the same, divided by the number of players
_THREAT = -0.85
_AT_THE_DOOR = -0.44  # if an enemy may come in within two turns
_TOKEN = 0.47  # for each barricade, pit, trap, oil or bomb on the board
_ARMED = 0.45  # for the part of the players who have a weapon on the table

_TURNS = 3.0  # an enemy this many turns further away is a threat e times smaller
_AT_THE_DOOR_TURNS = 1.5


def outlook(state: State) -> tuple[float, ...]:
    """By seat, how likely it is that the players win.

    The numbers above come from a logistic regression over matches between `defender` and `shooter`;
    `benchmarks/outlook.py` says how well they hold.
    """
    if state.outcome:
        return first_places(state.outcome)
    return (1 / (1 + exp(-_log_odds(state))),) * len(state.order)


def _log_odds(state: State) -> float:
    board, players, left = board_of(state), len(state.order), state.last - state.counter
    turns = [(_turns(board, enemy), enemy.life) for enemy in state.enemies]
    armed = sum(seat.weapon is not None for seat in state.seats)
    return (
        _START
        + _PLAYER * players
        + _SECONDARY * (board.name == "secondary")
        + _ROUND_LEFT * left
        + _ROUND_LEFT_SHARED * left / players
        + _THREAT * sum(life * exp(-away / _TURNS) for away, life in turns)
        + _AT_THE_DOOR * any(away <= _AT_THE_DOOR_TURNS for away, _ in turns)
        + _TOKEN * len(state.tokens)
        + _ARMED * armed / players
    )


def _turns(board: Board, enemy: Enemy) -> float:
    """About how many turns the enemy needs to the entrance. In their order, each step has a cell of six lanes."""
    return board.rank[enemy.cell] / DIE / PRINTS[enemy.kind].move + enemy.held
