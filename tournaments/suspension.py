"""Who is suspended, and so which matches count, are skipped, or remain to be played.

An entry is suspended at a fault that is at least its fifth, if faults are then more than 20 % of its matches so far.
Its later fixtures are skipped, for its opponents too; results of them that are already there are kept and not counted.

"So far" and "later" mean plan order, whatever was played first. While some results are missing the verdict may change:
a fixture without a result is neutral, neither a match nor a fault. But where it comes to rest is always the same. When
nothing remains, every fixture is either skipped or has its result; whether a fixture is skipped depends on the results
of the counted fixtures before it in the plan and on nothing else; so, by induction over the plan, two runs at rest
agree on every fixture, if equal fixtures have equal results. And every run comes to rest: as long as something remains
it is played, and there are finitely many fixtures.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import groupby

import msgspec

TOLERATED_FAULTS = 4
TOLERATED_SHARE = 5
"""One match in this many may end in an entry's fault."""


class Suspension(msgspec.Struct, frozen=True):
    """An entry is suspended.

    Attributes:
        entry: its name.
        at: the position in the plan of the fixture whose fault did it.
        faults: how many it had by then, that one included.
        matches: how many counted matches it had by then, that one included.
    """

    entry: str
    at: int
    faults: int
    matches: int


def suspended(
    matches: Mapping[str, "array[int]"], offenders: Mapping[int, Set[str]], reinstated: Set[str] = frozenset()
) -> dict[str, Suspension]:
    """Who is suspended, and since where.

    Takes no time while no entry has enough faults, and then some microseconds for each match of those who have: to be
    asked at the faults that `worth_judging` names.

    Args:
        matches: by entry, the positions of all its matches with a result, in any order.
        offenders: by position, the entries whose fault cut the match short, where there are any.
        reinstated: entries that are exempt from suspension.
    """
    suspensions: dict[str, Suspension] = {}
    played: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for at, entries in _in_plan_order(matches, _suspects(offenders) - reinstated):
        if not suspensions.keys().isdisjoint(entries):
            continue  # the match is skipped
        for entry in entries:
            at_fault = entry in offenders.get(at, ())
            played[entry] += 1
            faults[entry] += at_fault
            if at_fault and _too_many(faults[entry], played[entry]):
                suspensions[entry] = Suspension(entry, at, faults[entry], played[entry])
    return suspensions


def worth_judging(faults: int) -> bool:
    """Whether an entry's n-th fault of a run is a moment to ask `suspended` again.

    Every fault from the fifth on at first, every tenth after a hundred, and so on: a bot that fails often, but not too
    often, must not cost more time than it plays. Asking late costs a few matches that are then not counted.
    """
    return faults > TOLERATED_FAULTS and faults % max(1, faults // 10) == 0


def skipped_after(entries: Iterable[str], suspensions: Mapping[str, Suspension]) -> int | None:
    """The position after which matches of these entries together are skipped; None where none of them is suspended."""
    return min((suspensions[entry].at for entry in entries if entry in suspensions), default=None)


def _suspects(offenders: Mapping[int, Set[str]]) -> set[str]:
    """Entries with so many faults that they could be suspended."""
    faults = Counter(entry for entries in offenders.values() for entry in entries)
    return {entry for entry, count in faults.items() if count > TOLERATED_FAULTS}


def _in_plan_order(matches: Mapping[str, "array[int]"], suspects: Set[str]) -> Iterator[tuple[int, list[str]]]:
    """Every match of the suspects by its position, with those of them who played it."""
    seats = sorted((at, entry) for entry in suspects for at in matches[entry])
    for at, players in groupby(seats, key=lambda seat: seat[0]):
        yield at, [entry for _, entry in players]


def _too_many(faults: int, matches: int) -> bool:
    return faults > TOLERATED_FAULTS and faults * TOLERATED_SHARE > matches
