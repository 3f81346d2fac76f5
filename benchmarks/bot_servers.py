"""What a bot in Python costs that `referee_bot.serve` serves, compared with one that gRPC's own library serves.

Both do nothing. Their leagues and starts are measured by turns.
"""

from collections.abc import Callable
from pathlib import Path

import uvloop
from msgspec.structs import replace

from benchmarks.echoes import AIO
from benchmarks.leagues import echo_league, played
from benchmarks.rows import Pair, Row, Target, paired_row
from benchmarks.shares import spent_us
from benchmarks.start import start_ms
from referee.runtime.confinement import Unconfined
from referee.runtime.local_bot import read_bot
from tournaments.league.model import MATCHES_A_START
from tournaments.play.nodes.self_test import ECHO
from tournaments.schedule.formats.wave import pieces

_ROUNDS = 5
LAST = next(piece for piece in pieces(range(4 * MATCHES_A_START)) if len(piece) == MATCHES_A_START)
"""The last deals of the league. Their matches share a start."""
FIRST = 2 * LAST.start + 20  # the first match that counts: both workers play the last deals
_FRESH_DEALS = 40  # each of their matches starts two bots

_CPU = Target(first=0.4, then=0.33)
_START = Target(first=0.65, then=0.55)
_FRESH = Target(first=1.5, then=1.8)


def rows() -> list[Row]:
    """The rows."""
    over = "over bots on grpc.aio"
    return [
        paired_row(f"CPU us / decision of bots in Python without starts, {over}", _pairs(bots_us), "lower", _CPU),
        paired_row(f"start of a bot in Python: ms, {over}", _pairs(echo_start_ms), "lower", _START),
        paired_row(f"matches / s of a league with `fresh`, {over}", _pairs(fresh_rate), "higher", _FRESH),
    ]


def _pairs(measure: Callable[[Path], float]) -> list[Pair]:
    return [Pair(measure(ECHO), measure(AIO)) for _ in range(_ROUNDS)]


def bots_us(bot: Path) -> float:
    """The processor time of the bots in a decision of a league, without starts."""
    return spent_us(echo_league(LAST.stop, bot), FIRST).bots


def echo_start_ms(bot: Path) -> float:
    """Milliseconds from starting a bot to its answer to Describe."""
    return uvloop.run(start_ms(read_bot(bot), Unconfined()))


def fresh_rate(bot: Path) -> float:
    """Matches per second of a league that starts its bots anew for every match."""
    return played(replace(echo_league(_FRESH_DEALS, bot), fresh=True)).matches_a_second
