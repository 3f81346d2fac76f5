"""The address of a league that is served, and the token that goes there."""

import json
from pathlib import Path

import pytest

from referee.core.errors import FileProblems
from tournaments.web.client.address import Address, BadAddress, address, is_address
from tournaments.web.client.saved_tokens import token_for, tokens_file

TOKEN = "5f" * 32


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://bots.example/leagues/autumn", Address(True, "bots.example", 443, "/leagues/autumn")),
        ("https://bots.example:8443/leagues/autumn/", Address(True, "bots.example", 8443, "/leagues/autumn")),
        ("https://bots.example/games/leagues/a-1", Address(True, "bots.example", 443, "/games/leagues/a-1")),
        ("http://127.0.0.1:8080/leagues/autumn", Address(False, "127.0.0.1", 8080, "/leagues/autumn")),
        ("http://[::1]:8080/leagues/autumn", Address(False, "::1", 8080, "/leagues/autumn")),
    ],
)
def test_an_address_is_read_and_written(text: str, found: Address) -> None:
    assert address(text) == found
    assert address(found.text) == found


@pytest.mark.parametrize(
    "text",
    [
        "https://bots.example",
        "https://bots.example/autumn",
        "https://bots.example/leagues/",
        "https://bots.example/leagues/a/b",
        "https://bots.example/leagues/a?x=1",
        "https://bots.example/leagues/a#x",
        "https://bots.example/leagues/a%0d%0aX: y",
        "https://bots.example:99999/leagues/a",
        "https:///leagues/a",
        "ftp://bots.example/leagues/a",
        "https://[::1/leagues/a",
    ],
)
def test_what_is_no_address_is_refused_with_what_to_write(text: str) -> None:
    assert is_address(text)
    with pytest.raises(BadAddress, match="write https://HOST/leagues/NAME"):
        address(text)


def test_a_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(BadAddress) as refused:
        address("https://eva:secret@bots.example/leagues/a")
    assert "secret" not in str(refused.value)


def test_other_machines_are_not_called_in_the_clear_unless_that_is_said() -> None:
    text = "http://bots.example/leagues/a"
    with pytest.raises(BadAddress, match="everything would be sent in the clear"):
        address(text)
    assert address(text, in_the_clear=True).port == 80


def test_words_of_a_path_cannot_lead_elsewhere() -> None:
    here = address("https://bots.example/leagues/a")
    assert here.of("matches", "x?y#z\r\n é") == "/leagues/a/api/matches/x%3Fy%23z%0D%0A%20%C3%A9"


def kept(tmp_path: Path, content: str, mode: int = 0o600) -> str | None:
    """The token for a league, if `referee login` kept this content."""
    file = tokens_file({"XDG_CONFIG_HOME": str(tmp_path)})
    file.parent.mkdir(exist_ok=True)
    file.write_text(content)
    file.chmod(mode)
    return token_for(address("https://bots.example/leagues/autumn"), {"XDG_CONFIG_HOME": str(tmp_path)})


def test_a_token_comes_from_the_environment_or_from_a_file_that_nobody_else_reads(tmp_path: Path) -> None:
    here, home = address("https://bots.example/leagues/autumn"), {"XDG_CONFIG_HOME": str(tmp_path)}
    assert token_for(here, home) is None
    assert kept(tmp_path, f'"https://bots.example" = "{TOKEN}"\n') == TOKEN
    assert kept(tmp_path, f'"https://other.example" = "{TOKEN}"\n') is None
    assert token_for(here, home | {"REFEREE_TOKEN": "another"}) == "another"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o610])
def test_a_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(FileProblems, match="others may read this token; make the file yours alone: chmod 600 "):
        kept(tmp_path, f'"https://bots.example" = "{TOKEN}"\n', mode)


@pytest.mark.parametrize("content", ["", "two words", "a\x00b", "é", "x" * 2000, "a\r\nX-Header: b"])
def test_what_is_no_token_is_refused_and_never_repeated(tmp_path: Path, content: str) -> None:
    with pytest.raises(FileProblems) as refused:
        kept(tmp_path, f'"https://bots.example" = {json.dumps(content)}\n')
    assert not content.strip() or content not in str(refused.value)
    with pytest.raises(FileProblems):
        token_for(address("https://bots.example/leagues/autumn"), {"REFEREE_TOKEN": content or " "})


@pytest.mark.parametrize("content", ["two words", "a = ", "\x00", '"a" = "b'])
def test_a_file_of_tokens_that_is_no_toml_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(FileProblems, match=r"tokens\.toml"):
        kept(tmp_path, content)
