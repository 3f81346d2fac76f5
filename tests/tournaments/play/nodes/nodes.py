"""Nodes without machines. They play in random order, and disappear, lie or fail when a test says so."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import Empty
from random import Random
from typing import Any, NamedTuple

from tests.tournaments.play.nodes.leagues import altered, played
from tournaments.league.model import finished
from tournaments.play.bot_logs import Words
from tournaments.play.match_results import MatchVoided
from tournaments.play.nodes.node_messages import (
    Kit,
    NodeJoined,
    NodeLost,
    NodeMeasured,
    Piece,
    PieceDone,
    PieceDropped,
    PieceFailed,
    PieceResult,
    PlayResult,
)
from tournaments.play.nodes.speed_limits import SpeedMeasurement


class Here(Executor):
    """Judges at once, in this process."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> "Future[Any]":
        done: Future[Any] = Future()
        done.set_result(function(*arguments, **named))
        return done


QUICK = SpeedMeasurement(start_ms=200.0, echo_ms=0.4, late_ms=0.1, load=0.5)
SLOW = SpeedMeasurement(start_ms=200.0, echo_ms=900.0, late_ms=0.1, load=8.0)


class Given(NamedTuple):
    node: str
    piece: Piece


def honest(piece: Piece) -> PieceResult:
    """What a piece comes to. A match takes 10 ms."""
    told = [finished(fixture, played(header)) for fixture, header in zip(piece.fixtures, piece.headers, strict=True)]
    return PieceResult(tuple(told), 0.01 * len(told))


def sly(piece: Piece) -> PieceResult:
    """Legal matches, with other choices than those of the bots."""
    told = [finished(fixture, altered(header)) for fixture, header in zip(piece.fixtures, piece.headers, strict=True)]
    return PieceResult(tuple(told), 0.01 * len(told))


def busy(piece: Piece) -> PieceResult:
    """A machine that is too busy for every match."""
    return PieceResult(tuple(MatchVoided(fixture, "no core was free", busy=True) for fixture in piece.fixtures), 1.0)


def dishonest(piece: Piece) -> PieceResult:
    """Every match ends too early."""
    done = honest(piece)
    told: list[PlayResult] = []
    for one, header in zip(done.results, piece.headers, strict=True):
        match = played(header)
        cut = type(match)(_without_last_choice(match.record), match.metadata)
        told.append(finished(one.fixture, cut))  # type: ignore[union-attr]
    return PieceResult(tuple(told), done.took_s)


def _without_last_choice(record: Any) -> Any:
    return type(record)(record.header, record.luck, record.choices[:-1], record.faults, record.outcome)


class FakeNodes:
    """An inbox in which something is as soon as somebody looks: matches in progress are then played, in any order.

    Attributes:
        kits: all that were given.
        sent: every piece with its node.
        cancelled: the numbers of pieces that were cancelled.
        left_out: the nodes that were left out.
        most: by node, the most pieces that it had at once.
        before: is called before each look.
        speed: how quick nodes are that are not `QUICK`.
        measured: the nodes that were asked to measure themselves.
        words: what bots write at last.
    """

    def __init__(self, nodes: dict[str, int], seed: int = 0, window: int = 2) -> None:
        """`nodes` have so many places each."""
        self.nodes = dict(nodes)
        self.kits: list[Kit] = []
        self.sent: list[Given] = []
        self.cancelled: list[int] = []
        self.left_out: list[str] = []
        self.closed = False
        self.most: dict[str, int] = {}
        self.plays: dict[str, Callable[[Piece], PieceResult]] = {}
        self.before: Callable[[], None] = lambda: None
        self.speed: dict[str, SpeedMeasurement] = {}
        self.measured: list[str] = []
        self.words: list[Words] = []
        self._window = window
        self._luck = Random(seed)
        self._news: list[Any] = []
        self._under_way: list[Given] = []

    @property
    def inbox(self) -> "FakeNodes":
        return self

    def equip(self, kit: Kit) -> None:
        self.kits.append(kit)
        self._under_way.clear()
        for name in self.nodes:
            self.join(name)

    def send(self, name: str, piece: Piece) -> None:
        assert piece.kit == self.kits[-1].id
        self.sent.append(Given(name, piece))
        self._under_way.append(Given(name, piece))
        has = sum(given.node == name for given in self._under_way)
        self.most[name] = max(self.most.get(name, 0), has)

    def cancel(self, name: str, piece: int) -> None:
        self.cancelled.append(piece)
        self._under_way = [given for given in self._under_way if (given.node, given.piece.number) != (name, piece)]

    def leave_out(self, name: str) -> None:
        self.left_out.append(name)
        self._forget(name)

    def measure(self, name: str) -> None:
        self.measured.append(name)

    def time(self, name: str) -> None:
        """A node has measured itself."""
        self._news.append(NodeMeasured(name, self.speed.get(name, QUICK)))

    def close(self) -> list[Words]:
        self.closed = True
        return self.words

    def put(self, item: object) -> None:
        self._news.append(item)

    def get(self, *, timeout: float) -> object:
        assert timeout > 0
        self.before()
        if not self._news:
            self._play()
        return self._news.pop(0)

    def join(self, name: str) -> None:
        """A node joins."""
        measured = self.speed.get(name, QUICK)
        self._news.append(NodeJoined(name, self.nodes[name], self._window, self.kits[-1].id, measured))

    def lose(self, name: str) -> None:
        """A node is lost with all that it was given."""
        self._forget(name)
        self._news.append(NodeLost(name, "it was unplugged"))

    def forget_all(self) -> None:
        """All is lost that is under way, and nobody says so."""
        self._under_way.clear()

    def come_again(self) -> None:
        """The oldest sent message arrives, even again, and even if its node is lost."""
        for given in self.sent[:1]:
            self._news.append(PieceDone(given.piece.number, honest(given.piece)))

    def drop_all(self) -> None:
        """All pieces that are under way are lost on their way."""
        self._news += [PieceDropped(given.piece.number) for given in self._under_way]
        self._under_way.clear()

    def fail(self, error: BaseException) -> None:
        """An error comes for a piece that is under way, instead of results."""
        if self._under_way:
            given = self._under_way.pop(0)
            self._news.append(PieceFailed(given.piece.number, error))

    def _play(self) -> None:
        if not self._under_way:
            raise Empty
        node, piece = self._under_way.pop(self._luck.randrange(len(self._under_way)))
        self._news.append(PieceDone(piece.number, self.plays.get(node, honest)(piece)))

    def _forget(self, name: str) -> None:
        self._under_way = [given for given in self._under_way if given.node != name]
