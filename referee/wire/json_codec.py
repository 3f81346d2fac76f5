"""The messages of a game that has no proto: its values as JSON, by their types."""

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import msgspec

from referee.core.game import AnyGame
from referee.wire.codec import GameEntry

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class UntypedGame(TypeError):
    """A game without a proto does not name the types of its values, or names types that are no JSON."""


class JsonCodec:
    """The codec of a game without a proto, and its reader.

    A message is the JSON text (UTF-8) of a value, as msgspec writes it: a struct is an object, and a struct with a tag
    has its name as `type`. The types are those in the annotations of the game: what `view` returns, and what
    `describe_action` and `describe` take.

    Raises:
        UntypedGame: an annotation is missing, or msgspec cannot read its type from JSON.
    """

    def __init__(self, game: AnyGame) -> None:
        self._types = (
            game.options_type,
            _annotated(game, game.view, "return"),
            _annotated(game, game.describe_action),
            _annotated(game, game.describe),
        )
        # In this order sets and dicts that are equal give equal bytes.
        self._encode = msgspec.json.Encoder(order="deterministic").encode
        try:
            self.reader = JsonReader(*(msgspec.json.Decoder(kind) for kind in self._types))
        except TypeError as error:
            raise UntypedGame(f"the game {game.name} cannot be read from JSON: {error}") from error

    def options(self, options: Any) -> bytes:
        """The options as JSON."""
        return self._encode(options)

    def view(self, view: Any) -> bytes:
        """A view as JSON."""
        return self._encode(view)

    def action(self, action: Any) -> bytes:
        """An action as JSON."""
        return self._encode(action)

    def event(self, event: Any) -> bytes:
        """An event as JSON."""
        return self._encode(event)

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the messages: each is a property of its name, for code generators."""
        names = ("options", "view", "action", "event")
        found, parts = msgspec.json.schema_components(self._types, ref_template="#/$defs/{name}")
        return {"$schema": _DIALECT, "properties": dict(zip(names, found, strict=True)), "$defs": parts}


class JsonReader:
    """Reads what `JsonCodec` writes. Each method raises `msgspec.ValidationError`, a ValueError, for other bytes."""

    def __init__(self, *decoders: msgspec.json.Decoder[Any]) -> None:
        self._options, self._view, self._action, self._event = decoders

    def options(self, raw: bytes) -> Any:
        """The options."""
        return self._options.decode(raw)

    def view(self, raw: bytes) -> Any:
        """A view."""
        return self._view.decode(raw)

    def action(self, raw: bytes) -> Any:
        """An action."""
        return self._action.decode(raw)

    def event(self, raw: bytes) -> Any:
        """An event."""
        return self._event.decode(raw)


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
        told = f"the game {game.name} has no proto, so its {method.__name__} must name the type of {what}"
        raise UntypedGame(told) from error
