"""The protocol from the frames up, with the standard library alone: RFC 9113 (HTTP/2), RFC 7541 (HPACK), and gRPC's
framing of messages. So a rogue starts in a few milliseconds, and can send what no library would send.

What the referee says is only read as far as a bot needs it. Of header blocks nothing is read: a client opens its
streams in order, and the referee calls Describe first and Play second.
"""

import select
import socket
import struct
from collections.abc import Iterator
from typing import NamedTuple

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM = ACK = 0x1
END_HEADERS = 0x4
PADDED = 0x8

DESCRIBE, PLAY = 1, 3
"""The streams of the two calls."""

_PREFACE_BYTES = 24
LONGEST_FRAME = 16_384

Headers = tuple[tuple[str, str | bytes], ...]
RESPONSE: Headers = ((":status", "200"), ("content-type", "application/grpc"))
OK: Headers = (("grpc-status", "0"),)


class Frame(NamedTuple):
    """One frame of HTTP/2."""

    kind: int
    flags: int
    stream: int
    payload: bytes


class Connection:
    """The referee's connection to the bot."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._begun: set[int] = set()

    def frames(self) -> Iterator[Frame]:
        """What the referee sends, with settings and pings answered and the windows kept open, until it hangs up."""
        received = self._socket.makefile("rb")
        received.read(_PREFACE_BYTES)
        self.frame(SETTINGS)
        while head := received.read(9):
            length, kind, flags, stream = int.from_bytes(head[:3]), head[3], head[4], int.from_bytes(head[5:9])
            payload = received.read(length)
            if kind in (SETTINGS, PING) and not flags & ACK:
                self.frame(kind, ACK, payload=payload if kind == PING else b"")
            if kind == DATA and payload:
                self.frame(WINDOW_UPDATE, payload=struct.pack(">I", length))
                self.frame(WINDOW_UPDATE, stream=stream, payload=struct.pack(">I", length))
            yield Frame(kind, flags, stream, payload)

    def raw(self, octets: bytes) -> None:
        """Send these bytes."""
        self._socket.sendall(octets)

    def flood(self, octets: bytes) -> None:
        """Send these bytes without end. What comes back meanwhile is thrown away."""
        rest = b""
        while True:
            to_read, to_write, _ = select.select([self._socket], [self._socket], [])
            if to_read:
                self._socket.recv(1 << 16)
            if to_write:
                rest = rest or octets
                rest = rest[self._socket.send(rest) :]

    def frame(self, kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"") -> None:
        """Send a frame."""
        self.raw(frame(kind, flags, stream, payload))

    def headers(self, stream: int, headers: Headers, flags: int = END_HEADERS) -> None:
        """Send a block of headers, or of trailers."""
        self._begun.add(stream)
        self.frame(HEADERS, flags, stream, block(headers))

    def data(self, stream: int, octets: bytes, flags: int = 0) -> None:
        """Send bytes of a response, which begins with the first of them."""
        if stream not in self._begun:
            self.headers(stream, RESPONSE)
        for at in range(0, len(octets), LONGEST_FRAME):
            self.frame(DATA, flags, stream, octets[at : at + LONGEST_FRAME])

    def message(self, stream: int, message: bytes) -> None:
        """Send one message of gRPC."""
        self.data(stream, prefixed(message))

    def end(self, stream: int, trailers: Headers = OK) -> None:
        """End a response with a status."""
        if stream not in self._begun:
            self.headers(stream, RESPONSE)
        self.headers(stream, trailers, END_HEADERS | END_STREAM)

    def hang_up(self) -> None:
        """Close the connection without a word."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def frame(kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"") -> bytes:
    """A frame as bytes."""
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def block(headers: Headers) -> bytes:
    """Headers as literals that are not indexed (RFC 7541, 6.2.2)."""
    return b"".join(b"\0" + _string(name) + _string(value) for name, value in headers)


def _string(text: str | bytes) -> bytes:
    octets = text.encode() if isinstance(text, str) else text
    if len(octets) < 0x7F:
        return bytes([len(octets)]) + octets
    return b"\x7f" + varint(len(octets) - 0x7F) + octets


def prefixed(message: bytes, compressed: int = 0, length: int | None = None) -> bytes:
    """A message behind gRPC's prefix, which may lie about it."""
    return bytes([compressed]) + (len(message) if length is None else length).to_bytes(4) + message


def varint(number: int) -> bytes:
    """A number in sevens of bits, the lowest first: what protobuf and HPACK have in common."""
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])


def field(number: int, value: int | bytes) -> bytes:
    """A field of a protobuf message: a number, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a protobuf message that has only numbers and bytes."""
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            value |= (message[at] & 0x7F) << shift
            shift += 7
            at += 1
            if not message[at - 1] & 0x80:
                return value

    while at < len(message):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
        else:
            length = number()
            at += length
            yield key >> 3, message[at - length : at]
