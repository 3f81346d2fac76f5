"""The end step: who has won, and by what."""

from enum import StrEnum

import msgspec

from referee.games.agent_avenue.pieces import CATCHING_LEAD, DECISIVE_COUNT, Agent
from referee.games.agent_avenue.state import SideState, State, lead

_WINNING, _LOSING = Agent.CODEBREAKER, Agent.DAREDEVIL


class Ending(StrEnum):
    """The ways a game can end. SEVERAL: more than one of the first three conditions held, on whichever side (AA-11)."""

    CAUGHT = "caught"
    CODEBREAKERS = "codebreakers"
    DAREDEVILS = "daredevils"
    SEVERAL = "several"
    RAN_OUT = "ran_out"


class Verdict(msgspec.Struct, frozen=True):
    """How the game ended, and the side that won."""

    ending: Ending
    winner: int


def verdict(state: State) -> Verdict | None:
    """The result of a turn whose pawns have moved; None if the game goes on.

    A side with a claim wins; if both have one, the active side does (AA-09).
    """
    met = conditions(state.sides)
    if not met:
        return _running_out(state)
    endings = {ending for ending, _ in met}
    claimants = {side for _, side in met}
    return Verdict(
        ending=endings.pop() if len(endings) == 1 else Ending.SEVERAL,
        winner=state.active if state.active in claimants else 1 - state.active,
    )


def conditions(sides: tuple[SideState, ...]) -> list[tuple[Ending, int]]:
    """Every winning or losing condition that holds, each with the side that may claim the game by it (AA-08, AA-09)."""
    met = []
    for side, own in enumerate(sides):
        if lead(sides, side) >= CATCHING_LEAD:
            met.append((Ending.CAUGHT, side))
        if own.recruited.count(_WINNING) >= DECISIVE_COUNT:
            met.append((Ending.CODEBREAKERS, side))
        if own.recruited.count(_LOSING) >= DECISIVE_COUNT:
            met.append((Ending.DAREDEVILS, 1 - side))
    return met


def _running_out(state: State) -> Verdict | None:
    """With the deck empty and no two cards for the next turn: the larger lead wins, or the active side (AA-10)."""
    following = 1 - state.active
    if state.deck or len(state.seats[following].hand) >= 2:
        return None
    ahead = state.active if lead(state.sides, state.active) >= 0 else following
    return Verdict(Ending.RAN_OUT, ahead)
