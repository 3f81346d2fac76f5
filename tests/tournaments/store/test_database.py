"""A store in SQLite is one file under one name, and stays the same file while it is written."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tournaments.accounts import let_in
from tournaments.store import Store, StoreError
from tournaments.store import database as module
from tournaments.store.database import SeveralNames

Change = Callable[[Path], None]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store to which an author was added."""
    with Store(f"sqlite:///{tmp_path / 'autumn.sqlite'}", "autumn") as store:
        let_in(store, "eva")
    return tmp_path / "autumn.sqlite"


@pytest.mark.parametrize("name", ["autumn.sqlite", "other.sqlite"])
def test_a_store_with_two_hard_links_is_read_and_not_written_by_either(file: Path, name: str) -> None:
    os.link(file, file.with_name("other.sqlite"))
    with Store(f"sqlite:///{file.with_name(name)}", "autumn") as store:
        assert list(store.people.all()) == ["eva"]
        with pytest.raises(SeveralNames, match="2 names"):
            let_in(store, "dan")


def test_a_hard_link_that_is_made_while_a_store_is_written_stops_nobody(file: Path) -> None:
    with Store(f"sqlite:///{file}", "autumn") as store:
        let_in(store, "dan")
        os.link(file, file.with_name("backup"))
        let_in(store, "bob")


def test_a_file_that_is_mounted_without_its_folder_is_not_written(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spaced = file.rename(file.with_name("the autumn.sqlite"))
    mounts = file.with_name("mountinfo")
    escaped = str(spaced).replace(" ", "\\040")
    mounts.write_text(f"22 1 0:21 / /proc rw - proc proc rw\n90 22 0:47 /x {escaped} rw - ext4 /dev/sda rw\n")
    monkeypatch.setattr(module, "_MOUNTS", mounts)
    with (
        Store(f"sqlite:///{spaced}", "autumn") as store,
        pytest.raises(SeveralNames, match="mounted without its folder"),
    ):
        let_in(store, "dan")


def _remove(file: Path) -> None:
    file.unlink()


def _replace(file: Path) -> None:
    copy = file.with_name("copy")
    copy.write_bytes(file.read_bytes())
    copy.replace(file)


@pytest.mark.parametrize("change", [_remove, _replace])
def test_a_store_that_is_removed_or_replaced_while_it_is_written_is_written_no_more(file: Path, change: Change) -> None:
    with Store(f"sqlite:///{file}", "autumn") as store:
        let_in(store, "dan")
        change(file)
        with pytest.raises(StoreError, match="was removed or replaced while it was written"):
            let_in(store, "bob")


def test_a_symbolic_link_is_another_way_to_the_same_store(file: Path) -> None:
    link = file.with_name("link.sqlite")
    link.symlink_to(file)
    with Store(f"sqlite:///{link}", "autumn") as one, Store(f"sqlite:///{file}", "autumn") as other:
        let_in(one, "dan")
        let_in(other, "bob")
        assert list(one.people.all()) == ["bob", "dan", "eva"]
    assert not subprocess.run(["find", file.parent, "-name", "link.sqlite-*"], capture_output=True, check=True).stdout
