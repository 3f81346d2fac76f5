"""A connection that becomes a WebSocket has the same limits as others: whoever floods it or falls silent loses it."""

import asyncio
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import uvloop
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    Pong,
    RejectConnection,
    Request,
    TextMessage,
)

from referee.http_server.app_server import Server
from referee.http_server.client_clock import ClientTimeouts
from referee.http_server.http_connection import OUT_OF_ASGI

ONE = ClientTimeouts(header_s=0.5, connections=1, ping_s=0.2, message_bytes=100_000, answer_bytes_a_s=1 << 30)
"""There is room for one connection."""


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers each message with it, if the request has the token; at /deaf it reads none; at /bug it fails.

    At /quits it closes the WebSocket, and at /refuses it does not accept it. At /direct it has the WebSocket handed
    over, a little later. Other requests get the answer 204.
    """
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        return
    assert (await receive())["type"] == "websocket.connect"
    if (b"authorization", b"Bearer right") not in scope["headers"]:
        await send({"type": "websocket.http.response.start", "status": 401, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b"no token"})
        return
    if scope["path"] == "/refuses":
        await send({"type": "websocket.close"})
        return
    await send({"type": "websocket.accept"})
    if scope["path"] == "/deaf":
        await asyncio.sleep(2)
    if scope["path"] == "/bug":
        raise ArithmeticError
    if scope["path"] == "/quits":
        await send({"type": "websocket.close", "code": 4000, "reason": "enough"})
    if scope["path"] == "/direct":
        websocket = scope["extensions"][OUT_OF_ASGI]()
        await asyncio.sleep(0.2)
        websocket.listen(lambda content: websocket.send_text(content.decode()))
    while (message := await receive())["type"] == "websocket.receive":
        await send(message | {"type": "websocket.send"})


class Client:
    """A client that answers no ping and no goodbye by itself."""

    def __init__(self, line: socket.socket, path: str, authorization: str) -> None:
        self.line = line
        self._frames = WSConnection(ConnectionType.CLIENT)
        self._events = self._incoming()
        self.send(Request("here", path, extra_headers=[(b"Authorization", authorization.encode())]))

    def send(self, event: Event) -> None:
        self.line.sendall(self._frames.send(event))

    def next(self) -> Event | None:
        """The next event; None if the connection is lost."""
        return next(self._events)

    def next_but_pings(self) -> Event | None:
        while isinstance(event := self.next(), Ping):
            pass
        return event

    def message(self) -> str | bytes:
        """The next message, joined."""
        parts: list[Any] = []
        while not parts or not parts[-1].message_finished:
            parts.append(self.next_but_pings())
        joined: str | bytes = type(parts[0].data)().join(part.data for part in parts)
        return joined

    def _incoming(self) -> Iterator[Event | None]:
        while True:
            yield from self._frames.events()
            try:
                data = self.line.recv(1 << 16)
            except ConnectionResetError:
                data = b""
            if not data:
                break
            self._frames.receive_data(data)
        while True:
            yield None


@contextmanager
def running(timeouts: ClientTimeouts = ONE) -> Iterator[tuple[Server, int]]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(app, listening, timeouts)

        thread = threading.Thread(target=lambda: uvloop.run(server.serve()))
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield server, listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def called(port: int, path: str = "/", authorization: str = "Bearer right") -> Iterator[Client]:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        yield Client(line, path, authorization)


@contextmanager
def opened(port: int, path: str = "/") -> Iterator[Client]:
    with called(port, path) as client:
        assert isinstance(client.next(), AcceptConnection)
        yield client


def is_answered(port: int) -> bool:
    """Whether there is room for another connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        try:
            line.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            return line.recv(12) == b"HTTP/1.1 204"
        except ConnectionError:
            return False


def flood(client: Client, event: Event) -> int:
    """Send this until that is impossible. Returns how often it was sent wholly."""
    sent = 0
    with suppress(OSError):  # also a timeout
        while True:
            client.send(event)
            sent += 1
    return sent


def assert_freed(port: int) -> None:
    """The place of the connection before is free, after the server has noticed its end."""
    until_s = time.monotonic() + 20
    while not is_answered(port):
        assert time.monotonic() < until_s
        time.sleep(0.05)


def test_messages_go_both_ways_and_the_place_is_free_after_a_goodbye() -> None:
    with running() as (_, port):
        with opened(port) as client:
            assert not is_answered(port)
            for message in (TextMessage("hé"), BytesMessage(bytes(90_000)), TextMessage("")):
                client.send(message)
                assert client.message() == message.data
            client.send(Ping(b"there?"))
            assert client.next_but_pings() == Pong(b"there?")
            client.send(CloseConnection(1000, "bye"))
            assert client.next_but_pings() == CloseConnection(1000, "bye")
            assert client.next() is None
        assert_freed(port)


def test_an_app_to_which_a_websocket_is_handed_over_gets_all_messages_in_order_and_counts_it_itself() -> None:
    with running() as (_, port), opened(port, "/direct") as client:
        for message in (TextMessage("1"), BytesMessage(b"2"), TextMessage("\xe9" * 90_000)):
            client.send(message)
        assert [client.message() for _ in range(3)] == ["1", "2", "\xe9" * 90_000]
        client.send(TextMessage("4"))
        assert client.message() == "4"
        assert is_answered(port)  # there is room for one connection, and it is not this one


def test_who_shows_no_token_gets_the_answer_of_the_app_and_no_websocket() -> None:
    with running() as (_, port), called(port, authorization="Bearer wrong") as client:
        refused = client.next()
        assert isinstance(refused, RejectConnection)
        assert refused.status_code == 401


def test_an_app_that_accepts_nobody_answers_403() -> None:
    with running() as (_, port), called(port, "/refuses") as client:
        refused = client.next()
        assert isinstance(refused, RejectConnection)
        assert refused.status_code == 403


@pytest.mark.parametrize(
    "lacks", [b"Connection: upgrade\r\n", b"Sec-WebSocket-Version: 13\r\n", b"Sec-WebSocket-Key: a\r\n"]
)
def test_an_upgrade_that_is_none_is_an_ordinary_request(lacks: bytes) -> None:
    head = (
        b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: a\r\n"
    )
    with running() as (_, port), socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(head.replace(lacks, b"") + b"\r\n")
        assert line.recv(12) == b"HTTP/1.1 204"


def test_who_falls_silent_is_pinged_and_loses_its_place() -> None:
    with running() as (_, port):
        with opened(port) as client:
            assert isinstance(client.next(), Ping)
            assert client.next() is None
        assert_freed(port)


def test_who_answers_pings_keeps_its_place_for_longer_than_a_header_may_take() -> None:
    with running() as (_, port), opened(port) as client:
        began_s = time.monotonic()
        while time.monotonic() < began_s + 4 * ONE.header_s:
            ping = client.next()
            assert isinstance(ping, Ping)
            client.send(ping.response())
        client.send(TextMessage("still there"))
        assert client.message() == "still there"


def test_who_floods_and_takes_no_answers_loses_its_place() -> None:
    with running() as (_, port):
        with opened(port) as client:
            flood(client, BytesMessage(bytes(50_000)))
        assert_freed(port)


def test_who_floods_with_pings_and_takes_no_answers_loses_its_place() -> None:
    with running() as (_, port):
        with opened(port) as client:
            flood(client, Ping(bytes(100)))
        assert_freed(port)


def test_an_app_that_does_not_read_stops_a_flood_and_loses_no_message() -> None:
    with running() as (_, port), opened(port, "/deaf") as client:
        client.line.settimeout(0.2)
        sent = flood(client, TextMessage("x" * 1000))
        client.line.settimeout(30)
        assert sent < 30_000  # the system buffers some MiB on both sides
        for _ in range(sent):
            assert client.message() == "x" * 1000


@pytest.mark.parametrize("parts", [1, 50, 2_000])
def test_a_message_that_is_too_long_ends_the_websocket_however_it_is_divided(parts: int) -> None:
    with running() as (_, port):
        with opened(port) as client:
            size = 0 if parts == 2_000 else 100_001 // parts + 1
            for number in range(parts):
                client.send(BytesMessage(bytes(size), message_finished=number == parts - 1))
            said = client.next_but_pings()
            assert isinstance(said, CloseConnection)
            assert said.code == 1009
        assert_freed(port)


def test_what_is_no_frame_ends_the_websocket() -> None:
    with running() as (_, port):
        with opened(port) as client:
            client.line.sendall(b"\xff" * 100)
            said = client.next_but_pings()
            assert isinstance(said, CloseConnection)
            assert said.code == 1002
            assert client.next() is None
        assert_freed(port)


@pytest.mark.parametrize("talks", [False, True])
def test_who_does_not_answer_a_goodbye_loses_its_place_even_if_it_talks_on(talks: bool) -> None:
    with running() as (_, port):
        with opened(port, "/quits") as client:
            assert client.next() == CloseConnection(4000, "enough")
            with suppress(OSError):
                while talks:
                    client.line.sendall(b"\x81\x81\0\0\0\0x")  # a message of one letter
                    time.sleep(0.02)
            assert client.next() is None
        assert_freed(port)


def test_an_app_that_fails_says_so(caplog: pytest.LogCaptureFixture) -> None:
    with running() as (_, port), opened(port, "/bug") as client:
        said = client.next_but_pings()
        assert isinstance(said, CloseConnection)
        assert said.code == 1011
        client.send(said.response())
        assert client.next() is None
    assert "ArithmeticError" in caplog.text


def test_a_server_that_ends_says_goodbye_and_waits_for_the_answer() -> None:
    with running() as (server, port), opened(port) as client:
        server.should_exit = True
        said = client.next_but_pings()
        assert said == CloseConnection(1001, "")
        client.send(said.response())
        assert client.next() is None


def test_who_resets_the_connection_leaves_no_error_behind(caplog: pytest.LogCaptureFixture) -> None:
    with running() as (_, port):
        for path in ("/", "/deaf"):
            with opened(port, path) as client:
                client.line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            assert_freed(port)
    assert caplog.records == []
