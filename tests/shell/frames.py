"""A server that speaks HTTP/2 by hand (RFC 9113, RFC 7541), so that it can send what no gRPC library would send."""

import contextlib
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

_PREFACE_BYTES = 24
_HEAD_BYTES = 9
_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _PING, _GOAWAY = 0, 1, 3, 4, 6, 7
_ACK = _END_STREAM = 1
_END_HEADERS = 4
_LARGEST_FRAME = 16_384
_PATIENCE_S = 60.0
_STATUS_200 = b"\x88"  # in HPACK's static table


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def headers(stream: int, **fields: str) -> bytes:
    """The start of an answer; `_` in a name stands for `-`."""
    return frame(_HEADERS, _END_HEADERS, stream, _STATUS_200 + _fields({"content_type": "application/grpc"} | fields))


def trailers(stream: int, **fields: str) -> bytes:
    """The end of an answer."""
    return frame(_HEADERS, _END_HEADERS | _END_STREAM, stream, _fields(fields))


def message(stream: int, content: bytes, compressed: bool = False) -> bytes:
    """One message of gRPC, in as many frames as it needs."""
    whole = bytes([compressed]) + len(content).to_bytes(4) + content
    cuts = range(0, len(whole), _LARGEST_FRAME)
    return b"".join(frame(_DATA, 0, stream, whole[at : at + _LARGEST_FRAME]) for at in cuts)


def reset(stream: int, code: int) -> bytes:
    return frame(_RST_STREAM, 0, stream, code.to_bytes(4))


def go_away(code: int, words: bytes) -> bytes:
    return frame(_GOAWAY, 0, 0, bytes(4) + code.to_bytes(4) + words)


def _fields(fields: dict[str, str]) -> bytes:
    """Literals that are not indexed, without Huffman's code."""
    return b"".join(
        b"\0" + _text(name.replace("_", "-").encode()) + _text(value.encode()) for name, value in fields.items()
    )


def _text(text: bytes) -> bytes:
    if len(text) < 0x7F:
        return bytes([len(text)]) + text
    rest = len(text) - 0x7F
    return bytes([0x7F, rest]) + text if rest < 0x80 else bytes([0x7F, rest & 0x7F | 0x80, rest >> 7]) + text


@contextmanager
def serving(path: Path, answer: bytes) -> Iterator[str]:
    """Serve one caller at the socket `path`; gives its address. The first message on stream 1 gets `answer`: frames."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        listening.settimeout(_PATIENCE_S)
        over = Event()
        thread = Thread(target=_serve, args=(listening, answer, over))
        thread.start()
        try:
            yield f"unix:{path}"
        finally:
            over.set()  # gRPC may keep the connection longer than its channel
            thread.join()


def _serve(listening: socket.socket, answer: bytes, over: Event) -> None:
    caller, _ = listening.accept()
    with caller:
        caller.settimeout(_PATIENCE_S)
        Thread(target=_converse, args=(caller, answer)).start()
        over.wait(_PATIENCE_S)
        with contextlib.suppress(OSError):
            caller.shutdown(socket.SHUT_RDWR)


def _converse(caller: socket.socket, answer: bytes) -> None:
    with contextlib.suppress(OSError), caller.makefile("rb") as received:
        received.read(_PREFACE_BYTES)
        caller.sendall(frame(_SETTINGS, 0, 0))
        while head := received.read(_HEAD_BYTES):
            payload = received.read(int.from_bytes(head[:3]))
            caller.sendall(_reply(head[3], head[4], payload, answer))


def _reply(kind: int, flags: int, payload: bytes, answer: bytes) -> bytes:
    if kind == _SETTINGS and not flags & _ACK:
        return frame(_SETTINGS, _ACK, 0)
    if kind == _PING and not flags & _ACK:
        return frame(_PING, _ACK, 0, payload)
    # Not at the HEADERS before it: if a call breaks while we write to it, gRPC forgets how it broke.
    return answer if kind == _DATA else b""
