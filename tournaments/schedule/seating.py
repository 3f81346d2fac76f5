"""Which entry sits where: the groups of entries that meet at a table, and the line-ups in which a group plays a deal.

A group plays each deal in several line-ups. Over them every entry gets every seat, and so every hand and side, equally
often, and no pair of entries is favoured:

- `distinct` without partners: the group is turned by 0, 1, 2... seats, n line-ups for n seats.
- `distinct` with partners: by turns alone, every entry would always have the same partner. Instead the group is seated
  in all its even permutations, n!/2 line-ups: 3 for three seats (which are just the turns), 12 for four, 60 for five.
  They put every pair of entries on every pair of seats equally often, so any two entries of a group are partners
  equally often, and opponents equally often. For four seats, fewer line-ups cannot put every pair of entries on every
  pair of seats in both orders.
- `copies`: an entry may hold several seats, but not all of them. Every choice of n entries with repetition is a group,
  except n times the same entry, which would have no opponent. The line-ups of a group are those of `distinct`, each
  once: still n for n seats by turns; with partners, all that differ. So over them every entry gets every seat as
  many times as any other seat. Over all groups no entry is favoured, and groups of different entries are among them.
- `teams`: a group has as many entries as there are sides, and gets the sides in all its permutations: 2 line-ups for
  two sides, one with each entry on each side.

Why even permutations: for n > 3 any two seats can be brought to any two others by one of them (the alternating group
is (n - 2)-fold transitive); for n = 3 they turn the three pairs of seats into one another.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, factorial
from typing import NamedTuple

from referee.core.outcome import Seat
from tournaments.league.model import TableSpec


class TooFewEntries(NamedTuple):
    """Why there are too few entries for a table.

    Attributes:
        key: the key of the table that asks for more.
        sentence: how many it takes.
    """

    key: str
    sentence: str


def lack(table: TableSpec, entries: int) -> TooFewEntries | None:
    """Why so many entries are too few for a table; None if they are enough."""
    teams = len(table.sides) if table.seating == "teams" else 0
    there = f"there {'is' if entries == 1 else 'are'} {entries}"
    if table.seating == "distinct" and table.seats > entries:
        return TooFewEntries("seats", f'{table.seats} seats need as many bots, or seating = "copies"; {there}')
    if table.seating == "copies" and entries < 2:
        return TooFewEntries("seating", f"'copies' needs two bots at least, to play against each other; {there}")
    if teams > entries:
        return TooFewEntries("seating", f"{teams} teams need as many bots; {there}")
    return None


def groups(table: TableSpec, entries: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Every group of entries that fills the table, ordered by the entries' names."""
    names = sorted(entries)
    if table.seating == "copies":
        return (group for group in combinations_with_replacement(names, table.seats) if len(set(group)) > 1)
    return combinations(names, len(table.sides) if table.seating == "teams" else table.seats)


def line_ups(table: TableSpec, group: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The entries by seat, for every match that a group plays on a deal."""
    if table.seating == "teams":
        return (_on_sides(table, order) for order in permutations(group))
    orders = _even(table.seats) if _has_partners(table) else _turns(table.seats)
    return iter(dict.fromkeys(tuple(group[at] for at in order) for order in orders))


def _on_sides(table: TableSpec, order: tuple[str, ...]) -> tuple[str, ...]:
    """The entries by seat if the first entry holds the first side, the second entry the second side, and so on."""
    holder = {seat: entry for seats, entry in zip(table.sides, order, strict=True) for seat in seats}
    return tuple(holder[seat] for seat in range(table.seats))


def _has_partners(table: TableSpec) -> bool:
    """Whether it matters which entries share a side. It does not if every seat is alone or all seats are one side."""
    return len(table.sides) > 1 and any(len(seats) > 1 for seats in table.sides)


def _turns(seats: int) -> Iterator[tuple[Seat, ...]]:
    return (tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats))


def _even(seats: int) -> Iterator[tuple[Seat, ...]]:
    """The permutations that are made by an even number of swaps, in alphabetical order."""
    orders = permutations(range(seats))
    return (order for order in orders if not sum(left > right for left, right in combinations(order, 2)) % 2)


_REMEMBERED = 4096
"""How many groups of a table have their line-ups cached: many results of one group come at a time."""


class TableSeats:
    """All line-ups of a table, by group and rotation. The number of each is computed, not stored.

    Attributes:
        span: all numbers are below it.
    """

    def __init__(self, table: TableSpec, entries: Sequence[str]) -> None:
        """`entries` are in the order of their names."""
        self._table = table
        self._names = tuple(entries)
        self._index = {name: index for index, name in enumerate(self._names)}
        self._size = len(table.sides) if table.seating == "teams" else table.seats
        self._line_ups = lru_cache(_REMEMBERED)(lambda group: tuple(line_ups(table, group)))
        self._most = _most_line_ups(table, self._size)
        self.span = self._groups() * self._most

    def numbered(self) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Number, rotation and entries of every line-up, in order. The numbers rise and may have gaps."""
        for rank, group in enumerate(groups(self._table, self._names)):
            for rotation, line_up in enumerate(line_ups(self._table, group)):
                yield rank * self._most + rotation, rotation, line_up

    def __len__(self) -> int:
        """How many line-ups there are."""
        if self._table.seating != "copies" or not _has_partners(self._table):
            return self.span
        # All ways to seat them, except one entry everywhere; if all entries differ, only the even half.
        names, seats = len(self._names), self._size
        return int(names**seats) - names - comb(names, seats) * factorial(seats) // 2

    def number(self, line_up: tuple[str, ...], rotation: int) -> int | None:
        """The number of a line-up, None if it is not of this table."""
        group = tuple(sorted(set(line_up) if self._table.seating == "teams" else line_up))
        different = len(set(group)) > 1 if self._table.seating == "copies" else len(set(group)) == self._size
        if len(group) != self._size or not different or not self._index.keys() >= set(group):
            return None
        if line_up not in self._line_ups(group)[rotation : rotation + 1]:
            return None
        return self._rank([self._index[name] for name in group]) * self._most + rotation

    def _groups(self) -> int:
        names = len(self._names)
        if self._table.seating == "copies":
            return comb(names + self._size - 1, self._size) - names
        return comb(names, self._size)

    def _rank(self, group: list[int]) -> int:
        """How many groups come before this one. Entries are given as their places in the list of names, rising."""
        if self._table.seating != "copies":
            return _rank(group, len(self._names))
        # Move each next entry on by one: then repetition needs no case of its own. Take off the groups of one entry.
        spread = [index + at for at, index in enumerate(group)]
        return _rank(spread, len(self._names) + self._size - 1) - (group[0] + 1)


def _most_line_ups(table: TableSpec, size: int) -> int:
    """The most line-ups that a group can have; with copies and partners some groups have fewer."""
    if table.seating == "teams":
        return factorial(size)
    return factorial(size) // 2 if _has_partners(table) else size


def _rank(chosen: Sequence[int], among: int) -> int:
    """The rank, in alphabetical order, of a combination of numbers below `among`."""
    size = len(chosen)
    after = sum(comb(among - 1 - number, size - at) for at, number in enumerate(chosen))
    return comb(among, size) - 1 - after
