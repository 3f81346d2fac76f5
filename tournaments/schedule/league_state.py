"""The state of a league while it is played: its waves, the stored results, and the conclusions from both.

The fixtures are not kept in memory. A fixture with a result is one bit at its position in the plan. The remaining
fixtures are computed on demand.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple, TypeAlias

from tournaments.league.deals import OPEN, ClosedDeals
from tournaments.league.model import Fixture, Sitting, StoredMatch, StoredVoid
from tournaments.league.roster import NOTHING_DECIDED, OrganizerDecisions
from tournaments.schedule.counting_rules import (
    LeagueVerdict,
    SkippedFixtures,
    abandoned_fixtures,
    closed_waves,
    exempt,
    gone_by_wave,
    judge,
    undecided,
    withdrawn_positions,
)
from tournaments.schedule.formats.format import Format
from tournaments.schedule.formats.plan import Plan
from tournaments.schedule.formats.wave import LineUp, PlacedFixture, PlayOrder, ascending
from tournaments.schedule.suspension import Suspension, suspended, worth_judging

Results: TypeAlias = Callable[[], Iterable[StoredMatch]]
"""Reads every stored result, in any order."""


class JudgedMatch(NamedTuple):
    """A stored result, and whether it counts.

    Attributes:
        placed: its fixture and its position in the plan; None if it is no longer in the plan.
        counts: whether it is in the plan and not skipped.
        played: the result.
    """

    placed: PlacedFixture | None
    counts: bool
    played: StoredMatch


class LeagueState:
    """The state of a league. It gets every result and knows the remaining matches.

    Attributes:
        plan: the waves so far.
        voids: how often a match was void.
        busy_voids: how often because the machine was too busy.
        decisions: what the organizer decided, as far as it was considered so far.
        undecided: the abandoned fixtures of pairings that do not count, as the last verdict says.
    """

    def __init__(
        self,
        league_format: Format,
        offenders: Iterable[tuple[str, Set[str]]],
        voids: Iterable[StoredVoid],
        results: Results,
        decisions: Callable[[], OrganizerDecisions] = lambda: NOTHING_DECIDED,
        closing: ClosedDeals = OPEN,
    ) -> None:
        """Begin with the contents of the store.

        Args:
            league_format: gives the waves.
            offenders: for every stored result: the id of its fixture, and the entries whose fault cut the match short.
            voids: every void match.
            results: reads the stored results, when a whole wave is evaluated.
            decisions: asked at first, and whenever no wave follows: what the organizer decided so far.
            closing: which deals are closed. Fixtures without a result on them are not played any more.
        """
        self.plan = Plan()
        self._format = league_format
        self._results = results
        self._closing = closing
        self._noted = _ResultLedger(self.plan)
        self.voids = 0
        self.busy_voids = 0
        self._voids_of: Counter[str] = Counter()
        for void in voids:
            self.void(void)
        self._ask = decisions
        self.decisions = decisions()
        self._suspensions: dict[str, Suspension] = {}
        self.undecided: Sequence[PlacedFixture] = ()
        self._first = 0  # no matches remain in the waves before
        self._over = 0  # no matches remain at the positions before, as far as it was looked
        self._unplanned: Iterable[tuple[str, Set[str]]] = offenders  # results that are in no wave so far
        self.goes_on()

    def goes_on(self) -> bool:
        """Whether matches remain: in this wave, or in the next wave if this one is settled."""
        while not self.verdict().remaining:
            wave = self._format.wave(len(self.plan.waves), self)
            if wave is None:
                if self.take_up_decisions():
                    continue
                return False
            self._first = len(self.plan.waves)
            self.plan.add(wave)
            self._unplanned = [result for result in self._unplanned if not self._take_up(*result)]
        return True

    def verdict(self) -> LeagueVerdict:
        """The verdict on all results so far. From then on `wanted` and `sittings` follow it."""
        verdict = judge(self.plan, self._noted, self._counted_voids, self.decisions, self._closing)
        self._suspensions = verdict.suspensions | verdict.lifted
        self.undecided = verdict.undecided
        return verdict

    def is_wanted(self, fixture: Fixture) -> bool:
        """Whether a fixture that remained when its sitting was made is still to be played."""
        skips = self._skips
        return not skips or not skips.has(self.plan.position(fixture), fixture.entries)

    def sittings(self, batch: int = 1, order: PlayOrder = ascending) -> Iterator[Sitting]:
        """The remaining fixtures in the order of play, as sittings. Each sitting is made only when it is taken.

        `batch` says how many matches of a sitting may be played at once; `order` is the order of play within a piece.
        """
        out = {placed.at for placed in self._given_up()}

        def remains(at: int, line_up: LineUp) -> bool:
            return at not in self._noted.positions and at not in out and not self._skips.has(at, line_up.entries)

        first = max(self._first, closed_waves(self.plan, self._closing))
        return self.plan.sittings(remains, first, batch, order)

    def settle(self, fixture: Fixture, offenders: Set[str]) -> None:
        """Note that a fixture has its result; `offenders` are the entries whose fault cut the match short."""
        self._noted.note(self.plan.position(fixture), fixture.entries, offenders)
        if any(worth_judging(self._noted.faults[entry]) for entry in offenders):
            gone = withdrawn_positions(self.plan, self._noted, self.decisions.withdrawn)
            free = exempt(self.plan, self.decisions)
            self._suspensions = suspended(self._noted.matches, self._noted.offenders, free, gone)

    def take_up_decisions(self) -> bool:
        """Consider what the organizer has decided meanwhile. Returns whether it was anything."""
        before, self.decisions = self.decisions, self._ask()
        if self.decisions == before:
            return False
        if self.decisions.retried != before.retried:
            self._note_again()
        self._first = self._over = 0
        return True

    def _note_again(self) -> None:
        """Note the stored results anew: the organizer may have made some of them void."""
        stored = {each.fixture: each.offenders for each in self._results()}
        noted, self._noted = self._noted, _ResultLedger(self.plan)
        self._unplanned = [each for each in stored.items() if not self._take_up(*each)]
        for name in self.decisions.retried.keys() - stored.keys():
            placed = self.plan.find(name)
            if placed and placed.at in noted.positions:
                self.void(StoredVoid(name, "", 0, counts=False))

    def void(self, void: StoredVoid) -> None:
        """Note a void match."""
        self.voids += 1
        self.busy_voids += void.busy
        self._voids_of[void.fixture] += void.counts or not (void.busy or void.forgiven)

    @property
    def _counted_voids(self) -> Mapping[str, int]:
        """By fixture, how many void matches count: all that ever did, without those of before it was taken up again."""
        retried = self.decisions.retried
        return {name: count - retried.get(name, 0) for name, count in self._voids_of.items()}

    def counted(self) -> list[tuple[Fixture, StoredMatch]]:
        """Every stored result that counts, with its fixture, in plan order."""
        return [(stored.placed.fixture, stored.played) for stored in self.stored() if stored.placed and stored.counts]

    def stored(self) -> list[JudgedMatch]:
        """Every stored result: those in the plan, in plan order, then those no longer in the plan, sorted by id."""
        skips = self._skips
        found = [self._judged_match(played, skips) for played in self._results()]
        found.sort(key=lambda each: each.placed.at if each.placed else math.inf)
        planned = sum(each.placed is not None for each in found)
        found[planned:] = sorted(found[planned:], key=lambda each: each.played.fixture)
        return found

    def _judged_match(self, played: StoredMatch, skips: SkippedFixtures) -> JudgedMatch:
        placed = self.plan.find(played.fixture)
        counts = placed is not None and not skips.has(placed.at, placed.fixture.entries)
        return JudgedMatch(placed, counts, played)

    def _take_up(self, fixture_id: str, offenders: Set[str]) -> bool:
        """Note a stored result if its fixture is in one of the waves so far. Returns whether it is."""
        placed = self.plan.find(fixture_id)
        if placed is not None:
            self._noted.note(placed.at, placed.fixture.entries, offenders)
        return placed is not None

    @property
    def suspensions(self) -> Mapping[str, Suspension]:
        """The suspensions that the next wave would find, by entry."""
        return {entry: found for entry, found in self._suspensions.items() if found.until is None}

    @property
    def decided_suspensions(self) -> Mapping[str, Suspension]:
        """The suspensions that no match can change any more: all matches before them in the plan are over."""
        found = self.verdict().suspensions
        out, skips = {placed.at for placed in self._given_up()}, self._skips
        for at, fixture in self.plan.onward(self._over) if found else ():
            if at not in self._noted.positions and at not in out and not skips.has(at, fixture.entries):
                break
            self._over = at + 1
        return {entry: each for entry, each in found.items() if each.at < self._over}

    def _given_up(self) -> Iterable[PlacedFixture]:
        return abandoned_fixtures(self.plan, self._noted, self._counted_voids)

    @property
    def gone(self) -> Sequence[Set[str]]:
        """By wave, the entries that were suspended or withdrawn by its end."""
        return gone_by_wave(self.plan, self._suspensions, self.decisions.withdrawn)

    def unplayed(self) -> tuple[PlacedFixture, ...]:
        """The fixtures that make a pairing count for nothing, also if the league was closed before they were played.

        In waves before the last one these are the abandoned ones. In the last one they are all that have no result.
        """
        if not self.plan.waves:
            return ()
        start, skips = self.plan.positions(len(self.plan.waves) - 1).start, self._skips
        lacking = [each for each in self._given_up() if each.at < start]
        lacking += self._noted.unsettled([PlacedFixture(self.plan.position(it), it) for it in self.plan.waves[-1]])
        return undecided(self.plan, [each for each in lacking if not skips.has(each.at, each.fixture.entries)])

    @property
    def _skips(self) -> SkippedFixtures:
        return SkippedFixtures(self.plan, self._suspensions, self.decisions.withdrawn)


class _ResultLedger:
    """The ledger of a season, in memory.

    Attributes:
        positions: those of the results.
        faults: by entry, how many matches its fault cut short.
    """

    def __init__(self, plan: Plan) -> None:
        self.positions = _Positions()
        self.matches: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
        self.offenders: dict[int, Set[str]] = {}
        self.faults: Counter[str] = Counter()
        self._plan = plan

    def note(self, at: int, entries: tuple[str, ...], offenders: Set[str]) -> None:
        """Note the result of the fixture at a position."""
        self.positions.add(at)
        for entry in set(entries):
            self.matches[entry].append(at)
        if offenders:
            self.offenders[at] = offenders
            self.faults.update(offenders)

    def __len__(self) -> int:
        return len(self.positions)

    def settled(self, waves: int) -> int:
        return self.positions.below(self._plan.since(waves)[0]) if waves else 0

    def unsettled(self, fixtures: Collection[PlacedFixture]) -> Iterable[PlacedFixture]:
        return [placed for placed in fixtures if placed.at not in self.positions]


class _Positions:
    """A set of numbers that lie close together, one bit for each."""

    _BITS = 1 << 13

    def __init__(self) -> None:
        self._pages: defaultdict[int, bytearray] = defaultdict(lambda: bytearray(self._BITS // 8))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, number: int) -> bool:
        page, bit = divmod(number, self._BITS)
        return page in self._pages and bool(self._pages[page][bit >> 3] >> (bit & 7) & 1)

    def below(self, end: int) -> int:
        """How many are smaller than this number."""
        last, bits = divmod(end, self._BITS)
        whole = sum(int.from_bytes(page, "little").bit_count() for at, page in self._pages.items() if at < last)
        rest = int.from_bytes(self._pages[last], "little") if last in self._pages else 0
        return whole + (rest & ((1 << bits) - 1)).bit_count()

    def add(self, number: int) -> None:
        if number not in self:
            page, bit = divmod(number, self._BITS)
            self._pages[page][bit >> 3] |= 1 << (bit & 7)
            self._count += 1
