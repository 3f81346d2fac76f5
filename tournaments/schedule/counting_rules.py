"""Which fixtures count, are skipped, remain, or are abandoned, and which pairings were played too little to count.

These rules hold for all formats.

A fixture is skipped after the suspension of one of its bots, and in a wave in which one was withdrawn. So these rules
also say which bots had left each wave by its end.

**Nothing follows from matches that were not played**: no wave, no bye, no place in a bracket, no last table. A match
that was void too often is abandoned; nobody has played it. A pairing, the entries that meet in a wave, counts if each
of its line-ups was played on at least half of its deals. So seats and luck stay about even between its bots. Matches
that are skipped because of a bot (its suspension, its withdrawal) are not missing: the reason is on the bots' side.

A wave that has a pairing that does not count decides nothing. The organizer takes its abandoned matches up again,
withdraws a bot of the pairing, or closes the league. `IssuingWaves` asks for this before it lets a format decide.
"""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import takewhile
from typing import Protocol

import msgspec

from tournaments.league.deals import OPEN, ClosedDeals
from tournaments.league.model import Fixture
from tournaments.league.roster import OrganizerDecisions
from tournaments.league.status import MatchCounts
from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.formats.wave import PlacedFixture
from tournaments.schedule.suspension import Suspension, skipped_after, suspended

VOIDS_ALLOWED = 3
"""A fixture with this many void matches that count is abandoned."""


class LeagueVerdict(msgspec.Struct, frozen=True):
    """The verdict on the results so far. Every fixture of the plan belongs to exactly one of the first four attributes.

    Attributes:
        counted: how many fixtures have a result that counts.
        skipped: how many come after the suspension of one of their entries (if such a fixture has a result, that
            result does not count), or had no result when their deal was closed.
        remaining: how many are still to be played.
        abandoned: the fixtures that were void too often, in plan order.
        suspensions: the suspensions that the next wave would find, by entry.
        undecided: those of the abandoned fixtures whose pairings were played too little to count. While there are any,
            nothing follows from their wave (see the top of this module). Empty if the whole league is closed:
            nothing follows any more.
        lifted: the suspensions that a reinstatement ended, by entry. They skip matches of waves before it.
    """

    counted: int
    skipped: int
    remaining: int
    abandoned: tuple[Fixture, ...]
    suspensions: dict[str, Suspension]
    undecided: tuple[PlacedFixture, ...] = ()
    lifted: dict[str, Suspension] = {}

    @property
    def counts(self) -> MatchCounts:
        """How many fixtures the plan has of each kind."""
        abandoned = len(self.abandoned)
        planned = self.counted + self.remaining + self.skipped + abandoned
        return MatchCounts(planned, self.counted, self.remaining, self.skipped, abandoned)


class Ledger(Protocol):
    """Which fixtures of the plan have a result, and who failed in them. Its length is the number of these results."""

    @property
    def matches(self) -> Mapping[str, "array[int]"]:
        """By entry, the positions of its results, in any order."""

    @property
    def offenders(self) -> Mapping[int, Set[str]]:
        """By position, the entries whose fault cut the match short. Other positions are missing."""

    def __len__(self) -> int:
        """How many fixtures have a result."""

    def settled(self, waves: int) -> int:
        """How many fixtures of the first waves of the plan, of so many, have a result."""

    def unsettled(self, fixtures: Collection[PlacedFixture]) -> Iterable[PlacedFixture]:
        """Those of these fixtures that have no result, in the same order."""


def judge(
    plan: Plan,
    ledger: Ledger,
    voids: Mapping[str, int],
    decisions: OrganizerDecisions,
    closing: ClosedDeals = OPEN,
) -> LeagueVerdict:
    """The verdict on the results in a ledger.

    Args:
        plan: the waves so far.
        ledger: the results of their fixtures.
        voids: by fixture id, how many void matches of it count.
        decisions: what the organizer decided: who is exempt from suspension, and who was withdrawn in which wave.
        closing: which deals are closed. Nothing remains on them.
    """
    withdrawn = decisions.withdrawn
    uncounted = withdrawn_positions(plan, ledger, withdrawn)
    suspensions = suspended(ledger.matches, ledger.offenders, exempt(plan, decisions), uncounted)
    suspended_results = {
        at for entry, found in suspensions.items() for at in ledger.matches[entry] if found.reaches(at)
    }
    void = suspended_results | uncounted
    skips = SkippedFixtures(plan, suspensions, withdrawn)
    abandoned = [
        each for each in abandoned_fixtures(plan, ledger, voids) if not skips.has(each.at, each.fixture.entries)
    ]
    closed = closed_waves(plan, closing)
    start, planned = plan.since(closed)
    settled = len(ledger) - ledger.settled(closed) - sum(at >= start for at in void)
    skipped = plan.count_after(skips.after, closed) if skips else 0
    remaining = planned - settled - skipped - sum(each.at >= start for each in abandoned)
    counted = len(ledger) - len(void)
    return LeagueVerdict(
        counted,
        len(plan) - counted - remaining - len(abandoned),
        remaining,
        tuple(each.fixture for each in abandoned),
        {entry: found for entry, found in suspensions.items() if found.until is None},
        () if closing.is_whole else undecided(plan, abandoned),
        {entry: found for entry, found in suspensions.items() if found.until is not None},
    )


def exempt(plan: Plan, decisions: OrganizerDecisions) -> Mapping[str, int]:
    """By entry that was reinstated, the position from which on it is exempt from suspension."""
    return {entry: plan.first_from(deal) for entry, deal in decisions.reinstated.items()}


def closed_waves(plan: Plan, closing: ClosedDeals) -> int:
    """How many waves of a plan have none but closed deals. They are the first ones."""
    return len(list(takewhile(lambda wave: closing.has(wave.deals.stop - 1), plan.waves)))


def abandoned_fixtures(plan: Plan, ledger: Ledger, voids: Mapping[str, int]) -> Iterable[PlacedFixture]:
    """The fixtures that were void too often and have no result, in plan order."""
    return ledger.unsettled(sorted(placed for name in often_void(voids) if (placed := plan.find(name))))


def often_void(voids: Mapping[str, int]) -> list[str]:
    """The ids of the fixtures that were void too often, if these numbers of voids count."""
    return [name for name, count in voids.items() if count >= VOIDS_ALLOWED]


def withdrawn_positions(plan: Plan, ledger: Ledger, withdrawn: Mapping[int, Set[str]]) -> Set[int]:
    """The positions with a result that does not count because an entry was withdrawn during its wave."""
    waves = ((plan.positions(number), entries) for number, entries in withdrawn.items() if number < len(plan.waves))
    return {at for positions, entries in waves for entry in entries for at in ledger.matches[entry] if at in positions}


def gone_by_wave(
    plan: Plan, suspensions: Mapping[str, Suspension], withdrawn: Mapping[int, Set[str]]
) -> Sequence[Set[str]]:
    """By wave, the entries that were suspended or withdrawn by its end. Of a complete wave this never changes."""
    ends = [plan.positions(number).stop - 1 for number in range(len(plan.waves))]
    return [
        withdrawn.get(number, frozenset()) | {name for name, found in suspensions.items() if found.holds_at(end)}
        for number, end in enumerate(ends)
    ]


class SkippedFixtures:
    """The skipped fixtures of a plan. It is false if there are none."""

    def __init__(self, plan: Plan, suspensions: Mapping[str, Suspension], withdrawn: Mapping[int, Set[str]]) -> None:
        """Find the skipped fixtures.

        `withdrawn` has, by the number of a wave, from 0, the entries whose matches in that wave do not count.
        """
        self._plan = plan
        self._suspensions = suspensions
        self._withdrawn = withdrawn

    def __bool__(self) -> bool:
        return bool(self._suspensions or self._withdrawn)

    def has(self, at: int, entries: Iterable[str]) -> bool:
        """Whether the fixture at a position, between these entries, is skipped."""
        if not self:
            return False
        last = self.after(self._plan.number(at), entries)
        return last is not None and last < at

    def after(self, number: int, entries: Iterable[str]) -> int | None:
        """The position after which all fixtures of a wave between these entries are skipped; None if none is."""
        start = self._plan.positions(number).start
        if not self._withdrawn.get(number, frozenset()).isdisjoint(entries):
            return start - 1
        return skipped_after(entries, self._suspensions, start)


def undecided(plan: Plan, abandoned: Iterable[PlacedFixture]) -> tuple[PlacedFixture, ...]:
    """The abandoned fixtures of the pairings that do not count, in plan order.

    `abandoned` are all abandoned fixtures of the plan, in plan order, without those that are skipped.
    """
    by_line_up: defaultdict[tuple[int, str, tuple[str, ...], int], list[PlacedFixture]] = defaultdict(list)
    for placed in abandoned:
        fixture = placed.fixture
        by_line_up[plan.number(placed.at), fixture.table, fixture.entries, fixture.rotation].append(placed)
    found = (
        placed
        for (number, *_), missing in by_line_up.items()
        if 2 * len(missing) > len(plan.waves[number].deals)
        for placed in missing
    )
    return tuple(sorted(found))
