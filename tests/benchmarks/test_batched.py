"""The rows of leagues in batches, without playing them."""

import shutil
from pathlib import Path

import pytest

from benchmarks import batched
from benchmarks.leagues import Speed
from tournaments.league.model import League


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[League]:
    """The leagues that would be played, at 60,000 decisions a second."""
    leagues: list[League] = []

    def played(league: League) -> Speed:
        leagues.append(league)
        return Speed(matches=1, decisions=60_000, seconds=1.0)

    monkeypatch.setattr(batched, "played", played)
    monkeypatch.setattr(batched, "_BARE_DEALS", 1)
    monkeypatch.setattr(batched, "bare_rate", lambda _scripts: 15_000.0)
    return leagues


def test_without_a_compiler_the_rows_with_targets_say_so_and_the_python_bot_is_measured(
    asked: list[League], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: None if program == "g++" else program)
    *compiled, python = batched.rows()
    assert {row.missing for row in compiled} == {"the C++ starter needs g++"}
    assert len(compiled) == 3
    assert python.value == 60_000
    assert {league.batch for league in asked} == {64}


def test_a_league_of_a_compiled_bot_is_compared_with_bare_clients(asked: list[League], tmp_path: Path) -> None:
    row = batched._over_bare_clients(tmp_path / "thin", 256)
    assert (row.ratio, row.first, row.then, row.reached) == (4.0, 3.5, 4.5, "first")
    assert {league.batch for league in asked} == {256}
    assert [entry.name for entry in asked[0].entries] == ["thin-a@1", "thin-b@1"]


def test_five_seats_are_filled_by_five_bots(tmp_path: Path) -> None:
    league = batched._five_seated(tmp_path / "thin")
    assert (league.game, len(league.entries), league.tables[0].seats, league.batch) == ("inside-job", 5, 5, 64)
