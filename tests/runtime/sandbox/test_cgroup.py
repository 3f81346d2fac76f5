"""Where groups of the kernel are delegated, each box gets one; elsewhere none is made. The file system is a fake."""

import os
import subprocess
from pathlib import Path

import pytest

from referee.core.bot_limits import MIB, SandboxLimits
from referee.files.bot_folder import Visible
from referee.runtime.sandbox import cgroup
from referee.runtime.sandbox.bubblewrap import Bubblewrap
from referee.runtime.sandbox.cgroup import BoxGroup, made, parent
from tests.runtime.sandbox.needed import needs_bwrap

SCOPE = "user.slice/run-1.scope"


@pytest.fixture
def scope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A delegated group with two processes, one of which is ours."""
    place = tmp_path / SCOPE
    place.mkdir(parents=True)
    (place / "cgroup.controllers").write_text("cpu memory pids\n")
    (place / "cgroup.subtree_control").write_text("\n")
    (place / "cgroup.procs").write_text("41\n42\n")
    delegated = {str(place): b"1"}

    def attribute(path: Path, name: str) -> bytes:
        if name != "user.delegate" or str(path) not in delegated:
            raise OSError("there is no such attribute")
        return delegated[str(path)]

    monkeypatch.setattr(os, "getxattr", attribute)
    return place


def found(mount: Path, group: str) -> Path | None:
    """The group in which a process of this group can make others."""
    membership = mount / "membership"
    membership.write_text(f"4:memory:/old\n{group}\n")
    return parent(mount, membership)


def test_a_delegated_group_is_divided_once_and_its_processes_are_moved_below(tmp_path: Path, scope: Path) -> None:
    assert found(tmp_path, f"0::/{SCOPE}") == scope
    assert (scope / "referee" / "cgroup.procs").read_text() == "42"  # the kernel takes one at a time
    assert (scope / "cgroup.subtree_control").read_text() == "+memory"
    (scope / "cgroup.procs").write_text("43")
    (scope / "cgroup.subtree_control").write_text("memory")
    assert found(tmp_path, f"0::/{SCOPE}/referee") == scope
    assert (scope / "referee" / "cgroup.procs").read_text() == "42"


def test_without_delegation_or_a_controller_of_memory_there_is_none(tmp_path: Path, scope: Path) -> None:
    assert found(tmp_path, "0::/user.slice") is None
    assert found(tmp_path, "1:name=systemd:/") is None
    (scope / "cgroup.controllers").write_text("cpu pids")
    assert found(tmp_path, f"0::/{SCOPE}") is None
    assert not (scope / "referee").exists()
    assert parent(tmp_path, tmp_path / "not there") is None


def test_a_group_limits_memory_and_files_together_and_says_when_the_kernel_enforced_that(tmp_path: Path) -> None:
    group = made(tmp_path, SandboxLimits(memory_mib=100, scratch_mib=20))
    assert (group.folder / "memory.max").read_text() == str(120 * MIB)
    assert group.limit_exceeded is None
    (group.folder / "memory.events").write_text("low 0\noom 3\noom_kill 0\n")
    assert group.limit_exceeded is None
    (group.folder / "memory.events").write_text("low 0\noom 0\noom_kill 1\n")  # the whole machine lacked memory
    assert group.limit_exceeded is None
    (group.folder / "memory.events").write_text("low 0\noom 3\noom_kill 1\n")
    assert group.limit_exceeded == "used more memory than the allowed 100 MiB"


def test_a_group_is_removed_and_one_that_is_gone_is_no_mistake(tmp_path: Path) -> None:
    group = BoxGroup(tmp_path / "bot", 1)
    group.folder.mkdir()
    group.remove()
    group.remove()
    assert not group.folder.exists()


@pytest.mark.process
def test_a_command_enters_the_group_and_keeps_its_words_and_its_number(tmp_path: Path) -> None:
    command = BoxGroup(tmp_path, 1).joining(["sh", "-c", 'echo $$ "$0"', "two words"])
    number, words = subprocess.check_output(command, text=True).strip().split(maxsplit=1)
    assert (tmp_path / "cgroup.procs").read_text() == f"{number}\n"
    assert words == "two words"


@needs_bwrap
def test_the_box_of_a_player_has_a_group_where_there_can_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroup, "parent_here", lambda: tmp_path)
    box = Bubblewrap().to_play(["true"], Visible(tmp_path), tmp_path, "unix")
    try:
        (folder,) = tmp_path.glob("bot-*")
        assert str(folder / "cgroup.procs") in box.command
        (folder / "memory.events").write_text("oom 1\noom_kill 1\n")
        assert box.limit_exceeded is not None
        for file in folder.iterdir():  # the kernel's own files are no hindrance
            file.unlink()
    finally:
        box.close()
    assert not folder.exists()
