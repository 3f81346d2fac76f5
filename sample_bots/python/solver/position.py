"""What everybody sees between two turns, and where a turn leads."""

from typing import NamedTuple

import numpy as np
from hands import AGENTS, COPIES, HAND_SIZE, Indices, Numbers

CODEBREAKER, DAREDEVIL = 2, 4
# By agent: how far the first, the second and every later one moves.
STEPS = (
    (-1, 6, -1),
    (1, 2, 3),
    (0, 0, 0),
    (-1, -1, -2),
    (2, 3, 0),
    (0, 2, 6),
    (4, 4, 4),
    (-3, -3, -3),
)
CATCH = 7
DECISIVE = 3
DISCARDS = 4
DECK = sum(COPIES) - 2 * HAND_SIZE


class Side(NamedTuple):
    """What is open of a side: how many of each agent it has recruited, its hand's size, the discards it has left."""

    recruited: tuple[int, ...] = (0,) * len(COPIES)
    cards: int = HAND_SIZE
    discards: int = DISCARDS

    def steps(self, agent: int) -> int:
        """How far its pawn moves when it recruits an agent."""
        return STEPS[agent][min(self.recruited[agent], 2)]

    def recruiting(self, agent: int) -> "Side":
        """With one agent more."""
        recruited = self.recruited
        return self._replace(recruited=(*recruited[:agent], recruited[agent] + 1, *recruited[agent + 1 :]))

    def drawing(self, deck: int) -> "Side":
        """With a hand filled up from a deck of so many cards."""
        return self._replace(cards=self.cards + min(max(HAND_SIZE - self.cards, 0), deck))


class Position(NamedTuple):
    """A position as the side sees it whose turn it is.

    Attributes:
        lead: the side's progress minus the other side's.
        own: the side.
        other: the other side.
        deck: how many cards it has.
        gone: how many of each agent are out of the game.
    """

    lead: int = 0
    own: Side = Side()
    other: Side = Side()
    deck: int = DECK
    gone: tuple[int, ...] = (0,) * len(COPIES)

    @property
    def pool(self) -> Indices:
        """By agent, how many cards lie nowhere openly."""
        return np.array(COPIES, np.intp) - self.own.recruited - self.other.recruited - self.gone

    @property
    def may_discard(self) -> bool:
        """Whether the side may discard (AA-04)."""
        return self.own.discards > 0 and self.deck > 0

    def after_discard(self) -> "Position":
        """After a discard."""
        return self._replace(own=self.own._replace(discards=self.own.discards - 1), deck=self.deck - 1)

    def after_draws(self) -> "Position":
        """After the side has played two cards and both have drawn."""
        own = self.own._replace(cards=self.own.cards - 2).drawing(self.deck)
        deck = self.deck - own.cards + self.own.cards - 2
        other = self.other.drawing(deck)
        return Position(self.lead, own, other, deck - other.cards + self.other.cards)

    def after(self, own: int, other: int) -> "Position":
        """The next turn, after both have drawn and each side has recruited an agent."""
        lead = self.lead + self.own.steps(own) - self.other.steps(other)
        return Position(-lead, self.other.recruiting(other), self.own.recruiting(own), self.deck)


def leads_after(drawn: Position) -> Indices:
    """The lead of the side, by what it recruits and what the other does."""
    own, other = ([side.steps(agent) for agent in AGENTS] for side in (drawn.own, drawn.other))
    return drawn.lead + np.subtract.outer(own, other)


def results(drawn: Position) -> Numbers:
    """By what a side recruits, and what the other does: 1 if the side wins by that, -1 if it loses, else 0.

    `drawn` is the position after the draws.
    """
    leads = leads_after(drawn)
    wins, loses = leads >= CATCH, leads <= -CATCH
    wins[CODEBREAKER] |= _has_two(drawn.own, CODEBREAKER)
    wins[:, DAREDEVIL] |= _has_two(drawn.other, DAREDEVIL)
    loses[:, CODEBREAKER] |= _has_two(drawn.other, CODEBREAKER)
    loses[DAREDEVIL] |= _has_two(drawn.own, DAREDEVIL)
    if drawn.deck == 0 and drawn.other.cards < 2:  # AA-10
        wins |= ~loses & (leads >= 0)
        loses |= leads < 0
    return np.where(wins, 1.0, np.where(loses, -1.0, 0.0))  # the active side wins if both have a claim (AA-09)


def _has_two(side: Side, agent: int) -> bool:
    """Whether a side lacks one of three."""
    return side.recruited[agent] == DECISIVE - 1


# The numbers that the network sees, of the side whose turn is next, and of the other side.
LEADS = range(1 - CATCH, CATCH)
STAGES = tuple(range(2, DECK + 1, 4))
FEATURES = len(LEADS) + 4 * 6 + len(COPIES) + len(STAGES) + 2


def features(position: Position) -> Numbers:
    """The numbers of one position."""
    return np.concatenate(
        (
            np.equal(position.lead, LEADS),
            *(_thresholds(np.array(side.recruited)[:6]) for side in (position.own, position.other)),
            position.pool,
            np.greater_equal(position.deck, STAGES),
            (position.own.discards, position.other.discards),
        ),
        dtype=np.float64,
    )


def features_after(drawn: Position) -> Numbers:
    """The numbers of the next turn, by what the side recruits and what the other does. `drawn` is after the draws."""
    count = len(COPIES)
    table = np.zeros((count, count, FEATURES))
    one = np.eye(count, dtype=int)
    own, other = (np.array(side.recruited) + one for side in (drawn.own, drawn.other))
    at = len(LEADS)
    table[:, :, :at] = -leads_after(drawn)[:, :, None] == np.array(LEADS)
    table[:, :, at : at + 12] = _thresholds(other[:, :6])[None, :, :]
    table[:, :, at + 12 : at + 24] = _thresholds(own[:, :6])[:, None, :]
    at += 24
    table[:, :, at : at + count] = drawn.pool - one[:, None, :] - one[None, :, :]
    at += count
    table[:, :, at : at + len(STAGES)] = np.greater_equal(drawn.deck, STAGES)
    table[:, :, -2:] = drawn.other.discards, drawn.own.discards
    return table


def _thresholds(counts: Indices) -> Indices:
    """Whether there is one, and whether there are two or more: the second axis."""
    return np.concatenate((counts >= 1, counts >= 2), axis=-1)


def levels(position: Position) -> tuple[Indices, Indices]:
    """By agent, how many the side whose turn it is has recruited, and how many the other, 2 for more."""
    own, other = (np.minimum(side.recruited, 2) for side in (position.own, position.other))
    return own, other
