"""The examples of docs/python.md run as they are written, and print what the document says."""

import contextlib
import io
import re
import sys
import types
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec
import pytest

from referee import api
from referee.wire import registry
from referee.wire.json_codec import JsonCodec
from referee.wire.registry import games
from tests.api import fake_pettingzoo, fake_pyspiel

DOCUMENT = Path(__file__).parents[1] / "docs" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    source: str
    printed: str


def examples() -> list[Example]:
    return [Example(*found) for found in BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))]


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stand-ins for libraries that are not installed. Only games without an extra are installed."""
    monkeypatch.setattr(registry, "_is_installed", lambda _package: False)
    registry._points.cache_clear()
    stand_ins = {} if find_spec("pettingzoo") else fake_pettingzoo.modules()
    stand_ins |= {} if find_spec("pyspiel") else {"pyspiel": fake_pyspiel.module()}
    for name, module in stand_ins.items():
        monkeypatch.setitem(sys.modules, name, module)
    ours = ("referee.gymnasium", "referee.pettingzoo", "referee.pyspiel")
    for name in ours:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield
    for name in ours:
        sys.modules.pop(name, None)
    registry._points.cache_clear()


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.usefixtures("libraries")
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


def names_of_structs(kind: object) -> set[str]:
    """The names of the fields of a struct and of everything in it."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = get_type_hints(kind)
        return set(kind.__struct_fields__).union(*(names_of_structs(hints[name]) for name in kind.__struct_fields__))
    return set().union(*map(names_of_structs, get_args(kind)))


def names_of_messages(message: Any, seen: set[str]) -> set[str]:
    """The names of the fields of a message and of everything in it."""
    if message.full_name in seen:
        return set()
    seen.add(message.full_name)
    below = [names_of_messages(field.message_type, seen) for field in message.fields if field.message_type]
    return {field.name for field in message.fields}.union(*below)


@pytest.mark.parametrize("game", [name for name, entry in games().items() if not isinstance(entry.codec, JsonCodec)])
def test_where_names_of_views_differ_from_the_proto_is_in_the_table(game: str) -> None:
    module = import_module(f"referee_bot.v1.{game.replace('-', '_')}_pb2")
    ours = names_of_structs(import_module(f"referee.games.{game.replace('-', '_')}.view").View)
    theirs = names_of_messages(module.View.DESCRIPTOR, set())
    table = DOCUMENT.read_text(encoding="utf-8").split("## Where names differ from the protocol")[1].split("\n## ")[0]
    words = set(re.findall(r"\w+", table))
    assert sorted((ours ^ theirs) - words) == []
