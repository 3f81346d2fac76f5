"""Sentences of the documents and docstrings that readers read twice. `python -m tests.lints` prints them.

It knows habits, not English: each pattern is a way of writing that readers of these documents stumbled over, with what
to write instead. It reads the paragraphs and tables of every page, and the docstrings and comments of the program;
code, and the history, are left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.lints.program import Module
from tests.project_files import ROOT, project_files

HISTORY = ("CHANGELOG.md",)

HABITS: Mapping[str, str] = {
    r"(?:^|[.:;|] +)Who(?:ever)? [a-z]+ [^?]*?[.,|]": "say who acts: 'A bot that'",
    r"\bhangs? (?:up)?on\b": "write 'depends on'",
    r"\bso it is[.;]": "say what it is",
    r"\b(?:is|are|was|were|be|been) told (?!apart)": "say who says it: 'the command prints', 'the page shows'",
    r"\b(?:is|are|was|were|be|been) said\b": "say who says it",
    r"(?<!each)(?<!last)(?<!matches) of which\b": "write 'whose' or 'for which', or begin a sentence",
    r"\bsuch an? one\b": "name it again",
    r"\b(?:clerk|workbench|foreman|hearsay)\b": "use the word of the field",
    r"\bin order to\b": "write 'to'",
    r"\bprior to\b": "write 'before'",
    r"\butili[sz]e": "write 'use'",
}
"""What not to write, as a regular expression, and what to do about it."""

_FENCES = ("```", "~~~")
_CODE = re.compile(r"`[^`\n]*`")


class Habit(NamedTuple):
    """A place where a habit was found.

    Attributes:
        line: its number, from 1.
        words: what stands there.
        advice: what to do about it.
    """

    line: int
    words: str
    advice: str


def habits(page: str) -> Iterator[Habit]:
    """The habits of a page of Markdown."""
    in_code = False
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith(_FENCES):
            in_code = not in_code
        elif not in_code:
            prose = _CODE.sub("it", line)
            for pattern, advice in HABITS.items():
                if found := re.search(pattern, prose):
                    yield Habit(number, found[0].strip(" .|"), advice)


def pages() -> list[Path]:
    """Every page of the project but its history."""
    return [ROOT / name for name in project_files(".md") if name not in HISTORY]


def habits_of(module: Module) -> Iterator[str]:
    """A sentence for each habit in the docstrings and comments of a module."""
    for line, text in module.prose():
        yield from (module.at(line, f"{found.words!r}: {found.advice}") for found in habits(text.strip("# ")))


def findings(modules: Iterable[Module]) -> Iterator[str]:
    """A sentence for each habit of each page, and of each of these modules."""
    for page in pages():
        for found in habits(page.read_text(encoding="utf-8")):
            yield f"{page.relative_to(ROOT)}:{found.line}: {found.words!r}: {found.advice}"
    for module in modules:
        yield from habits_of(module)
