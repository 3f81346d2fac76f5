"""How long it takes to rate a league, with the 200 resamples that its intervals come from."""

import resource
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations, islice
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

from benchmarks.rows import Row, Target, plain_row
from tournaments.rating.contest import Contest, Member
from tournaments.rating.intervals import bootstrap
from tournaments.rating.leads import Leads
from tournaments.rating.ratings import at_rest
from tournaments.rating.scale import BETA
from tournaments.rating.tally import ResultCounter

_SPAN = 15.0
"""The best bot of a league is so many points better than the worst."""


_BEFORE_S = {(50, 24_500, 2): 49.0, (200, 398_000, 2): 789.0, (16, 10_000, 4): 188.0}
"""By bots, matches and seats: the seconds that it took in pure Python. A tenth is the first target."""


def rows() -> list[Row]:
    """A row for each league."""
    return [*(_row(*league, before) for league, before in _BEFORE_S.items()), *_rows_of_many()]


_MANY, _WAVES, _DEALS = 1_000, 100, 10
"""Bots of an open league, its waves, and the deals of each. On a deal every bot plays two matches: a million in all."""

_DRAWS = 0.01


class _Large(NamedTuple):
    """What an open league of many bots costs, on one core.

    Attributes:
        count_s: seconds to make its matches and to count them.
        rate_s: seconds for ratings, intervals, places, and who may be the best.
        again_s: seconds for ratings and intervals when 1,000 more matches have been played.
        mib: the most memory.
    """

    count_s: float
    rate_s: float
    again_s: float
    mib: float


def _rows_of_many() -> list[Row]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:  # so that its memory is known
        found = pool.submit(_rated_many).result()
    what = f"standings of {_MANY:,} bots, an open league of {_MANY * _WAVES * _DEALS:,} matches, one core"
    return [
        plain_row(f"{what}: ratings, intervals and places: s", [found.rate_s], "lower", Target(first=90, then=30)),
        plain_row(f"{what}: ratings and intervals after 1,000 more: s", [found.again_s], "lower", Target(5, 2)),
        plain_row(f"{what}: to make and count the matches: s", [found.count_s], "lower", Target(60, 20)),
        plain_row(f"{what}: most memory: MiB", [found.mib], "lower", Target(1_024, 512)),
    ]


def _rated_many() -> _Large:
    names, counter = [f"bot{number:04}@1" for number in range(_MANY)], ResultCounter()
    begun = time.process_time()
    counter.add(_open(names, range(_WAVES)))
    counted = time.process_time()
    found = bootstrap(counter.tally(), names, _DRAWS, bytes(32))
    for name in names:
        found.interval(name)
    Leads(found, bytes(32)).ranks()
    rated = time.process_time()
    counter.add(islice(_open(names, range(_WAVES, _WAVES + 1)), 1_000))
    newer = found.at(at_rest(counter.tally(), names, _DRAWS).ratings)
    for name in names:
        newer.interval(name)
    again = time.process_time()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return _Large(counted - begun, rated - counted, again - rated, most)


def _open(names: Sequence[str], waves: range) -> Iterator[Contest]:
    """Waves in which bots that are about equal meet on the same deals, in both seatings."""
    strength = np.linspace(0, _SPAN, len(names))
    for wave in waves:
        rng = np.random.default_rng(wave)
        order = np.argsort(strength + rng.normal(0, 2, len(names))).tolist()
        for deal in range(wave * _DEALS, (wave + 1) * _DEALS):
            for one, other in zip(order[::2], order[1::2], strict=True):
                for ahead in strength[one] - strength[other] + rng.normal(0, BETA * 2**0.5, 2):
                    teams = (Member(names[one]),), (Member(names[other]),)
                    yield Contest(f"deal-{deal}", teams, (1, 2) if ahead > 0 else (2, 1))


def _row(bots: int, matches: int, seats: int, before_s: float) -> Row:
    names = [f"bot{number:03}@1" for number in range(bots)]
    contests = list(islice(played(names, seats), matches))
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        bootstrap(contests, names, 0.001, bytes(32))
        times.append(time.perf_counter() - begun)
    name = f"rating and 200 resamples of {matches:,} matches of {bots} bots, {seats} at a table: s"
    return plain_row(name, times, "lower", Target(first=before_s / 10, then=before_s / 40))


def played(names: Sequence[str], seats: int) -> Iterator[Contest]:
    """The matches of a league deal by deal, each group of bots in all rotations. The best performance wins."""
    rng = np.random.default_rng(1)
    strength = np.linspace(0, _SPAN, len(names))
    deal = 0
    while True:
        for group in combinations(range(len(names)), seats):
            performances = strength[list(group)] + rng.normal(0, BETA, (seats, seats))
            for order in np.argsort(-performances, axis=1).tolist():
                teams = tuple((Member(names[group[at]]),) for at in order)
                yield Contest(f"deal-{deal}", teams, tuple(range(1, seats + 1)))
        deal += 1
