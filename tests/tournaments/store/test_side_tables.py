"""The store keeps the state of nodes for viewers, as long as a run plays."""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from tests.tournaments.fakes import FakeExecutor, Run, auction_league
from tests.tournaments.stores import opened
from tournaments.league.status import Fleet, NodeStatus
from tournaments.play.match_results import BrokenBatch, Result
from tournaments.play.workers.sitting_supply import SittingSupply
from tournaments.results.progress import current_fleet, league_status
from tournaments.results.stored_league import open_results
from tournaments.store import Store

NODE = NodeStatus("tls://10.0.0.1:9", "plays", "", 2, 1, 30, 1, 1.5, 0.7, 200.0, 0.4, 0.1)
FLEET = Fleet(1_000, (NODE, replace(NODE, node="tls://10.0.0.2:9", state="lost", why="it was unplugged", places=0)))


def test_the_last_note_stays_until_it_is_forgotten(url: str) -> None:
    with opened(url) as store, Store(url, "other") as other:
        assert store.fleet() is None
        other.note_fleet(FLEET)
        for at_ms in (1_000, 2_000):
            store.note_fleet(replace(FLEET, at_ms=at_ms))
        assert store.fleet() == replace(FLEET, at_ms=2_000)
        store.forget_fleet()
        assert store.fleet() is None
        assert other.fleet() == FLEET


class _Tells(FakeExecutor):
    """An executor on many machines, which says how they are."""

    def play(self, supply: SittingSupply) -> Iterator[Result | BrokenBatch | Fleet | None]:
        yield FLEET
        yield from super().play(supply)


def test_status_has_the_nodes_while_somebody_plays_and_the_next_run_forgets_them(tmp_path: Path) -> None:
    planned, url = auction_league(), f"sqlite:///{tmp_path / 'store.sqlite'}"
    with Run(tmp_path, planned) as run:
        run.play(_Tells())
        with open_results(planned, url) as results:
            assert league_status(results).fleet == current_fleet(results) == FLEET
    with open_results(planned, url) as results:
        assert league_status(results).fleet is None
    with Run(tmp_path, planned) as run, open_results(planned, url) as results:
        run.play(FakeExecutor())
        assert league_status(results).fleet is None
