"""The executor whose workers are on other machines.

A node gets pieces of sittings, of a few seconds each. Processes of the runner verify its results before they count. If
a node is lost, others play its pieces. Dask repeats nothing: a piece is sent to one node only.
"""

import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from queue import Empty
from typing import TypeAlias

from msgspec.structs import replace

from referee.core.errors import GameBug, OurFailure, UserError
from referee.core.text import several
from referee.match.transcript import Header
from referee.runtime.local_bot import LocalBot
from tournaments.league.model import FinishedMatch, Fixture, League, Sitting
from tournaments.league.status import Fleet
from tournaments.play.bot_logs import Words, keep
from tournaments.play.events import NodesChanged
from tournaments.play.match_results import BrokenBatch, MatchVoided, Result
from tournaments.play.nodes.dispatch import AssignedPiece, Dispatcher
from tournaments.play.nodes.node_messages import (
    Kit,
    News,
    NodeJoined,
    NodeLost,
    NodeMeasured,
    NodeRefused,
    Nodes,
    PieceDone,
    PieceDropped,
    PieceFailed,
    PieceResult,
    SchedulerLost,
    SchedulerUnreachable,
    TransportBroken,
)
from tournaments.play.nodes.node_pool import WRONG_ALLOWED, PooledNode, SlotAssignment
from tournaments.play.nodes.node_status import NodeStatusList
from tournaments.play.nodes.speed_limits import limits
from tournaments.play.nodes.tree_transfer import TreeSender
from tournaments.play.nodes.verification import SpotChecks, VerificationPool, VerifiedPiece, is_again
from tournaments.play.retry_policy import WorkerCrashes, WorkersFail
from tournaments.play.workers.sitting_supply import SittingSupply
from tournaments.play.workers.worker_messages import PAUSE_S, Crowding, Work, WorkerBug

_LOOK_S = 1.0
"""How often to look whether what was given is still wanted."""

_PATIENCE_S = 5.0
"""How long a run without nodes waits for another one after the last that could start nothing."""

InboxItem: TypeAlias = News | VerifiedPiece

Connect: TypeAlias = Callable[[TreeSender], Nodes]
"""Connects to the nodes of a run. It is given the bots that they will ask for."""


class NodesCannotStart(OurFailure):
    """No node is left: the nodes could start no bot, and not even a program of ours."""


class NodeExecutor:
    """Plays sittings on the nodes of a scheduler. End it with `close`."""

    def __init__(
        self,
        work: Work,
        league: League,
        connect: Connect,
        verification_pool: VerificationPool,
        tell: Callable[[NodesChanged], None],
    ) -> None:
        """Connect to the nodes; they join when there is something to play.

        `tell` is given what happens to nodes.

        Raises:
            FileProblems: a bot cannot be sent to other machines.
            UserError: there is no connection.
        """
        self._league = league
        self._register = NodeStatusList(tell)
        self._verification_pool = verification_pool
        self._again = SpotChecks(league.again)
        self._losses = WorkerCrashes()
        self._shipping = TreeSender(league.folders)
        self._kit = self._packed(work)
        self._cluster: Nodes = connect(self._shipping)
        self._dispatch = Dispatcher(self._cluster, self._again)
        self._hungry: deque[SlotAssignment] = deque()
        self._is_equipped = False
        self._unable: tuple[float, str] | None = None  # when the last node was left out that starts nothing, and why

    @property
    def workers(self) -> int:
        """How many matches, or batches, are played at once now."""
        return max(1, sum(len(node.places) for node in self._nodes.values()))

    @property
    def crowding(self) -> Crowding | None:
        """None: each node knows who else uses its cores."""
        return None

    @property
    def _nodes(self) -> dict[str, PooledNode]:
        return self._dispatch.nodes

    def renew(self, work: Work) -> None:
        """Play with other settings from now on. Nothing may be played meanwhile."""
        self._kit = self._packed(work)
        self._nodes.clear()
        self._is_equipped = False

    def close(self) -> None:
        """Have the nodes end the processes they started. The pieces that they were playing are lost."""
        for words in self._cluster.close():
            self._keep(words)

    def play(self, supply: SittingSupply) -> Iterator[Result | BrokenBatch | Fleet | None]:
        """Yield every result as soon as it is there and holds, as `Executor.play` says. Each node has its own pace.

        Raises:
            SchedulerUnreachable: the scheduler was lost, and waited for in vain.
            WorkerBug: a worker met a bug.
            NodeVerifierLost: a process that judged was killed.
            NodesCannotStart: all nodes were left out because they could start nothing.
        """
        self._dispatch.begin(supply, self._kit.work, self._kit.id)
        self._equip()
        self._feed()
        lately = False  # whether there was a result since the last None
        looked_s = time.monotonic()
        while self._verification_pool.busy or self._dispatch.goes_on:
            try:
                news: InboxItem = self._cluster.inbox.get(timeout=PAUSE_S if lately else _LOOK_S)
            except Empty:
                if lately:
                    lately = False
                    yield None
            else:
                for result in self._hear(news):
                    lately = True
                    yield result
            if time.monotonic() - looked_s >= _LOOK_S:
                looked_s = time.monotonic()
                self._require_able_nodes(looked_s)
                self._dispatch.cancel_unwanted()
                self._measure()
                self._feed()
                if self._register.is_due():
                    yield self._register.fleet(self._nodes, time.time_ns() // 1_000_000, _now_ms())
        self._conclude()

    def _packed(self, work: Work) -> Kit:
        trees = {name: self._shipping.take(bot) for name, bot in work.bots.items() if isinstance(bot, LocalBot)}
        listings = {key: self._shipping.listings[key] for key in sorted(set(trees.values()))}
        elsewhere = {name: bot for name, bot in work.bots.items() if name not in trees}
        bare = replace(work, bots=elsewhere, logs=None)
        self._logs = work.logs
        self._limits = limits(work.clocks)
        has_logs = work.logs is not None
        return Kit(secrets.token_hex(8), bare, trees, listings, self._league.folders, self._league.sandbox, has_logs)

    def _equip(self) -> None:
        if not self._is_equipped:
            self._register.say("waiting", "waiting for nodes")
            self._cluster.equip(self._kit)
            self._is_equipped = True

    def _feed(self) -> None:
        """Give every place what it may have."""
        if self._verification_pool.keep_up:
            self._dispatch.feed(_now_ms())

    def _feed_hungry(self) -> None:
        """Give new pieces to the places whose pieces just arrived. A look at all of a thousand places takes longer."""
        while self._hungry and self._verification_pool.keep_up:
            self._dispatch.feed(_now_ms(), [self._hungry.popleft()])

    def _measure(self) -> None:
        """Have those nodes measure themselves for which it is time."""
        for node in self._nodes.values():
            if node.must_measure(_now_ms()):
                self._cluster.measure(node.name)

    def _require_able_nodes(self, now_s: float) -> None:
        """Check that a node plays, unless all that were there could start nothing and none has joined since.

        Raises:
            NodesCannotStart: none does.
        """
        if self._unable is not None and not self._nodes and now_s - self._unable[0] >= _PATIENCE_S:
            raise NodesCannotStart(
                f"no node can start bots; the last, {self._unable[1]}. No bot is to blame, and no match was used up"
            )

    def _note_unable(self, name: str, reason: str) -> None:
        self._unable = time.monotonic(), f"{name}: {reason}"

    def _take_out(self, node: PooledNode, reason: str) -> None:
        """Give nothing more to a node that can start nothing."""
        if node.name in self._nodes:
            self._note_unable(node.name, reason)
            self._cluster.leave_out(node.name)
            self._register.leave_out(node.name, reason)
            self._put_back_all(node)
            self._feed()

    def _keep(self, words: Words) -> None:
        if self._logs is not None:
            keep(self._logs, self._kit.work.entries, words)

    def _conclude(self) -> None:
        """Report the outcome of the matches that were played a second time, if there were any."""
        same, different = self._again.same, self._again.different
        if different:
            twice = several(same + different, "match that was", "matches that were")
            of_all = f"of {twice} played a second time, {different} came out differently"
            self._register.say("compared", of_all)

    # Events

    def _hear(self, news: InboxItem) -> Iterator[Result | BrokenBatch]:
        match news:
            case PieceDone(number, done):
                self._come(number, done)
            case VerifiedPiece():
                self._verification_pool.count()
                yield from self._take(news)
            case PieceFailed(number, error):
                yield from self._fail(number, error)
            case PieceDropped(number):
                self._give_back(number)
                self._feed()
            case NodeLost(name, why):
                yield from self._lose(name, why)
            case TransportBroken(error):
                raise error
            case _:
                self._hear_of_nodes(news)

    def _hear_of_nodes(self, news: NodeJoined | NodeMeasured | NodeRefused | SchedulerLost) -> None:
        match news:
            case NodeJoined():
                self._take_in(news)
            case NodeMeasured():
                self._find(news)
            case NodeRefused(name, why, cannot_start):
                self._register.refuse(name, why)
                if cannot_start:
                    self._note_unable(name, why)
            case SchedulerLost(for_good):
                self._lose_all(for_good)

    def _take_in(self, joined: NodeJoined) -> None:
        if joined.kit == self._kit.id:
            node = self._nodes[joined.node] = PooledNode(joined.node, joined.places, joined.window)
            node.note_speed(joined.measured, self._limits, _now_ms())
            self._register.join(node, joined.measured)
            self._hungry += node.places
            self._feed_hungry()

    def _find(self, timed: NodeMeasured) -> None:
        """A node that is too slow gives all that it has to others, until it is quick again."""
        node = self._nodes.get(timed.node)
        if node is not None:
            before = node.slow
            node.note_speed(timed.measured, self._limits, _now_ms())
            self._register.measure(node, timed.measured, before)
            if node.slow is not None:
                self._dispatch.relieve(node)
            self._feed()

    def _come(self, number: int, done: PieceResult) -> None:
        given = self._dispatch.take_back(number)
        if given is not None:
            node = given.place.node
            node.note(len(given.piece.fixtures), done.took_s)
            if not is_again(given.piece.sitting):  # it wrote the same before
                self._keep(done.words)
            self._verification_pool.judge(node, given.piece, done, self._kit.work, self._cluster.inbox.put)
            self._hungry.append(given.place)
            self._feed_hungry()

    def _take(self, verified_piece: VerifiedPiece) -> Iterator[Result | BrokenBatch]:
        """The results of a piece or its failure."""
        verified_piece.raise_failure()
        node = verified_piece.node
        unable = _unable(verified_piece.done)
        if is_again(verified_piece.piece.sitting):
            self._compare(verified_piece)
        else:
            yield from self._results(verified_piece)
        self._count(verified_piece)
        if unable is not None:
            self._take_out(node, unable)
        elif node.wrong >= WRONG_ALLOWED:
            yield from self._leave_out(node, f"{several(node.wrong, 'time', 'times')} it sent what does not hold")
        elif node.pace.hopeless:
            yield from self._leave_out(node, "it was too busy for an hour")
        self._feed_hungry()

    def _results(self, verified_piece: VerifiedPiece) -> Iterator[Result | BrokenBatch]:
        """The results of a piece. Other nodes play the matches that it has no result for."""
        node = verified_piece.node
        headers = {header.fixture: header for header in verified_piece.piece.headers}
        left = {fixture.id: fixture for fixture in verified_piece.piece.fixtures}
        for one, verdict in zip(verified_piece.done.results, verified_piece.verdicts, strict=True):
            if isinstance(one, BrokenBatch):
                yield one
            elif isinstance(one, MatchVoided) and one.cannot_start:
                continue  # it did not begin; another node plays it
            elif one.fixture.id not in left:
                node.wrong += 1
            else:
                result = self._result(node, left.pop(one.fixture.id), one if verdict is None else verdict)
                if isinstance(result, FinishedMatch):
                    self._finish(node, headers[result.fixture.id], result)
                yield result
        if left:
            node.wrong += _unable(verified_piece.done) is None
            self._dispatch.put_back(Sitting(verified_piece.piece.sitting, tuple(left.values())))

    def _result(self, node: PooledNode, fixture: Fixture, result: Result | str) -> Result:
        """A result of a node as it counts; the text: why the match does not hold."""
        if isinstance(result, str):
            node.wrong += 1
            return MatchVoided(fixture, f"{node.name}: the transcript does not hold: {result}", elsewhere=True)
        if isinstance(result, MatchVoided):
            if result.busy:
                node.disturb(_now_ms())
            return replace(result, fixture=fixture, reason=f"{node.name}: {result.reason}", elsewhere=True)
        return replace(result, fixture=fixture)

    def _finish(self, node: PooledNode, header: Header, match: FinishedMatch) -> None:
        node.pace.finish()
        self._losses.finish(match.fixture.entries)
        if not match.offenders and not self._kit.work.calls_remote(match.fixture.entries):
            self._again.take(node.name, header, match)

    def _count(self, verified_piece: VerifiedPiece) -> None:
        held = sum(isinstance(verdict, FinishedMatch) for verdict in verified_piece.verdicts)
        voids = sum(isinstance(verdict, str) for verdict in verified_piece.verdicts)
        voids += sum(isinstance(one, MatchVoided) for one in verified_piece.done.results)
        self._register.count(verified_piece.node, held, voids, verified_piece.done.load)

    def _compare(self, verified_piece: VerifiedPiece) -> None:
        """Compare matches that were played a second time with the first. They have no other use."""
        for verdict in verified_piece.verdicts:
            difference = (
                self._again.difference(verified_piece.node.name, verdict)
                if isinstance(verdict, FinishedMatch)
                else None
            )
            if difference is not None:
                self._register.say("different", difference, verified_piece.node.name)
        verified_piece.node.wrong += sum(isinstance(verdict, str) for verdict in verified_piece.verdicts)
        for fixture in verified_piece.piece.fixtures:
            self._again.drop(fixture.id)

    def _fail(self, number: int, error: BaseException) -> Iterator[Result]:
        """Note that a piece was not played, because of an error on its node."""
        given = self._give_back(number)
        if given is None:
            return
        if isinstance(error, WorkerBug | GameBug):
            raise error
        node = given.place.node
        node.failed += 1
        if isinstance(error, WorkersFail):
            self._take_out(node, str(error))
        elif isinstance(error, UserError) or node.failed >= WRONG_ALLOWED:
            yield from self._leave_out(node, str(error) or type(error).__name__)
        self._feed()

    def _give_back(self, number: int) -> AssignedPiece | None:
        """Let others play a piece; None if it is not under way."""
        given = self._dispatch.take_back(number)
        if given is not None:
            self._dispatch.put_back(Sitting(given.piece.sitting, given.piece.fixtures))
        return given

    def _leave_out(self, node: PooledNode, reason: str) -> Iterator[Result]:
        if node.name in self._nodes:
            self._cluster.leave_out(node.name)
            self._register.leave_out(node.name, reason)
            yield from self._hand_over(node, f"it is left out: {reason}")

    def _lose(self, name: str, reason: str) -> Iterator[Result]:
        node = self._nodes.get(name)
        if node is not None:
            self._register.lose(name, reason)
            yield from self._hand_over(node, reason)

    def _hand_over(self, node: PooledNode, reason: str) -> Iterator[Result]:
        """Let others play the pieces of a node that plays no more.

        A bot may be the reason if node after node is lost while it plays. Then a match is void, which counts.
        """
        playing = {piece.fixtures[0].entries for place in node.places for piece in place.pieces.values()}
        for entries in playing:
            self._losses.lose(entries)
        for sitting in self._dispatch.lose(node):
            first, *others = sitting.fixtures
            if self._losses.is_deprioritised(first.entries) and not is_again(sitting.id):
                self._losses.finish(first.entries)  # it begins to count anew
                yield MatchVoided(first, f"{node.name}: {reason}", lost_worker=True, elsewhere=True)
                self._dispatch.put_back(Sitting(sitting.id, tuple(others)))
            else:
                self._dispatch.put_back(sitting)
        self._feed()

    def _lose_all(self, for_good: bool) -> None:
        if for_good:
            raise SchedulerUnreachable(
                "the scheduler of Dask was lost, and waited for in vain; what was played is kept"
            )
        self._register.lose_all(self._nodes)
        for node in list(self._nodes.values()):
            self._put_back_all(node)

    def _put_back_all(self, node: PooledNode) -> None:
        """Let others play the pieces of a node that plays no more. No bot is the reason."""
        for sitting in self._dispatch.lose(node):
            self._dispatch.put_back(sitting)


def _unable(done: PieceResult) -> str | None:
    """Why a node could start nothing for a match of a piece; None if it always could."""
    return next((one.reason for one in done.results if isinstance(one, MatchVoided) and one.cannot_start), None)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
