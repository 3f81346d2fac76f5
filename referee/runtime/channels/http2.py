"""The client's side of HTTP/2 (RFC 9113) as a function of bytes, as far as gRPC needs it. It uses no socket.

The server may be hostile. It must keep limits that are far above the needs of servers of gRPC. If it exceeds one, or
breaks the rules of HTTP/2, the connection is `ConnectionBroken`, and of no use any more. Everything before that counts,
in whatever pieces the bytes arrived.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from hpack import Decoder, Encoder, HPACKError, NeverIndexedHeaderTuple, OversizedHeaderListError

Fields: TypeAlias = Sequence[tuple[bytes, bytes]]
"""Headers or trailers."""

(_DATA, _HEADERS, _PRIORITY, _RST_STREAM, _SETTINGS, _PUSH_PROMISE, _PING, _GOAWAY, _WINDOW_UPDATE, _CONTINUATION) = (
    range(10)
)
_END_STREAM = _ACK = 0x1
_END_HEADERS = 0x4
_PADDED = 0x8
_WITH_PRIORITY = 0x20

_ENABLE_PUSH, _MAX_CONCURRENT_STREAMS, _INITIAL_WINDOW_SIZE, _MAX_FRAME_SIZE, _MAX_HEADER_LIST_SIZE = 2, 3, 4, 5, 6

_HEAD = struct.Struct(">BHBBI")
_HEAD_BYTES = 9
_LONGEST_FRAME = 16_384
"""The largest frame that the server may send: the initial value (RFC 9113, 6.5.2), which we do not change."""

_USUAL_WINDOW = 65_535
_GREATEST_WINDOW = 2**31 - 1
_OUR_WINDOW = 1 << 20
"""How many bytes the server may send before we let it send more."""

_LONGEST_FIELDS = 16_384
"""Bytes of headers or trailers, unpacked, by the count of RFC 9113, 6.5.2."""

_LONGEST_BLOCK = 32_768
_MOST_PARTS = 16
"""The bytes of a packed block of headers, and how many frames it may take."""

_MOST_IDLE = 10_000
"""How many empty frames may lie between two that carry something."""

_CANCEL = 0x8
"""The code of an error: a stream is of no use any more (RFC 9113, 7)."""


class _Breach(Exception):
    """The server does not keep to HTTP/2, or to our limits. The text says what it did."""


class HeadersReceived(NamedTuple):
    """The server sent headers, or trailers."""

    stream: int
    fields: Fields
    is_last: bool


class DataReceived(NamedTuple):
    """The server sent some bytes of an answer."""

    stream: int
    content: bytes
    is_last: bool


class StreamReset(NamedTuple):
    """The server has ended a stream with the code of an error; `text` is what it says about it."""

    stream: int
    code: int
    text: str = ""


class ConnectionBroken(NamedTuple):
    """The server does not keep to HTTP/2, or to our limits: the connection has ended. `text` says what it did."""

    text: str


Event: TypeAlias = HeadersReceived | DataReceived | StreamReset
"""An event of a stream."""


class _Stream:
    """One stream that has not ended on both sides.

    Attributes:
        window: how many bytes it may send.
        left: how many bytes the server may send.
        unsent: what waits for a window.
        is_last: whether our side ends with what waits.
        block: its headers, while it waits for its turn to begin.
    """

    __slots__ = ("block", "is_last", "left", "unsent", "window")

    def __init__(self, window: int) -> None:
        self.window = window
        self.left = _OUR_WINDOW
        self.unsent = bytearray()
        self.is_last = False
        self.block: bytes | None = None


class Connection:
    """One connection, seen from the client. It takes received bytes, and gives the bytes to send.

    Attributes:
        takes_more: whether the server takes further streams: it has not said that it goes away.
    """

    def __init__(self) -> None:
        self.takes_more = True
        self._incoming = b""
        self._outgoing = bytearray(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self._encoder = Encoder()
        self._decoder = Decoder(max_header_list_size=_LONGEST_FIELDS)
        self._streams: dict[int, _Stream] = {}
        self._held: set[int] = set()  # the streams that wait for the server to allow something
        self._events: list[Event | ConnectionBroken] = []  # of what is received now
        self._next = 1
        self._window = _USUAL_WINDOW
        self._left = _OUR_WINDOW
        self._usual_window = _USUAL_WINDOW  # of the server's streams
        self._longest_frame = _LONGEST_FRAME  # that the server takes
        self._most_streams = _GREATEST_WINDOW
        self._block: tuple[int, bytearray, bool, int] | None = None
        self._idle = 0
        self._greeted = False
        self._is_broken = False
        ours = ((_ENABLE_PUSH, 0), (_INITIAL_WINDOW_SIZE, _OUR_WINDOW), (_MAX_HEADER_LIST_SIZE, _LONGEST_FIELDS))
        self._put(_SETTINGS, 0, 0, b"".join(struct.pack(">HI", *setting) for setting in ours))
        self._put(_WINDOW_UPDATE, 0, 0, (_OUR_WINDOW - _USUAL_WINDOW).to_bytes(4))

    # Sending

    def begin(self, fields: Fields) -> int:
        """Begin a stream with these headers, as soon as the server allows one. Returns its number."""
        number, self._next = self._next, self._next + 2
        stream = self._streams[number] = _Stream(self._usual_window)
        # We keep nothing in a table, so we can ignore the server's changes of its size.
        stream.block = self._encoder.encode(NeverIndexedHeaderTuple(*field) for field in fields)
        self._held.add(number)
        self._admit()
        return number

    def send(self, number: int, content: bytes) -> None:
        """Send bytes on a stream, as soon as the windows allow it. On a stream that has ended, this sends nothing."""
        stream = self._streams.get(number)
        if stream is None:
            return
        size = len(content)
        if number not in self._held and size <= min(stream.window, self._window, self._longest_frame):
            stream.window -= size
            self._window -= size
            self._put(_DATA, 0, number, content)
        else:
            stream.unsent += content
            self._flush(number, stream)

    def end(self, number: int) -> None:
        """End our side of a stream, after what was sent."""
        stream = self._streams.get(number)
        if stream is not None and not stream.is_last:
            stream.is_last = True
            self._flush(number, stream)

    def cancel(self, number: int) -> None:
        """End a stream on both sides."""
        if number in self._streams:
            if self._streams[number].block is None:
                self._put(_RST_STREAM, 0, number, _CANCEL.to_bytes(4))
            self._forget(number)

    def outgoing(self) -> bytes:
        """The bytes to send now. Each call gives new ones."""
        octets = bytes(self._outgoing)
        self._outgoing.clear()
        return octets

    @property
    def is_waiting(self) -> bool:
        """Whether something waits for the server to allow it."""
        return bool(self._held)

    def _put(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        size = len(payload)
        self._outgoing += _HEAD.pack(size >> 16, size & 0xFFFF, kind, flags, number) + payload

    def _forget(self, number: int) -> None:
        """Note that a stream has ended on both sides."""
        del self._streams[number]
        self._held.discard(number)
        if self._held:
            self._admit()

    def _admit(self) -> None:
        """Begin the streams that wait, as far as the server allows it."""
        begun = sum(stream.block is None for stream in self._streams.values())
        for number, stream in self._streams.items():
            if stream.block is not None and begun < self._most_streams:
                self._put(_HEADERS, _END_HEADERS, number, stream.block)
                stream.block = None
                begun += 1
                self._flush(number, stream)

    def _flush(self, number: int, stream: _Stream) -> None:
        """Send what waits on a stream, as far as the server allows it."""
        self._held.add(number)
        if stream.block is not None:
            return
        while stream.unsent:
            size = min(len(stream.unsent), stream.window, self._window, self._longest_frame)
            if size <= 0:
                return
            stream.window -= size
            self._window -= size
            self._put(_DATA, 0, number, bytes(stream.unsent[:size]))
            del stream.unsent[:size]
        self._held.remove(number)
        if stream.is_last:
            self._put(_DATA, _END_STREAM, number, b"")

    def _flush_all(self) -> None:
        for number in sorted(self._held):
            self._flush(number, self._streams[number])

    # Receiving

    def receive(self, octets: bytes) -> list[Event | ConnectionBroken]:
        """Take bytes from the server. Returns the events in order. Nothing follows `ConnectionBroken`."""
        events: list[Event | ConnectionBroken] = []
        if self._is_broken:
            return events
        try:
            self._take_in(octets, events)
        except _Breach as breach:
            self._is_broken = True
            events.append(ConnectionBroken(str(breach)))
        return events

    def _take_in(self, octets: bytes, events: list[Event | ConnectionBroken]) -> None:
        self._events = events
        incoming = self._incoming + octets if self._incoming else octets
        at, there = 0, len(incoming)
        while there - at >= _HEAD_BYTES:
            high, low, kind, flags, number = _HEAD.unpack_from(incoming, at)
            size = high << 16 | low
            if not self._greeted and kind != _SETTINGS:
                raise _Breach("what it sends is no HTTP/2")
            if size > _LONGEST_FRAME:
                raise _Breach(f"it sent a frame of {size:,} bytes, over {_LONGEST_FRAME:,}")
            end = at + _HEAD_BYTES + size
            if there < end:
                break
            self._frame(kind, flags, number & _GREATEST_WINDOW, incoming[at + _HEAD_BYTES : end])
            at = end
        self._incoming = incoming[at:]

    def _frame(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        if (self._block is None) == (kind == _CONTINUATION):
            raise _Breach("its headers are interrupted, or continue what did not begin")
        if kind == _DATA and payload:
            self._idle = 0
        else:
            self._idle += 1
            if self._idle > _MOST_IDLE:
                raise _Breach(f"it sent {_MOST_IDLE:,} frames that carry nothing")
        on_frame = self._ON_FRAME.get(kind)
        if on_frame is not None:  # others must be ignored (RFC 9113, 4.1)
            on_frame(self, flags, number, payload)

    def _on_data(self, flags: int, number: int, payload: bytes) -> None:
        size = len(payload)
        stream = self._known(number)
        self._left -= size
        if self._left < 0:
            raise _Breach("it sent more than its window allows")
        if self._left < _OUR_WINDOW // 2:
            self._put(_WINDOW_UPDATE, 0, 0, (_OUR_WINDOW - self._left).to_bytes(4))
            self._left = _OUR_WINDOW
        if stream is None:  # it has ended here, which the server may not know yet
            return
        is_last = bool(flags & _END_STREAM)
        stream.left -= size
        if stream.left < 0:
            raise _Breach("it sent more than its window allows")
        if is_last:
            self._forget(number)
        elif stream.left < _OUR_WINDOW // 2:
            self._put(_WINDOW_UPDATE, 0, number, (_OUR_WINDOW - stream.left).to_bytes(4))
            stream.left = _OUR_WINDOW
        self._events.append(DataReceived(number, _without_padding(payload) if flags & _PADDED else payload, is_last))

    def _on_headers(self, flags: int, number: int, payload: bytes) -> None:
        self._known(number)
        if flags & _PADDED:
            payload = _without_padding(payload)
        if flags & _WITH_PRIORITY:
            if len(payload) < 5:
                raise _Breach("it sent a frame of a size that its kind cannot have")
            payload = payload[5:]
        self._on_block(number, bytearray(payload), flags, bool(flags & _END_STREAM), parts=1)

    def _on_continuation(self, flags: int, number: int, payload: bytes) -> None:
        begun, block, is_last, parts = self._block or (0, bytearray(), False, 0)
        if number != begun:
            raise _Breach("its headers are interrupted, or continue what did not begin")
        self._on_block(number, block + payload, flags, is_last, parts + 1)

    def _on_block(self, number: int, block: bytearray, flags: int, is_last: bool, parts: int) -> None:
        if len(block) > _LONGEST_BLOCK or parts > _MOST_PARTS:
            raise _Breach("it sent headers without end")
        if not flags & _END_HEADERS:
            self._block = number, block, is_last, parts
            return
        self._block = None
        fields = self._unpacked(bytes(block))  # also of a stream that has ended: it changes the table
        if number in self._streams:
            if is_last:
                self._forget(number)
            self._events.append(HeadersReceived(number, fields, is_last))

    def _unpacked(self, block: bytes) -> Fields:
        try:
            fields = [(bytes(name), bytes(value)) for name, value in self._decoder.decode(block, raw=True)]
        except OversizedHeaderListError as error:
            raise _Breach(f"it sent headers of more than {_LONGEST_FIELDS:,} bytes") from error
        except HPACKError as error:
            raise _Breach("it sent headers that cannot be read") from error
        if any(name != name.lower() for name, _ in fields):
            raise _Breach("it sent headers in capitals")
        return fields

    def _on_priority(self, _flags: int, _number: int, payload: bytes) -> None:
        _must_have(len(payload) == 5)

    def _on_reset(self, _flags: int, number: int, payload: bytes) -> None:
        _must_have(len(payload) == 4)
        if self._known(number) is not None:
            self._forget(number)
            self._events.append(StreamReset(number, int.from_bytes(payload)))

    def _on_settings(self, flags: int, number: int, payload: bytes) -> None:
        _must_have(number == 0 and len(payload) % 6 == 0 and not (flags & _ACK and payload))
        self._greeted = True
        if not flags & _ACK:
            self._put(_SETTINGS, _ACK, 0, b"")  # first: for the server they hold from here on
            for name, value in struct.iter_unpack(">HI", payload):
                self._set(name, value)
            self._flush_all()

    def _set(self, name: int, value: int) -> None:
        if name == _INITIAL_WINDOW_SIZE:
            for stream in self._streams.values():
                stream.window = _widened(stream.window, value - self._usual_window)
            self._usual_window = _widened(value, 0)
        elif name == _MAX_FRAME_SIZE:
            if not _LONGEST_FRAME <= value < 1 << 24:
                raise _Breach("its settings are not allowed")
            self._longest_frame = value
        elif name == _MAX_CONCURRENT_STREAMS:
            self._most_streams = value
            self._admit()
        elif name == _ENABLE_PUSH and value != 0:
            raise _Breach("its settings are not allowed")

    def _on_push(self, _flags: int, _number: int, _payload: bytes) -> None:
        raise _Breach("it pushed what nobody asked for")

    def _on_ping(self, flags: int, number: int, payload: bytes) -> None:
        _must_have(number == 0 and len(payload) == 8)
        if not flags & _ACK:
            self._put(_PING, _ACK, 0, payload)

    def _on_goaway(self, _flags: int, number: int, payload: bytes) -> None:
        _must_have(number == 0 and len(payload) >= 8)
        self.takes_more = False
        last, code = struct.unpack_from(">II", payload)
        text = payload[8:].decode(errors="replace")
        for refused in [number for number in self._streams if number > last & _GREATEST_WINDOW]:
            self._forget(refused)
            self._events.append(StreamReset(refused, code, f"it goes away: {text}"))

    def _on_window(self, _flags: int, number: int, payload: bytes) -> None:
        _must_have(len(payload) == 4)
        more = int.from_bytes(payload) & _GREATEST_WINDOW
        if more == 0:
            raise _Breach("it opened its window by nothing")
        if number == 0:
            self._window = _widened(self._window, more)
        elif (stream := self._known(number)) is not None:
            stream.window = _widened(stream.window, more)
        if self._held:
            self._flush_all()

    def _known(self, number: int) -> _Stream | None:
        """A stream that was begun here; None if it has ended.

        Raises:
            _Breach: it was never begun.
        """
        stream = self._streams.get(number)
        if stream is None and not (number % 2 == 1 and number < self._next):
            raise _Breach("it answered what was never asked")
        return stream

    _ON_FRAME: Final[dict[int, Callable[["Connection", int, int, bytes], None]]] = {
        _DATA: _on_data,
        _HEADERS: _on_headers,
        _PRIORITY: _on_priority,
        _RST_STREAM: _on_reset,
        _SETTINGS: _on_settings,
        _PUSH_PROMISE: _on_push,
        _PING: _on_ping,
        _GOAWAY: _on_goaway,
        _WINDOW_UPDATE: _on_window,
        _CONTINUATION: _on_continuation,
    }


def _widened(window: int, more: int) -> int:
    if window + more > _GREATEST_WINDOW:
        raise _Breach("it opened its window too far")
    return window + more


def _without_padding(payload: bytes) -> bytes:
    _must_have(len(payload) > 0 and payload[0] < len(payload))
    return payload[1 : len(payload) - payload[0]]


def _must_have(right_size: bool) -> None:
    if not right_size:
        raise _Breach("it sent a frame of a size that its kind cannot have")
