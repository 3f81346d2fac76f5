"""How nodes are, listed and said."""

from msgspec.structs import replace

from tests.tournaments.play.nodes.nodes import QUICK
from tournaments.play.events import NodesChanged
from tournaments.play.nodes.node_pool import PooledNode
from tournaments.play.nodes.node_status import NodeStatusList


class Room:
    """A register with a clock that the test moves."""

    def __init__(self) -> None:
        self.said: list[NodesChanged] = []
        self.now_s = 100.0
        self.register = NodeStatusList(self.said.append, lambda: self.now_s)

    def join(self, name: str, places: int = 2) -> PooledNode:
        node = PooledNode(name, places, 2)
        self.register.join(node, QUICK)
        return node


def test_the_rate_is_that_of_the_last_minute_and_outlives_a_loss() -> None:
    room = Room()
    node = room.join("one")
    for _ in range(4):
        room.now_s += 10
        room.register.count(node, 20, 1, load=1.5)
    (one,) = room.register.fleet({"one": node}, 5, 0).nodes
    assert (one.matches, one.voids, one.a_second, one.load) == (80, 4, 2.0, 1.5)
    room.register.lose("one", "it was unplugged")
    (one,) = room.register.fleet({}, 5, 0).nodes
    assert (one.state, one.why, one.matches, one.a_second) == ("lost", "it was unplugged", 80, None)
    again = room.join("one")
    (one,) = room.register.fleet({"one": again}, 5, 0).nodes
    assert (one.state, one.why, one.matches) == ("plays", "", 80)


def test_a_node_that_was_too_busy_rests_until_its_time() -> None:
    room = Room()
    node = room.join("one", places=1)
    node.disturb(now_ms=1_000)
    assert [each.state for each in room.register.fleet({"one": node}, 0, 1_500).nodes] == ["rests"]
    assert [each.state for each in room.register.fleet({"one": node}, 0, 2_500).nodes] == ["plays"]


def test_however_many_nodes_come_and_go_the_list_stays_short_and_names_the_last() -> None:
    room = Room()
    for number in range(1_000):
        room.join(f"node-{number}")
        room.register.lose(f"node-{number}", "it was unplugged")
    nodes = [each.node for each in room.register.fleet({}, 0, 0).nodes]
    assert nodes == [f"node-{number}" for number in range(980, 1_000)]
    assert len(room.register._records) == 20


def test_a_node_says_that_it_rests_once_and_that_it_plays_again_once() -> None:
    room = Room()
    node = room.join("one")
    slow = replace(QUICK, echo_ms=900.0)
    for why, measured in [("is slow", slow), ("is slow", slow), (None, QUICK), (None, QUICK)]:
        before, node.slow = node.slow, why
        room.register.measure(node, measured, before)
    assert [event.what for event in room.said] == ["joined", "rests", "plays"]
    assert {event.node for event in room.said} == {"one"}


def test_a_list_is_due_at_intervals() -> None:
    room = Room()
    due = []
    for _ in range(20):
        room.now_s += 1
        due.append(room.register.is_due())
    assert due.count(True) == 4
