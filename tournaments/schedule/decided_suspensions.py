"""The suspensions that no match can change any more, so that they can be told while a league is played.

A suspension follows from all matches before it in plan order. While one of them is under way, it may still turn out
that another fault comes first, or that a bot has too many matches for its faults.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set

from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.formats.wave import PlacedFixture
from tournaments.schedule.skipped_fixtures import SkippedFixtures
from tournaments.schedule.suspension import Suspension, are_too_many


class DecidedSuspensions:
    """Goes through a plan, and stops at the first fixture that remains.

    Attributes:
        found: the suspensions so far, by entry.
    """

    def __init__(
        self,
        plan: Plan,
        offenders: Callable[[int], Set[str] | None],
        exempt: Mapping[str, int],
        withdrawn: Mapping[int, Set[str]],
    ) -> None:
        """Begin at the start of the plan.

        Args:
            plan: waves may be added later.
            offenders: gives the entries whose fault cut the match at a position short; None if it has no result.
            exempt: by entry, the position from which on it is exempt from suspension.
            withdrawn: by wave, the entries that left it.
        """
        self.found: dict[str, Suspension] = {}
        self._plan = plan
        self._offenders = offenders
        self._exempt = exempt
        self._skips = SkippedFixtures(plan, self.found, withdrawn)
        self._fixtures: Iterator[PlacedFixture] = iter(())
        self._next: PlacedFixture | None = None
        self._waves = 0
        self._played: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()

    def go_on(self, is_given_up: Callable[[int], bool]) -> None:
        """Go on to the first fixture that remains: it has no result, and is neither skipped nor given up."""
        while (placed := self._next or self._following()) is not None:
            offenders, entries = self._offenders(placed.at), placed.fixture.entries
            is_skipped = self._skips.has(placed.at, entries)
            if offenders is None and not is_skipped and not is_given_up(placed.at):
                self._next = placed
                return
            self._next = None
            if offenders is not None and not is_skipped:
                self._count(placed.at, set(entries), offenders)

    def _following(self) -> PlacedFixture | None:
        """The next fixture of the plan, of a wave that was added since if there is one; None at its end."""
        placed = next(self._fixtures, None)
        if placed is None and self._waves < len(self._plan.waves):
            start = self._plan.positions(self._waves).start
            self._waves = len(self._plan.waves)
            self._fixtures = self._plan.onward(start)
            placed = next(self._fixtures, None)
        return placed

    def _count(self, at: int, entries: Set[str], offenders: Set[str]) -> None:
        self._played.update(entries)
        self._faults.update(offenders)
        for entry in offenders:
            end = self._exempt.get(entry)
            faults, played = self._faults[entry], self._played[entry]
            if are_too_many(faults, played) and (end is None or at < end):
                self.found.setdefault(entry, Suspension(entry, at, faults, played, end))
