import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sql

from referee.core.outcome import Outcome
from referee.match.transcript import FaultKind, FaultMark, digest_of
from tests.tournaments.leagues import SEED, league, match
from tournaments.digest import league_digest
from tournaments.model import Entry, TableSpec, Void
from tournaments.pins import LeagueChanged
from tournaments.schedule import plan
from tournaments.store import Store, StoreError, lock_path

CONTENTS = {"ann@1": "a", "bob@1": "b", "cid@1": "c"}
DRAWN = b"\x09" * 32
PLAN = plan(league())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "league.sqlite"


@pytest.fixture
def url(path: Path) -> str:
    return f"sqlite:///{path}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store whose league is open."""
    with Store(url, "autumn") as store:
        store.open_league(league(), CONTENTS, DRAWN, now_ms=1)
        yield store


def saved(store: Store, number: int, **how: Any) -> bytes:
    """Play and save a fixture; its record."""
    played = match(PLAN[number], **how)
    assert store.save(played, now_ms=1_000 + number)
    return played.record


def in_sql(path: Path, statement: str, *values: object) -> list[Any]:
    """What somebody else does to the file."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute(statement, values).fetchall()
    connection.close()
    return rows


# What is pinned


def test_nothing_is_pinned_before_the_first_run(url: str) -> None:
    with Store(url, "autumn") as store:
        assert store.pinned() is None


def test_the_first_run_pins_seed_commitment_clock_tables_and_contents(store: Store, path: Path) -> None:
    pinned = store.pinned()
    assert pinned is not None
    assert (pinned.seed, pinned.game, pinned.rules_version) == (SEED.hex(), "nim", 4)
    assert pinned.clock == league().clock
    assert pinned.tables == {"of-2": league().tables[0]}
    assert pinned.contents == CONTENTS
    assert in_sql(path, "SELECT seed_sha256 FROM league") == [(pinned.commitment,)]


def test_the_drawn_seed_is_used_if_the_file_gives_none_and_stays(url: str) -> None:
    drawing = league(seed=None)
    with Store(url, "autumn") as store:
        assert store.open_league(drawing, CONTENTS, DRAWN, now_ms=1).seed_bytes == DRAWN
    with Store(url, "autumn") as store:
        assert store.open_league(drawing, CONTENTS, bytes(32), now_ms=2).seed_bytes == DRAWN


@pytest.mark.parametrize(
    "change",
    [{"seed": "00" * 32}, {"tables": (TableSpec("of-2", 2, {"mode": "fancy"}),)}, {"rules_version": 5}],
)
def test_a_changed_league_is_refused_and_nothing_is_written(store: Store, change: dict[str, Any]) -> None:
    before = store.pinned()
    changed = msgspec.structs.replace(league(["ann", "zoe"]), **change)
    with pytest.raises(LeagueChanged):
        store.open_league(changed, CONTENTS | {"zoe@1": "z"}, DRAWN, now_ms=2)
    assert store.pinned() == before


def test_a_bot_changed_under_one_version_is_refused(store: Store) -> None:
    with pytest.raises(LeagueChanged, match="bob@1"):
        store.open_league(league(), CONTENTS | {"bob@1": "other"}, DRAWN, now_ms=2)


def test_added_bots_and_tables_are_pinned_too_and_removed_ones_stay(store: Store) -> None:
    table = TableSpec("new", 3, {"mode": "fancy"})
    store.open_league(league(["ann", "zoe"], tables=(table,)), {"ann@1": "a", "zoe@1": "z"}, DRAWN, now_ms=2)
    pinned = store.pinned()
    assert pinned is not None
    assert pinned.contents == CONTENTS | {"zoe@1": "z"}
    assert set(pinned.tables) == {"of-2", "new"}


def test_two_leagues_in_one_store_know_nothing_of_each_other(store: Store, url: str) -> None:
    saved(store, 0)
    with Store(url, "spring") as other:
        assert other.pinned() is None
        other.open_league(league(name="spring", seed=None), {"ann@1": "another"}, DRAWN, now_ms=1)
        assert other.results() == []
        assert other.save(match(PLAN[0]), now_ms=5)
        other.reinstate("ann@1", now_ms=5)
    (played,) = store.results()
    assert (played.stored_ms, played.decisions) == (1_000, (1, 1))
    assert store.reinstated() == frozenset()


def test_the_seating_of_a_table_is_pinned(store: Store) -> None:
    pairs = TableSpec("pairs", 3, {"mode": "fancy"}, "teams", ((0, 2), (1,)))
    store.open_league(league(tables=(pairs,)), CONTENTS, DRAWN, now_ms=2)
    pinned = store.pinned()
    assert pinned is not None
    assert {name: table.seating for name, table in pinned.tables.items()} == {"of-2": "distinct", "pairs": "teams"}
    distinct = msgspec.structs.replace(pairs, seating="distinct")
    with pytest.raises(LeagueChanged, match="the seating of table pairs was teams and is distinct"):
        store.open_league(league(tables=(distinct,)), CONTENTS, DRAWN, now_ms=3)


def test_a_store_from_before_there_was_seating_is_opened_with_all_it_holds(path: Path, url: str) -> None:
    with Store(url, "autumn") as store:
        store.open_league(league(), CONTENTS, DRAWN, now_ms=1)
        saved(store, 0)
        results, pinned = store.results(), store.pinned()
    in_sql(path, "ALTER TABLE league_table DROP COLUMN seating")
    for _ in range(2):
        with Store(url, "autumn") as store:
            store.open_league(league(), CONTENTS, DRAWN, now_ms=2)
            assert (store.results(), store.pinned()) == (results, pinned)


# What was played


def test_a_result_is_read_as_it_was_saved(store: Store) -> None:
    record = saved(store, 0, winner=1, at_fault=0)
    (played,) = store.results()
    assert played.fixture == PLAN[0].id
    assert played.digest == digest_of(record)
    assert played.entries == PLAN[0].entries == ("ann@1", "bob@1")
    assert played.outcome == Outcome("fault", (2, 1), ())
    assert played.faults == (FaultMark(0, 1, FaultKind.TIMEOUT),)
    assert played.offenders == {"ann@1"}
    assert (played.decisions, played.thinking_us) == ((1, 1), (10, 11))
    assert played.stored_ms == 1_000


def test_a_transcript_is_read_as_it_was_saved(store: Store) -> None:
    record = saved(store, 0, at_fault=1)
    transcript = store.transcript(PLAN[0].id)
    assert transcript is not None
    assert transcript.record.canonical() == record
    assert transcript.aside.remarks[0].stderr == "stuck"
    assert store.transcript(PLAN[1].id) is None


def test_all_transcripts_come_with_their_fixture_s_id(store: Store) -> None:
    records = {PLAN[number].id: saved(store, number, winner=number % 2) for number in range(6)}
    assert {fixture: found.record.canonical() for fixture, found in store.transcripts()} == records


def test_a_second_save_does_nothing_and_says_so(store: Store) -> None:
    saved(store, 0, winner=0)
    before = store.results()
    assert store.save(match(PLAN[0], winner=1), now_ms=9_999) is False
    assert store.results() == before


def test_what_is_stored_outlives_the_store(store: Store, url: str) -> None:
    for number in range(4):
        saved(store, number)
    with Store(url, "autumn") as again:
        assert sorted(again.results(), key=str) == sorted(store.results(), key=str)
        assert len(again.results()) == 4


def test_the_digest_follows_the_stored_record_and_nothing_else(store: Store, path: Path) -> None:
    saved(store, 0, choices=(0, 1))
    saved(store, 1)
    before = {played.fixture: played.digest for played in store.results()}
    in_sql(path, "UPDATE match SET ending = 'other'")
    in_sql(path, "UPDATE transcript SET aside = ?", b"{}")
    assert {played.fixture: played.digest for played in store.results()} == before
    other = match(PLAN[0], choices=(1, 1)).record
    in_sql(path, "UPDATE transcript SET record = ? WHERE fixture = ?", other, PLAN[0].id)
    after = {played.fixture: played.digest for played in store.results()}
    assert after[PLAN[0].id] == digest_of(other) != before[PLAN[0].id]
    assert after[PLAN[1].id] == before[PLAN[1].id]
    assert league_digest(sorted(after.items())) != league_digest(sorted(before.items()))


def test_a_damaged_record_is_named(store: Store, path: Path) -> None:
    saved(store, 0)
    in_sql(path, "UPDATE transcript SET record = ?", b"{")
    with pytest.raises(StoreError, match=r"the record of nim/of-2/ann@1\+bob@1/deal-0/turn-0 is damaged"):
        store.results()
    with pytest.raises(StoreError, match="is damaged"):
        store.transcript(PLAN[0].id)


def test_a_match_of_a_league_that_was_never_opened_is_refused(url: str) -> None:
    with Store(url, "spring") as store, pytest.raises(StoreError, match="FOREIGN KEY"):
        store.save(match(PLAN[0]), now_ms=1)


def test_voids_are_kept_in_order_beside_a_result(store: Store) -> None:
    voids = (Void(PLAN[0].id, "a worker was lost", 5), Void(PLAN[0].id, "the disk was full", 6))
    for void in voids:
        store.save_void(void)
    saved(store, 0)
    assert store.voids() == voids
    assert len(store.results()) == 1


def test_a_reinstated_entry_stays_reinstated_and_an_unknown_one_is_told(store: Store) -> None:
    assert store.reinstate("bob@1", now_ms=5)
    assert not store.reinstate("bib@1", now_ms=5)
    store.open_league(league(), CONTENTS, DRAWN, now_ms=6)
    assert store.reinstated() == {"bob@1"}


def test_seats_are_there_for_whoever_asks_in_sql(store: Store, path: Path) -> None:
    saved(store, 0, winner=1, at_fault=0)
    rows = in_sql(path, "SELECT entry, place, fault, decisions, thinking_us FROM seat ORDER BY seat")
    assert rows == [("ann@1", 2, "timeout", 1, 10), ("bob@1", 1, None, 1, 11)]


# What can fail


def test_a_commit_is_on_disk_and_readers_do_not_stop_the_writer(store: Store) -> None:
    with store._engine.connect() as connection:
        pragmas = [connection.execute(sql.text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")]
    assert pragmas == ["wal", 2]


def test_a_full_disk_is_loud_and_leaves_no_half_of_a_match(store: Store, path: Path) -> None:
    saved(store, 0)
    with store._engine.connect() as connection:
        pages = connection.execute(sql.text("PRAGMA page_count")).scalar()

    def fill(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    sql.event.listen(store._engine, "connect", fill)
    store.close()
    long = match(PLAN[1], choices=(0,) * 5_000)
    with pytest.raises(StoreError, match=r"league\.sqlite could not be written: database or disk is full"):
        store.save(long, now_ms=2)
    assert [played.fixture for played in store.results()] == [PLAN[0].id]
    assert in_sql(path, "SELECT count(*) FROM match") == in_sql(path, "SELECT count(*) FROM transcript") == [(1,)]
    sql.event.remove(store._engine, "connect", fill)
    store.close()
    assert store.save(long, now_ms=3), "with room again, the league goes on"


def test_an_error_in_the_middle_of_a_match_keeps_nothing_of_it(store: Store, path: Path) -> None:
    in_sql(path, "CREATE TRIGGER ill BEFORE INSERT ON transcript BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END")
    with pytest.raises(StoreError, match="could not be written: disk I/O error"):
        store.save(match(PLAN[0]), now_ms=1)
    assert in_sql(path, "SELECT count(*) FROM match") == in_sql(path, "SELECT count(*) FROM seat") == [(0,)]
    in_sql(path, "DROP TRIGGER ill")
    assert store.save(match(PLAN[0]), now_ms=2)


def test_a_read_only_store_can_be_read_and_a_write_says_so(store: Store, path: Path) -> None:
    saved(store, 0)
    with Store(f"sqlite:///file:{path}?mode=ro&uri=true", "autumn") as reader:
        assert len(reader.results()) == 1
        with pytest.raises(StoreError, match="could not be written: attempt to write a readonly database"):
            reader.save(match(PLAN[1]), now_ms=1)


def test_a_locked_store_is_one_sentence(store: Store, path: Path) -> None:
    sql.event.listen(store._engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout = 0"))
    store.close()
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="could not be written: database is locked"):
        store.save(match(PLAN[0]), now_ms=1)
    other.close()


def test_a_store_in_a_folder_that_is_missing_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="could not be opened: unable to open database file"):
        Store(f"sqlite:///{tmp_path}/nowhere/league.sqlite", "autumn")


@pytest.mark.parametrize("url", ["league.sqlite", "mysql://host/league", "oracle://host"])
def test_an_address_that_is_none_of_a_store_is_one_sentence(url: str) -> None:
    with pytest.raises(StoreError, match=r"no address of a store|are kept in sqlite or postgresql only") as caught:
        Store(url, "autumn")
    assert "\n" not in str(caught.value)


def test_a_password_is_never_shown() -> None:
    with pytest.raises(StoreError) as caught:
        Store("mysql://me:secret@host/league", "autumn")
    assert "secret" not in str(caught.value)


# The lock's file


def test_the_lock_lies_beside_the_file_one_for_each_league(path: Path, url: str) -> None:
    assert lock_path(url, "autumn") == path.with_name("league.sqlite.autumn.lock")
    assert lock_path(url, "spring") != lock_path(url, "autumn")


def test_the_lock_of_a_store_on_a_server_is_a_temporary_file_named_after_it() -> None:
    url = "postgresql+psycopg://me:secret@host/db"
    found = lock_path(url, "autumn")
    assert os.access(found.parent, os.W_OK)
    assert "secret" not in found.name
    assert len({found, lock_path(url, "spring"), lock_path(f"{url}2", "autumn")}) == 3


def test_an_entry_s_folder_is_not_pinned(store: Store) -> None:
    moved = tuple(Entry(entry.name, f"/elsewhere{entry.place}") for entry in league().entries)
    assert store.open_league(league(entries=moved), CONTENTS, DRAWN, now_ms=2).contents == CONTENTS
