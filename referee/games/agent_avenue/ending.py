"""The end step: which side has won, and by which condition."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

import msgspec

from referee.core.outcome import Seat
from referee.games.agent_avenue.pawns import space
from referee.games.agent_avenue.pieces import CATCHING_LEAD, DECISIVE_COUNT, HOMES, Agent, MarketCard
from referee.games.agent_avenue.state import SideState, State, lead
from referee.games.agent_avenue.teams import LINE_UPS, side_of

_WINNING, _LOSING = Agent.CODEBREAKER, Agent.DAREDEVIL
_MASTERPLAN_NAMES = 7


class Ending(StrEnum):
    """The ways a game can end. SEVERAL: more than one kind of condition held, on whichever side (AA-11)."""

    CAUGHT = "caught"
    CODEBREAKERS = "codebreakers"
    DAREDEVILS = "daredevils"
    SEVERAL = "several"
    RAN_OUT = "ran_out"
    LEADER_OF_THE_PACK = "leader_of_the_pack"
    MASTERPLAN = "masterplan"
    SECURITY_SYSTEM = "security_system"


class Verdict(msgspec.Struct, frozen=True):
    """How the game ended, and the side that won."""

    ending: Ending
    winner: int


def verdict(state: State) -> Verdict | None:
    """The result of a turn whose pawns have moved; None if the game goes on.

    A side with a claim wins; if both have one, the active side does (AA-09, AA-30).
    """
    met = conditions(state.sides)
    if not met:
        return _running_out(state)
    endings = {ending for ending, _ in met}
    claimants = {side for _, side in met}
    active = side_of(state.active)
    return Verdict(
        ending=endings.pop() if len(endings) == 1 else Ending.SEVERAL,
        winner=active if active in claimants else 1 - active,
    )


def conditions(sides: tuple[SideState, ...]) -> list[tuple[Ending, int]]:
    """Every winning or losing condition that is met, with the side that can claim the game by it (AA-08, AA-09)."""
    ahead = lead(sides, 0)
    met = [(Ending.CAUGHT, 0 if ahead > 0 else 1)] if abs(ahead) >= CATCHING_LEAD else []
    for side, own in enumerate(sides):
        recruited = own.recruited
        if len(recruited) >= DECISIVE_COUNT:
            if recruited.count(_WINNING) >= DECISIVE_COUNT:
                met.append((Ending.CODEBREAKERS, side))
            if recruited.count(_LOSING) >= DECISIVE_COUNT and MarketCard.LEADER_OF_THE_PACK not in own.ongoing:
                met.append((Ending.DAREDEVILS, 1 - side))
        if own.ongoing:
            met += [(claim.ending, side) for claim in _claims_of(own) if claim.holds(sides, side)]
    return met


def _claims_of(own: SideState) -> list["_Claim"]:
    return [_CLAIMS[card] for card in own.ongoing if card in _CLAIMS]


# The conditions by which an ongoing card lets its side win (AA-20, AA-30).


def _leads_a_pack(sides: tuple[SideState, ...], side: int) -> bool:
    return sides[side].recruited.count(_LOSING) >= DECISIVE_COUNT


def _has_seven_names(sides: tuple[SideState, ...], side: int) -> bool:
    return len(set(sides[side].recruited)) >= _MASTERPLAN_NAMES


def _has_the_other_at_home(sides: tuple[SideState, ...], side: int) -> bool:
    return space(1 - side, sides[1 - side].progress) == HOMES[side]


class _Claim(NamedTuple):
    ending: Ending
    holds: Callable[[tuple[SideState, ...], int], bool]


_CLAIMS = {
    MarketCard.LEADER_OF_THE_PACK: _Claim(Ending.LEADER_OF_THE_PACK, _leads_a_pack),
    MarketCard.MASTERPLAN: _Claim(Ending.MASTERPLAN, _has_seven_names),
    MarketCard.SECURITY_SYSTEM: _Claim(Ending.SECURITY_SYSTEM, _has_the_other_at_home),
}


def _running_out(state: State) -> Verdict | None:
    """If the deck is empty and the next turn lacks cards, the larger lead wins, or else the active side (AA-10)."""
    if state.deck or not _short(state, state.following):
        return None
    active = side_of(state.active)
    return Verdict(Ending.RAN_OUT, active if lead(state.sides, active) >= 0 else 1 - active)


def _short(state: State, following: Seat) -> bool:
    """Whether the next side lacks cards: a seat alone needs two (AA-10), each seat of a team needs one (AA-44)."""
    partner = LINE_UPS[state.options.line_up].partners[following]
    if partner == following:
        return len(state.seats[following].hand) < 2
    return not (state.seats[following].hand and state.seats[partner].hand)
