"""How long after its limit a failing bot is judged and its process killed."""

import tempfile
import time
from pathlib import Path

import msgspec
import uvloop

from benchmarks.echoes import header
from benchmarks.rows import Row, Target, plain_row
from referee.files.bot_folder import Visible
from referee.files.manifest import Manifest
from referee.match.conversation import Failed, Reply
from referee.match.match import Match, Request
from referee.match.terms import Clock
from referee.runtime.confinement import Unconfined
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import LocalBot
from referee.runtime.table import Table
from referee.wire.registry import games

_ROUNDS = 5
_LIMIT_MS = 500
_CLOCK = Clock(move_ms=_LIMIT_MS)
_FOLDER = Path(__file__).parent / "misbehaving_bot"
_TARGET = Target(first=1.1, then=0.2)

_WAITED_FOR = {"hang": "hangs", "drip": "sends its answer byte by byte"}
"""Bots that could still answer until the limit is over."""

_CLEAR_AT_ONCE = {"flood": "floods the stream", "dead": "dies"}
"""Bots that fail as soon as they are asked. Their time counts from the question, not from the limit."""


def rows() -> list[Row]:
    """A row for each way to fail."""
    late = [_row(way, f"{does}: s after its limit", _LIMIT_MS) for way, does in _WAITED_FOR.items()]
    soon = [_row(way, f"{does}: s after the question", 0) for way, does in _CLEAR_AT_ONCE.items()]
    return late + soon


def _row(way: str, name: str, from_ms: int) -> Row:
    times = [uvloop.run(verdict_s(way)) - from_ms / 1000 for _ in range(_ROUNDS)]
    return plain_row(f"verdict on a bot that {name}", times, "lower", _TARGET)


def misbehaving(way: str) -> LocalBot:
    """The bot that fails in this way."""
    run = ["{python}", "bot.py", "{address}", way]
    about = {"name": way, "version": "1", "author": "Referee", "games": ["*"], "run": run}
    return LocalBot(_FOLDER, msgspec.convert(about, Manifest), Visible(_FOLDER))


async def verdict_s(way: str) -> float:
    """Seconds from the question that the bot fails at to the verdict, with its process killed."""
    watch = _Watch()
    bot = misbehaving(way)
    with tempfile.TemporaryDirectory() as run_dir:
        table = Table([bot, bot], HostSettings(Path(run_dir), Unconfined(), _CLOCK.start_ms))
        await table.play(games()["agent-avenue"], header(0), _CLOCK, watch.see)
    return watch.verdict_s


class _Watch:
    """Notes the time after each reply, to know how long the failing one took."""

    def __init__(self) -> None:
        self.verdict_s = float("nan")
        self._last_s = 0.0

    def see(self, _match: Match, _request: Request, reply: Reply | None) -> None:
        """A `Narrator`."""
        now_s = time.perf_counter()
        if isinstance(reply, Failed):
            self.verdict_s = now_s - self._last_s
        self._last_s = now_s
