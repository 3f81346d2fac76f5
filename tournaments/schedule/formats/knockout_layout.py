"""Computes how many bots play, rest and go on in each round of a knock-out, and which of them meet.

All bots of a round have a slot, counted from 0; a better slot was earned, or is a higher seed. Those in the first slots
have a bye. The others are dealt into groups like a snake: one to each group in order, one to each in reverse order, and
so on. The bots that go on from a group take over its best slots. With two in a group this is the usual bracket: 1
against n, 2 against n - 1 and so on, and the first two seeds meet in the final at the earliest.

A number of bots is *full* if one bot more would mean one round more. Each round leaves a full number, if it can: with
two in a group 2, 4, 8 and so on. The smallest full number is one group, whose best bot wins.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class RoundLayout(NamedTuple):
    """How a round is played.

    Attributes:
        byes: how many of the first slots have a bye.
        groups: how many groups play.
    """

    byes: int
    groups: int


def layout(players: int, seats: int, advance: int) -> RoundLayout:
    """How a round of so many bots, at least as many as seats, is played.

    From a group `advance` bots go on, as a rule: at least 1, and fewer than `seats`.
    """
    if players == seats:
        return RoundLayout(0, 1)
    out = players - _full(players, seats, advance)
    groups = min(-(-out // (seats - advance)), players // seats)
    return RoundLayout(players - groups * seats, groups)


def going_on(players: int, groups: int, seats: int, advance: int) -> tuple[int, ...]:
    """How many go on from each group.

    It is `advance` or near it: if the round could not leave a full number otherwise, the groups with the worst slots
    send fewer on, or those with the best slots more. From each group at least one goes on and one does not.
    """
    if players == seats:
        return (1,) * groups
    out = players - _full(players, seats, advance)
    each, more = divmod(min(max(out, groups), groups * (seats - 1)), groups)
    return tuple(seats - each - (group >= groups - more) for group in range(groups))


def _full(players: int, seats: int, advance: int) -> int:
    """The greatest full number below so many bots, which are more than seats."""
    full = seats
    while (larger := full + full // advance * (seats - advance)) < players:
        full = larger
    return full


def slots(byes: int, groups: int, seats: int) -> list[list[int]]:
    """The slots of each group, the best first."""
    rows = [range(byes + row * groups, byes + (row + 1) * groups) for row in range(seats)]
    return [list(column) for column in zip(*map(_snake, range(seats), rows), strict=True)]


def _snake(row: int, line: range) -> range:
    return line[::-1] if row % 2 else line


def dealt(players: Sequence[str], former: Mapping[str, int], byes: int, groups: int) -> list[list[str]]:
    """The groups of a round, each in the order of its slots.

    Two that came out of one group are kept apart where neighbours in a row of the snake can take each other's place.

    Args:
        players: by slot.
        former: the number of a bot's group in the last round; missing if it did not play in that round.
        byes: how many of the first slots have a bye.
        groups: how many groups there are. They take all that have no bye, equally many each.
    """
    found: list[list[str]] = [[] for _ in range(groups)]
    for row, start in enumerate(range(byes, len(players), groups)):
        waiting = list(players[start : start + groups])
        for group in _snake(row, range(groups)):
            known = {former.get(player) for player in found[group]} - {None}
            chosen = next((player for player in waiting if former.get(player) not in known), waiting[0])
            waiting.remove(chosen)
            found[group].append(chosen)
    return found
