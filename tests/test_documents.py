"""The documents stay short, their tables render, their blocks of code parse, and they name only what exists."""

import ast
import importlib
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer
from markdown_it import MarkdownIt
from markdown_it.token import Token
from typer.core import TyperGroup

from referee.cli.commands import app
from tests.project_files import ROOT, project_files
from tournaments.league.format_settings import settings_of

MOST_WORDS = 1_800
CODE = ("referee/", "tournaments/", "proto/", "tests/")
MOST_GLOSSARY_ROWS = 55
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    *(name for name in project_files(".md") if name.startswith("docs/")),
]
OURS = ("referee", "tournaments", "referee_bot")
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


def _broken_sentences(text: str) -> Iterator[str]:
    """The lines after which a list begins in the middle of a sentence, since the next line begins with a minus."""
    lines = text.splitlines()
    for token in _tokens(text):
        if token.type in {"bullet_list_open", "ordered_list_open"} and token.map is not None and token.map[0]:
            before = lines[token.map[0] - 1].strip()
            if before and before[-1] not in ".:;":
                yield before


def test_no_list_begins_in_the_middle_of_a_sentence() -> None:
    assert [(name, line) for name in project_files(".md") for line in _broken_sentences(_text(name))] == []


def test_a_list_in_the_middle_of_a_sentence_is_found() -> None:
    assert list(_broken_sentences("A bot plays in (bots\n- 1 choose 4) groups.\n")) == ["A bot plays in (bots"]
    assert list(_broken_sentences("Two rules:\n- one\n- another\n\nOr\n\n1. one\n")) == []


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


def _blocks(language: str) -> Iterator[tuple[str, str]]:
    """The blocks of code in a language, each after the name of its page; lines that are continued are one line."""
    block = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    for name in PAGES:
        for found, source in block.findall(_text(name)):
            if found == language:
                yield name, source.replace("\\\n", " ")


def _misuse(line: str) -> str | None:
    """What is wrong with a call of `referee`: an unknown command or option, or an argument too many or too few."""
    command, words = typer.main.get_command(app), shlex.split(line)
    try:
        while isinstance(command, TyperGroup):
            _, found, words = command.resolve_command(typer.Context(command), words)
            assert found is not None
            command = found
        values, left, _ = command.make_parser(typer.Context(command)).parse_args(words)
    except Exception as error:  # click's, of which typer has a copy of its own
        return str(error)
    missing = [one.name for one in command.params if one.required and not values.get(one.name or "")]
    return f"left: {left}, missing: {missing}" if left or missing else None


def test_every_command_of_a_page_is_one_that_referee_takes() -> None:
    call = re.compile(r"(?:^|; )(?:\$ )?referee ([^>|)#\n]*)", re.MULTILINE)
    calls = [(name, line) for name, block in _blocks("") for line in call.findall(block)]
    assert len(calls) > 60
    assert [(name, line, wrong) for name, line in calls if (wrong := _misuse(line))] == []


def test_no_sentence_of_a_page_names_a_command_or_an_option_that_there_is_not() -> None:
    calls = [(name, line) for name in PAGES for line in re.findall(r"`referee ([a-z][^`\n]*)`", _text(name))]
    assert len(calls) > 150
    assert [(name, line) for name, line in calls if "No such" in (_misuse(line) or "")] == []


@pytest.mark.parametrize(
    "line", ["leage", "league runs", "check --gane b", "league run LEAGUE.toml --worker 2 [--json]"]
)
def test_a_command_or_an_option_that_there_is_not_is_found(line: str) -> None:
    assert "No such" in (_misuse(line) or "")


@pytest.mark.parametrize(
    "line",
    ["leage run x", "play", "check a b", "check a --gane b", "league run", "league play x", "submit bot --too x"],
)
def test_a_call_that_referee_would_refuse_is_found(line: str) -> None:
    assert _misuse(line)


def test_every_make_target_and_every_module_of_a_page_exists() -> None:
    makefile = _text("Makefile")
    named = re.findall(r"^(?:SUITES := |)([a-z -]+)(?::|$)", makefile, re.MULTILINE)
    targets = {target for names in named for target in names.split()}
    code = [*_blocks(""), *((name, code) for name in PAGES for code in re.findall(r"`(.+?)`", _prose(name)))]
    for name, source in code:
        assert set(re.findall(r"^make ([a-z-]*[a-z])(?![\w-])", source, re.MULTILINE)) <= targets, name
        for module in re.findall(r"^(?:\.venv/bin/)?python -m ([\w.]+)", source, re.MULTILINE):
            path = ROOT / module.replace(".", "/")
            assert path.with_suffix(".py").is_file() or path.is_dir(), (name, module)


def test_every_toml_of_a_page_parses_and_every_format_in_it_is_one() -> None:
    for name, source in _blocks("toml"):
        try:
            parts = tomllib.loads(source)
            if "format" in parts:
                settings_of(parts["format"])
        except ValueError as error:
            pytest.fail(f"{name}: {error}")


def test_every_python_of_a_page_parses_and_imports_from_this_project_only_what_there_is() -> None:
    for name, source in _blocks("python"):
        for node in ast.walk(ast.parse(source, name)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in OURS:
                for one in node.names:
                    if not hasattr(importlib.import_module(node.module), one.name):
                        importlib.import_module(f"{node.module}.{one.name}")
