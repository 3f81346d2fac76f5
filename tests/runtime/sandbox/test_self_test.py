"""A trial confines a bot, tests every promise, and names the broken ones."""

import os
import secrets
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.core.bot_limits import MIB, Sandbox, SandboxLimits
from referee.runtime import confinement as kinds
from referee.runtime.confinement import Unconfined
from referee.runtime.sandbox import self_test
from referee.runtime.sandbox.obstacles import MachineFacts, Obstacle
from referee.runtime.sandbox.runtimes import Runtime, runtimes
from referee.runtime.sandbox.self_test import AttemptResults, points_of, tried
from tests.runtime.sandbox.needed import needs_bwrap, needs_landlock

LIMITS = SandboxLimits()
KEPT = AttemptResults(
    capabilities="0000000000000000",
    no_new_privileges=True,
    is_filtered=True,
    networks=("lo",),
    limits={"DATA": LIMITS.memory_mib * MIB, "NOFILE": LIMITS.files, "FSIZE": LIMITS.file_mib * MIB, "CORE": 0},
    has_scratch=True,
    reached=frozenset(),
)


def broken(planted: bool = False, **changes: Any) -> list[str]:
    points = points_of(msgspec.structs.replace(KEPT, **changes), LIMITS, planted=planted)
    return [point.what for point in points if not point.holds]


def test_a_bot_that_reached_nothing_found_every_promise_kept() -> None:
    assert broken() == []
    assert broken(capabilities="0000000000000004") == []  # root's bots may read what only root may


@pytest.mark.parametrize(
    ("changes", "promise"),
    [
        ({"capabilities": "0000000000200000"}, "rights"),
        ({"no_new_privileges": False}, "rights"),
        ({"is_filtered": False}, "system calls"),
        ({"reached": frozenset({"session"})}, "system calls"),
        ({"reached": frozenset({"file"})}, "reads"),
        ({"planted": True}, "writes"),
        ({"has_scratch": False}, "writes"),
        ({"reached": frozenset({"port"})}, "network"),
        ({"networks": ("lo", "eth0")}, "network"),
        ({"reached": frozenset({"socket"})}, "socket"),
        ({"reached": frozenset({"abstract"})}, "socket"),
        ({"reached": frozenset({"process"})}, "process"),
        ({"limits": {**KEPT.limits, "NOFILE": LIMITS.files + 1}}, "limits"),
        ({"limits": {**KEPT.limits, "CORE": -1}}, "limits"),
    ],
)
def test_each_promise_that_is_broken_is_named(changes: dict[str, Any], promise: str) -> None:
    (found,) = broken(**changes)
    assert promise in found


@pytest.mark.process
@needs_bwrap
def test_a_box_keeps_every_promise() -> None:
    found = tried("bubblewrap")
    assert found.obstacle is None
    assert [point.what for point in found.points if not point.holds] == []
    assert len(found.points) == 9


@pytest.mark.process
@needs_landlock
def test_a_fence_keeps_every_promise() -> None:
    found = tried("landlock")
    assert found.obstacle is None
    assert len(found.points) == 8


@pytest.mark.process
def test_a_confinement_that_does_not_confine_is_an_obstacle_and_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda _bytes: f"{os.getpid()}")
    monkeypatch.setattr(self_test, "foreseen", lambda _machine: None)
    monkeypatch.setitem(kinds._BY_NAME, "bubblewrap", lambda _limits, _read: Unconfined())
    found = tried("bubblewrap")
    assert found.obstacle is not None
    assert "it reaches no process of others" in found.obstacle.what
    assert [point.what for point in found.points if point.holds] == []
    assert not any(Path(place, f"referee-{os.getpid()}").exists() for place in ("/", "/usr"))


@pytest.mark.parametrize("said", ["echo bwrap: no; exit 1", "echo bwrap: no >&2; exit 1"])
@pytest.mark.process
def test_the_words_of_a_box_that_could_not_be_made_are_explained(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{said}\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(self_test, "foreseen", lambda _machine: None)
    monkeypatch.setattr(self_test, "explained", lambda _machine, words: Obstacle(f"explained: {words}", ""))
    found = tried()
    assert found.obstacle is not None
    assert found.obstacle.what.startswith("explained: bwrap")
    assert found.points == ()


@pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock"])
def test_what_is_foreseen_is_not_tried(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    old = MachineFacts(is_root=False, kernel=(4, 19))
    monkeypatch.setattr(self_test, "this_machine", lambda: old)
    monkeypatch.setattr(self_test, "_run", lambda *_: pytest.fail("tried"))
    found = tried(sandbox)
    assert found.obstacle is not None
    assert "4.19 is too old" in found.obstacle.what


@pytest.mark.process
def test_runtimes_are_found_and_run_as_bots_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, script in (
        ("java", "echo version 17 >&2"),
        ("node", "echo no home >&2; exit 3"),
        ("go", "sleep 0; exit 4"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "sh").symlink_to(shutil.which("sh") or "/bin/sh")
    (tmp_path / "sleep").symlink_to(shutil.which("sleep") or "/bin/sleep")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = {runtime.name: runtime for runtime in runtimes(Unconfined())}
    version = f"Python {sys.version.split()[0]}"
    assert found["python"] == Runtime("python", sys.executable, True, version)
    assert found["java"] == Runtime("java", str(tmp_path / "java"), True, "version 17")
    assert found["node"] == Runtime("node", str(tmp_path / "node"), False, "no home")
    assert found["go"] == Runtime("go", str(tmp_path / "go"), False, "it ended with code 4")
    assert found["rustc"] == Runtime("rustc", None)
    assert {runtime.runs for runtime in runtimes(None)} == {None}
