"""What can be read of a damaged SQLite file."""

import sqlite3
from pathlib import Path
from random import Random

import pytest

from tournaments.store.place import StoreError
from tournaments.store.wreck import Wreck

ROWS = 2_000
PAGE = 4_096


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A table whose rows say what they are, over many pages, and a small table beside it."""
    path = tmp_path / "store.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE long (name TEXT PRIMARY KEY, value BLOB)")
    connection.execute("CREATE TABLE short (name TEXT)")
    connection.executemany("INSERT INTO long VALUES (?, ?)", ((name(n), name(n).encode() * 40) for n in range(ROWS)))
    connection.execute("INSERT INTO short VALUES ('only')")
    connection.commit()
    connection.close()
    return path


def name(number: int) -> str:
    return f"row-{number:05}"


def read(path: Path) -> tuple[list[str], int]:
    """The names of all rows that are whole, in order, and how many numbers were lost."""
    with Wreck(path) as wreck:
        found = [row[0] for row in wreck.rows("long", ("name", "value")) if row[1] == row[0].encode() * 40]
        return found, wreck.lost["long"]


def test_of_a_file_without_damage_everything_is_read_in_order(file: Path) -> None:
    assert read(file) == ([name(n) for n in range(ROWS)], 0)
    with Wreck(file) as wreck:
        assert wreck.tables == {"long", "short"}
        assert list(wreck.rows("short", ("name",))) == [("only",)]


def test_a_row_is_found_by_its_key_unless_it_is_not_there_or_cannot_be_read(file: Path) -> None:
    with Wreck(file) as wreck:
        assert wreck.columns("long") == {"name", "value"}
        assert wreck.columns("none") == frozenset()
        assert wreck.find("long", ("value",), name=name(7)) == (name(7).encode() * 40,)
        assert wreck.find("long", ("value",), name="nobody") is None
    content = file.read_bytes()
    file.write_bytes(content[: 2 * PAGE] + bytes(len(content) - 2 * PAGE))
    with Wreck(file) as wreck:
        assert wreck.find("long", ("value",), name=name(7)) is None


def test_of_a_file_that_was_cut_short_the_first_part_is_read(file: Path) -> None:
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.truncate(size // 2)
    found, lost = read(file)
    assert 0 < len(found) < ROWS
    assert lost > 0
    assert found == [name(n) for n in range(ROWS) if name(n) in set(found)]


@pytest.mark.parametrize("seed", range(6))
def test_pages_of_rubbish_cost_no_more_than_the_rows_on_them(file: Path, seed: int) -> None:
    rng = Random(seed)
    pages = file.stat().st_size // PAGE
    with file.open("r+b") as opened:
        for page in rng.sample(range(1, pages), 3):
            opened.seek(page * PAGE)
            opened.write(rng.randbytes(PAGE))
    found, _lost = read(file)
    assert len(found) == len(set(found))
    assert set(found) <= {name(n) for n in range(ROWS)}
    assert len(found) > ROWS // 2, "a page has some eight rows; only the few that say where the others are cost more"


def test_looking_changes_nothing_and_what_only_the_log_has_is_read_too(file: Path, tmp_path: Path) -> None:
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("INSERT INTO long VALUES ('row-99999', ?)", (b"row-99999" * 40,))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    found, _lost = read(file)
    assert found[-1] == "row-99999"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    writer.close()


@pytest.mark.parametrize("content", [b"", b"not a store at all" * 1_000, b"SQLite format 3\0" + bytes(5_000)])
def test_a_file_of_which_nothing_can_be_read_is_one_sentence_or_empty(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(content)
    if content:
        with pytest.raises(StoreError, match=r"nothing can be read of .*store\.sqlite"):
            Wreck(path)
    else:
        with Wreck(path) as wreck:
            assert wreck.tables == frozenset()


def test_a_file_that_is_missing_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"nothing can be read of .*: .*No such file"):
        Wreck(tmp_path / "none.sqlite")
