"""The report about the findings of a check, in lines."""

from collections.abc import Iterator, Sequence

from referee.check.run_check import Finding
from referee.core.printable import one_line

SIGNS = {True: "ok  ", False: "FAIL", None: "?   "}
"""By whether a point was kept; None: it was not tested."""


def told(findings: Sequence[Finding]) -> Iterator[str]:
    """A line for each finding, and below it the bot's output. The report escapes the words of bots.

    The last findings, if they are open for the same reason, share one line.
    """
    *said, last = findings
    while said and last.kept is None and (said[-1].kept, said[-1].text) == (None, last.text):
        said.pop()
    alike = findings[len(said) :]
    for finding in said if len(alike) > 1 else findings:
        yield from _finding_lines(finding)
    if len(alike) > 1:
        yield f"  {SIGNS[None]}  the other {len(alike)} points: {last.text}"


def _finding_lines(finding: Finding) -> Iterator[str]:
    yield f"  {SIGNS[finding.kept]}  {finding.rule} ({_numbers(finding)}): {one_line(finding.text)}"
    for line in finding.stderr.splitlines():
        yield f"        | {one_line(line)}"


def _numbers(finding: Finding) -> str:
    """The numbers of its rules in docs/protocol.md, such as `P-01 P-02`."""
    return " ".join(finding.numbers)
