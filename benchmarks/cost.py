"""What a decision costs the referee, against a bare stream that carries the same messages.

Both sides talk to the same kind of bot processes, open as many streams and send the same bytes; all processes of a
run are pinned to one core, and the two are measured in turn.
"""

import asyncio
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import grpc.aio
import msgspec

from referee.core import seeds
from referee.match.clock import Clock
from referee.match.match import Close
from referee.match.replay import Replay
from referee.match.transcript import Header, Transcript
from referee.shell.bot import read_bot
from referee.shell.process import BotProcess, no_sandbox
from referee.shell.seat import House
from referee.shell.table import Table
from referee.wire.codec import AnyCodec, GameEntry
from referee.wire.messages import encode
from referee.wire.registry import games

_ECHO = Path(__file__).parent / "echo_bot"
_CLOCK = Clock()
_OPTIONS = {"mode": "simple", "line_up": "1v1"}


class Padded(msgspec.Struct, frozen=True):
    """A codec whose views are longer by a field that no reader knows."""

    codec: AnyCodec
    padding: bytes

    def options(self, options: Any) -> bytes:
        return self.codec.options(options)

    def view(self, view: Any) -> bytes:
        return self.codec.view(view) + self.padding

    def action(self, action: Any) -> bytes:
        return self.codec.action(action)

    def event(self, event: Any) -> bytes:
        return self.codec.event(event)


def padded_entry(size: int) -> GameEntry:
    """Agent Avenue with `size` bytes more in every view."""
    entry = games()["agent-avenue"]
    # Field 1000, length-delimited, protobuf encoding.
    padding = b"\xc2\x3e" + _varint(size) + bytes(size) if size else b""
    return GameEntry(entry.game, Padded(entry.codec, padding))


def header(deal: int) -> Header:
    """The header of a match for measuring."""
    seed = seeds.child(seeds.from_text("bench"), str(deal))
    return Header(
        game="agent-avenue",
        rules_version=1,
        options=_OPTIONS,
        fixture=f"bench/{deal}",
        deal_seed=seed.hex(),
        match_id=seed[:8].hex(),
        bot_seeds=(seed[:16].hex(), seed[16:].hex()),
        entries=("echo@1", "echo@1"),
    )


class Cost(msgspec.Struct, frozen=True):
    """CPU seconds of the calling side, and what it did in them."""

    cpu_s: float
    wall_s: float
    decisions: int

    @property
    def cpu_us(self) -> float:
        """CPU microseconds a decision."""
        return self.cpu_s / self.decisions * 1e6


async def referee_cost(entry: GameEntry, matches: int) -> tuple[Cost, list[Transcript]]:
    """The cost of refereeing `matches` between two echo bots, after a warm-up; and what was played."""
    bot = read_bot(_ECHO)
    with tempfile.TemporaryDirectory() as run_dir:
        table = Table([bot, bot], House(Path(run_dir), no_sandbox, _CLOCK.start_ms))
        await table.play(entry, header(0), _CLOCK)
        cpu_s, wall_s = time.process_time(), time.perf_counter()
        played = [await table.play(entry, header(deal), _CLOCK) for deal in range(1, matches + 1)]
        cost = Cost(
            time.process_time() - cpu_s,
            time.perf_counter() - wall_s,
            sum(len(transcript.record.choices) for transcript in played),
        )
        await table.stop()
    return cost, played


def messages(entry: GameEntry, played: list[Transcript]) -> list[tuple[int, bytes, bool]]:
    """Everything that was sent in these matches: to which seat, the bytes, and whether it was answered."""
    sent = []
    for transcript in played:
        replay = Replay(entry.game, transcript)
        for step in replay.steps():
            message = encode(entry.codec, replay.match, step.request)
            sent.append((step.request.seat, message, not isinstance(step.request, Close)))
    return sent


async def floor_cost(sent: list[tuple[int, bytes, bool]], decisions: int) -> Cost:
    """The cost of a bare client that sends the same messages over two streams and waits for every answer."""
    with tempfile.TemporaryDirectory() as run_dir:
        bot = read_bot(_ECHO)
        processes = [await BotProcess.start(bot, Path(run_dir), no_sandbox) for _ in range(2)]
        channels = [grpc.aio.insecure_channel(process.address) for process in processes]
        streams = [channel.stream_stream("/referee_bot.v1.Bot/Play")(wait_for_ready=True) for channel in channels]
        for stream in streams:
            await stream.wait_for_connection()
        cpu_s, wall_s = time.process_time(), time.perf_counter()
        for seat, message, answered in sent:
            await streams[seat].write(message)
            if answered:
                await streams[seat].read()
        cost = Cost(time.process_time() - cpu_s, time.perf_counter() - wall_s, decisions)
        for channel, process in zip(channels, processes, strict=True):
            await channel.close()
            await process.bury()
    return cost


def paired(size: int, matches: int) -> tuple[Cost, Cost, int]:
    """Referee and floor, one after the other on one core; and the mean size of what was sent."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    entry = padded_entry(size)
    cost, played = asyncio.run(referee_cost(entry, matches))
    sent = messages(entry, played)
    return cost, asyncio.run(floor_cost(sent, cost.decisions)), sum(len(m) for _, m, _ in sent) // len(sent)


def _varint(number: int) -> bytes:
    low, high = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(high) if high else bytes([low])
