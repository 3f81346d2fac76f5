"""What comes back in a call of gRPC: messages however they are cut, and how it ended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee_bot.framing import CODES, prefixed
from referee_bot.http2 import DataReceived, HeadersReceived, StreamReset

from referee.match.conversation import Garbage
from referee.runtime.channels.channel import CallStatus
from referee.runtime.channels.grpc_call import IncomingCall
from referee.wire.messages import MAX_BOT_MESSAGE_BYTES

BEGUN = HeadersReceived(1, [(b":status", b"200"), (b"content-type", b"application/grpc")], is_last=False)


def begun() -> IncomingCall:
    incoming = IncomingCall()
    assert list(incoming.take(BEGUN)) == []
    return incoming


def trailers(**fields: bytes) -> HeadersReceived:
    return HeadersReceived(
        1, [(name.replace("_", "-").encode(), value) for name, value in fields.items()], is_last=True
    )


@given(st.lists(st.binary(max_size=200), max_size=8), st.lists(st.integers(1, 90), min_size=1, max_size=4))
def test_messages_come_whole_however_they_are_cut(messages: list[bytes], cuts: list[int]) -> None:
    incoming, got, turn = begun(), list[object](), 0
    octets = b"".join(map(prefixed, messages))
    while octets:
        size = cuts[turn % len(cuts)]
        got += incoming.take(DataReceived(1, octets[:size], is_last=False))
        octets, turn = octets[size:], turn + 1
    assert got == messages


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\1\0\0\0\0", "sent a compressed message"),
        (b"\7\0\0\0\0", "sent a message with the unknown flag 7"),
        (b"\0" + (MAX_BOT_MESSAGE_BYTES + 1).to_bytes(4), "sent a message over 64 KiB"),
        (b"\0\xff\xff\xff\xff", "sent a message over 64 KiB"),
    ],
)
def test_a_message_that_is_not_read_is_known_by_its_prefix(content: bytes, text: str) -> None:
    sent = prefixed(b"good") + content
    assert list(begun().take(DataReceived(1, sent, is_last=False))) == [b"good", Garbage(text)]


def test_the_longest_message_is_read() -> None:
    longest = bytes(MAX_BOT_MESSAGE_BYTES)
    assert list(begun().take(DataReceived(1, prefixed(longest), is_last=False))) == [longest]


def test_a_message_before_the_headers_is_none() -> None:
    assert list(IncomingCall().take(DataReceived(1, prefixed(b"x"), is_last=False))) == [
        Garbage("sent an answer without headers")
    ]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"grpc_status": b"0"}, CallStatus("ok")),
        ({"grpc_status": b"16", "grpc_message": b"who are you%3F"}, CallStatus("unauthenticated", "who are you?")),
        ({"grpc_status": b"13", "grpc_message": b"%FF \xff"}, CallStatus("internal", "\ufffd \ufffd")),
        ({"grpc_status": b"17"}, CallStatus("unknown")),
        ({"grpc_status": b"fine"}, CallStatus("unknown")),
        ({"grpc_status": b"99999999999999999999"}, CallStatus("unknown")),
        ({"grpc_status": b"-1"}, CallStatus("unknown")),
        ({}, CallStatus("unknown", "it ended its stream without a status")),
    ],
)
def test_trailers_say_how_a_call_ended(fields: dict[str, bytes], status: CallStatus) -> None:
    assert list(begun().take(trailers(**fields))) == [status]


def test_every_code_of_grpc_has_its_name() -> None:
    for number, name in enumerate(CODES):
        assert list(begun().take(trailers(grpc_status=str(number).encode()))) == [CallStatus(name)]


def test_of_two_statuses_the_first_counts() -> None:
    both = HeadersReceived(1, [(b"grpc-status", b"5"), (b"grpc-status", b"0")], is_last=True)
    assert list(begun().take(both)) == [CallStatus("not_found")]


def test_a_call_may_end_with_its_first_headers() -> None:
    only = HeadersReceived(1, [(b":status", b"200"), (b"grpc-status", b"12"), (b"grpc-message", b"no")], is_last=True)
    assert list(IncomingCall().take(only)) == [CallStatus("unimplemented", "no")]


@pytest.mark.parametrize(
    ("http", "code"), [(b"404", "unimplemented"), (b"401", "unauthenticated"), (b"500", "unknown")]
)
@pytest.mark.parametrize("is_last", [False, True])
def test_without_a_status_of_grpc_that_of_http_counts(http: bytes, code: str, is_last: bool) -> None:
    answer = HeadersReceived(1, [(b":status", http)], is_last)
    assert list(IncomingCall().take(answer)) == [CallStatus(code, f"HTTP status {http.decode()}")]


def test_a_word_in_between_is_no_answer() -> None:
    incoming = IncomingCall()
    assert list(incoming.take(HeadersReceived(1, [(b":status", b"103")], is_last=False))) == []
    assert list(incoming.take(BEGUN)) == []
    assert list(incoming.take(DataReceived(1, prefixed(b"x"), is_last=False))) == [b"x"]


def test_headers_come_once() -> None:
    assert list(begun().take(BEGUN)) == [CallStatus("internal", "it sent headers twice")]


def test_a_stream_that_ends_without_trailers_ends_without_a_status() -> None:
    ended = [prefixed(b"x")[5:], CallStatus("unknown", "it ended its stream without a status")]
    assert list(begun().take(DataReceived(1, prefixed(b"x"), is_last=True))) == ended


@pytest.mark.parametrize(
    ("code", "name"),
    [(7, "unavailable"), (8, "cancelled"), (11, "resource_exhausted"), (2, "internal"), (0, "internal")],
)
def test_a_reset_has_the_code_that_grpc_gives_it(code: int, name: str) -> None:
    assert list(begun().take(StreamReset(1, code))) == [CallStatus(name, f"it reset its stream with error {code}")]


def test_who_goes_away_is_unavailable() -> None:
    assert list(begun().take(StreamReset(1, 11, "it goes away: bye"))) == [
        CallStatus("unavailable", "it goes away: bye")
    ]
