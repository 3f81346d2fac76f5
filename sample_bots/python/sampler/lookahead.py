"""Plays a trick on to its end in many worlds at once.

Each later player has a few cards to choose from, and is likelier to choose what is worth more to it. It knows the
world. So the worth of a card is a little too high, but for all cards alike.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from styles import BET, Styles
from tricks import DECK, OF_SUIT, SUITS, Bools, Ints, Laid, Mission, judge

Numbers = NDArray[np.float64]

GRID = 2.0**20
WIDTHS: tuple[tuple[int, ...], ...] = ((), (10,), (4, 7), (2, 3, 5), (2, 2, 2, 4))
"""By the number of later players, how many cards each of them chooses from. A card counts again with a token on it."""
STEPS = 32  # how many steps of the table make a factor of e
_POWERS = np.rint(np.exp(-np.arange(24 * STEPS) / STEPS) * GRID) / GRID
SHARPNESS = 4.0


class Trick(NamedTuple):
    """A trick that is not over.

    Attributes:
        mission: its mission.
        laid: the cards that lie there, and whether a token lies on each.
        seat: whose turn it is.
        able_to_bet: by seat, whether it may put a token on a card.
    """

    mission: Mission
    laid: Sequence[tuple[int, bool]]
    seat: int
    able_to_bet: Sequence[bool]

    @property
    def seats(self) -> int:
        """How many players there are."""
        return len(self.able_to_bet)

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


def wanted(trick: Trick, seat: int, insiders: Ints, styles: Styles, sabotage: float) -> Numbers:
    """What each end of the trick is worth to a later player. The axes are those of `lay`."""
    its, later = insiders == seat, len(trick.later)
    worths = np.zeros((len(insiders), later + 1, 2, 2, trick.seats))
    mission = (1 - sabotage) * styles.hiding.mission + sabotage * styles.sabotage.mission
    worths[..., 1, :] = np.where(its, mission, styles.agent.mission)[:, None, None, None]
    pot = 1.0 + sum(token for _, token in trick.laid) + np.arange(later + 1)[:, None] + np.arange(2)
    worths[..., seat] += (np.where(its, styles.hiding.win, styles.agent.win)[:, None, None] * pot)[..., None]
    return worths


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
    trick: Trick,
    cards: Ints,
    tokens: Bools,
    worlds: tuple[Bools, Ints],
    later: Sequence[Numbers],
    own: Sequence[Numbers],
    rng: Random,
) -> list[Numbers]:
    """What each of these cards is worth on average in each world, by each of the measures in `own`.

    Args:
        trick: the trick.
        cards: the cards that may be laid now.
        tokens: whether a token lies on each.
        worlds: by world, seat and card, who has it; and by world, who is the Insider.
        later: for each later player, what each end of the trick is worth to it. The arrays have these axes: the world,
            how many later players other than the Insider put tokens on their cards, whether the Insider does so later,
            failure or success, the seat that wins.
        own: measures with the same axes.
        rng: chooses the cards that later players choose from.

    Returns: for each measure, an array by card and world.
    """
    (hands, insiders), depth = worlds, len(trick.later)
    ones = (1,) * depth
    laid = [Laid(np.full((1, 1, *ones), card, np.int16), np.full((1, 1, *ones), token)) for card, token in trick.laid]
    laid.append(Laid(cards.reshape(-1, 1, *ones), tokens.reshape(-1, 1, *ones)))
    valid, bets, insider_bets = [], np.zeros((1, 1, *ones), np.intp), np.zeros((1, 1, *ones), np.intp)
    for place, (seat, width) in enumerate(zip(trick.later, WIDTHS[depth], strict=True)):
        options, there = _options(trick, seat, cards, hands[:, seat], rng)
        shape = (*options.shape[:2], *(width if at == place else 1 for at in range(depth)))
        options = options.reshape(shape)
        laid.append(Laid(options % DECK, options >= DECK))
        valid.append(there.reshape(*shape[:2], *(1,) * place, width))
        is_insider = (insiders == seat).reshape(1, -1, *ones)
        bets = bets + (laid[-1].tokens & ~is_insider)
        insider_bets = insider_bets + (laid[-1].tokens & is_insider)
    winner, done = judge(trick.mission, laid)
    by_place = [(trick.leader + place) % trick.seats for place in range(trick.seats)]
    index = np.arange(len(hands)).reshape(1, -1, *ones) * (depth + 1) + bets
    index = ((index * 2 + insider_bets) * 2 + done) * trick.seats + winner
    index = np.broadcast_to(index, (len(cards), len(hands), *WIDTHS[depth]))
    worths = [table[..., by_place].ravel()[index] for table in (*own, *later)]
    for place in range(depth - 1, -1, -1):
        bet = laid[place - depth].tokens.reshape(valid[place].shape)
        chances = weights(np.where(valid[place], worths[-1] - BET * bet, -9.0)) * valid[place]
        chances = on_grid(chances / chances.sum(axis=-1, keepdims=True))
        worths = [on_grid((worth * chances).sum(axis=-1)) for worth in worths[:-1]]
    return worths


def _options(trick: Trick, seat: int, cards: Ints, hands: Bools, rng: Random) -> tuple[Ints, Bools]:
    """By card that may be laid, world and number: what a player may lay, and whether there is so much.

    Numbers from `DECK` stand for cards with a token.
    """
    keys = random_keys(rng, len(hands), 2 * DECK) >> np.uint32(1)
    width = WIDTHS[len(trick.later)][trick.later.index(seat)]

    def some(suit: int) -> tuple[Ints, Bools]:
        bets = hands & OF_SUIT[suit] & trick.able_to_bet[seat]
        legal = np.concatenate([followers(hands, suit), bets], axis=-1)
        order = np.where(legal, keys, np.uint32(2**32 - 1)).argsort(axis=-1, kind="stable")[:, :width]
        return order.astype(np.int16), np.take_along_axis(legal, order, axis=-1)

    if trick.led is not None:
        options, there = some(trick.led)
        return options[None], there[None]
    each, led = [some(suit) for suit in range(4)], SUITS[cards]
    return np.stack([options for options, _ in each])[led], np.stack([there for _, there in each])[led]


def followers(hands: Bools, suit: int | None) -> Bools:
    """The cards of each hand that may be played if this suit was led."""
    if suit is None:
        return hands
    suited = hands & OF_SUIT[suit]
    return np.where(suited.any(axis=-1, keepdims=True), suited, hands)
