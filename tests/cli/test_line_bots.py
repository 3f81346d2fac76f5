"""Bots that read lines in the commands of matches: the match is that of the same bot over gRPC, at every table."""

from pathlib import Path

import pytest

from referee.match.transcript import from_file
from referee.wire.registry import games
from tests.bots.alike import PROTOCOLS, assert_by_rule, write_alike
from tests.cli.command import referee, run
from tests.starter_game import install, load_rules

pytestmark = pytest.mark.process

PATIENT = ("--move-ms", "300000", "--start-ms", "300000", "--sandbox", "none")
TABLES = (("lines",), ("flat", "grpc", "lines"))
"""The protocols by seat, in turn."""

each_table = pytest.mark.parametrize("table", TABLES, ids="-".join)


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("bots")
    return {protocol: write_alike(folder / protocol, protocol) for protocol in PROTOCOLS}


def seated(bots: dict[str, Path], table: tuple[str, ...], seats: int) -> list[Path]:
    return [bots[table[seat % len(table)]] for seat in range(seats)]


@each_table
@pytest.mark.parametrize("game", games())
def test_a_match_is_that_of_grpc_and_is_played_again_choice_by_choice(
    bots: dict[str, Path], game: str, table: tuple[str, ...], tmp_path: Path
) -> None:
    rules = games()[game].game
    seats = min(rules.seats(rules.options_type()))
    file = tmp_path / "match.json"
    played = referee("play", game, *seated(bots, table, seats), "--seed", "3", "--out", file, *PATIENT)
    assert played.code == 0, played.err
    assert_by_rule(from_file(file.read_bytes())[0])
    again = referee("rerun", file, "--sandbox", "none")
    assert (again.code, again.out) == (0, "the same match, choice by choice\n")


def test_a_match_of_a_guest_game_without_a_proto_is_that_of_grpc_whatever_the_bots_read(
    bots: dict[str, Path], tmp_path: Path
) -> None:
    package = tmp_path / "high-card"
    assert referee("new-game", package).code == 0
    environment = install(package)
    rules = load_rules(package, "high_card").game
    for table in TABLES:
        words: list[str | Path] = [
            "play",
            "high-card",
            *seated(bots, table, 2),
            "--seed",
            "3",
            *PATIENT,
            "--out",
            "match.json",
        ]
        played = run(*words, folder=tmp_path, environment=environment)
        assert played.code == 0, played.err
        assert_by_rule(from_file((tmp_path / "match.json").read_bytes())[0], rules)


def test_a_bot_that_reads_lines_but_is_not_said_to_learns_the_key(bots: dict[str, Path], tmp_path: Path) -> None:
    silent = write_alike(tmp_path / "silent", "lines")
    manifest = (silent / "bot.toml").read_text()
    (silent / "bot.toml").write_text(manifest.replace('protocol = "lines"\nmax_batch = 64\n', ""))
    told = referee("play", "agent-avenue", silent, bots["lines"], *PATIENT).out
    assert 'ended with code 0; if it reads lines, its bot.toml needs protocol = "lines"\n' in told
