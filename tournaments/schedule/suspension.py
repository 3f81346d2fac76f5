"""Decides which entries are suspended, and so which matches count, are skipped, or remain to be played.

An entry is suspended at its fifth fault or a later one, if faults are then more than 20 % of its matches so far. Its
later fixtures are skipped, for its opponents too. Results that they already have are kept, but not counted.

A reinstatement exempts an entry from a position on: the first one whose deal was open when the organizer said so. A
suspension of before holds up to that position. So a reinstatement changes nothing about the waves that have ended, from
which other waves followed.

"So far" and "later" mean plan order, whatever was played first. While some results are missing the verdict may change:
a fixture without a result is neutral, neither a match nor a fault. But the final verdict is always the same. When
nothing remains, every fixture is either skipped or has its result; whether a fixture is skipped depends on the results
of the counted fixtures before it in the plan and on nothing else; so, by induction over the plan, two runs at rest
agree on every fixture, if equal fixtures have equal results. And every run comes to rest: as long as something remains
it is played, and there are finitely many fixtures.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import groupby
from types import MappingProxyType

import msgspec

TOLERATED_FAULTS = 4
TOLERATED_SHARE = 5
"""One match in this many may end in an entry's fault."""


class Suspension(msgspec.Struct, frozen=True):
    """The suspension of an entry.

    Attributes:
        entry: the name of the entry.
        at: the position in the plan of the fixture whose fault caused the suspension.
        faults: how many faults the entry had by then, that one included.
        matches: how many counted matches the entry had by then, that one included.
        until: the first position that it does not reach any more, since the entry was reinstated; None: it reaches all.
            A wave begins there.
    """

    entry: str
    at: int
    faults: int
    matches: int
    until: int | None = None

    def reaches(self, at: int) -> bool:
        """Whether a match of the entry at this position is skipped."""
        return self.at < at and self.holds_at(at)

    def holds_at(self, at: int) -> bool:
        """Whether the entry is suspended once the match at this position is over."""
        return self.at <= at and (self.until is None or at < self.until)


def suspended(
    matches: Mapping[str, "array[int]"],
    offenders: Mapping[int, Set[str]],
    exempt: Mapping[str, int] = MappingProxyType({}),
    left_out: Set[int] = frozenset(),
) -> dict[str, Suspension]:
    """The suspensions, by entry, those too that reach only up to some position.

    This takes no time until an entry has enough faults. Then it takes some microseconds for each match of such entries,
    so ask only at the faults that `worth_judging` names.

    Args:
        matches: by entry, the positions of all its matches with a result, in any order.
        offenders: by position, the entries whose fault cut the match short; other positions are missing.
        exempt: by entry, the position from which on it is exempt from suspension.
        left_out: positions whose results do not count, because an entry was withdrawn.
    """
    suspensions: dict[str, Suspension] = {}
    played: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    never = {entry for entry, at in exempt.items() if at <= 0}
    for at, entries in _in_plan_order(matches, _suspects(offenders) - never):
        if at in left_out or any(suspensions[each].reaches(at) for each in entries if each in suspensions):
            continue  # the match is skipped
        for entry in entries:
            at_fault = entry in offenders.get(at, ())
            played[entry] += 1
            faults[entry] += at_fault
            end = exempt.get(entry)
            too_many = faults[entry] > TOLERATED_FAULTS and faults[entry] * TOLERATED_SHARE > played[entry]
            if at_fault and too_many and (end is None or at < end):
                suspensions[entry] = Suspension(entry, at, faults[entry], played[entry], end)
    return suspensions


def worth_judging(faults: int) -> bool:
    """Whether to ask `suspended` again after this many faults of an entry.

    Yes at every fault from the fifth on, after a hundred at every tenth, and so on. Otherwise judging a bot that fails
    often, but not often enough, could take longer than its matches. Asking late costs a few matches that do not count.
    """
    return faults > TOLERATED_FAULTS and faults % max(1, faults // 10) == 0


def skipped_after(entries: Iterable[str], suspensions: Mapping[str, Suspension], start: int) -> int | None:
    """The position after which matches between these entries are skipped in the wave that begins at `start`.

    None if none of them is suspended in it.
    """
    found = (suspensions[entry] for entry in entries if entry in suspensions)
    return min((each.at for each in found if each.until is None or start < each.until), default=None)


def _suspects(offenders: Mapping[int, Set[str]]) -> set[str]:
    """The entries that have enough faults to be suspended."""
    faults = Counter(entry for entries in offenders.values() for entry in entries)
    return {entry for entry, count in faults.items() if count > TOLERATED_FAULTS}


def _in_plan_order(matches: Mapping[str, "array[int]"], suspects: Set[str]) -> Iterator[tuple[int, list[str]]]:
    """Every match of the suspects in plan order: its position, and the suspects that played it."""
    seats = sorted((at, entry) for entry in suspects for at in matches[entry])
    for at, players in groupby(seats, key=lambda seat: seat[0]):
        yield at, [entry for _, entry in players]
