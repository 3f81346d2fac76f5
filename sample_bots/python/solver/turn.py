"""One turn as a small game of hidden hands, solved by regret matching.

The active side's hand is one of 259, as likely as the open cards allow. Some hands of the other side stand for all.
Each hand of the active side has chances for its plays, and each hand of the other side a chance to take each face-up
card. In every round each of them moves towards what would have won more often against the others (CFR+: Tammelin,
2014). The average of the rounds is close to an equilibrium: neither side gains much by another strategy.

All factors of a matrix product are rounded to a grid on which every sum is exact. So the library may add up in any
order, and a choice is the same on every machine.
"""

from typing import NamedTuple

import numpy as np
from hands import AGENTS, Hands, Indices, Numbers, hands
from position import Position
from values import Values

TREMBLE = 0.2  # how often the other side expects an accident: any play with equal chances
COST = 0.01  # what a discard is worth later in the match
DISCARDING = (8, 20)  # the rounds after which hands decide anew whether they discard
NEVER = -1.0  # the worth of what is no play
LEAST = 1e-9  # the least regret of a play, so that its chance is never 0 / 0
MOST_DISCARDS = 2  # in a turn, as far as the other side reckons with them
GRID = 2.0**20
FINE_GRID = 2.0**30


class Effort(NamedTuple):
    """How well a turn is solved: in so many rounds, with so many hands that stand for all of the other side."""

    rounds: int
    samples: int


FULL = Effort(30, 24)


class Solution(NamedTuple):
    """What both sides do in a turn.

    Attributes:
        plays: the chances of each play, by place, face-up agent and hand (`Hands.downs`).
        worths: how likely each hand wins by its best play.
        taking: by face-up agent, how likely the observer takes it.
    """

    plays: Numbers
    worths: Numbers
    taking: Numbers


def solve_position(
    values: Values, position: Position, observer: Indices | None = None, effort: Effort = FULL
) -> Solution:
    """Solve a turn of which `values` says what follows. The rest is as for `solve`."""
    return solve(position, values.wins(position.after_draws()), values.kept(position), observer, effort)


def solve(
    position: Position, wins: Numbers, kept: Numbers, observer: Indices | None = None, effort: Effort = FULL
) -> Solution:
    """Solve a turn.

    `wins` says how likely the active side wins, by what it recruits and what the other side does, and `kept` how much
    more likely with each hand that is left of its own. `observer`, by agent, are the cards in the hand and the discards
    of the other side, if they are known; the active side does the same whatever they are.
    """
    game = _Turn(position, wins, kept, observer, effort.samples)
    own = game.own
    plays, playing = own.uniform, np.ones(len(own))  # by hand, how much more likely it plays than it is dealt
    takes = np.full((len(AGENTS), game.others), 0.5)
    regrets, all_plays = np.zeros_like(own.uniform), np.zeros_like(own.uniform)
    gains, losses, all_takes = np.zeros_like(takes), np.zeros_like(takes), np.zeros_like(takes)
    for number in range(1, effort.rounds + 1):
        worths = game.worths(takes)
        regrets += worths
        regrets -= (plays * worths).sum(axis=(0, 1))
        np.maximum(regrets, LEAST * own.uniform, out=regrets)
        plays = regrets / regrets.sum(axis=(0, 1))
        all_plays += number * plays
        if position.may_discard and number in DISCARDING:
            playing = game.playing(worths.max(axis=(0, 1)))
        gain = game.gain_of_taking(plays, playing)
        gains = np.maximum(gains + (1 - takes) * gain, 0.0)
        losses = np.maximum(losses - takes * gain, 0.0)
        takes = _on((gains + LEAST) / (gains + losses + 2 * LEAST), GRID)
        all_takes += number * takes
    takes = _on(all_takes / (effort.rounds * (effort.rounds + 1) / 2), GRID)
    return Solution(all_plays / all_plays.sum(axis=(0, 1)), game.worths(takes).max(axis=(0, 1)), takes[:, -1])


class _Turn:
    """What both sides gain in a turn by what they do.

    Attributes:
        own: the hands of the active side.
        others: how many hands of the other side there are. The last is that of the observer, if there is one.
    """

    def __init__(
        self, position: Position, wins: Numbers, kept: Numbers, observer: Indices | None, samples: int
    ) -> None:
        own, self._pool, self._count = hands(position.own.cards), position.pool, samples
        self._ways = own.ways(self._pool[None, :])[0]
        self._discards = min(position.own.discards, MOST_DISCARDS)
        seen = _samples(position, samples)
        if observer is not None:
            seen = np.vstack((seen, observer))
        ways = own.ways(np.maximum(self._pool - seen, 0))
        self._seen = _shares(ways[:samples], 0)  # by hand of the other side, then of the active one, which looks
        self._hidden = _shares(ways.T, 0)  # by hand of the active side, then of the other one, which looks
        legal, ups = own.legal > 0, np.arange(len(AGENTS))[:, None]
        # How likely the active side wins if the face-up card is left, and how much more likely if it is taken.
        self._left = np.where(legal, wins[ups, own.downs], NEVER)
        self._more = np.where(legal, wins[own.downs, ups], NEVER) - self._left
        self._left += kept[own.kept]
        self._accident = TREMBLE * self._summed(own.uniform)
        self.own, self.others = own, len(seen)

    def worths(self, takes: Numbers) -> Numbers:
        """How likely the active side wins by each play, by the chances of the other side's hands to take each card."""
        worths: Numbers = self._left + (takes[:, : self._count] @ self._seen) * self._more
        return worths

    def playing(self, worths: Numbers) -> Numbers:
        """By hand, how likely it is to be played, relative to the ways to deal it and to the likeliest.

        The active side discards from the hands that promise more afterwards. It is not told apart how often it did so.
        """
        own, ways = self.own, self._ways
        promised = after_discards(own, self._pool, worths)
        goes = promised.max(axis=0) - COST > worths
        rest = own.one_less[promised.argmax(axis=0), np.arange(len(own))]
        chances = ways
        for _ in range(self._discards):
            gone = chances * goes / max(int(self._pool.sum()) - own.size, 1)
            chances = np.where(goes, 0.0, chances)
            for drawn in AGENTS:
                weights = gone * np.maximum(self._pool[drawn] - own.counts[drawn], 0)
                chances = chances + np.bincount(own.one_more[drawn, rest], weights, len(own) + 1)[:-1]
        playing: Numbers = chances / np.maximum(ways, 1.0)
        most: float = playing.max()
        return playing / most

    def gain_of_taking(self, plays: Numbers, playing: Numbers) -> Numbers:
        """By face-up card and hand of the other side, what that side gains by taking it, if these hands play so."""
        seen = _on(((1 - TREMBLE) * self._summed(plays) + self._accident) * playing, GRID) @ self._hidden
        losses, chances = seen[: len(AGENTS)], seen[len(AGENTS) :]
        gain: Numbers = -losses / np.maximum(chances, 1.0 / GRID)
        return gain

    def _summed(self, plays: Numbers) -> Numbers:
        """By face-up card: how much more the active side wins if it is taken, and how likely it is played."""
        return np.concatenate(((plays * self._more).sum(axis=0), plays.sum(axis=0)))


def _samples(position: Position, count: int) -> Indices:
    """Hands of the other side that stand for all: as many of each kind as it is likely."""
    other = hands(position.other.cards)
    cumulated = other.ways(position.pool[None, :])[0].cumsum()
    at = np.searchsorted(cumulated, (np.arange(count) + 0.5) / count * cumulated[-1], side="right")
    found: Indices = other.counts[:, at].T
    return found


def _shares(ways: Numbers, axis: int) -> Numbers:
    """Parts of 1 along an axis, on the fine grid."""
    total = ways.cumsum(axis=axis).take([-1], axis=axis)
    return _on(np.divide(ways, total, out=np.full_like(ways, 1.0 / ways.shape[axis]), where=total > 0), FINE_GRID)


def _on(numbers: Numbers, grid: float) -> Numbers:
    """Rounded to multiples of 1 / grid."""
    return np.rint(numbers * grid) / grid


def best_discard(solution: Solution, hand: Indices, left: Indices) -> int | None:
    """What a hand discards, if it does. `left`, by agent, are the cards that it may draw."""
    own = hands(int(hand.sum()))
    number = own.index(hand)
    promised = after_discards(own, hand + left, solution.worths)[:, number]
    return int(promised.argmax()) if promised.max() - COST > solution.worths[number] else None


def after_discards(own: Hands, pool: Indices, worths: Numbers) -> Numbers:
    """By discarded agent and hand, what the hand that follows is worth on average. -1: there is nothing to discard.

    `pool` are the cards in the hand and those that may be drawn.
    """
    fewer = hands(own.size - 1)
    weights = np.maximum(pool[:, None] - fewer.counts, 0)
    total = (weights * np.append(worths, 0.0)[own.one_more]).sum(axis=0)
    count = int(pool.sum()) - own.size
    # Among these cards was the discarded one, which cannot be drawn again.
    promised = (np.append(total, 0.0)[own.one_less] - worths) / max(count, 1)
    return np.where(own.counts > 0, promised, -1.0) if count > 0 else np.full(own.counts.shape, -1.0)
