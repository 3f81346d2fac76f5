"""The next run ends what a killed run left behind, and nothing else."""

import subprocess
from pathlib import Path

import pytest

from referee.shell.sessions import end_sessions, record_session
from tests.shell.rogues import eventually, members

pytestmark = pytest.mark.process


def test_what_a_dead_leader_left_of_its_session_is_ended(tmp_path: Path) -> None:
    scratch = tmp_path / "run" / "slot" / "bot"
    scratch.mkdir(parents=True)
    with subprocess.Popen(
        ["sh", "-c", "sleep 600 & read line"], stdin=subprocess.PIPE, start_new_session=True
    ) as leader:
        assert eventually(lambda: len(members(leader.pid)) == 2)
        record_session(scratch, leader.pid)
    assert len(members(leader.pid)) == 1
    assert end_sessions(tmp_path / "run") == 1
    assert eventually(lambda: not members(leader.pid))
    assert not (tmp_path / "run").exists()


def test_a_session_whose_number_was_given_to_another_process_is_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as stranger:
        try:
            scratch = tmp_path / "run" / "bot"
            scratch.mkdir(parents=True)
            record_session(scratch, stranger.pid)
            pid, start_time = (scratch / "session").read_text().split()
            (scratch / "session").write_text(f"{pid} {int(start_time) - 1}")
            assert end_sessions(tmp_path / "run") == 0
            assert members(stranger.pid) == [stranger.pid]
        finally:
            stranger.kill()


def test_a_run_that_left_nothing_is_cleared_away_quietly(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    (run_dir / "bot").mkdir(parents=True)
    (run_dir / "bot" / "session").write_text("")  # the run was killed while it wrote the file
    assert end_sessions(run_dir) == 0
    assert not run_dir.exists()
