"""All questions about a finished league work in a folder without write permission."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.command import BOTS, GAME, Ended
from tests.tournaments.arena import write_league
from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in
from tournaments.store.pinned_league import contents

AS_ORDINARY = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.getuid() == 0 else ()
"""Root may write everywhere, but not without these capabilities."""

DEALS = 3


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a league that was played, and its store."""
    folder = tmp_path / "finished"
    folder.mkdir()
    write_league(folder / "autumn.toml", [BOTS / "random", BOTS / "greedy"], DEALS)
    yield folder
    folder.chmod(0o755)


def play(folder: Path) -> None:
    league = league_in(folder / "autumn.toml")
    machine = FakeMachine(FakeExecutor(game=GAME, clock=league.clock), contents)
    with open_run(league, f"sqlite:///{folder / 'autumn.sqlite'}", machine) as run:
        for _ in run.play():
            pass


_ASK = """
import json, sys
from tests.cli.command import referee
for line in sys.stdin:
    print(json.dumps(referee(*json.loads(line))), flush=True)
"""

Ask = Callable[..., list[Ended]]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Runs commands from another folder, without the right to write in this one; one process runs them all."""
    asking = [*AS_ORDINARY, sys.executable, "-c", _ASK]
    with subprocess.Popen(asking, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        told, heard = process.stdin, process.stdout
        assert told is not None
        assert heard is not None

        def asked(folder: Path, *questions: tuple[str, ...]) -> Iterator[Ended]:
            store = ("--store", f"sqlite:///{folder / 'autumn.sqlite'}")
            for words in questions:
                command = ["league", words[0], str(folder / "autumn.toml"), *words[1:], *store]
                print(json.dumps(command), file=told, flush=True)
                yield Ended(*json.loads(heard.readline()))

        yield lambda folder, *questions: list(asked(folder, *questions))


def answers_everything(ask: Ask, folder: Path, tmp_path: Path) -> bool:
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    status, *others = ask(
        folder,
        ("status", "--json"),
        ("standings",),
        ("matches",),
        ("verify",),
        ("export", str(tmp_path / "exported")),
    )
    assert f'"played": {2 * DEALS},' in status.out
    assert [(ended.code, ended.err) for ended in others] == [(0, "")] * 4
    assert len(list((tmp_path / "exported" / "transcripts").rglob("*.json"))) == 2 * DEALS
    return {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.slow
def test_a_league_that_was_closed_is_read(ask: Ask, folder: Path, tmp_path: Path) -> None:
    play(folder)
    assert not (folder / "autumn.sqlite-wal").exists()
    assert answers_everything(ask, folder, tmp_path)


def test_a_league_that_was_killed_is_read_with_what_stands_only_in_its_log(
    ask: Ask, folder: Path, tmp_path: Path
) -> None:
    store = folder / "autumn.sqlite"
    other = sqlite3.connect(store)  # with this connection open, the end of the run does not remove the log
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("SELECT * FROM sqlite_master").fetchall()
    play(folder)
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    other.close()
    for name, content in kept.items():
        (folder / name).write_bytes(content)
    assert len(kept["autumn.sqlite-wal"]) > len(kept["autumn.sqlite"])
    assert answers_everything(ask, folder, tmp_path)


def test_empty_files_that_were_left_behind_do_not_matter(ask: Ask, folder: Path) -> None:
    play(folder)
    for left in ({"wal"}, {"shm"}, {"wal", "shm"}):
        folder.chmod(0o755)
        for name in ("wal", "shm"):
            (folder / f"autumn.sqlite-{name}").unlink(missing_ok=True)
            if name in left:
                (folder / f"autumn.sqlite-{name}").touch()
        folder.chmod(0o555)
        (ended,) = ask(folder, ("verify",))
        assert ended.code == 0, left


def test_a_log_without_its_index_is_named(ask: Ask, folder: Path) -> None:
    play(folder)
    (folder / "autumn.sqlite-wal").write_bytes(b"some")
    folder.chmod(0o555)
    (ended,) = ask(folder, ("status",))
    assert (ended.code, ended.out) == (3, "")
    assert ended.err == (
        f"{folder}/autumn.sqlite-wal has matches that cannot be read where nothing may be written;"
        " copy both files to another folder and name the copy (--store)\n"
    )


@pytest.mark.slow
def test_what_would_write_says_that_it_cannot(ask: Ask, folder: Path) -> None:
    play(folder)
    folder.chmod(0o555)
    for ended in ask(folder, ("reinstate", "random@1"), ("run",)):
        assert (ended.code, len(ended.err.splitlines())) == (3, 1), ended.err
