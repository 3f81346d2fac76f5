"""Whatever a store has, every command that reads it prints a result or sentences. An exception is a bug."""

import itertools
import re
import shutil
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from html import unescape
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest

from referee.core.errors import UserError
from referee.runtime.process_sessions import remove_tree
from tests.cli.command import BOTS, GAME, referee
from tests.conftest import Tell
from tests.mutations import NUMBERS, TEXTS, batches, mutated, noting
from tests.tournaments.accounts import let_in
from tests.tournaments.arena import write_league
from tests.tournaments.cli.test_store_format import COMMANDS as ALL
from tests.tournaments.cli.test_store_format import url_of, words_of
from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tests.tournaments.web.service.hall import Hall, hall
from tests.tournaments.workshops import FakeWorkshop, archive, pipeline
from tournaments.league.scrimmages import ScrimmageRequest
from tournaments.league.status import Fleet
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in
from tournaments.store import Store
from tournaments.store.pinned_league import contents
from tournaments.store.schema import TABLES
from tournaments.web.queries import PublishedLeague
from tournaments.web.service.app import ServiceLimits
from tournaments.web.service.token_bucket import Rate

AT_ONCE = 6
"""How many commands read each damaged store."""
PLAYS = {"compare", "league check", "league run", "serve", "league watch"}
"""These start processes, or go on until they are stopped. A run is tested below."""
COMMANDS = {name: words for name, words in ALL.items() if name not in PLAYS} | {
    "people add": "max FILE",
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
CHANGE = "UPDATE {t} SET {c} = ?{one}"
ONCE = (
    *("DROP TABLE {t}", "ALTER TABLE {t} RENAME {c} TO other", "DELETE FROM {t}{one}"),
    "UPDATE {t} SET {c} = (SELECT {c} FROM {t} AS other WHERE other.rowid != {t}.rowid LIMIT 1)",
)
LIMITS = ServiceLimits(requests=Rate(burst=1 << 20, a_second=1e6))
LINK = re.compile(r'(?:href|action|src)="(/[^"#]+)')
NAMES = ("after", "most", "sort", "find", "table", "bot", "others", "result", "ending", "fault", "deal", "seat", "row")
WORDS = (*NUMBERS, *TEXTS, "9" * 18, "9" * 300, 1 << 64, "1-1", "-", "٣", "a" * 2_000, "won", "-rating")


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
        let_in(store, "eva", team="foxes")
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
    one = rng.choice(("", f' WHERE rowid = (SELECT max(rowid) FROM "{table.name}")', " WHERE rowid % 2 = 0"))  # noqa: S608 - ours
    statement = rng.choice((*ONCE, *[CHANGE] * 9)).format(one=one, t=f'"{table.name}"', c=f'"{column}"')
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
    words = words_of(COMMANDS[command], FILE=file, STORE=store, NEW=new)
    ended = referee(*command.split(), *words, *(() if "salvage" in command else ("--store", url_of(file))))
    assert ended.code in {0, 1, 2, 3}
    assert ended.code == 0 or ended.err or ended.out
    assert "Traceback" not in ended.err + ended.out
    return ended.code


def copied(whole: Path, folder: Path, store: bytes) -> Path:
    remove_tree(folder)  # also what `entry unpack` made, in which nobody may write
    folder.mkdir()
    (folder / "autumn.sqlite").write_bytes(store)
    return Path(shutil.copy(whole, folder))


@pytest.fixture(scope="module")
def paths(whole: Path) -> list[str]:
    """The addresses of the pages and the operations of the sound store."""
    with hall(url_of(whole), league_in(whole), (), limits=LIMITS) as sound:
        return sorted(crawled(sound))


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No submission is built in a process of its own."""
    found = "tournaments.play.environment.LocalEnvironment.build_environment"
    monkeypatch.setattr(found, lambda _machine, _league: FakeWorkshop())


@pytest.mark.parametrize("seeds", batches(each=4))
@pytest.mark.usefixtures("quiet")
def test_no_hostile_store_ends_a_command_with_an_exception(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tell: Tell, seeds: range
) -> None:
    monkeypatch.chdir(tmp_path)
    codes = Counter[str]()
    for seed in seeds:
        rng = Random(seed)
        file = copied(whole, tmp_path / "hostile", whole.with_suffix(".sqlite").read_bytes())
        what = damage(file.with_suffix(".sqlite"), rng)
        damaged = file.with_suffix(".sqlite").read_bytes()
        for command in rng.sample(sorted(COMMANDS), AT_ONCE):
            copied(whole, tmp_path / "hostile", damaged)
            with noting(f"{command}, seed {seed}: {what}"):
                codes[f"ended with {ask(command, file)}"] += 1
    tell("commands that read hostile stores", codes)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", batches(each=5))
def test_no_hostile_store_ends_a_request_with_a_mistake_of_the_service(
    whole: Path, paths: list[str], tmp_path: Path, tell: Tell, seeds: range
) -> None:
    statuses = Counter[str]()
    for seed in seeds:
        rng = Random(seed)
        file = copied(whole, tmp_path / "hostile", whole.with_suffix(".sqlite").read_bytes())
        what = damage(file.with_suffix(".sqlite"), rng)
        with suppress(UserError), hall(url_of(file), league_in(file), (), limits=LIMITS) as here:
            for path in rng.sample(paths, 12):
                status = here.ask(path, "eva", accept=rng.choice(("text/html", "*/*"))).status
                assert status != 500, (path, what)
                statuses[f"answered with {status}"] += 1
    tell("requests that read hostile stores", statuses)


@pytest.mark.parametrize("seeds", batches(each=60))
def test_no_hostile_address_or_query_is_a_mistake_of_the_service(
    request: pytest.FixtureRequest, whole: Path, tell: Tell, seeds: range
) -> None:
    statuses = Counter[str]()
    with hall(url_of(whole), league_in(whole), (), limits=LIMITS) as here:
        paths = request.getfixturevalue("paths") if seeds.start else sorted(openapi(here))  # the quick range is quick
        for seed in seeds:
            rng = Random(seed)
            path = hostile(rng.choice(paths), rng)
            status = here.ask(path, rng.choice(("eva", None)), accept=rng.choice(("text/html", "*/*"))).status
            assert status < 500, (seed, path)
            statuses[f"answered with {status}"] += 1
    tell("requests with hostile addresses", statuses)


def openapi(here: Hall) -> set[str]:
    """The addresses of all operations that read, with each parameter of a query."""
    found = set()
    for path, methods in here.ask("/openapi.json").json["paths"].items():
        asked = [each["name"] for each in methods.get("get", {}).get("parameters", ()) if each["in"] == "query"]
        found |= {path, *(f"{path}?{name}=1" for name in asked)} if "get" in methods else set()
    return {path.replace("{league}", "autumn") for path in found if "events" not in path}


def crawled(here: Hall) -> set[str]:
    """These addresses, and those of the pages that link to one another, a few hundred at most."""
    left, found = [*openapi(here), "/leagues/autumn"], set[str]()
    while left and len(found) < 250:
        path = left.pop()
        if path not in found:
            found.add(path)
            page = here.ask(path, "eva", accept="text/html").body.decode(errors="replace")
            left += [link for link in map(unescape, LINK.findall(page)) if "events" not in link]
    return found


def hostile(path: str, rng: Random) -> str:
    """An address like this one, with values that nobody expects."""
    place, _, query = path.partition("?")
    parts, asked = place.split("/"), [each for each in query.split("&") if each]
    if len(parts) > 3 and rng.random() < 0.5:
        parts[rng.randrange(3, len(parts))] = quote(str(rng.choice(WORDS)), safe=rng.choice(("", "/+@")))
    if rng.random() < 0.7:
        asked.append(f"{rng.choice(NAMES)}=x")
    if asked:
        at = rng.randrange(len(asked))
        asked[at] = f"{asked[at].partition('=')[0]}={quote(str(rng.choice(WORDS)), safe='')}"
    return "/".join(parts) + ("?" + "&".join(asked) if asked else "")
