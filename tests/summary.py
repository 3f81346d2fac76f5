"""The end of what pytest prints: what long tests counted, what a long suite covered, and what was skipped."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence

import pytest

from tests.suites import SUITE

COUNTED = "counted"
"""The property of a test under which it told what it counted."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the counts, what a long suite covered, and what was skipped: by the reports, which also come from xdist."""
    passed: list[pytest.TestReport] = terminalreporter.getreports("passed")
    skipped: list[pytest.TestReport] = terminalreporter.getreports("skipped")
    _print(terminalreporter, "what was counted", counted(passed))
    if suite := os.environ.get(SUITE):
        _print(terminalreporter, f"what {suite} covered", covered(passed))
    _print(terminalreporter, "what was skipped", count_skips(skipped))


def _print(reporter: pytest.TerminalReporter, title: str, rows: Sequence[str]) -> None:
    if rows:
        reporter.write_sep("=", title)
        for row in rows:
            reporter.write_line(row)


def counted(reports: Iterable[pytest.TestReport]) -> list[str]:
    """What tests told."""
    return sorted(str(row) for report in reports for name, row in report.user_properties if name == COUNTED)


def covered(reports: Iterable[pytest.TestReport]) -> list[str]:
    """How many tests of each file passed, and how many in all."""
    files = Counter(report.location[0] for report in reports)
    rows = [f"{file}: {_count(count, 'test')} passed" for file, count in sorted(files.items())]
    return [*rows, f"in all: {_count(files.total(), 'test')} passed in {_count(len(files), 'file')}"] if rows else []


def count_skips(reports: Iterable[pytest.TestReport | pytest.CollectReport]) -> list[str]:
    """How many tests were skipped for each reason, the most frequent first."""
    reasons = Counter(_reason(report.longrepr) for report in reports)
    return [f"{count} skipped: {reason}" for reason, count in sorted(reasons.items(), key=lambda it: (-it[1], it[0]))]


def _reason(longrepr: object) -> str:
    """Pytest keeps the place of a skip and the words `Skipped: REASON`; of an expected failure, something else."""
    words = longrepr[-1] if isinstance(longrepr, tuple) else longrepr
    return str(words).removeprefix("Skipped: ") or "no reason was given"


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
