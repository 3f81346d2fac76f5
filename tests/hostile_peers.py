"""Peers that have no token and want to harm a server: what they send, in which pieces, and how they leave.

Everything follows from the generator of random numbers. What a peer says is mostly near to what is right, since the
first byte of plain noise ends a connection.
"""

import contextlib
import os
import socket
import struct
import time
from collections import deque
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from referee_bot.hpack import encode
from referee_bot.http2 import PREFACE

from tests.rogues.bots.frames import (
    CONTINUATION,
    DATA,
    END_HEADERS,
    GOAWAY,
    HEADERS,
    PING,
    PRIORITY,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    frame,
)

MOST_OPEN = 100
"""How many silent connections are kept open."""

_PAUSE_S = 0.0005
_PATIENCE_S = 1
_CALLS = (b"/referee_bot.v1.Bot/Play", b"/referee_bot.v1.Bot/Describe", b"/", b"", b"/\xff\0")
_STREAMS = (1, 1, 1, 3, 3, 5, 7, 15, 19, 2, 0, 2**31 - 1, 2**32 - 1)
_SIZES = (0, 0, 1, 4, 5, 6, 8, 9, 64, 300, 5_000, 16_383, 16_384, 16_385)
_FEW = (1, 1, 2, 3, 20, 200, 1_500)

Says = Callable[[Random], bytes]


# HTTP/2


def _noise(rng: Random) -> bytes:
    return rng.randbytes(rng.choice(_SIZES))


def _any_frame(rng: Random) -> bytes:
    flags = rng.choice((0, 1, 4, 5, 8, 0x20, 0x2C, rng.randrange(256)))
    return frame(rng.choice((*range(11), 0xBB)), flags, rng.choice(_STREAMS), _noise(rng))


def _fields(rng: Random) -> list[tuple[bytes, bytes]]:
    fields = [
        (b":method", rng.choice((b"POST", b"POST", b"POST", b"GET", b""))),
        (b":scheme", b"http"),
        (b":path", rng.choice(_CALLS)),
        (b":authority", b"localhost"),
        (b"content-type", rng.choice((b"application/grpc", b"application/grpc", b"text/html"))),
        (b"te", b"trailers"),
        (b"authorization", rng.choice((b"Bearer wrong", b"Bearer ", b"", rng.randbytes(9), b"x" * 9_000))),
    ]
    if rng.random() < 0.4:
        right = {b":method": b"POST", b":path": rng.choice(_CALLS[:2]), b"content-type": b"application/grpc"}
        fields = [(name, right.get(name, value)) for name, value in fields]
    elif rng.random() < 0.5:
        fields.pop(rng.randrange(len(fields)))
    if rng.random() < 0.1:
        rng.shuffle(fields)
    return fields


def _call(rng: Random) -> bytes:
    return frame(HEADERS, rng.choice((END_HEADERS, END_HEADERS, 5, 0)), rng.choice(_STREAMS), encode(_fields(rng)))


def _call_and_content(rng: Random) -> bytes:
    number = rng.choice((1, 3, 5, 7))
    begun = frame(HEADERS, END_HEADERS, number, encode(_fields(rng)))
    return begun + frame(DATA, rng.choice((0, 1)), number, _noise(rng)[:16_384]) * rng.choice((1, 1, 2, 30))


def _trailers(rng: Random) -> bytes:
    fields = rng.choice((((b"x", b"y"),), (), ((b":path", b"/"),), ((b"X", b""),)))
    return frame(HEADERS, rng.choice((5, 5, 4)), rng.choice(_STREAMS), encode(fields))


def _twice(rng: Random) -> bytes:
    return rng.choice((_call, _trailers, _call_and_content))(rng) * 2


def _length(first: int, bits: int, number: int) -> bytes:
    most = (1 << bits) - 1
    if number < most:
        return bytes((first | number,))
    number, octets = number - most, bytearray((first | most,))
    while number > 127:
        octets.append(number & 127 | 128)
        number >>= 7
    return bytes((*octets, number))


def _bomb(rng: Random) -> bytes:
    """Headers that take much time or memory to unpack."""
    size = rng.choice((100, 4_000, 16_000, 30_000))
    coded = rng.choice((b"\0", b"\xff", b"\xff\xff\xff\xf3", b"\xfe", b"\x1f\xff", rng.randbytes(97)))
    string = _length(0x80, 7, size) + (coded * size)[:size]
    block = rng.choice(
        (
            b"\x10\x01a" + string,
            b"\x40" + string + b"\0",
            b"\x40\x01x" + _length(0, 7, 3_900) + bytes(3_900) + b"\xbe" * rng.choice((2, 4, 6, 4_000)),
            b"\x20" * size,
            b"\x82" * size,
            b"\x40\0\0" * (size // 3),
            b"\x7f\xff\xff\xff\xff\xff\xff",
            encode(_fields(rng)) + b"\0" + string,
        )
    )
    first, *more = (block[at : at + 16_384] for at in range(0, len(block), 16_384))
    return frame(HEADERS, END_HEADERS * (not more), 1, first) + b"".join(
        frame(CONTINUATION, END_HEADERS * (each is more[-1]), 1, each) for each in more
    )


def _continuations(rng: Random) -> bytes:
    part = frame(CONTINUATION, rng.choice((0, 0, 0, END_HEADERS)), 1, bytes(rng.choice((0, 1, 5_000))))
    return frame(HEADERS, 0, 1, rng.choice((b"", encode(_fields(rng))))) + part * rng.choice(_FEW[:-1])


def _settings(rng: Random) -> bytes:
    name = rng.choice((*range(1, 7), 0xABC))
    value = rng.choice((0, 1, 100, 16_384, 2**24, 2**31 - 1, 2**31, 2**32 - 1))
    return frame(SETTINGS, payload=struct.pack(">HI", name, value) * rng.choice((1, 1, 100)))


def _flood(rng: Random) -> bytes:
    call = frame(HEADERS, END_HEADERS, 1, encode(_fields(rng)))
    reset = frame(RST_STREAM, 0, rng.choice(_STREAMS), bytes(4))
    one = rng.choice(
        (
            *(frame(SETTINGS), frame(PING, payload=bytes(8)), frame(PRIORITY, 0, 1, bytes(5)), reset, call + reset),
            *(frame(DATA, 0, 1), frame(WINDOW_UPDATE, 0, rng.choice(_STREAMS), struct.pack(">I", 2**30))),
            *(frame(GOAWAY, payload=bytes(8)), frame(0xBB), frame(DATA, 0, 1, b"x"), _settings(rng)),
        )
    )
    return one * rng.choice(_FEW)


def _resets(rng: Random) -> bytes:
    """Streams that begin and end at once."""
    block = encode(_fields(rng))
    return b"".join(
        frame(HEADERS, END_HEADERS, number, block) + frame(RST_STREAM, 0, number, bytes(4))
        for number in range(1, 2 * rng.choice(_FEW[:-1]), 2)
    )


_FRAMES: tuple[Says, ...] = (
    *(_any_frame, _call, _call_and_content, _trailers, _twice, _bomb, _continuations, _settings, _flood, _resets),
    _noise,
)


def http2(rng: Random) -> bytes:
    """What a peer sends to a server of HTTP/2."""
    if rng.random() < 0.05:
        return rng.choice((_noise(rng), http1(rng), PREFACE[: rng.randrange(24)], PREFACE + _noise(rng)))
    said = b"".join(rng.choice(_FRAMES)(rng) for _ in range(rng.choice((1, 2, 3, 5, 9))))
    return PREFACE + (frame(SETTINGS) if rng.random() < 0.95 else b"") + _damaged(rng, said)


# HTTP/1

_METHODS = (b"GET", b"GET", b"POST", b"POST", b"HEAD", b"OPTIONS", b"PRI", b"CONNECT", b"get", b"", b"G\0T")
_TARGETS = (b"/mcp", b"/leagues", b"/", b"*", b"", b"http://[", b"/%00%ff", b"/\xff", b"//", b"/?" + b"q" * 9_000)
_VERSIONS = (b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9", b"")
_LINES = (
    *(b"Host: here", b"Host: here", b"Host: 127.0.0.1", b"Host:", b"Host: \xff", b"Connection: close"),
    *(b"Content-Length: 5", b"Content-Length: -1", b"Content-Length: 99999999999999999999", b"Content-Length: 0x5"),
    *(
        b"Content-Length: 5, 6",
        b"Transfer-Encoding: chunked",
        b"Transfer-Encoding: gzip, chunked",
        b"Expect: 100-continue",
    ),
    *(
        b"Authorization: Bearer wrong",
        b"Authorization: Bearer ",
        b"Authorization: \xff",
        b"Content-Type: application/json",
    ),
    *(b"Accept: application/json, text/event-stream", b"Upgrade: websocket", b"Upgrade: h2c", b"X: " + b"y" * 40_000),
    *(b" folded", b"no colon", b"\0: \0", b"X : y", b"Cookie: " + b"a=b;" * 900, b"Origin: http://["),
)
_BODIES = (
    *(
        b"",
        b"",
        b"hello",
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
        b"[" * 9_000,
        b"5\r\nhello\r\n0\r\n\r\n",
    ),
    *(b"-1\r\n\r\n", b"fffffffffffffffff\r\n", b"zz\r\n", b"1;" + b"x" * 9_000, b"0\r\nX: y\r\n\r\n"),
)


def _request(rng: Random) -> bytes:
    lines = [b" ".join(map(rng.choice, (_METHODS, _TARGETS, _VERSIONS)))]
    lines += rng.choices(_LINES, k=rng.choice((0, 1, 2, 3, 5, 200)))
    return rng.choice((b"\r\n", b"\r\n", b"\r\n", b"\n", b"\r")).join((*lines, b"", b"")) + rng.choice(_BODIES)


def http1(rng: Random) -> bytes:
    """What a peer sends to a server of HTTP/1.1."""
    if rng.random() < 0.05:
        return rng.choice(
            (_noise(rng), PREFACE + frame(SETTINGS), b"\x16\x03\x01\x02\0" + rng.randbytes(99), b"\r\n" * 99)
        )
    return _damaged(rng, b"".join(_request(rng) for _ in range(rng.choice((1, 1, 1, 2, 20)))))


# How it comes


def _damaged(rng: Random, said: bytes) -> bytes:
    """Some bytes are changed, or the end is missing, now and then."""
    said = said[: rng.randrange(len(said) + 1)] if rng.random() < 0.2 else said
    if said and rng.random() < 0.2:
        changed = bytearray(said)
        for _ in range(rng.choice((1, 5))):
            changed[rng.randrange(len(said))] = rng.randrange(256)
        said = bytes(changed)
    return said


class Harm(NamedTuple):
    """What an attack did to a server.

    Attributes:
        peers: how many peers there were.
        cpu_ms: how much processor time the server took for each, on the average.
        more_mib: how much its memory grew.
        honest: how often an honest peer was served meanwhile.
        longest_s: how long that took at most.
    """

    peers: int
    cpu_ms: float
    more_mib: float
    honest: int
    longest_s: float


def attack(
    pid: int, connect: Callable[[Random], socket.socket], says: Says, serves: Callable[[], bool], peers: int
) -> Harm:
    """Let so many peers come to the server with this process, each on a connection of its own.

    `serves` says whether an honest peer is served.
    """
    rng, silent = Random(68), deque[socket.socket]()
    cpu_s = longest_s = honest_cpu_s = warm_mib = 0.0
    honest = counted = 0
    for number in range(peers):
        if number % 100 == 99:
            before_s, began_s = _cpu_s(pid), time.monotonic()
            assert serves(), f"after {number} peers"
            honest, longest_s = honest + 1, max(longest_s, time.monotonic() - began_s)
            honest_cpu_s += _cpu_s(pid) - before_s
        if number == min(1_000, peers // 2):
            warm_mib, cpu_s, honest_cpu_s, counted = _memory_mib(pid), _cpu_s(pid), 0.0, number
        link = connect(rng)
        with contextlib.suppress(OSError):  # the server has hung up, or reads no more
            _speak(rng, link, says(rng))
        if rng.random() < 0.9:
            link.close()
        else:
            silent.append(link)
        if len(silent) > MOST_OPEN:
            silent.popleft().close()
    mean_ms = (_cpu_s(pid) - cpu_s - honest_cpu_s) / (peers - counted) * 1000
    more_mib = _memory_mib(pid) - warm_mib
    for link in silent:
        link.close()
    return Harm(peers, round(mean_ms, 3), round(more_mib, 1), honest, round(longest_s, 3))


def check(harm: Harm, what: str, tell: Callable[[str, Mapping[str, object]], None]) -> None:
    """Check what an attack did. On a busy machine, the caches of a processor are cold, so the limits are generous."""
    tell(f"hostile peers of {what}", harm._asdict())
    assert harm.cpu_ms < 5
    assert harm.more_mib < 40
    assert harm.longest_s < 20


def _speak(rng: Random, link: socket.socket, said: bytes) -> None:
    """Send it in some pieces, then leave, be silent, or end the own side only."""
    link.settimeout(_PATIENCE_S)
    cuts = sorted(rng.randrange(len(said) + 1) for _ in range(rng.choice((0, 0, 1, 3))))
    for start, end in pairwise((0, *cuts, len(said))):
        link.sendall(said[start:end])
        time.sleep(_PAUSE_S)
    how = rng.random()
    if how < 0.2:
        link.shutdown(rng.choice((socket.SHUT_WR, socket.SHUT_RD)))
    elif how < 0.4:
        link.settimeout(0.01)
        link.recv(1 << 16)
    elif how < 0.5:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing resets it


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory_mib(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
