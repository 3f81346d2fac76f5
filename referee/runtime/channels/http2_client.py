"""The client's side of HTTP/2 (RFC 9113). `referee_bot.http2` has what it shares with the server's side."""

from referee_bot.hpack import encode
from referee_bot.http2 import (
    CANCEL,
    DATA,
    ENABLE_PUSH,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    MAX_CONCURRENT_STREAMS,
    PREFACE,
    Breach,
    Connection,
    Fields,
    HeadersReceived,
    Stream,
    StreamReset,
    frame,
)

_ANY_NUMBER = 2**31 - 1


class Http2Client(Connection):
    """A connection to a server.

    Attributes:
        takes_more: whether the server takes further streams: it has not said that it goes away.
    """

    def __init__(self) -> None:
        super().__init__(PREFACE, b"", ((ENABLE_PUSH, 0),))
        self.takes_more = True
        self._next = 1
        self._most_streams = _ANY_NUMBER

    # Sending

    def begin(self, fields: Fields) -> int:
        """Begin a stream with these headers, as soon as the server allows one. Returns its number."""
        number, self._next = self._next, self._next + 2
        stream = self._streams[number] = Stream(self._usual_window)
        stream.block = encode(fields)
        self._blocked.add(number)
        self._admit()
        return number

    def end(self, number: int) -> None:
        """End our side of a stream, after what was sent."""
        stream = self._streams.get(number)
        if stream is not None and stream.ending is None:
            self._end(number, stream, frame(DATA, END_STREAM, number, b""))

    def cancel(self, number: int) -> None:
        """End a stream on both sides."""
        if number in self._streams:
            if self._streams[number].block is None:
                self._reset(number, CANCEL)
            self._forget(number)

    def _forget(self, number: int) -> None:
        super()._forget(number)
        if self._blocked:
            self._admit()

    def _admit(self) -> None:
        """Begin the streams that wait, as far as the server allows it."""
        open_count = sum(stream.block is None for stream in self._streams.values())
        for number, stream in self._streams.items():
            if stream.block is not None and open_count < self._most_streams:
                self._put(HEADERS, END_HEADERS, number, stream.block)
                stream.block = None
                open_count += 1
                self._flush(number, stream)

    # Receiving

    def _find_stream(self, number: int) -> Stream | None:
        stream = self._streams.get(number)
        if stream is None and not (number % 2 == 1 and number < self._next):
            raise Breach("it answered what was never asked")
        return stream

    def _check_headers(self, number: int) -> None:
        self._find_stream(number)

    def _check_late(self, number: int) -> None:
        """Allow everything: the stream has ended here, which the server may not know yet."""

    def _take_fields(self, number: int, fields: Fields, is_last: bool) -> None:
        if any(name != name.lower() for name, _ in fields):
            raise Breach("it sent headers in capitals")
        if number in self._streams:
            if is_last:
                self._forget(number)
            self._events.append(HeadersReceived(number, fields, is_last))

    def _ended_here(self, number: int, stream: Stream) -> None:
        """The stream goes on: the server answers."""

    def _ended_there(self, number: int, _stream: Stream) -> None:
        self._forget(number)

    def _set(self, name: int, value: int) -> None:
        super()._set(name, value)
        if name == MAX_CONCURRENT_STREAMS:
            self._most_streams = value
            self._admit()
        elif name == ENABLE_PUSH and value != 0:
            raise Breach("its settings are not allowed")

    def _goes_away(self, last: int, code: int, text: str) -> None:
        self.takes_more = False
        for refused in [number for number in self._streams if number > last]:
            self._forget(refused)
            self._events.append(StreamReset(refused, code, f"it goes away: {text}"))

    def _last_number(self) -> int:
        return 0  # a server begins none
