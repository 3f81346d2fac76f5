"""Plays a trick on to its end in many worlds at once.

Each later player has a few cards to choose from, and is likelier to choose what is worth more to it. It knows the world.
So the worth of a card is a little too high, but for all cards alike.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tricks import DECK, OF_SUIT, SUITS, Bools, Ints, Laid, Mission, judge

Numbers = NDArray[np.float64]

GRID = 2.0**20
WIDTHS: tuple[tuple[int, ...], ...] = ((), (7,), (4, 6), (2, 3, 4), (2, 2, 2, 3))
"""By the number of later players, how many cards each of them chooses from."""
STEPS = 32  # how many steps of the table make a factor of e
_POWERS = np.rint(np.exp(-np.arange(24 * STEPS) / STEPS) * GRID) / GRID
SHARPNESS = 4.0


class Trick(NamedTuple):
    """A trick that is not over.

    Attributes:
        mission: its mission.
        laid: the cards that lie there, and whether a token lies on each.
        seat: whose turn it is.
        seats: how many players there are.
    """

    mission: Mission
    laid: Sequence[tuple[int, bool]]
    seat: int
    seats: int

    @property
    def leader(self) -> int:
        """The seat that led."""
        return (self.seat - len(self.laid)) % self.seats

    @property
    def later(self) -> list[int]:
        """The seats that play later, in order."""
        return [(self.seat + step) % self.seats for step in range(1, self.seats - len(self.laid))]

    @property
    def led(self) -> int | None:
        """The suit of the first card."""
        return int(SUITS[self.laid[0][0]]) if self.laid else None


def weights(worths: Numbers) -> Numbers:
    """How much likelier the better ones are chosen, along the last axis. The best one has 1."""
    worse = np.maximum.reduce(worths, axis=-1, keepdims=True) - worths
    steps = np.minimum(worse * (SHARPNESS * STEPS) + 0.5, len(_POWERS) - 1).astype(np.intp)
    return _POWERS[steps]


def on_grid(numbers: Numbers) -> Numbers:
    """Rounded, so that sums are exact in any order."""
    return np.rint(numbers * GRID) / GRID


def random_keys(rng: Random, *shape: int) -> NDArray[np.uint32]:
    """Random numbers."""
    return np.frombuffer(rng.randbytes(4 * int(np.prod(shape))), "<u4").reshape(shape)


def lay(
    trick: Trick, cards: Ints, tokens: Bools, hands: Bools, later: Sequence[Numbers], own: Sequence[Numbers], rng: Random
) -> list[Numbers]:
    """What each of these cards is worth on average in each world, by each of the measures in `own`.

    Args:
        trick: the trick.
        cards: the cards that may be laid now.
        tokens: whether a token lies on each.
        hands: by world, seat and card, who has it.
        later: for each later player, by world, failure or success, and winning seat: what this end is worth to it.
        own: measures of the same shape.
        rng: chooses the cards that later players choose from.

    Returns: for each measure, an array by card and world.
    """
    seats, worlds, depth = trick.later, len(hands), len(trick.later)
    ones = (1,) * depth
    laid = [Laid(np.full((1, 1, *ones), card, np.int16), np.full((1, 1, *ones), token)) for card, token in trick.laid]
    laid.append(Laid(cards.reshape(-1, 1, *ones), tokens.reshape(-1, 1, *ones)))
    valid: list[Bools] = []
    for place, (seat, width) in enumerate(zip(seats, WIDTHS[depth], strict=True)):
        options, there = _options(trick, cards, hands[:, seat], width, rng)
        shape = (*options.shape[:2], *(width if at == place else 1 for at in range(depth)))
        laid.append(Laid(options.reshape(shape), np.zeros((1, 1, *ones), bool)))
        valid.append(there.reshape(*options.shape[:2], *(1,) * place, width))
    winner, done = judge(trick.mission, laid)
    by_place = [(trick.leader + place) % trick.seats for place in range(trick.seats)]
    base = (np.arange(worlds) * 2 * trick.seats).reshape(1, -1, *ones)
    index = base + done * np.intp(trick.seats) + winner
    index = np.broadcast_to(index, (len(cards), worlds, *WIDTHS[depth]))
    worths = [table[:, :, by_place].ravel()[index] for table in (*own, *later)]
    for place in range(depth - 1, -1, -1):
        chances = weights(np.where(valid[place], worths[-1], -9.0)) * valid[place]
        chances = on_grid(chances / chances.sum(axis=-1, keepdims=True))
        worths = [on_grid((worth * chances).sum(axis=-1)) for worth in worths[:-1]]
    return worths


def _options(trick: Trick, cards: Ints, hands: Bools, width: int, rng: Random) -> tuple[Ints, Bools]:
    """By card that may be laid, world and number: cards with which a player may follow, and whether there is one."""
    keys = random_keys(rng, len(hands), DECK) >> 1
    if trick.led is not None:
        options, there = _some(hands, trick.led, keys, width)
        return options[None], there[None]
    each = [_some(hands, suit, keys, width) for suit in range(4)]
    led = SUITS[cards]
    return np.stack([options for options, _ in each])[led], np.stack([there for _, there in each])[led]


def _some(hands: Bools, suit: int, keys: NDArray[np.uint32], width: int) -> tuple[Ints, Bools]:
    legal = followers(hands, suit)
    order = np.where(legal, keys, np.uint32(2**32 - 1)).argsort(axis=-1, kind="stable")[:, :width]
    return order.astype(np.int16), np.take_along_axis(legal, order, axis=-1)


def followers(hands: Bools, suit: int | None) -> Bools:
    """The cards of each hand that may be played if this suit was led."""
    if suit is None:
        return hands
    suited = hands & OF_SUIT[suit]
    return np.where(suited.any(axis=-1, keepdims=True), suited, hands)
