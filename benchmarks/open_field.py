"""Simulated open leagues: what the choice of opponents saves, compared with opponents at random.

`python -m benchmarks.open_field` prints the tables of docs/formats-open.md; it takes a long while on two cores, and
`--runs N` makes it shorter. Opponents at random: in each wave the bots are shuffled and paired. All matches are duels,
and two bots play every deal from both seats.

It prints two errors. The real one is the distance of ratings from skills; it takes many runs to see it well. The least
one is the error that the best of all estimates would have of the same matches (Cramér and Rao's bound, with the prior
of the ratings): it depends on who met whom alone, so a few runs show which choice of opponents is better.
"""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache
from itertools import chain, product
from multiprocessing import get_context
from random import Random
from statistics import fmean
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from benchmarks.simulation import TABLES, league_of
from referee.core import seeds
from referee.core.outcome import Outcome
from tournaments.league.format_settings import OpenSettings
from tournaments.league.model import Fixture, League, StoredMatch
from tournaments.maintenance.simulated_league import stored_match
from tournaments.rating.ratings import at_rest
from tournaments.rating.scale import BETA, MU, SIGMA
from tournaments.schedule.formats.format import Counted
from tournaments.schedule.formats.issued_waves import Decider, IssuedLineUps, IssuedWave, line_ups_of, next_deal
from tournaments.schedule.formats.open_league import ComparisonCounter, OpenLeague
from tournaments.schedule.formats.wave import Wave

Floats: TypeAlias = NDArray[np.float64]

FIELDS = (16, 32, 64)
SPREADS = (0, 1, 2, 4)
"""Standard deviations of the skills, in β."""

WAYS = ("open", "random")

TARGET = 1.5
"""The error of the new bot that is asked for, in points: 60 : 40 taken for equal."""

SETTLED = 60
"""How many matches each bot of the field has played when the new one enters, on average."""

LONGEST = {0: 64, 1: 64, 2: 96, 4: 192}
"""By spread: how many matches of the new bot are simulated."""

WHOLE = 32
"""The bots of a league from nothing."""

CHECKED = (10, 20, 40, 80)
"""It prints the errors after each of these numbers of matches a bot."""

_FIELDS_EACH = 10
"""So many different fields of each kind are settled; runs take turns with them."""

_DRAWS = 0.01
_RESAMPLES = 100
_WORKERS = 2
NEW = "new@1"


class Trail(NamedTuple):
    """What became of a new bot, wave by wave.

    Attributes:
        own: the matches that it has played.
        all: the matches that the league has played since it came.
        real: the square of the error of its rating against the field's, in points².
        least: the variance that the best estimate would have, in points².
    """

    own: Floats
    all: Floats
    real: Floats
    least: Floats


class AtRandom:
    """Decides waves in which everybody plays once, against anybody."""

    authors: Mapping[str, str] = {}

    def __init__(self, luck: Random, league: League) -> None:
        self._luck, self._league = luck, league

    def decide(
        self,
        issues: Sequence[IssuedWave],
        roster: Sequence[str],
        counted: Counted,  # noqa: ARG002 - luck decides
        gone: Sequence[Set[str]] = (),  # noqa: ARG002
    ) -> IssuedWave:
        """The next wave. If the number of entries is odd, somebody does not play."""
        names = self._luck.sample(roster, len(roster))
        pairs = zip(names[::2], names[1::2], strict=False)
        return IssuedWave(tuple(roster), tuple(line_ups_of(self._league.tables, pairs)), next_deal(issues), 1)


class Simulated:
    """A league whose bots are as good as given. Each performs at its skill plus luck."""

    def __init__(self, way: str, skills: dict[str, float], name: str) -> None:
        """Nothing is played. All luck comes from the name."""
        self.skills = skills
        self.issues: list[IssuedWave] = []
        self.matches: list[tuple[Fixture, StoredMatch]] = []
        self._luck = Random(name)
        league = league_of(TABLES["duel"][0], tuple(skills), 1, _DRAWS)
        self._results = ComparisonCounter(league)
        self._format: Decider = (
            OpenLeague(OpenSettings(), league, seeds.from_text(name)) if way == "open" else AtRandom(self._luck, league)
        )

    def go_on(self) -> None:
        """Decide a wave and play it."""
        issue = self._format.decide(self.issues, tuple(self.skills), lambda: self.matches)
        assert issue is not None
        deals = range(issue.first_deal, issue.first_deal + issue.deals)
        self.matches += [
            (fixture, self._played(fixture)) for fixture in Wave("duel", IssuedLineUps(issue.line_ups), deals)
        ]
        self.issues.append(issue)

    def with_a_new_bot(self, way: str, skill: float, name: str) -> "Simulated":
        """The same league, from now on with a new bot."""
        other = Simulated(way, {**self.skills, NEW: skill}, name)
        other.issues, other.matches = list(self.issues), list(self.matches)
        return other

    def played(self, bot: str) -> int:
        """How many matches the bot has played."""
        return sum(bot in fixture.entries for fixture, _ in self.matches)

    def errors(self) -> Floats:
        """By bot: its rating minus its skill, in points, around the mean of the field without the new bot."""
        rated = at_rest(self._results.tally(self.matches), tuple(self.skills), _DRAWS)
        off = np.array([rated.ratings[name].mu - skill for name, skill in self.skills.items()])
        return np.asarray(off - off[self._field()].mean())

    def least(self) -> Floats:
        """By bot: the variance of the best estimate, in points², around the same mean."""
        skills, number = np.array(list(self.skills.values())), {name: at for at, name in enumerate(self.skills)}
        met = np.zeros((len(skills), len(skills)))
        for (first, second), count in Counter(fixture.entries for fixture, _ in self.matches).items():
            met[number[first], number[second]] += count
        gaps = (skills[:, None] - skills) / (math.sqrt(2) * BETA)
        density = np.exp(-(gaps**2) / 2) / math.sqrt(2 * math.pi)
        told = (met + met.T) * density**2 / (ndtr(gaps) * ndtr(-gaps)) / (2 * BETA**2)
        covariance = np.linalg.inv(np.diag(told.sum(axis=1) + SIGMA**-2) - told)
        around = np.eye(len(skills)) - self._field() / self._field().sum()
        return np.asarray(np.diagonal(around @ covariance @ around.T))

    def _field(self) -> NDArray[np.bool_]:
        return np.array([name != NEW for name in self.skills])

    def _played(self, fixture: Fixture) -> StoredMatch:
        first, second = (self._luck.gauss(self.skills[name], BETA) for name in fixture.entries)
        return stored_match(fixture, Outcome("over", (1, 2) if first > second else (2, 1), ()))


def field(bots: int, spread: int) -> dict[str, float]:
    """The skills of a field, by name, evenly over a normal distribution whose standard deviation is `spread` β."""
    at = ndtri((np.arange(bots) + 0.5) / bots)
    return {f"bot{number:02}@1": float(skill) for number, skill in enumerate(MU + spread * BETA * at / at.std())}


@lru_cache(4)
def settled(bots: int, spread: int, number: int) -> Simulated:
    """A field that has played for a while."""
    league = Simulated("open", field(bots, spread), f"{bots} {spread} {number}")
    while 2 * len(league.matches) < SETTLED * bots:
        league.go_on()
    return league


def entered(way: str, bots: int, spread: int, number: int) -> Trail:
    """A new bot comes to a settled field; its skill is drawn from the distribution of the field's."""
    before = settled(bots, spread, number % _FIELDS_EACH)
    skill = Random(f"skill {bots} {spread} {number}").gauss(MU, spread * BETA)
    league = before.with_a_new_bot(way, skill, f"{way} {bots} {spread} {number}")
    seen = 0
    points = []
    while seen < LONGEST[spread]:
        league.go_on()
        own = league.played(NEW)
        if own > 1.2 * seen:
            seen = own
            new = len(league.matches) - len(before.matches)
            points.append((own, new, league.errors()[-1] ** 2, league.least()[-1]))
    return Trail(*np.array(points, dtype=np.float64).T)


class Need(NamedTuple):
    """How many matches of the new bot it takes until an error is small enough, and how many of the league.

    Attributes:
        own: its own matches.
        all: those of the whole league in that time.
    """

    own: float
    all: float


def need(trails: Sequence[Trail], squares: Callable[[Trail], Floats]) -> Need:
    """When the root mean square of the errors falls below the target.

    The mean square is read off a line through its logarithms by the logarithm of the matches, near the target.
    """
    longest = min(trail.own[-1] for trail in trails)
    grid = np.geomspace(8, longest, 40)
    logs = np.log(np.mean([np.interp(grid, trail.own, squares(trail)) for trail in trails], axis=0))
    near = np.argsort(np.abs(logs - 2 * np.log(TARGET)), kind="stable")[:16]
    slope, start = np.polyfit(np.log(grid[near]), logs[near], 1)
    own = float(np.exp((2 * np.log(TARGET) - start) / slope))
    return Need(own, fmean(float(np.interp(own, trail.own, trail.all)) for trail in trails))


class Saved(NamedTuple):
    """What the choice of opponents needs, over what opponents at random need: each with its standard error.

    Attributes:
        bots: of the field.
        spread: in β.
        runs: of each way.
        needs: by way, by the real error.
        real: the part of the new bot's matches by the real error.
        least: the same by the least error.
        all: the part of the league's matches by the least error.
    """

    bots: int
    spread: int
    runs: int
    needs: dict[str, Need]
    real: tuple[float, float]
    least: tuple[float, float]
    all: tuple[float, float]


def saved(bots: int, spread: int, trails: Mapping[str, Sequence[Trail]]) -> Saved:
    """The figures of a field, from as many runs of each way."""
    runs = len(trails["open"])
    luck = np.random.default_rng(1)
    samples = [np.arange(runs), *(luck.integers(runs, size=runs) for _ in range(_RESAMPLES))]
    drawn = [{way: [trails[way][at] for at in sample] for way in WAYS} for sample in samples]
    real = [{way: need(found[way], lambda trail: trail.real) for way in WAYS} for found in drawn]
    least = [{way: need(found[way], lambda trail: trail.least) for way in WAYS} for found in drawn]
    parts = (
        [needs["open"].own / needs["random"].own for needs in real],
        [needs["open"].own / needs["random"].own for needs in least],
        [needs["open"].all / needs["random"].all for needs in least],
    )
    return Saved(bots, spread, runs, real[0], *((each[0], _error(each[1:])) for each in parts))


def _error(resampled: Sequence[float]) -> float:
    """The standard error: half of what the middle 68 % span, so that a resample gone astray does not count."""
    low, high = np.quantile(resampled, [0.16, 0.84])
    return float(high - low) / 2


def whole(way: str, bots: int, spread: int, number: int) -> list[float]:
    """A league from nothing: the root mean square of all errors, at each of `CHECKED` matches for each bot."""
    league = Simulated(way, field(bots, spread), f"whole {way} {bots} {spread} {number}")
    found = []
    for each in CHECKED:
        while 2 * len(league.matches) < each * bots:
            league.go_on()
        found.append(float(np.sqrt(np.mean(league.errors() ** 2))))
    return found


def _entered(task: tuple[str, int, int, int]) -> Trail:
    return entered(*task)


def _whole(task: tuple[str, int, int, int]) -> list[float]:
    return whole(*task)


def new_bots(pool: Executor, runs: int) -> Iterator[str]:
    """The table of new bots in settled fields."""
    yield "| spread | field | runs | chosen: its matches | at random | part | by least error | of all matches |"
    yield "|---|---|---|---|---|---|---|---|"
    for spread, bots in product(SPREADS, FIELDS):
        # Runs with the same field follow each other, since it is settled once.
        numbers = sorted(range(runs), key=lambda number: number % _FIELDS_EACH)
        tasks = [(way, bots, spread, number) for number in numbers for way in WAYS]
        trails = list(pool.map(_entered, tasks, chunksize=max(1, len(tasks) // _FIELDS_EACH)))
        found = saved(bots, spread, {way: trails[at :: len(WAYS)] for at, way in enumerate(WAYS)})
        matches = (f"{found.needs[way].own:.0f}" for way in WAYS)
        parts = (f"{part:.2f} ± {error:.2f}" for part, error in (found.real, found.least, found.all))
        yield f"| {spread} β | {bots} | {runs} | {' | '.join((*matches, *parts))} |"


def whole_leagues(pool: Executor, runs: int) -> Iterator[str]:
    """The table of leagues from nothing."""
    yield f"| spread | opponents | {' | '.join(f'after {each}' for each in CHECKED)} |"
    yield f"|---|---|{'---|' * len(CHECKED)}"
    for spread, way in product(SPREADS, WAYS):
        found = list(pool.map(_whole, [(way, WHOLE, spread, number) for number in range(runs)]))
        errors = (f"{np.sqrt(np.mean(np.square(each))):.2f}" for each in zip(*found, strict=True))
        yield f"| {spread} β | {'chosen' if way == 'open' else 'at random'} | {' | '.join(errors)} |"


def main(arguments: Sequence[str]) -> int:
    """Simulate and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.open_field")
    parser.add_argument("--runs", type=int, default=100, metavar="N", help="of each kind, at least 10; usually 100")
    runs = parser.parse_args(arguments).runs
    if runs < 10:
        parser.error(f"--runs: at least 10, not {runs}")
    with ProcessPoolExecutor(_WORKERS, mp_context=get_context("spawn")) as pool:
        for line in chain(whole_leagues(pool, runs // 10), [""], new_bots(pool, runs)):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
