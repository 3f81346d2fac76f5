"""What a decision costs on the referee's side, all included, compared with a bare client that sends the same messages.

Both run in this process, by turns, each with its own bots and its own event loop (the referee's is uvloop's, as in a
worker; the bare client's is asyncio's). Everything is pinned to one core, so that both find the machine in the same
state. The memory addresses that a process happens to get can make it a tenth faster or slower, so several processes
measure.
"""

import asyncio
import multiprocessing
import os
import tempfile
import time
from collections.abc import Coroutine
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import uvloop

from benchmarks.echoes import AIO, CLOCK, BareTable, header, padded, script
from benchmarks.rows import Pair, Row, Target, paired_row
from referee.match.transcript import Header
from referee.runtime.confinement import Unconfined
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import read_bot
from referee.runtime.table import Table
from referee.wire.codec import GameEntry

_PROCESSES = 5
_ROUNDS = 13
_MATCHES = 30
_WARM_UP = 3
_TARGETS = {300: Target(first=1.5, then=1.35), 2048: Target(first=2.5, then=1.7)}


def rows() -> list[Row]:
    """A row for each size of a decision."""
    return [
        paired_row(f"referee's CPU us / decision of {size} B, over a bare stream", _pairs(size), "lower", target)
        for size, target in _TARGETS.items()
    ]


def _pairs(size: int) -> list[Pair]:
    """The pairs that all processes measured."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as one_by_one:
        parts = one_by_one.map(_pairs_of_a_process, [size] * _PROCESSES)
        return [pair for part in parts for pair in part]


def _pairs_of_a_process(size: int) -> list[Pair]:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return paired(padded(size), _WARM_UP + _ROUNDS, _MATCHES)[_WARM_UP:]


def paired(entry: GameEntry, rounds: int, matches: int) -> list[Pair]:
    """CPU microseconds per decision of referee and bare client, for `rounds` rounds of `matches` matches each."""
    bot = read_bot(AIO)
    with (
        tempfile.TemporaryDirectory() as run_dir,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as referee,
        asyncio.Runner() as client,
    ):
        table = Table([bot, bot], HostSettings(Path(run_dir), Unconfined(), CLOCK.start_ms))
        bare = client.run(BareTable().__aenter__())
        pairs = []
        for n in range(rounds):
            headers = [header(deal) for deal in range(n * matches, (n + 1) * matches)]
            same = script(entry, headers)
            referee_us = _cpu_us(referee, _refereed(entry, table, headers))
            bare_us = _cpu_us(client, bare.play(same.sent))
            pairs.append(Pair(referee_us / same.decisions, bare_us / same.decisions))
        referee.run(table.stop())
        client.run(bare.__aexit__(None, None, None))
    return pairs


async def _refereed(entry: GameEntry, table: Table, headers: list[Header]) -> None:
    for each in headers:
        await table.play(entry, each, CLOCK)


def _cpu_us(runner: asyncio.Runner, work: Coroutine[None, None, None]) -> float:
    """CPU microseconds of this process, threads included, that `work` took."""
    began = time.process_time()
    runner.run(work)
    return (time.process_time() - began) * 1e6
