"""The events of a runner's nodes, and the interface of the transport that carries its messages to them."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from referee.core.errors import OurFailure
from tournaments.play.nodes.node_messages import Kit, Piece, PieceResult
from tournaments.play.nodes.remote_logs import Words
from tournaments.play.nodes.speed_limits import SpeedMeasurement


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
