"""Simulated open leagues: what the choice of opponents saves, compared with opponents at random.

`python -m benchmarks.open_field` prints the tables of docs/formats-open.md; it takes a long while on two cores, and
`--runs N` makes it shorter. Both ways are the format itself: opponents at random are `random = 1` and `least = 0`. All
matches are duels, played from both seats.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import product
from multiprocessing import get_context
from random import Random
from statistics import fmean
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from benchmarks.simulation import TABLES, league_of, result_of
from referee.core import seeds
from tournaments.contests import contests
from tournaments.formats.issue import Issue, Listed
from tournaments.formats.open import Open, OpenLeague
from tournaments.formats.wave import Wave
from tournaments.model import Fixture, Played
from tournaments.rating.ratings import converged
from tournaments.rating.scale import BETA

Floats: TypeAlias = NDArray[np.float64]

FIELDS = (16, 32, 64)
SPREADS = (0, 1, 2, 4)
"""Standard deviations of the skills, in β."""

WAYS = {"open": Open(), "random": Open(random=1.0, least=0.0)}

TARGET = 1.5
"""The error of the new bot that is asked for, in points: 60 : 40 taken for equal."""

SETTLED = 60
"""How many matches each bot of the field has played when the new one enters, on average."""

LONGEST = {0: 64, 1: 64, 2: 96, 4: 192}
"""By spread: how many matches of the new bot are simulated."""

_FIELDS_EACH = 10
"""So many different fields of each kind are settled; runs take turns with them."""

_DRAWS = 0.01
_WORKERS = 2
_NEW = "new@1"


class Trail(NamedTuple):
    """What became of a new bot, wave by wave.

    Attributes:
        own: the matches that it has played.
        all: the matches that the league has played since it came.
        squared: the square of the error of its rating against the field's, in points².
    """

    own: Floats
    all: Floats
    squared: Floats


class Simulated:
    """An open league whose bots are as good as given. Each performs at its skill plus luck."""

    def __init__(self, settings: Open, skills: dict[str, float], luck: Random, seed: bytes) -> None:
        """Nothing is played."""
        self.skills = skills
        self.issues: list[Issue] = []
        self.matches: list[tuple[Fixture, Played]] = []
        self._luck = luck
        self._league = league_of(TABLES["duel"][0], tuple(skills), 1, _DRAWS)
        self._format = OpenLeague(settings, self._league, seed)

    def go_on(self, roster: Sequence[str]) -> None:
        """Decide a wave and play it."""
        issue = self._format.decide(self.issues, roster, lambda: self.matches)
        assert issue is not None
        deals = range(issue.first_deal, issue.first_deal + issue.deals)
        self.matches += [(fixture, self._played(fixture)) for fixture in Wave("duel", Listed(issue.line_ups), deals)]
        self.issues.append(issue)

    def taken_up(self, settings: Open, skills: dict[str, float], luck: Random, seed: bytes) -> "Simulated":
        """The same league, from now on with other settings, more bots and other luck."""
        other = Simulated(settings, skills, luck, seed)
        other.issues, other.matches = list(self.issues), list(self.matches)
        return other

    def errors(self) -> dict[str, float]:
        """By bot: its rating minus its skill, in points, each around the mean of the field without the new bot."""
        ratings = converged(contests(self._league, self.matches), tuple(self.skills), _DRAWS)
        off = {name: ratings[name].mu - skill for name, skill in self.skills.items()}
        middle = fmean(error for name, error in off.items() if name != _NEW)
        return {name: error - middle for name, error in off.items()}

    def _played(self, fixture: Fixture) -> Played:
        first, second = (self._luck.gauss(self.skills[name], BETA) for name in fixture.entries)
        return result_of(fixture, (), (1, 2) if first > second else (2, 1))


def field(bots: int, spread: float) -> dict[str, float]:
    """The skills of a field, by name, evenly over a normal distribution whose standard deviation is `spread` β."""
    at = ndtri((np.arange(bots) + 0.5) / bots)
    return {f"bot{number:02}@1": float(skill) for number, skill in enumerate(25 + spread * BETA * at / at.std())}


@lru_cache(4)
def settled(bots: int, spread: float, number: int) -> Simulated:
    """A field that has played for a while."""
    name = f"{bots} {spread} {number}"
    league = Simulated(WAYS["open"], field(bots, spread), Random(name), seeds.from_text(name))
    while 2 * len(league.matches) < SETTLED * bots:
        league.go_on(tuple(league.skills))
    return league


def entered(way: str, bots: int, spread: float, number: int) -> Trail:
    """A new bot comes to a settled field; its skill is drawn from the distribution of the field's."""
    before = settled(bots, spread, number % _FIELDS_EACH)
    skill = Random(f"skill {bots} {spread} {number}").gauss(25, spread * BETA)
    name = f"{way} {bots} {spread} {number}"
    league = before.taken_up(WAYS[way], {**before.skills, _NEW: skill}, Random(name), seeds.from_text(name))
    own, points = 0, []
    while own < LONGEST[int(spread)]:
        league.go_on(tuple(league.skills))
        played = sum(_NEW in fixture.entries for fixture, _ in league.matches)
        if played > 1.1 * own:
            own = played
            points.append((own, len(league.matches) - len(before.matches), league.errors()[_NEW] ** 2))
    return Trail(*np.array(points, dtype=np.float64).T)


class Need(NamedTuple):
    """How many matches it takes until the error of the new bot is small enough.

    Attributes:
        own: its own matches.
        all: the matches of the whole league.
    """

    own: float
    all: float


def need(trails: Sequence[Trail], target: float = TARGET) -> Need:
    """When the root mean square of the errors falls below the target.

    The mean square is read off a line through its logarithms by the logarithm of the matches, near the target.
    """
    longest = min(trail.own[-1] for trail in trails)
    grid = np.geomspace(8, longest, 40)
    logs = np.log(np.mean([np.interp(grid, trail.own, trail.squared) for trail in trails], axis=0))
    near = np.argsort(np.abs(logs - 2 * np.log(target)), kind="stable")[:16]
    slope, start = np.polyfit(np.log(grid[near]), logs[near], 1)
    own = float(np.exp((2 * np.log(target) - start) / slope))
    return Need(own, fmean(float(np.interp(own, trail.own, trail.all)) for trail in trails))


class Saved(NamedTuple):
    """What both ways need, and the first over the second with its standard error."""

    bots: int
    spread: float
    runs: int
    open: Need
    random: Need
    ratio: float
    error: float


def saved(bots: int, spread: float, trails: dict[str, list[Trail]]) -> Saved:
    """The figures of a field, from as many runs of each way."""
    found = [need(trails[way]) for way in WAYS]
    runs = len(trails["open"])
    luck = np.random.default_rng(1)
    ratios = []
    for _ in range(200):
        drawn = luck.integers(runs, size=runs)
        again = [need([trails[way][at] for at in drawn]) for way in WAYS]
        ratios.append(again[0].own / again[1].own)
    return Saved(bots, spread, runs, *found, found[0].own / found[1].own, float(np.std(ratios)))
