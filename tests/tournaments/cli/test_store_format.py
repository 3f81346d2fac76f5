"""A store of another format, or of none, is refused by every command that opens a store, to read and to write."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import typer

from referee.cli.commands import Commands
from referee.cli.commands import app as all_commands
from tests.cli.command import BOTS, GAME, referee
from tests.tournaments.arena import write_league
from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tests.tournaments.stores import in_sql
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in
from tournaments.store.pinned_league import contents
from tournaments.store.schema import FORMAT

PATHS = {"GREEDY": BOTS / "greedy", "RANDOM": BOTS / "random", "COUNTER": BOTS / "counter"}

COMMANDS = {
    "compare": "GREEDY RANDOM --league FILE --sandbox none --workers 1",
    "entries": "FILE",
    "entry delete": "greedy@1 FILE",
    "entry disable": "greedy@1 FILE",
    "entry give": "greedy eva FILE",
    "entry recheck": "greedy@1 FILE",
    "entry show": "greedy@1 FILE",
    "entry unpack": "greedy@1 FILE NEW",
    "entry withdraw": "greedy@1 FILE",
    "league check": "FILE --workers 1",
    "league close": "FILE",
    "league compare": "FILE greedy@1 random@1",
    "league crosstable": "FILE",
    "league enter": "FILE COUNTER",
    "league export": "FILE NEW",
    "league log": "FILE greedy@1",
    "league match": "FILE auction/table/greedy@1+random@1/deal-0/turn-0 NEW",
    "league matches": "FILE",
    "league prune": "FILE --older-than 9d",
    "league reinstate": "FILE greedy@1",
    "league report": "FILE NEW",
    "league rerun": "FILE --losses greedy@1 --bot COUNTER --sandbox none",
    "league retry": "FILE",
    "league retry-faults": "FILE --from 1970-01-01 --until 1970-01-02",
    "league rounds": "FILE",
    "league run": "FILE --workers 1",
    "league standings": "FILE",
    "league status": "FILE",
    "league verify": "FILE --workers 1",
    "league watch": "FILE",
    "league withdraw": "FILE greedy@1",
    "people add": "eva FILE",
    "people invite": "FILE --name eva",
    "people list": "FILE",
    "people remove": "eva FILE",
    "people role": "eva assistant FILE",
    "people team": "foxes eva FILE",
    "serve": "FILE --port 0",
    "site": "FILE NEW",
    "submit": "COUNTER --to FILE",
}
"""All commands with the option `--store`, with what they need. FILE is the league file, and NEW a path."""


def words_of(command: str, **paths: Path) -> list[str | Path]:
    """What stands for paths is replaced word by word, since a path may have blanks."""
    return [(PATHS | paths).get(word, word) for word in command.split()]


OTHERS = {
    "a lower number": ("UPDATE store_format SET format = format - 1", f"has format {FORMAT - 1}"),
    "a higher number": ("UPDATE store_format SET format = format + 1", f"has format {FORMAT + 1}"),
    "no number": ("DELETE FROM store_format", "has a table 'answer' and no format number"),
    "no table for it": ("DROP TABLE store_format", "has a table 'answer' and no format number"),
}


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The league file beside each store, which has all matches of the league."""
    files = {}
    for name, (change, _) in OTHERS.items():
        folder = tmp_path_factory.mktemp("other")
        files[name] = write_league(folder / "autumn.toml", [PATHS["GREEDY"], PATHS["RANDOM"]], 1, "[submissions]\n")
        league, url = league_in(files[name]), url_of(files[name])
        with open_run(league, url, FakeMachine(FakeExecutor(game=GAME, clock=league.clock), contents)) as run:
            for _ in run.play():
                pass
        in_sql(url, change)
    return files


def url_of(file: Path) -> str:
    return f"sqlite:///{file.with_suffix('.sqlite')}"


def dump(file: Path) -> list[str]:
    with closing(sqlite3.connect(file.with_suffix(".sqlite"))) as connection:
        return list(connection.iterdump())


def with_store(group: Commands, *names: str) -> Iterator[str]:
    """The commands of a group, and of the groups in it, that have the option `--store`."""
    for name in group.commands:
        command = group.load(name)
        if isinstance(command, Commands):
            yield from with_store(command, *names, name)
        elif any("--store" in option.opts for option in command.params):
            yield " ".join((*names, name))


def sentence(place: str, has: str) -> str:
    return (
        f"the store {place} {has}, and this Referee reads and writes format {FORMAT} only; export it with the Referee"
        " that made it (`referee league export`), or name another store (--store)\n"
    )


def test_the_list_of_commands_that_open_a_store_is_complete() -> None:
    group = typer.main.get_command(all_commands)
    assert isinstance(group, Commands)
    assert sorted(with_store(group)) == sorted(COMMANDS)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_store_of_another_format_is_refused_by_every_command_in_one_sentence_and_stays_as_it_is(
    stores: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, other: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", tempfile.gettempdir())  # `serve` changes it
    file = stores[other]
    before = dump(file)
    words = words_of(COMMANDS[command], FILE=file, NEW=tmp_path / "new")
    ended = referee(*command.split(), *words, "--store", url_of(file))
    assert (ended.code, ended.out) == (3, "")
    assert ended.err == sentence(url_of(file), OTHERS[other][1])
    assert dump(file) == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("other", OTHERS)
def test_a_damaged_store_of_another_format_is_not_salvaged_unless_its_number_is_lost(
    stores: dict[str, Path], tmp_path: Path, other: str
) -> None:
    file, new = stores[other], tmp_path / "new.sqlite"
    ended = referee("league", "salvage", file, file.with_suffix(".sqlite"), "--to", new)
    if other == "no number":
        assert (ended.code, new.exists()) == (0, True)
    else:
        assert (ended.code, ended.out, new.exists()) == (3, "", False)
        assert ended.err == sentence(str(file.with_suffix(".sqlite")), OTHERS[other][1])
