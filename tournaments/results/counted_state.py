"""How far a league is, from counts that the store makes. It takes neither the memory nor the time of reading results.

The verdict is that of a season (`tournaments.schedule.league_state`) on the same results, and is made by the same
function.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from tournaments.league.deals import OPEN, ClosedDeals
from tournaments.league.model import StoredVoid
from tournaments.league.roster import OrganizerDecisions
from tournaments.schedule.counting_rules import LeagueVerdict, gone_by_wave, judge, often_void
from tournaments.schedule.formats.format import Counted, Format
from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.formats.wave import PlacedFixture, Wave, spelled
from tournaments.schedule.suspension import Suspension
from tournaments.store import StoreCounts


class CountedState:
    """A league at one moment.

    Attributes:
        plan: the waves so far.
        voids: how often a match was void.
        busy_voids: how often because the machine was too busy.
        counted: reads every match that counts, in plan order.
        decisions: what the organizer decided.
    """

    def __init__(
        self,
        format_: Format,
        counting: StoreCounts,
        voids: Iterable[StoredVoid],
        decisions: OrganizerDecisions,
        counted: Counted,
        closing: ClosedDeals = OPEN,
    ) -> None:
        """Count what is stored.

        `counted` reads every match that counts. Only a format that decides by results calls it.
        """
        self.counted = counted
        self.decisions = decisions
        self.plan = Plan()
        every = list(voids)
        self.voids = len(every)
        self.busy_voids = sum(void.busy for void in every)
        counted_voids = Counter(void.fixture for void in every if void.counts)
        ledger = _CountedLedger(self.plan, counting, often_void(counted_voids))
        self._verdict = judge(self.plan, ledger, counted_voids, decisions, closing)
        while not self._verdict.remaining and (wave := format_.wave(len(self.plan.waves), self)) is not None:
            self.plan.add(wave)
            ledger.add(wave)
            self._verdict = judge(self.plan, ledger, counted_voids, decisions, closing)

    def verdict(self) -> LeagueVerdict:
        """The verdict on the results."""
        return self._verdict

    @property
    def suspensions(self) -> Mapping[str, Suspension]:
        """The suspensions that the next wave would find, by entry."""
        return self._verdict.suspensions

    @property
    def undecided(self) -> Sequence[PlacedFixture]:
        """The abandoned fixtures of pairings that do not count."""
        return self._verdict.undecided

    @property
    def gone(self) -> Sequence[Set[str]]:
        """By wave, the entries that were suspended or withdrawn by its end."""
        return gone_by_wave(self.plan, self._verdict.suspensions | self._verdict.lifted, self.decisions.withdrawn)


class _CountedLedger:
    """The ledger of a plan, counted in the store with a few questions, however many waves the plan has.

    Attributes:
        matches: by entry, the positions of its results. Only those of entries with many faults are ever asked for.
        offenders: by position, the entries whose fault cut the match short.
    """

    def __init__(self, plan: Plan, counting: StoreCounts, often_void: Iterable[str]) -> None:
        """Nothing is planned yet. `often_void` are the fixtures, by id, that may be abandoned."""
        self._plan = plan
        self._counting = counting
        self._settled = [0]
        self._rest: _Rest | None = None
        self._played = counting.among(often_void)
        self._faults = _Waiting(counting.faults())
        self.offenders: defaultdict[int, set[str]] = defaultdict(set)
        self.matches = _Positions(plan, counting)

    def add(self, wave: Wave) -> None:
        """Take up the results of a wave that was added to the plan."""
        self._settled.append(self._settled[-1] + self._results(wave))
        for fixture, entry in self._faults.on(wave.deals):
            placed = self._plan.find(fixture)
            if placed is not None:
                self.offenders[placed.at].add(entry)
        self.matches.add(wave)

    def _results(self, wave: Wave) -> int:
        """How many results a wave has. The store counts those of the first, which may be all; the rest is read once."""
        if len(self._plan.waves) == 1:
            counts = self._counting.line_ups(wave.deals)
            return sum(found.results for found in counts if wave.has(found.line_up, found.rotation))
        if self._rest is None:
            self._rest = _Rest(self._counting.since(wave.deals.start))
        return sum(wave.find(spelled(fixture)) is not None for fixture in self._rest.on(wave.deals))

    def __len__(self) -> int:
        return self._settled[-1]

    def settled(self, waves: int) -> int:
        return self._settled[waves]

    def unsettled(self, fixtures: Collection[PlacedFixture]) -> Iterable[PlacedFixture]:
        return [placed for placed in fixtures if placed.fixture.id not in self._played]


class _Positions(dict[str, "array[int]"]):
    """By entry, the positions of its results. They are read when they are first asked for."""

    def __init__(self, plan: Plan, counting: StoreCounts) -> None:
        super().__init__()
        self._plan = plan
        self._counting = counting
        self._waiting: dict[str, _Waiting] = {}

    def __missing__(self, entry: str) -> "array[int]":
        self._waiting[entry] = _Waiting((fixture, entry) for fixture in set(self._counting.of(entry)))
        self[entry] = array("q")
        for wave in self._plan.waves:
            self._place(entry, wave)
        return self[entry]

    def add(self, wave: Wave) -> None:
        """Take up the results of a wave that was added to the plan."""
        for entry in self:
            self._place(entry, wave)

    def _place(self, entry: str, wave: Wave) -> None:
        found = (self._plan.find(fixture) for fixture, _ in self._waiting[entry].on(wave.deals))
        self[entry].extend(placed.at for placed in found if placed)


class _Waiting:
    """Fixtures with an entry each, until the wave that may have them is issued."""

    def __init__(self, fixtures: Iterable[tuple[str, str]]) -> None:
        self._by_deal: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
        for fixture, entry in fixtures:
            self._by_deal[spelled(fixture).deal].append((fixture, entry))

    def on(self, deals: range) -> Iterator[tuple[str, str]]:
        """Those on some deals. They wait no longer."""
        few = deals if len(deals) < len(self._by_deal) else list(self._by_deal)
        for deal in few:
            if deal in deals:
                yield from self._by_deal.pop(deal, ())


class _Rest:
    """Results that are read deal by deal, as the waves that may have them are issued."""

    def __init__(self, results: Iterator[tuple[int, str]]) -> None:
        self._results = results
        self._next = next(results, None)

    def on(self, deals: range) -> Iterator[str]:
        """The fixture ids of those on some deals, which come after all deals that were asked for before."""
        while self._next is not None and self._next[0] < deals.stop:
            deal, fixture = self._next
            if deal in deals:
                yield fixture
            self._next = next(self._results, None)
