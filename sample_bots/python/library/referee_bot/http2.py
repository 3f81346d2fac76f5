"""HTTP/2 (RFC 9113) as a function of bytes, as far as gRPC needs it: what the two ends of a connection have in common.

It uses no socket. The other end may be hostile. It must keep limits that are far above the needs of gRPC. If it exceeds
one, or breaks the rules of HTTP/2, the connection is `ConnectionBroken`, and of no use any more. Everything before that
counts, in whatever pieces the bytes arrived.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from referee_bot.hpack import Decoder, Field, HpackError, TooManyFieldsError

Fields: TypeAlias = Sequence[Field]
"""Headers or trailers."""

Settings: TypeAlias = Sequence[tuple[int, int]]

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM = ACK = 0x1
END_HEADERS = 0x4
_PADDED = 0x8
_WITH_PRIORITY = 0x20

ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, MAX_HEADER_LIST_SIZE = 2, 3, 4, 5, 6

NO_ERROR, PROTOCOL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, FRAME_SIZE_ERROR, REFUSED_STREAM = 0, 1, 3, 5, 6, 7
CANCEL, COMPRESSION_ERROR, ENHANCE_YOUR_CALM = 8, 9, 11
"""The codes of errors (7)."""

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
"""What a client begins with (3.4)."""

_HEAD = struct.Struct(">BHBBI")
_HEAD_BYTES = 9
_LONGEST_FRAME = 16_384
"""The largest frame that the other end may send: the initial value (6.5.2), which we do not change."""

_USUAL_WINDOW = 65_535
_GREATEST = 2**31 - 1
"""The largest window, and the largest number of a stream."""

_OUR_WINDOW = 1 << 20
"""How many bytes the other end may send. We open its window again when half of it is used up."""

_LONGEST_FIELDS = 16_384
"""Bytes of headers or trailers, unpacked, by the count of 6.5.2."""

_LONGEST_BLOCK = 32_768
_MOST_PARTS = 16
"""The bytes of a packed block of headers, and how many frames it may take."""

_MOST_IDLE = 10_000
"""How many empty frames may lie between two that carry something."""

_LONGEST_WORDS = 1_000
"""How many characters a GOAWAY may say."""


class Breach(Exception):
    """The other end does not keep to HTTP/2, or to our limits. The text says what it did."""

    def __init__(self, text: str, code: int = PROTOCOL_ERROR) -> None:
        super().__init__(text)
        self.code = code


class HeadersReceived(NamedTuple):
    """The other end sent headers, or trailers."""

    stream: int
    fields: Fields
    is_last: bool


class DataReceived(NamedTuple):
    """The other end sent some bytes of content."""

    stream: int
    content: bytes
    is_last: bool


class StreamReset(NamedTuple):
    """The other end has ended a stream with the code of an error; `text` is what it says about it."""

    stream: int
    code: int
    text: str = ""


class ConnectionBroken(NamedTuple):
    """The other end does not keep to HTTP/2, or to our limits: the connection has ended. `text` says what it did."""

    text: str


Event: TypeAlias = HeadersReceived | DataReceived | StreamReset
"""An event of a stream."""


class Stream:
    """One stream that has not ended on both sides.

    Attributes:
        window: how many bytes we may send.
        left: how many bytes the other end may send.
        unsent: what waits for a window.
        ending: the frames that end our side, once nothing waits; None: our side goes on.
        block: its headers, while it waits for its turn to begin.
        is_half_closed: whether the other end has ended its side.
    """

    __slots__ = ("block", "ending", "is_half_closed", "left", "unsent", "window")

    def __init__(self, window: int) -> None:
        self.window = window
        self.left = _OUR_WINDOW
        self.unsent = bytearray()
        self.ending: bytes | None = None
        self.block: bytes | None = None
        self.is_half_closed = False


class Connection:
    """One end of a connection. It takes received bytes, and gives the bytes to send.

    What only one of the two ends does is left to the client (`referee/runtime/channels/http2_client.py`) and the
    server (`http2_server.py`).
    """

    def __init__(self, preface: bytes, awaited: bytes, settings: Settings) -> None:
        """Begin with `preface` and `settings`. The other end must begin with the bytes `awaited`."""
        self._awaited = awaited
        self._incoming = b""
        self._outgoing = bytearray(preface)
        self._decoder = Decoder(_LONGEST_FIELDS)
        self._streams: dict[int, Stream] = {}
        self._blocked: set[int] = set()  # the streams that wait for the other end to allow something
        self._events: list[Event | ConnectionBroken] = []  # of what is received now
        self._window = _USUAL_WINDOW
        self._left = _OUR_WINDOW
        self._usual_window = _USUAL_WINDOW  # of the other end's streams
        self._longest_frame = _LONGEST_FRAME  # that the other end takes
        self._block: tuple[int, bytearray, bool, int] | None = None
        self._idle = 0
        self._greeted = False
        self._is_broken = False
        self._on_frame: dict[int, Callable[[int, int, bytes], None]] = {
            DATA: self._on_data,
            HEADERS: self._on_headers,
            PRIORITY: self._on_priority,
            RST_STREAM: self._on_reset,
            SETTINGS: self._on_settings,
            PUSH_PROMISE: self._on_push,
            PING: self._on_ping,
            GOAWAY: self._on_goaway,
            WINDOW_UPDATE: self._on_window,
            CONTINUATION: self._on_continuation,
        }
        ours = (*settings, (INITIAL_WINDOW_SIZE, _OUR_WINDOW), (MAX_HEADER_LIST_SIZE, _LONGEST_FIELDS))
        self._put(SETTINGS, 0, 0, b"".join(struct.pack(">HI", *setting) for setting in ours))
        self._put(WINDOW_UPDATE, 0, 0, (_OUR_WINDOW - _USUAL_WINDOW).to_bytes(4))

    # Sending

    def send(self, number: int, content: bytes) -> None:
        """Send bytes on a stream, as soon as the windows allow it. On a stream that has ended, this sends nothing."""
        stream = self._streams.get(number)
        if stream is None:
            return
        size = len(content)
        if number not in self._blocked and size <= min(stream.window, self._window, self._longest_frame):
            stream.window -= size
            self._window -= size
            self._put(DATA, 0, number, content)
        else:
            stream.unsent += content
            self._flush(number, stream)

    def ping(self) -> None:
        """Ask the other end for a sign of life."""
        self._put(PING, 0, 0, bytes(8))

    def outgoing(self) -> bytes:
        """The bytes to send now. Each call gives new ones."""
        if not self._outgoing:
            return b""
        octets = bytes(self._outgoing)
        self._outgoing.clear()
        return octets

    @property
    def is_waiting(self) -> bool:
        """Whether something waits for the other end to allow it."""
        return bool(self._blocked)

    def _put(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        self._outgoing += frame(kind, flags, number, payload)

    def _reset(self, number: int, code: int) -> None:
        self._put(RST_STREAM, 0, number, code.to_bytes(4))

    def _end(self, number: int, stream: Stream, ending: bytes) -> None:
        """End our side of a stream with these frames, after what was sent."""
        stream.ending = ending
        self._flush(number, stream)

    def _flush(self, number: int, stream: Stream) -> None:
        """Send what waits on a stream, as far as the other end allows it."""
        self._blocked.add(number)
        if stream.block is not None:
            return
        while stream.unsent:
            size = min(len(stream.unsent), stream.window, self._window, self._longest_frame)
            if size <= 0:
                return
            stream.window -= size
            self._window -= size
            self._put(DATA, 0, number, bytes(stream.unsent[:size]))
            del stream.unsent[:size]
        self._blocked.remove(number)
        if stream.ending is not None:
            self._outgoing += stream.ending
            self._ended_here(number, stream)

    def _flush_all(self) -> None:
        for number in sorted(self._blocked):
            self._flush(number, self._streams[number])

    # Receiving

    def receive(self, octets: bytes) -> list[Event | ConnectionBroken]:
        """Take bytes from the other end. Returns the events in order. Nothing follows `ConnectionBroken`."""
        events: list[Event | ConnectionBroken] = []
        if self._is_broken:
            return events
        self._events = events
        try:
            self._take_in(octets)
        except Breach as breach:
            events.append(self.break_off(breach))
        return events

    def break_off(self, breach: Breach) -> ConnectionBroken:
        """Tell the other end what it did, and take nothing more from it."""
        self._is_broken = True
        words = str(breach).encode()[:_LONGEST_WORDS]
        self._put(GOAWAY, 0, 0, struct.pack(">II", self._last_number(), breach.code) + words)
        return ConnectionBroken(str(breach))

    def _take_in(self, octets: bytes) -> None:
        incoming = self._incoming + octets if self._incoming else octets
        at, there = 0, len(incoming)
        if self._awaited:
            at = len(self._awaited)
            if not incoming.startswith(self._awaited[:there]):
                raise Breach("what it sends is no HTTP/2")
            if there >= at:
                self._awaited = b""
        while there - at >= _HEAD_BYTES:
            high, low, kind, flags, number = _HEAD.unpack_from(incoming, at)
            size = high << 16 | low
            if not self._greeted and kind != SETTINGS:
                raise Breach("what it sends is no HTTP/2")
            if size > _LONGEST_FRAME:
                raise Breach(f"it sent a frame of {size:,} bytes, over {_LONGEST_FRAME:,}", FRAME_SIZE_ERROR)
            end = at + _HEAD_BYTES + size
            if there < end:
                break
            self._take_frame(kind, flags, number & _GREATEST, incoming[at + _HEAD_BYTES : end])
            at = end
        self._incoming = incoming if self._awaited else incoming[at:]

    def _take_frame(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        if (self._block is None) == (kind == CONTINUATION):
            raise Breach("its headers are interrupted, or continue what did not begin")
        if kind == DATA and payload:
            self._idle = 0
        else:
            self._idle += 1
            if self._idle > _MOST_IDLE:
                raise Breach(f"it sent {_MOST_IDLE:,} frames that carry nothing", ENHANCE_YOUR_CALM)
        on_frame = self._on_frame.get(kind)
        if on_frame is not None:  # others must be ignored (4.1)
            on_frame(flags, number, payload)

    def _on_data(self, flags: int, number: int, payload: bytes) -> None:
        size = len(payload)
        stream = self._find_stream(number)
        self._left -= size  # never below 0: the windows are opened again long before they are used up
        if self._left < _OUR_WINDOW // 2:
            self._put(WINDOW_UPDATE, 0, 0, (_OUR_WINDOW - self._left).to_bytes(4))
            self._left = _OUR_WINDOW
        if stream is None or stream.is_half_closed:
            self._check_late(number)
            return
        is_last = bool(flags & END_STREAM)
        stream.left -= size
        if is_last:
            self._ended_there(number, stream)
        elif stream.left < _OUR_WINDOW // 2:
            self._put(WINDOW_UPDATE, 0, number, (_OUR_WINDOW - stream.left).to_bytes(4))
            stream.left = _OUR_WINDOW
        self._events.append(DataReceived(number, _without_padding(payload) if flags & _PADDED else payload, is_last))

    def _on_headers(self, flags: int, number: int, payload: bytes) -> None:
        self._check_headers(number)
        if flags & _PADDED:
            payload = _without_padding(payload)
        if flags & _WITH_PRIORITY:
            _must_have(len(payload) >= 5)
            payload = payload[5:]
        self._on_block(number, bytearray(payload), flags, bool(flags & END_STREAM), parts=1)

    def _on_continuation(self, flags: int, number: int, payload: bytes) -> None:
        stream, block, is_last, parts = self._block or (0, bytearray(), False, 0)
        if number != stream:
            raise Breach("its headers are interrupted, or continue what did not begin")
        self._on_block(number, block + payload, flags, is_last, parts + 1)

    def _on_block(self, number: int, block: bytearray, flags: int, is_last: bool, parts: int) -> None:
        if len(block) > _LONGEST_BLOCK or parts > _MOST_PARTS:
            raise Breach("it sent headers without end", ENHANCE_YOUR_CALM)
        if not flags & END_HEADERS:
            self._block = number, block, is_last, parts
            return
        self._block = None
        # Also of a stream that has ended: it changes the table.
        self._take_fields(number, self._unpacked(bytes(block)), is_last)

    def _unpacked(self, block: bytes) -> Fields:
        try:
            return self._decoder.decode(block)
        except TooManyFieldsError as error:
            raise Breach(f"it sent headers of more than {_LONGEST_FIELDS:,} bytes", ENHANCE_YOUR_CALM) from error
        except HpackError as error:
            raise Breach("it sent headers that cannot be read", COMPRESSION_ERROR) from error

    def _on_priority(self, _flags: int, number: int, payload: bytes) -> None:
        _must_have(len(payload) == 5)
        _must_be(number != 0)

    def _on_reset(self, _flags: int, number: int, payload: bytes) -> None:
        _must_have(len(payload) == 4)
        if self._find_stream(number) is not None:
            self._forget(number)
            self._events.append(StreamReset(number, int.from_bytes(payload)))

    def _on_settings(self, flags: int, number: int, payload: bytes) -> None:
        _must_be(number == 0)
        _must_have(len(payload) % 6 == 0 and not (flags & ACK and payload))
        self._greeted = True
        if not flags & ACK:
            self._put(SETTINGS, ACK, 0, b"")  # first: for the other end they hold from here on
            for name, value in struct.iter_unpack(">HI", payload):
                self._set(name, value)
            self._flush_all()

    def _set(self, name: int, value: int) -> None:
        if name == INITIAL_WINDOW_SIZE:
            for stream in self._streams.values():
                stream.window = _widened(stream.window, value - self._usual_window)
            self._usual_window = _widened(value, 0)
        elif name == MAX_FRAME_SIZE:
            if not _LONGEST_FRAME <= value < 1 << 24:
                raise Breach("its settings are not allowed")
            self._longest_frame = value
        elif name == ENABLE_PUSH and value > 1:
            raise Breach("its settings are not allowed")

    def _on_push(self, _flags: int, _number: int, _payload: bytes) -> None:
        raise Breach("it pushed what nobody asked for")

    def _on_ping(self, flags: int, number: int, payload: bytes) -> None:
        _must_be(number == 0)
        _must_have(len(payload) == 8)
        if not flags & ACK:
            self._put(PING, ACK, 0, payload)

    def _on_goaway(self, _flags: int, number: int, payload: bytes) -> None:
        _must_be(number == 0)
        _must_have(len(payload) >= 8)
        last, code = struct.unpack_from(">II", payload)
        self._goes_away(last & _GREATEST, code, payload[8:].decode(errors="replace"))

    def _on_window(self, _flags: int, number: int, payload: bytes) -> None:
        _must_have(len(payload) == 4)
        more = int.from_bytes(payload) & _GREATEST
        if more == 0:
            raise Breach("it opened its window by nothing")
        if number == 0:
            self._window = _widened(self._window, more)
        elif (stream := self._find_stream(number)) is not None:
            stream.window = _widened(stream.window, more)
        if self._blocked:
            self._flush_all()

    def _forget(self, number: int) -> None:
        """Note that a stream has ended on both sides."""
        del self._streams[number]
        self._blocked.discard(number)

    # What the two ends do each in its own way

    def _find_stream(self, number: int) -> Stream | None:
        """A stream that was begun; None if it has ended.

        Raises:
            Breach: it was never begun.
        """
        raise NotImplementedError

    def _check_headers(self, number: int) -> None:
        """Raise `Breach` if no headers may come on a stream."""
        raise NotImplementedError

    def _check_late(self, number: int) -> None:
        """Raise `Breach` if the other end knew that it may send nothing more on a stream."""
        raise NotImplementedError

    def _take_fields(self, number: int, fields: Fields, is_last: bool) -> None:
        """Take whole headers."""
        raise NotImplementedError

    def _ended_here(self, number: int, stream: Stream) -> None:
        """Note that all was sent on a stream."""
        raise NotImplementedError

    def _ended_there(self, number: int, stream: Stream) -> None:
        """Note that the other end sends nothing more on a stream."""
        raise NotImplementedError

    def _goes_away(self, last: int, code: int, text: str) -> None:
        """Note that the other end takes no stream after `last`."""
        raise NotImplementedError

    def _last_number(self) -> int:
        """The last stream that the other end has begun."""
        raise NotImplementedError


def frame(kind: int, flags: int, number: int, payload: bytes) -> bytes:
    """A frame of a stream, or of the connection (0)."""
    size = len(payload)
    return _HEAD.pack(size >> 16, size & 0xFFFF, kind, flags, number) + payload


def _widened(window: int, more: int) -> int:
    if window + more > _GREATEST:
        raise Breach("it opened its window too far", FLOW_CONTROL_ERROR)
    return window + more


def _without_padding(payload: bytes) -> bytes:
    if not payload or payload[0] >= len(payload):
        raise Breach("it sent a frame of a size that its kind cannot have")
    return payload[1 : len(payload) - payload[0]]


def _must_have(right_size: bool) -> None:
    if not right_size:
        raise Breach("it sent a frame of a size that its kind cannot have", FRAME_SIZE_ERROR)


def _must_be(right_stream: bool) -> None:
    if not right_stream:
        raise Breach("it sent a frame on a stream that its kind cannot have")
