"""A league of bots of known strength: its fixtures are real, its results are drawn, and no bot plays.

Results follow the model of the ratings. In each match a bot performs as it is strong, plus Gaussian luck, at all of its
seats. A side performs as its seats do on average, and the better side comes first. Where all seats are one side, the
game performs as an average bot. All sides have the same chances, and a deal favours nobody.

This module also counts how often a run starts the bots of a line-up at most: a worker may keep them for the next
sitting.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple, TypeAlias

from referee.api.matches import play
from referee.core import seeds
from referee.core.outcome import Outcome, Seat, Side
from tournaments.league.deals import own_deals
from tournaments.league.model import Fixture, League, StoredMatch, TableSpec
from tournaments.rating.scale import BETA, MU, draw_margin
from tournaments.rating.sides import alone
from tournaments.schedule.formats import decider_of, first_wave
from tournaments.schedule.formats.format import NothingPlayed
from tournaments.schedule.formats.issued_waves import IssuedWave, IssuedWaves
from tournaments.schedule.formats.wave import Wave, pieces
from tournaments.schedule.play_order import first_meetings, parts

_ANY_SEED = bytes(32)
"""The number hardly depends on the seed."""


def count_sittings(league: League, wave: Wave) -> int:
    """How often the bots of a line-up are started for a wave, at most."""
    if league.fresh:
        return len(wave)
    cut = list(pieces(wave.deals, league.play_rules.batch))
    begins = first_meetings(_ANY_SEED, own_deals(league), wave.line_ups, cut[0])  # two line-ups each, which come twice
    times = sum(len(parts(_ANY_SEED, piece)) for piece in cut) if begins else len(cut)
    return times * (len(wave.line_ups) + 2 * len(begins))


DealtSides: TypeAlias = Mapping[str, Sequence[tuple[Side, ...]]]
"""By table whose sides are dealt, the sides of some matches."""

_RANDOM_MATCHES = 32
"""So many matches show how luck deals the sides."""


class SimulatedLeague(NamedTuple):
    """A league that was simulated from its beginning to its end.

    Attributes:
        matches: every match with its result, in plan order.
        sittings: how often the bots of a line-up would have been started.
    """

    matches: list[tuple[Fixture, StoredMatch]]
    sittings: int


def dealt_sides(league: League, seed: bytes) -> DealtSides:
    """The sides as luck deals them in some matches of random players. `seed` has 32 bytes."""
    tables = (table for table in league.tables if table.deals_sides)
    return {table.name: tuple(_random_sides(league.game, table, seed)) for table in tables}


def _random_sides(game: str, table: TableSpec, seed: bytes) -> Iterator[tuple[Side, ...]]:
    luck = Random(seed)  # noqa: S311 - it simulates
    for number in range(_RANDOM_MATCHES):
        players = [lambda decision: luck.randrange(len(decision.legal))] * table.seats
        yield play(game, players, seed=f"{seed.hex()} {number}", options=table.options).outcome.sides


def simulated(league: League, strengths: Mapping[str, float], dealt: DealtSides, seed: bytes) -> SimulatedLeague:
    """Play a league by the model, wave after wave. The same arguments give the same league.

    `strengths` are by entry, in points. `seed` has 32 bytes.
    """
    results = _Results(league, strengths, dealt, seeds.child(seed, "luck"))
    matches: list[tuple[Fixture, StoredMatch]] = []
    sittings = 0
    for wave in waves(league, seeds.child(seed, "league"), matches):
        sittings += count_sittings(league, wave)
        matches += [(fixture, results.of(fixture)) for fixture in wave]
    return SimulatedLeague(matches, sittings)


def waves(league: League, seed: bytes, matches: Sequence[tuple[Fixture, StoredMatch]]) -> Iterator[Wave]:
    """The waves of a league, whose `seed` has 32 bytes.

    `matches` are those of the waves so far. Before the next wave is asked for, they must have those of the last.
    """
    decider = decider_of(league, seed)
    if decider is None:
        wave = first_wave(league, seed)
        assert wave is not None  # noqa: S101 - every format begins with a wave
        yield wave
        return
    names, issues = [entry.name for entry in league.entries], list[IssuedWave]()
    while (issue := decider.decide(issues, names, lambda: matches)) is not None:
        issues.append(issue)
        wave = IssuedWaves(league.game, issues).wave(len(issues) - 1, NothingPlayed())
        assert wave is not None  # noqa: S101 - it was just issued
        yield wave


class _Results:
    """Draws the result of one match after the other."""

    def __init__(self, league: League, strengths: Mapping[str, float], dealt: DealtSides, seed: bytes) -> None:
        self._tables = {table.name: table for table in league.tables}
        self._strengths = strengths
        self._dealt = dealt
        self._margin = draw_margin(league.draw_probability, 2)
        self._seed = seed
        self._luck = Random(seed)  # noqa: S311 - it simulates

    def of(self, fixture: Fixture) -> StoredMatch:
        """The result of a fixture."""
        table = self._tables[fixture.table]
        drawn = {entry: self._performance(self._strengths[entry]) for entry in dict.fromkeys(fixture.entries)}
        performances = [drawn[entry] for entry in fixture.entries]
        outcome = self._outcome(table, fixture, performances)
        return stored_match(fixture, outcome)

    def _performance(self, strength: float) -> float:
        return self._luck.gauss(strength, BETA)

    def _outcome(self, table: TableSpec, fixture: Fixture, performances: Sequence[float]) -> Outcome:
        if table.deals_sides:
            dealt = self._dealt[table.name]
            (at,) = seeds.rolls(seeds.child(self._seed, "sides", str(fixture.deal)), len(dealt), 1)
            return self._of_dealt_sides(dealt[at], performances)
        sides = tuple(Side(str(number), seats) for number, seats in enumerate(table.sides))
        if len(sides) == 1:
            has_won = fmean(performances) > self._performance(MU)
            return Outcome("over", (1 if has_won else 2,) * table.seats, sides)
        return Outcome("over", _places(table.sides or alone(table.seats), performances, self._margin), sides)

    def _of_dealt_sides(self, sides: tuple[Side, ...], performances: Sequence[float]) -> Outcome:
        """The first two sides play against each other. Every other one has an aim of its own, and reaches it or not."""
        first, second, *others = (side.seats for side in sides)
        better = max(first, second, key=lambda seats: _mean(performances, seats))
        content = [seats for seats in others if _mean(performances, seats) > self._performance(MU)]
        winners = {*better, *(seat for seats in content for seat in seats)}
        places = tuple(1 if seat in winners else len(winners) + 1 for seat in range(len(performances)))
        return Outcome("over", places, sides)


def stored_match(fixture: Fixture, outcome: Outcome) -> StoredMatch:
    """A fixture that ended like this, without faults."""
    return StoredMatch(fixture.id, "", fixture.entries, outcome, (), (), (), 0)


def _mean(performances: Sequence[float], seats: Sequence[Seat]) -> float:
    return fmean(performances[seat] for seat in seats)


def _places(sides: Sequence[Sequence[Seat]], performances: Sequence[float], margin: float) -> tuple[int, ...]:
    """By seat, the place of its side. A side shares the place of the next better one if it is within the margin."""
    ranked = sorted(((_mean(performances, seats), seats) for seats in sides), reverse=True)
    places = [0] * len(performances)
    place, better, last = 1, 0, ranked[0][0]
    for performance, seats in ranked:
        if last - performance > margin:
            place = better + 1
        for seat in seats:
            places[seat] = place
        better, last = better + len(seats), performance
    return tuple(places)
