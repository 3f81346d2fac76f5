"""Our client's side of HTTP/2, held to another implementation (h2), to hostile frames, and to noise.

What both sides share is tested in `tests/sample_bots/library/test_http2_server.py`.
"""

import struct
from collections.abc import Sequence

import h2.config
import h2.connection
import h2.events
import h2.settings
import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee_bot.http2 import ConnectionBroken, DataReceived, Event, HeadersReceived, StreamReset

from referee.runtime.channels.http2_client import Http2Client
from tests.rogues.bots.frames import (
    ACK,
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    OK,
    PADDED,
    PING,
    PRIORITY,
    RESPONSE,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    block,
    frame,
)

ASKED = ((b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/any"), (b":authority", b"localhost"))
HELLO = frame(SETTINGS)
BEGUN = HELLO + frame(HEADERS, END_HEADERS, 1, block(RESPONSE))


class Server:
    """A server made of h2, which raises if our side breaks a rule."""

    def __init__(self, window: int = 65_535, longest_frame: int = 16_384) -> None:
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding=None))
        code = h2.settings.SettingCodes
        self.h2.initiate_connection()
        self.h2.update_settings({code.INITIAL_WINDOW_SIZE: window, code.MAX_FRAME_SIZE: longest_frame})
        self.content = bytearray()
        self.fields: list[tuple[bytes, bytes]] = []
        self.ended = False
        self.reset: int | None = None

    def hear(self, octets: bytes) -> None:
        for event in self.h2.receive_data(octets):
            if isinstance(event, h2.events.RequestReceived):
                self.fields = [(bytes(name), bytes(value)) for name, value in event.headers]
            elif isinstance(event, h2.events.DataReceived):
                self.content += event.data
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                self.ended = True
            elif isinstance(event, h2.events.StreamReset):
                self.reset = event.error_code


def talk(client: Http2Client, server: Server) -> list[Event | ConnectionBroken]:
    """Carry bytes to and fro until nobody has anything to say."""
    events: list[Event | ConnectionBroken] = []
    while True:
        to_server, to_client = client.outgoing(), b""
        if to_server:
            server.hear(to_server)
        to_client = server.h2.data_to_send()
        events += client.receive(to_client)
        if not to_server and not to_client:
            return events


def content_of(events: Sequence[Event | ConnectionBroken]) -> bytes:
    return b"".join(event.content for event in events if isinstance(event, DataReceived))


@given(
    repeated=st.lists(st.tuples(st.binary(max_size=300), st.integers(1, 300))),
    window=st.integers(0, 70_000),
    longest_frame=st.integers(16_384, 40_000),
    hears_first=st.booleans(),
)
def test_a_server_receives_what_is_sent_whatever_windows_and_frames_it_allows(
    repeated: list[tuple[bytes, int]], window: int, longest_frame: int, hears_first: bool
) -> None:
    messages = [some * often for some, often in repeated]
    # Ten thousand updates of windows are a flood, which ends the connection. A window so wide needs half as many.
    least = sum(map(len, messages)) // 5_000 + 1
    client, server = Http2Client(), Server(max(window, least), longest_frame)
    number = client.begin(ASKED)
    if hears_first:
        talk(client, server)
    for message in messages:
        client.send(number, message)
    client.end(number)
    talk(client, server)
    assert server.fields == list(ASKED)
    assert bytes(server.content) == b"".join(messages)
    assert server.ended
    assert not client.is_waiting


@given(
    parts=st.lists(st.tuples(st.binary(min_size=1, max_size=2_000), st.none() | st.integers(0, 255)), max_size=6),
    cuts=st.lists(st.integers(1, 4_000), min_size=1, max_size=5),
)
def test_what_a_server_sends_comes_whole_however_the_bytes_are_cut(
    parts: list[tuple[bytes, int | None]], cuts: list[int]
) -> None:
    client, server = Http2Client(), Server()
    number = client.begin(ASKED)
    talk(client, server)
    server.h2.send_headers(number, [(":status", "200"), ("content-type", "application/grpc")])
    for part, padding in parts:
        server.h2.ping(b"12345678")
        server.h2.send_data(number, part, pad_length=padding)
    server.h2.send_headers(number, [("grpc-status", "0")], end_stream=True)
    octets = server.h2.data_to_send()
    events: list[Event | ConnectionBroken] = []
    turn = 0
    while octets:
        size = cuts[turn % len(cuts)]
        events += client.receive(octets[:size])
        octets, turn = octets[size:], turn + 1
    assert content_of(events) == b"".join(part for part, _ in parts)
    assert events[0] == HeadersReceived(
        number, [(b":status", b"200"), (b"content-type", b"application/grpc")], is_last=False
    )
    assert events[-1] == HeadersReceived(number, [(b"grpc-status", b"0")], is_last=True)
    server.hear(client.outgoing())  # it would complain of a ping that is not answered as it should be


def test_a_server_can_send_without_end_since_its_window_is_opened_again() -> None:
    client, server = Http2Client(), Server()
    number = client.begin(ASKED)
    talk(client, server)
    server.h2.send_headers(number, [(":status", "200")])
    got = 0
    for _ in range(400):
        server.h2.send_data(number, bytes(16_000))
        got += len(content_of(talk(client, server)))
    assert got == 400 * 16_000


def test_a_window_that_is_made_smaller_holds_back_what_is_sent_later() -> None:
    client, server = Http2Client(), Server()
    number = client.begin(ASKED)
    talk(client, server)
    server.h2.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 0})
    talk(client, server)
    client.send(number, b"later")
    client.outgoing()
    assert client.is_waiting
    server.h2.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 100})
    talk(client, server)
    assert bytes(server.content) == b"later"


def test_a_stream_waits_until_the_server_allows_one_more() -> None:
    client = Http2Client()
    client.outgoing()
    client.receive(frame(SETTINGS, payload=struct.pack(">HI", 3, 0)))
    client.send(client.begin(ASKED), b"content")
    assert client.outgoing() == frame(SETTINGS, ACK)
    assert client.is_waiting
    client.receive(frame(SETTINGS, payload=struct.pack(">HI", 3, 1)))
    server = Server()
    server.hear(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS) + client.outgoing())
    assert bytes(server.content) == b"content"
    assert not client.is_waiting


def test_a_stream_that_is_reset_here_carries_nothing_more() -> None:
    client, server = Http2Client(), Server()
    number = client.begin(ASKED)
    talk(client, server)
    client.cancel(number)
    client.send(number, b"too late")
    client.end(number)
    talk(client, server)
    assert (server.reset, bytes(server.content)) == (8, b"")
    assert client.receive(frame(DATA, 0, number, b"crossed on the way")) == []


def began() -> Http2Client:
    client = Http2Client()
    client.begin(ASKED)
    client.receive(HELLO)
    client.outgoing()
    return client


@pytest.mark.parametrize(
    "ignored",
    [
        frame(0xBB, 0xFF, 1, bytes(64)),
        frame(PRIORITY, 0, 1, bytes(5)),
        frame(SETTINGS, payload=struct.pack(">HI", 0xABC, 1)),
        frame(GOAWAY, payload=struct.pack(">II", 1, 0) + b"soon"),
    ],
    ids=["unknown", "priority", "setting", "soon"],
)
def test_frames_that_mean_nothing_to_us_are_ignored(ignored: bytes) -> None:
    client = began()
    assert client.receive(ignored + frame(HEADERS, END_HEADERS, 1, block(OK))) != []


def test_a_server_that_resets_a_stream_or_goes_away_ends_it_with_the_code() -> None:
    assert began().receive(frame(RST_STREAM, 0, 1, struct.pack(">I", 11))) == [StreamReset(1, 11)]
    gone = frame(GOAWAY, payload=struct.pack(">II", 0, 2) + b"bye")
    assert began().receive(gone) == [StreamReset(1, 2, "it goes away: bye")]


UNASKED = "it answered what was never asked"

BREACHES = {
    "html": (b"HTTP/1.1 400 Bad Request\r\n\r\n", "what it sends is no HTTP/2"),
    "no greeting": (frame(PING, payload=bytes(8)), "what it sends is no HTTP/2"),
    "data on 0": (HELLO + frame(DATA, 0, 0, b"x"), UNASKED),
    "data on 2": (HELLO + frame(DATA, 0, 2, b"x"), UNASKED),
    "data to come": (HELLO + frame(DATA, 0, 3, b"x"), UNASKED),
    "headers to come": (HELLO + frame(HEADERS, END_HEADERS, 3, block(OK)), UNASKED),
    "reset to come": (HELLO + frame(RST_STREAM, 0, 3, bytes(4)), UNASKED),
    "window to come": (HELLO + frame(WINDOW_UPDATE, 0, 3, b"\0\0\0\1"), UNASKED),
    "enables push": (HELLO + frame(SETTINGS, payload=struct.pack(">HI", 2, 1)), "its settings are not allowed"),
    "capitals": (HELLO + frame(HEADERS, END_HEADERS, 1, block((("Shout", "x"),))), "it sent headers in capitals"),
    "idle": (HELLO + frame(PING, ACK, payload=bytes(8)) * 10_001, "it sent 10,000 frames that carry nothing"),
}


@pytest.mark.parametrize("name", BREACHES)
def test_a_breach_of_the_rules_breaks_the_connection_with_a_sentence(name: str) -> None:
    octets, sentence = BREACHES[name]
    client = Http2Client()
    client.begin(ASKED)
    assert client.receive(octets)[-1] == ConnectionBroken(sentence)
    assert client.receive(frame(PING, payload=bytes(8))) == []


def test_what_came_before_a_breach_counts_however_the_bytes_are_cut() -> None:
    octets = BEGUN + frame(DATA, 0, 1, b"answer") + frame(DATA, 0, 0, b"breach")
    for at in range(len(octets)):
        client = Http2Client()
        client.begin(ASKED)
        events = client.receive(octets[:at]) + client.receive(octets[at:])
        assert events[1:] == [DataReceived(1, b"answer", is_last=False), ConnectionBroken(UNASKED)]


def test_the_last_byte_of_the_window_may_be_sent() -> None:
    client = began()
    client.receive(frame(HEADERS, END_HEADERS, 1, block(RESPONSE)))
    assert len(content_of(client.receive(frame(DATA, 0, 1, bytes(16_384)) * 64))) == 1 << 20


def test_a_message_between_them_lets_idle_frames_begin_anew() -> None:
    client = began()
    client.receive(frame(HEADERS, END_HEADERS, 1, block(RESPONSE)))
    for _ in range(3):
        assert client.receive(frame(PING, ACK, payload=bytes(8)) * 6_000 + frame(DATA, 0, 1, b"x")) == [
            DataReceived(1, b"x", is_last=False)
        ]


GOOD = (
    BEGUN
    + frame(PING, payload=bytes(8))
    + frame(DATA, PADDED, 1, b"\x01abc\0")
    + frame(WINDOW_UPDATE, 0, 1, b"\0\0\0\1")
    + frame(HEADERS, END_HEADERS | END_STREAM, 1, block(OK))
)


@given(
    st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=4),
    st.binary(max_size=40),
    st.integers(0, len(GOOD)),
)
def test_noise_among_good_frames_is_read_or_refused_and_nothing_else(
    changes: list[tuple[int, int]], noise: bytes, at: int
) -> None:
    octets = bytearray(GOOD)
    for place, value in changes:
        octets[place] = value
    octets[at:at] = noise
    client = Http2Client()
    client.begin(ASKED)
    client.outgoing()
    events = client.receive(bytes(octets))
    assert len(content_of(events)) <= len(octets)
    assert all(event.text for event in events if isinstance(event, ConnectionBroken))
    assert len(client.outgoing()) < 2_000
