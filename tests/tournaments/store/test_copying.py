"""A store is copied in one moment, from either kind to either, in full or not at all."""

import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from tests.cli.command import referee
from tests.postgresql.cluster import Cluster
from tests.tournaments.accounts import let_in
from tests.tournaments.leagues import match
from tests.tournaments.stores import PLAN, in_sql, opened, saved
from tournaments.league.model import Entry, StoredVoid
from tournaments.league.scrimmages import ScrimmageRequest
from tournaments.league.status import Fleet
from tournaments.store import Store, StoreError, copy_store, copying
from tournaments.store.copying import CannotCopy
from tournaments.store.schema import FLEET, RUNNER, TABLES

_OF_A_RUN = {FLEET.name, RUNNER.name}


def rows(url: str) -> Mapping[str, list[tuple[Any, ...]]]:
    """All rows of a store, as they are stored."""
    found = {}
    for table in TABLES:
        names = ", ".join(f'"{column.name}"' for column in table.columns)
        found[table.name] = sorted(in_sql(url, f'SELECT {names} FROM "{table.name}"'), key=repr)  # noqa: S608
    return {name: [tuple(map(alike, row)) for row in of] for name, of in found.items()}


def alike(value: Any) -> Any:
    """The same of either driver: SQLite has numbers for truth."""
    return int(value) if isinstance(value, bool) else bytes(value) if isinstance(value, memoryview) else value


def fill(url: str) -> None:
    """Put rows into every table of a store."""
    with opened(url) as store:
        store.save([match(each) for each in PLAN[:5]], 1_000, [StoredVoid(PLAN[6].id, "busy", 5, True, True, "")])
        store.change("dot@1", Entry("dot@1", "/bots/dot"), 7)
        let_in(store, "eva", team="foxes")
        store.scrimmages.ask("eva", ScrimmageRequest("ann@1", ("bob@1",), "one", 1, ""), 9, lambda _: iter(()))
        store.note_broken_batch(["ann@1"], "ann@1", "it ended", 8)
        store.note_fleet(Fleet(1, ()))
        store.lock()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of another store that does not exist yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'copy.sqlite'}"
    return str(request.getfixturevalue("cluster").new_database())


def test_a_copy_has_all_rows_but_those_of_a_run_and_goes_on_as_the_store_would(url: str, other: str) -> None:
    fill(url)
    assert copy_store(url, other) == {"autumn": 5}
    before, after = rows(url), rows(other)
    assert {name: of for name, of in after.items() if name not in _OF_A_RUN} == {
        name: of for name, of in before.items() if name not in _OF_A_RUN
    }
    assert [after[name] for name in sorted(_OF_A_RUN)] == [[], []]
    filled = {name for name, of in after.items() if of}
    assert {"match", "seat", "transcript", "void", "change", "person", "secret", "scrimmage", "audit"} <= filled
    assert "broken_batch" in filled
    with Store(other, "autumn") as store:  # the next rows get numbers of their own
        store.save([match(PLAN[7])], 2_000, [StoredVoid(PLAN[8].id, "busy", 6, True, True, "")])
        store.change("dot@1", None, 8)
        store.people.remove("eva", 10, erase=False)
        assert (len(store.results()), len(store.voids()), len(store.changes())) == (6, 2, 2)


def test_a_store_that_is_written_meanwhile_is_copied_as_it_was_at_one_moment(
    url: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(url) as store:
        saved(store, 0)
        count_on, is_written = copying._count_on, list[bytes]()

        def write(connection: sql.Connection, table: sql.Table) -> None:
            if table.name == "league" and not is_written:
                is_written.append(saved(store, 1))
            count_on(connection, table)

        monkeypatch.setattr(copying, "_count_on", write)
        assert copy_store(url, other) == {"autumn": 1}
        assert is_written
    with Store(other, "autumn") as copied:
        assert [each.fixture for each in copied.results()] == [PLAN[0].id]


def test_a_copy_that_is_interrupted_leaves_an_empty_store_and_the_next_one_begins_anew(
    url: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(url)

    def stop(_connection: object, table: sql.Table) -> None:
        if table.name == "void":
            raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr(copying, "_count_on", stop)
        with pytest.raises(KeyboardInterrupt):
            copy_store(url, other)
    assert not any(rows(other)[table.name] for table in TABLES if table.name != "store_format")
    assert copy_store(url, other) == {"autumn": 5}


def test_a_copy_that_differs_is_no_copy(url: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(url)

    def spoil(connection: sql.Connection, table: sql.Table) -> None:
        if table.name == "seat":
            connection.execute(sql.text("UPDATE seat SET place = 7 WHERE seat = 1"))

    monkeypatch.setattr(copying, "_count_on", spoil)
    with pytest.raises(StoreError, match=r"the copy differs from .* in seat; nothing was copied"):
        copy_store(url, other)
    assert not any(rows(other)[table.name] for table in TABLES if table.name != "store_format")


def test_a_store_with_rows_is_no_place_for_a_copy_and_neither_is_no_store_a_thing_to_copy(
    url: str, other: str, tmp_path: Path
) -> None:
    fill(url)
    copy_store(url, other)
    with pytest.raises(CannotCopy, match="is not empty; name a new one"):
        copy_store(url, other)
    with pytest.raises(CannotCopy, match="is not empty; name a new one"):
        copy_store(url, url)
    with pytest.raises(CannotCopy, match=f"there is no store {tmp_path}/none.sqlite"):
        copy_store(f"sqlite:///{tmp_path}/none.sqlite", other)


def test_a_copy_is_for_its_owner_alone_before_its_first_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, copied = f"sqlite:///{tmp_path / 'a.sqlite'}", tmp_path / "b.sqlite"
    fill(url)
    (tmp_path / "a.sqlite").chmod(0o644)
    modes = set[int]()
    count_on = copying._count_on

    def look(connection: sql.Connection, table: sql.Table) -> None:
        modes.update(stat.S_IMODE(each.stat().st_mode) for each in tmp_path.glob("b.sqlite*"))
        count_on(connection, table)

    monkeypatch.setattr(copying, "_count_on", look)
    copy_store(url, f"sqlite:///{copied}")
    assert modes == {0o600}
    open_one = tmp_path / "c.sqlite"
    open_one.touch(0o644)
    with pytest.raises(CannotCopy, match="other users have rights on it"):
        copy_store(url, f"sqlite:///{open_one}")
    assert open_one.stat().st_size == 0


def test_nothing_goes_to_another_machine_in_the_clear_unless_the_organizer_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, other = f"sqlite:///{tmp_path / 'a.sqlite'}", f"sqlite:///{tmp_path / 'b.sqlite'}"
    fill(url)
    monkeypatch.setattr(copying, "_is_readable_on_the_way", lambda _connection: True)
    with pytest.raises(CannotCopy, match=r"append \?sslmode=require to the address, or say that you want this"):
        copy_store(url, other)
    assert copy_store(url, other, in_the_clear=True) == {"autumn": 5}


@pytest.mark.parametrize(
    ("hostaddr", "host", "has_tls", "is_readable"),
    [
        ("10.1.2.3", "db", False, True),
        ("10.1.2.3", "db", True, False),
        ("127.0.0.1", "localhost", False, False),
        ("::1", "localhost", False, False),
        ("", "/run/postgresql", False, False),
    ],
)
def test_a_line_is_readable_on_the_way_if_it_leaves_the_machine_without_tls(
    hostaddr: str, host: str, has_tls: bool, is_readable: bool
) -> None:
    class Line:
        def __init__(self) -> None:
            self.dialect = self.info = self.pgconn = self.connection = self.driver_connection = self
            self.name, self.hostaddr, self.host, self.ssl_in_use = "postgresql", hostaddr, host, has_tls

    assert copying._is_readable_on_the_way(Line()) is is_readable  # type: ignore[arg-type] # all that is asked of one


@pytest.mark.postgresql
def test_a_damaged_store_is_not_copied_to_a_server_but_named(tmp_path: Path, cluster: Cluster) -> None:
    url, other = f"sqlite:///{tmp_path / 'a.sqlite'}", cluster.new_database()
    fill(url)
    in_sql(url, "UPDATE seat SET place = 'first' WHERE seat = 0")
    with pytest.raises(StoreError) as failed:
        copy_store(url, other)
    assert len(str(failed.value).splitlines()) == 1


def test_the_command_says_what_was_copied_and_what_is_to_be_taken_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fill(f"sqlite:///{tmp_path / 'a.sqlite'}")
    (tmp_path / "a.sqlite.autumn.logs").mkdir()
    ended = referee("store", "copy", "a.sqlite", "b.sqlite")
    assert ended.code == 0, ended.err
    assert ended.out == f"autumn: 5 matches\n1 league copied to {tmp_path}/b.sqlite; all rows are equal\n"
    assert ended.err == (
        "not in it: league files, bots in folders, and logs; take them along with: tar --create --gzip --file"
        f" beside.tar.gz {tmp_path}/a.sqlite.autumn.logs LEAGUE.toml BOTS\n"
    )
    again = referee("store", "copy", "a.sqlite", "b.sqlite")
    assert (again.code, again.err) == (2, f"the store {tmp_path}/b.sqlite is not empty; name a new one\n")
