"""What a JSON schema of a game's values says to people and to bots that read lines: names, words and full values."""

import inspect
import re
from collections.abc import Iterator, MutableMapping
from typing import Any, get_args, get_type_hints

import msgspec

from referee.core.game import InFull
from referee.wire.line_writer import has_names

_ATTRIBUTE = re.compile(r"^    (\w[\w, ]*): (.*(?:\n        .*)*)", re.MULTILINE)


def all_types(*kinds: Any) -> set[Any]:
    """These types, and all that their values are made of, also where they are shown in full."""
    found: set[Any] = set()
    waiting = list(kinds)
    while waiting:
        kind = waiting.pop()
        if kind not in found:
            found.add(kind)
            waiting += _parts(kind)
    return found


def _parts(kind: Any) -> Iterator[Any]:
    yield from get_args(kind)
    if isinstance(kind, InFull):
        yield get_type_hints(kind.show)["return"]
    elif _is_struct(kind):
        yield from get_type_hints(kind, include_extras=True).values()


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def describe(kinds: set[Any], schemas: MutableMapping[str, Any]) -> None:
    """Give enumerations their names and fields the words of their docstrings, in schemas by the names of classes."""
    for kind in kinds:
        schema = schemas.get(getattr(kind, "__name__", ""))
        if schema is None:
            continue
        if has_names(kind):
            schema["enum"] = [each.name for each in kind]
            schema["numbers"] = {each.name: each.value for each in kind}
        elif _is_struct(kind):
            for field, words in attributes(kind).items():
                schema["properties"].get(field, {}).setdefault("description", words)


def attributes(kind: type) -> dict[str, str]:
    """What the docstring of a class says about each of its attributes."""
    _, _, listed = (inspect.getdoc(kind) or "").partition("Attributes:\n")
    words = {name: " ".join(text.split()) for name, text in _ATTRIBUTE.findall(listed.partition("\n\n")[0])}
    return {name: text for names, text in words.items() for name in names.split(", ")}
