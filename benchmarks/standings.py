"""How long a table of a long league takes, from the command to its last line, and how long if it is asked for again."""

import itertools
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
from msgspec.structs import replace

from benchmarks.kernel import reference_second
from benchmarks.leagues import echo_league
from benchmarks.rows import Pair, Row, Target, paired_row
from referee.api.matches import play
from referee.core.outcome import Outcome
from referee.match.transcript import Transcript
from tournaments.league import league_seed
from tournaments.league.model import Entry, FinishedMatch, League, finished
from tournaments.play.loop import MOST
from tournaments.rating.scale import BETA
from tournaments.results.computed_tables import STANDINGS
from tournaments.results.league_location import league_in, store_of
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.round_robin import RoundRobin
from tournaments.store import Store
from tournaments.store.pinned_league import Content

_BOTS = 50
_DEALS = 41  # 50 bots play 2,450 matches on each
_SPAN = 15.0
_ROUNDS = 5
_SEED = bytes(32)
_BOT = Path("sample_bots/python/random")


def rows() -> list[Row]:
    """The row of the first question, and that of the next."""
    with tempfile.TemporaryDirectory() as folder:
        file = long_league_file(Path(folder), _DEALS)
        matches = fill(file)
        first, again = [], []
        for _ in range(_ROUNDS):
            forget(file)
            first.append(Pair(_asked_s(file), reference_second()))
            again.append(Pair(_asked_s(file), reference_second()))
    what = f"league standings of {matches:,} matches, {_BOTS} bots: s, over a second of the reference machine"
    return [
        paired_row(f"{what}, first time", first, "lower", Target(first=5, then=2)),
        paired_row(f"{what}, again", again, "lower", Target(first=0.5, then=0.2)),
    ]


def long_league() -> League:
    """Fifty bots that do not exist; nobody has played them."""
    entries = tuple(Entry(f"bot{number:02}@1", f"/bots/{number}") for number in range(_BOTS))
    return replace(echo_league(_DEALS), entries=entries)


def long_league_file(folder: Path, deals: int) -> Path:
    """The file of a league of one bot under fifty labels, with a store beside it."""
    bot = f'[[bots]]\npath = "{_BOT.absolute()}"\nlabel = '
    bots = "".join(f'{bot}"{number:02}"\n' for number in range(_BOTS))
    head = f'name = "long"\ngame = "agent-avenue"\ndeals = {deals}\nsandbox = "none"\nstore = "long.sqlite"\n'
    file = folder / "long.toml"
    file.write_text(f'{head}{bots}[[tables]]\nname = "simple"\nseats = 2\n')
    return file


def fill(file: Path) -> int:
    """Store the results of a whole league as a run would; returns how many.

    All matches on a deal went like one that was played. Who won them follows from strengths and luck.
    """
    league = league_in(file)
    wave = RoundRobin(league).wave(0, NothingPlayed())
    assert wave is not None
    with Store(store_of(league, file), league.name) as store:
        store.open_league(league, {entry.name: Content("tree", "built") for entry in league.entries}, _SEED, 0)
        matches = _finished(league)
        while group := list(itertools.islice(matches, MOST)):
            store.save(group, 0)
    return len(wave)


def forget(file: Path) -> None:
    """Take the kept table out of the store."""
    league = league_in(file)
    with Store(store_of(league, file), league.name) as store:
        store.table_cache.put(STANDINGS, "forgotten", {STANDINGS: b""})


def _finished(league: League) -> Iterator[FinishedMatch]:
    rng = np.random.default_rng(1)
    strength = {entry.name: _SPAN * number / _BOTS for number, entry in enumerate(league.entries)}
    played: dict[int, Transcript] = {}
    for fixture in RoundRobin(league).wave(0, NothingPlayed()) or ():
        if fixture.deal not in played:
            played = {fixture.deal: _played(fixture.deal)}
        mine, other = (strength[name] + rng.normal(0, BETA) for name in fixture.entries)
        outcome = Outcome("captured", (1, 2) if mine > other else (2, 1), ())
        transcript = played[fixture.deal]
        record = replace(transcript.record, header=league_seed.header(league, _SEED, fixture), outcome=outcome)
        yield finished(fixture, replace(transcript, record=record))


def _played(deal: int) -> Transcript:
    """A random match."""
    rng = Random(deal)
    return play("agent-avenue", [lambda asked: rng.randrange(len(asked.legal))] * 2, seed=deal).transcript


def _asked_s(file: Path) -> float:
    """Seconds that the command takes, in a new process."""
    begun = time.perf_counter()
    ask(file)
    return time.perf_counter() - begun


def ask(file: Path) -> str:
    """The output of `referee league standings`."""
    command = [sys.executable, "-m", "referee.cli.main", "league", "standings", str(file)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
