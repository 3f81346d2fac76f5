"""How a side gets agents in front of it, and how its pawn then moves."""

from referee.games.agent_avenue.moves import Event, GotAway, Moved
from referee.games.agent_avenue.pieces import GAITS, HOMES, MARKET_SPACES, SPACES, Agent, with_card
from referee.games.agent_avenue.state import SideState, State
from referee.games.agent_avenue.teams import side_of


def enlist(side: SideState, number: int, agent: Agent) -> tuple[SideState, tuple[Event, ...]]:
    """The side with one more agent, its pawn moved by the symbol of that agent (AA-01, AA-07)."""
    recruited = with_card(side.recruited, agent)
    spaces = GAITS[side.ongoing].spaces[agent][recruited.count(agent) - 1]
    progress = side.progress + spaces
    moved = Moved(number, spaces, progress)
    if not side.ongoing:
        return SideState(progress, recruited), (moved,)
    progress, moves = _driven_on(side, moved)
    return SideState(progress, recruited, side.ongoing), moves


def walk(side: SideState, number: int, spaces: int) -> tuple[SideState, tuple[Event, ...]]:
    """The side with its pawn moved by something other than an agent."""
    progress, moves = _driven_on(side, Moved(number, spaces, side.progress + spaces))
    return SideState(progress, side.recruited, side.ongoing), moves


def _driven_on(side: SideState, moved: Moved) -> tuple[int, tuple[Event, ...]]:
    """The progress after a move, and the events of the move. A Getaway Car is part of the move (AA-28)."""
    on = GAITS[side.ongoing].from_home
    if not on or not moved.spaces or space(moved.side, moved.progress) not in HOMES:
        return moved.progress, (moved,)
    return moved.progress + on, (moved, GotAway(moved.side, on, moved.progress + on))


def space(side: int, progress: int) -> int:
    """The space of the loop on which a side's pawn stands, from its progress (AA-02)."""
    return (HOMES[side] + progress) % SPACES


def landed(before: State, after: State) -> tuple[int, ...]:
    """The sides whose pawns have moved and stand on market spaces, the active side first (AA-21, AA-22)."""
    first = side_of(after.active)
    return tuple(side for side in (first, 1 - first) if _has_landed(before, after, side))


def _has_landed(before: State, after: State, side: int) -> bool:
    progress = after.sides[side].progress
    return progress != before.sides[side].progress and space(side, progress) in MARKET_SPACES
