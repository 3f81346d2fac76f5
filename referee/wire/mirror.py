"""Actions and events as the messages of the same name, field by field.

What is None here is unset there. Which field of a game's `Action` or `Event` holds the message, its proto says.
"""

from types import ModuleType
from typing import Any

import msgspec
from google.protobuf.descriptor import Descriptor


class Mirror:
    """The messages of one proto file."""

    def __init__(self, messages: ModuleType) -> None:
        """`messages` is the module generated from the file; its `Action` and `Event` hold one `body` each."""
        self._pb: Any = messages
        self._actions = _fields_by_type(self._pb.Action.DESCRIPTOR)
        self._events = _fields_by_type(self._pb.Event.DESCRIPTOR)

    def action(self, action: msgspec.Struct) -> bytes:
        """An `Action` message."""
        return bytes(self._action(action).SerializeToString())

    def event(self, event: msgspec.Struct) -> bytes:
        """An `Event` message."""
        message = self._pb.Event(**{self._events[type(event).__name__]: self._message(event)})
        return bytes(message.SerializeToString())

    def _action(self, action: msgspec.Struct) -> Any:
        return self._pb.Action(**{self._actions[type(action).__name__]: self._message(action)})

    def _message(self, value: msgspec.Struct) -> Any:
        fields = {name: self._field(getattr(value, name)) for name in value.__struct_fields__}
        return getattr(self._pb, type(value).__name__)(**fields)

    def _field(self, value: Any) -> Any:
        """A struct within a struct is an action: what somebody answered."""
        return self._action(value) if isinstance(value, msgspec.Struct) else value


def _fields_by_type(holder: Descriptor) -> dict[str, str]:
    fields = holder.oneofs_by_name["body"].fields
    return {field.message_type.name: field.name for field in fields if field.message_type}
