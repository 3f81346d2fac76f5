"""Messages as plain values, from which msgspec makes the game's own. This module reverses `message_mapper`."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

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
