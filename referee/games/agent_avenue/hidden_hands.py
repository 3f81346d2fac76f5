"""In how many ways the cards of a hand can have come and gone, given what everybody has seen of it.

A player who chooses blindly takes any card of the hand, so each card that left it may have been any of its cards.
A set of names is a number that has the bit `1 << agent` for each of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import factorial, prod
from typing import NamedTuple

from referee.games.agent_avenue.marks import Kind, Sightings
from referee.games.agent_avenue.pieces import Agent

_BITS = tuple(1 << agent for agent in Agent)
ANY = sum(_BITS)
_CACHED = 1 << 14


class Course(NamedTuple):
    """Where those cards went that somebody knows something about, each as the set of names that it may have.

    Attributes:
        hand: those in the hand, sorted.
        discards: all that were discarded since something was first seen, oldest first.
        down: the face-down card.
    """

    hand: tuple[int, ...] = ()
    discards: tuple[int, ...] = ()
    down: int = ANY


@lru_cache(_CACHED)
def courses(sightings: Sightings) -> Mapping[Course, int]:
    """By course, in how many ways it can have happened."""
    if not sightings:
        return {Course(): 1}
    *_, (kind, agents, size) = [(it.kind, it.agents, it.hand_size) for it in sightings]
    names, ways = sum(1 << agent for agent in agents), Counter[Course]()
    for before, count in courses(sightings[:-1]).items():
        hand = before.hand + (ANY,) * (size - len(before.hand))
        followed = _OF_ALL[kind](before, hand, names) if kind in _OF_ALL else _of_one(before, kind, hand, names)
        for cards, discards, down in followed:
            if down and all(cards):
                ways[Course(tuple(sorted(card for card in cards if card != ANY)), discards, down)] += count
    return ways


def _of_one(before: Course, kind: Kind, hand: tuple[int, ...], names: int) -> Iterator[Course]:
    """The courses to which a sighting of one card of the hand leads. It may be each of them."""
    for at, card in enumerate(hand):
        rest = hand[:at] + hand[at + 1 :]
        if kind is Kind.DISCARDED:
            yield Course(rest, (*before.discards, card), before.down)
        elif kind is Kind.LAID:  # another name, or the hand had no other (AA-05, AA-41)
            yield Course(rest, before.discards, card & ~names)
            yield Course(tuple(other & names for other in rest), before.discards, card & names)
        elif kind is Kind.REVEALED:
            yield before._replace(hand=(*rest, card & names))
        elif card & names:  # it left the hand; if it had to, let it be the first of this name
            first = [other & ~names for other in hand[:at]] if kind is Kind.YIELDED else hand[:at]
            yield before._replace(hand=(*first, *hand[at + 1 :]))


def _differed(before: Course, hand: tuple[int, ...], _names: int) -> Iterator[Course]:
    for cards in product(*([bit for bit in _BITS if bit & card] for card in hand)):
        if len(set(cards)) == len(cards):
            yield before._replace(hand=cards)


_OF_ALL: Mapping[Kind, Callable[[Course, tuple[int, ...], int], Iterable[Course]]] = {
    Kind.CAME: lambda before, hand, names: (before._replace(hand=(*hand, names)),),
    Kind.LACKED: lambda before, hand, names: (before._replace(hand=tuple(card & ~names for card in hand)),),
    Kind.DIFFERED: _differed,
    Kind.OPENED: lambda before, hand, names: (before._replace(hand=hand, down=ANY),) if before.down & names else (),
}


@lru_cache(_CACHED >> 4)  # these are longer
def ways_of_dealing(
    counts: tuple[int, ...], hands: tuple[tuple[Sightings, int, int], ...], layer: int | None
) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """In how many ways cards can lie in some places, each with the set of names that it may have.

    The places are one for a face-down card, if a `layer` among the hands has laid it, then the cards and the discards
    of each hand, which come with its sightings as two numbers. `counts` are the cards of each name, also elsewhere.
    """
    ways = []
    for each in product(*(courses(sightings).items() for sightings, _, _ in hands)):
        names = [] if layer is None else [each[layer][0].down]
        for (course, _), (_, size, discards) in zip(each, hands, strict=True):
            names += [*course.hand, *[ANY] * (size - len(course.hand))]
            names += [*[ANY] * (discards - len(course.discards)), *course.discards]
        places = tuple([(at, card) for at, card in enumerate(names) if card != ANY])
        number = deals(counts, tuple(sorted([card for _, card in places])))
        ways.append((places, number * prod(count for _, count in each)))
    return ways


@lru_cache(_CACHED)
def deals(counts: tuple[int, ...], places: tuple[int, ...]) -> int:
    """In how many ways different cards can be dealt, so many of each name; some places have sets of names."""
    return sum(deals_with(counts, places)) if places else factorial(sum(counts))


def deals_with(counts: tuple[int, ...], places: tuple[int, ...]) -> tuple[int, ...]:
    """By name, the number of these deals in which the first place has it."""
    return tuple(
        count * deals((*counts[:at], count - 1, *counts[at + 1 :]), places[1:]) if count and places[0] & bit else 0
        for at, (count, bit) in enumerate(zip(counts, _BITS, strict=True))
    )
