"""A server that answers the first message of its caller with frames written beforehand, as no gRPC library would."""

import contextlib
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from tests.rogues.bots.frames import (
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    LONGEST_FRAME,
    RESPONSE,
    RST_STREAM,
    Connection,
    block,
    frame,
    prefixed,
)

_PATIENCE_S = 60.0


def headers(stream: int, **fields: str) -> bytes:
    """The start of an answer; `_` in a name stands for `-`."""
    return frame(HEADERS, END_HEADERS, stream, block(RESPONSE) + _fields(fields))


def trailers(stream: int, **fields: str) -> bytes:
    """The end of an answer."""
    return frame(HEADERS, END_HEADERS | END_STREAM, stream, _fields(fields))


def message(stream: int, content: bytes, compressed: bool = False) -> bytes:
    """One message of gRPC, in as many frames as it needs."""
    whole = prefixed(content, compressed)
    cuts = range(0, len(whole), LONGEST_FRAME)
    return b"".join(frame(DATA, 0, stream, whole[at : at + LONGEST_FRAME]) for at in cuts)


def reset(stream: int, code: int) -> bytes:
    return frame(RST_STREAM, 0, stream, code.to_bytes(4))


def go_away(code: int, words: bytes) -> bytes:
    return frame(GOAWAY, 0, 0, bytes(4) + code.to_bytes(4) + words)


def _fields(fields: dict[str, str]) -> bytes:
    return block(tuple((name.replace("_", "-"), value) for name, value in fields.items()))


@contextmanager
def serving(listening: socket.socket, answer: bytes) -> Iterator[None]:
    """Serve one caller at this socket. The first message on stream 1 gets `answer`: frames."""
    with listening:
        listening.listen()
        listening.settimeout(_PATIENCE_S)
        over = Event()
        thread = Thread(target=_serve, args=(listening, answer, over))
        thread.start()
        try:
            yield
        finally:
            over.set()  # gRPC may keep the connection longer than its channel
            thread.join()


def _serve(listening: socket.socket, answer: bytes, over: Event) -> None:
    caller, _ = listening.accept()
    with caller:
        caller.settimeout(_PATIENCE_S)
        Thread(target=_converse, args=(Connection(caller), answer)).start()
        over.wait(_PATIENCE_S)
        with contextlib.suppress(OSError):
            caller.shutdown(socket.SHUT_RDWR)


def _converse(connection: Connection, answer: bytes) -> None:
    with contextlib.suppress(OSError):
        for received in connection.frames():
            # Not at the HEADERS before it: if a call breaks while we write to it, gRPC forgets how it broke.
            if received.kind == DATA:
                connection.raw(answer)
