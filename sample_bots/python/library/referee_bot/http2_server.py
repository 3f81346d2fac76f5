"""The server's side of HTTP/2 (RFC 9113). `http2.py` has what it shares with the client's side."""

from collections import deque
from typing import Final

from referee_bot.hpack import encode
from referee_bot.http2 import (
    END_HEADERS,
    END_STREAM,
    HEADERS,
    MAX_CONCURRENT_STREAMS,
    NO_ERROR,
    PREFACE,
    PROTOCOL_ERROR,
    REFUSED_STREAM,
    STREAM_CLOSED,
    Breach,
    Connection,
    DataReceived,
    Fields,
    HeadersReceived,
    Stream,
    StreamReset,
    frame,
)

_MOST_STREAMS: Final = 8
"""How many streams a client may have open at once."""

_MOST_CUT: Final = 64
"""Of how many streams we remember that we ended them before the client did."""

_NEEDED: Final = {b":method", b":scheme", b":path"}
_PSEUDO: Final = {*_NEEDED, b":authority"}
_OF_HTTP_1: Final = {b"connection", b"proxy-connection", b"keep-alive", b"transfer-encoding", b"upgrade"}


class Http2Server(Connection):
    """A connection to a client."""

    def __init__(self) -> None:
        super().__init__(b"", PREFACE, ((MAX_CONCURRENT_STREAMS, _MOST_STREAMS),))
        self._newest = 0
        self._cut: deque[int] = deque(maxlen=_MOST_CUT)

    # Sending

    def respond(self, number: int, fields: Fields) -> None:
        """Send the first headers of an answer."""
        if number in self._streams:
            self._put(HEADERS, END_HEADERS, number, encode(fields))

    def finish(self, number: int, fields: Fields) -> None:
        """End an answer with these trailers, after what was sent."""
        stream = self._streams.get(number)
        if stream is not None and stream.ending is None:
            self._end(number, stream, frame(HEADERS, END_HEADERS | END_STREAM, number, encode(fields)))

    def unsent_bytes(self, number: int) -> int:
        """How much of a stream waits for a window."""
        stream = self._streams.get(number)
        return 0 if stream is None else len(stream.unsent)

    def _ended_here(self, number: int, stream: Stream) -> None:
        if stream.is_half_closed:
            self._forget(number)
        else:
            self._cut_off(number, NO_ERROR)  # the client need not send the rest (8.1)

    def _cut_off(self, number: int, code: int) -> None:
        """End a stream before the client has."""
        self._reset(number, code)
        self._cut.append(number)
        if number in self._streams:
            self._forget(number)

    # Receiving

    def _find_stream(self, number: int) -> Stream | None:
        if number % 2 == 0 or number > self._newest:
            raise Breach("it used a stream that it never began")
        return self._streams.get(number)

    def _check_headers(self, number: int) -> None:
        if number % 2 == 0:
            raise Breach("it began a stream that is not its own")
        stream = self._streams.get(number)
        if stream is not None and stream.is_half_closed:
            raise Breach("it went on after its end", STREAM_CLOSED)
        if stream is None and number <= self._newest:
            self._check_late(number)

    def _check_late(self, number: int) -> None:
        if number not in self._cut:
            raise Breach("it went on after its end", STREAM_CLOSED)

    def _take_fields(self, number: int, fields: Fields, is_last: bool) -> None:
        stream = self._streams.get(number)
        if stream is not None:
            self._take_trailers(number, stream, fields, is_last)
        elif number > self._newest:
            self._newest = number
            self._begin(number, fields, is_last)

    def _take_trailers(self, number: int, stream: Stream, fields: Fields, is_last: bool) -> None:
        if is_last and all(_is_plain(*field) for field in fields):
            stream.is_half_closed = True
            self._events.append(DataReceived(number, b"", is_last))  # so no call can take them for a request
        else:
            self._cut_off(number, PROTOCOL_ERROR)
            self._events.append(StreamReset(number, PROTOCOL_ERROR))

    def _begin(self, number: int, fields: Fields, is_last: bool) -> None:
        if len(self._streams) >= _MOST_STREAMS:
            self._cut_off(number, REFUSED_STREAM)
        elif not _is_request(fields):
            self._cut_off(number, PROTOCOL_ERROR)
        else:
            stream = self._streams[number] = Stream(self._usual_window)
            stream.is_half_closed = is_last
            self._events.append(HeadersReceived(number, fields, is_last))

    def _ended_there(self, _number: int, stream: Stream) -> None:
        stream.is_half_closed = True

    def _goes_away(self, last: int, code: int, text: str) -> None:
        """The client begins no further stream, which changes nothing here."""

    def _last_number(self) -> int:
        return self._newest


def _is_request(fields: Fields) -> bool:
    """Whether these are the headers of a request that is well-formed (8.2, 8.3.1)."""
    names = [name for name, _ in fields]
    count = next((place for place, name in enumerate(names) if not name.startswith(b":")), len(names))
    pseudo = set(names[:count])
    right = len(pseudo) == count and _NEEDED <= pseudo <= _PSEUDO
    return right and dict(fields)[b":path"] != b"" and all(_is_plain(*field) for field in fields[count:])


def _is_plain(name: bytes, value: bytes) -> bool:
    """Whether a field may stand after the pseudo-headers."""
    if not name or name.startswith(b":") or name != name.lower() or name in _OF_HTTP_1:
        return False
    return name != b"te" or value == b"trailers"
