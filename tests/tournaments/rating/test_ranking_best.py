"""Which bots may be the best, from resamples that are made up."""

import numpy as np
import pytest

from tournaments.rating.intervals import Bootstrap
from tournaments.rating.ranking import may_be_best
from tournaments.rating.scale import Rating

RESAMPLES = 200


def league_of(strengths: list[float], luck: np.random.Generator, blocks: int = 1_000) -> Bootstrap:
    """Bots whose ratings have independent errors of one point; the resamples have the same."""
    names = [f"bot{at:02}" for at in range(len(strengths))]
    ratings = luck.normal(strengths, 1.0)
    drawn = luck.normal(ratings[:, None], 1.0, (len(names), RESAMPLES))
    return Bootstrap(
        ratings={name: Rating(float(mu), 1.0) for name, mu in zip(names, ratings, strict=True)},
        mus=dict(zip(names, map(tuple, drawn.tolist()), strict=True)),
        blocks=dict.fromkeys(names, blocks),
        groups=(tuple(names),),
    )


def share(strengths: list[float], leagues: int = 200) -> float:
    """In how many of so many leagues all best bots are among those that may be."""
    luck = np.random.default_rng(1)
    best = {f"bot{at:02}" for at, strength in enumerate(strengths) if strength == max(strengths)}
    return sum(best <= may_be_best(league_of(strengths, luck)) for _ in range(leagues)) / leagues


@pytest.mark.slow
@pytest.mark.parametrize("strengths", [[0.0] * 2, [0.0] * 8, [0.0] * 5 + [5.0] * 3, [0.0, 1.0, 2.0, 3.0, 4.0]])
def test_the_best_bots_are_among_those_that_may_be_in_95_of_100_leagues(strengths: list[float]) -> None:
    assert share(strengths) > 0.91


def test_bots_that_are_far_behind_are_excluded_and_do_not_keep_others_in() -> None:
    luck = np.random.default_rng(2)
    found = [len(may_be_best(league_of([0.0] * 6 + [8.0, 12.0], luck))) for _ in range(50)]
    assert sum(found) / len(found) < 1.6


def test_of_two_bots_the_worse_one_may_be_the_best_if_they_are_not_separated() -> None:
    luck = np.random.default_rng(3)
    for gap in np.linspace(0, 6, 60):
        found = league_of([0.0, float(gap)], luck)
        assert len(may_be_best(found)) == 2 or found.separated("bot00", "bot01")


def test_a_bot_that_no_other_is_separated_from_may_be_the_best() -> None:
    luck = np.random.default_rng(4)
    for _ in range(30):
        found = league_of([0.0, 1.0, 2.0, 3.0], luck)
        names = found.groups[0]
        excluded = set(names) - may_be_best(found)
        assert all(any(found.separated(name, other) for other in names) for name in excluded)


def test_a_bot_without_an_interval_is_not_among_those_that_may_be_the_best() -> None:
    found = league_of([0.0, 1.0], np.random.default_rng(5), blocks=5)
    assert may_be_best(found) == frozenset()


def test_a_bot_that_met_nobody_with_an_interval_may_be_the_best() -> None:
    assert may_be_best(league_of([0.0], np.random.default_rng(6))) == {"bot00"}


def test_of_two_groups_that_only_names_tell_apart_the_same_bots_may_be_the_best() -> None:
    luck = np.random.default_rng(7)
    strengths, excluded = [0.0, 2.0, 3.0, 3.0], 0
    for _ in range(100):
        one, other = league_of(strengths, luck), league_of(strengths, luck)
        twin = {name: f"twin of {name}" for name in one.ratings}
        found = may_be_best(
            Bootstrap(
                ratings=one.ratings | {twin[name]: rating for name, rating in one.ratings.items()},
                mus=one.mus | {twin[name]: mus for name, mus in other.mus.items()},
                blocks=one.blocks | {twin[name]: blocks for name, blocks in one.blocks.items()},
                groups=(tuple(twin), tuple(twin.values())),
                alike=tuple(twin.items()),
            )
        )
        assert [name in found for name in twin] == [name in found for name in twin.values()]
        excluded += len(twin) - len(found) // 2
    assert excluded > 20
