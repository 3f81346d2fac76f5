"""How gRPC puts messages into a stream of HTTP/2, and names how calls end (gRPC's own page PROTOCOL-HTTP2)."""

import struct
from typing import Final

_PREFIX = struct.Struct(">BI")
_PREFIX_BYTES = 5

CODES: Final = (
    "ok",
    "cancelled",
    "unknown",
    "invalid_argument",
    "deadline_exceeded",
    "not_found",
    "already_exists",
    "permission_denied",
    "resource_exhausted",
    "failed_precondition",
    "aborted",
    "out_of_range",
    "unimplemented",
    "internal",
    "unavailable",
    "data_loss",
    "unauthenticated",
)
"""The names of gRPC's codes, by number."""


def prefixed(message: bytes) -> bytes:
    """A message as it is sent: not compressed, with its length before it."""
    return _PREFIX.pack(0, len(message)) + message


class MessageReader:
    """Reads the messages of one direction of a stream, however their bytes are cut.

    Attributes:
        refused: why nothing more is read: the flag of a message that is compressed or unknown, or 0 if a message is
            too long. None: all is well.
    """

    def __init__(self, longest: int) -> None:
        """Read messages of up to `longest` bytes."""
        self.refused: int | None = None
        self._longest = longest
        self._rest = bytearray()

    @property
    def is_between_messages(self) -> bool:
        """Whether no message has begun."""
        return not self._rest

    def take(self, content: bytes) -> list[bytes]:
        """The messages that this content completes. After a message that is refused there are no others."""
        if self._rest:
            self._rest += content
            if self._is_short():
                return []
            content = bytes(self._rest)
            self._rest.clear()
        messages: list[bytes] = []
        at, there = 0, len(content)
        while there - at >= _PREFIX_BYTES and self.refused is None:
            flag, size = _PREFIX.unpack_from(content, at)
            end = at + _PREFIX_BYTES + size
            if flag or size > self._longest:
                self.refused = flag
            elif there < end:
                break
            else:
                messages.append(content[at + _PREFIX_BYTES : end])
                at = end
        if at < there and self.refused is None:
            self._rest += content[at:]
        return messages

    def _is_short(self) -> bool:
        """Whether more must come before the first message is whole, or refused."""
        if len(self._rest) < _PREFIX_BYTES:
            return True
        flag, size = _PREFIX.unpack_from(self._rest)
        return not flag and len(self._rest) < _PREFIX_BYTES + size <= _PREFIX_BYTES + self._longest
