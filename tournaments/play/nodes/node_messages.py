"""The messages between a runner and its nodes, all of them plain values; and the transport that carries them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec

from referee.core.bot_limits import FolderLimits, Sandbox
from referee.core.errors import OurFailure
from referee.core.tree_listing import File, Symlink
from referee.match.transcript import Header
from tournaments.league.model import Fixture
from tournaments.play.bot_logs import Words
from tournaments.play.match_results import BrokenBatch, Result
from tournaments.play.nodes.speed_limits import SpeedMeasurement
from tournaments.play.workers.worker_messages import Work


class Kit(msgspec.Struct, frozen=True):
    """All that a node needs to play a league.

    Attributes:
        id: no other kit has it, of this run or of another.
        work: the settings that all matches share; of the bots it has only those that are called at an address.
        trees: by entry, the digest of the tree of a bot that is started.
        listings: by digest, the list of files of each of these trees.
        limits: of the bots' folders.
        sandbox: the kind of sandbox they run in.
        has_logs: whether the runner stores the bots' output.
    """

    id: str
    work: Work
    trees: Mapping[str, str]
    listings: Mapping[str, Mapping[str, File | Symlink]]
    limits: FolderLimits
    sandbox: Sandbox
    has_logs: bool = False


class Chunk(msgspec.Struct, frozen=True):
    """A part of a file that a node lacks.

    Attributes:
        sha256: of the whole file, in hex.
        at: where the part begins, in bytes.
        content: the part.
    """

    sha256: str
    at: int
    content: bytes


class Piece(msgspec.Struct, frozen=True):
    """Some matches of a sitting, which one place of a node plays in a few seconds.

    Attributes:
        number: no other piece of the run has it.
        kit: the id of the kit.
        place: which of the node's places plays it, from 0.
        sitting: names the sitting. Pieces of the same sitting are played on the same processes.
        fixtures: the matches, in order; never empty.
        headers: the header of each.
        singly: whether they are played one by one, whatever the bots can do.
    """

    number: int
    kit: str
    place: int
    sitting: str
    fixtures: tuple[Fixture, ...]
    headers: tuple[Header, ...]
    singly: bool


PlayResult: TypeAlias = Result | BrokenBatch


class PieceResult(msgspec.Struct, frozen=True):
    """A piece that was played.

    Attributes:
        results: its results, and batches that broke, in the order of their arrival.
        took_s: how long it took on the node, in seconds.
        load: how many threads wanted a core on the node over the last minute, as its kernel counts.
        words: the output of the bots meanwhile.
    """

    results: tuple[PlayResult, ...]
    took_s: float
    load: float = 0.0
    words: Words = {}


class SchedulerUnreachable(OurFailure):
    """The scheduler does not answer."""


class NodeJoined(NamedTuple):
    """A node is ready to play.

    Attributes:
        node: its address.
        places: how many places it has.
        window: how many pieces each place may have been given.
        kit: the id of its kit.
        measured: the speeds that it measured.
    """

    node: str
    places: int
    window: int
    kit: str
    measured: SpeedMeasurement


class NodeMeasured(NamedTuple):
    """A node has measured itself."""

    node: str
    measured: SpeedMeasurement


class NodeRefused(NamedTuple):
    """A node cannot play.

    Attributes:
        node: its address.
        reason: the reason, which goes after "it".
        cannot_start: whether the reason is that it can start nothing, not even a program of ours.
    """

    node: str
    reason: str
    cannot_start: bool = False


class NodeLost(NamedTuple):
    """A node is lost, and all that it was given."""

    node: str
    reason: str


class PieceDone(NamedTuple):
    """A piece was played."""

    piece: int
    done: PieceResult


class PieceFailed(NamedTuple):
    """A piece was not played, because of an error on the node."""

    piece: int
    error: BaseException


class PieceDropped(NamedTuple):
    """A piece was lost on its way, without anybody's fault."""

    piece: int


class SchedulerLost(NamedTuple):
    """The scheduler is lost, and with it all nodes. `for_good`: it was waited for in vain."""

    for_good: bool


class TransportBroken(NamedTuple):
    """The task that watches the nodes has ended, because of a bug."""

    error: BaseException


News: TypeAlias = (
    NodeJoined
    | NodeMeasured
    | NodeRefused
    | NodeLost
    | PieceDone
    | PieceFailed
    | PieceDropped
    | SchedulerLost
    | TransportBroken
)


class Inbox(Protocol):
    """A queue that any thread may fill."""

    def put(self, item: Any) -> None:
        """Add something."""

    def get(self, *, timeout: float) -> Any:
        """Take the first thing out.

        Raises:
            queue.Empty: nothing arrived for `timeout` seconds.
        """


class Nodes(Protocol):
    """The nodes of a run."""

    @property
    def inbox(self) -> Inbox:
        """Has what happens to them, as `News`. The runner may add messages of its own."""

    def equip(self, kit: Kit) -> None:
        """Have all nodes play with this kit from now on, those that join later as well."""

    def send(self, name: str, piece: Piece) -> None:
        """Have a node play a piece."""

    def cancel(self, name: str, piece: int) -> None:
        """Cancel a piece that a node was given. If the node plays it already, the runner ignores its results."""

    def measure(self, name: str) -> None:
        """Have a node measure itself. `NodeMeasured` has the result."""

    def leave_out(self, name: str) -> None:
        """Give this node nothing more, for the rest of the run."""

    def close(self) -> Sequence[Words]:
        """Have the nodes end the processes they started. Returns the last output of their bots."""
