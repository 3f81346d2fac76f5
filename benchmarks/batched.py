"""Whole leagues in batches, on two cores: decisions per second compared with bare clients that play match by match.

The bot of the rows with targets is the C++ starter, which hardly thinks: it is written and built as its users do it.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from benchmarks.leagues import bare_rate, echo_league, played, scripts
from benchmarks.rows import Missing, Pair, Row, Target, missing_row, paired_row, plain_row
from referee.wire.registry import games
from tournaments.league.model import Entry, League, TableSpec
from tournaments.play.nodes.self_test import ECHO

_ROUNDS = 3
_DEALS = 15_000  # both ways: some seconds
_BARE_DEALS = 1_500
_FIVE_SEATED_DEALS = 1_000
_TARGETS = {64: Target(first=3, then=4), 256: Target(first=3.5, then=4.5)}
_FIVE = "decisions / s of Inside Job, five seats, batches of 64, C++ bots"
_NEEDED = ("g++", "make", "pkg-config", "protoc", "grpc_cpp_plugin")


def rows() -> list[Row]:
    """The leagues of a compiled bot over their floor, and those of a Python bot and of five seats, which have none."""
    found = []
    try:
        with _compiled() as bot:
            found += [_over_bare_clients(bot, size) for size in _TARGETS]
            found.append(plain_row(_FIVE, _rates(_five_seated(bot)), "higher"))
    except Missing as why:
        found = [missing_row(name, "higher", why) for name in (*map(_name, _TARGETS), _FIVE)]
    python = _rates(_league(ECHO, _DEALS, 64))
    return [*found, plain_row("decisions / s of a league in batches of 64, Python echo bots", python, "higher")]


def _over_bare_clients(bot: Path, size: int) -> Row:
    league, bare = _league(bot, _DEALS, size), scripts(echo_league(_BARE_DEALS))
    pairs = [Pair(played(league).decisions_a_second, bare_rate(bare)) for _ in range(_ROUNDS)]
    return paired_row(_name(size), pairs, "higher", _TARGETS[size])


def _name(size: int) -> str:
    return f"decisions / s of a league in batches of {size}, C++ bots, over bare clients"


def _rates(league: League) -> list[float]:
    return [played(league).decisions_a_second for _ in range(_ROUNDS)]


def _league(bot: Path, deals: int, batch: int) -> League:
    return replace(echo_league(deals), entries=_entries(bot, 2), batch=batch)


def _five_seated(bot: Path) -> League:
    game = games()["inside-job"].game
    return replace(
        _league(bot, _FIVE_SEATED_DEALS, 64),
        game=game.name,
        rules_version=game.rules_version,
        draw_probability=game.draw_probability,
        tables=(TableSpec("five", 5, msgspec.to_builtins(game.options_type())),),
        entries=_entries(bot, 5),
    )


def _entries(bot: Path, number: int) -> tuple[Entry, ...]:
    return tuple(Entry(f"{bot.name}-{name}@1", str(bot)) for name in "abcde"[:number])


@contextmanager
def _compiled() -> Iterator[Path]:
    """The folder of the C++ starter, newly built.

    Raises:
        Missing: it cannot be built here.
    """
    if missing := [program for program in _NEEDED if shutil.which(program) is None]:
        raise Missing(f"the C++ starter needs {', '.join(missing)}")
    with tempfile.TemporaryDirectory() as folder:
        bot, referee = Path(folder) / "thin", Path(sys.executable).with_name("referee")
        for command in ("new", "cpp"), ("build",):
            done = subprocess.run([referee, *command, bot], capture_output=True, check=False)
            if done.returncode:
                raise Missing("the C++ starter could not be built")
        yield bot
