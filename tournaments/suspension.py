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

from collections import Counter
from collections.abc import Iterator, Mapping, Set

import msgspec

from tournaments.model import Fixture, Plan

TOLERATED_FAULTS = 4
TOLERATED_SHARE = 5
"""One match in this many may end in an entry's fault."""


class Suspension(msgspec.Struct, frozen=True):
    """An entry is suspended.

    Attributes:
        entry: its name.
        at: the position in the plan of the fixture whose fault did it.
        fixture: the id of that fixture.
        faults: how many it had by then, that one included.
        matches: how many counted matches it had by then, that one included.
    """

    entry: str
    at: int
    fixture: str
    faults: int
    matches: int


class Verdict(msgspec.Struct, frozen=True):
    """What the results so far mean. Every fixture of the plan is in exactly one of the four, in plan order.

    Attributes:
        counted: has a result, which counts.
        skipped: follows the suspension of one of its entries; it may have a result, which does not count.
        remaining: is still to be played.
        abandoned: was void too often.
        suspensions: by entry.
    """

    counted: tuple[Fixture, ...]
    skipped: tuple[Fixture, ...]
    remaining: tuple[Fixture, ...]
    abandoned: tuple[Fixture, ...]
    suspensions: dict[str, Suspension]


def judge(
    plan: Plan,
    results: Mapping[str, Set[str]],
    reinstated: Set[str] = frozenset(),
    abandoned: Set[str] = frozenset(),
) -> Verdict:
    """Sort the fixtures of a plan.

    Args:
        plan: in plan order.
        results: by fixture id, the entries whose fault cut the match short (usually none).
        reinstated: entries that are exempt from suspension.
        abandoned: ids of fixtures that are not to be tried again.
    """
    suspensions = suspended(plan, results, reinstated)
    piles: dict[str, list[Fixture]] = {name: [] for name in Verdict.__struct_fields__[:4]}
    for at, fixture in enumerate(plan):
        if suspensions and is_skipped(fixture, at, suspensions):
            pile = "skipped"
        elif fixture.id in results:
            pile = "counted"
        else:
            pile = "abandoned" if fixture.id in abandoned else "remaining"
        piles[pile].append(fixture)
    return Verdict(**{name: tuple(pile) for name, pile in piles.items()}, suspensions=suspensions)


def suspended(plan: Plan, results: Mapping[str, Set[str]], reinstated: Set[str] = frozenset()) -> dict[str, Suspension]:
    """Who is suspended, and since where; arguments as for `judge`.

    Takes no time while no entry has enough faults, and some 60 ms for 100,000 fixtures afterwards: to be asked at the
    faults that `worth_judging` names.
    """
    suspects = _suspects(results) - reinstated
    suspensions: dict[str, Suspension] = {}
    if not suspects:
        return suspensions
    matches: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for at, fixture in _with_any(plan, suspects):
        offenders = results.get(fixture.id)
        if offenders is None or (suspensions and is_skipped(fixture, at, suspensions)):
            continue
        for entry in suspects.intersection(fixture.entries):
            matches[entry] += 1
            faults[entry] += entry in offenders
            if entry in offenders and _too_many(faults[entry], matches[entry]):
                suspensions[entry] = Suspension(entry, at, fixture.id, faults[entry], matches[entry])
    return suspensions


def worth_judging(faults: int) -> bool:
    """Whether an entry's n-th fault of a run is a moment to ask `suspended` again.

    Every fault from the fifth on at first, every tenth after a hundred, and so on: a bot that fails often, but not too
    often, must not cost more time than it plays. Asking late costs a few matches that are then not counted.
    """
    return faults > TOLERATED_FAULTS and faults % max(1, faults // 10) == 0


def _suspects(results: Mapping[str, Set[str]]) -> set[str]:
    """Entries with so many faults that they could be suspended."""
    faults = Counter(entry for offenders in results.values() for entry in offenders)
    return {entry for entry, count in faults.items() if count > TOLERATED_FAULTS}


def _with_any(plan: Plan, entries: Set[str]) -> Iterator[tuple[int, Fixture]]:
    """The fixtures in which one of `entries` plays, with their positions."""
    for at, fixture in enumerate(plan):
        if not entries.isdisjoint(fixture.entries):
            yield at, fixture


def _too_many(faults: int, matches: int) -> bool:
    return faults > TOLERATED_FAULTS and faults * TOLERATED_SHARE > matches


def is_skipped(fixture: Fixture, at: int, suspensions: Mapping[str, Suspension]) -> bool:
    """Whether the fixture at position `at` of the plan follows the suspension of one of its entries."""
    return any(entry in suspensions and suspensions[entry].at < at for entry in fixture.entries)
