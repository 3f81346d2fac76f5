"""The cost of storing and reading matches, and the cost and gain of packing them."""

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from benchmarks.rows import Pair, Row, paired_row, plain_row
from benchmarks.standings import long_league
from referee.api.matches import play
from referee.match.transcript import Transcript
from tournaments.league import league_seed
from tournaments.league.model import FinishedMatch, League, finished
from tournaments.play.loop import MOST
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.round_robin import RoundRobin
from tournaments.store import Store
from tournaments.store.pinned_league import Content
from tournaments.store.transcript_packing import SAMPLES, Packing, dictionary_of

_SIZES = (1_000, 10_000, 100_000)
_SEED = bytes(32)
_PLAYED = 100
_ROUNDS = 5
_GAMES = {"agent-avenue": 2, "inside-job": 4, "agonia": 3}
"""The games with a number of players."""

_ASKED: dict[str, Callable[[Store], object]] = {
    "results": Store.results,
    "offenders": lambda store: list(store.offenders()),
}
"""What is read of all matches."""


def rows() -> list[Row]:
    """The rows of stores of growing size, and those of packing, game by game."""
    matches = {game: _matches(game, seats) for game, seats in _GAMES.items()}
    kept = [row for size in _SIZES for row in _kept(size, matches["agent-avenue"].transcripts)]
    return kept + [row for game, played in matches.items() for row in _packed(game, played)]


class _Matches(msgspec.Struct):
    """Random matches of a game, and what one cost in this process: rules and transcript, no bots and no wire."""

    transcripts: list[Transcript]
    match_us: float


def _matches(game: str, seats: int) -> _Matches:
    rng = Random(1)
    begun = time.process_time()
    players = [lambda asked: rng.randrange(len(asked.legal))] * seats
    played = [play(game, players, seed=number).transcript for number in range(_PLAYED)]
    return _Matches(played, _us_each(begun, _PLAYED))


def _kept(size: int, transcripts: list[Transcript]) -> list[Row]:
    """A store of this many matches, in groups as a run stores them."""
    league = long_league()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.sqlite")
        with Store(f"sqlite:///{path}", league.name) as store:
            store.open_league(league, {entry.name: Content("tree", "built") for entry in league.entries}, _SEED, 0)
            stored_us = _stored_us(store, _fixed(league, size, transcripts))
            read_us = {what: _read_us(store, ask, size) for what, ask in _ASKED.items()}
        match_bytes = path.stat().st_size / size  # its log is in it, now that it is closed
    return [
        plain_row(f"{size:,} matches stored in groups of {MOST}: CPU µs a match", stored_us, "lower"),
        plain_row(f"{size:,} stored matches: bytes a match", [match_bytes], "lower"),
        *(
            plain_row(f"{size:,} stored matches, {what} read: CPU µs a match", costs, "lower")
            for what, costs in read_us.items()
        ),
    ]


def _fixed(league: League, size: int, transcripts: list[Transcript]) -> Iterator[FinishedMatch]:
    """The first fixtures of the league with matches that were played, in plan order."""
    wave = RoundRobin(league).wave(0, NothingPlayed())
    assert wave is not None
    for fixture, played in zip(itertools.islice(wave, size), itertools.cycle(transcripts), strict=False):
        header = league_seed.header(league, _SEED, fixture)
        yield finished(fixture, replace(played, record=replace(played.record, header=header)))


def _stored_us(store: Store, matches: Iterator[FinishedMatch]) -> list[float]:
    """What a match cost, in each tenth of the groups; to make the matches is not counted."""
    costs = []
    while group := list(itertools.islice(matches, MOST)):
        begun = time.process_time()
        store.save(group, 0)
        costs.append(_us_each(begun, len(group)))
    tenth = max(len(costs) // 10, 1)
    return [sum(costs[at : at + tenth]) / tenth for at in range(0, len(costs) - tenth + 1, tenth)]


def _read_us(store: Store, ask: Callable[[Store], object], size: int) -> list[float]:
    costs = []
    for _ in range(3):
        begun = time.process_time()
        ask(store)
        costs.append(_us_each(begun, size))
    return costs


def _packed(game: str, matches: _Matches) -> list[Row]:
    """Bytes of packed matches over plain ones, and what packing and unpacking take of a match's own cost."""
    parts = [(each.record.canonical(), msgspec.json.encode(each.metadata)) for each in matches.transcripts]
    packing = Packing(dictionary_of(parts[:SAMPLES]))
    plain = [part for match in parts[SAMPLES:] for part in match]
    both = len(parts) - SAMPLES
    costs = []
    for _ in range(_ROUNDS):
        begun = time.process_time()
        packed = [packing.pack(part) for part in plain]
        assert [packing.unpack(part) for part in packed] == plain
        costs.append(Pair(_us_each(begun, both), matches.match_us))
    sizes = Pair(sum(map(len, packed)) / both, sum(map(len, plain)) / both)
    return [
        paired_row(f"{game}: bytes of a packed transcript, over plain", [sizes], "lower"),
        paired_row(f"{game}: CPU µs to pack and unpack a match, over playing it in process", costs, "lower"),
    ]


def _us_each(begun: float, number: int) -> float:
    return (time.process_time() - begun) / number * 1e6
