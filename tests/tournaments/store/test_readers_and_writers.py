"""Readers and small writers of a store neither stop nor change a run."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sql
from msgspec.structs import replace

from tests.tournaments.fakes import FakeExecutor, FakeMachine, auction_league
from tests.tournaments.leagues import league, match, plan
from tests.tournaments.stores import CONTENTS, DRAWN, PLAN, in_sql, opened, saved
from tournaments.play import run as runs
from tournaments.results.standings import league_digest
from tournaments.store import Store, rows
from tournaments.store.address import engine
from tournaments.store.rows import ResultRow, result_of

LASTS_S = float(os.environ.get("REFEREE_BESIDE_S", "1"))
"""How long the run lasts and the reader reads; `make ci-postgresql` gives it a minute."""

HELD_S = LASTS_S / 8
"""How long the writer beside keeps a transaction open. In a minute that is longer than any driver waits by itself."""

LEAGUE = auction_league(deals=2)
COUNT = sql.text("SELECT count(*) FROM match WHERE league = 'autumn'")
NOTE = sql.text(
    "INSERT INTO void (league, fixture, reason, stored_ms, busy, counts, forgiven)"
    " VALUES ('spring', 'x', 'a note', 0, FALSE, TRUE, '')"
)


def played(url: str, pause_s: float) -> str:
    """Play the league, with a pause after each match; its digest."""
    machine = FakeMachine(FakeExecutor())
    with runs.open_run(LEAGUE, url, machine) as run:
        for _ in run.play():
            time.sleep(pause_s)
        return league_digest((played.fixture, played.digest) for _, played in run.results.state.counted())


class Beside:
    """A reader that holds one transaction open, and a writer with one short transaction after the other."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._over = threading.Event()
        self.counted: list[int] = []
        self.notes = 0

    def read(self) -> None:
        connections = engine(self._url)
        with connections.connect() as connection:
            if connections.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN")
            else:
                connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self.counted.append(connection.scalar(COUNT) or 0)
            self._over.wait()
            self.counted.append(connection.scalar(COUNT) or 0)
        connections.dispose()

    def write(self) -> None:
        connections = engine(self._url)
        while not self._over.is_set():
            with connections.connect() as connection, connection.begin():
                if connections.dialect.name == "sqlite":
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                connection.execute(NOTE)
                self.notes += 1
                self._over.wait(HELD_S)
            self._over.wait(HELD_S / 4)
        connections.dispose()

    @contextmanager
    def going_on(self) -> Iterator[None]:
        threads = [threading.Thread(target=task) for task in (self.read, self.write)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()


def test_a_run_beside_a_reader_that_never_ends_and_a_writer_ends_as_undisturbed(tmp_path: Path, url: str) -> None:
    undisturbed = played(f"sqlite:///{tmp_path / 'undisturbed.sqlite'}", 0)
    with Store(url, "spring") as other:
        other.open_league(league(name="spring"), CONTENTS, DRAWN, now_ms=1)
    beside = Beside(url)
    with beside.going_on():
        digest = played(url, LASTS_S / len(plan(LEAGUE)))
    assert digest == undisturbed
    assert beside.counted == [0, 0], "the reader read one moment all the time"
    assert beside.notes >= 3
    assert in_sql(url, "SELECT count(*) FROM void") == [(beside.notes,)]
    assert in_sql(url, "SELECT count(*) FROM match") == [(len(plan(LEAGUE)),)]


def test_who_takes_a_long_time_over_what_is_read_holds_no_transaction_open(url: str) -> None:
    with opened(url) as store:
        for number in range(12):
            saved(store, number)
        kept, transcripts = store.fixture_rows(), store.transcripts()
        next(kept), next(transcripts)
        assert store._database.engine.pool.checkedout() == 0  # type: ignore[attr-defined] # of a pool with a queue
        assert len(list(kept)) == len(list(transcripts)) == 11


def test_pages_are_read_one_after_the_other_without_a_row_lost_or_doubled(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.store.result_rows.PAGE", 3)
    names = sorted(f"nim/{name}" for name in ("b", "B", "a-1", "a+1", "Z", "é", "aa", "a", "zz"))
    with opened(url) as store:
        for number, name in enumerate(names):
            assert store.save([match(replace(PLAN[0], id=name), winner=number % 2)], now_ms=1)
        in_sql(url, "DELETE FROM transcript WHERE fixture = :id", id=names[3])
        assert [kept.fixture for kept in store.fixture_rows()] == names
        assert all(len(kept.seats) == 2 and kept.match for kept in store.fixture_rows())
        assert [kept.fixture for kept in store.fixture_rows() if kept.record is None] == [names[3]]
        assert [name for name, _ in store.transcripts()] == [name for name in names if name != names[3]]


def test_results_are_read_page_by_page_and_decoded_when_no_transaction_is_open(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.store.result_rows.LONG_PAGE", 5)
    open_at_once = []

    def decoded(fixture: str, record: bytes, seats: int) -> ResultRow:
        open_at_once.append(store._database.engine.pool.checkedout())  # type: ignore[attr-defined] # as above
        if len(open_at_once) == 3:
            saved(store, 11, winner=0)  # its id is behind those of the first page
        return result_of(fixture, record, seats)

    monkeypatch.setattr(rows, "result_of", decoded)
    with opened(url) as store:
        for number in range(11):
            saved(store, number, winner=number % 2)
        found = store.results()
        assert [played.fixture for played in found] == sorted(fixture.id for fixture in PLAN[:12])
        assert set(open_at_once) == {0}
        assert found == [store.matches.one(played.fixture) for played in found]
