"""The examples of docs/python.md run as they are written, and print what the document says."""

import contextlib
import io
import re
import types
from pathlib import Path
from typing import NamedTuple

import pytest

from referee import api

DOCUMENT = Path(__file__).parents[1] / "docs" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    source: str
    printed: str


def examples() -> list[Example]:
    return [Example(*found) for found in BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))]


@pytest.mark.process
def test_the_examples_run_one_after_the_other_and_print_what_the_document_says(
    quickstart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(quickstart)
    names: dict[str, object] = {}
    assert len(examples()) > 5
    for example in examples():
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(example.source, DOCUMENT, "exec"), names)  # noqa: S102 - it is our own document
        assert printed.getvalue() == example.printed


def test_every_public_function_is_shown() -> None:
    functions = [name for name in api.__all__ if isinstance(getattr(api, name), types.FunctionType)]
    assert functions
    assert [name for name in functions if f"referee.{name}(" not in DOCUMENT.read_text(encoding="utf-8")] == []
