"""What line bots cost: the processor time of a whole league a decision, the start of a bot, and the encoding.

Processor time is that of all processes. Its start is left out: the figure is the difference between a long league and a
short one, over the difference of their decisions.
"""

import json
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import uvloop

from benchmarks.encoding import encoding_us, matches_of
from benchmarks.kernel import kernel_rate
from benchmarks.rows import Pair, Row, Target, paired_row
from benchmarks.rules import CASES
from benchmarks.start import start_ms
from referee.runtime.confinement import Unconfined
from referee.runtime.local_bot import read_bot
from referee.wire.dialects import LINES
from referee.wire.registry import games

_SAMPLES = Path("sample_bots")
_REFEREE = str(Path(sys.executable).with_name("referee"))
_ROUNDS = 5
_DEALS = (3_000, 9_000)
_WORKERS = 2
_ENCODED = 5_000
_WARM_UP = 20_000
_KERNEL_STEPS = 100_000


class Entrant(NamedTuple):
    """A kind of bots, in which a league is played.

    Attributes:
        folder: the bot, which is copied.
        batch: how many matches are played at once.
        build: the command that builds it.
    """

    folder: Path
    batch: int = 1
    build: tuple[str, ...] = ()


GRPC = Entrant(_SAMPLES / "python" / "random")
PYTHON = Entrant(_SAMPLES / "lines" / "python")
IN_C = Entrant(_SAMPLES / "lines" / "c", build=("sh", "-c", "mkdir -p build && gcc -O2 -o build/bot bot.c"))


def rows() -> list[Row]:
    """The rows."""
    what = "CPU us of all processes a decision, over gRPC bots in Python"
    found = [
        paired_row(f"line bots in Python: {what}", _pairs(PYTHON, GRPC), "lower", Target(first=0.7, then=0.62)),
        paired_row("start of a line bot in Python: ms, over the start of a gRPC bot", _starts(), "lower"),
        *_encoding_rows(),
    ]
    if shutil.which("gcc"):
        found.insert(1, paired_row(f"line bots in C: {what}", _pairs(IN_C, GRPC), "lower"))
    return found


def _pairs(one: Entrant, other: Entrant) -> list[Pair]:
    return [Pair(decision_us(one), decision_us(other)) for _ in range(_ROUNDS)]


def decision_us(entrant: Entrant, deals: tuple[int, int] = _DEALS) -> float:
    """CPU microseconds of all processes of a league of two such bots at Agent Avenue, for each further decision."""
    (short_s, few), (long_s, many) = (_league(entrant, each) for each in deals)
    return (long_s - short_s) * 1e6 / (many - few)


def _league(entrant: Entrant, deals: int) -> tuple[float, int]:
    """The processor seconds of a league, and its decisions."""
    with tempfile.TemporaryDirectory() as name:
        folder, entered = Path(name), ""
        for bot in ("one", "two"):
            shutil.copytree(entrant.folder, folder / bot)
            manifest = folder / bot / "bot.toml"
            lines = manifest.read_text(encoding="utf-8").splitlines()
            manifest.write_text(
                "\n".join([f'name = "{bot}"', *(line for line in lines if not line.startswith("name"))]) + "\n",
                encoding="utf-8",
            )
            if entrant.build:
                subprocess.run(entrant.build, cwd=folder / bot, check=True)
            entered += f'[[bots]]\npath = "{bot}"\n'
        head = f'name = "lines"\ngame = "agent-avenue"\ndeals = {deals}\nrehearsal = true\nseed = "lines"\n'
        batch = f"batch = {entrant.batch}\n" if entrant.batch > 1 else ""
        tables = '[[tables]]\nname = "simple"\nseats = 2\n'
        league = folder / "league.toml"
        league.write_text(f'{head}{batch}sandbox = "none"\n{entered}{tables}', encoding="utf-8")
        command = [_REFEREE, "league", "run", str(league), "--workers", str(_WORKERS)]
        before = _children_s()
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        used = _children_s() - before
        return used, _decisions(folder)


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _decisions(folder: Path) -> int:
    command = [_REFEREE, "league", "matches", "league.toml", "--json"]
    matches = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.splitlines()
    return sum(sum(json.loads(match)["decisions"]) for match in matches)


def _starts() -> list[Pair]:
    bots = [read_bot(entrant.folder) for entrant in (PYTHON, GRPC)]
    return [Pair(*(uvloop.run(start_ms(bot, Unconfined())) for bot in bots)) for _ in range(_ROUNDS)]


def _encoding_rows() -> list[Row]:
    """A decision as JSON with names, over a step of the fixed kernel."""
    found = []
    for case in CASES:
        codec, matches = games()[case.game].codec, matches_of(case)
        encoding_us(codec, matches, _WARM_UP, LINES)
        values = [encoding_us(codec, matches, _ENCODED, LINES) for _ in range(_ROUNDS)]
        pairs = [Pair(value, 1e6 / kernel_rate(_KERNEL_STEPS)) for value in values]
        what = "CPU us / decision, over a step of a fixed kernel"
        found.append(paired_row(f"encoding in lines, {case.name}: {what}", pairs, "lower"))
    return found
