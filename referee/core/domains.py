"""What the fields of a view and the actions of a game can be: a game declares its domains once, from its rules.

A domain stands for a value by float32 numbers. Their count is fixed, and each has words and bounds. So a program that
learns gets a vector for a view, and an id for an action (`referee.space`).
"""

import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from referee.core.outcome import Seat

KEPT = 1024
"""How many packed values of a compound a packer keeps. Matches see most of them again and again."""


class Meaning(NamedTuple):
    """The meaning of a number, and its bounds. `words` go on from the name of the field, so they may begin with " "."""

    words: str
    low: float = 0.0
    high: float = 1.0


Packer: TypeAlias = Callable[[Any], bytes]
"""Packs a value as float32 numbers. It raises KeyError if the value is not in the domain."""


class Domain(Protocol):
    """The values that a field can have."""

    @property
    def entries(self) -> tuple[Meaning, ...]:
        """The numbers that stand for a value, in order."""

    def packer(self, own: Seat) -> Packer:
        """The packer of values in a view of the seat `own`."""


class Domains(NamedTuple):
    """What a game declares, for some options and a number of seats.

    Attributes:
        view: the domain of its views. They have a field `seat`.
        actions: every action in words, as seat 0 would choose it. Its place is its id.
        action_seats: by type of action, the field that names a seat, or several seats, sorted.
        listed: stands for an action that is not among `actions` for the seat; takes the view and the action.
    """

    view: Domain
    actions: Mapping[Any, str]
    action_seats: Mapping[type, str] = {}
    listed: Callable[[Any, Any], Any] = lambda _view, action: action


@runtime_checkable
class DomainsDeclared(Protocol):
    """A part of the contract of games (`referee.core.game`) that a game may leave out: what it declares."""

    def domains(self, options: Any, seats: int) -> Domains:
        """The domains with these options and so many seats."""


class OneOf:
    """One of these values: a number for each, 1 for the value and 0 for the others. All are 0 for None."""

    def __init__(self, values: Iterable[Any], names: Iterable[str] | None = None) -> None:
        self._values = tuple(values)
        names = map(value_name, self._values) if names is None else names
        self.entries = tuple(Meaning(f" is {name}") for name in names)

    def packer(self, own: Seat) -> Packer:  # noqa: ARG002  # the same for every seat
        """A look into a table."""
        count = len(self._values)
        table: dict[Any, bytes] = {value: _one_hot(count, at) for at, value in enumerate(self._values)}
        return {None: zeros(self), **table}.__getitem__


class Relative:
    """A seat, or a side: the own one first, the others in turn order after it. All are 0 for None.

    `first` says which of the `count` is the own one of a seat.
    """

    def __init__(self, count: int, first: Callable[[Seat], int] = lambda seat: seat) -> None:
        self.count, self.first = count, first
        self.entries = tuple(Meaning(f" is {after_own(number)}") for number in range(count))

    def packer(self, own: Seat) -> Packer:
        """A look into a table."""
        first, count = self.first(own), self.count
        table: dict[Any, bytes] = {at: _one_hot(count, (at - first) % count) for at in range(count)}
        return {None: zeros(self), **table}.__getitem__


class Number:
    """A whole number from `low` to `high`, divided by `scale`: about the size of usual values.

    Its bounds hold 0 too, which stands for a number that is not there.
    """

    def __init__(self, low: int, high: int, scale: int = 1) -> None:
        self._low, self._high, self._scale = low, high, scale
        self.entries = (Meaning(f" / {scale}" if scale != 1 else "", min(low, 0) / scale, max(high, 0) / scale),)

    def packer(self, own: Seat) -> Packer:  # noqa: ARG002  # the same for every seat
        """A look into a table."""
        return {at: pack([at / self._scale]) for at in range(self._low, self._high + 1)}.__getitem__


class Counts:
    """Several values whose order means nothing: how many of each there are, divided by how many there can be.

    `of` turns an item into one of the values.
    """

    def __init__(
        self, most: Mapping[Any, int], names: Iterable[str] | None = None, of: Callable[[Any], Any] | None = None
    ) -> None:
        self._most, self._of = most, of
        names = map(value_name, most) if names is None else names
        self.entries = tuple(
            Meaning(f" has {name}" if count == 1 else f": number of {name} / {count}")
            for name, count in zip(names, most.values(), strict=True)
        )

    def packer(self, own: Seat) -> Packer:  # noqa: ARG002  # the same for every seat
        """Counts, and keeps what was counted, for all seats together."""
        return self._packer

    @cached_property
    def _packer(self) -> Packer:
        places, of, blank = {value: place for place, value in enumerate(self._most)}, self._of, array("f", zeros(self))
        most = tuple(self._most.values())
        single = max(most, default=1) == 1

        @lru_cache(8 * KEPT)
        def counted(items: Iterable[Any]) -> bytes:
            numbers = blank[:]
            found = [places[item] for item in (items if of is None else map(of, items))]
            for place in found:
                numbers[place] += 1
            if not single:
                for place in set(found):
                    numbers[place] /= most[place]
            return numbers.tobytes()

        return counted


class Listed:
    """Up to `most` items, one after the other. Zeros stand for items that are not there."""

    def __init__(self, item: Domain, most: int) -> None:
        self._item, self._most = item, most
        self.entries = tuple(
            entry._replace(words=f"[{place}]{entry.words}") for place in range(most) for entry in item.entries
        )

    def packer(self, own: Seat) -> Packer:
        """Packs item by item."""
        item, most, none = self._item.packer(own), self._most, zeros(self._item)
        missing = [none * (most - count) for count in range(most + 1)]

        def listed(items: Sequence[Any]) -> bytes:
            if len(items) > most:
                raise KeyError(items)
            return b"".join(map(item, items)) + missing[len(items)]

        return listed


class Around:
    """An item for each seat, or for each side (`place`), the own one first. Zeros, if there are no items."""

    def __init__(self, item: Domain, place: Relative) -> None:
        self._item, self._place = item, place
        self.entries = tuple(
            entry._replace(words=f"[{after_own(number)}]{entry.words}")
            for number in range(place.count)
            for entry in item.entries
        )

    def packer(self, own: Seat) -> Packer:
        """Packs item by item from the own one on. They hardly ever come again as they are, so it keeps none."""
        item, count, none = self._item.packer(own), self._place.count, zeros(self._item)
        first = self._place.first(own)

        def around(items: tuple[Any, ...]) -> bytes:
            if len(items) != count:
                if items:
                    raise KeyError(items)
                return none * count
            return b"".join(map(item, items[first:] + items[:first]))

        return around


class Placed:
    """Items by their place, which is one of `places`: the place itself says which item is meant.

    `at` gives the places of an item; no two items share one. `places` has the words for each. Items name no seats.
    """

    def __init__(self, item: Domain, places: Mapping[Any, str], at: Callable[[Any], Iterable[Any]]) -> None:
        self._item, self._places, self._at = item, places, at
        self.entries = tuple(
            entry._replace(words=f"[{name}]{entry.words}") for name in places.values() for entry in item.entries
        )

    def packer(self, own: Seat) -> Packer:  # noqa: ARG002  # the same for every seat
        """Puts packed items into a row of empty places, and keeps the whole, for all seats together."""
        return self._packer

    @cached_property
    def _packer(self) -> Packer:
        item, at, empty = self._item.packer(0), self._at, [zeros(self._item)] * len(self._places)
        numbers = {place: number for number, place in enumerate(self._places)}

        @lru_cache(2 * KEPT)
        def placed(items: Iterable[Any]) -> bytes:
            row = empty.copy()
            for each in items:
                packed = item(each)
                for place in at(each):
                    row[numbers[place]] = packed
            return b"".join(row)

        return placed


class Parts:
    """A value by several of its parts, such as a cell by its column and its row. All are 0 for None."""

    def __init__(self, parts: Mapping[str, tuple[Callable[[Any], Any], Domain]]) -> None:
        self._parts = parts
        self.entries = tuple(
            entry._replace(words=f"{name}{entry.words}")
            for name, (_, domain) in parts.items()
            for entry in domain.entries
        )

    def packer(self, own: Seat) -> Packer:
        """Packs part by part, and keeps the whole."""
        packers = [(of, domain.packer(own)) for of, domain in self._parts.values()]
        none = zeros(self)

        @lru_cache(KEPT)
        def parts(value: Any) -> bytes:
            return none if value is None else b"".join([packer(of(value)) for of, packer in packers])

        return parts


def pack(numbers: Iterable[float]) -> bytes:
    """Float32 numbers as bytes of this machine."""
    return array("f", numbers).tobytes()


def zeros(domain: Domain) -> bytes:
    """As many zeros as a domain has entries, packed."""
    return pack([0.0] * len(domain.entries))


def _one_hot(count: int, at: int) -> bytes:
    return pack([float(number == at) for number in range(count)])


def value_name(value: Any) -> str:
    """A value in words."""
    return value.name.lower() if isinstance(value, Enum) else str(value)


def after_own(number: int) -> str:
    """A seat or a side in words, as it is seen from the own one."""
    return f"{number} after own" if number else "own"


def seen_from_own(words: str) -> str:
    """Words about an action of seat 0, with its seats named as they are seen from the own one."""
    turned = re.sub(r"\bseat (\d)", lambda found: f"the seat {after_own(int(found[1]))}", words)
    return turned.replace("the seat own", "the own seat")
