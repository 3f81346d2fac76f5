"""Workers without processes, in virtual time: each plays a sitting, and dies, hangs or finds the machine broken.

A match is not played by rules. Its result follows from its header, so it is the same whenever it is played.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import NamedTuple

from msgspec.structs import replace

from referee.core.outcome import Outcome, Side, faulted
from referee.match.terms import Clock
from referee.match.transcript import Choice, FaultKind, FaultMark, Header, Metadata, Record, Remark, Spent, Transcript
from tests.nights.faults import (
    AWAY,
    BATCH_BREAKS,
    BOT_FAILS,
    BUSY,
    FOLDER_AWAY,
    NO_PROCESSES,
    NODE_LEAVES,
    NOT_STARTED,
    UNAVAILABLE,
    WORKER_DIES,
    WORKER_HANGS,
)
from tests.nights.leagues import GAME, NightLeague
from tests.nights.world import World
from tests.tournaments.play.rows import row_of, unavailable
from tournaments.league.model import FinishedMatch, Fixture, Sitting, finished
from tournaments.league.status import Fleet
from tournaments.play.match_results import BrokenBatch, MatchPostponed, MatchVoided, Result
from tournaments.play.nodes.node_executor import NodesCannotStart
from tournaments.play.retry_policy import WorkersFail
from tournaments.play.workers.sitting_supply import SittingSupply
from tournaments.play.workers.worker_messages import PAUSE_S, Crowding, Work

_SILENCE_MS = 60_000
_PAUSE_MS = round(PAUSE_S * 1_000)
_STILLBORN = 3
"""So many workers in a row that do not come up are no accident."""


class Matches:
    """The result of every match of a league, each computed once."""

    def __init__(self, night: NightLeague) -> None:
        self._night = night
        self._played: dict[tuple[str, str], FinishedMatch] = {}

    def of(self, fixture: Fixture, header: Header) -> FinishedMatch:
        """The match of a fixture with this header."""
        key = (fixture.id, header.deal_seed + header.match_id)
        if key not in self._played:
            self._played[key] = finished(fixture, self._play(header))
        return self._played[key]

    def _play(self, header: Header) -> Transcript:
        seats = range(len(header.entries))
        sides = GAME.sides(GAME.options_type(**header.options), len(seats))
        guilty = frozenset(seat for seat in seats if self._is_guilty(header, seat))
        outcome = faulted(sides, len(seats), guilty) if guilty else _outcome(header, sides)
        faults = tuple(FaultMark(seat, 1, FaultKind.CRASH) for seat in sorted(guilty))
        choices = tuple(Choice(seat, _roll(header.bot_seeds[seat], "chooses", 3)) for seat in seats)
        remarks = tuple(Remark(fault.seat, 1, "it crashed", "") for fault in faults)
        aside = Metadata(Clock(), tuple(Spent(seat, 10) for seat in seats), remarks, tuple("/" for _ in seats))
        return Transcript(Record(header, (), choices, faults, outcome), aside)

    def _is_guilty(self, header: Header, seat: int) -> bool:
        percent = self._night.failing.get(header.entries[seat], 0)
        return _roll(header.bot_seeds[seat], "fails", 100) < percent


def _outcome(header: Header, sides: tuple[Side, ...]) -> Outcome:
    teams = [side.seats for side in sides] or [(seat,) for seat in range(len(header.entries))]
    points = {seats: _roll(header.bot_seeds[seats[0]], "plays", 4) for seats in teams}
    places = {seat: 1 + sum(other > points[seats] for other in points.values()) for seats in teams for seat in seats}
    return Outcome("sold", tuple(places[seat] for seat in range(len(header.entries))), sides)


def _roll(seed: str, what: str, sides: int) -> int:
    return int.from_bytes(sha256(f"{seed} {what}".encode()).digest()[:4]) % sides


class _Playing(NamedTuple):
    """A match that is played: when it ends, at which worker, and how."""

    ends_ms: int
    worker: int
    result: Result


class VirtualExecutor:
    """Plays sittings on workers that do not exist. An `Executor`; with nodes, as one whose workers are elsewhere."""

    def __init__(self, world: World, night: NightLeague, matches: Matches, begun: Callable[[Fixture], None]) -> None:
        """`begun` is called when a match begins."""
        self._begun = begun
        self._world = world
        self._night = night
        self._remote = {entry.name for entry in night.league.entries if entry.remote}
        self._moved = night.league.entries[0].name
        self._batch = 1 if night.league.fresh else night.league.batch
        self._matches = matches
        self._stillborn = 0

    @property
    def workers(self) -> int:
        return self._night.workers

    @property
    def crowding(self) -> Crowding | None:
        return None

    def renew(self, work: Work) -> None:
        self._remote |= {entry.name for entry in work.entries.values() if entry.remote}

    def play(self, supply: SittingSupply) -> Iterator[Result | BrokenBatch | Fleet | None]:
        for result in self._results(supply):
            if result is not None and not isinstance(result, Fleet):
                self._world.note_row(row_of(result))
            yield result

    def _results(self, supply: SittingSupply) -> Iterator[Result | BrokenBatch | Fleet | None]:
        world = self._world
        own: list[deque[Fixture]] = [deque() for _ in range(self.workers)]
        playing: list[_Playing] = []
        last_ms = world.passed_ms
        if self._night.has_nodes:
            yield Fleet(world.passed_ms, ())
        while True:
            world.step()
            yield from self._feed(supply, own, playing)
            if not playing:
                return
            first = min(playing)
            if last_ms + _PAUSE_MS < first.ends_ms:
                world.pass_until(last_ms + _PAUSE_MS)
                yield None
            world.pass_until(first.ends_ms)
            playing.remove(first)
            last_ms = world.passed_ms
            yield first.result

    def _feed(self, supply: SittingSupply, own: list[deque[Fixture]], playing: list[_Playing]) -> Iterator[BrokenBatch]:
        """Give idle workers their next match, those that have begun a sitting first."""
        idle = set(range(self.workers)) - {each.worker for each in playing}
        for worker in sorted(idle, key=lambda each: (not own[each], each)):
            begun = None
            while begun is None and len(playing) < supply.at_once:
                if not own[worker]:
                    sitting = supply.next(Counter())
                    if sitting is None:
                        break
                    own[worker].extend(sitting.fixtures)
                    yield from self._break(sitting, supply)
                begun = self._begin(own[worker].popleft(), worker, supply)
            if begun is not None:
                playing.append(begun)

    def _break(self, sitting: Sitting, supply: SittingSupply) -> Iterator[BrokenBatch]:
        """A batch may break. Its matches are then played one by one."""
        entries = sitting.fixtures[0].entries
        if self._batch > 1 and not supply.singly(sitting) and self._world.happens(BATCH_BREAKS):
            yield BrokenBatch(entries, self._world.rng.choice((None, *entries)), "the batch broke")

    def _begin(self, fixture: Fixture, worker: int, supply: SittingSupply) -> _Playing | None:
        header = supply.header(fixture)
        if header is None:
            return None
        self._begun(fixture)
        took_ms, result = self._try(fixture, header)
        if self._night.has_nodes and isinstance(result, MatchVoided):
            result = replace(result, elsewhere=True)
        return _Playing(self._world.passed_ms + took_ms, worker, result)

    def _try(self, fixture: Fixture, header: Header) -> tuple[int, Result]:
        """How long an attempt at a match takes, in milliseconds, and its result."""
        failure = self._failure(fixture)
        if failure is not None:
            return failure
        result = self._matches.of(fixture, header)
        for entry in (name for name in dict.fromkeys(fixture.entries) if name in self._remote):
            if self._world.happens(UNAVAILABLE):
                return self._takes_ms(), unavailable(result, entry)
        if result.offenders:
            self._world.strikes[BOT_FAILS] += 1
        return self._takes_ms(), result

    def _failure(self, fixture: Fixture) -> tuple[int, Result] | None:
        """The same if something goes wrong; None if nothing does."""
        world = self._world
        if world.lasts(NO_PROCESSES):
            return 5, self._cannot_start(fixture)
        self._stillborn = 0
        for entry in fixture.entries:
            fault = AWAY if entry in self._remote else FOLDER_AWAY
            if (entry in self._remote or entry == self._moved) and world.lasts(fault):
                world.strike(fault, entry)
                return 50, MatchPostponed(fixture, entry, "nobody answers")
        if world.lasts(BUSY):
            world.strike(BUSY)
            rests_ms = 60_000 if self._night.has_nodes else 3_000  # a node has a pace of its own
            return rests_ms, MatchVoided(fixture, "the bot waited for a core", busy=True)
        return self._accident(fixture)

    def _accident(self, fixture: Fixture) -> tuple[int, Result] | None:
        world = self._world
        if world.happens(WORKER_DIES):
            return self._takes_ms(), MatchVoided(fixture, "a worker process was lost", lost_worker=True)
        if world.happens(WORKER_HANGS):
            silent = f"a worker process was silent for {_SILENCE_MS // 1_000} s"
            return _SILENCE_MS, MatchVoided(fixture, silent, lost_worker=True)
        if self._night.has_nodes and world.happens(NODE_LEAVES):
            return self._takes_ms(), MatchVoided(fixture, "the node left", lost_worker=True)
        if world.happens(NOT_STARTED):
            return 100, MatchVoided(fixture, "the bot was not started: out of memory")
        return None

    def _takes_ms(self) -> int:
        return self._world.rng.randrange(1, self._night.longest_ms)

    def _cannot_start(self, fixture: Fixture) -> MatchVoided:
        """What becomes of a match if nothing can be started, not even the probe. At times no worker comes up either."""
        self._world.strike(NO_PROCESSES)
        if self._night.has_nodes:
            raise NodesCannotStart("no node can start bots")
        self._stillborn += 1
        if self._stillborn >= _STILLBORN and self._world.rng.random() < 0.1:
            raise WorkersFail(f"{_STILLBORN} workers in a row were lost before they could play")
        return MatchVoided(fixture, "this machine can start no program: setpriv is missing", cannot_start=True)
