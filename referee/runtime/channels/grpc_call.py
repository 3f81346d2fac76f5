"""The replies to one call of gRPC, as a function of HTTP/2 events: messages, and how the call ended.

The source is gRPC's own "gRPC over HTTP2" (PROTOCOL-HTTP2).
"""

from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote

from referee_bot.framing import CODES, MessageReader
from referee_bot.http2 import DataReceived, Event, Fields, HeadersReceived, StreamReset

from referee.match.conversation import Garbage
from referee.runtime.channels.channel import COMPRESSED, TOO_LONG, CallStatus
from referee.wire.messages import MAX_BOT_MESSAGE_BYTES

_OF_HTTP: Final = {
    b"400": "internal",
    b"401": "unauthenticated",
    b"403": "permission_denied",
    b"404": "unimplemented",
    b"429": "unavailable",
    b"502": "unavailable",
    b"503": "unavailable",
    b"504": "unavailable",
}
_OF_RESET: Final = {7: "unavailable", 8: "cancelled", 11: "resource_exhausted", 12: "permission_denied"}
"""By the code of HTTP/2; all others are `internal`."""

_NO_STATUS = CallStatus("unknown", "it ended its stream without a status")


class IncomingCall:
    """The replies to one call."""

    def __init__(self) -> None:
        self._reader = MessageReader(MAX_BOT_MESSAGE_BYTES)
        self._has_begun = False

    def take(self, event: Event) -> Sequence[bytes | Garbage | CallStatus]:
        """The replies in an event of the call's stream. Nothing follows a `CallStatus`.

        Garbage is a message that we do not read. After it, the call is of no use.
        """
        if isinstance(event, DataReceived):
            messages = self._messages(event.content)
            return (*messages, _NO_STATUS) if event.is_last else messages
        if isinstance(event, HeadersReceived):
            status = self._of_fields(event.fields, event.is_last)
            return () if status is None else (status,)
        return (_of_reset(event),)

    def _messages(self, content: bytes) -> Sequence[bytes | Garbage]:
        if not self._has_begun:
            return (Garbage("sent an answer without headers"),)
        messages = self._reader.take(content)
        if self._reader.refused is None:
            return messages
        return (*messages, Garbage(f"sent {_unfit(self._reader.refused)}"))

    def _of_fields(self, fields: Fields, is_last: bool) -> CallStatus | None:
        first = dict(reversed(fields))
        http = first.get(b":status", b"")
        if self._has_begun and not is_last:
            return CallStatus("internal", "it sent headers twice")
        if not self._has_begun and http.startswith(b"1") and not is_last:
            return None  # a word in between (RFC 9110, 15.2)
        if b"grpc-status" in first and is_last:
            return _status(first)
        if not self._has_begun and http != b"200":
            return CallStatus(_OF_HTTP.get(http, "unknown"), f"HTTP status {http.decode(errors='replace')}")
        if is_last:
            return _NO_STATUS
        self._has_begun = True
        return None


def _unfit(flag: int) -> str:
    """The error in a message that has this flag, or is too long."""
    if flag == 1:
        return COMPRESSED
    return f"a message with the unknown flag {flag}" if flag else TOO_LONG


def _status(fields: dict[bytes, bytes]) -> CallStatus:
    number = fields[b"grpc-status"]
    known = number.isdigit() and len(number) <= 2 and int(number) < len(CODES)
    words = unquote(fields.get(b"grpc-message", b"").decode(errors="replace"), errors="replace")
    return CallStatus(CODES[int(number)] if known else "unknown", words)


def _of_reset(reset: StreamReset) -> CallStatus:
    if reset.text:
        return CallStatus("unavailable", reset.text)
    return CallStatus(_OF_RESET.get(reset.code, "internal"), f"it reset its stream with error {reset.code}")
