"""The contract of the reader of a game's messages. It has a module of its own, so that nobody needs protobuf for it."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeAlias

Read: TypeAlias = Callable[[bytes], Any]
"""Reads a value from its bytes."""


class Reader(Protocol):
    """Reads the serialized messages of a game's own proto file, or JSON. It gives the values that its codec was given.

    Each method raises ValueError, or an error of protobuf, for bytes that the codec did not write.
    """

    def options(self, raw: bytes) -> Any:
        """The game's options."""

    def view(self, raw: bytes) -> Any:
        """The view of one seat: all that it may know."""

    def action(self, raw: bytes) -> Any:
        """One legal action."""

    def event(self, raw: bytes) -> Any:
        """One event as one seat heard it."""


class FunctionReader(NamedTuple):
    """A `Reader` of four functions."""

    options: Read
    view: Read
    action: Read
    event: Read
