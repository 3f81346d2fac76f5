"""The schema of a game says what a bot reads in lines: it holds for every message, and each field has its words."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from referee.match.match import Ask, Open
from referee.wire.dialects import LINES
from referee.wire.json_codec import JsonCodec
from referee.wire.registry import games
from tests.games.kits import KITS
from tests.wire.matches import random_match

OURS = [name for name in games() if name in KITS]
KINDS: dict[str, type | tuple[type, ...]] = {
    "integer": int,
    "string": str,
    "boolean": bool,
    "number": (int, float),
    "array": list,
    "object": dict,
    "null": type(None),
}


def problems(value: Any, schema: Any, defs: dict[str, Any], path: str = "") -> Iterator[str]:  # noqa: C901 - a branch for each part of a schema
    """What is wrong with a value, by the parts of JSON schema that our schemas use."""
    if "$ref" in schema:
        yield from problems(value, defs[schema["$ref"].removeprefix("#/$defs/")], defs, path)
    elif "anyOf" in schema:
        of_each = [list(problems(value, each, defs, path)) for each in schema["anyOf"]]
        if all(of_each):
            yield f"{path}: none of {len(of_each)} fits: {of_each}"
    elif "enum" in schema:
        if value not in schema["enum"]:
            yield f"{path}: {value!r} is none of {schema['enum']}"
    elif not isinstance(value, KINDS[schema["type"]]):
        yield f"{path}: {value!r} is no {schema['type']}"
    elif isinstance(value, dict):
        properties = schema["properties"]
        yield from (f"{path}.{name} is not in the schema" for name in value.keys() - properties.keys())
        yield from (f"{path}.{name} is missing" for name in properties.keys() - value.keys())
        for name in value.keys() & properties.keys():
            yield from problems(value[name], properties[name], defs, f"{path}.{name}")
    elif isinstance(value, list):
        items = schema.get("prefixItems") or [schema["items"]] * len(value)
        for number, (each, item) in enumerate(zip(value, items, strict=True)):
            yield from problems(each, item, defs, f"{path}[{number}]")


@pytest.mark.parametrize("game", OURS)
def test_every_message_in_lines_fits_the_schema(game: str) -> None:
    entry = games()[game]
    schema = JsonCodec(entry.game).schema()
    kinds, defs = schema["properties"], schema["$defs"]
    for number, options in enumerate(entry.game.varieties[:8]):
        seats = max(entry.game.seats(options))
        for match, request in random_match(game, options, seats, f"schema {number}"):
            message = json.loads(LINES.encode(entry.codec, match, request))
            if isinstance(request, Open):
                assert list(problems(message["options"], kinds["options"], defs)) == []
            elif isinstance(request, Ask):
                assert list(problems(message["view"], kinds["view"], defs)) == []
                assert [each for it in message["legal"] for each in problems(it, kinds["action"], defs)] == []
            if not isinstance(request, Open):
                assert [each for it in message["events"] for each in problems(it, kinds["event"], defs)] == []


@pytest.mark.parametrize("game", OURS)
def test_enumerations_have_names_and_every_field_of_a_view_has_its_words(game: str) -> None:
    defs = JsonCodec(games()[game].game).schema()["$defs"]
    numbered = [name for name, each in defs.items() if "numbers" in each]
    assert all(set(defs[name]["enum"]) == set(defs[name]["numbers"]) for name in numbered)
    assert numbered
    assert not [name for name, each in defs.items() if any(isinstance(value, int) for value in each.get("enum", ()))]
    words, fields = defs["View"]["description"], defs["View"]["properties"]
    assert not [name for name in fields if not re.search(rf"^ +{name}: \w", words, re.MULTILINE)]
    undocumented = [name for name, each in defs.items() if not re.match(r"\w", each.get("description", ""))]
    assert undocumented == []
