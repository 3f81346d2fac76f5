"""A league as it stands while it is played: the plan, what is stored, and what follows from both."""

from collections import Counter
from collections.abc import Mapping, Set

from tournaments.model import VOIDS_ALLOWED, Fixture, Plan
from tournaments.suspension import Suspension, Verdict, is_skipped, judge, suspended, worth_judging


class Season:
    """The state of a run. It is told every result, and knows what is still to be played."""

    def __init__(
        self, plan: Plan, offenders: Mapping[str, Set[str]], voids: Counter[str], reinstated: Set[str] = frozenset()
    ) -> None:
        """Take up where the store stands.

        Args:
            plan: in plan order.
            offenders: by id of every fixture with a result, the entries whose fault cut the match short.
            voids: how often each fixture was void, by id.
            reinstated: entries that are exempt from suspension.
        """
        self._plan = plan
        self._position = {fixture.id: at for at, fixture in enumerate(plan)}
        self._offenders = {fixture: set(entries) for fixture, entries in offenders.items()}
        self._voids = voids
        self._reinstated = reinstated
        self._faults = Counter(entry for entries in offenders.values() for entry in entries)
        self._suspensions: dict[str, Suspension] = suspended(self._plan, self._offenders, self._reinstated)

    @property
    def abandoned(self) -> frozenset[str]:
        """The ids of fixtures that were void too often."""
        return frozenset(fixture for fixture, count in self._voids.items() if count >= VOIDS_ALLOWED)

    def verdict(self) -> Verdict:
        """What counts, is skipped, remains and is abandoned, by all that is known. `wanted` goes by it from then on."""
        verdict = judge(self._plan, self._offenders, self._reinstated, self.abandoned)
        self._suspensions = verdict.suspensions
        return verdict

    def wanted(self, fixture: Fixture) -> bool:
        """Whether a fixture that remained a while ago is still to be played."""
        return not is_skipped(fixture, self._position[fixture.id], self._suspensions)

    def settle(self, fixture: str, offenders: Set[str]) -> None:
        """A fixture has its result; `offenders` are the entries whose fault cut it short."""
        self._offenders[fixture] = set(offenders)
        self._faults.update(offenders)
        if any(worth_judging(self._faults[entry]) for entry in offenders):
            self._suspensions = suspended(self._plan, self._offenders, self._reinstated)

    def void(self, fixture: str) -> None:
        """A match of this fixture did not count."""
        self._voids[fixture] += 1
