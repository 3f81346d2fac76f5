"""What a decision costs the referee's side, all included, against a bare client that sends the same messages.

Both sides run in this process, by turns, each with bots of its own and everything pinned to one core, so that both
find the machine in the same mood.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Awaitable
from pathlib import Path

from benchmarks.echoes import CLOCK, ECHO, BareTable, header, padded, script
from benchmarks.rows import Pair, Row, Target, paired_row
from referee.shell.bot import read_bot
from referee.shell.process import no_sandbox
from referee.shell.seat import House
from referee.shell.table import Table
from referee.wire.codec import GameEntry

_ROUNDS = 31
_MATCHES = 30
_WARM_UP = 3
_TARGETS = {300: Target(first=1.8, then=1.3), 2048: Target(first=2.5, then=1.7)}


def rows() -> list[Row]:
    """A row for each size of a decision."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return [
        paired_row(
            f"referee's CPU us / decision of {size} B, over a bare stream",
            asyncio.run(paired(padded(size), _WARM_UP + _ROUNDS, _MATCHES))[_WARM_UP:],
            "lower",
            target,
        )
        for size, target in _TARGETS.items()
    ]


async def paired(entry: GameEntry, rounds: int, matches: int) -> list[Pair]:
    """CPU microseconds a decision, referee and bare client, for `rounds` rounds of `matches` matches each."""
    bot = read_bot(ECHO)
    with tempfile.TemporaryDirectory() as run_dir:
        table = Table([bot, bot], House(Path(run_dir), no_sandbox, CLOCK.start_ms))
        async with BareTable() as bare:
            pairs = [await _pair(entry, table, bare, range(n * matches, (n + 1) * matches)) for n in range(rounds)]
        await table.stop()
    return pairs


async def _pair(entry: GameEntry, table: Table, bare: BareTable, deals: range) -> Pair:
    headers = [header(deal) for deal in deals]
    same = script(entry, headers)

    async def refereed() -> None:
        for each in headers:
            await table.play(entry, each, CLOCK)

    referee_us = await _cpu_us(refereed())
    bare_us = await _cpu_us(bare.play(same.sent))
    return Pair(referee_us / same.decisions, bare_us / same.decisions)


async def _cpu_us(work: Awaitable[None]) -> float:
    """CPU microseconds of this process, threads included, that `work` took."""
    began = time.process_time()
    await work
    return (time.process_time() - began) * 1e6
