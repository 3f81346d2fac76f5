"""How long a bot takes to start."""

import tempfile
import time
from pathlib import Path

import uvloop

from benchmarks.echoes import CLOCK
from benchmarks.rows import Row, plain_row
from referee.shell.confinement import Unconfined
from referee.shell.host import Bot, Hosting
from referee.shell.local import read_bot
from referee.shell.seat import SeatedBot

_ROUNDS = 7
_BOT = Path("sample_bots/python/random")


def rows() -> list[Row]:
    """The row."""
    bot = read_bot(_BOT)
    times = [uvloop.run(start_ms(bot)) for _ in range(_ROUNDS)]
    return [plain_row("start of a bot in Python (the sample bot random): ms", times, "lower")]


async def start_ms(bot: Bot) -> float:
    """From nothing to having been asked who it is."""
    with tempfile.TemporaryDirectory() as run_dir:
        seat = SeatedBot(bot, Hosting(Path(run_dir), Unconfined(), CLOCK.start_ms))
        began = time.perf_counter()
        await seat.start()
        elapsed_ms = (time.perf_counter() - began) * 1000
        assert seat.alive
        await seat.stop()
    return elapsed_ms
