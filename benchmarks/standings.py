"""How long a table of a long league takes, from the store to the last line, and how long if it is asked for again."""

import subprocess
import sys
import tempfile
import time

import numpy as np
from msgspec.structs import replace

from benchmarks.leagues import echo_league
from benchmarks.rows import Row, Target, plain_row
from referee.core.outcome import Outcome
from referee.match.clock import Clock
from referee.match.transcript import Aside, Choice, Record, Transcript
from tournaments import seeding
from tournaments.formats.format import Nothing
from tournaments.formats.round_robin import RoundRobin
from tournaments.model import Entry, Fixture, League, finished
from tournaments.pins import Content
from tournaments.rating.scale import BETA
from tournaments.store import Store

_BOTS = 50
_DEALS = 41  # 50 bots play 2,450 matches on each
_SPAN = 15.0
_ROUNDS = 3
_SEED = bytes(32)
_CHOICES = tuple(Choice(number % 2, number % 3) for number in range(30))
_ASK = """
import sys
from benchmarks.standings import long_league
from tournaments.kept import to_read
with to_read(long_league(), sys.argv[1]) as kept:
    assert len(kept.standings().standings) == 50
"""


def rows() -> list[Row]:
    """The row of the first question, and that of the next."""
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{folder}/bench.sqlite"
        matches = _fill(store)
        first, again = [], []
        for _ in range(_ROUNDS):
            first.append(_asked_s(store))
            again.append(_asked_s(store))
            _forget(store)
    what = f"standings with intervals of {matches:,} matches, {_BOTS} bots"
    return [
        plain_row(f"{what}, first time: s", first, "lower", Target(first=5, then=2)),
        plain_row(f"{what}, again: s", again, "lower", Target(first=0.5, then=0.2)),
    ]


def long_league() -> League:
    """Fifty bots; nobody has played them."""
    entries = tuple(Entry(f"bot{number:02}@1", f"/bots/{number}") for number in range(_BOTS))
    return replace(echo_league(_DEALS), entries=entries)


def _fill(url: str) -> int:
    """Store the results of the league; returns how many."""
    league = long_league()
    wave = RoundRobin(league).wave(0, Nothing())
    assert wave is not None
    rng = np.random.default_rng(1)
    strength = {entry.name: _SPAN * number / _BOTS for number, entry in enumerate(league.entries)}
    with Store(url, league.name) as store:
        store.open_league(league, {entry.name: Content("tree", "built") for entry in league.entries}, _SEED, 0)
        for fixture in wave:
            mine, other = (strength[name] + rng.normal(0, BETA) for name in fixture.entries)
            store.save([finished(fixture, _transcript(league, fixture, (1, 2) if mine > other else (2, 1)))], 0)
    return len(wave)


def _transcript(league: League, fixture: Fixture, places: tuple[int, int]) -> Transcript:
    record = Record(seeding.header(league, _SEED, fixture), (), _CHOICES, (), Outcome("captured", places, ()))
    return Transcript(record, Aside(Clock(), (), (), ("/a", "/b")))


def _asked_s(url: str) -> float:
    """Seconds in a new process, with all that it imports."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", _ASK, url], check=True)
    return time.perf_counter() - begun


def _forget(url: str) -> None:
    """Take the kept table out of the store."""
    with Store(url, long_league().name) as store:
        store.keep("standings", "forgotten", b"")
