"""What a game must provide so that its values can be sent: a message type each for options, view, action and event."""

from functools import lru_cache
from typing import Any, Protocol, TypeAlias, TypeVar

import msgspec

from referee.core.game import AnyGame

O_contra = TypeVar("O_contra", contravariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
V_contra = TypeVar("V_contra", contravariant=True)
E_contra = TypeVar("E_contra", contravariant=True)


class Codec(Protocol[O_contra, A_contra, V_contra, E_contra]):
    """Turns a game's values into the serialized messages of the game's own proto file.

    Equal values must give equal bytes: otherwise the bytes could reveal something that is not in the value.
    """

    def options(self, options: O_contra) -> bytes:
        """The game's options, as they are sent to every seat."""

    def view(self, view: V_contra) -> bytes:
        """What one seat may know."""

    def action(self, action: A_contra) -> bytes:
        """One legal action."""

    def event(self, event: E_contra) -> bytes:
        """One event as one seat heard it."""


AnyCodec: TypeAlias = Codec[Any, Any, Any, Any]


kept = lru_cache(maxsize=65_536)
"""Keeps the bytes that a function of a game's values gave, for the values that came last."""


class GameEntry(msgspec.Struct, frozen=True):
    """What a package registers under the entry-point group `referee.games`."""

    game: AnyGame
    codec: AnyCodec
