"""Which bots may be the best, and ranks, from resamples that are made up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rating import FEWEST_BLOCKS
from tournaments.rating.intervals import Bootstrap
from tournaments.rating.ranking import may_be_best, ranks
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


MANY = 10_000
"""So many blocks that Student's factor is 1, or nearly."""


def resampled(
    mus: dict[str, list[float]],
    blocks: dict[str, int] | None = None,
    groups: tuple[tuple[str, ...], ...] | None = None,
) -> Bootstrap:
    """The rating of a player is the mean over its resamples."""
    return Bootstrap(
        ratings={name: Rating(sum(own) / len(own), 1.0) for name, own in mus.items()},
        mus={name: tuple(own) for name, own in mus.items()},
        blocks=dict.fromkeys(mus, MANY) | (blocks or {}),
        groups=groups or (tuple(mus),),
    )


def test_the_probability_of_being_first_is_the_share_of_resamples_in_which_a_bot_leads() -> None:
    found = ranks(resampled({"a": [3, 3, 3, 1], "b": [2, 2, 2, 2], "c": [1, 1, 1, 3]}))
    assert {name: rank.first for name, rank in found.items()} == {"a": 0.75, "b": 0.0, "c": 0.25}


def test_who_ties_for_the_first_place_shares_it() -> None:
    found = ranks(resampled({"a": [25.0] * 4, "b": [25.0] * 4, "c": [20.0] * 4}))
    assert [found[name].first for name in "abc"] == [0.5, 0.5, 0.0]
    assert [found[name].interval for name in "abc"] == [(1, 1), (1, 1), (3, 3)]


def test_the_interval_of_a_rank_leaves_out_what_happens_in_less_than_one_resample_of_forty() -> None:
    often, seldom = [1.0] * 95 + [3.0] * 5, [1.0] * 98 + [3.0] * 2
    for mus, interval in ((often, (1, 2)), (seldom, (2, 2))):
        assert ranks(resampled({"a": [2.0] * 100, "b": mus}))["b"].interval == interval


def test_few_deals_make_a_rank_less_sure() -> None:
    mus = {"a": [26.0, 26.4, 25.6] * 40, "b": [25.0, 24.6, 25.5] * 40}
    assert ranks(resampled(mus))["a"].interval == (1, 1)
    few = dict.fromkeys(mus, FEWEST_BLOCKS)
    assert ranks(resampled(mus, few))["a"].interval == (1, 2)


def test_a_bot_without_an_interval_has_no_rank_and_takes_none_from_others() -> None:
    found = ranks(resampled({"a": [30.0, 30.0], "b": [20.0, 20.0]}, {"a": FEWEST_BLOCKS - 1}))
    assert found.keys() == {"b"}
    assert (found["b"].first, found["b"].interval) == (1.0, (1, 1))


def test_bots_are_ranked_among_those_that_they_met() -> None:
    mus = {"a": [30.0] * 9, "b": [20.0] * 9, "c": [26.0] * 9, "d": [24.0] * 9}
    found = ranks(resampled(mus, groups=(("a", "b"), ("c", "d"))))
    assert [found[name].interval for name in "abcd"] == [(1, 1), (2, 2), (1, 1), (2, 2)]


leagues = st.integers(1, 5).flatmap(
    lambda players: st.lists(
        st.lists(st.integers(0, 6).map(float), min_size=players, max_size=players), min_size=1, max_size=12
    )
)


@given(leagues)
def test_the_probabilities_of_being_first_add_up_to_1(drawn: list[list[float]]) -> None:
    found = ranks(resampled({f"p{at}": list(own) for at, own in enumerate(zip(*drawn, strict=True))}))
    assert sum(rank.first for rank in found.values()) == pytest.approx(1)
    assert all(1 <= rank.interval[0] <= rank.interval[1] <= len(found) for rank in found.values())


@given(leagues)
def test_if_names_are_exchanged_so_are_the_ranks(drawn: list[list[float]]) -> None:
    columns = [list(own) for own in zip(*drawn, strict=True)]
    found = ranks(resampled({f"p{at}": own for at, own in enumerate(columns)}))
    turned = ranks(resampled({f"p{at}": own for at, own in enumerate(reversed(columns))}))
    for at in range(len(columns)):
        rank, other = found[f"p{at}"], turned[f"p{len(columns) - 1 - at}"]
        assert rank.interval == other.interval
        assert rank.first == pytest.approx(other.first)
