"""The conditions of missions for a trick (IJ-04), with names, which the table in `missions` uses.

A condition may take numbers. The table gives them, so a number can be corrected there.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

import msgspec

from referee.games.inside_job.pieces import Suit


class Trick(msgspec.Struct, frozen=True, gc=False):
    """A complete trick, with its cards in the order of play.

    Attributes:
        values: the value of each card.
        suits: the suit that each card counts as: trump if a token lies on it (IJ-13).
        tokens: for each card, whether a token lies on it.
        trump: the trump suit of the mission.
        winner: the index of the winning card, counted from 0.
    """

    values: tuple[int, ...]
    suits: tuple[Suit, ...]
    tokens: tuple[bool, ...]
    trump: Suit
    winner: int


Condition: TypeAlias = Callable[..., bool]
"""Takes a trick, and the numbers that the table of missions has; whether the condition holds."""


def all_even(trick: Trick) -> bool:
    """Every value is even."""
    return not any(value % 2 for value in trick.values)


def all_odd(trick: Trick) -> bool:
    """Every value is odd."""
    return all(value % 2 for value in trick.values)


def all_below(trick: Trick, bound: int) -> bool:
    """Every value is below `bound`."""
    return max(trick.values) < bound


def ascending(trick: Trick) -> bool:
    """Each value is above the one before."""
    return all(before < after for before, after in pairwise(trick.values))


def descending(trick: Trick) -> bool:
    """Each value is below the one before."""
    return all(before > after for before, after in pairwise(trick.values))


def total_at_least(trick: Trick, per_player: int) -> bool:
    """The values add up to `per_player` for every player, or more."""
    return sum(trick.values) >= per_player * len(trick.values)


def total_at_most(trick: Trick, per_player: int) -> bool:
    """The values add up to `per_player` for every player, or less."""
    return sum(trick.values) <= per_player * len(trick.values)


def spread_at_most(trick: Trick, bound: int) -> bool:
    """Highest and lowest value are no more than `bound` apart."""
    return max(trick.values) - min(trick.values) <= bound


def low_and_high(trick: Trick, low: int, high: int) -> bool:
    """There is a value of `low` or less, and one of `high` or more."""
    return min(trick.values) <= low and max(trick.values) >= high


def ends_of_one_parity(trick: Trick) -> bool:
    """First and last value are both even or both odd."""
    return trick.values[0] % 2 == trick.values[-1] % 2


def middle_odd(trick: Trick) -> bool:
    """The middle value is odd; with an even number of cards, both inner ones are odd."""
    count = len(trick.values)
    return all(value % 2 for value in trick.values[(count - 1) // 2 : count // 2 + 1])


def first_lowest(trick: Trick) -> bool:
    """The first value is below all others."""
    return trick.values[0] < min(trick.values[1:])


def last_lowest(trick: Trick) -> bool:
    """The last value is below all others."""
    return trick.values[-1] < min(trick.values[:-1])


def last_highest(trick: Trick) -> bool:
    """The last value is above all others."""
    return trick.values[-1] > max(trick.values[:-1])


def wins(trick: Trick, card: int) -> bool:
    """This card, counted from 1, wins."""
    return trick.winner == card - 1


def loses(trick: Trick, card: int) -> bool:
    """This card, counted from 1, does not win."""
    return trick.winner != card - 1


def last_wins(trick: Trick) -> bool:
    """The last card wins."""
    return trick.winner == len(trick.values) - 1


def winner_even(trick: Trick) -> bool:
    """The winning value is even."""
    return trick.values[trick.winner] % 2 == 0


def winner_odd(trick: Trick) -> bool:
    """The winning value is odd."""
    return trick.values[trick.winner] % 2 == 1


def winner_at_least(trick: Trick, bound: int) -> bool:
    """The winning value is `bound` or more."""
    return trick.values[trick.winner] >= bound


def winner_at_most(trick: Trick, bound: int) -> bool:
    """The winning value is `bound` or less."""
    return trick.values[trick.winner] <= bound


def one_suit(trick: Trick) -> bool:
    """All cards count as one suit."""
    return len(set(trick.suits)) == 1


def no_trump(trick: Trick) -> bool:
    """No card counts as trump."""
    return trick.trump not in trick.suits


def carries(trick: Trick, card: int) -> bool:
    """A token lies on this card, counted from 1."""
    return trick.tokens[card - 1]


def carries_and_loses(trick: Trick, card: int) -> bool:
    """A token lies on this card, counted from 1, and it does not win."""
    return trick.tokens[card - 1] and trick.winner != card - 1


def winner_carries(trick: Trick) -> bool:
    """A token lies on the winning card."""
    return trick.tokens[trick.winner]


def tokens_at_least(trick: Trick, count: int) -> bool:
    """Tokens lie on `count` cards or more."""
    return sum(trick.tokens) >= count


CONDITIONS: dict[str, Condition] = {
    condition.__name__: condition
    for condition in (
        all_even,
        all_odd,
        all_below,
        ascending,
        descending,
        total_at_least,
        total_at_most,
        spread_at_most,
        low_and_high,
        ends_of_one_parity,
        middle_odd,
        first_lowest,
        last_lowest,
        last_highest,
        wins,
        loses,
        last_wins,
        winner_even,
        winner_odd,
        winner_at_least,
        winner_at_most,
        one_suit,
        no_trump,
        carries,
        carries_and_loses,
        winner_carries,
        tokens_at_least,
    )
}
"""By name."""
