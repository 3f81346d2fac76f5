"""The server's side of HTTP/2: the points of RFC 9113 that matter for a server, by section, and another client (h2)."""

import struct
from collections.abc import Sequence

import h2.config
import h2.connection
import h2.events
import h2.settings
import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee_bot.hpack import encode
from referee_bot.http2 import PREFACE, ConnectionBroken, DataReceived, Event, HeadersReceived, StreamReset
from referee_bot.http2_server import Http2Server

from tests.rogues.bots.frames import (
    ACK,
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    PADDED,
    PING,
    PRIORITY,
    PUSH_PROMISE,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    frame,
)
from tests.sample_bots.library.frames import frames

Fields = tuple[tuple[bytes, bytes], ...]

ASKED: Fields = ((b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/any"), (b":authority", b"localhost"))
BLOCK = encode(ASKED)
HELLO = PREFACE + frame(SETTINGS)
BEGUN = HELLO + frame(HEADERS, END_HEADERS, 1, BLOCK)
ENDED = HELLO + frame(HEADERS, END_HEADERS | END_STREAM, 1, BLOCK)
BEGIN = HeadersReceived(1, list(ASKED), is_last=False)
ANSWER = ((b":status", b"200"),)
END = ((b"grpc-status", b"0"),)

PROTOCOL, FLOW, CLOSED, SIZE, REFUSED, COMPRESSION, CALM = 1, 3, 5, 6, 7, 9, 11


def settings(name: int, value: int) -> bytes:
    return frame(SETTINGS, payload=struct.pack(">HI", name, value))


def greeted(octets: bytes = HELLO) -> Http2Server:
    """A server that has received these bytes, and has sent what it says to them."""
    server = Http2Server()
    server.receive(octets)
    server.outgoing()
    return server


# 3.4: the preface


def test_3_4_the_first_frame_of_a_server_is_its_settings() -> None:
    (kind, flags, number, payload), *_ = frames(Http2Server().outgoing())
    assert (kind, flags, number) == (SETTINGS, 0, 0)
    assert dict(struct.iter_unpack(">HI", payload)) == {3: 8, 4: 1 << 20, 6: 16_384}


@pytest.mark.parametrize("octets", [b"GET / HTTP/1.1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r!", b"\0"])
def test_3_4_another_preface_is_refused_as_soon_as_it_differs(octets: bytes) -> None:
    assert Http2Server().receive(octets) == [ConnectionBroken("what it sends is no HTTP/2")]


def test_3_4_the_preface_may_come_byte_by_byte_and_settings_must_follow_it() -> None:
    server = Http2Server()
    assert [server.receive(bytes([octet])) for octet in HELLO] == [[]] * len(HELLO)
    unsettled = PREFACE + frame(PING, payload=bytes(8))
    assert Http2Server().receive(unsettled) == [ConnectionBroken("what it sends is no HTTP/2")]


# 4 to 6: what a client may do


@pytest.mark.parametrize(
    "ignored",
    [
        frame(0xBB, 0xFF, 1, bytes(64)),
        frame(PRIORITY, 0, 1, bytes(5)),
        frame(PRIORITY, 0, 9, bytes(5)),  # also of a stream that was not begun (5.1)
        settings(0xABC, 1),
        frame(PING, ACK, payload=bytes(8)),
        frame(SETTINGS, ACK),
        frame(GOAWAY, payload=struct.pack(">II", 0, 0) + b"soon"),
        frame(PING, 0xF6, payload=bytes(8)),
    ],
    ids=["kind", "priority", "idle priority", "setting", "pong", "acknowledged", "goaway", "flags"],
)
def test_4_1_and_5_5_what_means_nothing_to_us_is_ignored(ignored: bytes) -> None:
    assert greeted().receive(ignored + frame(HEADERS, END_HEADERS, 1, BLOCK)) == [BEGIN]


def test_6_7_a_ping_is_answered_with_its_own_content() -> None:
    server = greeted()
    server.receive(frame(PING, payload=b"abcdefgh"))
    assert server.outgoing() == frame(PING, ACK, payload=b"abcdefgh")


def test_6_5_3_settings_are_acknowledged_and_acknowledgements_are_not() -> None:
    server = greeted()
    server.receive(frame(SETTINGS) + frame(SETTINGS, ACK))
    assert server.outgoing() == frame(SETTINGS, ACK)


def test_6_2_and_6_10_headers_may_come_in_parts_with_padding_and_priority() -> None:
    first = frame(HEADERS, PADDED | 0x20, 1, b"\x03" + bytes(5) + BLOCK[:7] + bytes(3))
    assert greeted().receive(first + frame(CONTINUATION, END_HEADERS, 1, BLOCK[7:])) == [BEGIN]


def test_6_1_padding_is_no_content_but_counts_in_the_window() -> None:
    server = greeted(BEGUN)
    padded = frame(DATA, PADDED, 1, b"\xffcontent" + bytes(255))
    assert server.receive(padded) == [DataReceived(1, b"content", is_last=False)]
    server.receive(frame(DATA, 0, 1, bytes(16_384)) * 33)
    assert [(kind, number) for kind, _, number, _ in frames(server.outgoing())] == [
        (WINDOW_UPDATE, 0),
        (WINDOW_UPDATE, 1),
    ]


def test_6_4_a_reset_ends_a_stream_and_is_told() -> None:
    server = greeted(BEGUN)
    assert server.receive(frame(RST_STREAM, 0, 1, struct.pack(">I", 8))) == [StreamReset(1, 8)]
    server.respond(1, ANSWER)
    server.send(1, b"too late")
    server.finish(1, END)
    assert server.outgoing() == b""


def test_8_1_trailers_end_the_side_of_a_client() -> None:
    trailers = frame(HEADERS, END_HEADERS | END_STREAM, 1, encode(((b"x", b"y"),)))
    assert greeted(BEGUN).receive(trailers) == [DataReceived(1, b"", is_last=True)]


def test_8_1_an_answer_that_ends_before_its_request_asks_for_no_more_of_it() -> None:
    server = greeted(BEGUN)
    server.finish(1, END)
    assert [(kind, flags, payload) for kind, flags, _, payload in frames(server.outgoing())] == [
        (HEADERS, END_HEADERS | END_STREAM, encode(END)),
        (RST_STREAM, 0, bytes(4)),
    ]
    crossed = frame(DATA, 0, 1, b"crossed on the way") + frame(DATA, END_STREAM, 1)
    assert server.receive(crossed) == []


def test_5_1_2_a_stream_too_many_is_refused_and_the_others_go_on() -> None:
    server = greeted()
    begun = b"".join(frame(HEADERS, END_HEADERS, number, BLOCK) for number in range(1, 19, 2))
    assert len(server.receive(begun)) == 8
    assert frames(server.outgoing()) == [(RST_STREAM, 0, 17, struct.pack(">I", REFUSED))]
    assert server.receive(frame(DATA, 0, 17, b"x") + frame(DATA, 0, 1, b"x")) == [DataReceived(1, b"x", is_last=False)]


# 5.2 and 6.9: windows


def test_6_9_an_answer_waits_for_the_windows_of_its_stream_and_of_the_connection() -> None:
    server = greeted(PREFACE + settings(4, 10) + frame(HEADERS, END_HEADERS, 1, BLOCK))
    server.send(1, bytes(70_000))
    server.finish(1, END)
    assert [len(payload) for *_, payload in frames(server.outgoing())] == [10]
    server.receive(frame(WINDOW_UPDATE, 0, 1, struct.pack(">I", 69_990)))
    assert sum(len(payload) for *_, payload in frames(server.outgoing())) == 65_525
    server.receive(frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 10_000)))
    kinds = [(kind, len(payload)) for kind, _, _, payload in frames(server.outgoing())]
    assert kinds == [(DATA, 4_465), (HEADERS, len(encode(END))), (RST_STREAM, 4)]


def test_6_9_2_a_changed_initial_window_counts_for_open_streams_and_may_make_them_negative() -> None:
    server = greeted(BEGUN)
    server.send(1, bytes(60_000))
    server.outgoing()
    server.receive(settings(4, 0))
    server.send(1, b"later")
    assert frames(server.outgoing()) == [(SETTINGS, ACK, 0, b"")]
    server.receive(settings(4, 60_004))
    assert [payload for kind, *_, payload in frames(server.outgoing()) if kind == DATA] == [b"late"]


def test_4_2_no_frame_is_longer_than_the_client_allows() -> None:
    server = greeted(PREFACE + settings(5, 20_000) + frame(HEADERS, END_HEADERS, 1, BLOCK))
    server.send(1, bytes(50_000))
    assert [len(payload) for *_, payload in frames(server.outgoing())] == [20_000, 20_000, 10_000]


def test_5_2_a_client_can_send_without_end_since_its_window_is_opened_again() -> None:
    client = Client()
    server = Http2Server()
    talk(client, server)
    client.h2.send_headers(1, [(name.decode(), value.decode()) for name, value in ASKED])
    got = 0
    for _ in range(300):
        client.h2.send_data(1, bytes(16_000))
        got += len(content_of(talk(client, server)))
    assert got == 300 * 16_000


# What ends a connection

NO_STREAM = "it used a stream that it never began"
NOT_ITS_OWN = "it began a stream that is not its own"
AFTER_ITS_END = "it went on after its end"
WRONG_SIZE = "it sent a frame of a size that its kind cannot have"
MISPLACED = "it sent a frame on a stream that its kind cannot have"
INTERRUPTED = "its headers are interrupted, or continue what did not begin"
TOO_FAR = "it opened its window too far"
NOT_ALLOWED = "its settings are not allowed"

BREACHES = {
    "4.2 a frame is too long": (
        BEGUN + frame(DATA, 0, 1, bytes(16_385)),
        "it sent a frame of 16,385 bytes, over 16,384",
        SIZE,
    ),
    "4.3 a block cannot be read": (
        HELLO + frame(HEADERS, END_HEADERS, 1, b"\xff\xff\xff"),
        "it sent headers that cannot be read",
        COMPRESSION,
    ),
    "5.1 content of an idle stream": (HELLO + frame(DATA, 0, 1, b"x"), NO_STREAM, PROTOCOL),
    "5.1 a reset of an idle stream": (HELLO + frame(RST_STREAM, 0, 1, bytes(4)), NO_STREAM, PROTOCOL),
    "5.1 a window of an idle stream": (HELLO + frame(WINDOW_UPDATE, 0, 1, b"\0\0\0\1"), NO_STREAM, PROTOCOL),
    "5.1 content after the end": (ENDED + frame(DATA, 0, 1, b"x"), AFTER_ITS_END, CLOSED),
    "5.1 headers after the end": (ENDED + frame(HEADERS, END_HEADERS, 1, BLOCK), AFTER_ITS_END, CLOSED),
    "5.1 content after a reset": (BEGUN + frame(RST_STREAM, 0, 1, bytes(4)) + frame(DATA, 0, 1), AFTER_ITS_END, CLOSED),
    "5.1.1 an even stream": (HELLO + frame(HEADERS, END_HEADERS, 2, BLOCK), NOT_ITS_OWN, PROTOCOL),
    "5.1.1 headers of no stream": (HELLO + frame(HEADERS, END_HEADERS, 0, BLOCK), NOT_ITS_OWN, PROTOCOL),
    "5.1.1 an older stream": (
        HELLO + frame(HEADERS, END_HEADERS, 5, BLOCK) + frame(HEADERS, END_HEADERS, 3, BLOCK),
        AFTER_ITS_END,
        CLOSED,
    ),
    "6.1 content of no stream": (HELLO + frame(DATA, 0, 0, b"x"), NO_STREAM, PROTOCOL),
    "6.1 too much padding": (BEGUN + frame(DATA, PADDED, 1, b"\x05abc"), WRONG_SIZE, PROTOCOL),
    "6.2 too much padding": (HELLO + frame(HEADERS, PADDED | END_HEADERS, 1, b"\x05abc"), WRONG_SIZE, PROTOCOL),
    "6.2 no room for a priority": (HELLO + frame(HEADERS, 0x20 | END_HEADERS, 1, bytes(4)), WRONG_SIZE, SIZE),
    "6.2 headers are interrupted": (
        HELLO + frame(HEADERS, 0, 1, BLOCK) + frame(PING, payload=bytes(8)),
        INTERRUPTED,
        PROTOCOL,
    ),
    "6.3 a priority of no stream": (HELLO + frame(PRIORITY, 0, 0, bytes(5)), MISPLACED, PROTOCOL),
    "6.3 a short priority": (HELLO + frame(PRIORITY, 0, 1, bytes(4)), WRONG_SIZE, SIZE),
    "6.4 a reset of no stream": (HELLO + frame(RST_STREAM, 0, 0, bytes(4)), NO_STREAM, PROTOCOL),
    "6.4 a short reset": (BEGUN + frame(RST_STREAM, 0, 1, bytes(3)), WRONG_SIZE, SIZE),
    "6.5 settings of a stream": (HELLO + frame(SETTINGS, 0, 1), MISPLACED, PROTOCOL),
    "6.5 odd settings": (HELLO + frame(SETTINGS, payload=bytes(5)), WRONG_SIZE, SIZE),
    "6.5 an acknowledgement with content": (HELLO + frame(SETTINGS, ACK, payload=bytes(6)), WRONG_SIZE, SIZE),
    "6.5.2 push by 2": (HELLO + settings(2, 2), NOT_ALLOWED, PROTOCOL),
    "6.5.2 a window too wide": (HELLO + settings(4, 1 << 31), TOO_FAR, FLOW),
    "6.5.2 frames too short": (HELLO + settings(5, 16_383), NOT_ALLOWED, PROTOCOL),
    "6.5.2 frames too long": (HELLO + settings(5, 1 << 24), NOT_ALLOWED, PROTOCOL),
    "6.6 a push": (
        BEGUN + frame(PUSH_PROMISE, END_HEADERS, 1, bytes(8)),
        "it pushed what nobody asked for",
        PROTOCOL,
    ),
    "6.7 a ping of a stream": (HELLO + frame(PING, 0, 1, bytes(8)), MISPLACED, PROTOCOL),
    "6.7 a short ping": (HELLO + frame(PING, payload=bytes(7)), WRONG_SIZE, SIZE),
    "6.8 a goaway of a stream": (HELLO + frame(GOAWAY, 0, 1, bytes(8)), MISPLACED, PROTOCOL),
    "6.8 a short goaway": (HELLO + frame(GOAWAY, payload=bytes(7)), WRONG_SIZE, SIZE),
    "6.9 a window by nothing": (
        HELLO + frame(WINDOW_UPDATE, payload=bytes(4)),
        "it opened its window by nothing",
        PROTOCOL,
    ),
    "6.9 a short window": (HELLO + frame(WINDOW_UPDATE, payload=bytes(3)), WRONG_SIZE, SIZE),
    "6.9.1 the window overflows": (HELLO + frame(WINDOW_UPDATE, payload=b"\x7f\xff\xff\xff"), TOO_FAR, FLOW),
    "6.9.1 the window of a stream overflows": (
        BEGUN + frame(WINDOW_UPDATE, 0, 1, b"\x7f\xff\xff\xff"),
        TOO_FAR,
        FLOW,
    ),
    "6.10 continues nothing": (HELLO + frame(CONTINUATION, END_HEADERS, 1), INTERRUPTED, PROTOCOL),
    "6.10 another stream continues": (
        HELLO + frame(HEADERS, 0, 1) + frame(CONTINUATION, END_HEADERS, 3),
        INTERRUPTED,
        PROTOCOL,
    ),
    "6.10 without end": (
        HELLO + frame(HEADERS, 0, 1) + frame(CONTINUATION, 0, 1, b"x") * 20,
        "it sent headers without end",
        CALM,
    ),
    "10.5.1 a long block": (
        HELLO + frame(HEADERS, 0, 1, bytes(16_000)) + frame(CONTINUATION, 0, 1, bytes(16_000)) * 2,
        "it sent headers without end",
        CALM,
    ),
    "10.5.1 a long list": (
        HELLO + frame(HEADERS, END_HEADERS, 1, b"\x40\x01x\x7f\x9f\x0f" + b"y" * 2_078 + b"\xbe" * 20),
        "it sent headers of more than 16,384 bytes",
        CALM,
    ),
    "10.5 a flood of pings": (
        HELLO + frame(PING, payload=bytes(8)) * 10_001,
        "it sent 10,000 frames that carry nothing",
        CALM,
    ),
    "10.5 a flood of settings": (HELLO + frame(SETTINGS) * 10_001, "it sent 10,000 frames that carry nothing", CALM),
    "10.5 a flood of empty content": (
        BEGUN + frame(DATA, 0, 1) * 10_001,
        "it sent 10,000 frames that carry nothing",
        CALM,
    ),
    "10.5 a flood of resets": (
        HELLO
        + b"".join(
            frame(HEADERS, END_HEADERS, number, BLOCK) + frame(RST_STREAM, 0, number, bytes(4))
            for number in range(1, 10_003, 2)
        ),
        "it sent 10,000 frames that carry nothing",
        CALM,
    ),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if "flood" in name else []) for name in BREACHES]
)
def test_a_breach_ends_the_connection_with_its_code_and_a_sentence(name: str) -> None:
    octets, sentence, code = BREACHES[name]
    server = Http2Server()
    assert server.receive(octets)[-1] == ConnectionBroken(sentence)
    kind, _, number, payload = frames(server.outgoing())[-1]
    assert (kind, number, int.from_bytes(payload[4:8]), payload[8:]) == (GOAWAY, 0, code, sentence.encode())
    assert server.receive(frame(PING, payload=bytes(8))) == []
    assert server.outgoing() == b""


def test_6_8_a_goaway_names_the_last_stream_that_was_begun() -> None:
    server = greeted(HELLO + frame(HEADERS, END_HEADERS, 7, BLOCK))
    server.receive(frame(DATA, 0, 0, b"x"))
    assert int.from_bytes(frames(server.outgoing())[-1][3][:4]) == 7


# What ends a stream alone (8.1.1): requests that are malformed

MALFORMED: dict[str, Fields] = {
    "8.2 capitals": (*ASKED, (b"Shout", b"x")),
    "8.2 no name": (*ASKED, (b"", b"x")),
    "8.2.2 a connection": (*ASKED, (b"connection", b"close")),
    "8.2.2 an encoding": (*ASKED, (b"transfer-encoding", b"chunked")),
    "8.2.2 another te": (*ASKED, (b"te", b"gzip")),
    "8.3 an unknown pseudo-header": (*ASKED, (b":other", b"x")),
    "8.3 that of an answer": (*ASKED, (b":status", b"200")),
    "8.3 one that comes late": (*ASKED[:3], (b"x", b"y"), ASKED[3]),
    "8.3.1 one twice": (ASKED[0], *ASKED),
    "8.3.1 no method": ASKED[1:],
    "8.3.1 no scheme": (ASKED[0], *ASKED[2:]),
    "8.3.1 no path": (*ASKED[:2], ASKED[3]),
    "8.3.1 an empty path": (*ASKED[:2], (b":path", b""), ASKED[3]),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_request_is_reset_and_the_next_is_served(name: str) -> None:
    server = greeted()
    assert server.receive(frame(HEADERS, END_HEADERS, 1, encode(MALFORMED[name]))) == []
    assert frames(server.outgoing()) == [(RST_STREAM, 0, 1, struct.pack(">I", PROTOCOL))]
    assert len(server.receive(frame(DATA, 0, 1, b"x") + frame(HEADERS, END_HEADERS, 3, BLOCK))) == 1


@pytest.mark.parametrize(
    ("flags", "fields"),
    [(END_HEADERS, ((b"x", b"y"),)), (END_HEADERS | END_STREAM, ((b":path", b"/"),))],
    ids=["without an end", "with a pseudo-header"],
)
def test_8_1_malformed_trailers_reset_their_stream(flags: int, fields: Fields) -> None:
    server = greeted(BEGUN)
    assert server.receive(frame(HEADERS, flags, 1, encode(fields))) == [StreamReset(1, PROTOCOL)]
    assert frames(server.outgoing()) == [(RST_STREAM, 0, 1, struct.pack(">I", PROTOCOL))]


# Another client


class Client:
    """A client made of h2, which raises if our side breaks a rule."""

    def __init__(self, window: int = 65_535, longest_frame: int = 16_384) -> None:
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding=None))
        code = h2.settings.SettingCodes
        self.h2.initiate_connection()
        self.h2.update_settings({code.INITIAL_WINDOW_SIZE: window, code.MAX_FRAME_SIZE: longest_frame})
        self.content = bytearray()
        self.fields: list[tuple[bytes, bytes]] = []
        self.trailers: list[tuple[bytes, bytes]] = []

    def hear(self, octets: bytes) -> None:
        for event in self.h2.receive_data(octets):
            if isinstance(event, h2.events.ResponseReceived):
                self.fields = [(bytes(name), bytes(value)) for name, value in event.headers]
            elif isinstance(event, h2.events.TrailersReceived):
                self.trailers = [(bytes(name), bytes(value)) for name, value in event.headers]
            elif isinstance(event, h2.events.DataReceived):
                self.content += event.data
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)


def talk(client: Client, server: Http2Server) -> list[Event | ConnectionBroken]:
    """Carry bytes to and fro until nobody has anything to say."""
    events: list[Event | ConnectionBroken] = []
    while True:
        to_client = server.outgoing()
        if to_client:
            client.hear(to_client)
        to_server = client.h2.data_to_send()
        events += server.receive(to_server)
        if not to_server and not to_client:
            return events


def content_of(events: Sequence[Event | ConnectionBroken]) -> bytes:
    return b"".join(event.content for event in events if isinstance(event, DataReceived))


@pytest.mark.slow
@given(
    repeated=st.lists(st.tuples(st.binary(max_size=300), st.integers(1, 300))),
    window=st.integers(0, 70_000),
    longest_frame=st.integers(16_384, 40_000),
)
def test_a_client_receives_what_is_sent_whatever_windows_and_frames_it_allows(
    repeated: list[tuple[bytes, int]], window: int, longest_frame: int
) -> None:
    messages = [some * often for some, often in repeated]
    # Ten thousand updates of windows are a flood, which ends the connection. A window so wide needs half as many.
    client, server = Client(max(window, sum(map(len, messages)) // 5_000 + 1), longest_frame), Http2Server()
    talk(client, server)
    client.h2.send_headers(1, [(name.decode(), value.decode()) for name, value in ASKED], end_stream=True)
    (begun,) = talk(client, server)
    assert isinstance(begun, HeadersReceived)
    server.respond(1, ANSWER)
    for message in messages:
        server.send(1, message)
    server.finish(1, END)
    talk(client, server)
    assert (client.fields, bytes(client.content), client.trailers) == (list(ANSWER), b"".join(messages), list(END))
    assert not server.is_waiting


GOOD = (
    BEGUN
    + frame(PING, payload=bytes(8))
    + frame(DATA, PADDED, 1, b"\x01abc\0")
    + frame(WINDOW_UPDATE, 0, 1, b"\0\0\0\1")
    + frame(HEADERS, 0, 3, BLOCK[:9])
    + frame(CONTINUATION, END_HEADERS, 3, BLOCK[9:])
    + frame(RST_STREAM, 0, 3, bytes(4))
    + frame(DATA, END_STREAM, 1, b"end")
)


@given(
    st.lists(st.tuples(st.integers(len(PREFACE), len(GOOD) - 1), st.integers(0, 255)), max_size=4),
    st.binary(max_size=40),
    st.integers(len(PREFACE), len(GOOD)),
    st.integers(1, len(GOOD)),
)
def test_noise_among_good_frames_is_read_or_refused_and_nothing_else(
    changes: list[tuple[int, int]], noise: bytes, at: int, cut: int
) -> None:
    octets = bytearray(GOOD)
    for place, value in changes:
        octets[place] = value
    octets[at:at] = noise
    server = Http2Server()
    events = server.receive(bytes(octets[:cut])) + server.receive(bytes(octets[cut:]))
    assert len(content_of(events)) <= len(octets)
    assert all(event.text for event in events if isinstance(event, ConnectionBroken))
    assert len(server.outgoing()) < 2_000
