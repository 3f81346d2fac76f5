"""How a match ends: all players win, or all lose."""

from enum import StrEnum

from msgspec.structs import replace

from referee.core.outcome import Outcome, Side
from referee.games.agonia.position.events import Ended
from referee.games.agonia.position.state import Progress, State

ROUNDS_ON_LAST = 30  # AG-41: rounds that began with the counter on its last cell
ROUNDS = 60  # AG-41: rounds of a match
SCORE_OF_A_ROUND = 1000  # more than enemies can die in a match


class Ending(StrEnum):
    """The ways a match can end (AG-39, AG-41)."""

    VICTORY = "victory"
    ENTRANCE = "entrance"
    SIEGE = "siege"


def side_of_all(players: int) -> tuple[Side, ...]:
    """The only side: all players (AG-40)."""
    return (Side("players", tuple(range(players))),)


def is_cleared(state: State) -> bool:
    """Whether the counter stands on its last cell and no enemy is left (AG-39)."""
    return not state.enemies and state.counter == state.last


def is_besieged(state: State) -> bool:
    """Whether the players have played the last round allowed (AG-41)."""
    return state.rounds_on_last >= ROUNDS_ON_LAST or state.round >= ROUNDS


def ended(state: State, ending: Ending) -> Progress:
    """End the match. All players are first, or all are second, behind the board (AG-40)."""
    won = ending is Ending.VICTORY
    players = len(state.order)
    outcome = Outcome(
        ending,
        places=(1 if won else 2,) * players,
        sides=side_of_all(players),
        scores=(_score(state, ending),) * players,
    )
    return replace(state, agenda=(), outcome=outcome), (Ended(won, ending),)


def _score(state: State, ending: Ending) -> int:
    """A thousand for each round survived, and one for each enemy killed (AG-40)."""
    survived = state.round - 1 if ending is Ending.ENTRANCE else state.round
    return SCORE_OF_A_ROUND * survived + state.killed
