"""The nodes of a run in words."""

from collections import Counter
from collections.abc import Iterator
from typing import get_args

from msgspec.structs import replace

from tournaments.cli.progress import rate
from tournaments.league.status import Fleet, NodeState, NodeStatus


def summary(fleet: Fleet) -> str:
    """How many nodes there are in each state."""
    states = Counter(node.state for node in fleet.nodes)
    parts = [_counted(states[state], state) for state in get_args(NodeState) if states[state]]
    return f"nodes: {', '.join(parts) or 'none yet'}"


def _counted(count: int, state: NodeState) -> str:
    verb = state.removesuffix("s") if count > 1 and state in ("plays", "rests") else state
    return f"{count} {verb}"


def node_lines(fleet: Fleet) -> Iterator[str]:
    """A line for each node."""
    return map(_line, fleet.nodes)


def _line(node: NodeStatus) -> str:
    parts = [node.status_text]
    parts += [f"{node.playing} of {node.places} at once"] if node.places else []
    parts += [rate(node.a_second)] if node.a_second is not None else []
    parts += [f"load {node.load:.1f}"] if node.load is not None else []
    parts += [f"{node.matches:,} played, {node.voids:,} void"]
    if node.start_ms is not None and node.echo_ms is not None:
        parts += [f"start {node.start_ms:,.0f} ms, echo {node.echo_ms:,.1f} ms"]
    return f"{node.node}  {', '.join(parts)}"


def steady(fleet: Fleet) -> Fleet:
    """The nodes without what changes though nothing happens to them."""
    return Fleet(0, tuple(_steady(node) for node in fleet.nodes))


def _steady(node: NodeStatus) -> NodeStatus:
    still = replace(node, playing=0, matches=0, a_second=None, load=None)
    return replace(still, start_ms=None, echo_ms=None, late_ms=None)
