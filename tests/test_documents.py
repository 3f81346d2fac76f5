"""The documents stay short, their tables render, and they name only paths, modules and classes that exist."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.project_files import ROOT, project_files

MOST_WORDS = 1_800
CODE = ("referee/", "tournaments/", "proto/")
MOST_GLOSSARY_ROWS = 70
INTERNALS = ["ARCHITECTURE.md", *(f"docs/internals/{path.name}" for path in (ROOT / "docs/internals").glob("*.md"))]

_UNESCAPED_PIPE = re.compile(r"(?<!\\)\|")


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _tokens(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def _bad_tables(text: str) -> Iterator[str]:
    """The lines that look like a table and do not render as one, and the rows that lose or lack cells."""
    lines = text.splitlines()
    for token in _tokens(text):
        if token.type == "inline":
            yield from (line for line in token.content.splitlines() if line.lstrip().startswith("|"))
        elif token.type == "table_open" and token.map is not None:
            first, end = token.map
            rows = [line.strip() for line in lines[first:end]]
            cells = len(_UNESCAPED_PIPE.findall(rows[0]))
            yield from (row for row in rows if len(_UNESCAPED_PIPE.findall(row)) != cells)


def test_the_architecture_fits_one_sitting() -> None:
    assert len(_text("ARCHITECTURE.md").split()) <= MOST_WORDS


def test_the_glossary_is_one_short_table() -> None:
    tokens = _tokens(_text("docs/glossary.md"))
    assert sum(token.type == "table_open" for token in tokens) == 1
    rows = sum(token.type == "tr_open" for token in tokens) - 1
    assert 0 < rows <= MOST_GLOSSARY_ROWS


def test_every_table_renders() -> None:
    assert [(name, row) for name in project_files(".md") for row in _bad_tables(_text(name))] == []


@pytest.mark.parametrize(
    "table",
    [
        "| word | meaning |\n| a | b |\n",
        "| word | meaning |\n|---|---|\n| a | b | c |\n",
        "| word | meaning |\n|---|---|\n| `a|b` | c |\n",
        "| word | meaning |\n|---|---|\n| a |\n",
        "| word | meaning |\n|---|\n| a | b |\n",
    ],
)
def test_a_bad_table_is_found(table: str) -> None:
    assert list(_bad_tables(f"# Title\n\n{table}"))


@pytest.mark.parametrize("text", ["| a | b |\n|---|---|\n| `x\\|y` | z |\n", "```\n| no | table |\n```\n"])
def test_a_good_table_and_a_block_of_code_pass(text: str) -> None:
    assert list(_bad_tables(text)) == []


def _prose(name: str) -> str:
    return re.sub(r"^```.*?^```$", "", _text(name), flags=re.MULTILINE | re.DOTALL)


@cache
def _tracked() -> frozenset[str]:
    return frozenset(project_files())


@cache
def _words_of_the_code() -> frozenset[str]:
    sources = (ROOT / name for name in _tracked() if name.startswith(CODE) and name.endswith((".py", ".proto")))
    return frozenset(word for path in sources if path.is_file() for word in re.findall(r"\w+", path.read_text("utf-8")))


def test_every_path_of_the_repository_exists() -> None:
    path = re.compile(r"`((?:tournaments|referee|tests|docs|proto|benchmarks|sample_bots)/[\w./-]*)`")
    named = ((name, found) for name in INTERNALS for found in path.findall(_prose(name)))
    assert [(name, found) for name, found in named if not (ROOT / found).exists()] == []


@pytest.mark.parametrize("name", INTERNALS)
def test_every_module_that_is_named_without_its_folder_exists(name: str) -> None:
    """A table of the modules in a folder says which folder it is; elsewhere the sentence does."""
    folder, missing = "", []
    for line in _prose(name).splitlines():
        head = re.match(r"\|.*module in `([^`]+)/`", line)
        folder = head[1] if head else folder if line.startswith("|") else ""
        for module in re.findall(r"`(\w+\.py)`", line):
            known = f"{folder}/{module}" in _tracked() if folder else any(Path(f).name == module for f in _tracked())
            missing += [] if known else [f"{folder}/{module}"]
    assert missing == []


def test_every_class_that_is_named_exists() -> None:
    named = {found for name in INTERNALS for found in re.findall(r"`((?:[A-Z]+[a-z0-9]+)+)(?:\.\w+)*`", _prose(name))}
    assert sorted(named - _words_of_the_code()) == []
