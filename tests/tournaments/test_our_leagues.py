"""The league files that come with the project."""

from pathlib import Path

import pytest

from referee.games.inside_job.roles import SPECIAL
from referee.wire.registry import games
from tests.tournaments.leagues import plan
from tournaments.config import read_league
from tournaments.model import League

FOLDER = Path("tournaments/leagues")
FILES = sorted(FOLDER.glob("*.toml"))


def league(file: Path) -> League:
    return read_league(file, {name: entry.game for name, entry in games().items()})


def test_there_are_some() -> None:
    assert {file.stem for file in FILES} >= {"quickstart", "agent_avenue_advanced", "agent_avenue_teams"}
    assert {file.stem for file in FILES} >= {"inside_job", "inside_job_roles", "agonia", "agonia_teams"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_can_be_read_with_the_games_that_are_installed_and_has_a_fixed_seed(file: Path) -> None:
    ours = league(file)
    assert ours.rehearsal
    assert ours.seed is not None
    assert len(plan(ours)) >= 1000


def test_together_they_play_inside_job_with_every_special_role_and_without() -> None:
    tables = [table for file in FILES for table in league(file).tables if league(file).game == "inside-job"]
    assert {role for table in tables for role in table.options["roles"].split(",")} == {
        "none",
        *(role.id for role in SPECIAL),
    }
    assert {table.seating for table in tables} == {"copies"}


def test_together_they_play_every_mode_and_line_up_of_agent_avenue() -> None:
    tables = [table for file in FILES for table in league(file).tables if league(file).game == "agent-avenue"]
    played = {(table.options["mode"], table.options["line_up"]) for table in tables}
    assert played == {(mode, line_up) for mode in ("simple", "advanced") for line_up in ("1v1", "2v2", "2v1")}


def test_agonia_is_played_on_both_boards_by_every_number_of_players_mixed_and_alone() -> None:
    tables = league(FOLDER / "agonia.toml").tables
    assert {table.options["board"] for table in tables} == {"main", "secondary"}
    assert {table.seats for table in tables} == {2, 3, 4, 5}
    assert {table.seating for table in tables} == {"distinct", "teams"}


def test_the_win_rates_of_the_bots_of_agonia_are_those_of_a_league_that_we_have() -> None:
    teams = league(FOLDER / "agonia_teams.toml")
    played = [(table.options["board"], table.seats) for table in teams.tables]
    assert played == [(board, seats) for board in ("main", "secondary") for seats in (2, 3, 4, 5)]
    assert {(table.seating, table.options["rounds"]) for table in teams.tables} == {("teams", 10)}
    told = Path("sample_bots/README.md").read_text(encoding="utf-8")
    assert f"({teams.deals} matches each, `rounds=10`" in told
