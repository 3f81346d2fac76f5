"""The beginning and the end of a turn: which side has won, and by which condition."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from referee.core.outcome import Outcome, Seat
from referee.games.agent_avenue.pawns import space
from referee.games.agent_avenue.pieces import CATCHING_LEAD, DECISIVE_COUNT, HOMES, Agent, MarketCard
from referee.games.agent_avenue.state import Phase, SideState, State, lead
from referee.games.agent_avenue.teams import LINE_UPS, LineUp, side_of

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


# The phase that a turn begins with; the active and the following seat; the seats that lay the two cards.
_Roles: TypeAlias = tuple[Phase, Seat, Seat, tuple[Seat, Seat]]


def begin_turn(state: State, turn: int) -> State:
    """The captain plays alone, or lays the face-up card of its team (AA-40, AA-41)."""
    circle = _ROUNDS[state.options.line_up]
    phase, active, following, laying = circle[(state.began + turn - 1) % len(circle)]
    return replace(state, phase=phase, turn=turn, active=active, following=following, laying=laying)


def _round(line_up: LineUp) -> tuple[_Roles, ...]:
    """The roles in the turns of one round of the circle, if side 0 began."""
    return tuple(_roles(line_up, turn) for turn in range(1, len(line_up.circle) + 1))


def _roles(line_up: LineUp, turn: int) -> _Roles:
    active, following = line_up.turn(turn), line_up.turn(turn + 1)
    return "play" if line_up.alone(active) else "face_up", active, following, (active, line_up.partners[active])


_ROUNDS = {name: _round(line_up) for name, line_up in LINE_UPS.items()}


def end_turn(state: State) -> State:
    """Test the conditions, which happens only here (AA-08, AA-29). If none is met, the next turn begins."""
    result = verdict(state)
    if result is None:
        return begin_turn(state, state.turn + 1)
    places, sides = _PLACES[state.options.line_up][result.winner], LINE_UPS[state.options.line_up].sides
    return replace(state, phase="over", outcome=Outcome(result.ending, places, sides))


def _places(line_up: LineUp, winner: int) -> tuple[int, ...]:
    """The seats of the side that won come first, the others behind all of them (AA-40)."""
    winners = line_up.sides[winner].seats
    return tuple(1 if seat in winners else len(winners) + 1 for seat in range(len(line_up.partners)))


_PLACES = {name: (_places(line_up, 0), _places(line_up, 1)) for name, line_up in LINE_UPS.items()}
