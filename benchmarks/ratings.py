"""How long it takes to rate a league, with the 200 resamples that its intervals come from."""

import time
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import numpy as np

from benchmarks.rows import Row, Target, plain_row
from tournaments.rating.contest import Contest, Member
from tournaments.rating.intervals import bootstrap
from tournaments.rating.scale import BETA

_SPAN = 15.0
"""The best bot of a league is so many points better than the worst."""


_BEFORE_S = {(50, 24_500, 2): 49.0, (200, 398_000, 2): 789.0, (16, 10_000, 4): 188.0}
"""By bots, matches and seats: the seconds that it took in pure Python. A tenth is the first target."""


def rows() -> list[Row]:
    """A row for each league."""
    return [_row(*league, before) for league, before in _BEFORE_S.items()]


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
