"""A game that fails in a command: one sentence, no traceback, and the match in a file."""

import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from referee.drawing import registry
from referee.files.transcripts import write_transcript
from tests.cli.command import referee
from tests.failing_game import SENTENCE, FailingAuction, install, played

SEEN = {
    "words": [],
    "words of a seat": ["--seat", "0"],
    "page": ["--html", "out"],
    "page of a seat": ["--html", "out", "--seat", "0"],
    "picture": ["--svg", "out"],
    "picture of a seat": ["--svg", "out", "--seat", "0"],
}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FailingAuction:
    """The game, and the folder in which one of its matches is the file `m.json`."""
    monkeypatch.chdir(tmp_path)
    write_transcript(Path("m.json"), played())
    return install(monkeypatch)


def is_told(*command: str) -> None:
    ended = referee(*command)
    kept = "game-bug-0000000000000007.json"
    assert (ended.code, ended.err) == (3, f"{SENTENCE}, and no bot pays for it; the match up to there is in {kept}\n")
    assert "KeyError" in "".join(json.loads(Path(kept).read_text())["traceback"])


def test_a_match_that_is_verified(game: FailingAuction) -> None:
    game.fail("apply")
    is_told("verify", "m.json")


@pytest.mark.parametrize("method", ["view", "describe", "describe_action", "describe_view"])
@pytest.mark.parametrize("options", SEEN.values(), ids=SEEN)
def test_a_match_that_is_seen_again(game: FailingAuction, options: list[str], method: str) -> None:
    assert referee("replay", "m.json", *options).code == 0
    game.fail(method)
    if "--svg" in options and method == "describe_action":
        assert referee("replay", "m.json", *options).code == 0  # a picture has no actions
    else:
        is_told("replay", "m.json", *options)


def test_a_drawer_that_cannot_be_loaded(game: FailingAuction, monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint(game.name, "tests.failing_game:nothing", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda **_asked: [point])
    registry._registered.cache_clear()
    ended = referee("replay", "m.json", "--html", "out")
    registry._registered.cache_clear()
    assert ended.code == 2
    assert ended.err.startswith("the drawer of auction cannot be loaded from tests.failing_game:nothing: ")
