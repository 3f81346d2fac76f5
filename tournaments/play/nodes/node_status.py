"""The status of the nodes of a run: it reports changes, and lists all nodes for viewers."""

import time
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from tournaments.league.status import Fleet, NodeState, NodeStatus
from tournaments.play.events import NodesChanged
from tournaments.play.nodes.node_pool import PooledNode
from tournaments.play.nodes.speed_limits import SpeedMeasurement
from tournaments.results.live_status import MatchRate

LIST_S = 5.0
"""How often the list is made."""

_GONE = 20
"""So many of the nodes are listed that are gone. A node that is started again has another address."""


class _StateReason(NamedTuple):
    state: NodeState
    reason: str


class NodeStatusList:
    """The nodes of a run, those that are gone as well."""

    def __init__(self, tell: Callable[[NodesChanged], None], now_s: Callable[[], float] = time.monotonic) -> None:
        """`tell` is given what happens; `now_s` gives seconds."""
        self._tell = tell
        self._now_s = now_s
        self._records: dict[str, _Record] = {}
        self._gone: dict[str, _StateReason] = {}
        self._listed_s = 0.0

    # Events

    def say(self, change: str, text: str, node: str | None = None) -> None:
        """Something happened that changes nothing in the list."""
        self._tell(NodesChanged(node, change, text))

    def join(self, node: PooledNode, measured: SpeedMeasurement) -> None:
        """A node has joined, perhaps again."""
        self._gone.pop(node.name, None)
        self._records.setdefault(node.name, _Record(self._now_s()))
        self.say("joined", f"{node.name} has joined; it plays {len(node.places)} at once", node.name)
        self.measure(node, measured, None)

    def measure(self, node: PooledNode, measured: SpeedMeasurement, slow_before: str | None) -> None:
        """A node has measured itself. Before that it was `slow_before`, or quick enough."""
        record = self._records[node.name]
        record.measured, record.load = measured, measured.load
        if node.slow is not None and slow_before is None:
            self.say("rests", f"{node.name} rests: it {node.slow}; others play its matches", node.name)
        elif node.slow is None and slow_before is not None:
            self.say("plays", f"{node.name} is quick enough again, and plays", node.name)

    def count(self, node: PooledNode, matches: int, voids: int, load: float) -> None:
        """Count the valid and the void matches that arrived from a node."""
        record = self._records[node.name]
        record.matches += matches
        record.voids += voids
        record.load = load
        record.speed.note(self._now_s(), record.matches)

    def refuse(self, name: str, reason: str) -> None:
        """A node cannot play."""
        self._leave(name, "refused", reason)
        self.say("refused", f"{name} does not play: {reason}", name)

    def lose(self, name: str, reason: str) -> None:
        """A node is lost with all that it was given."""
        self._leave(name, "lost", reason)
        self.say("lost", f"{name} plays no more: {reason}; others play its matches", name)

    def leave_out(self, name: str, reason: str) -> None:
        """A node is given nothing more for the rest of the run."""
        self._leave(name, "left out", reason)
        text = f"{name} plays no more: it is left out: {reason}; others play its matches"
        self.say("left out", text, name)

    def lose_all(self, nodes: Iterable[str]) -> None:
        """The scheduler is lost, and all nodes with it."""
        for name in nodes:
            self._leave(name, "lost", "lost its scheduler")
        self.say(
            "scheduler",
            "the scheduler of Dask is lost; the run goes on when it is there again, and nodes have joined",
        )

    def _leave(self, name: str, state: NodeState, reason: str) -> None:
        self._gone.pop(name, None)  # it goes to the end
        self._gone[name] = _StateReason(state, reason)
        while len(self._gone) > _GONE:
            first = next(iter(self._gone))
            del self._gone[first]
            self._records.pop(first, None)

    # The list

    def is_due(self) -> bool:
        """Whether it is time to make the list again. It is not due again for a while."""
        now_s = self._now_s()
        if now_s - self._listed_s < LIST_S:
            return False
        self._listed_s = now_s
        return True

    def fleet(self, nodes: Mapping[str, PooledNode], at_ms: int, now_ms: int) -> Fleet:
        """The list.

        Args:
            nodes: those that play, or may play again, by address.
            at_ms: the moment, in milliseconds since 1970 (UTC).
            now_ms: the same moment by the clock of the nodes' rests.
        """
        here = (self._status(name, *_state(node, now_ms), node) for name, node in sorted(nodes.items()))
        gone = (self._status(name, *how, None) for name, how in self._gone.items() if name not in nodes)
        return Fleet(at_ms, tuple(chain(here, gone)))

    def _status(self, name: str, state: NodeState, reason: str, node: PooledNode | None) -> NodeStatus:
        record = self._records.get(name) or _Record(self._now_s())
        record.speed.note(self._now_s(), record.matches)
        measured = record.measured
        return NodeStatus(
            node=name,
            state=state,
            why=reason,
            places=0 if node is None else len(node.places),
            playing=0 if node is None else node.playing,
            matches=record.matches,
            voids=record.voids,
            a_second=None if node is None else record.speed.a_second,
            load=record.load,
            start_ms=None if measured is None else measured.start_ms,
            echo_ms=None if measured is None else measured.echo_ms,
            late_ms=None if measured is None else measured.late_ms,
        )


class _Record:
    """The counts of a node's matches, whether or not it was lost in between."""

    def __init__(self, now_s: float) -> None:
        self.measured: SpeedMeasurement | None = None
        self.load: float | None = None
        self.matches = 0
        self.voids = 0
        self.speed = MatchRate()
        self.speed.note(now_s, 0)


def _state(node: PooledNode, now_ms: int) -> _StateReason:
    if node.slow is not None:
        return _StateReason("rests", node.slow)
    if node.rest_until_ms > now_ms:
        return _StateReason("rests", "was too busy for a match")
    return _StateReason("plays", "")
