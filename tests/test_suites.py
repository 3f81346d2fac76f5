"""What long suites say before they begin and when they end, and what a summary says of what was skipped."""

import os
import re
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest

from tests.suites import SUITE, SUITES, main
from tests.summary import count_skips, covered

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "internals" / "testing.md"

TESTS = """
import pytest

def test_that_passes(): pass

@pytest.mark.skipif(True, reason="the sky is not blue")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_that_needs_the_sky(number): pass

def test_that_needs_the_sea(): pytest.skip("there is no sea")

@pytest.mark.xfail(reason="it is known to fail")
def test_that_fails(): raise ValueError
"""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What pytest prints about these tests, as part of a suite and with a worker, by the settings of the project."""
    folder = tmp_path_factory.mktemp("little")
    (folder / "test_little.py").write_text(TESTS)
    (folder / "conftest.py").write_text("from tests.summary import pytest_terminal_summary\n")
    command: list[str | Path] = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "1", folder]
    environment = os.environ | {SUITE: "ci-little", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def section(lines: list[str], title: str) -> list[str]:
    (start,) = (number for number, line in enumerate(lines) if line.strip("= ") == title)
    return [*takewhile(lambda line: not line.startswith("="), lines[start + 1 :])]


@pytest.mark.slow
def test_the_summary_counts_what_was_skipped_by_its_reason(lines: list[str]) -> None:
    assert section(lines, "what was skipped") == ["3 skipped: the sky is not blue", "1 skipped: there is no sea"]


@pytest.mark.slow
def test_a_suite_says_at_its_end_what_it_covered(lines: list[str]) -> None:
    said = section(lines, "what ci-little covered")
    assert said == ["test_little.py: 1 test passed", "in all: 1 test passed in 1 file"]


def test_where_nothing_was_skipped_or_passed_nothing_is_said() -> None:
    assert count_skips([]) == covered([]) == []


def test_only_helpers_leave_out_tests_so_each_reason_says_what_the_machine_lacks() -> None:
    ways = re.compile(r"\b(skipif|importorskip|pytest\.skip)\(")
    found = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/*.py") if ways.search(path.read_text())}
    assert found == {"tests/needed.py", "tests/test_suites.py"}


def targets() -> list[str]:
    (line,) = re.findall(r"^SUITES := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return str(line).split()


def test_every_long_suite_of_the_makefile_has_its_line_and_no_other() -> None:
    made = re.findall(r"^(ci-[a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert sorted(made) == targets() == sorted(SUITES)


@pytest.mark.parametrize("target", targets())
def test_a_suite_says_first_what_it_does_what_it_needs_and_how_long_it_last_took(
    target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is installed or prepared."""
    command = ["make", "--dry-run", "--no-print-directory", target]
    planned = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert planned.stdout.splitlines()[0].endswith(f"-m tests.suites {target}")
    main(target)
    assert re.fullmatch(
        rf"{target} .+\. It needs .+\. It (last took \d+ s|was not timed yet)\.\n", capsys.readouterr().out
    )


def test_the_document_has_a_row_for_every_suite_as_the_suite_says_it() -> None:
    rows = re.findall(r"^\| `make (ci-[a-z]+)` \| (.+) \| (.+) \|$", DOCUMENT.read_text(), re.MULTILINE)
    assert rows == [(name, suite.does, suite.needs) for name, suite in SUITES.items()]
