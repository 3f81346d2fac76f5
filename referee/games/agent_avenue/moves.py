"""The actions and the events of the game."""

from enum import IntEnum
from functools import cache
from typing import TypeAlias

import msgspec

from referee.core.outcome import Seat
from referee.games.agent_avenue.pieces import ONGOING, Agent, Cards, MarketCard, MarketCards


class Slot(IntEnum):
    """One of the two played cards, numbered as in agent_avenue.proto."""

    FACE_UP = 1
    FACE_DOWN = 2


FACE_UP, FACE_DOWN = Slot


class Discard(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Put a card of the hand away face down and draw another (AA-04)."""

    agent: Agent


class Play(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Play two cards of the hand (AA-05)."""

    face_up: Agent
    face_down: Agent


class Recruit(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Take one of the two cards that the other side played (AA-06)."""

    slot: Slot


class Lay(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Play one of a team's two cards (AA-41)."""

    slot: Slot
    agent: Agent


class HandOver(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Leave the face-up card to the partner (AA-41)."""


class Take(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Take a card of the market's offer (AA-21). `taker` resolves an instant; None for an ongoing card (AA-43)."""

    card: MarketCard
    taker: Seat | None


class Choose(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Choose the agent that an instant acts on (AA-24)."""

    agent: Agent


class RecruitAgain(msgspec.Struct, frozen=True, tag=True, gc=False, cache_hash=True):
    """Whether to recruit again the agent that Spycation brought back (AA-24)."""

    again: bool


Action: TypeAlias = Discard | Play | Recruit | Lay | HandOver | Take | Choose | RecruitAgain

# Every action there is, made once.
DISCARDS = {agent: Discard(agent) for agent in Agent}
PLAYS = {(up, down): Play(up, down) for up in Agent for down in Agent}
RECRUITS: tuple[Action, ...] = tuple(Recruit(slot) for slot in Slot)
LAYS = {slot: {agent: Lay(slot, agent) for agent in Agent} for slot in Slot}
HAND_OVER = HandOver()
TAKES = {
    (card, taker): Take(card, taker) for card in MarketCard for taker in ((None,) if card in ONGOING else range(4))
}
CHOICES = {agent: Choose(agent) for agent in Agent}
AGAIN: tuple[Action, ...] = (RecruitAgain(again=True), RecruitAgain(again=False))


@cache  # there are some hundred different hands
def plays(hand: Cards) -> tuple[Action, ...]:
    """Every pair of different names in `hand`; if it has only one name, twice that name (AA-05). Sorted."""
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
    """A seat drew `count` cards. `agents` are these cards in the order drawn; it is empty to the other seats."""

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
    """A side took a played card, which is now face up (AA-06)."""

    side: int
    slot: Slot
    agent: Agent


class Moved(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A side's pawn moved by `spaces` (which may be 0), to `progress` (AA-07)."""

    side: int
    spaces: int
    progress: int


class Laid(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat of a team played one of the two cards (AA-41). `agent` is None to others if it lies face down."""

    seat: Seat
    slot: Slot
    agent: Agent | None


class HandedOver(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A captain left the face-up card to the partner (AA-41)."""

    seat: Seat


class Answered(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A teammate's answer, heard by the own side once both have answered (AA-43)."""

    seat: Seat
    answer: Action


class Offered(msgspec.Struct, frozen=True, tag=True, gc=False):
    """These cards came to the market's offer (AA-20, AA-21)."""

    cards: MarketCards


class Took(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A side took a card of the offer (AA-21); `taker` resolves an instant, None for an ongoing card."""

    side: int
    card: MarketCard
    taker: Seat | None


class NothingOffered(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A side stands on a market space and the offer is empty (AA-21)."""

    side: int


class Ignored(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An instant could not be carried out (AA-24), which reveals which cards are missing (AA-31)."""

    seat: Seat
    card: MarketCard


class TookBack(msgspec.Struct, frozen=True, tag=True, gc=False):
    """An agent that lay in front of `side` went into the hand of `seat` (AA-27)."""

    seat: Seat
    side: int
    agent: Agent


class Kept(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The agent that Spycation brought back stays in the hand (AA-24)."""

    seat: Seat
    agent: Agent


class Shown(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A seat showed two cards of this name in its hand (AA-31)."""

    seat: Seat
    agent: Agent


class Enlisted(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A side recruited by an instant (AA-23), from the hand of `seat`; None: from the deck."""

    side: int
    agent: Agent
    seat: Seat | None


class GotAway(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A pawn that had moved onto a home moved on by `spaces`, to `progress` (AA-28)."""

    side: int
    spaces: int
    progress: int


class Ceased(msgspec.Struct, frozen=True, tag=True, gc=False):
    """These agents, all that lay in front of both sides, left the game; sorted."""

    agents: Cards


Event: TypeAlias = (
    SideBegan
    | Drew
    | Discarded
    | Played
    | Recruited
    | Moved
    | Laid
    | HandedOver
    | Answered
    | Offered
    | Took
    | NothingOffered
    | Ignored
    | TookBack
    | Kept
    | Shown
    | Enlisted
    | GotAway
    | Ceased
)
