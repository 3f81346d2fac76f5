"""Which fixtures are skipped: those after the suspension of a bot, and those of a wave in which a bot was withdrawn.

And which bots had left each wave by its end, for the same two reasons.
"""

from collections.abc import Iterable, Mapping, Sequence, Set

from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.suspension import Suspension, skipped_after


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
