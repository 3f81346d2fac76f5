"""Turns values into the messages of the same name, field by field, and messages into plain values again.

The mapper leaves a field unset if it is None. If a message holds one of several others, as `Action` and `Event` do,
its proto says in which field. From plain values msgspec makes the game's own.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType, ModuleType
from typing import Any, TypeAlias

import msgspec
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from referee.wire.codec import FunctionReader, Read, Reader
from referee.wire.messages import bytes_field

Readers: TypeAlias = Mapping[str, Callable[[Any], Any]]
"""For messages that stand for something other than a struct of their name, by name: what they stand for."""

_NO_READERS: Readers = MappingProxyType({})
_BODY = "body"


def plain(message: Message, readers: Readers = _NO_READERS) -> Any:
    """A message as a dict of its fields. One that holds one of several others is that one, with its name as `type`.

    Unset fields are None: a field with a presence of its own, a number of an enum that is 0, a text that is empty.

    Raises:
        ValueError: it should hold one of several others, and holds none that we know.
    """
    own = readers.get(message.DESCRIPTOR.name)
    if own is not None:
        return own(message)
    if _BODY in message.DESCRIPTOR.oneofs_by_name:
        return within(message, _BODY, readers)
    return {field.name: _value(message, field, readers) for field in message.DESCRIPTOR.fields}


def within(message: Message, oneof: str, readers: Readers = _NO_READERS) -> dict[str, Any]:
    """The one message that `message` holds in this oneof, with its name as `type`.

    Raises:
        ValueError: it holds none that we know.
    """
    field = message.WhichOneof(oneof)
    if field is None:
        raise ValueError(f"the message {message.DESCRIPTOR.name} holds nothing")
    inside: Message = getattr(message, field)
    return {"type": inside.DESCRIPTOR.name, **plain(inside, readers)}


def _value(message: Message, field: Any, readers: Readers) -> Any:
    value = getattr(message, field.name)
    if field.is_repeated:
        return [plain(it, readers) for it in value] if field.message_type else list(value)
    if field.has_presence and not message.HasField(field.name):
        return None
    if field.message_type:
        return plain(value, readers)
    return None if value in _UNSET.get(field.type, ()) else value


_UNSET: Mapping[int, tuple[object, ...]] = {FieldDescriptor.TYPE_ENUM: (0,), FieldDescriptor.TYPE_STRING: ("",)}
"""By type, the values that no value of ours has: 0 is the unspecified number of every enum."""


Convert: TypeAlias = Callable[[Any], Any]
"""Turns a value into one that protobuf takes."""

_NONE: Mapping[str, Convert] = MappingProxyType({})


class MessageMapper:
    """The messages of one proto file."""

    def __init__(self, messages: ModuleType, converts: Mapping[str, Convert] = _NONE) -> None:
        """Use the messages of `messages`, the module generated from the file.

        `converts` has a function for each message whose values are not structs of its name.
        """
        self._pb: Any = messages
        self._converts = {"Action": self._action, **converts}
        self._message_of = cache(self._find_message)
        self._fields_of = cache(self._find_fields)

    def options(self, options: msgspec.Struct) -> bytes:
        """An `Options` message."""
        return bytes(self.message(options).SerializeToString())

    def action(self, action: msgspec.Struct) -> bytes:
        """An `Action` message."""
        return self.within("Action", action)

    def event(self, event: msgspec.Struct) -> bytes:
        """An `Event` message."""
        return self.within("Event", event)

    def reader(self, options: Any, view: Read, action: Any, event: Any, readers: Readers = _NO_READERS) -> Reader:
        """The reader of these messages, for the game's types of options, actions and events. `view` reads a view."""

        def read(name: str, kind: Any) -> Read:
            parse = getattr(self._pb, name).FromString
            return lambda raw: msgspec.convert(plain(parse(raw), readers), kind)

        return FunctionReader(read("Options", options), view, read("Action", action), read("Event", event))

    def within(self, holder: str, value: msgspec.Struct) -> bytes:
        """The message named `holder` with `value` in the field that fits it."""
        name = type(value).__name__
        return bytes_field(self._fields_of(holder)[name], self.message(value).SerializeToString())

    def message(self, value: msgspec.Struct) -> Any:
        """The message with the name of the type of `value`."""
        make, converts = self._message_of(type(value).__name__)
        return make(**{field: convert(getattr(value, field)) for field, convert in converts})

    def _action(self, action: msgspec.Struct) -> Any:
        return self._pb.Action.FromString(self.action(action))

    def _find_fields(self, holder: str) -> dict[str, int]:
        """The numbers of the fields of `holder` that hold one of several messages, by the names of these messages."""
        oneofs = getattr(self._pb, holder).DESCRIPTOR.oneofs
        fields = [field for oneof in oneofs for field in oneof.fields]
        return {field.message_type.name: field.number for field in fields if field.message_type}

    def _find_message(self, name: str) -> tuple[Callable[..., Any], list[tuple[str, Convert]]]:
        make = getattr(self._pb, name)
        return make, [(field.name, self._converter(field)) for field in make.DESCRIPTOR.fields]

    def _converter(self, field: FieldDescriptor) -> Convert:
        if field.message_type is None:
            return _as_it_is
        convert = self._converts.get(field.message_type.name, self.message)
        if field.is_repeated:
            return lambda values: [convert(value) for value in values]
        return lambda value: None if value is None else convert(value)


def _as_it_is(value: Any) -> Any:
    return value
