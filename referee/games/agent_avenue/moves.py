"""What can be chosen, and what can be heard."""

from enum import IntEnum
from functools import cache
from typing import TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.games.agent_avenue.pieces import Agent, Cards


class Slot(IntEnum):
    """One of the two played cards, numbered as in agent_avenue.proto."""

    FACE_UP = 1
    FACE_DOWN = 2


FACE_UP, FACE_DOWN = Slot


class Discard(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Put a card of the hand away face down and draw another (AA-04)."""

    agent: Agent


class Play(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Play two cards of the hand (AA-05)."""

    face_up: Agent
    face_down: Agent


class Recruit(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Take one of the two cards that the other side played (AA-06)."""

    slot: Slot


Action: TypeAlias = Discard | Play | Recruit

# Every action there is, made once.
DISCARDS = {agent: Discard(agent) for agent in Agent}
PLAYS = {(up, down): Play(up, down) for up in Agent for down in Agent}
RECRUITS: tuple[Action, ...] = tuple(Recruit(slot) for slot in Slot)
ACTIONS: tuple[Action, ...] = (*PLAYS.values(), *DISCARDS.values(), *RECRUITS)


@cache  # a hand is one of some hundreds
def plays(hand: Cards) -> tuple[Action, ...]:
    """Every pair of different names in `hand`, or twice the one name it is all of (AA-05), sorted."""
    names = sorted(set(hand))
    if len(names) == 1:
        return (PLAYS[names[0], names[0]],)
    return tuple(PLAYS[up, down] for up in names for down in names if up != down)


@cache
def plays_and_discards(hand: Cards) -> tuple[Action, ...]:
    """All plays of `hand`, then every name in it as a discard (AA-04)."""
    return (*plays(hand), *(DISCARDS[name] for name in sorted(set(hand))))


class SideBegan(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The side that takes the first turn was drawn (AA-03)."""

    side: int


class Drew(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat drew `count` cards. `agents` are they, in the order drawn; the other seats hear none of them."""

    seat: Seat
    count: int
    agents: Cards


class Discarded(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat put a card away face down (AA-04). `agent` is None to the other seats."""

    seat: Seat
    agent: Agent | None


class Played(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat played two cards (AA-05). `face_down` is None to the other seats."""

    seat: Seat
    face_up: Agent
    face_down: Agent | None


class Recruited(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A side took a played card, which lies open now (AA-06)."""

    side: int
    slot: Slot
    agent: Agent


class Moved(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A side's pawn moved by `spaces` (which may be 0), to `progress` (AA-07)."""

    side: int
    spaces: int
    progress: int


Event: TypeAlias = SideBegan | Drew | Discarded | Played | Recruited | Moved
