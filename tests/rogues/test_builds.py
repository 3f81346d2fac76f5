"""Builds that would enter another bot than the one that was submitted: each is refused, and runs nothing outside."""

import json
from pathlib import Path

import pytest

from tests.runtime.sandbox.boxes import needs_boxes
from tests.tournaments.leagues import league
from tournaments.league.service_terms import SubmissionTerms
from tournaments.submissions.build_environment import BuildFailed, LocalBuildEnvironment

pytestmark = [pytest.mark.process, pytest.mark.rogues, needs_boxes]

LEAGUE = league((), game="agent-avenue", sandbox="bubblewrap")
MANIFEST = 'name = "rogue"\nversion = "1"\nauthor = "the tests"\ngames = ["*"]\nrun = ["build/bot"]\n'


def _built(folder: Path, manifest: str) -> None:
    """Build a bot in the box, by a build that writes another manifest."""
    (folder / "manifest").write_text(manifest)
    script = "mkdir build; touch build/bot; cat manifest > bot.toml"
    (folder / "bot.toml").write_text(f"{MANIFEST}build = {json.dumps(['sh', '-c', script])}\n")
    LocalBuildEnvironment(LEAGUE, SubmissionTerms()).build(folder, lambda _text: None)


def test_in_the_box_a_build_that_renames_its_bot_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match=r"^bot\.toml: the build changed name, version, build; a build may not"):
        _built(tmp_path, MANIFEST.replace("rogue", "champion").replace('"1"', '"2"'))


def test_in_the_box_a_build_that_names_a_program_outside_is_refused_and_the_program_never_runs(
    tmp_path: Path,
) -> None:
    ran, outside, folder = tmp_path / "ran", tmp_path / "outside", tmp_path / "bot"
    outside.write_text(f"#!/bin/sh\ntouch {ran}\n")
    outside.chmod(0o755)
    folder.mkdir()
    with pytest.raises(BuildFailed, match="the build changed run, build; a build may not change what you submit"):
        _built(folder, MANIFEST.replace("build/bot", str(outside)))
    assert not ran.exists()
