"""The calls on a connection: what a client of gRPC is answered, and when."""

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee_bot.calls import DESCRIBE, PLAY, Answer, CallFailed, Calls
from referee_bot.framing import prefixed
from referee_bot.hpack import Decoder, encode
from referee_bot.http2 import PREFACE

from tests.hostile_peers import http2
from tests.rogues.bots.frames import (
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    PING,
    RST_STREAM,
    SETTINGS,
    frame,
)
from tests.sample_bots.library.frames import frames

Fields = tuple[tuple[bytes, bytes], ...]

HELLO = PREFACE + frame(SETTINGS)
WHOLE = END_HEADERS | END_STREAM


class Parrot:
    """A service that repeats what it is told in capitals, keeps silent, or fails."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def describe(self, request: bytes) -> bytes:
        return b"a parrot that heard " + request

    def play(self, _number: int) -> Answer:
        def answer(message: bytes) -> bytes | None:
            self.heard.append(message)
            if message == b"fail":
                raise CallFailed("unknown", "ValueError: 100 % gone\nää")
            return message.upper() if message != b"hush" else None

        return answer


def request(path: bytes, *more: tuple[bytes, bytes], method: bytes = b"POST") -> bytes:
    content = (b"content-type", b"application/grpc")
    kind = () if any(name == b"content-type" for name, _ in more) else (content,)
    return encode(((b":method", method), (b":scheme", b"http"), (b":path", path), (b"te", b"trailers"), *kind, *more))


def called(path: bytes, *more: tuple[bytes, bytes], number: int = 1, flags: int = END_HEADERS) -> bytes:
    return frame(HEADERS, flags, number, request(path, *more))


def said(message: bytes, flags: int = 0, number: int = 1) -> bytes:
    return frame(DATA, flags, number, prefixed(message))


def answered(calls: Calls, octets: bytes) -> list[tuple[int, Fields | bytes]]:
    """Headers and content of all answers to these bytes, in order, by stream."""
    found: list[tuple[int, Fields | bytes]] = []
    decoder = Decoder(16_384)
    for kind, _, number, payload in frames(b"".join(calls.receive(octets))):
        if kind in (HEADERS, CONTINUATION):
            found.append((number, tuple(decoder.decode(payload))))
        elif kind == DATA:
            found.append((number, payload))
    return found


BEGUN: Fields = ((b":status", b"200"), (b"content-type", b"application/grpc"))
OK: Fields = ((b"grpc-status", b"0"),)


def new(token: str | None = None) -> tuple[Calls, Parrot]:
    parrot = Parrot()
    calls = Calls(parrot, token)
    list(calls.receive(HELLO))
    return calls, parrot


def test_describe_is_answered_once_its_request_is_whole() -> None:
    calls, _ = new()
    assert answered(calls, called(DESCRIBE)) == [(1, BEGUN)]
    assert answered(calls, said(b"you", END_STREAM)) == [(1, prefixed(b"a parrot that heard you")), (1, OK)]


def test_a_stream_of_play_answers_message_after_message_until_the_client_ends_it() -> None:
    calls, _ = new()
    begun = answered(calls, called(PLAY) + said(b"a") + said(b"hush") + said(b"b"))
    assert begun == [(1, BEGUN), (1, prefixed(b"A")), (1, prefixed(b"B"))]
    assert answered(calls, said(b"c", END_STREAM)) == [(1, prefixed(b"C")), (1, OK)]


def test_each_answer_can_be_sent_before_the_next_message_is_looked_at() -> None:
    calls, parrot = new()
    together = frame(DATA, 0, 1, prefixed(b"a") + prefixed(b"b"))
    sending = calls.receive(called(PLAY) + together)
    assert b"A" in next(sending)
    assert parrot.heard == [b"a"]
    assert b"B" in next(sending)


def test_streams_do_not_mix() -> None:
    calls, _ = new()
    both = called(PLAY) + called(PLAY, number=3) + said(b"a", number=3) + said(b"b")
    assert answered(calls, both + called(DESCRIBE, number=5) + said(b"", END_STREAM, 5)) == [
        (1, BEGUN),
        (3, BEGUN),
        (3, prefixed(b"A")),
        (1, prefixed(b"B")),
        (5, BEGUN),
        (5, prefixed(b"a parrot that heard ")),
        (5, OK),
    ]


def test_a_client_may_end_its_side_by_trailers_or_by_an_empty_frame() -> None:
    for end in (frame(DATA, END_STREAM, 1), frame(HEADERS, WHOLE, 1, encode(((b"x", b"y"),)))):
        calls, _ = new()
        assert answered(calls, called(PLAY) + end) == [(1, BEGUN), (1, OK)]


def test_an_error_ends_its_call_with_a_text_and_no_other() -> None:
    calls, parrot = new()
    found = answered(
        calls, called(PLAY) + said(b"fail") + said(b"late") + called(PLAY, number=3) + said(b"a", number=3)
    )
    failed = ((b"grpc-status", b"2"), (b"grpc-message", b"ValueError: 100 %25 gone%0A%C3%A4%C3%A4"))
    assert found == [(1, BEGUN), (1, failed), (3, BEGUN), (3, prefixed(b"A"))]
    assert parrot.heard == [b"fail", b"a"]


def test_a_cancelled_call_is_forgotten() -> None:
    calls, parrot = new()
    cancelled = called(PLAY) + said(b"a") + frame(RST_STREAM, 0, 1, bytes(4))
    list(calls.receive(cancelled))
    assert answered(calls, called(PLAY, number=3) + said(b"b", number=3)) == [(3, BEGUN), (3, prefixed(b"B"))]
    assert parrot.heard == [b"a", b"b"]


CODED = [
    ("no method", called(b"/referee_bot.v1.Bot/Win"), b"12", b"there is no such method"),
    ("no request", called(DESCRIBE, flags=WHOLE), b"13", b"this method takes one message"),
    ("two requests", called(DESCRIBE) + said(b"a") + said(b"b"), b"13", b"this method takes one message"),
    ("compressed", called(PLAY) + frame(DATA, 0, 1, b"\1\0\0\0\0"), b"12", b"a message is compressed"),
    (
        "too long",
        called(PLAY) + frame(DATA, 0, 1, b"\0\0\x40\0\1"),
        b"8",
        b"a message is over 4,194,304 bytes",
    ),
    ("cut short", called(PLAY) + frame(DATA, END_STREAM, 1, b"\0\0\0\0\5abc"), b"13", b"a message is cut short"),
]


@pytest.mark.parametrize(("octets", "code", "text"), [each[1:] for each in CODED], ids=[each[0] for each in CODED])
def test_what_cannot_be_served_has_its_code(octets: bytes, code: bytes, text: bytes) -> None:
    calls, _ = new()
    number, fields = answered(calls, octets)[-1]
    assert isinstance(fields, tuple)
    assert number == 1
    assert dict(fields)[b"grpc-status"] == code
    assert dict(fields)[b"grpc-message"] == text
    assert answered(calls, called(PLAY, number=3))[-1] == (3, BEGUN)


@pytest.mark.parametrize(
    ("octets", "status"),
    [
        (frame(HEADERS, WHOLE, 1, request(PLAY, method=b"GET")), b"405"),
        (called(PLAY, (b"content-type", b"text/html")), b"415"),
    ],
)
def test_what_is_no_grpc_is_answered_by_http(octets: bytes, status: bytes) -> None:
    calls, _ = new()
    assert answered(calls, octets) == [(1, ((b":status", status),))]


def test_only_who_brings_the_token_is_served() -> None:
    refused = (*BEGUN, (b"grpc-status", b"16"), (b"grpc-message", b"the token is missing or wrong"))
    wrong = ((), ((b"authorization", b"Bearer xy"),), ((b"authorization", b"x"),), ((b"authorization", b"Bearer "),))
    for shown in wrong:
        for path in (DESCRIBE, PLAY):
            calls, parrot = new("x")
            assert answered(calls, called(path, *shown) + said(b"a")) == [(1, refused)]
            assert (parrot.heard, calls.were_allowed) == ([], False)
    calls, _ = new("x")
    assert answered(calls, called(PLAY, (b"authorization", b"Bearer x"))) == [(1, BEGUN)]
    assert calls.were_allowed


TRAILERS = frame(HEADERS, WHOLE, 1, encode(((b"x", b"y"),)))
NO_WINDOW = frame(SETTINGS, payload=b"\0\4\0\0\0\0")


def test_trailers_of_a_call_that_has_ended_are_no_request() -> None:
    refused, _ = new("x")
    assert [number for number, _ in answered(refused, called(PLAY) + TRAILERS)] == [1]
    failed, parrot = new()  # what it was answered waits for a window, so the stream goes on
    answered(failed, NO_WINDOW + called(PLAY) + said(b"a") + said(b"fail"))
    assert answered(failed, TRAILERS + called(PLAY, number=3) + said(b"b", number=3)) == [(3, BEGUN)]
    assert parrot.heard == [b"a", b"fail", b"b"]


def test_who_sends_much_without_the_token_is_cut_off() -> None:
    calls, _ = new("x")
    sent = b"".join(calls.receive(frame(PING, payload=bytes(8)) * 10_000))
    assert calls.are_over
    assert 16_384 < len(sent) < 24_000
    kind, _, _, payload = frames(sent)[-1]
    assert (kind, int.from_bytes(payload[4:8])) == (GOAWAY, 11)


def test_who_brings_the_token_first_may_send_much() -> None:
    calls, parrot = new("x")
    list(calls.receive(called(PLAY, (b"authorization", b"Bearer x")) + said(bytes(16_000)) * 10))
    assert len(parrot.heard) == 10


@pytest.mark.parametrize("token", ["x", None])
@pytest.mark.parametrize("peers", [1_000, pytest.param(30_000, marks=pytest.mark.slow)])
def test_no_hostile_peer_makes_an_exception_or_takes_long(token: str | None, peers: int) -> None:
    luck, began_s = Random(68), time.process_time()
    for _ in range(peers):
        calls = Calls(Parrot(), token)
        octets = http2(luck)
        for at in range(0, len(octets), 1 << 16):
            if not calls.are_over:
                list(calls.receive(octets[at : at + (1 << 16)]))
    assert (time.process_time() - began_s) / peers < 0.005


def test_who_asks_and_takes_no_answers_is_cut_off() -> None:
    calls, _ = new()
    list(calls.receive(called(PLAY)))
    for _ in range(70):
        sent = b"".join(calls.receive(said(bytes(16_000))))
        if calls.are_over:
            break
    assert calls.are_over
    kind, _, _, payload = frames(sent)[-1]
    assert (kind, int.from_bytes(payload[4:8])) == (GOAWAY, 11)


def test_a_breach_of_http_2_is_the_end() -> None:
    calls, _ = new()
    list(calls.receive(frame(DATA, 0, 0, b"x")))
    assert calls.are_over


@pytest.mark.slow
@given(
    messages=st.lists(st.tuples(st.binary(max_size=40), st.integers(1, 1_000)), max_size=6),
    cuts=st.lists(st.integers(1, 20_000), min_size=1, max_size=4),
    longest=st.integers(1, 16_384),
)
def test_messages_come_whole_however_they_are_cut(
    messages: list[tuple[bytes, int]], cuts: list[int], longest: int
) -> None:
    calls, parrot = new()
    whole = [some * often for some, often in messages]
    content = b"".join(map(prefixed, whole))
    octets = called(PLAY) + b"".join(
        frame(DATA, 0, 1, content[at : at + longest]) for at in range(0, len(content), longest)
    )
    turn = 0
    while octets:
        size = cuts[turn % len(cuts)]
        for _ in calls.receive(octets[:size]):
            pass
        octets, turn = octets[size:], turn + 1
    assert parrot.heard == whole
