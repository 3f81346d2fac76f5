"""What the long proofs counted is printed at the end of the run."""

from collections.abc import Callable, Mapping

import pytest

_NAME = "counted"

Tell = Callable[[str, Mapping[str, int]], None]


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Tell:
    """Take counts to print: of what, and how many of each kind."""

    def told(what: str, counts: Mapping[str, int]) -> None:
        record_property(_NAME, f"{what}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))

    return told


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print them. They come with the reports, also from the workers of xdist."""
    reports: list[pytest.TestReport] = terminalreporter.getreports("passed")
    rows = sorted(str(row) for report in reports for name, row in report.user_properties if name == _NAME)
    if rows:
        terminalreporter.section("what was compared")
        for row in rows:
            terminalreporter.write_line(row)
