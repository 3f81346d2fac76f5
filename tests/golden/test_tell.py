"""The command that prints a playthrough in full, or what changed in it."""

import subprocess
from pathlib import Path

import pytest

from tests.golden import tell
from tests.golden.tables import GOLDEN
from tests.needed import needs_git

PLAY = next(golden for golden in GOLDEN if golden.in_text)
AT_ITS_COMMIT = "print('as it was')\nprint('as it is')\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository whose last commit prints another text than its current files."""
    command = tmp_path / "tests/golden/tell.py"
    command.parent.mkdir(parents=True)
    command.write_text(AT_ITS_COMMIT)
    author = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    for arguments in (["init", "--quiet"], ["add", "."], [*author, "commit", "--quiet", "--message", "as it was"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    command.write_text("print('as it is')\n")
    return tmp_path


def test_a_playthrough_is_told_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    tell.main([str(PLAY)])
    assert capsys.readouterr().out == PLAY.text_path.read_text(encoding="utf-8")


@needs_git
def test_what_was_told_at_a_revision_is_told_by_the_program_of_that_revision(checkout: Path) -> None:
    assert tell.told_at("HEAD", str(PLAY), checkout) == "as it was\nas it is\n"


@needs_git
def test_since_a_revision_only_the_lines_that_changed_are_told(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tell, "CHECKOUT", checkout)
    tell.main([str(PLAY), "--since", "HEAD"])
    told = capsys.readouterr().out.splitlines()
    assert "-as it was" in told
    assert "-as it is" in told
    assert f"+{PLAY.text_path.read_text(encoding='utf-8').splitlines()[0]}" in told


@needs_git
def test_a_revision_that_is_none_stops_the_command(checkout: Path) -> None:
    with pytest.raises(SystemExit):
        tell.told_at("nowhere", str(PLAY), checkout)
