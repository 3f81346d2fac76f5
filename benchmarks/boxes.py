"""What a box costs: at the start of a bot, and at every decision. Bots in boxes and bots without play by turns."""

import asyncio
import tempfile
import time
from pathlib import Path

import uvloop

from benchmarks.echoes import CLOCK, header, padded
from benchmarks.rows import Pair, Row, Target, paired_row, plain_row
from benchmarks.start import start_ms
from referee.runtime.confinement import Confinement, Unconfined
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import read_bot
from referee.runtime.sandbox.bubblewrap import Bubblewrap
from referee.runtime.sandbox.self_test import obstacle
from referee.runtime.table import Table
from referee.wire.codec import GameEntry
from tournaments.play.nodes.self_test import ECHO

_STARTS = 15
_ROUNDS = 11
_MATCHES = 40
_WARM_UP = 2
_DECISION_BYTES = 300


def rows() -> list[Row]:
    """The rows; none where no boxes can be made."""
    if obstacle() is not None:
        return []
    bot = read_bot(Path("sample_bots/python/random"))
    starts = [Pair(*(uvloop.run(start_ms(bot, kind)) for kind in (Bubblewrap(), Unconfined()))) for _ in range(_STARTS)]
    above = [pair.value - pair.floor for pair in starts]
    return [
        plain_row("start of a boxed bot over one without a box: ms", above, "lower", Target(first=15, then=10)),
        paired_row(f"decision of {_DECISION_BYTES} B in boxes, over one without: us", decisions(), "lower"),
    ]


def decisions() -> list[Pair]:
    """Microseconds of a decision, from question to answer, in boxes and without."""
    entry = padded(_DECISION_BYTES)
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        boxed, plain = (runner.run(_table(Path(folder), kind)) for kind in (Bubblewrap(), Unconfined()))
        pairs = [Pair(runner.run(_us(entry, boxed, n)), runner.run(_us(entry, plain, n))) for n in range(_ROUNDS)]
        for table in (boxed, plain):
            runner.run(table.stop())
    return pairs[_WARM_UP:]


async def _table(folder: Path, kind: Confinement) -> Table:
    """A table of this loop."""
    return Table([read_bot(ECHO)] * 2, HostSettings(folder, kind, CLOCK.start_ms))


async def _us(entry: GameEntry, table: Table, n: int) -> float:
    """Wall-clock microseconds of a decision, on average over some matches."""
    asked = 0
    began = time.perf_counter()
    for deal in range(n * _MATCHES, (n + 1) * _MATCHES):
        asked += sum((await table.play(entry, header(deal), CLOCK)).decisions)
    return (time.perf_counter() - began) * 1e6 / asked
