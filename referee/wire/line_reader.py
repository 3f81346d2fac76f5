"""Reads the lines that bots get, for programs that know the types of the games: the inverse of `dialects`."""

from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from referee_bot.v1 import bot_pb2

from referee.core.errors import WrongUse
from referee.core.game import InFull
from referee.wire.json_codec import JsonCodec
from referee.wire.line_values import has_names, is_struct
from referee.wire.registry import game_entry

_NO_VALUE = KeyError, TypeError, ValueError


class LineReader:
    """Makes the message of the protocol of each line: one program can then be called in both ways."""

    def message(self, line: bytes) -> bot_pb2.RefereeMessage:
        """The message of the protocol that says the same as a line.

        Raises:
            WrongUse: the game is not installed here, or the line cannot be read.
        """
        try:
            return self._message(msgspec.json.decode(line))
        except (AttributeError, *_NO_VALUE) as error:
            raise WrongUse(f"a line of the referee cannot be read: {error!r}") from error

    def _message(self, fields: dict[str, Any]) -> bot_pb2.RefereeMessage:
        kind = fields.pop("type")
        if kind == "start":
            entry = game_entry(fields["game"])
            self._codec, self._types = entry.codec, JsonCodec(entry.game).types
            del fields["seed"]
            fields["match_id"] = bytes.fromhex(fields["match_id"])
            fields["seed"] = bytes.fromhex(fields.pop("seed_hex"))
        options, view, action, event = self._types
        if "events" in fields:
            fields["events"] = [self._codec.event(native_value(each, event)) for each in fields["events"]]
        if kind == "start":
            fields["options"] = self._codec.options(native_value(fields["options"], options))
            return bot_pb2.RefereeMessage(match_start=bot_pb2.MatchStart(**fields))
        if kind == "end":
            return bot_pb2.RefereeMessage(match_end=bot_pb2.MatchEnd(**fields))
        fields["view"] = self._codec.view(native_value(fields["view"], view))
        fields["legal"] = [self._codec.action(native_value(each, action)) for each in fields["legal"]]
        return bot_pb2.RefereeMessage(decision=bot_pb2.Decision(**fields))


def answer_line(message: bot_pb2.BotMessage) -> bytes:
    """The line that says the same as a bot's message of the protocol; no batches."""
    if message.HasField("ready"):
        return b"ready\n"
    is_choice = message.HasField("choice")
    answer = message.choice if is_choice else message.unavailable
    fields: dict[str, Any] = {"index": message.choice.index} if is_choice else {"unavailable": answer.note.text}
    if answer.HasField("note"):
        fields["note"] = {name: getattr(answer.note, name) for name in ("text", "tries", "tokens")}
    return msgspec.json.encode({**fields, "number": answer.decision or None}) + b"\n"


def native_value(value: Any, kind: Any) -> Any:
    """The value of this type that was written in lines, with names of enumerations, and ids in full.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if has_names(kind):
        return kind[value]
    if origin is Annotated:
        mark = next((each for each in inner if isinstance(each, InFull)), None)
        return native_value(value, inner[0]) if mark is None else mark.id_of(native_value(value, mark.kind))
    if origin in (Union, UnionType):
        return _member_value(value, inner)
    if is_struct(kind):
        return _struct_value(value, kind)
    return _parts_value(value, kind) if inner and isinstance(value, dict | list) else msgspec.convert(value, kind)


def _parts_value(value: dict[str, Any] | list[Any], kind: Any) -> Any:
    inner, origin = get_args(kind), get_origin(kind)
    if isinstance(value, dict):
        return {native_value(key, inner[0]): native_value(each, inner[1]) for key, each in value.items()}
    kinds = [inner[0]] * len(value) if inner[1:] in ((), (...,)) else inner
    values = [native_value(each, of) for each, of in zip(value, kinds, strict=True)]
    return origin(values) if origin in (list, set, frozenset) else tuple(values)


def _member_value(value: Any, kinds: tuple[Any, ...]) -> Any:
    """The value of the type, of those in a union, that it has."""
    if value is None and NoneType in kinds:
        return None
    for kind in sorted(kinds, key=has_names, reverse=True):  # a name is a text, too
        try:
            return native_value(value, kind)
        except _NO_VALUE:
            continue
    raise ValueError(value)


def _struct_value(value: dict[str, Any], kind: type[msgspec.Struct]) -> Any:
    config, types = kind.__struct_config__, get_type_hints(kind, include_extras=True)
    if config.tag is not None and value[config.tag_field or "type"] != config.tag:
        raise ValueError(value)
    names = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    return kind(**{field: native_value(value[name], types[field]) for field, name in names if name in value})
