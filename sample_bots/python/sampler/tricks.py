"""Judges many tricks at once: who wins each, and whether its mission is completed.

A card is a number from 0 to 51: 13 times its suit from 0, plus its value minus 1. Each place of a trick has an array of
cards. The arrays of all places broadcast together, so a trick whose first cards are the same everywhere costs little.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from referee_bot.v1 import inside_job_pb2 as ij

Ints = NDArray[np.int16]
Bools = NDArray[np.bool_]

DECK = 52
VALUES = np.arange(DECK, dtype=np.int16) % 13 + 1
SUITS = np.arange(DECK, dtype=np.int16) // 13
OF_SUIT = np.arange(4)[:, None] == SUITS
"""By suit and card, whether the card has the suit."""

_FOLLOWS, _TRUMPS = 50, 100  # added to the value of a card that can win


class Laid(NamedTuple):
    """The cards at one place of many tricks, and where tokens lie on them."""

    cards: Ints
    tokens: Bools


class Mission(NamedTuple):
    """A mission; `a` and `b` are the numbers of its condition."""

    trump: int
    condition: str
    a: int
    b: int


class Tricks(NamedTuple):
    """What conditions ask about. The lists have one entry for each place, in the order of play.

    Attributes:
        values: the values of the cards.
        suits: the suits that they count as. A card with a token counts as trump.
        tokens: where tokens lie on the cards.
        winner: the winning place, from 0.
        best: the value of the winning card.
        mission: the mission.
    """

    values: list[Ints]
    suits: list[Ints]
    tokens: list[Bools]
    winner: Ints
    best: Ints
    mission: Mission


def card_of(number: int) -> int:
    """The card that has this number in messages."""
    return 13 * (number // 100 - 1) + number % 100 - 1


def mission_of(sent: ij.Mission) -> Mission:
    """A mission from a message."""
    a, b, *_ = (*sent.numbers, 0, 0)
    return Mission(sent.trump - 1, sent.condition, a, b)


def judge(mission: Mission, laid: Sequence[Laid]) -> tuple[Ints, Bools]:
    """The winning places, from 0, and where the mission is completed."""
    values = [VALUES[it.cards] for it in laid]
    suits = [np.where(it.tokens, mission.trump, SUITS[it.cards]) for it in laid]
    best, winner = _strength(mission, suits, values, 0), np.zeros((), np.int16)
    for place in range(1, len(laid)):
        strength = _strength(mission, suits, values, place)
        better = strength >= best  # of equal cards, the later one wins
        best, winner = np.where(better, strength, best), np.where(better, np.int16(place), winner)
    tricks = Tricks(values, suits, [it.tokens for it in laid], winner, best % _FOLLOWS, mission)
    return winner, HOLDS[mission.condition](tricks)


def _strength(mission: Mission, suits: Sequence[Ints], values: Sequence[Ints], place: int) -> Ints:
    follows = np.where(suits[place] == suits[0], values[place] + _FOLLOWS, np.int16(0))
    return np.where(suits[place] == mission.trump, values[place] + _TRUMPS, follows)


def _all(parts: Sequence[Bools]) -> Bools:
    return reduce(np.logical_and, parts)


def _rising(values: Sequence[Ints]) -> Bools:
    return _all([before < after for before, after in pairwise(values)])


def _lowest(values: Sequence[Ints]) -> Ints:
    return reduce(np.minimum, values)


def _highest(values: Sequence[Ints]) -> Ints:
    return reduce(np.maximum, values)


def _total(values: Sequence[Ints]) -> Ints:
    return reduce(np.add, values)


def _middle(values: Sequence[Ints]) -> Sequence[Ints]:
    return values[(len(values) - 1) // 2 : len(values) // 2 + 1]


def _carried_by_winner(it: Tricks) -> Bools:
    return reduce(np.logical_or, [(it.winner == place) & tokens for place, tokens in enumerate(it.tokens)])


HOLDS: dict[str, Callable[[Tricks], Bools]] = {
    "all_even": lambda it: _all([value % 2 == 0 for value in it.values]),
    "all_odd": lambda it: _all([value % 2 == 1 for value in it.values]),
    "all_below": lambda it: _highest(it.values) < it.mission.a,
    "ascending": lambda it: _rising(it.values),
    "descending": lambda it: _rising(it.values[::-1]),
    "total_at_least": lambda it: _total(it.values) >= it.mission.a * len(it.values),
    "total_at_most": lambda it: _total(it.values) <= it.mission.a * len(it.values),
    "spread_at_most": lambda it: _highest(it.values) - _lowest(it.values) <= it.mission.a,
    "low_and_high": lambda it: (_lowest(it.values) <= it.mission.a) & (_highest(it.values) >= it.mission.b),
    "ends_of_one_parity": lambda it: it.values[0] % 2 == it.values[-1] % 2,
    "middle_odd": lambda it: _all([value % 2 == 1 for value in _middle(it.values)]),
    "first_lowest": lambda it: it.values[0] < _lowest(it.values[1:]),
    "last_lowest": lambda it: it.values[-1] < _lowest(it.values[:-1]),
    "last_highest": lambda it: it.values[-1] > _highest(it.values[:-1]),
    "wins": lambda it: it.winner == it.mission.a - 1,
    "loses": lambda it: it.winner != it.mission.a - 1,
    "last_wins": lambda it: it.winner == len(it.values) - 1,
    "winner_even": lambda it: it.best % 2 == 0,
    "winner_odd": lambda it: it.best % 2 == 1,
    "winner_at_least": lambda it: it.best >= it.mission.a,
    "winner_at_most": lambda it: it.best <= it.mission.a,
    "one_suit": lambda it: _all([suit == it.suits[0] for suit in it.suits[1:]]),
    "no_trump": lambda it: _all([suit != it.mission.trump for suit in it.suits]),
    "carries": lambda it: it.tokens[it.mission.a - 1],
    "carries_and_loses": lambda it: it.tokens[it.mission.a - 1] & (it.winner != it.mission.a - 1),
    "winner_carries": _carried_by_winner,
    "tokens_at_least": lambda it: reduce(np.add, [it.astype(np.int16) for it in it.tokens]) >= it.mission.a,
}
"""By the name of a condition, where it holds."""
