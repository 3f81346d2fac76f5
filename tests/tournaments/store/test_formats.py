"""Stores that an earlier Referee made are upgraded by the next run, in one transaction, whatever happens in it."""

import shutil
import sqlite3
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from tests.tournaments.leagues import match
from tests.tournaments.stores import PLAN, in_sql, killed_after, opened, saved
from tournaments.league.model import FinishedMatch, StoredVoid
from tournaments.store import Store, StoreError

MADE_BY_FORMAT_1 = Path(__file__).with_name("format_1.sql")
"""What SQLite says of a store that the code of format 1 made: five matches, the last with a fault, and a void."""

MATCHES = [*(match(PLAN[number], winner=number % 2) for number in range(4)), match(PLAN[4], at_fault=1)]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(MADE_BY_FORMAT_1.read_text())
    connection.close()
    return path


def dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def check_all(store: Store) -> None:
    """Nothing that format 1 stored is lost or changed."""
    assert [kept.record for kept in store.kept()] == [played.record for played in sorted_matches()]
    assert {played.fixture: played.offenders for played in store.results()} == dict(store.offenders())
    assert store.voids() == (StoredVoid(PLAN[5].id, "a worker was lost", 5),)
    assert store.table_cache.key("standings") == "k"
    assert store.table_cache.take("standings") == {}  # it is not compressed, and is computed again
    transcript = store.transcript(PLAN[4].id)
    assert transcript is not None
    assert transcript.aside.remarks[0].stderr == "stuck"


def sorted_matches() -> list[FinishedMatch]:
    return sorted(MATCHES, key=lambda played: played.fixture.id)


def test_a_store_of_format_1_is_upgraded_by_the_next_run_with_all_it_holds_and_goes_on(old: Path) -> None:
    for _ in range(2):
        with opened(f"sqlite:///{old}") as store:
            check_all(store)
    assert in_sql(f"sqlite:///{old}", "SELECT format FROM store_format") == [(2,)]
    with Store(f"sqlite:///{old}", "autumn") as store:
        for number in range(5, 10):
            saved(store, number)
        assert len(store.results()) == 10
    numbers = in_sql(f"sqlite:///{old}", "SELECT dictionary FROM transcript ORDER BY rowid")
    assert numbers == [(0,)] * 8 + [(1,)] * 2


def test_a_store_of_format_1_is_not_read_before_that_but_said_to_need_a_run(old: Path) -> None:
    before = dump(old)
    with (
        Store(f"sqlite:///{old}", "autumn") as store,
        pytest.raises(
            StoreError,
            match=r"an earlier Referee and lacks .*, entry\.terms, transcript\.dictionary; run the",
        ),
    ):
        store.pinned()
    assert dump(old) == before


def test_a_store_from_before_tables_had_luck_is_read_as_it_is_and_has_common_luck(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    with opened(url) as store:
        before = store.pinned()
    in_sql(url, "ALTER TABLE league_table DROP COLUMN luck")
    with Store(url, "autumn") as store:
        assert store.pinned() == before
    with opened(url) as store:
        assert store.pinned() == before
    assert set(in_sql(url, "SELECT luck FROM league_table")) == {("common",)}


@pytest.mark.slow
def test_an_upgrade_that_is_killed_before_any_of_its_writes_leaves_the_store_as_it_was_or_upgraded(
    old: Path, tmp_path: Path
) -> None:
    before = dump(old)
    after: list[str] | None = None
    for statements in count(1):
        path = tmp_path / f"{statements}.sqlite"
        shutil.copy(old, path)
        if not killed_after(statements, partial(open_league, path)):
            break
        left = dump(path)
        if left != before:
            after = after or left
            assert left == after
        with opened(f"sqlite:///{path}") as store:
            check_all(store)
    assert statements > 5
    assert after is not None, "the last kills came after the upgrade"
    assert 'INSERT INTO "store_format" VALUES(2);' in after


def open_league(path: Path) -> None:
    opened(f"sqlite:///{path}").close()
