"""What is true only for a store in a SQLite file."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from tests.tournaments.leagues import match
from tests.tournaments.stores import PLAN, in_sql, opened, saved
from tournaments.store import Store, StoreError


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


def test_a_commit_is_on_disk_and_readers_do_not_stop_the_writer(store: Store) -> None:
    with store._engine.connect() as connection:
        pragmas = [connection.execute(sql.text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")]
    assert pragmas == ["wal", 2]


def test_a_full_disk_is_loud_and_leaves_no_part_of_a_group(store: Store, url: str) -> None:
    saved(store, 0)
    with store._engine.connect() as connection:
        pages = connection.execute(sql.text("PRAGMA page_count")).scalar()

    def fill(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    sql.event.listen(store._engine, "connect", fill)
    store.close()
    long = match(PLAN[1], choices=(0,) * 5_000)
    with pytest.raises(StoreError, match=r"league\.sqlite could not be written: database or disk is full"):
        store.save([match(PLAN[2]), long], now_ms=2)
    assert [played.fixture for played in store.results()] == [PLAN[0].id]
    assert in_sql(url, "SELECT count(*) FROM match") == in_sql(url, "SELECT count(*) FROM transcript") == [(1,)]
    sql.event.remove(store._engine, "connect", fill)
    store.close()
    assert store.save([long], now_ms=3), "with room again, the league goes on"


def test_a_read_only_store_can_be_read_and_a_write_says_so(store: Store, path: Path) -> None:
    saved(store, 0)
    with Store(f"sqlite:///file:{path}?mode=ro&uri=true", "autumn") as reader:
        assert len(reader.results()) == 1
        with pytest.raises(StoreError, match="could not be written: attempt to write a readonly database"):
            reader.save([match(PLAN[1])], now_ms=1)


def test_a_locked_store_is_one_sentence(store: Store, path: Path) -> None:
    sql.event.listen(store._engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout = 0"))
    store.close()
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="could not be written: database is locked"):
        store.save([match(PLAN[0])], now_ms=1)
    other.close()


def test_a_store_in_a_folder_that_is_missing_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="could not be opened: unable to open database file"):
        Store(f"sqlite:///{tmp_path}/nowhere/league.sqlite", "autumn")


def test_where_nothing_can_be_written_an_answer_is_not_kept_and_that_is_no_error(path: Path) -> None:
    with opened(f"sqlite:///{path}") as store:
        saved(store, 0)
    read_only = f"sqlite:///file:{path}?mode=ro&uri=true"
    with Store(read_only, "autumn") as store:
        assert store.recall("who", "k") is None
        store.keep("who", "k", b"one")
        assert store.recall("who", "k") is None
        assert len(store.results()) == 1
