"""The addresses of stores: their kinds, what is shown of them, and the lock file."""

import os
import sys
from pathlib import Path

import pytest

from tournaments.store import Store, StoreError, WrongAddress, is_missing, lock_path, shown


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("league.sqlite", "'league.sqlite' is no address of a store; write sqlite:///FILE or postgresql://..."),
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
    assert shown(url) == seen


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


def test_the_lock_of_a_store_on_a_server_is_a_temporary_file_named_after_it() -> None:
    url = "postgresql+psycopg://me:secret@host/db"
    found = lock_path(url, "autumn")
    assert os.access(found.parent, os.W_OK)
    assert "secret" not in found.name
    assert len({found, lock_path(url, "spring"), lock_path(f"{url}2", "autumn")}) == 3


def test_only_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    there = tmp_path / "there.sqlite"
    there.touch()
    urls = [f"sqlite:///{there}", f"sqlite:///{tmp_path}/none.sqlite", "sqlite://", "postgresql://host/league"]
    assert list(map(is_missing, urls)) == [False, True, False, False]
    assert list(tmp_path.iterdir()) == [there]
