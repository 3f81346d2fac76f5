"""A client that is too slow loses its connection; one that is only far away does not."""

import asyncio
import logging
import select
import socket
import ssl
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import uvloop

from referee.http_server.client_clock import ClientTimeouts
from referee.http_server.http_connection import HttpConnection
from referee.http_server.open_connections import OpenConnections
from tests.runtime.remotes import TLS
from tournaments.web.service.server import (
    BadCertificate,
    CannotListen,
    Certificate,
    MissingTls,
    ServerAddress,
    opened,
    server,
)

QUICK = ClientTimeouts(header_s=0.5, body_bytes_a_s=100_000, connections=4)
LONG = 16 << 20
HEAD = b"POST / HTTP/1.1\r\nHost: here\r\n"
CERTIFICATE = Certificate(TLS / "bot.pem", TLS / "bot.key")


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the length of the body: at /early before it has read any of it, at /never not; and /long is long.

    At /busy it first works for a second, whatever the client does.
    """
    if scope["path"] == "/busy":
        await asyncio.sleep(1)
    while scope["path"] == "/never":
        if (await receive())["type"] == "http.disconnect":
            return
    if scope["path"] == "/long":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % LONG)]})
        await send({"type": "http.response.body", "body": bytes(LONG)})
        return
    size, more = 0, scope["path"] != "/early"
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message["body"])
        more = message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(str(size)))]})
    await send({"type": "http.response.body", "body": str(size).encode()})


@contextmanager
def running(patience: ClientTimeouts = QUICK, certificate: Certificate | None = None) -> Iterator[int]:
    """A server in a thread; gives its port."""
    place = ServerAddress(port=0, certificate=certificate)
    with opened(place) as listening:
        made = server(app, listening, place, patience)
        thread = threading.Thread(target=lambda: uvloop.run(made.serve()))
        thread.start()
        try:
            while not made.started:
                time.sleep(0.01)
            yield listening.getsockname()[1]
        finally:
            made.should_exit = True
            thread.join()


@contextmanager
def called(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        yield line


def rest(line: socket.socket) -> bytes:
    """The remaining bytes, until the other end is gone."""
    found = b""
    try:
        while data := line.recv(1 << 16):
            found += data
    except ConnectionResetError:
        pass
    return found


def answered(line: socket.socket) -> bytes:
    """The body of an answer of one digit or more."""
    found = b""
    while not found.partition(b"\r\n\r\n")[2]:
        data = line.recv(1 << 16)
        if not data:
            break
        found += data
    return found.partition(b"\r\n\r\n")[2]


def dribbled(line: socket.socket, data: bytes, every_s: float) -> bool:
    """Send byte by byte; whether all of it could be sent."""
    try:
        for byte in data:
            line.sendall(bytes([byte]))
            time.sleep(every_s)
    except (BrokenPipeError, ConnectionResetError):
        return False
    return True


def test_the_defaults_are_those_that_are_promised() -> None:
    usual = ClientTimeouts()
    assert usual.body_late_s(10.0, 0) == usual.answer_late_s(10.0, 0) == usual.header_s == 10.0
    assert usual.body_late_s(20.0, 10 * (64 << 10)) == 10.0
    assert usual.answer_late_s(20.0, 10 * (4 << 10)) == 10.0
    assert usual.look_s == 1.0
    assert (usual.connections, usual.connections_each) == (512, 128)


def test_who_says_nothing_is_gone_after_the_time_for_a_header() -> None:
    with running() as port, called(port) as line:
        assert rest(line) == b""


def test_a_header_that_dribbles_ends_its_connection_however_long_it_goes_on() -> None:
    with running() as port, called(port) as line:
        assert not dribbled(line, HEAD + b"X: " + b"y" * 500, 0.01)


def test_a_body_that_dribbles_ends_its_connection() -> None:
    with running() as port, called(port) as line:
        line.sendall(HEAD + b"Content-Length: 1000\r\n\r\n")
        assert not dribbled(line, b"x" * 1000, 0.01)


def test_a_body_that_comes_fast_enough_may_take_longer_than_a_header() -> None:
    patience = ClientTimeouts(header_s=0.5, body_bytes_a_s=1_000, connections=4)
    with running(patience) as port, called(port) as line:
        line.sendall(HEAD + b"Content-Length: 3000\r\n\r\n")
        for _ in range(15):
            line.sendall(b"x" * 200)
            time.sleep(0.07)
        assert answered(line) == b"3000"


def test_who_still_sends_after_the_answer_gets_it_and_is_cut_off() -> None:
    with running() as port, called(port) as line:
        line.sendall(b"POST /early HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n")
        assert answered(line) == b"0"
        assert not dribbled(line, b"5\r\nhello\r\n" * 1000, 0.001)


def test_a_second_request_on_a_connection_is_held_to_the_same() -> None:
    with running() as port, called(port) as line:
        line.sendall(HEAD + b"Content-Length: 1\r\n\r\nx")
        assert answered(line) == b"1"
        assert not dribbled(line, HEAD + b"X: " + b"y" * 500, 0.01)


def test_who_only_connects_by_tls_is_gone_too() -> None:
    with running(certificate=CERTIFICATE) as port, called(port) as line:
        assert rest(line) == b""


def test_tls_is_spoken_with_a_certificate() -> None:
    context = ssl.create_default_context(cafile=TLS / "ca.pem")
    with (
        running(certificate=CERTIFICATE) as port,
        called(port) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as line,
    ):
        line.sendall(HEAD + b"Content-Length: 2\r\n\r\nxy")
        assert answered(line) == b"2"


@pytest.mark.parametrize("certificate", [None, CERTIFICATE])
def test_of_too_many_idle_connections_the_oldest_is_ended_at_once_also_in_a_handshake(
    certificate: Certificate | None,
) -> None:
    patience = ClientTimeouts(header_s=600, connections=4)
    with running(patience, certificate) as port, ExitStack() as stack:
        lines = []
        for _ in range(5):
            lines.append(stack.enter_context(called(port)))
            time.sleep(0.02)  # of connections of one moment none is the oldest
        assert rest(lines[0]) == b""
        assert not select.select(lines[1:], [], [], 0.2)[0]


def test_of_too_many_connections_that_all_owe_nothing_the_new_one_is_ended_at_once() -> None:
    with running(ClientTimeouts(header_s=600, connections=2)) as port, ExitStack() as stack:
        lines = [stack.enter_context(called(port)) for _ in range(2)]
        for line in lines:
            line.sendall(b"GET /never HTTP/1.1\r\nHost: here\r\n\r\n")
        time.sleep(0.2)
        with called(port) as line:
            assert rest(line) == b""
        assert not select.select(lines, [], [], 0.2)[0]


def test_a_connection_keeps_its_place_while_its_request_is_worked_on_even_if_its_client_is_gone() -> None:
    with running(ClientTimeouts(header_s=600, connections=2)) as port:
        for _ in range(2):
            with called(port) as line:
                line.sendall(b"POST /busy HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n")
                time.sleep(0.1)
        with called(port) as line:
            assert rest(line) == b""
        time.sleep(1.5)
        with called(port) as line:
            line.sendall(HEAD + b"Content-Length: 0\r\n\r\n")
            assert answered(line) == b"0"


def test_a_client_that_resets_an_idle_connection_leaves_no_error_behind(caplog: pytest.LogCaptureFixture) -> None:
    with running(ClientTimeouts(header_s=1)) as port, caplog.at_level(logging.ERROR):
        line = socket.create_connection(("127.0.0.1", port), timeout=30)
        line.sendall(HEAD + b"Content-Length: 1\r\n\r\nx")
        assert answered(line) == b"1"
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()
        time.sleep(1.5)
    assert caplog.records == []


def test_a_request_of_a_connection_that_is_ended_does_not_begin() -> None:
    begun = []

    async def noted(_scope: Any, _receive: Any, _send: Any) -> None:
        begun.append(True)

    async def test(*, ends: bool) -> None:
        connection = HttpConnection(noted, ClientTimeouts(), OpenConnections(9, 9))
        connection.connection_made(Mock(**{"get_write_buffer_size.return_value": 0, "is_closing.return_value": False}))
        connection.data_received(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        if ends:
            connection.end()
        await asyncio.sleep(0.01)
        connection.connection_lost(None)

    asyncio.run(test(ends=True))
    assert begun == []
    asyncio.run(test(ends=False))
    assert begun == [True]


def test_a_client_that_does_not_take_its_answer_is_gone() -> None:
    with running(ClientTimeouts(header_s=0.5)) as port, called(port) as line:
        line.sendall(b"GET /long HTTP/1.1\r\nHost: here\r\n\r\n")
        time.sleep(2)
        assert len(rest(line)) < LONG


def test_a_client_that_takes_its_answer_slowly_but_fast_enough_gets_all_of_it() -> None:
    with running(ClientTimeouts(header_s=0.5, answer_bytes_a_s=1 << 20)) as port, called(port) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        line.sendall(b"GET /long HTTP/1.1\r\nHost: here\r\n\r\n")
        taken = 0
        while taken < LONG and (data := line.recv(1 << 20)):
            taken += len(data)
            time.sleep(len(data) / (8 << 20))
        assert taken >= LONG


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /\r\n\r\n",
        b"\x16\x03\x01 TLS on a plain port\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX:" + b"y" * 600_000 + b"\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_and_the_server_serves_on(request_: bytes) -> None:
    with running() as port:
        with called(port) as line:
            line.sendall(request_)
            assert b"200 OK" not in rest(line)
        with called(port) as line:
            line.sendall(HEAD + b"Content-Length: 0\r\n\r\n")
            assert answered(line) == b"0"


def test_nothing_listens_for_other_machines_in_the_clear_unless_that_is_said() -> None:
    with pytest.raises(MissingTls, match=r"0\.0\.0\.0: tokens would be sent in the clear; give a certificate"):
        opened(ServerAddress("0.0.0.0", 0))  # noqa: S104 - that is what is refused
    opened(ServerAddress("0.0.0.0", 0, in_the_clear=True)).close()  # noqa: S104
    opened(ServerAddress("0.0.0.0", 0, CERTIFICATE)).close()  # noqa: S104


def test_a_port_that_is_taken_and_a_certificate_that_is_none_are_told_in_a_sentence(tmp_path: Path) -> None:
    with opened(ServerAddress(port=0)) as listening:
        with pytest.raises(CannotListen, match="the server cannot listen there: Address already in use"):
            opened(ServerAddress(port=listening.getsockname()[1]))
        with pytest.raises(BadCertificate, match="cannot be used for TLS: No such file"):
            server(app, listening, ServerAddress(certificate=Certificate(tmp_path / "none.pem")))


def test_a_broken_body_after_head_whose_answer_has_no_body_is_no_error_of_ours(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with running() as port, called(port) as line:
        line.sendall(b"HEAD /never HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
        assert answered(line) == b""
    assert caplog.records == []
