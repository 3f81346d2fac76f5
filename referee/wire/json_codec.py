"""The messages of a game that has no proto: its values as JSON, by their types."""

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import msgspec

from referee.core.game import AnyGame, InFull, Printed
from referee.wire.codec import FunctionReader, GameEntry
from referee.wire.line_values import add_types, has_names

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class UntypedGame(TypeError):
    """A game without a proto does not name the types of its values, or names types that are no JSON."""


class JsonCodec:
    """The codec of a game without a proto, and its reader, which raises `msgspec.ValidationError` for other bytes.

    A message is the JSON text (UTF-8) of a value, as msgspec writes it: a struct is an object, and a struct with a tag
    has its name as `type`. The types are those in the annotations of the game: what `view` returns, and what
    `describe_action` and `describe` take.

    Raises:
        UntypedGame: an annotation is missing, or msgspec cannot read its type from JSON.
    """

    def __init__(self, game: AnyGame) -> None:
        self._printed = game.printed if isinstance(game, Printed) else {}
        self.types = (
            game.options_type,
            _annotated(game, game.view, "return"),
            _annotated(game, game.describe_action),
            _annotated(game, game.describe),
        )
        # In this order sets and dicts that are equal give equal bytes.
        self.options = self.view = self.action = self.event = msgspec.json.Encoder(order="deterministic").encode
        try:
            self.reader = FunctionReader(*(msgspec.json.Decoder(kind).decode for kind in self.types))
        except TypeError as error:
            raise UntypedGame(f"the game {game.name} cannot be read from JSON: {error}") from error

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the messages: each is a property of its name, for people and code generators.

        Enumerations have the names that bots read in lines, and in `numbers` what the JSON of other bots has. What is
        printed on the components of the game is in `printed`, by their names.
        """
        kinds = add_types({}, *self.types)
        full = [kind.kind for kind in kinds if isinstance(kind, InFull)]
        found, parts = msgspec.json.schema_components((*self.types, *full), ref_template="#/$defs/{name}")
        for kind in filter(has_names, kinds):
            names = {each.name: each.value for each in kind}
            printed = {each.name: msgspec.to_builtins(it) for each, it in self._printed.get(kind, {}).items()}
            extra = {"enum": list(names), "numbers": names} | ({"printed": printed} if printed else {})
            parts.get(kind.__name__, {}).update(extra)
        found = found[: len(self.types)]
        return {
            "$schema": _DIALECT,
            "properties": dict(zip(FunctionReader._fields, found, strict=True)),
            "$defs": parts,
        }


def json_entry(game: AnyGame) -> GameEntry:
    """The entry of a game without a proto.

    Raises:
        UntypedGame: as `JsonCodec`.
    """
    codec = JsonCodec(game)
    return GameEntry(game, codec, codec.reader)


def _annotated(game: AnyGame, method: Callable[..., Any], name: str | None = None) -> Any:
    """The type in the annotation of this name, or of the method's first parameter."""
    name = name or next(iter(inspect.signature(method).parameters))
    try:
        return get_type_hints(method)[name]
    except (KeyError, NameError) as error:
        what = "what it returns" if name == "return" else f"its {name}"
        message = f"the game {game.name} has no proto, so its {method.__name__} must name the type of {what}"
        raise UntypedGame(message) from error
