"""A node measures itself: how long a bot that does nothing takes to start and to answer, and how late timers are.

The bot is confined as those of the league are, and shares its core with the process that asks it, as in a match.
"""

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path

from referee.core.errors import CannotStart, Void
from referee.match.conversation import Chosen, SeatQuestion
from referee.runtime.bot_stream import BotStream, NoDescription
from referee.runtime.host import Host, HostSettings
from referee.runtime.local_bot import read_bot
from referee.wire.messages import bytes_field, number_field
from tournaments.play.nodes.speed_limits import SpeedMeasurement

ECHO = Path(__file__).parent / "echo_bot"

PATIENCE_S = 60.0
"""How long all of it may take. A node that takes longer is too slow for any clock."""

_ECHOES = 100
_VIEW_BYTES = 300
"""The size of a question: that of a decision of Agent Avenue."""

_TICK_S = 0.01


class _NoAnswer(Exception):
    """The bot that does nothing did not do even that."""


async def measured(hosting: HostSettings) -> SpeedMeasurement:
    """How quick this machine is, on the core of this thread. It takes half a second on a quick one.

    Raises:
        CannotStart: this machine can start nothing.
    """
    late_ms: list[float] = []
    ticking = asyncio.create_task(_tick(late_ms))
    try:
        async with asyncio.timeout(PATIENCE_S):
            start_ms, echoes_ms = await _echoed(hosting)
    except CannotStart:
        raise
    except (TimeoutError, Void, NoDescription, _NoAnswer):
        start_ms, echoes_ms = PATIENCE_S * 1_000, [PATIENCE_S * 1_000]
    finally:
        ticking.cancel()
    return SpeedMeasurement(start_ms, _ninth_tenth(echoes_ms), _ninth_tenth(late_ms or [0.0]), os.getloadavg()[0])


async def _echoed(hosting: HostSettings) -> tuple[float, list[float]]:
    """How long the bot took until it could be called, and to answer each question."""
    began_s = time.monotonic()
    host = await read_bot(ECHO).host(hosting)
    try:
        return await _asked(host, began_s)
    finally:
        await host.kill_now()


async def _asked(host: Host, began_s: float) -> tuple[float, list[float]]:
    line = BotStream(await host.peer(), host.kill, host)
    try:
        await line.describe(None)
        start_ms = _ms_since(began_s)
        line.open()
        await line.ask(SeatQuestion(0), bytes_field(1, b""), int(PATIENCE_S * 1_000))  # MatchStart
        return start_ms, [await _echo(line, number) for number in range(1, _ECHOES + 1)]
    finally:
        await line.drop()


async def _echo(line: BotStream, number: int) -> float:
    """How long it takes to be answered, by the clock on the wall: no time is given back."""
    view = bytes_field(2, bytes(_VIEW_BYTES))
    question = bytes_field(2, number_field(1, number) + view + bytes_field(3, b""))
    began_s = time.monotonic()
    reply, _ = await line.ask(SeatQuestion(number, legal=1), question, int(PATIENCE_S * 1_000))
    if not isinstance(reply, Chosen):
        raise _NoAnswer
    return _ms_since(began_s)


async def _tick(late_ms: list[float]) -> None:
    """Note how late timers are, one after the other."""
    while True:
        began_s = time.monotonic()
        await asyncio.sleep(_TICK_S)
        late_ms.append(max(0.0, _ms_since(began_s) - _TICK_S * 1_000))


def _ms_since(then_s: float) -> float:
    return (time.monotonic() - then_s) * 1_000


def _ninth_tenth(values: Sequence[float]) -> float:
    """The value that nine of ten values do not exceed."""
    return sorted(values)[(len(values) * 9 - 1) // 10]
