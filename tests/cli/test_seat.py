"""`referee seat`: what is wrong is one sentence. Seats that work are in `tests/mcp`."""

import sys
from pathlib import Path

import pytest

from tests.cli.command import referee


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["eva"], "say how the agent gets the seat: --mcp"),
        (["no name", "--mcp"], "'no name' is not allowed"),
        (
            ["eva", "--mcp", "--host", "0.0.0.0"],  # noqa: S104 - it is refused
            "0.0.0.0: the token would be sent in the clear; give --certificate and --key",
        ),
        (
            ["eva", "--mcp", "--key", "."],
            "127.0.0.1: the token would be sent in the clear; give --certificate and --key",
        ),
        (["eva", "--mcp"], "a seat for an agent needs more packages: pip install 'referee[mcp]'"),
    ],
)
def test_a_seat_that_cannot_be_offered_is_one_sentence_and_leaves_nothing(
    words: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "httpx2", None)  # as if it was not installed
    ended = referee("seat", *words)
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert ended.err.startswith(sentence)
    assert list(tmp_path.iterdir()) == []
