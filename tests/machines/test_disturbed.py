"""Machines that are killed, frozen and cut off while they play: all is noticed, nothing is lost, nothing is doubled."""

import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import networkx
import pytest

from tests.conftest import Tell
from tests.machines.hall import NODES, Hall, hall
from tests.machines.leagues import digest_here, digest_said, slow
from tests.postgresql.cluster import Cluster
from tournaments.results.league_location import NeverRun, league_in
from tournaments.results.stored_league import open_results

pytestmark = [pytest.mark.machines, pytest.mark.process, pytest.mark.timeout(3600)]

NOTICED_S = 15.0


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Hall]:
    with hall(tmp_path) as started:
        started.start()
        yield started


def said_often(machines: Hall, what: str, often: int) -> bool:
    return machines.log("runner").count(what) >= often


def plays(machines: Hall) -> None:
    """Wait until every node plays."""
    machines.wait_for(partial(said_often, machines, "has joined", len(NODES)))


def stored(league: Path, store: str) -> int:
    """How many matches a store has."""
    try:
        with open_results(league_in(league), store) as results:
            return results.store.matches.count()
    except NeverRun:
        return 0


def test_a_node_that_is_killed_frozen_or_cut_off_is_noticed_in_time_and_joins_again(
    machines: Hall, tmp_path: Path
) -> None:
    league = slow(tmp_path / "league", 150, delay_ms=20)
    machines.start_runner(league, f"sqlite:///{tmp_path / 'store.sqlite'}")
    plays(machines)
    harm: dict[str, tuple[Callable[[], None], Callable[[], None]]] = {
        "killed": (lambda: machines.signal("one", signal.SIGKILL), lambda: machines.start_node("one")),
        "frozen": (
            lambda: machines.signal("one", signal.SIGSTOP),
            lambda: machines.signal("one", signal.SIGCONT),
        ),
        "pulled": (lambda: machines.network.pull("one"), lambda: machines.network.plug("one")),
        "dropped": (lambda: machines.network.drop("one"), lambda: machines.network.pass_on("one")),
    }
    noticed = {}
    for number, (name, (do, undo)) in enumerate(harm.items(), start=1):
        do()
        noticed[name] = machines.wait_for(partial(said_often, machines, "plays no more", number))
        undo()
        machines.wait_for(partial(said_often, machines, "has joined", len(NODES) + number))
    print(f"noticed after, in seconds: {noticed}")
    assert max(noticed.values()) < NOTICED_S
    assert digest_said(machines.finish(600)) == digest_here(tmp_path / "here", 150)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
def test_a_run_outlives_its_scheduler(machines: Hall, tmp_path: Path, how: signal.Signals) -> None:
    league = slow(tmp_path / "league", 60, delay_ms=20)
    machines.start_runner(league, f"sqlite:///{tmp_path / 'store.sqlite'}")
    plays(machines)
    machines.signal("scheduler", how)
    noticed = machines.wait_for(lambda: "the scheduler of Dask is lost" in machines.log("runner"))
    if how == signal.SIGSTOP:
        machines.signal("scheduler", signal.SIGKILL)
    machines.start_scheduler()
    assert noticed < NOTICED_S
    assert digest_said(machines.finish(600)) == digest_here(tmp_path / "here", 60)
    assert machines.log("runner").count("has joined") >= 2 * len(NODES)


def test_a_runner_that_is_killed_goes_on_where_it_was_and_its_nodes_end_what_they_played_for_it(
    machines: Hall, tmp_path: Path
) -> None:
    league, store = slow(tmp_path / "league", 60, delay_ms=20), f"sqlite:///{tmp_path / 'store.sqlite'}"
    machines.start_runner(league, store)
    plays(machines)
    machines.wait_for(lambda: stored(league, store) >= 10)
    machines.signal("runner", signal.SIGKILL)
    before = stored(league, store)
    assert digest_said(machines.run(league, store, 600)) == digest_here(tmp_path / "here", 60)
    assert 10 <= before < stored(league, store) == 120


class Vandal:
    """Does each kind of harm after each other kind, and undoes it after a while. It harms a node at random."""

    def __init__(self, machines: Hall, league: Path, store: str, seed: int) -> None:
        self._machines = machines
        self._start_runner = partial(machines.start_runner, league, store, is_hasty=True)
        self._luck = Random(seed)
        self._start_runner()

    def harms(self) -> Iterator[str]:
        """What is done, one after the other, in words."""
        kinds = [self._kill, self._freeze, self._pull, self._drop, self._kill_scheduler, self._kill_runner]
        pairs = [*networkx.eulerian_circuit(networkx.complete_graph(kinds, networkx.DiGraph))]
        for act in (*(first for first, _ in pairs), pairs[0][0]):
            node, long_s = self._luck.choice(NODES), self._luck.uniform(1, 6)
            yield f"{act.__name__.strip('_')} {node}, {long_s:.0f} s"
            act(node, long_s)
            time.sleep(2)

    def _kill(self, node: str, _long_s: float) -> None:
        self._machines.signal(node, signal.SIGKILL)
        self._machines.start_node(node)

    def _freeze(self, node: str, long_s: float) -> None:
        who = self._luck.choice([node, node, node, "scheduler", "runner"])
        self._machines.signal(who, signal.SIGSTOP)
        time.sleep(long_s)
        self._machines.signal(who, signal.SIGCONT)

    def _pull(self, node: str, long_s: float) -> None:
        self._machines.network.pull(node)
        time.sleep(long_s)
        self._machines.network.plug(node)

    def _drop(self, node: str, long_s: float) -> None:
        self._machines.network.drop(node)
        time.sleep(long_s)
        self._machines.network.pass_on(node)

    def _kill_scheduler(self, _node: str, long_s: float) -> None:
        self._machines.signal("scheduler", signal.SIGKILL)
        time.sleep(long_s / 2)
        self._machines.start_scheduler()

    def _kill_runner(self, _node: str, _long_s: float) -> None:
        self._machines.signal("runner", signal.SIGKILL)
        self._start_runner()


def test_whatever_is_killed_frozen_or_cut_off_nothing_is_lost_and_nothing_is_doubled(
    machines: Hall, cluster: Cluster, tmp_path: Path, tell: Tell
) -> None:
    deals = 480
    league, store = slow(tmp_path / "league", deals, delay_ms=20), cluster.new_database_by_socket()
    vandal, done = Vandal(machines, league, store, seed=22), list[str]()
    plays(machines)
    for harm in vandal.harms():
        assert machines.runs("runner"), f"{machines.log('runner')}\n{done}"
        done.append(harm)
    expected = digest_here(tmp_path / "here", deals)
    said = machines.finish(1800)
    assert digest_said(said) == expected
    assert stored(league, store) == 2 * deals
    lost, joined = said.count("plays no more"), said.count("has joined")
    tell("machines disturbed", {"disturbances": len(done), "nodes lost": lost, "joined": joined, "matches": 2 * deals})
