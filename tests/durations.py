"""`python -m tests.durations [PYTEST ARGUMENTS]`: run the suite, and say what it costs (docs/internals/testing.md).

Two tables in Markdown: the processor time of each folder, and the slowest tests. The cost of a test is the processor
time of its process and of those that it started and waited for, in seconds. Unlike the time on the clock, it is
nearly the same beside other work. All parameters of a test are one row.
"""

import os
import re
import sys
from collections import defaultdict
from collections.abc import Generator, Mapping

import pytest

_COST = "processor seconds"
_SLOWEST = 30


def _processor_s() -> float:
    return sum(os.times()[:4])


def _dearest_first(costs: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(costs.items(), key=lambda each: each[1], reverse=True)


class Durations:
    """A plugin that measures each test where it runs, and adds up what all workers report."""

    def __init__(self) -> None:
        self._since = 0.0
        self._folders: defaultdict[str, float] = defaultdict(float)
        self._tests: defaultdict[str, float] = defaultdict(float)
        self._wall: defaultdict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        """Begin to measure."""
        self._since = _processor_s()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Charge each phase with the time since the last one."""
        report = yield
        now = _processor_s()
        report.user_properties = [*report.user_properties, (_COST, now - self._since)]
        self._since = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add it up."""
        cost = sum(float(str(value)) for name, value in report.user_properties if name == _COST)
        test = re.sub(r"\[.*", "", report.nodeid, flags=re.DOTALL)
        self._folders[test.partition("::")[0].rpartition("/")[0]] += cost
        self._tests[test] += cost
        self._wall[test] += report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print both tables."""
        total = sum(self._folders.values())
        terminalreporter.write_line(f"\n{total:.0f} s of processor time in tests\n")
        terminalreporter.write_line("| folder | processor s |\n|---|---|")
        for folder, cost in _dearest_first(self._folders):
            terminalreporter.write_line(f"| {folder} | {cost:.1f} |")
        terminalreporter.write_line("\n| processor s | s | test |\n|---|---|---|")
        for test, cost in _dearest_first(self._tests)[:_SLOWEST]:
            terminalreporter.write_line(f"| {cost:.1f} | {self._wall[test]:.1f} | {test} |")


def pytest_configure(config: pytest.Config) -> None:
    """Measure in every process of the suite."""
    config.pluginmanager.register(Durations())


if __name__ == "__main__":
    sys.exit(pytest.main(["-p", "tests.durations", "-n", "3", "--dist", "worksteal", "-q", *sys.argv[1:]]))
