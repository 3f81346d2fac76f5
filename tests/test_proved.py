"""What the record of proofs says, when it says it, and that it forgets no part of the project."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests import proved, run_log, suites
from tests.needed import needs_git
from tests.proved import Counts, Proof, count, follow, order, read, staleness, write
from tests.suites import ONLY_QUICK, RECORD, SUITES, Suite, covered_by

TODAY = date(2026, 11, 28)
PROOF = Proof("d1", "c0ffee", "2026-11-27", 90, 150, 12, 3, (), "Linux", 8000)

MARKER = re.compile(r"\bpytest\.mark\.([a-z]+)\b")

MAKEFILE = """
ci-little: announce-ci-little
\t@cat rooms/one; test "$$(cat rooms/one)" != broken
\t@echo "4 passed, 0 failed"

ci-other:
"""


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small project with a record, with one suite that covers rooms/."""
    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms" / "one").write_text("whole")
    (tmp_path / "other").write_text("")
    (tmp_path / "Makefile").write_text(MAKEFILE.replace("announce-ci-little", ""))
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "proved.toml").write_text("")
    identity = "-c", "user.name=x", "-c", "user.email=x@example.org"
    for words in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "all")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(proved, "ROOT", tmp_path)
    monkeypatch.setattr(proved, "LOGS", tmp_path / "logs")
    for module in (suites, proved):
        monkeypatch.setattr(module, "SUITES", {"ci-little": Suite("", "", ("rooms",))})
    proved._contents.cache_clear()
    yield tmp_path
    proved._contents.cache_clear()


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    proved._contents.cache_clear()
    proved.main(words)
    return capsys.readouterr().out.splitlines()[-1]


@needs_git
def test_a_suite_is_proved_until_something_that_it_covers_changes(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys).endswith("it never passed")
    assert said(capsys, "900").startswith("ci-little passed in")
    assert said(capsys).endswith("proved")
    (clone / "other").write_text("changed")
    assert said(capsys).endswith("proved")
    (clone / "rooms" / "two").write_text("")
    assert said(capsys).endswith("1 changed: rooms/two")
    (clone / "rooms" / "two").unlink()
    assert said(capsys).endswith("proved")
    (clone / "Makefile").write_text(MAKEFILE.replace("announce-ci-little", "").replace("4 passed", "5 passed"))
    assert said(capsys).endswith("something that it covers changed")


@needs_git
def test_a_red_run_writes_no_proof_and_is_remembered(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "900")
    before = read((proved.ROOT / RECORD).read_text())["ci-little"]
    (clone / "rooms" / "one").write_text("broken")
    assert said(capsys, "900").startswith("ci-little FAILED in")
    after = read((proved.ROOT / RECORD).read_text())["ci-little"]
    assert after == replace(before, failed=proved.digest_of("ci-little"))
    assert said(capsys).endswith("it FAILED on these files")
    (clone / "rooms" / "one").write_text("whole")
    assert said(capsys).endswith("proved")


@needs_git
@pytest.mark.usefixtures("clone")
def test_nothing_starts_that_would_not_end_in_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "500").endswith("it never passed")
    assert (proved.ROOT / RECORD).read_text() == ""


@needs_git
@pytest.mark.usefixtures("clone")
def test_a_record_of_a_suite_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    (proved.ROOT / RECORD).write_text('[ci-old]\ndigest = "d1"\n')
    assert proved.main(()) == 1
    assert "tests/proved.toml names ci-old" in capsys.readouterr().out


def test_a_proof_is_stale_after_thirty_days_or_where_something_was_missing() -> None:
    assert staleness(PROOF, "d1", None, TODAY) == ""
    assert staleness(PROOF, "d1", None, date(2027, 1, 1)) == "it passed more than 30 days ago"
    assert staleness(replace(PROOF, lacks=("2: rust",)), "d1", None, TODAY) == "it lacked 2: rust"
    assert staleness(PROOF, "d2", ["a", "b", "c", "d"], TODAY) == "4 changed: a, b, c, ..."
    assert staleness(PROOF, "d2", None, TODAY) == "something that it covers changed"


def test_the_shortest_runs_first_but_what_has_waited_for_a_week_before_it() -> None:
    record = {"short": replace(PROOF, took_s=9), "long": replace(PROOF, took_s=99), "late": replace(PROOF, took_s=999)}
    record["late"] = replace(record["late"], on="2026-11-01")
    assert order(["new", "long", "late", "short"], record, TODAY) == ["late", "short", "long", "new"]


def test_a_run_counts_only_if_nobody_edited_meanwhile_and_it_proved_no_less() -> None:
    run = replace(PROOF, passed=13, next_seed=8013)
    assert follow(PROOF, run, "d1") == run
    assert follow(PROOF, run, "d2") == PROOF
    assert follow(PROOF, replace(run, passed=11), "d1") == PROOF
    assert follow(replace(PROOF, failed="d1"), run, "d1") == run
    assert follow(PROOF, replace(run, failed="d1"), "d1") == replace(PROOF, failed="d1")


def test_the_record_is_read_as_it_was_written() -> None:
    record = {"ci-a": replace(PROOF, lacks=("2: the toolchain of rust", "1: git")), "ci-b": Proof(failed="d3")}
    assert read(write(record)) == record


PYTEST_LOG = """
=========================== what was skipped ===========================
11 skipped: lacks: the toolchain of rust
2 skipped: it is known
================= 1,0 warnings, 40 passed, 13 skipped in 2.51s (0:00:02) ==================
=========================== 8 passed in 3.00s ===========================
"""


def test_counts_are_the_sums_of_all_runs_of_pytest_and_of_others() -> None:
    assert count(PYTEST_LOG) == Counts(48, 13, ("11: the toolchain of rust",))
    assert count("as root: = 9 passed in 1s =\n4000 passed, 0 failed\nleft behind: process 7: sleep\n").passed == 4000


def test_a_log_keeps_what_a_command_prints_and_names_what_it_leaves_behind(tmp_path: Path) -> None:
    """And what hangs on to the output of the command does not delay the end."""
    log = tmp_path / "logs" / "little.log"
    command: list[str] = [
        sys.executable,
        str(run_log.__file__),
        str(log),
        "sh",
        "-c",
        "echo said; sleep 60 & sleep 0.1 & exit 3",
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    said, left = done.stdout.splitlines()
    os.kill(int(left.split()[3].rstrip(":")), signal.SIGKILL)
    assert (done.returncode, said) == (3, "said")
    assert left.endswith(": sleep 60 ")
    assert log.read_text() == log.with_name("little-failed.log").read_text() == done.stdout


def test_every_room_is_covered_by_a_long_suite_or_known_as_one_that_the_quick_suite_tests() -> None:
    root = Path(__file__).parents[1]
    rooms = [path for top in ("referee", "tournaments", "sample_bots") for path in (root / top).iterdir()]
    names = {f"{path.relative_to(root)}" for path in rooms if path.is_dir() and path.name != "__pycache__"}
    covers = [covered_by(suite) for suite in SUITES if suite != "ci-slow"]
    assert {name for name in names if not any(covered(f"{name}/file") for covered in covers)} == set(ONLY_QUICK)


def test_no_proof_makes_another_one_stale() -> None:
    assert not any(covered_by(suite)(RECORD) for suite in SUITES)


def test_a_suite_covers_what_there_is_and_the_tests_that_bear_its_marker() -> None:
    root = Path(__file__).parents[1]
    gone = [path for suite in SUITES.values() for path in suite.covers if not (root / path).exists()]
    tests = {f"{path.relative_to(root)}": path.read_text() for path in (root / "tests").rglob("test_*.py")}
    marked = {(f"ci-{marker}", name) for name, text in tests.items() for marker in re.findall(MARKER, text)}
    forgotten = [(suite, name) for suite, name in marked if suite in SUITES and not covered_by(suite)(name)]
    assert (gone, forgotten) == ([], [])
