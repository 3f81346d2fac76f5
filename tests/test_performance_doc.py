"""docs/performance.md: its example follows from its own figures and from the plan, and it names every benchmark."""

import re
from math import comb
from pathlib import Path

import pytest

from benchmarks.__main__ import MEASUREMENTS

TEXT = (Path(__file__).parents[1] / "docs/performance.md").read_text(encoding="utf-8")
OVERHEAD_MS = 0.5


def found(pattern: str) -> list[float]:
    """The numbers that the groups of the pattern find."""
    match = re.search(pattern, " ".join(TEXT.split()))
    assert match, pattern
    return [float(group.replace(",", "")) for group in match.groups()]


def minutes(decisions: float, thinking_ms: float, workers: float) -> float:
    """The formula of the page."""
    return decisions * (OVERHEAD_MS + thinking_ms) / workers / 60_000


def test_the_formula_of_the_page_is_the_one_that_is_tested() -> None:
    assert found(r"decisions . \((0\.5) ms \+ thinking of a decision\) / workers / (60,000)") == [OVERHEAD_MS, 60_000]


def test_the_example_follows_from_the_figures_of_the_page() -> None:
    decisions, kb = found(r"\| Agent Avenue simple \| 2 \| (\d+) \| ([\d.]+) \|")
    bots, deals, groups, ways, matches, all_decisions = found(
        r"(\d+) bots play Agent Avenue at a table of two, on (\d+) deals. (\d+) groups, each in (\d+) line-ups, "
        r"play ([\d,]+) matches with ([\d,]+) decisions"
    )
    assert (groups, ways) == (comb(int(bots), 2), 2)
    assert matches == groups * ways * deals
    assert all_decisions == matches * decisions
    think, workers, slow, quick = found(
        r"think for (\d+) ms a decision, (\d+) workers need (\d+) minutes. "
        r"If the bots answer at once, \d+ workers need (\d+) minute"
    )
    assert slow == pytest.approx(minutes(all_decisions, think, workers), abs=0.5)
    assert quick == pytest.approx(minutes(all_decisions, 0, workers), abs=0.5)
    assert found(r"The store takes (\d+) MB") == [pytest.approx(matches * kb / 1000, abs=0.5)]


def test_the_example_of_a_million_matches_follows_too() -> None:
    decisions, kb = found(r"\| Agent Avenue simple \| 2 \| (\d+) \| ([\d.]+) \|")
    matches, all_decisions, on_two, on_many, cores, gb = found(
        r"([\d,]+) matches of bots that answer at once have ([\d,]+) decisions. "
        r"The run takes (\d+) minutes on 2 cores and (\d+) minutes on (\d+). The store takes ([\d.]+) GB"
    )
    assert all_decisions == matches * decisions
    assert on_two == pytest.approx(minutes(all_decisions, 0, 2), abs=0.5)
    assert on_many == pytest.approx(minutes(all_decisions, 0, cores), abs=0.5)
    assert gb == pytest.approx(matches * kb / 1e6, abs=0.05)


def test_the_parts_of_a_decision_add_up() -> None:
    section = TEXT.split("## Where a decision goes")[1].split("\n## ")[0]
    rows = [list(map(int, row)) for row in re.findall(r"\| (\d+) \| (\d+) \|$", section, re.MULTILINE)]
    *parts, total = rows
    assert len(parts) == 4
    assert [sum(column) for column in zip(*parts, strict=True)] == total


def test_every_benchmark_is_named_and_nothing_else() -> None:
    table = TEXT.split("| name | what it measures |")[1]
    named = [name for row in re.findall(r"^\| (`.+?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]
    assert set(named) == set(MEASUREMENTS)
    assert set(found_words(r"python -m benchmarks ([a-z ]+?) +#")) <= set(MEASUREMENTS)


def found_words(pattern: str) -> list[str]:
    match = re.search(pattern, TEXT)
    assert match, pattern
    return match[1].split()
