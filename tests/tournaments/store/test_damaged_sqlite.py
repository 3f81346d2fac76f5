"""What can be read of a damaged SQLite file."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.tournaments.leagues import SEED
from tests.tournaments.stores import in_sql, opened
from tournaments.schedule.formats import IssuedWave
from tournaments.store import DamagedStore, Store, StoreError
from tournaments.store.schema import FORMAT

ROWS = 2_000
PAGE = 4_096


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Transcripts that say what they are, over many pages, and a match of one of them."""
    path = tmp_path / "store.sqlite"
    connection = sqlite3.connect(path)
    columns = "league TEXT, fixture TEXT PRIMARY KEY, record BLOB, aside BLOB, dictionary INTEGER"
    connection.execute(f"CREATE TABLE transcript ({columns})")
    rows = (("autumn", name(n), name(n).encode() * 40, b"") for n in range(ROWS))
    connection.executemany("INSERT INTO transcript VALUES (?, ?, ?, ?, 0)", rows)
    connection.execute("INSERT INTO transcript VALUES ('winter', 'other', x'00', x'00', 0)")
    connection.execute("INSERT INTO transcript VALUES ('autumn', 'a text', 'record', x'00', 0)")
    connection.execute("CREATE TABLE store_format (format INTEGER PRIMARY KEY)")
    connection.execute("INSERT INTO store_format VALUES (?)", (FORMAT,))
    connection.commit()
    connection.close()
    return path


def name(number: int) -> str:
    return f"row-{number:05}"


def damaged_store(path: Path) -> "closing[DamagedStore]":
    folder = path.parent / f"folder-{len(list(path.parent.iterdir()))}"
    folder.mkdir()
    return closing(DamagedStore(path, folder, "autumn"))


def read(path: Path) -> list[str]:
    """The names of all rows that are whole, in order."""
    with damaged_store(path) as found:
        return [piece.fixture for piece in found.transcripts() if piece.record == piece.fixture.encode() * 40]


def test_of_a_file_without_damage_every_row_of_the_league_that_makes_sense_is_read_in_order(file: Path) -> None:
    assert read(file) == [name(n) for n in range(ROWS)]
    with damaged_store(file) as found:
        assert found.read["transcript"] == ROWS
        assert (found.damaged.keys() | found.lost) >= {"transcript", "match", "league"}


def test_of_a_file_that_was_cut_short_the_first_part_is_read(file: Path) -> None:
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.truncate(size // 2)
    found = read(file)
    assert ROWS // 3 < len(found) < ROWS
    assert found == [name(n) for n in range(ROWS) if name(n) in set(found)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_pages_of_rubbish_cost_no_more_than_the_rows_on_them(file: Path, seed: int) -> None:
    rng = Random(seed)
    pages = file.stat().st_size // PAGE
    with file.open("r+b") as opened:
        for page in rng.sample(range(pages), 3):
            opened.seek(page * PAGE)
            opened.write(rng.randbytes(PAGE))
    found = read(file)
    assert len(found) == len(set(found))
    assert set(found) <= {name(n) for n in range(ROWS)}
    assert len(found) >= ROWS - 3 * 10, "a page has at most ten rows"


def test_looking_changes_nothing_and_what_only_the_log_has_is_read_too(file: Path) -> None:
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("INSERT INTO transcript VALUES ('autumn', 'row-99999', ?, x'00', 0)", (b"row-99999" * 40,))
    before = {path.name: path.read_bytes() for path in file.parent.glob("store*")}
    assert len(before) == 3
    assert read(file)[-1] == "row-99999"
    assert {path.name: path.read_bytes() for path in file.parent.glob("store*")} == before
    writer.close()


@pytest.mark.parametrize("content", [b"", b"not a store at all" * 1_000, b"SQLite format 3\0" + bytes(5_000)])
def test_a_file_of_which_nothing_can_be_read_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"nothing can be read of .*store\.sqlite: "):
        damaged_store(path)


def test_a_file_that_is_missing_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"nothing can be read of .*: .*No such file"):
        damaged_store(tmp_path / "none.sqlite")


def test_waves_are_read_up_to_the_first_that_is_lost(tmp_path: Path) -> None:
    waves = [IssuedWave(("ann@1", "bob@1"), (), deal, 1) for deal in range(4)]
    with opened(f"sqlite:///{tmp_path}/store.sqlite") as store:
        for number, wave in enumerate(waves):
            store.issue(number, wave, store.decisions(), 1)
    in_sql(f"sqlite:///{tmp_path}/store.sqlite", "DELETE FROM issue WHERE number = 2")
    with damaged_store(tmp_path / "store.sqlite") as found, Store(found.url, "autumn") as sound:
        assert sound.issues() == waves[:2]


def test_values_that_are_no_json_are_lost_and_the_seed_is_read_nevertheless(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.sqlite"
    opened(url).close()
    in_sql(url, "UPDATE league SET clock = 'noon', seed = :seed", seed=SEED.hex())
    in_sql(url, "UPDATE entry SET terms = 'none' WHERE name = 'bob@1'")
    with damaged_store(tmp_path / "store.sqlite") as found:
        assert found.read["league"] == 0
        assert found.read["entry"] == 2
        assert (found.damaged, found.lost & {"league", "entry"}) == ({"league": 1, "entry": 1}, set())
        assert found.seed() == SEED.hex()
        in_sql(url, "UPDATE league SET seed_sha256 = replace(seed_sha256, '1', '2')")
    with damaged_store(tmp_path / "store.sqlite") as found:
        assert found.seed() is None
