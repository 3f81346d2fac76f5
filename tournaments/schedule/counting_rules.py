"""Which fixtures do not count, and which pairings were played too little to count. These rules hold for all formats.

A fixture is skipped after the suspension of one of its bots, and in a wave in which one was withdrawn. So these rules
also say which bots had left each wave by its end.

**Nothing follows from matches that were not played**: no wave, no bye, no place in a bracket, no last table. A match
that was void too often is abandoned; nobody has played it. A pairing, the entries that meet in a wave, counts if each
of its line-ups was played on at least half of its deals. So seats and luck stay about even between its bots. Matches
that are skipped because of a bot (its suspension, its withdrawal) are not missing: the reason is on the bots' side.

A wave that has a pairing that does not count decides nothing. The organizer takes its abandoned matches up again,
withdraws a bot of the pairing, or closes the league. `IssuingWaves` asks for this before it lets a format decide.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

from tournaments.league.model import Fixture
from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.formats.wave import PlacedFixture
from tournaments.schedule.suspension import Suspension, skipped_after

VOIDS_ALLOWED = 3
"""A fixture with this many void matches that count is abandoned."""


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
        by_line_up[plan.number(placed.at), *_line_up(placed.fixture)].append(placed)
    found = (
        placed
        for (number, *_), missing in by_line_up.items()
        if 2 * len(missing) > len(plan.waves[number].deals)
        for placed in missing
    )
    return tuple(sorted(found))


def _line_up(fixture: Fixture) -> tuple[str, tuple[str, ...], int]:
    return fixture.table, fixture.entries, fixture.rotation
