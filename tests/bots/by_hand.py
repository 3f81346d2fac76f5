"""The server of a bot that needs the standard library alone, so that it starts in a fraction of the time of gRPC's own.

It serves the one caller that a bot of a test has. What it says is put together by hand (`tests/rogues/bots/frames.py`).
That the referee understands gRPC's own library as well is shown by the sample bots, and by `tests/bots/rogue`.
"""

import contextlib
from collections.abc import Callable, Iterator
from functools import partial

from tests.rogues.bots.bot import listener
from tests.rogues.bots.frames import DATA, END_STREAM, HEADERS, RST_STREAM, Connection, Frame

PLAY = b"/referee_bot.v1.Bot/Play"
"""The path of Play. On a socket the referee always sends it so: without Huffman codes, and never by an index."""

Speak = Callable[[bytes], None]
Play = Callable[[Iterator[bytes], Speak], None]
"""Plays as long as there are messages, or until it has enough. Its messages, in both directions, are bytes."""


def serve(address: str, describe: Callable[[bytes], bytes], play: Play) -> None:
    """Serve one connection after the other until the process is ended."""
    waiting = listener(address)
    while True:  # a caller in a hurry may give up a call and call again
        connected, _ = waiting.accept()
        with contextlib.suppress(ConnectionError):
            _attend(Connection(connected), describe, play)


def _attend(line: Connection, describe: Callable[[bytes], bytes], play: Play) -> None:
    """Answer all calls of one connection, one after the other."""
    frames = line.frames()
    for frame in frames:
        if frame.kind != HEADERS:
            continue
        messages = _messages(frames, frame.stream)
        if PLAY in frame.payload:
            play(messages, partial(line.message, frame.stream))
        else:
            for request in messages:
                line.message(frame.stream, describe(request))
        line.end(frame.stream)


def _messages(frames: Iterator[Frame], stream: int) -> Iterator[bytes]:
    """What is said in a call, until it ends."""
    received = bytearray()
    for frame in frames:
        if frame.stream != stream or frame.kind not in (DATA, RST_STREAM):
            continue
        received += frame.payload if frame.kind == DATA else b""
        while len(received) >= 5 and len(received) - 5 >= (length := int.from_bytes(received[1:5])):
            yield bytes(received[5 : 5 + length])
            del received[: 5 + length]
        if frame.kind == RST_STREAM or frame.flags & END_STREAM:
            return
