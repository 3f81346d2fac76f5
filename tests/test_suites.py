"""What long suites say before they begin and when they end, and what a summary says of what was skipped."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import count_skips, covered
from tests.suites import SUITE, SUITES, main

ROOT = Path(__file__).parents[1]

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


def printed(folder: Path, *options: str, **variables: str) -> list[str]:
    """What pytest prints about these tests with the settings of the project."""
    (folder / "test_little.py").write_text(TESTS)
    (folder / "conftest.py").write_text(
        "from tests.conftest import *\nfrom tests.conftest import pytest_terminal_summary\n"
    )
    kept = {name: value for name, value in os.environ.items() if name != SUITE}
    command: list[str | Path] = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, folder]
    environment = {**kept, **variables, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_the_summary_counts_what_was_skipped_by_its_reason(options: tuple[str, ...], tmp_path: Path) -> None:
    lines = printed(tmp_path, *options)
    start = next(number for number, line in enumerate(lines) if line.strip("= ") == "what was skipped")
    assert lines[start + 1 : start + 3] == ["3 skipped: the sky is not blue", "1 skipped: there is no sea"]
    assert not any("covered" in line for line in lines)


def test_a_suite_says_at_its_end_what_it_covered(tmp_path: Path) -> None:
    lines = printed(tmp_path, **{SUITE: "ci-little"})
    start = next(number for number, line in enumerate(lines) if line.strip("= ") == "what ci-little covered")
    assert lines[start + 1 : start + 3] == ["test_little.py: 1 test passed", "in all: 1 test passed in 1 file"]


def test_where_nothing_was_skipped_or_passed_nothing_is_said() -> None:
    assert count_skips([]) == covered([]) == []


def targets() -> list[str]:
    (line,) = re.findall(r"^SUITES := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return str(line).split()


def test_every_long_suite_of_the_makefile_has_its_line_and_no_other() -> None:
    made = re.findall(r"^(ci-[a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert sorted(made) == targets() == sorted(SUITES)


@pytest.mark.parametrize("target", targets())
def test_a_suite_says_first_what_it_does_how_long_it_takes_and_what_it_needs(
    target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is installed or prepared."""
    command = ["make", "--dry-run", "--no-print-directory", target]
    planned = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert planned.stdout.splitlines()[0].endswith(f"-m tests.suites {target}")
    main(target)
    assert re.fullmatch(rf"{target} .+\. It takes about .+\. It needs .+\.\n", capsys.readouterr().out)
