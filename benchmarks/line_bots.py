"""What line bots cost: the processor time of a decision in whole leagues, the start of a bot, and the encoding.

The bots in Python are starters. The one in C reads the same lines (peers/line_bot.c). Processor time is that of all
processes. All is measured
by turns, so that a row and its floor have the same neighbours.
"""

import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import uvloop
from msgspec.structs import replace

from benchmarks.bot_servers import FIRST, LAST
from benchmarks.encoding import encoding_us, matches_of
from benchmarks.kernel import kernel_rate
from benchmarks.leagues import echo_league
from benchmarks.peers.pipes import compiled, cpu_us_a_move
from benchmarks.rows import Missing, Pair, Row, Target, missing_row, paired_row
from benchmarks.rules import CASES
from benchmarks.shares import spent_in_all_s, spent_us
from referee.match.header import single
from referee.match.match import Close
from referee.match.terms import Clock
from referee.runtime.confinement import Unconfined
from referee.runtime.local_bot import read_bot
from referee.runtime.table import play_once
from referee.wire.dialects import LINES
from referee.wire.registry import games
from tournaments.league.model import Entry, League, TableSpec
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run

_SAMPLES = Path("sample_bots")
_ROUNDS = 5
_AT_ONCE = 64
_AGONIA_DEALS = 150
_AGONIA_FIRST = 10
_SHORT_DEALS = 2
_BARE_MATCHES = 500
_GAMES = 2_000
_ENCODED = 5_000
_WARM_UP = 20_000
_KERNEL_STEPS = 100_000

_MANIFEST = f"""\
name = "fast"
version = "1"
author = "benchmark"
games = ["*"]
protocol = "lines"
run = ["./bot"]
max_batch = {_AT_ONCE}
"""

Measure = Callable[[], float]
"""Measures one figure."""


class Comparison(NamedTuple):
    """A row: what is measured over what, by their names among the measures."""

    name: str
    value: str
    floor: str
    target: Target | None = None


_COST = "CPU us of all processes a decision"
_OVER = "over gRPC bots in Python"
COMPARISONS = (
    Comparison(f"line bots in Python: {_COST}, {_OVER}", "python", "grpc", Target(first=0.7, then=0.62)),
    Comparison(f"line bots in Python, Agonía: {_COST}, {_OVER}", "python agonia", "grpc agonia"),
    Comparison(f"line bots in C: {_COST}, {_OVER}", "c", "grpc"),
    Comparison(f"line bots in C, Agonía: {_COST}, {_OVER}", "c agonia", "grpc agonia"),
    Comparison(f"line bots in C, {_AT_ONCE} matches at once: {_COST}, over one at once", "c at once", "c"),
    Comparison(f"line bots in C: {_COST}, over a move of C engines over pipes", "c", "move", Target(first=17, then=9)),
    Comparison(f"line bots in C: {_COST}, over a bare client in Python", "c", "bare", Target(first=12, then=8)),
    Comparison("line bots in C: CPU us of the runner a decision, over a step of a fixed kernel", "c runner", "step"),
    Comparison(
        f"start of a line bot in Python with -I -S: CPU ms, {_OVER}", "isolated start", "grpc start", Target(0.6, 0.5)
    ),
    Comparison(
        f"a league of {_SHORT_DEALS} deals, line bots in Python: CPU s, {_OVER}",
        "python short",
        "grpc short",
        Target(1.1, 1.0),
    ),
)
ENCODED = {"Agent Avenue simple": 7.7, "Inside Job, 4 players": 6.4, "Agonía, 3 players": 19.2}
"""Steps of the kernel that encoding a decision may cost. They are 6, 5 and 15 us."""


def rows() -> list[Row]:
    """The rows."""
    with tempfile.TemporaryDirectory() as name:
        measures, without_c = measures_in(Path(name))
        rounds = [{each: measure() for each, measure in measures.items()} for _ in range(_ROUNDS)]
    found = [_row(each, rounds, without_c) for each in COMPARISONS]
    return [*found, *(_encoding_row(name, steps) for name, steps in ENCODED.items())]


def _row(comparison: Comparison, rounds: list[dict[str, float]], without_c: Missing | None) -> Row:
    name, value, floor, target = comparison
    if without_c is not None and not {value, floor} <= rounds[0].keys():
        return missing_row(name, "lower", without_c)
    return paired_row(name, [Pair(each[value], each[floor]) for each in rounds], "lower", target)


def measures_in(folder: Path) -> tuple[dict[str, Measure], Missing | None]:
    """By name, all that is measured, with bots made in this folder; why those in C are not there, if they are not."""
    bots = {
        "grpc": _SAMPLES / "python" / "random",
        "python": _SAMPLES / "lines" / "python",
        "isolated": _changed(_SAMPLES / "lines" / "python", folder / "isolated", {'"bot.py"': '"-I", "-S", "bot.py"'}),
    }
    without_c, measures = None, _measures_of(bots)
    try:
        programs = compiled(folder)
        bots["c"] = _bot_of(programs.line_bot, folder / "c")
        measures |= _measures_of({"c": bots["c"]}) | {
            "c at once": partial(_all_spent_us, replace(league_of(bots["c"]), batch=_AT_ONCE), FIRST),
            "c runner": lambda: spent_us(league_of(bots["c"]), FIRST).runner,
            "bare": partial(bare_us, bots["c"]),
            "move": partial(cpu_us_a_move, programs, _GAMES),
        }
    except Missing as missing:
        without_c = missing
    return measures | {"step": lambda: 1e6 / kernel_rate(_KERNEL_STEPS)}, without_c


def _changed(bot: Path, copy: Path, replaced: Mapping[str, str]) -> Path:
    """A copy of a bot, with other words in its bot.toml."""
    shutil.copytree(bot, copy)
    manifest = copy / "bot.toml"
    text = manifest.read_text(encoding="utf-8")
    for old, new in replaced.items():
        text = text.replace(old, new)
    manifest.write_text(text, encoding="utf-8")
    return copy


def _bot_of(program: Path, folder: Path) -> Path:
    """A folder with a line bot that is this program."""
    folder.mkdir()
    shutil.copy(program, folder / "bot")
    (folder / "bot.toml").write_text(_MANIFEST, encoding="utf-8")
    return folder


def _measures_of(bots: Mapping[str, Path]) -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for name, bot in bots.items():
        found[name] = partial(_all_spent_us, league_of(bot), FIRST)
        found[f"{name} agonia"] = partial(_all_spent_us, agonia_of(bot), _AGONIA_FIRST)
        found[f"{name} short"] = partial(league_s, replace(league_of(bot), deals=_SHORT_DEALS))
        found[f"{name} start"] = partial(start_ms, bot)
    return found


def _all_spent_us(league: League, first: int) -> float:
    return sum(spent_us(league, first))


def league_of(bot: Path) -> League:
    """A league of Agent Avenue in which a bot plays against itself."""
    return replace(echo_league(LAST.stop, bot), entries=_entries(bot))


def _entries(bot: Path) -> tuple[Entry, ...]:
    return tuple(Entry(f"{label}@1", str(bot)) for label in ("a", "b"))


def agonia_of(bot: Path) -> League:
    """A league of Agonía in which a bot plays with itself."""
    game = games()["agonia"].game
    options = {"board": "main", "characters": "drawn"}
    table = TableSpec("two", 2, options, sides=tuple(side.seats for side in game.sides(game.options_type(), 2)))
    return replace(
        league_of(bot),
        game=game.name,
        rules_version=game.rules_version,
        draw_probability=game.draw_probability,
        deals=_AGONIA_DEALS,
        tables=(table,),
    )


def league_s(league: League) -> float:
    """The processor seconds of a league, from opening it to its end."""
    before = spent_in_all_s()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_run(league, f"sqlite:///{folder}/bench.sqlite", LocalEnvironment()) as run,
    ):
        for _ in run.play():
            pass
    return spent_in_all_s() - before


def start_ms(folder: Path) -> float:
    """The processor milliseconds of a bot from its start to the end of its first match."""
    entry, bot = games()["agent-avenue"], read_bot(folder)
    header = single(entry.game, entry.game.options_type(), ("a@1", "b@1"), "start")
    before = _children_s()
    uvloop.run(play_once(entry, [bot, bot], header, Clock(), Unconfined()))
    return (_children_s() - before) / 2 * 1e3


def bare_us(folder: Path) -> float:
    """The processor microseconds of a bot and a blocking client, on one core, a decision of a seat's messages."""
    bot, codec = read_bot(folder), games()[CASES[0].game].codec
    sent = [
        (bot.dialect.encode(codec, match, request), not isinstance(request, Close))
        for match, requests in islice(matches_of(CASES[0]), _BARE_MATCHES)
        for request in requests
        if request.seat == 0
    ]
    cores, before = os.sched_getaffinity(0), _children_s()
    os.sched_setaffinity(0, {min(cores)})
    with subprocess.Popen(bot.command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to_bot, from_bot = process.stdin.fileno(), process.stdout.fileno()
        began = time.process_time()
        for message, has_answer in sent:
            os.write(to_bot, message)
            if has_answer:
                os.read(from_bot, 64)
        spent_s = time.process_time() - began
        process.stdin.close()
    os.sched_setaffinity(0, cores)
    return (spent_s + _children_s() - before) * 1e6 / sum(has_answer for _, has_answer in sent)


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _encoding_row(name: str, steps: float) -> Row:
    """Encoding a decision in lines, over a step of the fixed kernel."""
    case = next(case for case in CASES if case.name == name)
    codec, matches = games()[case.game].codec, matches_of(case)
    encoding_us(codec, matches, _WARM_UP, LINES)
    pairs = [
        Pair(encoding_us(codec, matches, _ENCODED, LINES), 1e6 / kernel_rate(_KERNEL_STEPS)) for _ in range(_ROUNDS)
    ]
    what = f"encoding in lines, {name}: CPU us / decision, over a step of a fixed kernel"
    return paired_row(what, pairs, "lower", Target(first=round(1.5 * steps, 1), then=steps))
