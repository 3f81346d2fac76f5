"""The nodes of a run in words."""

from msgspec.structs import replace

from tests.tournaments.store.test_side_tables import FLEET, NODE
from tournaments.cli.progress import node_lines, steady, summary
from tournaments.league.status import Fleet


def test_the_summary_counts_nodes_by_state() -> None:
    assert summary(FLEET) == "nodes: 1 plays, 1 lost"
    resting = replace(NODE, state="rests", why="was too busy for a match")
    assert summary(Fleet(0, (NODE, NODE, resting))) == "nodes: 2 play, 1 rests"
    assert summary(Fleet(0, ())) == "nodes: none yet"


def test_a_line_says_how_a_node_is_and_what_came_from_it() -> None:
    plays, lost = node_lines(FLEET)
    assert plays == (
        "tls://10.0.0.1:9  plays, 1 of 2 at once, 2/s, load 0.7, 30 played, 1 void, start 200 ms, echo 0.4 ms"
    )
    assert lost.startswith("tls://10.0.0.2:9  lost: it was unplugged, 2/s")
    (rests,) = node_lines(Fleet(0, (replace(NODE, state="rests", why="was too busy", load=None, a_second=None),)))
    assert rests.startswith("tls://10.0.0.1:9  rests: it was too busy, 1 of 2 at once, 30 played")


def test_what_changes_though_nothing_happens_is_no_change() -> None:
    later = replace(NODE, matches=40, load=1.2, a_second=2.0, playing=2, echo_ms=0.5)
    assert steady(Fleet(7, (later,))) == steady(Fleet(9, (NODE,)))
    assert steady(Fleet(7, (replace(NODE, voids=2),))) != steady(Fleet(7, (NODE,)))
    assert steady(Fleet(7, (replace(NODE, state="rests"),))) != steady(Fleet(7, (NODE,)))
