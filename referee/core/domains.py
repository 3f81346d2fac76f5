"""What the fields of a view and the actions of a game can be: a game declares its domains once, from its rules.

A domain stands for a value by float32 numbers. Their count is fixed, and each has words and bounds. So a program that
learns gets a vector for a view, and an id for an action (`referee.space`). The domains of a struct follow from the
types of most of its fields; a game declares the others.
"""

import re
import types
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, EnumType
from functools import lru_cache
from typing import (
    Any,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

import msgspec

from referee.core.outcome import Seat


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


CACHE_SIZE = 1024
"""How many packed values of a compound a packer keeps. Matches see most of them again and again."""


class Meaning(NamedTuple):
    """The meaning of a number, and its bounds. `words` go on from the name of the field, so they may begin with " "."""

    words: str
    low: float = 0.0
    high: float = 1.0


Packer: TypeAlias = Callable[[Any], bytes]
"""Packs a value as float32 numbers. It raises KeyError if the value is not in the domain."""


class Domain(NamedTuple):
    """The values that a field can have.

    Attributes:
        entries: the numbers that stand for a value, in order.
        packer: makes the packer of values in a view of a seat.
    """

    entries: tuple[Meaning, ...]
    packer: Callable[[Seat], Packer]

    @property
    def zeros(self) -> bytes:
        """A zero for each entry, packed."""
        return pack([0.0] * len(self.entries))


class Domains(NamedTuple):
    """What a game declares, for some options and a number of seats.

    Attributes:
        view: the domain of its views. They have a field `seat`.
        actions: every action in words, as seat 0 would choose it. Its place is its id.
        action_seats: by type of action, the field that names a seat, or several seats, sorted.
        listed: stands for an action that is not among `actions` for the seat; takes the view and the action.
        id_of: gives the id of an action, where the game itself numbers them; None: it is looked up.
    """

    view: Domain
    actions: Mapping[Any, str]
    action_seats: Mapping[type, str] = {}
    listed: Callable[[Any, Any], Any] = lambda _view, action: action
    id_of: Callable[[Any], int] | None = None


@runtime_checkable
class DomainsDeclared(Protocol):
    """A part of the contract of games (`referee.core.game`) that a game may leave out: what it declares."""

    def domains(self, options: Any, seats: int) -> Domains:
        """The domains with these options and so many seats."""


def one_of(values: Iterable[Any], names: Iterable[str] | None = None) -> Domain:
    """One of these values: a number for each, 1 for the value and 0 for the others. All are 0 for None."""
    values = tuple(values)
    table = _one_hot(values)
    return Domain(
        tuple(Meaning(f" is {name}") for name in names or map(value_name, values)), lambda _own: table.__getitem__
    )


def relative(count: int, first: Callable[[Seat], int] = int) -> Domain:
    """A seat, or a side: the own one first, the others in turn order after it. All are 0 for None.

    `first` says which of the `count` is the own one of a seat.
    """

    def packer(own: Seat) -> Packer:
        return _one_hot([(first(own) + number) % count for number in range(count)]).__getitem__

    return Domain(tuple(Meaning(f" is {after_own(number)}") for number in range(count)), packer)


def whole_number(low: int, high: int, scale: int = 1) -> Domain:
    """A whole number from `low` to `high`, divided by `scale`: about the size of usual values.

    Its bounds hold 0 too, which stands for a number that is not there.
    """
    table = {at: pack([at / scale]) for at in range(low, high + 1)}
    meaning = Meaning(f" / {scale}" if scale != 1 else "", min(low, 0) / scale, max(high, 0) / scale)
    return Domain((meaning,), lambda _own: table.__getitem__)


def counts(
    most: Mapping[Any, int], names: Iterable[str] | None = None, of: Callable[[Any], Any] | None = None
) -> Domain:
    """Several values whose order means nothing: how many of each there are, divided by how many there can be.

    `of` turns an item into one of the values.
    """
    places, limits = {value: place for place, value in enumerate(most)}, tuple(most.values())
    blank, single = array("f", [0.0] * len(most)), max(limits, default=1) == 1

    @lru_cache(8 * CACHE_SIZE)
    def packed(items: Iterable[Any]) -> bytes:
        numbers = blank[:]
        found = [places[item] for item in (items if of is None else map(of, items))]
        for place in found:
            numbers[place] += 1
        if not single:
            for place in set(found):
                numbers[place] /= limits[place]
        return numbers.tobytes()

    entries = tuple(
        Meaning(f" has {name}" if count == 1 else f": number of {name} / {count}")
        for name, count in zip(names or map(value_name, most), limits, strict=True)
    )
    return Domain(entries, lambda _own: packed)


def series(item: Domain, most: int) -> Domain:
    """Up to `most` items, one after the other. Zeros stand for items that are not there."""
    missing = [item.zeros * (most - count) for count in range(most + 1)]

    def packer(own: Seat) -> Packer:
        pack_item = item.packer(own)

        def packed(items: Sequence[Any]) -> bytes:
            if len(items) > most:
                raise KeyError(items)
            return b"".join(map(pack_item, items)) + missing[len(items)]

        return packed

    return Domain(join_entries((f"[{place}]", item) for place in range(most)), packer)


def around(item: Domain, count: int, first: Callable[[Seat], int] = int) -> Domain:
    """An item for each seat, or for each side, the own one first. Zeros, if there are no items.

    `count` and `first` are as in `relative`.
    """

    def packer(own: Seat) -> Packer:
        pack_item, begin, none = item.packer(own), first(own), item.zeros * count

        def packed(items: tuple[Any, ...]) -> bytes:  # keeps nothing: the same items hardly ever come again
            if len(items) != count:
                if items:
                    raise KeyError(items)
                return none
            return b"".join(map(pack_item, items[begin:] + items[:begin]))

        return packed

    return Domain(join_entries((f"[{after_own(number)}]", item) for number in range(count)), packer)


def placed(item: Domain, places: Mapping[Any, str], at: Callable[[Any], Iterable[Any]]) -> Domain:
    """Items by their place, which is one of `places`: the place itself says which item is meant.

    `at` gives the places of an item; no two items share one. `places` has the words for each. Items name no seats.
    """
    pack_item, empty = item.packer(0), [item.zeros] * len(places)
    numbers = {place: number for number, place in enumerate(places)}

    @lru_cache(2 * CACHE_SIZE)
    def packed(items: Iterable[Any]) -> bytes:
        row = empty.copy()
        for each in items:
            numbers_of_item = pack_item(each)
            for place in at(each):
                row[numbers[place]] = numbers_of_item
        return b"".join(row)

    return Domain(join_entries((f"[{name}]", item) for name in places.values()), lambda _own: packed)


def parts(named: Mapping[str, tuple[Callable[[Any], Any], Domain]]) -> Domain:
    """A value by several of its parts, such as a cell by its column and its row. All are 0 for None."""
    entries = join_entries((name, domain) for name, (_, domain) in named.items())
    none = pack([0.0] * len(entries))

    def packer(own: Seat) -> Packer:
        packers = [(of, domain.packer(own)) for of, domain in named.values()]

        @lru_cache(CACHE_SIZE)
        def packed(value: Any) -> bytes:
            return none if value is None else b"".join([pack_part(of(value)) for of, pack_part in packers])

        return packed

    return Domain(entries, packer)


def join_entries(named: Iterable[tuple[str, Domain]]) -> tuple[Meaning, ...]:
    """The entries of several domains, one after the other, each with the words of its domain before its own."""
    return tuple(entry._replace(words=words + entry.words) for words, domain in named for entry in domain.entries)


def pack(numbers: Iterable[float]) -> bytes:
    """Float32 numbers as bytes of this machine."""
    return array("f", numbers).tobytes()


def _one_hot(values: Sequence[Any]) -> Mapping[Any, bytes]:
    """For each of these values, and for None, a number for each of them: 1 where it is this one."""
    return {each: pack([each == value for value in values]) for each in (None, *values)}


Declared: TypeAlias = Mapping[str, Domain | None]
"""Domains of fields by the names of the type and of the field, such as `View.turn`; None leaves the field out."""


def fields_of(struct: type[msgspec.Struct], declared: Declared) -> Domain:
    """A struct, field by field.

    A field has the domain that is declared for it. Otherwise its type must say what it can be: an enum, a bool, a
    literal, a struct of these, or None beside it.

    Raises:
        ValueError: a field is not declared, and its type does not say what it can be.
    """
    hints = get_type_hints(struct)
    found = {name: _domain(hints[name], f"{struct.__name__}.{name}", declared) for name in struct.__struct_fields__}
    domains = {name: domain for name, domain in found.items() if domain is not None}
    packed = "".join(f"pack_{name}(value.{name})," for name in domains)

    def packer(own: Seat) -> Packer:  # it is compiled: a loop over the fields would take longer than all that it calls
        names = {f"pack_{name}": domain.packer(own) for name, domain in domains.items()}
        compiled: Packer = eval(f"lambda value: join(({packed}))", names | {"join": b"".join})  # noqa: S307 - our names
        return compiled

    return Domain(join_entries((f".{name}", domain) for name, domain in domains.items()), packer)


def _any_of(structs: Sequence[type[msgspec.Struct]], declared: Declared) -> Domain:
    """One of several structs: which it is, then the fields of each. All are 0 for None and for other structs."""
    domains = {struct: fields_of(struct, declared) for struct in structs}
    entries = [
        entry
        for struct, domain in domains.items()
        for entry in (Meaning(f" is {struct.__name__}"), *join_entries([(f"({struct.__name__})", domain)]))
    ]
    blanks = [pack([0.0]) + domain.zeros for domain in domains.values()]
    there = pack([1.0])

    def packer(own: Seat) -> Packer:
        packers = {struct: (number, domain.packer(own)) for number, (struct, domain) in enumerate(domains.items())}

        def packed(value: Any) -> bytes:
            row = blanks.copy()
            if value is not None:
                number, pack_struct = packers[type(value)]
                row[number] = there + pack_struct(value)
            return b"".join(row)

        return packed

    return Domain(tuple(entries), packer)


def _domain(hint: Any, field: str, declared: Declared) -> Domain | None:
    if field in declared:
        return declared[field]
    if get_origin(hint) in (Union, types.UnionType):
        kinds = [each for each in get_args(hint) if each is not types.NoneType]
        if all(isinstance(kind, type) and issubclass(kind, msgspec.Struct) for kind in kinds):
            return _any_of(kinds, declared)
        if len(kinds) == 1 and kinds[0] is not bool:
            return _domain(kinds[0], field, declared)
    elif get_origin(hint) is Literal or isinstance(hint, EnumType):
        return one_of(get_args(hint) or hint)
    elif hint is bool:
        return whole_number(0, 1)
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return fields_of(hint, declared)
    raise ValueError(f"{field} has the type {hint}, which does not say what it can be; declare its domain")
