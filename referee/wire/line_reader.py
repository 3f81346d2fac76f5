"""Reads the messages that bots get in lines, for programs that know the types of the games: the inverse of `dialects`.

The values of a game have names of enumerations, and ids in full (`line_values`).
"""

from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from referee_bot.v1 import bot_pb2

from referee.core.errors import WrongUse
from referee.core.game import InFull
from referee.wire.codec import AnyCodec
from referee.wire.json_codec import JsonCodec
from referee.wire.line_values import has_names, is_struct
from referee.wire.registry import game_entry


class LineReader:
    """Makes the message of the protocol of each line: one program can then be called in both ways."""

    def __init__(self) -> None:
        """Begin before the first match."""
        self._game: tuple[AnyCodec, tuple[Any, ...]] | None = None

    def message(self, line: bytes) -> bot_pb2.RefereeMessage:
        """The message of the protocol that says the same as a line.

        Raises:
            WrongUse: the game is not installed here, or the line cannot be read.
        """
        try:
            return self._message(msgspec.json.decode(line))
        except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
            raise WrongUse(f"a line of the referee cannot be read: {error!r}") from error

    def _message(self, fields: Mapping[str, Any]) -> bot_pb2.RefereeMessage:
        if fields["type"] == "start":
            self._game = _codec_and_types(fields["game"])
        if self._game is None:
            raise WrongUse("a line of the referee came before a match had begun")
        codec, (options, view, action, event) = self._game
        events = [codec.event(line_native(each, event)) for each in fields.get("events", ())]
        if fields["type"] == "start":
            start = bot_pb2.MatchStart(
                match_id=bytes.fromhex(fields["match_id"]),
                **{name: fields[name] for name in ("game", "rules_version", "seat", "seats")},
                clock=bot_pb2.Clock(**fields["clock"]),
                seed=bytes.fromhex(fields["seed_hex"]),
                options=codec.options(line_native(fields["options"], options)),
            )
            return bot_pb2.RefereeMessage(match_start=start)
        if fields["type"] == "end":
            end = bot_pb2.MatchEnd(ending=fields["ending"], places=fields["places"], events=events)
            return bot_pb2.RefereeMessage(match_end=end)
        decision = bot_pb2.Decision(
            number=fields["number"],
            view=codec.view(line_native(fields["view"], view)),
            legal=[codec.action(line_native(each, action)) for each in fields["legal"]],
            events=events,
            time_left_ms=fields["time_left_ms"],
        )
        return bot_pb2.RefereeMessage(decision=decision)


@cache
def _codec_and_types(game: str) -> tuple[AnyCodec, tuple[Any, ...]]:
    """The codec of a game, and its types."""
    entry = game_entry(game)
    return entry.codec, JsonCodec(entry.game).types


def answer_line(message: bot_pb2.BotMessage) -> bytes:
    """The line that says the same as a bot's message of the protocol; no batches."""
    if message.HasField("ready"):
        return b"ready\n"
    answer = message.choice if message.HasField("choice") else message.unavailable
    fields: dict[str, Any] = {"number": answer.decision} if answer.decision else {}
    if message.HasField("choice"):
        fields["index"] = message.choice.index
    else:
        fields["unavailable"] = answer.note.text
    if answer.HasField("note"):
        fields["note"] = {
            "text": answer.note.text,
            "tries": answer.note.tries,
            "tokens": answer.note.tokens,
        }
    return msgspec.json.encode(fields) + b"\n"


def line_native(value: Any, kind: Any) -> Any:
    """The value of this type that was written in lines.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    return msgspec.convert(_plain(value, kind), kind)


def _plain(value: Any, kind: Any) -> Any:
    """The value as msgspec reads it: with numbers for names, and ids."""
    origin, inner = get_origin(kind), get_args(kind)
    if value is None or has_names(kind):
        return None if value is None else kind[value].value
    if origin is Annotated:
        mark = next((each for each in inner if isinstance(each, InFull)), None)
        return _plain(value, inner[0]) if mark is None else mark.id_of(line_native(value, mark.kind))
    if origin in (Union, UnionType):
        return _plain(value, _member(value, [each for each in inner if each is not NoneType]))
    return _plain_parts(value, kind, inner) if isinstance(value, list | dict) else value


def _plain_parts(value: list[Any] | dict[str, Any], kind: Any, inner: tuple[Any, ...]) -> Any:
    if is_struct(kind) and isinstance(value, dict):
        types = get_type_hints(kind, include_extras=True)
        names = dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))
        return {name: _plain(each, types[names[name]]) if name in names else each for name, each in value.items()}
    if not inner:
        return value
    if isinstance(value, dict):
        return {_plain(key, inner[0]): _plain(each, inner[1]) for key, each in value.items()}
    kinds = [inner[0]] * len(value) if inner[1:] in ((), (...,)) else inner
    return [_plain(each, of) for each, of in zip(value, kinds, strict=True)]


def _member(value: Any, kinds: list[Any]) -> Any:
    """The type, of those in a union, that a value has."""
    if len(kinds) == 1:
        return kinds[0]
    if isinstance(value, dict):
        tags = ((each, each.__struct_config__) for each in kinds if is_struct(each))
        return next(each for each, config in tags if config.tag is None or value.get(config.tag_field) == config.tag)
    named = (each for each in kinds if has_names(each) and value in each.__members__)
    return next(named, next((each for each in kinds if not is_struct(each) and not has_names(each)), kinds[0]))
