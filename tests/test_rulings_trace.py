"""Every ruling in docs/rulings/ is named by the code that carries it out and by a test."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEADED = re.compile(r"^\*\*([A-Z]{2}-\d{2})\*\* \((?:printed|derived|house)", re.MULTILINE)
NAMED = re.compile(r"[A-Z]{2}-\d{2}")
IN_A_NAME = re.compile(r"_([a-z]{2})_(\d{2})(?=_)")

PARTS = re.compile(r"^\*\*([A-Z]{2}-\d{2})\*\* \(((?:[^()]|\([^()]*\))+)\)", re.MULTILINE)
PART = re.compile(r"(?:printed in (\*[^*]+\*(?:, \*[^*]+\*)*)|derived|house)(?:: .+)?")

FILES = sorted((ROOT / "docs" / "rulings").glob("*.md"))
RULINGS = [number for file in FILES for number in HEADED.findall(file.read_text(encoding="utf-8"))]


def sources(folder: str, pattern: str = "*.py") -> Iterator[str]:
    return (path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).rglob(pattern)))


def claims(source: str) -> Iterator[str]:
    """The ruling numbers in the names and docstrings of tests."""
    if not NAMED.search(source) and not IN_A_NAME.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield from NAMED.findall(ast.get_docstring(node) or "")
            yield from (f"{letters}-{digits}".upper() for letters, digits in IN_A_NAME.findall(node.name))


def test_rulings_are_found_and_none_is_written_twice() -> None:
    assert len(RULINGS) >= 11
    assert len(set(RULINGS)) == len(RULINGS)


def test_every_ruling_says_how_sure_it_is() -> None:
    for file in FILES:
        headed = re.findall(r"^\*\*([A-Z]{2}-\d{2})\*\*", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert [number for number in headed if number not in RULINGS] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_printed_part_names_the_headings_of_the_rule_text_that_it_comes_from(file: Path) -> None:
    known = tomllib.loads((ROOT / "tests" / "rule_texts.toml").read_text(encoding="utf-8"))[file.stem]
    text = file.read_text(encoding="utf-8")
    headed = PARTS.findall(text)
    assert [number for number, _ in headed] == HEADED.findall(text)
    for number, parts in headed:
        for part in " ".join(parts.split()).split("; "):
            marked = PART.fullmatch(part)
            assert marked, f"{number}: {part}"
            assert set(re.findall(r"\*([^*]+)\*", marked[1] or "")) <= set(known), f"{number}: {part}"


def test_the_code_names_every_ruling() -> None:
    code = "\n".join(sources("referee/games"))
    assert [ruling for ruling in RULINGS if ruling not in code] == []


def test_a_test_names_every_ruling() -> None:
    claimed = {number for source in sources("tests", "test_*.py") for number in claims(source)}
    assert [ruling for ruling in RULINGS if ruling not in claimed] == []


def test_the_code_names_no_ruling_that_is_not_written_down() -> None:
    named = {number for source in sources("referee/games") for number in NAMED.findall(source)}
    assert sorted(named - set(RULINGS)) == []
