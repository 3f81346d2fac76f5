"""Facts that hold only for a store in a SQLite file."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from sqlalchemy.exc import OperationalError

from tests.tournaments.accounts import let_in
from tests.tournaments.leagues import match
from tests.tournaments.stores import PLAN, in_sql, opened, saved
from tournaments.league.model import StoredVoid
from tournaments.store import Store, StoreError, address, database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "league.sqlite"


@pytest.fixture
def url(path: Path) -> str:
    return f"sqlite:///{path}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store whose league is open."""
    with opened(url) as store:
        yield store


def test_a_commit_is_on_disk_and_readers_do_not_stop_the_writer(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # In tests no other commit waits for the disk.
    monkeypatch.setattr(
        "tournaments.store.database.engine", address.engine
    )  # in tests no other commit waits for the disk
    with opened(url) as store, store._database.engine.connect() as connection:
        pragmas = [connection.execute(sql.text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")]
    assert pragmas == ["wal", 2]


def test_a_new_store_and_its_logs_are_for_their_owner_alone_and_an_old_one_keeps_its_rights(
    path: Path, url: str
) -> None:
    before = os.umask(0)
    try:
        with opened(url) as store:
            saved(store, 0)
            modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.glob("league.sqlite*")}
        path.chmod(0o640)
        with opened(url):
            assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("league.sqlite", "league.sqlite-wal", "league.sqlite-shm"), 0o600)


def test_a_full_disk_is_loud_and_leaves_no_part_of_a_group(store: Store, url: str) -> None:
    saved(store, 0)
    with store._database.engine.connect() as connection:
        pages = connection.execute(sql.text("PRAGMA page_count")).scalar()

    def fill(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    sql.event.listen(store._database.engine, "connect", fill)
    store.close()
    long = match(PLAN[1], choices=(0,) * 5_000)
    with pytest.raises(StoreError, match=r"league\.sqlite could not be written: database or disk is full"):
        store.save([match(PLAN[2]), long], now_ms=2)
    assert [played.fixture for played in store.results()] == [PLAN[0].id]
    assert in_sql(url, "SELECT count(*) FROM match") == in_sql(url, "SELECT count(*) FROM transcript") == [(1,)]
    sql.event.remove(store._database.engine, "connect", fill)
    store.close()
    assert store.save([long], now_ms=3), "with room again, the league goes on"


def test_a_read_only_store_can_be_read_and_a_write_says_so(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(store, 0)
    monkeypatch.setattr(os, "access", lambda *_: False)  # as for whoever may not write in the folder
    with Store(f"sqlite:///{path}", "autumn") as reader:
        assert len(reader.results()) == 1
        with pytest.raises(StoreError, match="could not be written: attempt to write a readonly database"):
            reader.save([match(PLAN[1])], now_ms=1)


def test_a_locked_store_is_one_sentence(store: Store, path: Path) -> None:
    sql.event.listen(
        store._database.engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout = 0")
    )
    store.close()
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="could not be written: database is locked"):
        store.save([match(PLAN[0])], now_ms=1)
    other.close()


def test_who_writes_holds_the_store_from_the_beginning_of_the_transaction(store: Store, url: str) -> None:
    """Or else a writer that first reads is refused if another writes in between."""
    with Store(url, "spring") as other, other._database.reading() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 0")
        with store._database.writing() as writing:
            assert writing.scalar(sql.text("SELECT count(*) FROM match")) == 0
            with pytest.raises(OperationalError, match="database is locked"):
                connection.exec_driver_sql("BEGIN IMMEDIATE")


def test_what_writes_waits_a_minute_for_another_writer_and_a_log_that_grew_is_cut(store: Store) -> None:
    with store._database.engine.connect() as connection:
        found = [connection.scalar(sql.text(f"PRAGMA {name}")) for name in ("busy_timeout", "journal_size_limit")]
    assert found == [60_000, 64 << 20]


def test_a_log_that_grew_beside_a_long_reader_is_used_again_when_the_reader_has_ended(
    path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.store.address._LOG_BYTES", 100_000)
    log = Path(f"{path}-wal")
    with opened(url) as store:
        reader = sqlite3.connect(path)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM match").fetchall()
        for number in range(3):
            store.save([], number, [StoredVoid(PLAN[0].id, "x" * 3_000_000, number)])
        assert log.stat().st_size > 9_000_000
        reader.close()
        for number in range(3):  # the first takes the log in, the next begins it anew
            store.save([match(PLAN[number])], now_ms=1)
        assert log.stat().st_size <= 100_000


def test_a_store_s_large_tables_are_kept_in_the_order_of_their_keys(url: str) -> None:
    opened(url).close()
    made = dict(in_sql(url, "SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    assert {name for name, how in made.items() if "WITHOUT ROWID" in how} == {"match", "seat"}


def test_tables_that_were_made_are_not_looked_for_again_so_no_writer_waits_for_that(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = list[object]()
    monkeypatch.setattr(database, "lock_schema", looked.append)
    with opened(url) as store:
        for author in ("eva", "max", "kim"):
            let_in(store, author)
        assert len(store.people.all()) == 3
    assert len(looked) == 1
