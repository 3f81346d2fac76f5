"""Remote bots as players and organizers use them: in `play`, `check`, `rerun` and in a league."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import BOTS, UNBOXED, referee
from tests.runtime.remotes import TLS, TOKEN, serving
from tests.runtime.rogues import eventually
from tests.tournaments.arena import write_bot

pytestmark = pytest.mark.process

GAME = "agent-avenue"


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.touch(mode=0o600)
    path.write_text(TOKEN)
    return path


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of an honest bot over TLS. It serves all tests."""
    with serving("honest", tls=True, token=TOKEN) as (address, _):
        yield address


def test_a_remote_bot_plays_is_checked_and_plays_again(address: str, token_file: Path, tmp_path: Path) -> None:
    shown = ("--ca", TLS / "ca.pem", "--token-file", token_file, *UNBOXED)
    file = tmp_path / "match"
    played = referee("play", GAME, address, BOTS / "random", "--seed", "3", "--out", file, *shown, "--json")
    assert (played.code, played.err) == (0, "")
    assert played.json["faults"] == []
    again = referee("rerun", file, *shown)
    assert (again.code, again.out) == (0, "the same match, choice by choice\n")
    checked = referee("check", address, "--game", GAME, *shown)
    assert (checked.code, checked.out.splitlines()[0]) == (0, "rogue@1: answers")
    assert "FAIL" not in checked.out


def listens(path: Path) -> bool:
    """Whether somebody accepts connections at a socket. Its file is there a moment earlier."""
    with socket.socket(socket.AF_UNIX) as caller:
        return caller.connect_ex(str(path)) == 0


def test_a_bot_that_a_person_started_at_a_unix_socket_plays_is_checked_and_plays_again(scratch: Path) -> None:
    address, file = f"unix:{scratch / 'bot.sock'}", scratch / "match"
    environment = {**os.environ, "REFEREE_ADDRESS": address}
    command = [sys.executable, "bot.py"]
    bot = subprocess.Popen(command, cwd=BOTS / "random", env=environment, stdout=subprocess.DEVNULL)
    try:
        assert eventually(lambda: listens(scratch / "bot.sock"))
        played = referee("play", GAME, address, BOTS / "random", "--seed", "3", "--out", file, *UNBOXED)
        again = referee("rerun", file, *UNBOXED)
        checked = referee("check", address, "--game", GAME, *UNBOXED)
    finally:
        bot.kill()
        bot.wait()
    assert (played.code, played.err) == (0, "")
    assert (again.code, again.out) == (0, "the same match, choice by choice\n")
    assert (checked.code, checked.out.splitlines()[0]) == (0, "random@1: answers")


def test_a_unix_socket_where_nobody_listens_is_one_sentence_and_a_league_takes_none(scratch: Path) -> None:
    address = f"unix:{scratch / 'bot.sock'}"
    nobody = referee("play", GAME, address, BOTS / "random")
    assert (nobody.code, nobody.out, len(nobody.err.splitlines())) == (2, "", 1)
    assert nobody.err.startswith(f"{address}: ")
    league = referee("league", "check", league_file(scratch, address))
    assert (league.code, "is not an address" in league.err) == (2, True)


def test_a_wrong_token_a_wrong_certificate_and_nobody_there_are_one_sentence_each(address: str, tmp_path: Path) -> None:
    (tmp_path / "guess").touch(mode=0o600)
    (tmp_path / "guess").write_text("guess")
    wrong = referee("play", GAME, address, BOTS / "random", "--ca", TLS / "ca.pem", "--token-file", tmp_path / "guess")
    assert (wrong.code, wrong.out, wrong.err) == (2, "", f"{address}: does not take the token\n")
    stranger = referee("play", GAME, address, BOTS / "random", "--ca", TLS / "other.pem")
    text = "its certificate was not signed by an authority that is trusted here"
    assert (stranger.code, stranger.out, stranger.err) == (2, "", f"{address}: {text}\n")


def test_a_remote_bot_is_refused_for_many_matches_at_once(address: str, token_file: Path) -> None:
    shown = ("--ca", TLS / "ca.pem", "--token-file", token_file, *UNBOXED)
    ended = referee("play", GAME, BOTS / "random", address, "--batch", "2", *shown)
    told = "rogue@1 is a remote bot, which plays one match at a time: leave out --batch\n"
    assert (ended.code, ended.out, ended.err) == (2, "", told)


def league_file(folder: Path, address: str, more: str = "") -> Path:
    near = [write_bot(folder / name, name, folder / "log") for name in ("ann", "bob")]
    path = folder / "far.toml"
    path.write_text(
        f"""
        name = "far"
        game = "{GAME}"
        deals = 3
        rehearsal = true
        sandbox = "none"
        seed = "7"
        [[bots]]
        path = "{near[0]}"
        [[bots]]
        path = "{near[1]}"
        [[bots]]
        address = "{address}"
        name = "rogue"
        version = "1"
        ca = "{TLS / "ca.pem"}"
        token_file = "token"
        {more}
        [[tables]]
        name = "simple"
        seats = 2
        """
    )
    return path


@pytest.mark.slow
def test_a_league_with_a_remote_bot_is_played_to_its_end_and_verifies(
    address: str, token_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert token_file.parent == tmp_path
    monkeypatch.chdir(tmp_path)
    file = league_file(tmp_path, address)
    assert referee("league", "run", file, "--workers", "2").code == 0
    standings = referee("league", "standings", file, "--json").json
    assert standings["matches"]["played"] == standings["matches"]["planned"] == 18
    assert {row["faults"] for row in standings["standings"]} == {0}
    assert referee("league", "verify", file).out == "18 matches checked: all hold\n"


@pytest.mark.slow
def test_a_remote_bot_holds_one_seat_at_a_time_unless_the_league_file_says_more(
    token_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with serving("serves_one_at_a_time", tls=True, token=TOKEN) as (address, _):
        file = league_file(tmp_path, address)
        ended = referee("league", "run", file, "--workers", "2")
    assert ended.code == 0
    assert "postponed" not in ended.err
    assert referee("league", "matches", file, "--faults").out == ""
    assert token_file.exists()


def test_a_remote_bot_that_is_not_who_it_was_entered_as_stops_the_run_before_it_begins(
    token_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with serving("has_another_name", tls=True, token=TOKEN) as (address, _):
        ended = referee("league", "run", league_file(tmp_path, address))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"{address}: says it is somebody@1, but the league file says rogue@1\n"
    assert token_file.exists()


def test_a_remote_bot_is_not_given_more_seats_at_once_than_it_says_it_can_serve(
    address: str, token_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = referee("league", "run", league_file(tmp_path, address, "parallel = 2"))
    text = "parallel is 2 in the league file, but rogue@1 says that it can serve 1"
    assert (ended.code, ended.err) == (2, f"{address}: {text}\n")
    assert token_file.exists()
