"""docs/protocol.md, the points of `referee check` and the tests say the same about every rule for bots."""

import ast
import re
from pathlib import Path

from referee.match.transcript import FaultKind
from tests.check.test_run_check import BREAKS, REQUIREMENTS

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
PARTS = re.split(r"^\*\*(P-\d\d)\*\* ", TEXT, flags=re.MULTILINE)
RULES = dict(zip(PARTS[1::2], PARTS[2::2], strict=True))
NUMBER = re.compile(r"P-\d\d")
BROKEN = re.compile(r"^- Broken: (.+(?:\n  .+)*)$", re.MULTILINE)
TESTED = re.compile(r"^- Tested (?:by `check`: (.+)|by `(test_\w+)`|as (P-\d\d)\.)$", re.MULTILINE)
NOT_TRIED = sorted(RULES.keys() - {number for requirement in REQUIREMENTS for number in requirement.numbers})


def claims() -> dict[str, str]:
    """The docstring of every test in a file that names a rule, by the test's name."""
    sources = (path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py")))
    return {
        node.name: ast.get_docstring(node) or ""
        for source in sources
        if NUMBER.search(source)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_rules_are_numbered_in_order_without_a_gap() -> None:
    assert list(RULES) == [f"P-{number:02}" for number in range(1, len(RULES) + 1)]


def test_every_number_that_check_prints_is_written_down() -> None:
    assert {number for requirement in REQUIREMENTS for number in requirement.numbers} <= RULES.keys()


def test_every_rule_says_what_breaking_it_costs() -> None:
    for number, rule in RULES.items():
        (cost,) = BROKEN.findall(rule)
        kinds = set(re.findall(r"`([a-z ]+)`", cost)) - {"pondering", "league run", "referee rerun"}
        assert kinds <= set(FaultKind), number
        assert kinds or "conduct" in cost or "P-" in cost, number


def test_every_rule_names_the_point_or_the_test_that_tries_it() -> None:
    claimed = claims()
    for number, rule in RULES.items():
        ((point, test, like),) = TESTED.findall(rule)
        if like:  # the other rule has the words of the point
            assert like < number, number
            ((point, _, _),) = TESTED.findall(RULES[like])
            assert point, number
        requirements = [requirement.rule for requirement in REQUIREMENTS if number in requirement.numbers]
        assert requirements == [point] * bool(point), number
        if test:
            assert number in claimed[test], number


def test_rules_that_check_does_not_try_are_few_and_tested_otherwise() -> None:
    assert NOT_TRIED == ["P-22", "P-23", "P-25"]
    assert RULES.keys() - BREAKS.keys() == set(NOT_TRIED)
