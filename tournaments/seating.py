"""Who sits where: the groups of entries that meet at a table, and the line-ups in which a group plays every deal.

The line-ups of a group make up a block. Over a block every entry gets every seat, and so every hand and side, equally
often, and no pair of entries is favoured:

- `distinct`, nobody has a partner: the group is turned by 0, 1, 2... seats, n line-ups for n seats.
- `distinct`, partners: turning alone would leave every entry with the same partner for ever. The group is seated in
  all its even permutations instead, n!/2 line-ups: 3 for three seats (which are just the turns), 12 for four, 60 for
  five. They take every two entries to every two seats equally often, so each two of a group are partners equally often
  and opponents equally often; for four seats no fewer line-ups take every two to every two seats, in either order.
- `copies`: an entry may hold several seats, but not all of them: every choice of n entries with repetition is a group,
  but for those of one entry only, which would play against nobody. Its line-ups are those of `distinct`, each once:
  turned, still n for n seats; with partners, all there are. So over a block every entry gets every seat as many times
  as any other seat. Over all groups no entry is favoured, and groups of different entries are among them.
- `teams`: a group has as many entries as there are sides, and gets the sides in all its permutations: 2 line-ups for
  two sides, one with each entry on each side.

Why even permutations: for n > 3 any two seats can be brought to any two others by one of them (the alternating group
is (n - 2)-fold transitive); for n = 3 they turn the three pairs of seats into one another.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement, permutations

from referee.core.outcome import Seat
from tournaments.model import TableSpec


def groups(table: TableSpec, entries: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Every group of entries that fills the table, by name."""
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
    """The entries by seat when each in turn holds a side."""
    holder = {seat: entry for seats, entry in zip(table.sides, order, strict=True) for seat in seats}
    return tuple(holder[seat] for seat in range(table.seats))


def _has_partners(table: TableSpec) -> bool:
    """Whether it matters who sits on whose side: not where all are alone, nor where all are on one side."""
    return len(table.sides) > 1 and any(len(seats) > 1 for seats in table.sides)


def _turns(seats: int) -> Iterator[tuple[Seat, ...]]:
    return (tuple((seat + turn) % seats for seat in range(seats)) for turn in range(seats))


def _even(seats: int) -> Iterator[tuple[Seat, ...]]:
    """The permutations that an even number of swaps makes, in alphabetical order."""
    return (order for order in permutations(range(seats)) if not _inversions(order) % 2)


def _inversions(order: tuple[Seat, ...]) -> int:
    return sum(left > right for left, right in combinations(order, 2))
