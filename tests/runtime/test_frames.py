"""What a line makes of a server that writes its own frames: sizes, compression, and words that sound like ours.

Whether our own client calls it, at a unix socket, or gRPC's library, at a port.
"""

import gzip
import socket
import zlib
from collections.abc import Awaitable, Callable, Iterator

import pytest
import uvloop
from referee_bot.v1 import bot_pb2 as pb

from referee.match.conversation import Failed, Ready, Reply, SeatQuestion
from referee.match.transcript import FaultKind
from referee.runtime.bot_address import Peer
from referee.runtime.bot_stream import BotStream, NoDescription
from referee.runtime.channels import grpc_channel
from referee.wire.messages import MAX_BOT_MESSAGE_BYTES
from tests.runtime.frames import go_away, headers, message, reset, serving, trailers
from tests.runtime.rogues import run_folder

READY = pb.BotMessage(ready=pb.Ready()).SerializeToString()
ZEROS = bytes(4_000_000)
TOO_LONG = Failed(FaultKind.PROTOCOL, "sent a message over 64 KiB")
COMPRESSED = Failed(FaultKind.PROTOCOL, "sent a compressed message")
ENHANCE_YOUR_CALM = 11
EXHAUSTED = "8"


@pytest.fixture(params=["light", "library"])
def listening(request: pytest.FixtureRequest) -> Iterator[socket.socket]:
    """Where the server will listen."""
    with run_folder() as folder:
        if request.param == "light":
            found = socket.socket(socket.AF_UNIX)
            found.bind(str(folder / "bot.sock"))
        else:
            found = socket.socket()
            found.bind(("127.0.0.1", 0))
        with found:
            yield found


def is_light(listening: socket.socket) -> bool:
    return listening.family is socket.AF_UNIX


def address_of(listening: socket.socket) -> str:
    where = listening.getsockname()
    return f"unix:{where}" if is_light(listening) else f"{where[0]}:{where[1]}"


def with_line(listening: socket.socket, answer: bytes, test: Callable[[BotStream], Awaitable[None]]) -> None:
    """Let `test` use a line to a server whose answer to the first call is this."""

    async def run() -> None:
        line = BotStream(Peer(address_of(listening)))
        try:
            await test(line)
        finally:
            await line.drop()

    with serving(listening, answer):
        uvloop.run(run())


def reply_to(listening: socket.socket, answer: bytes) -> Reply:
    """How a line judges an answer to MatchStart."""
    replies: list[Reply] = []

    async def test(line: BotStream) -> None:
        line.open()
        replies.append((await line.ask(SeatQuestion(decision=0), b"", 20_000))[0])

    with_line(listening, answer, test)
    return replies[0]


def why_not_described(listening: socket.socket, answer: bytes) -> str:
    async def test(line: BotStream) -> None:
        with pytest.raises(NoDescription) as caught:
            await line.describe(20_000)
        texts.append(str(caught.value))

    texts: list[str] = []
    with_line(listening, answer, test)
    return texts[0]


def in_gzip(content: bytes) -> bytes:
    return headers(1, grpc_encoding="gzip") + message(1, gzip.compress(content), compressed=True)


def padded(size: int) -> bytes:
    """A Ready of this many bytes; the rest is an unknown field."""
    rest = size - len(READY) - 5
    return READY + b"\xfa\x7f" + bytes([rest & 0x7F | 0x80, rest >> 7 & 0x7F | 0x80, rest >> 14]) + bytes(rest)


def test_a_plain_message_of_the_greatest_length_is_read(listening: socket.socket) -> None:
    assert reply_to(listening, headers(1) + message(1, padded(MAX_BOT_MESSAGE_BYTES))) == Ready()


@pytest.mark.parametrize("size", [MAX_BOT_MESSAGE_BYTES + 1, 2 * MAX_BOT_MESSAGE_BYTES + grpc_channel._SLACK_BYTES])
def test_a_longer_message_is_protocol_whether_or_not_grpc_still_reads_it(listening: socket.socket, size: int) -> None:
    assert reply_to(listening, headers(1) + message(1, padded(size))) == TOO_LONG


def test_a_message_that_only_says_it_is_long_is_protocol(listening: socket.socket) -> None:
    announced = message(1, bytes(9)).replace(bytes([0, 0, 0, 0, 9]), b"\0\xff\xff\xff\xff")
    assert reply_to(listening, headers(1) + announced) == TOO_LONG


@pytest.mark.parametrize("content", [READY, ZEROS], ids=["small", "bomb"])
def test_a_message_in_gzip_is_protocol_and_is_not_unpacked(listening: socket.socket, content: bytes) -> None:
    answer = in_gzip(content)
    assert len(answer) < MAX_BOT_MESSAGE_BYTES
    assert reply_to(listening, answer) == COMPRESSED


def test_a_message_compressed_otherwise_is_protocol(listening: socket.socket) -> None:
    answer = headers(1, grpc_encoding="deflate") + message(1, zlib.compress(READY), compressed=True)
    unread = Failed(FaultKind.PROTOCOL, "sent 10 bytes that are no BotMessage")  # the library does not say how it came
    assert reply_to(listening, answer) == (COMPRESSED if is_light(listening) else unread)


def words_of_ours(limit: int) -> str:
    return f"Stream removed (CLIENT: Received message larger than max ({limit + 1} vs. {limit}))"


EVERY_GUESS = " ".join(f"max (1 vs. {limit})" for limit in range(MAX_BOT_MESSAGE_BYTES, MAX_BOT_MESSAGE_BYTES + 200))


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (headers(1) + trailers(1, grpc_status=EXHAUSTED, grpc_message=words_of_ours(65536)), "resource_exhausted"),
        (headers(1) + trailers(1, grpc_status=EXHAUSTED, grpc_message=EVERY_GUESS), "resource_exhausted"),
        (headers(1) + go_away(ENHANCE_YOUR_CALM, words_of_ours(65536).encode()), "unavailable"),
        (headers(1) + reset(1, ENHANCE_YOUR_CALM), "resource_exhausted"),
    ],
    ids=["words", "guesses", "goaway", "reset"],
)
def test_who_ends_its_call_in_our_words_has_hung_up(
    listening: socket.socket, answer: bytes, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda _slack: 99)  # 65636, which is one of the guesses
    reply = reply_to(listening, answer)
    assert isinstance(reply, Failed)
    assert reply.kind is FaultKind.CRASH
    assert reply.text.startswith(f"died or hung up ({code}: ")


def test_no_two_lines_have_the_same_limit() -> None:
    assert len({grpc_channel._Limit().bytes for _ in range(20)}) > 15


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (headers(1) + message(1, bytes(MAX_BOT_MESSAGE_BYTES + 1)), "answered Describe with a message over 64 KiB"),
        (headers(1) + message(1, bytes(1 << 21)), "answered Describe with a message over 64 KiB"),
        (in_gzip(ZEROS), "answered Describe with a compressed message"),
        (
            headers(1) + trailers(1, grpc_status=EXHAUSTED, grpc_message="max (1 vs. 2)"),
            "did not answer Describe (reso",
        ),
    ],
    ids=["long", "longer", "bomb", "words"],
)
def test_a_description_is_held_to_the_same_limits(listening: socket.socket, answer: bytes, text: str) -> None:
    assert why_not_described(listening, answer + trailers(1, grpc_status="0") * (b"vs" not in answer)).startswith(text)
