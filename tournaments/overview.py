"""How far a league is, from counts that the store makes. It takes neither the memory nor the time of reading results.

The verdict is that of a season (`tournaments.season`) on the same results, and is made by the same function.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Set

from tournaments.formats.format import Counted, Format
from tournaments.formats.plan import Plan
from tournaments.formats.wave import Placed, Wave
from tournaments.model import StoredVoid
from tournaments.season import NOBODY, Verdict, judge
from tournaments.store import Counting
from tournaments.suspension import Suspension


class Overview:
    """A league at one moment.

    Attributes:
        plan: the waves so far.
        voids: how often a match was void.
        busy_voids: how often because the machine was too busy.
        counted: reads every match that counts, in plan order.
    """

    def __init__(
        self,
        format_: Format,
        counting: Counting,
        voids: Iterable[StoredVoid],
        reinstated: Set[str],
        counted: Counted,
        withdrawn: Mapping[int, Set[str]] = NOBODY,
    ) -> None:
        """Count what is stored.

        Args:
            format_: gives the waves.
            counting: counts the results.
            voids: every void match.
            reinstated: entries that are exempt from suspension.
            counted: reads every match that counts. Only a format that decides by results calls it.
            withdrawn: by the number of a wave, from 0: the entries that were withdrawn while it was played.
        """
        self.counted = counted
        self.plan = Plan()
        every = list(voids)
        self.voids = len(every)
        self.busy_voids = sum(void.busy for void in every)
        counted_voids = Counter(void.fixture for void in every if void.counts)
        ledger = _Counted(self.plan, counting)
        self._verdict = judge(self.plan, ledger, counted_voids, reinstated, withdrawn)
        while not self._verdict.remaining and (wave := format_.wave(len(self.plan.waves), self)) is not None:
            self.plan.add(wave)
            ledger.add(wave)
            self._verdict = judge(self.plan, ledger, counted_voids, reinstated, withdrawn)

    def verdict(self) -> Verdict:
        """The verdict on the results."""
        return self._verdict

    @property
    def suspensions(self) -> Mapping[str, Suspension]:
        """The suspensions, by entry."""
        return self._verdict.suspensions


class _Counted:
    """The ledger of a plan, counted in the store.

    Attributes:
        matches: by entry, the positions of its results. Only those of entries with many faults are ever asked for.
        offenders: by position, the entries whose fault cut the match short.
    """

    def __init__(self, plan: Plan, counting: Counting) -> None:
        self._plan = plan
        self._counting = counting
        self._settled = 0
        self.offenders: Mapping[int, Set[str]] = {}
        self.matches: Mapping[str, array[int]] = {}

    def add(self, wave: Wave) -> None:
        """Take up the results of a wave that was added to the plan."""
        self._settled += sum(
            found.results for found in self._counting.line_ups(wave.deals) if wave.has(found.line_up, found.rotation)
        )
        offenders: defaultdict[int, set[str]] = defaultdict(set)
        for fixture, entry in self._counting.faults():
            placed = self._plan.find(fixture)
            if placed is not None:
                offenders[placed.at].add(entry)
        self.offenders = offenders
        self.matches = _Positions(self._plan, self._counting)

    def __len__(self) -> int:
        return self._settled

    def unsettled(self, fixtures: Collection[Placed]) -> Iterable[Placed]:
        settled = self._counting.among(placed.fixture.id for placed in fixtures)
        return [placed for placed in fixtures if placed.fixture.id not in settled]


class _Positions(dict[str, "array[int]"]):
    """By entry, the positions of its results. They are read when they are first asked for."""

    def __init__(self, plan: Plan, counting: Counting) -> None:
        super().__init__()
        self._plan = plan
        self._counting = counting

    def __missing__(self, entry: str) -> "array[int]":
        found = (self._plan.find(fixture) for fixture in set(self._counting.of(entry)))
        self[entry] = array("q", (placed.at for placed in found if placed))
        return self[entry]
