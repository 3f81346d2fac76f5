"""The executor whose workers are on other machines.

A node is given pieces of sittings, of a few seconds each. What it sends is judged in processes of the runner before it
counts. If a node is lost, others play what it was given. Dask repeats nothing: a piece is sent to one node only.
"""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import count
from queue import Empty
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from referee.core.errors import OurFailure, Told
from referee.core.limits import FolderLimits
from referee.match.transcript import Header
from referee.shell.local import LocalBot
from tournaments.executors.local import WorkerBug
from tournaments.executors.queue import Queue
from tournaments.executors.subordinate import signals_held_back
from tournaments.executors.work import PAUSE_S, BrokenBatch, Crowding, Result, Voided, Work
from tournaments.losses import IN_A_ROW
from tournaments.machines.again import TOGETHER, Again, is_again
from tournaments.machines.fleet import WRONG_ALLOWED, Node, Place
from tournaments.machines.messages import Done, Kit, Piece
from tournaments.machines.news import (
    Came,
    Failed,
    Joined,
    Left,
    News,
    Nodes,
    Refused,
    SchedulerAway,
    SchedulerLost,
)
from tournaments.machines.trees import Shipping
from tournaments.machines.trust import Expected, all_judged
from tournaments.model import Finished, Fixture, Sitting

_LOOK_S = 1.0
"""How often to look whether what was given is still wanted."""

_BACKLOG = 4
"""Pieces for each process that judges, above which nodes are given nothing: they are faster than the runner."""


class JudgesLost(OurFailure):
    """A process that judged what nodes sent was killed."""


class Judges(NamedTuple):
    """Who judges what nodes send.

    Attributes:
        pool: runs `all_judged`.
        processes: how many of them run at once.
    """

    pool: Executor
    processes: int


class Judged(NamedTuple):
    """What came of a piece, with a verdict on each finished match that was told of."""

    node: Node
    piece: Piece
    done: Done
    verdicts: list[Finished | str | None]
    error: BaseException | None


class _Asked(NamedTuple):
    """What the runner wants played, as it asked `play`."""

    queue: Queue
    header: Callable[[Fixture], Header]
    wanted: Callable[[Fixture], bool]
    singly: Callable[[tuple[str, ...]], bool]


Heard: TypeAlias = News | Judged

Connect: TypeAlias = Callable[[Shipping], Nodes]
"""Connects to the nodes of a run. It is given the bots that they will ask for."""


class MachinesExecutor:
    """Plays sittings on the nodes of a scheduler. End it with `close`."""

    def __init__(
        self,
        work: Work,
        limits: FolderLimits,
        connect: Connect,
        judges: Judges,
        tell: Callable[[str], None],
        again: float = 0.0,
    ) -> None:
        """Connect to the nodes; they join when there is something to play.

        Args:
            work: the settings that all matches share.
            limits: of the bots' folders.
            connect: makes the connection.
            judges: judge what nodes send. They are not closed here.
            tell: is given a sentence when nodes come and go.
            again: the share of matches that are played a second time on another node.

        Raises:
            FileProblems: a bot cannot be sent to other machines.
            Told: there is no connection.
        """
        self._limits = limits
        self._tell = tell
        self._shipping = Shipping(limits)
        self._kit = self._packed(work)
        self._nodes: dict[str, Node] = {}
        self._given: dict[int, Place] = {}
        self._judging = 0
        self._lost: Counter[tuple[str, ...]] = Counter()
        self._voids: list[Voided] = []
        self._numbers = count()
        self._judges = judges
        self._again = Again(again)
        self._far: Nodes = connect(self._shipping)
        self._is_equipped = False

    @property
    def workers(self) -> int:
        """How many matches, or batches, are played at once now."""
        return max(1, sum(len(node.places) for node in self._nodes.values()))

    @property
    def crowding(self) -> Crowding | None:
        """None: each node knows who else uses its cores."""
        return None

    def renew(self, work: Work) -> None:
        """Play with other settings from now on. Nothing may be played meanwhile."""
        self._kit = self._packed(work)
        self._nodes.clear()
        self._is_equipped = False

    def close(self, at_once: bool = False) -> None:  # noqa: ARG002 - nothing that was given out is waited for
        """Have the nodes end what they started. What they were playing is lost."""
        self._far.close()

    def play(
        self,
        sittings: Iterable[Sitting],
        header: Callable[[Fixture], Header],
        wanted: Callable[[Fixture], bool],
        at_once: Callable[[], int],  # noqa: ARG002 - each node has a pace of its own
        singly: Callable[[tuple[str, ...]], bool],
    ) -> Iterator[Result | BrokenBatch | None]:
        """Yield every result as soon as it is there and holds, as `Executor.play` says.

        Raises:
            SchedulerAway: the scheduler was lost, and waited for in vain.
            WorkerBug: a worker met a bug.
            JudgesLost: a process that judged was killed.
        """
        if not self._is_equipped:
            self._tell("waiting for nodes")
            self._far.equip(self._kit)
            self._is_equipped = True
        asked = _Asked(Queue(sittings, self._kit.work.entries), header, wanted, singly)
        self._feed(asked, self._places())
        lately = False  # whether there was a result since the last None
        looked_s = time.monotonic()
        while self._given or self._judging or self._remains(asked):
            try:
                news: Heard = self._far.inbox.get(timeout=PAUSE_S if lately else _LOOK_S)
            except Empty:
                if lately:
                    lately = False
                    yield None
            else:
                for result in self._hear(news, asked):
                    lately = True
                    yield result
            if time.monotonic() - looked_s >= _LOOK_S:
                looked_s = time.monotonic()
                self._look(asked)
        if self._again.different:
            same, different = self._again.same, self._again.different
            self._tell(
                f"of {same + different} matches that were played a second time, {different} came out differently"
            )

    # What to play

    def _packed(self, work: Work) -> Kit:
        trees = {name: self._shipping.take(bot) for name, bot in work.bots.items() if isinstance(bot, LocalBot)}
        listings = {key: self._shipping.listings[key] for key in sorted(set(trees.values()))}
        elsewhere = {name: bot for name, bot in work.bots.items() if name not in trees}
        bare = replace(work, bots=elsewhere, logs=None)
        return Kit(secrets.token_hex(8), bare, trees, listings, self._limits)

    def _places(self) -> list[Place]:
        """All places, first those that have begun a sitting."""
        return sorted((place for node in self._nodes.values() for place in node.places), key=lambda it: not it.left)

    def _remains(self, asked: _Asked) -> bool:
        waits = asked.queue or self._again.waits(self._nodes.keys())
        return bool(waits) or any(place.left for node in self._nodes.values() for place in node.places)

    def _look(self, asked: _Asked) -> None:
        """Take back what is not wanted any more, and give out what may be given."""
        for number, place in list(self._given.items()):
            if not any(map(asked.wanted, place.given[number].fixtures)):
                self._far.cancel(place.node.name, number)
                self._take_back(number)
        if not self._nodes:
            _drop_unwanted(asked)
        self._feed(asked, self._places())

    def _feed(self, asked: _Asked, places: Iterable[Place]) -> None:
        """Give these places pieces, as many as they may have. A place that must rest gives its sitting to others."""
        now_ms = _now_ms()
        for place in places:
            if place.left and not place.may_play(now_ms):
                self._put_back(asked, place.rest())
            while self._keeps_up() and place.may_have_more(now_ms) and self._seat(place, asked):
                self._give(place, asked)

    def _keeps_up(self) -> bool:
        """Whether what comes is judged about as fast as it comes."""
        return self._judging < _BACKLOG * self._judges.processes

    def _seat(self, place: Place, asked: _Asked) -> bool:
        """Whether the place has a sitting, or can begin one."""
        if place.left:
            return True
        if place.given and self._calls_remote(place.entries):
            return False  # what it holds now is not free for others yet
        sitting = self._next(place, asked)
        if sitting is not None:
            name = f"{sitting.id}/{next(self._numbers)}"
            place.begin(sitting, name, asked.singly(sitting.fixtures[0].entries))
        return sitting is not None

    def _next(self, place: Place, asked: _Asked) -> Sitting | None:
        """What a place should begin: what others played before, if there is enough of it or nothing else is left."""
        name = place.node.name
        return (
            self._again.next(name, TOGETHER)
            or asked.queue.next(self._held(place))
            or self._shared()
            or self._again.next(name, 1)
        )

    def _held(self, but: Place) -> Counter[str]:
        """How many seats remote bots hold in sittings of other places."""
        if not any(entry.remote for entry in self._kit.work.entries.values()):
            return Counter()
        busy = (place for place in self._places() if place is not but and (place.given or place.left))
        return Counter(entry for place in busy for entry in place.entries)

    def _calls_remote(self, entries: Sequence[str]) -> bool:
        return any(self._kit.work.entries[name].remote for name in entries)

    def _shared(self) -> Sitting | None:
        """Half of what the place with most to do has left, when nothing else is left to begin."""
        most = max(self._places(), key=lambda place: len(place.left))
        if len(most.left) < 2 * self._length(most) or self._calls_remote(most.entries):
            return None
        return most.halve()

    def _length(self, place: Place) -> int:
        return place.node.length(self._kit.work.batch)

    def _give(self, place: Place, asked: _Asked) -> None:
        number = next(self._numbers)
        piece = place.cut(number, self._kit.id, asked.header, asked.wanted, self._length(place))
        if piece is not None:
            self._given[number] = place
            self._far.send(place.node.name, piece)

    def _take_back(self, number: int) -> Piece:
        return self._given.pop(number).given.pop(number)

    # What comes

    def _hear(self, news: Heard, asked: _Asked) -> Iterator[Result | BrokenBatch]:
        match news:
            case Came(number, done):
                if number in self._given:  # not if it was cancelled, or its node was lost
                    place = self._given[number]
                    self._judge(place.node, self._take_back(number), done)
                    self._feed(asked, [place])
            case Judged():
                self._judging -= 1
                yield from self._count(news, asked)
            case Failed(number, error):
                if number in self._given:
                    self._fail(number, error, asked)
                    self._feed(asked, self._places())
            case Joined():
                self._take_in(news, asked)
            case Refused(name, why):
                self._tell(f"{name} does not play: {why}")
            case Left(name, why):
                self._lose(name, why, asked)
            case SchedulerLost(for_good):
                self._lose_all(for_good, asked)
        yield from self._voids
        self._voids.clear()

    def _take_in(self, joined: Joined, asked: _Asked) -> None:
        if joined.kit == self._kit.id:
            node = self._nodes[joined.node] = Node(joined.node, joined.places, joined.window)
            self._tell(f"{node.name} has joined; it plays {joined.places} at once")
            self._feed(asked, node.places)

    def _judge(self, node: Node, piece: Piece, done: Done) -> None:
        """Have what came judged by another process."""
        node.note(len(piece.fixtures), done.took_s)
        expected = self._expected(piece)
        held = [(expected.get(one.fixture.id), one) if isinstance(one, Finished) else None for one in done.told]
        with signals_held_back():
            verdicts = self._judges.pool.submit(all_judged, held)
        self._judging += 1
        verdicts.add_done_callback(partial(self._judged, node, piece, done))

    def _judged(self, node: Node, piece: Piece, done: Done, verdicts: "Future[list[Finished | str | None]]") -> None:
        """Called in another thread."""
        if not verdicts.cancelled():
            error = verdicts.exception()
            self._far.inbox.put(Judged(node, piece, done, [] if error else verdicts.result(), error))

    def _expected(self, piece: Piece) -> dict[str, Expected]:
        """By fixture, what a match of the piece is held to."""
        entries = self._kit.work.entries
        expected = {}
        for fixture, header in zip(piece.fixtures, piece.headers, strict=True):
            line_up = [entries[name] for name in fixture.entries]
            terms = tuple(entry.terms for entry in line_up)
            places = tuple(entry.place for entry in line_up)
            expected[fixture.id] = Expected(fixture, header, self._kit.work.clock, terms, places)
        return expected

    def _count(self, judged: Judged, asked: _Asked) -> Iterator[Result | BrokenBatch]:
        """What came of a piece."""
        if isinstance(judged.error, BrokenProcessPool):
            raise JudgesLost("a process that judged what nodes sent was killed; what was stored is safe")
        if judged.error is not None:
            raise judged.error
        node = judged.node
        if is_again(judged.piece.sitting):
            self._compare(judged)
        else:
            yield from self._counted(judged, asked)
        if node.wrong >= WRONG_ALLOWED:
            self._leave_out(node, f"{node.wrong} times it sent what does not hold", asked)
        elif node.pace.hopeless:
            self._leave_out(node, "it was too busy for an hour", asked)

    def _compare(self, judged: Judged) -> None:
        """Compare matches that were played a second time with the first. Nothing else comes of them."""
        for verdict in judged.verdicts:
            difference = self._again.difference(judged.node.name, verdict) if isinstance(verdict, Finished) else None
            if difference is not None:
                self._tell(difference)
        judged.node.wrong += sum(isinstance(verdict, str) for verdict in judged.verdicts)
        for fixture in judged.piece.fixtures:
            self._again.drop(fixture.id)

    def _counted(self, judged: Judged, asked: _Asked) -> Iterator[Result | BrokenBatch]:
        """The results of a piece. What was not told of is played by others."""
        node = judged.node
        headers = {header.fixture: header for header in judged.piece.headers}
        left = {fixture.id: fixture for fixture in judged.piece.fixtures}
        for one, verdict in zip(judged.done.told, judged.verdicts, strict=True):
            if isinstance(one, BrokenBatch):
                yield one
            elif one.fixture.id not in left:
                node.wrong += 1
            else:
                result = self._result(node, left.pop(one.fixture.id), one if verdict is None else verdict)
                if (
                    isinstance(result, Finished)
                    and not result.offenders
                    and not self._calls_remote(one.fixture.entries)
                ):
                    self._again.take(node.name, headers[one.fixture.id], result)
                yield result
        if left:
            node.wrong += 1
            self._put_back(asked, Sitting(judged.piece.sitting, tuple(left.values())))

    def _result(self, node: Node, fixture: Fixture, result: Result | str) -> Result:
        """A result of a node as it counts; the text: why the match does not hold."""
        if isinstance(result, str):
            node.wrong += 1
            return Voided(fixture, f"{node.name}: the transcript does not hold: {result}", elsewhere=True)
        if isinstance(result, Finished):
            node.played += 1
            node.pace.finish()
            self._lost.pop(fixture.entries, None)
            return result
        if isinstance(result, Voided):
            if result.busy:
                node.disturb(_now_ms())
            return replace(result, fixture=fixture, reason=f"{node.name}: {result.reason}", elsewhere=True)
        return replace(result, fixture=fixture)

    def _fail(self, number: int, error: BaseException, asked: _Asked) -> None:
        """Note that a piece was not played, because of an error on its node."""
        if isinstance(error, WorkerBug):
            raise error
        node = self._given[number].node
        piece = self._take_back(number)
        self._put_back(asked, Sitting(piece.sitting, piece.fixtures))
        node.failed += 1
        if isinstance(error, Told) or node.failed >= WRONG_ALLOWED:
            self._leave_out(node, str(error) or type(error).__name__, asked)

    def _leave_out(self, node: Node, why: str, asked: _Asked) -> None:
        if node.name in self._nodes:
            self._far.leave_out(node.name)
        self._lose(node.name, f"it is left out: {why}", asked)

    def _lose(self, name: str, why: str, asked: _Asked) -> None:
        """Let others play what a node was given, if it is one of ours.

        Who plays when node after node is lost may be the reason. Then a match is void, which counts.
        """
        node = self._nodes.pop(name, None)
        if node is None:
            return
        self._tell(f"{name} plays no more: {why}; others play what it was given")
        for place in node.places:
            for number, piece in place.given.items():
                del self._given[number]
                self._lost[piece.fixtures[0].entries] += 1
            for sitting in place.give_back():
                self._put_back(asked, self._without_suspect(sitting, f"{name}: {why}"))
        self._feed(asked, self._places())

    def _without_suspect(self, sitting: Sitting, why: str) -> Sitting:
        """What is left of a sitting that was lost with a node, if its first match is void because of that."""
        entries = sitting.fixtures[0].entries
        if self._lost[entries] < IN_A_ROW or is_again(sitting.id):
            return sitting
        self._lost[entries] = 0
        self._voids.append(Voided(sitting.fixtures[0], why, lost_worker=True, elsewhere=True))
        return Sitting(sitting.id, sitting.fixtures[1:])

    def _lose_all(self, for_good: bool, asked: _Asked) -> None:
        if for_good:
            raise SchedulerAway("the scheduler of Dask was lost, and waited for in vain; what was played is kept")
        self._tell("the scheduler of Dask is lost; the run goes on when it is there again, and nodes have joined")
        for node in self._nodes.values():
            for place in node.places:
                for sitting in place.give_back():
                    self._put_back(asked, sitting)
        self._nodes.clear()
        self._given.clear()

    def _put_back(self, asked: _Asked, sitting: Sitting) -> None:
        """Let what is left of a sitting wait for a place."""
        if is_again(sitting.id):
            self._again.put_back(sitting)
        elif sitting.fixtures:
            asked.queue.put_back(sitting)


def _drop_unwanted(asked: _Asked) -> None:
    """Drop the sittings of which nothing is wanted, from the first: nobody else would while there is no node."""
    while (sitting := asked.queue.next(Counter())) is not None:
        if any(map(asked.wanted, sitting.fixtures)):
            asked.queue.put_back(sitting)
            return


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
