"""The contracts of a game's codec and reader: a message type each for options, view, action and event.

Nobody needs protobuf for them.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec

from referee.core.game import AnyGame

O_contra = TypeVar("O_contra", contravariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
V_contra = TypeVar("V_contra", contravariant=True)
E_contra = TypeVar("E_contra", contravariant=True)


class Codec(Protocol[O_contra, A_contra, V_contra, E_contra]):
    """Turns a game's values into the serialized messages of the game's own proto file, or into JSON.

    Equal values must give equal bytes: otherwise the bytes could reveal something that is not in the value. The referee
    caches the bytes of actions and events, so both must be hashable.
    """

    def options(self, options: O_contra) -> bytes:
        """The game's options, as every seat gets them."""

    def view(self, view: V_contra) -> bytes:
        """The view of one seat: all that it may know."""

    def action(self, action: A_contra) -> bytes:
        """One legal action."""

    def event(self, event: E_contra) -> bytes:
        """One event as one seat heard it."""


AnyCodec: TypeAlias = Codec[Any, Any, Any, Any]


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


cache_results = lru_cache(maxsize=4_096)
"""Caches the results of a function of a part of a view, for the latest parts; some 0.5 KiB each.

A cached result is a pure function of a value that the seat may know. So a seat gets the same bytes, whether the codec
encoded them for it or for another seat or match. The cache reveals nothing.
"""


class GameEntry(msgspec.Struct, frozen=True):
    """The entry that a package registers under the entry-point group `referee.games`.

    Attributes:
        game: the rules.
        codec: makes the game's messages.
        reader: reads them again; None: persons cannot play the game, since their pages are made from messages.
    """

    game: AnyGame
    codec: AnyCodec
    reader: Reader | None = None
