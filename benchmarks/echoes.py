"""Matches between echo bots: what is sent in them, and a bare client that sends only that. It is a referee's floor."""

import asyncio
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import grpc.aio
import msgspec

from referee.core import seeds
from referee.match.conversation import Chosen, Ready, Reply
from referee.match.header import header as header_of
from referee.match.match import Ask, Match, Open, Request
from referee.match.terms import Clock
from referee.match.transcript import Header
from referee.runtime.confinement import Unconfined
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import read_bot
from referee.wire.codec import AnyCodec, GameEntry
from referee.wire.messages import encode
from referee.wire.registry import games

AIO = Path(__file__).parent / "aio_bot"
"""A bot that does not think, served by gRPC's own library. A floor must not become faster when our own server does."""

CLOCK = Clock()
SEED = seeds.from_text("bench")
OPTIONS = {"mode": "simple", "line_up": "1v1"}


class Sent(NamedTuple):
    """A message to a seat, and whether the seat must answer."""

    seat: int
    message: bytes
    answered: bool


class Script(msgspec.Struct, frozen=True):
    """Everything that is sent in some matches.

    Attributes:
        sent: the messages, in order.
        decisions: how many of them are decisions.
    """

    sent: tuple[Sent, ...]
    decisions: int


def header(deal: int) -> Header:
    """The header of a match of Agent Avenue between two echo bots."""
    return header_of(
        game="agent-avenue",
        rules_version=1,
        options=OPTIONS,
        fixture=f"bench/{deal}",
        entries=("echo@1", "echo@1"),
        root=SEED,
        deal=deal,
    )


def script(entry: GameEntry, headers: Iterable[Header]) -> Script:
    """What echo bots, which always take the first action, are sent in these matches."""
    matches = [list(_sent(entry, header)) for header in headers]
    sent = tuple(Sent(ask.seat, message, reply is not None) for match in matches for ask, message, reply in match)
    return Script(sent, sum(isinstance(reply, Chosen) for match in matches for _, _, reply in match))


def _sent(entry: GameEntry, header: Header) -> Iterable[tuple[Request, bytes, Reply | None]]:
    match = Match(entry.game, header, CLOCK)
    for request in match:
        reply = _echo(request)
        yield request, encode(entry.codec, match, request), reply
        match.reply(reply)


def _echo(request: Request) -> Reply | None:
    if isinstance(request, Ask):
        return Chosen(0)
    return Ready() if isinstance(request, Open) else None


class BareTable:
    """Two echo bots on grpc.aio, and a client that only writes and reads. It is a context, in which the bots run."""

    async def __aenter__(self) -> Self:
        """Start the bots and open a stream to each."""
        self._run_dir = tempfile.TemporaryDirectory()
        hosting = HostSettings(Path(self._run_dir.name), Unconfined(), CLOCK.start_ms)
        self._bots = [await read_bot(AIO).host(hosting) for _ in range(2)]
        self._channels = [grpc.aio.insecure_channel(process.box.listening.address) for process in self._bots]
        self._streams: list[grpc.aio.StreamStreamCall[bytes, bytes]] = [
            channel.stream_stream("/referee_bot.v1.Bot/Play")(wait_for_ready=True) for channel in self._channels
        ]
        await asyncio.gather(*(stream.wait_for_connection() for stream in self._streams))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the bots."""
        for channel, process in zip(self._channels, self._bots, strict=True):
            await channel.close()
            await process.kill_now()
        self._run_dir.cleanup()

    async def play(self, sent: Sequence[Sent]) -> None:
        """Send all of it, and wait for every answer."""
        streams = self._streams
        for seat, message, answered in sent:
            await streams[seat].write(message)
            if answered:
                await streams[seat].read()


class Padded:
    """A codec that adds a field that no reader knows to every view. The rest is the original codec, at no cost."""

    def __init__(self, codec: AnyCodec, padding: bytes) -> None:
        self.options = codec.options
        self.action = codec.action
        self.event = codec.event
        self._view = codec.view
        self._padding = padding

    def view(self, view: Any) -> bytes:
        """The view of the original codec, with the padding at its end."""
        return self._view(view) + self._padding


def padded(decision_bytes: int) -> GameEntry:
    """Agent Avenue with padded views, so that the mean `Decision` has about `decision_bytes` bytes."""
    entry = games()["agent-avenue"]
    missing = decision_bytes - _mean_decision(entry)
    return GameEntry(entry.game, Padded(entry.codec, _unknown_field(missing))) if missing > 0 else entry


def _mean_decision(entry: GameEntry) -> int:
    headers = [header(deal) for deal in range(100)]
    sizes = [len(sent) for each in headers for _, sent, reply in _sent(entry, each) if isinstance(reply, Chosen)]
    return sum(sizes) // len(sizes)


def _unknown_field(size: int) -> bytes:
    """About `size` bytes that are field 1000 of a protobuf message, length-delimited."""
    return b"\xc2\x3e" + _varint(size) + bytes(size)


def _varint(number: int) -> bytes:
    low, high = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(high) if high else bytes([low])
