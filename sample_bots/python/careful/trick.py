"""A trick: who wins it, and whether its mission is completed.

A card is a number, as on the wire: 100 times its suit, plus its value.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from referee_bot.v1 import inside_job_pb2 as ij


class Laid(NamedTuple):
    """A card in the trick. If `wager` is true, a token lies on it."""

    card: int
    wager: bool


class Shape(NamedTuple):
    """What conditions ask about. The lists have one entry for each card, in the order of play.

    Attributes:
        values: the values of the cards.
        suits: the suits that they count as. A card with a token counts as trump.
        tokens: whether a token lies on the card.
        winner: the place of the winning card, from 0.
        trump: the trump of the mission.
        a: the first number of the condition, if it has any.
        b: the second one.
    """

    values: list[int]
    suits: list[int]
    tokens: list[bool]
    winner: int
    trump: int
    a: int
    b: int


class Mission(NamedTuple):
    """A mission in a form that is quick to read, because it is read often.

    Attributes:
        trump: the suit that is trump.
        holds: whether its condition holds.
        a: the first number of the condition, if it has any.
        b: the second one.
    """

    trump: int
    holds: Callable[["Shape"], bool]
    a: int
    b: int


class Result(NamedTuple):
    """The winner's place, from 0, whether the mission is completed, and how many tokens lie on the cards."""

    winner: int
    completed: bool
    wagered: int


def read(mission: ij.Mission) -> Mission:
    """Reads a mission from the wire."""
    a, b, *_ = (*mission.numbers, 0, 0)
    return Mission(mission.trump, HOLDS[mission.condition], a, b)


def result(mission: Mission, laid: Sequence[Laid]) -> Result:
    """How a trick ends, once all its cards are laid."""
    trump, holds, a, b = mission
    values = [card % 100 for card, _ in laid]
    suits = [trump if wager else card // 100 for card, wager in laid]
    tokens = [wager for _, wager in laid]
    strongest = trump if trump in suits else suits[0]
    highest, winner = 0, 0
    for place, value in enumerate(values):
        if value >= highest and suits[place] == strongest:
            highest, winner = value, place
    return Result(winner, holds(Shape(values, suits, tokens, winner, trump, a, b)), sum(tokens))


def _rising(values: Sequence[int]) -> bool:
    return all(before < after for before, after in pairwise(values))


def _middle(values: Sequence[int]) -> Sequence[int]:
    return values[(len(values) - 1) // 2 : len(values) // 2 + 1]


HOLDS: dict[str, Callable[[Shape], bool]] = {
    "all_even": lambda it: not any(value % 2 for value in it.values),
    "all_odd": lambda it: all(value % 2 for value in it.values),
    "all_below": lambda it: max(it.values) < it.a,
    "ascending": lambda it: _rising(it.values),
    "descending": lambda it: _rising(it.values[::-1]),
    "total_at_least": lambda it: sum(it.values) >= it.a * len(it.values),
    "total_at_most": lambda it: sum(it.values) <= it.a * len(it.values),
    "spread_at_most": lambda it: max(it.values) - min(it.values) <= it.a,
    "low_and_high": lambda it: min(it.values) <= it.a and max(it.values) >= it.b,
    "ends_of_one_parity": lambda it: it.values[0] % 2 == it.values[-1] % 2,
    "middle_odd": lambda it: all(value % 2 for value in _middle(it.values)),
    "first_lowest": lambda it: it.values[0] < min(it.values[1:]),
    "last_lowest": lambda it: it.values[-1] < min(it.values[:-1]),
    "last_highest": lambda it: it.values[-1] > max(it.values[:-1]),
    "wins": lambda it: it.winner == it.a - 1,
    "loses": lambda it: it.winner != it.a - 1,
    "last_wins": lambda it: it.winner == len(it.values) - 1,
    "winner_even": lambda it: it.values[it.winner] % 2 == 0,
    "winner_odd": lambda it: it.values[it.winner] % 2 == 1,
    "winner_at_least": lambda it: it.values[it.winner] >= it.a,
    "winner_at_most": lambda it: it.values[it.winner] <= it.a,
    "one_suit": lambda it: len(set(it.suits)) == 1,
    "no_trump": lambda it: it.trump not in it.suits,
    "carries": lambda it: it.tokens[it.a - 1],
    "carries_and_loses": lambda it: it.tokens[it.a - 1] and it.winner != it.a - 1,
    "winner_carries": lambda it: it.tokens[it.winner],
    "tokens_at_least": lambda it: sum(it.tokens) >= it.a,
}
"""By the name of a condition, whether it holds."""
