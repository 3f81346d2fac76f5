"""A machine that plays for a runner elsewhere. It knows bots, processes and cores, but not what carries its messages.

A node has a place for each of its cores. A place is a `LocalExecutor` with one worker: so bots run as in a league on
one machine, in the same boxes, and a worker that is lost or silent is replaced here, without the runner.
"""

import atexit
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, Self, TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.errors import OurFailure
from referee.runtime.local_bot import read_bot
from referee.runtime.sandbox.self_test import obstacle
from tournaments.play.bot_logs import Words
from tournaments.play.cores import claim
from tournaments.play.nodes.compatibility import about
from tournaments.play.nodes.node_messages import Chunk, Kit, Piece, PieceResult
from tournaments.play.nodes.node_slot import NodeSlot
from tournaments.play.nodes.self_test import ClockStalls
from tournaments.play.nodes.speed_limits import SpeedMeasurement
from tournaments.play.nodes.tree_transfer import ReceivedTrees, TreeMissing
from tournaments.play.run import lock_league
from tournaments.store.run_lock import LockHeld
from tournaments.submissions.tree_cache import TreeCache

_T = TypeVar("_T")

LEAVE_S = 5.0
"""How long a node that is ended waits for the match that a place plays. Its processes die with the node anyway."""


class AnotherRunner(OurFailure):
    """The node plays for another runner now."""


class NodeCannotConfine(OurFailure):
    """Bots cannot be confined on this machine as the league asks."""


class NodeNotEquipped(OurFailure):
    """The node has no kit: no runner gave it one since it was started."""


def home() -> Path:
    """The folder that a node keeps on its machine: the trees of bots, and the locks of nodes that run."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "referee"


class Node:
    """A node. It must be closed."""

    def __init__(self, folder: Path) -> None:
        """Take up work on this machine, after what a killed node left running was ended.

        `folder` is for the trees of bots, and for locks. Several nodes may share it.
        """
        self._folder = folder
        self._resources = ExitStack()
        folder.mkdir(parents=True, exist_ok=True)
        self._run_dir = self._resources.enter_context(_alone(folder))
        self._standstills = ClockStalls()
        self._resources.callback(self._standstills.close)
        self._received = ReceivedTrees(self._run_dir / "received")
        self._bots = ExitStack()  # what goes with the kit
        self._kit = ""
        self._places: list[NodeSlot] = []
        self._measures = count()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def equip(self, kit: Kit, places: int) -> list[str]:
        """Play with this kit from now on, and with no other.

        Up to `places` matches, or batches, may be played at once.

        Returns:
            The digests of the trees whose content must be sent first; if there are any, the node has no kit.

        Raises:
            UserError: a bot cannot be played with here; the text says why.
        """
        self._leave()
        self._received.expect(kit.listings)
        cache = self._bots.enter_context(TreeCache(self._folder / "trees", self._received))
        folders: dict[str, Path] = {}
        lacking = []
        for key in kit.listings:
            try:
                folders[key] = cache.tree(key)
            except TreeMissing:
                lacking.append(key)
        if lacking:
            return lacking
        self._received.clear()
        bots = {
            name: read_bot(folders[key], kit.limits, kit.work.entries[name].terms) for name, key in kit.trees.items()
        }
        if kit.sandbox != "none" and bots:
            hindrance = obstacle(kit.sandbox)
            if hindrance is not None:
                raise NodeCannotConfine(
                    f"{kit.sandbox} does not work there: {hindrance.what}; see `referee doctor` there"
                )
        work = replace(kit.work, bots={**kit.work.bots, **bots})
        for number, core in enumerate(claim(places)):
            logs = self._run_dir / f"logs-{number}" if kit.has_logs else None  # only if the runner stores the output
            self._places.append(NodeSlot(replace(work, logs=logs), core, self._run_dir, self._standstills))
        self._kit = kit.id
        return []

    def take(self, chunks: Sequence[Chunk]) -> None:
        """Take parts of files that were lacking.

        Raises:
            OSError: the disk is full, or cannot be written.
        """
        self._received.take(chunks)

    def play(self, piece: Piece) -> PieceResult:
        """Play a piece, after those that its place was given before.

        Raises:
            NodeNotEquipped: there is no kit.
            AnotherRunner: the kit is another by now.
            NodeClosed: the node was closed, or got another kit, meanwhile.
            WorkersFail: no worker starts on this machine.
            WorkerBug: a worker met a bug.
        """
        self._check_equipped()
        if piece.kit != self._kit:
            raise AnotherRunner("it plays for another runner now")
        return self._places[piece.place].play(piece)

    def measure(self) -> SpeedMeasurement:
        """Measure how quick this machine is, at one place after the other, after what that place was given.

        Raises:
            NodeNotEquipped: there is no kit.
            NodeClosed: the node was closed, or got another kit, meanwhile.
        """
        self._check_equipped()
        return self._places[next(self._measures) % len(self._places)].measure()

    def leave(self, kit: str) -> Words:
        """End all processes that were started for this kit, if it is the one that the node has.

        Returns:
            The last output of their bots.
        """
        return self._leave() if kit == self._kit else {}

    def _check_equipped(self) -> None:
        if not self._kit:
            raise NodeNotEquipped("it was started just now")

    def close(self) -> None:
        """End all processes, and clear away. A match that takes long is not waited for."""
        self._leave(LEAVE_S)
        self._resources.close()

    def _leave(self, patience_s: float | None = None) -> Words:
        self._kit = ""
        for place in self._places:
            place.dismiss()
        for place in self._places:
            place.join(patience_s)
        words: dict[str, bytes] = {}
        for place in self._places:
            for bot, lines in place.words().items():
                words[bot] = words.get(bot, b"") + lines
        self._places.clear()
        self._bots.close()
        self._bots = ExitStack()
        return words


@contextmanager
def _alone(folder: Path) -> Iterator[Path]:
    """A folder for the processes of this node, under the first lock that no other node of this machine holds.

    So what a killed node left running is ended by the next one that starts.
    """
    with ExitStack() as held:
        for number in count():
            try:
                run_dir = held.enter_context(lock_league(folder / f"node-{number}.lock"))
            except LockHeld:
                continue
            yield run_dir
            return


_one = Lock()
_nodes: list[Node] = []
"""The node of this process, once there is one."""


def _here() -> Node:
    with _one:
        if not _nodes:
            _nodes.append(Node(home()))
            atexit.register(_nodes[0].close)
        return _nodes[0]


# The functions that a runner calls on a node.


def introduce() -> dict[str, Any]:
    """The versions and cores of this machine, as plain values: `Compatibility` may have other fields for the runner."""
    plain: dict[str, Any] = msgspec.to_builtins(about())
    return plain


def on_this_node(action: Callable[..., _T], *arguments: object) -> _T:
    """Have the node of this process do something: `action` is a method of `Node`."""
    return action(_here(), *arguments)
