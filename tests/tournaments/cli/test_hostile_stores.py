"""Whatever a store has, every command that reads it prints a result or sentences. An exception is a bug."""

import itertools
import os
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from referee.core.errors import UserError
from tests.cli.command import BOTS, GAME, referee
from tests.conftest import Tell
from tests.mutations import NUMBERS, TEXTS, mutated
from tests.tournaments.arena import write_league
from tests.tournaments.cli.test_store_format import COMMANDS as ALL
from tests.tournaments.cli.test_store_format import url_of
from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tests.tournaments.web.service.hall import token_of
from tests.tournaments.workshops import FakeWorkshop, archive, pipeline
from tournaments.league.admission.scrimmages import ScrimmageRequest
from tournaments.league.status import Fleet
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in
from tournaments.store import Store
from tournaments.store.pinned_league import contents
from tournaments.store.schema import TABLES
from tournaments.web.queries import PublishedLeague

STORES = 20 * int(os.environ.get("REFEREE_TEST_WRECKS", "1"))
"""How many stores are damaged. Each is read by `AT_ONCE` commands."""
AT_ONCE = 6
PLAYS = {"compare", "league check", "league run", "serve", "league watch"}
"""These start processes, or go on until they are stopped. A run is tested below."""
COMMANDS = {name: words for name, words in ALL.items() if name not in PLAYS} | {
    "authors add": "max FILE",
    "entry delete": "bee@1 FILE",
    "entry disable": "bee@1 FILE",
    "entry give": "bee eva FILE",
    "entry recheck": "bee@1 FILE",
    "entry show": "bee@1 FILE --log",
    "entry unpack": "bee@1 FILE NEW",
    "entry withdraw": "bee@1 FILE",
    "league matches --faults": "FILE",
    "league standings --json": "FILE",
    "league status --json": "FILE",
    "league report --json": "FILE NEW",
    "league close --abandon": "FILE",
    "entries --audit": "FILE",
    "league salvage": "FILE STORE --to NEW.sqlite",
    "a run": "",
    "a refresh": "",
}
CORE = [table for table in TABLES if table.name in {"league_table", "match", "seat", "transcript", "issue", "change"}]
VALUES = (
    *(*NUMBERS, *TEXTS, None, 0.5, 1e308, float("inf"), "[]", "{}", "9" * 400, "[" * 5_000 + "]" * 5_000),
    *('{"a":' * 5_000, b"", b"\xff\xfe", b"x" * 5_000, b"{}", b"\x28\xb5\x2f\xfd\0\0", b"null"),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The league file beside a store that has rows in nearly all tables."""
    bots = [BOTS / "greedy", BOTS / "random", BOTS / "starter"]
    more = 'sandbox = "landlock"\n[submissions]\nfree_mib = 0\n[format]\nkind = "swiss"\nrounds = 3\n'
    file = write_league(tmp_path_factory.mktemp("whole") / "autumn.toml", bots, 6, more)
    league, url = league_in(file), url_of(file)
    with pipeline(url, league, FakeWorkshop(), GAME) as opened:
        opened.go_on(opened.receive(archive(), "eva", None, 5), lambda: 6, lambda _: None)
    run(file, most=30)
    with Store(url, league.name) as store:
        store.authors.add("eva", sha256(token_of("eva").encode()).hexdigest(), 1)
        store.reinstate("greedy@1", 7, lambda: 0)
        store.change("starter-python@1", None, 9)
        store.note_broken_batch(["greedy@1", "random@1"], "greedy@1", "it broke", 9)
        store.scrimmages.ask("eva", ScrimmageRequest("bee@1", ("greedy@1",), "simple", 1), 9, lambda _: iter(()))
        store.note_fleet(Fleet(9, ()))
    refresh(file)
    return file


def damage(store: Path, rng: Random) -> str:
    """Change a store without regard to its schema; what was changed."""
    if rng.random() < 0.1:
        content = bytearray(store.read_bytes())
        for _ in range(20):
            content[rng.randrange(100, len(content))] = rng.randrange(256)
        store.write_bytes(content)
        return "20 bytes"
    table = rng.choice(rng.choice((TABLES, CORE)))
    column = rng.choice(table.columns.keys())
    one = rng.choice(("", " WHERE rowid = (SELECT max(rowid) FROM {t})", " WHERE rowid % 2 = 0"))
    statement = rng.choice(
        (
            *("DROP TABLE {t}", "ALTER TABLE {t} RENAME {c} TO other", "DELETE FROM {t}" + one),
            "UPDATE {t} SET {c} = (SELECT {c} FROM {t} AS other WHERE other.rowid != {t}.rowid LIMIT 1)",
            *(["UPDATE {t} SET {c} = ?" + one] * 9),
        )
    ).format(t=f'"{table.name}"', c=f'"{column}"')
    with closing(sqlite3.connect(store)) as connection:
        _loosen(connection)
        value = rng.choice(VALUES)
        there = connection.execute(f'SELECT "{column}" FROM "{table.name}"').fetchall()  # noqa: S608 - ours
        if there and rng.random() < 0.5:
            value = mutated(rng.choice(there)[0], rng)
        connection.execute(statement, (value,) if "?" in statement else ())
        connection.commit()
    return f"{statement} {value!r:.90}"


def _loosen(connection: sqlite3.Connection) -> None:
    """Let every column have any value: tables without types, keys and constraints."""
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        columns = ", ".join(f'"{row[1]}"' for row in connection.execute(f'PRAGMA table_info("{name}")'))
        connection.executescript(
            f'CREATE TABLE loose ({columns}); INSERT INTO loose SELECT * FROM "{name}"; DROP TABLE "{name}";'  # noqa: S608
            f' ALTER TABLE loose RENAME TO "{name}"'
        )


def run(file: Path, most: int = 1_000) -> None:
    league = league_in(file)
    executor = FakeExecutor(game=GAME, clock=league.clock, loses=lambda fixture, at: fixture.deal == 2 and at == 1)
    machine = FakeMachine(executor, contents)
    setattr(machine, "build_environment", lambda _: FakeWorkshop())  # noqa: B010 - it has none
    with open_run(league, url_of(file), machine) as open_:
        for _ in itertools.islice(open_.play(), most):
            pass


def refresh(file: Path) -> None:
    """Compute the tables that a service shows."""
    with PublishedLeague(league_in(file), url_of(file)) as shown:
        shown.refresh(5)


OURS = {"a run": run, "a refresh": refresh}


def ask(command: str, file: Path) -> int:
    """The exit code of a command that reads a store; any other end of it is an exception."""
    if command in OURS:
        try:
            OURS[command](file)
        except UserError as error:
            return error.exit_code
        return 0
    store, new = file.with_suffix(".sqlite"), file.with_name("new")
    words = COMMANDS[command].replace("FILE", str(file)).replace("STORE", str(store)).replace("NEW", str(new)).split()
    ended = referee(*command.split(), *words, *(() if "salvage" in command else ("--store", url_of(file))))
    assert ended.code in {0, 1, 2, 3}
    assert ended.code == 0 or ended.err or ended.out
    assert "Traceback" not in ended.err + ended.out
    return ended.code


def copied(whole: Path, folder: Path, store: bytes) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "autumn.sqlite").write_bytes(store)
    return Path(shutil.copy(whole, folder))


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No command starts a process."""
    found = "tournaments.play.environment.LocalEnvironment.build_environment"
    monkeypatch.setattr(found, lambda _machine, _league: FakeWorkshop())


@pytest.mark.parametrize("first", range(0, STORES, 20))
@pytest.mark.usefixtures("quiet")
def test_no_hostile_store_ends_a_command_with_an_exception(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tell: Tell, first: int
) -> None:
    monkeypatch.chdir(tmp_path)
    codes = Counter[str]()
    for seed in range(first, first + 20):
        rng = Random(seed)
        file = copied(whole, tmp_path / "hostile", whole.with_suffix(".sqlite").read_bytes())
        what = damage(file.with_suffix(".sqlite"), rng)
        damaged = file.with_suffix(".sqlite").read_bytes()
        for command in rng.sample(sorted(COMMANDS), AT_ONCE):
            try:
                codes[f"ended with {ask(command, copied(whole, tmp_path / 'hostile', damaged))}"] += 1
            except BaseException as error:
                error.add_note(f"{command}: seed {seed}: {what}")
                raise
    tell("commands with hostile stores", codes)
