"""The transcript of a match with a person: verified and replayed as any other, but nobody can ask the person again."""

from pathlib import Path

import pytest

from referee.files.transcripts import write_transcript
from tests.cli.command import referee
from tests.runtime.test_person import evenly, played


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("persons") / "match.json"
    write_transcript(path, played("agent-avenue", evenly("file"))[0])
    return path


def test_it_verifies(file: Path) -> None:
    assert referee("verify", file).code == 0


@pytest.mark.parametrize("seat", [(), ("--seat", "1")])
def test_it_is_replayed_in_words_and_as_a_page(file: Path, tmp_path: Path, seat: tuple[str, ...]) -> None:
    told = referee("replay", file, *seat)
    assert told.code == 0
    assert referee("replay", file, *seat, "--html", tmp_path / "match.html").code == 0
    assert "~p1@person" in (tmp_path / "match.html").read_text(encoding="utf-8")


def test_to_play_it_again_is_refused_in_one_sentence(file: Path) -> None:
    ended = referee("rerun", file)
    assert ended.code == 2
    said = "a person played in this match, and cannot be asked again; verify checks it"
    assert " ".join(ended.err.split()).endswith(said)
    assert str(file) in "".join(ended.err.split())
