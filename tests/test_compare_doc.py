"""What the pages on comparing show is what the commands print, and their figures are those of the simulation."""

import re
import shlex
from pathlib import Path

import pytest

from benchmarks.comparisons import (
    BETTER,
    EQUALS,
    MARGINS,
    STRENGTHS,
    USUAL,
    VERDICTS,
    WITHOUT_MARGIN,
    Row,
    no_difference,
    row,
)
from tests.cli.command import referee

ROOT = Path(__file__).parents[1]
TEXT = "".join((ROOT / "docs" / name).read_text() for name in ("compare.md", "internals/comparing.md"))
EXAMPLES = re.findall(r"^```\n\$ referee (.+)\n((?:.|\n)*?)^```$", TEXT, re.MULTILINE)


def figures(verdicts: int) -> dict[str, list[int]]:
    """By name, the rows of the tables whose question has so many verdicts: how many ended with each, and the deals."""
    row_of_figures = rf"^\| ([^|]+) \|((?: \d+ \|){{{verdicts}}} \d+) \|$"
    found = re.finditer(row_of_figures, TEXT, re.MULTILINE)
    return {match[1]: list(map(int, match[2].split("|"))) for match in found}


FIGURES = figures(len(VERDICTS[type(USUAL)]))
ONE_SIDED = figures(len(VERDICTS[type(BETTER)]))
SHORT = 40


def test_the_page_for_users_has_900_words() -> None:
    assert len((ROOT / "docs" / "compare.md").read_text().split()) <= 900


def test_there_are_two_examples_and_every_row_of_the_simulation() -> None:
    assert len(EXAMPLES) == 2
    assert list(FIGURES) == [*STRENGTHS, *map(str, MARGINS), *EQUALS]
    assert list(ONE_SIDED) == list(STRENGTHS)


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize(("command", "output"), EXAMPLES)
def test_the_commands_print_what_is_shown(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    monkeypatch.chdir(tmp_path)
    assert referee(*shlex.split(command)).out == output


def hold(found: Row, told: list[int]) -> None:
    """A short simulation comes near the figures of a long one."""
    *counts, deals = told
    assert found.deals == pytest.approx(deals, rel=0.35)
    for few, many in zip(found.counts.values(), counts, strict=True):
        assert few / found.comparisons == pytest.approx(many / sum(counts), abs=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("name", STRENGTHS)
def test_the_figures_are_those_of_the_simulation(name: str) -> None:
    hold(row(name, STRENGTHS[name], SHORT, USUAL), FIGURES[name])


@pytest.mark.parametrize(("margin", "comparisons"), [(MARGINS[0], SHORT // 2), (MARGINS[1], SHORT // 8)])
def test_the_figures_for_smaller_margins_are_those_of_the_simulation(margin: float, comparisons: int) -> None:
    hold(no_difference(margin, comparisons), FIGURES[str(margin)])


@pytest.mark.slow
@pytest.mark.parametrize("name", EQUALS)
def test_the_figures_of_equal_bots_are_those_of_the_simulation_and_below_what_is_promised(name: str) -> None:
    better, worse, *_ = FIGURES[name]
    assert better + worse <= 50
    hold(row(name, EQUALS[name], SHORT // 8, WITHOUT_MARGIN), FIGURES[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", STRENGTHS)
def test_the_figures_of_the_one_sided_question_are_those_of_the_simulation(name: str) -> None:
    hold(row(name, STRENGTHS[name], SHORT, BETTER), ONE_SIDED[name])


def test_the_one_sided_question_is_answered_wrongly_as_seldom_and_after_as_few_deals_as_promised() -> None:
    equal, better = ONE_SIDED["50 %"], ONE_SIDED["55 %"]
    assert equal[0] <= 50
    assert better[1] <= 50
    assert equal[-1] <= 340
    assert better[-1] <= 350
