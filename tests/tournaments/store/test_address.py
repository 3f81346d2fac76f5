"""The addresses of stores: their kinds, what is shown of them, and the lock file."""

import os
import sys
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy.exc import DataError, OperationalError

from tournaments.store import (
    Store,
    StoreAway,
    StoreError,
    WrongAddress,
    address_without_password,
    is_missing,
    lock_path,
)
from tournaments.store.store_errors import kind_of

NO_FOLDER = "does not exist or is a file; make it, or name another store (--store)"
NO_FILE = "names no file; write sqlite:///FILE, with one more slash before a whole path: sqlite:////FOLDER/FILE"


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("league.sqlite", "'league.sqlite' is no address of a store; write sqlite:///FILE or postgresql://..."),
        *(
            (url, f"{shown} {NO_FILE}")
            for url, shown in [
                ("sqlite://x", "sqlite://x"),
                ("sqlite://", "sqlite://"),
                ("sqlite:///", "sqlite:///"),
                ("sqlite:///:memory:", "sqlite:///%3Amemory%3A"),
                ("sqlite://me@/x.sqlite", "sqlite://me@/x.sqlite"),
                ("sqlite:///x.sqlite?mode=ro", "sqlite:///x.sqlite?mode=ro"),
                ("sqlite:///file:x.sqlite?uri=true", "sqlite:///file%3Ax.sqlite?uri=true"),
            ]
        ),
        ("sqlite:///\udcff", "the address of the store is not UTF-8; rename its file or folder"),
        ("sqlite:////dev", "/dev is a folder; name a file for the store (--store)"),
        ("sqlite:////none/x.sqlite", f"the store /none/x.sqlite has no folder: /none {NO_FOLDER}"),
        ("sqlite:////dev/null/x.sqlite", f"the store /dev/null/x.sqlite has no folder: /dev/null {NO_FOLDER}"),
        ("mysql://host/x", "mysql://host/x: stores are kept in sqlite or postgresql only"),
        ("oracle://host", "oracle://host: stores are kept in sqlite or postgresql only"),
        (
            "postgresql+psycopg2://x",
            "postgresql+psycopg2://x: the driver psycopg2 is not used for stores; write sqlite:///FILE or postgresql://...",
        ),
    ],
)
def test_an_address_that_is_none_of_a_store_is_one_sentence(url: str, sentence: str) -> None:
    with pytest.raises(WrongAddress) as caught:
        Store(url, "autumn")
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "url",
    [
        "mysql://me:secret@host/league",
        "postgresql+asyncpg://me:secret@host/league",
        "postgresql//me:secret@host/league",
        "postgresql://me@host:secret/league",
        "postgresql://me:se@secret@host/league",
        "postgresql://me:se@secret:5432@host/league",
        "postgresql://me:se@secret/word@host/league",
        "postgresql://me@host:x/league?password=secret",
        "host=host user=me password=secret",
    ],
)
def test_a_wrong_address_is_told_without_its_password(url: str) -> None:
    with pytest.raises(WrongAddress) as caught:
        Store(url, "autumn")
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "seen"),
    [
        ("sqlite:///league.sqlite", "sqlite:///league.sqlite"),
        ("postgresql://me:secret@host/db", "postgresql://me:***@host/db"),
        ("postgresql://me@host/db?password=secret&sslmode=require", "postgresql://me@host/db?sslmode=require"),
        ("postgresql+psycopg://host/db?sslpassword=secret", "postgresql+psycopg://host/db"),
    ],
)
def test_an_address_is_shown_without_passwords(url: str, seen: str) -> None:
    assert address_without_password(url) == seen


@pytest.mark.parametrize("prefix", ["postgresql", "postgresql+psycopg"])
def test_a_driver_that_is_not_installed_is_one_sentence(prefix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError) as caught:
        Store(f"{prefix}://me:secret@host/db", "autumn")
    assert str(caught.value) == (
        f"the store {prefix}://me:***@host/db cannot be opened without psycopg"
        " (import of psycopg halted; None in sys.modules); install referee[postgresql]"
    )


def test_the_lock_lies_beside_the_file_one_for_each_league(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'league.sqlite'}"
    assert lock_path(url, "autumn") == tmp_path / "league.sqlite.autumn.lock"
    assert lock_path(url, "spring") != lock_path(url, "autumn")


def test_the_lock_follows_the_file_and_not_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.sqlite").symlink_to("folder/league.sqlite")  # which need not exist yet
    (tmp_path / "way").symlink_to("folder")
    urls = ["sqlite:///folder/league.sqlite", "sqlite:///link.sqlite", "sqlite:///way/../way/league.sqlite"]
    assert {lock_path(url, "autumn") for url in urls} == {tmp_path / "folder" / "league.sqlite.autumn.lock"}


def test_a_store_whose_folder_is_missing_is_neither_missing_nor_locked() -> None:
    for ask in (is_missing, partial(lock_path, league="autumn")):
        with pytest.raises(WrongAddress, match="/none does not exist"):
            ask("sqlite:////none/x.sqlite")


def test_a_folder_that_is_not_utf_8_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / os.fsdecode(b"\xff")
    folder.mkdir()
    monkeypatch.chdir(folder)
    with pytest.raises(WrongAddress, match="not UTF-8; rename it"):
        is_missing("sqlite:///x.sqlite")


def test_the_lock_of_a_store_on_a_server_is_a_temporary_file_named_after_it() -> None:
    url = "postgresql+psycopg://me:secret@host/db"
    found = lock_path(url, "autumn")
    assert os.access(found.parent, os.W_OK)
    assert "secret" not in found.name
    assert len({found, lock_path(url, "spring"), lock_path(f"{url}2", "autumn")}) == 3


def test_only_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    there = tmp_path / "there.sqlite"
    there.touch()
    urls = [f"sqlite:///{there}", f"sqlite:///{tmp_path}/none.sqlite", "postgresql://host/league"]
    assert list(map(is_missing, urls)) == [False, True, False]
    assert list(tmp_path.iterdir()) == [there]


class Failure(Exception):
    def __init__(self, sqlstate: str | None) -> None:
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("state", "kind"),
    [(None, StoreAway), ("57P01", StoreAway), ("57P02", StoreAway), ("57P03", StoreAway), ("53100", StoreError)],
)
def test_a_server_that_shuts_down_starts_or_is_not_reached_is_away(state: str | None, kind: type[StoreError]) -> None:
    assert kind_of(OperationalError("", {}, Failure(state))) is kind


def test_a_connection_that_was_lost_is_away_and_no_other_error_is() -> None:
    assert kind_of(DataError("", {}, Failure("57014"), connection_invalidated=True)) is StoreAway
    assert kind_of(DataError("", {}, Failure(None))) is StoreError
    assert kind_of(OperationalError("", {}, Exception("database is locked"))) is StoreError
