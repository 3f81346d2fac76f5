"""The offer to visitors of a league: the bots that the organizer opened to them, as they are on the roster."""

import asyncio
from pathlib import Path

import pytest

from referee.core.errors import FileProblems
from tests.cli.command import referee
from tests.tournaments.arena import write_bot, write_league
from tests.tournaments.web.visitors.puppets import play
from tournaments.league.model import Entry, Remote
from tournaments.league.service_terms import VisitorTerms
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import league_in
from tournaments.store import Store
from tournaments.web.visitors.process import ProcessOrders, folder_of, open_table_context
from tournaments.web.visitors.protocol import PERSON, TableRequest
from tournaments.web.visitors.table import TableContext
from tournaments.web.visitors.tables import OpenTables


def league_file(folder: Path, *opponents: str, more: str = "") -> Path:
    bots = [write_bot(folder / name, name, folder / "log") for name in ("ann", "bob")]
    named = ", ".join(f'"{it}"' for it in opponents)
    return write_league(folder / "small.toml", bots, 1, f"[visitors]\nopponents = [{named}]\n{more}")


def room_of(file: Path, told: list[str]) -> dict[str, str]:
    """The bots of the room of a league, each with its folder."""
    league, url = league_in(file), f"sqlite:///{file.with_suffix('.sqlite')}"
    with open_table_context(league, url, LocalEnvironment(1), told.append) as room:
        assert (room.league, room.game.game.name) == ("small", "agent-avenue")
        assert room.terms == league.visitors
        assert room.clock == league.clock
        assert room.confinement.name == "none"
        return {name: bot.place for name, bot in room.bots.items()}


def test_only_the_bots_that_were_opened_are_there(tmp_path: Path) -> None:
    told: list[str] = []
    assert room_of(league_file(tmp_path, "bob@1"), told) == {"bob@1": str(tmp_path / "bob")}
    assert told == []


def test_who_was_withdrawn_or_is_not_entered_yet_is_told_and_not_there(tmp_path: Path) -> None:
    file = league_file(tmp_path, "ann@1", "bob@1", "eva@1", more="[submissions]\n")
    league, url = league_in(file), f"sqlite:///{tmp_path / 'small.sqlite'}"
    with Store(url, league.name) as store:
        store.open_league(league, {}, bytes(32), 1)
        store.change("bob@1", None, 2)
        store.change("far@1", Entry("far@1", "grpcs://far.example:1", Remote(None, None, 1)), 3)
    told: list[str] = []
    assert room_of(file, told) == {"ann@1": str(tmp_path / "ann")}
    assert told == [
        "small: visitors cannot play with bob@1, which is not on the roster",
        "small: visitors cannot play with eva@1, which is not on the roster",
    ]


def test_a_bot_that_cannot_be_started_is_a_problem_that_names_it(tmp_path: Path) -> None:
    file = league_file(tmp_path, "ann@1")
    toml = tmp_path / "ann/bot.toml"
    toml.write_text(toml.read_text().replace('"{python}"', '"no-such-program"'))
    with pytest.raises(FileProblems, match="there is no program no-such-program"):
        room_of(file, [])


async def record_of(room: TableContext, run_dir: Path, opponent: str) -> bytes:
    """Play a match in the room, to its end. Returns the transcript for the visitor."""
    tables_service = OpenTables({room.league: room}, run_dir, print)
    key = (await tables_service.open(TableRequest(room.league, {}, (PERSON, opponent), "ann"))).key
    await play(tables_service, key)
    try:
        return await tables_service.record(key)
    finally:
        await tables_service.close()


@pytest.mark.process
def test_a_match_against_a_bot_that_was_entered_in_the_store_is_kept_verifies_and_is_replayed(
    tmp_path: Path, scratch: Path, url: str
) -> None:
    league = league_in(league_file(tmp_path, "eva@1", more="[submissions]\n"))
    with Store(url, league.name) as store:
        store.open_league(league, {}, bytes(32), 1)
        store.change("eva@1", Entry("eva@1", str(write_bot(tmp_path / "eva", "eva", tmp_path / "log"))), 2)
    with open_table_context(league, url, LocalEnvironment(1), print) as room:
        taken_home = tmp_path / "match.json"
        taken_home.write_bytes(asyncio.run(record_of(room, scratch, "eva@1")))
    (kept,) = folder_of(url, league.name).iterdir()
    for file in (kept, taken_home):
        assert referee("verify", file).code == 0
        told = referee("replay", file)
        assert told.code == 0
        assert "~ann@person" in told.out
        assert "eva@1" in told.out
    assert str(tmp_path / "eva") in kept.read_text()
    assert str(tmp_path) not in taken_home.read_text()


def test_matches_are_kept_beside_the_store(tmp_path: Path) -> None:
    assert folder_of(f"sqlite:///{tmp_path / 'a.sqlite'}", "small") == tmp_path / "a.sqlite.small.persons"


def test_the_process_answers_in_the_folder_that_it_is_given() -> None:
    assert ProcessOrders((), "/run/here").socket == Path("/run/here/tables.sock")


def test_the_clock_of_persons_is_ten_minutes_a_move_if_nothing_is_said() -> None:
    assert VisitorTerms().clock.move_ms == 600_000
    assert VisitorTerms().opponents == ()
