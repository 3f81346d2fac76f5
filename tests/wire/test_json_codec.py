"""A game without a proto: its messages are JSON, by the types in its annotations."""

import json
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from referee.wire.json_codec import JsonCodec, UntypedGame, json_entry
from tests.kuhn import Act, Dealt, Kuhn, Options, View


def test_a_message_is_the_json_of_its_value_and_is_read_again() -> None:
    codec = JsonCodec(Kuhn())
    assert codec.options(Options()) == b"{}"
    assert codec.view(View(1, 2, (True,))) == b'{"seat":1,"card":2,"bets":[true]}'
    assert codec.event(Dealt(0, 1)) == b'{"type":"Dealt","seat":0,"card":1}'
    assert codec.reader.event(codec.event(Dealt(0, 1))) == Dealt(0, 1)
    assert codec.reader.action(codec.action(Act(True))) == Act(True)
    with pytest.raises(ValueError, match="missing"):
        codec.reader.view(b"{}")


def test_equal_values_have_equal_bytes() -> None:
    class Bag(Kuhn):
        def view(self, state: Any, seat: int) -> dict[str, frozenset[int]]:  # type: ignore[override]
            raise NotImplementedError

    codec = JsonCodec(Bag())
    one = {"a": frozenset([1, 9, 17]), "b": frozenset[int]()}
    other = {"b": frozenset[int](), "a": frozenset([17, 9, 1])}
    assert codec.view(one) == codec.view(other)


def test_the_schema_describes_every_message() -> None:
    codec = JsonCodec(Kuhn())
    schema = json.loads(msgspec.json.encode(codec.schema()))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    validator.validate(
        {"view": {"seat": 1, "card": None, "bets": []}, "event": {"type": "Dealt", "seat": 0, "card": 1}}
    )
    assert not validator.is_valid({"view": {"seat": 1}})
    assert not validator.is_valid({"event": {"type": "Stolen"}})
    assert set(schema["properties"]) == {"options", "view", "action", "event"}


def test_a_game_that_names_no_types_is_refused_with_the_method() -> None:
    class Untyped(Kuhn):
        def describe(self, event):  # type: ignore[no-untyped-def]
            return str(event)

    class Tagless(msgspec.Struct, frozen=True):
        pass

    class Untagged(Kuhn):
        def describe(self, event: Tagless | Dealt) -> str:  # type: ignore[override]
            return str(event)

    with pytest.raises(UntypedGame, match="so its describe must name the type of its event"):
        json_entry(Untyped())
    with pytest.raises(UntypedGame, match="the game kuhn cannot be read from JSON"):
        json_entry(Untagged())
