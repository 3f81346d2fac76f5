"""Which bots may be the best, and ranks, from leagues that are made up."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy import sparse

from tournaments.rating import FEWEST_BLOCKS
from tournaments.rating.field_estimate import Influence
from tournaments.rating.intervals import Bootstrap
from tournaments.rating.leads import FLIPS, Leads, RankInterval, drawn_signs
from tournaments.rating.resampling import RandomWords
from tournaments.rating.scale import Rating

RESAMPLES = 200
DEALS = 50
SEED = bytes(32)


def may_be_best(found: Bootstrap) -> frozenset[str]:
    return Leads(found, SEED).may_be_best()


def ranks(found: Bootstrap) -> dict[str, RankInterval]:
    return Leads(found, SEED).ranks()


def influence(names: list[str], moved: NDArray[np.float64]) -> Influence:
    """Of so many bots whose ratings the deals move like this, and whose priors say nothing."""
    index = {name: at for at, name in enumerate(names)}
    nothing, every = sparse.csr_array((0, 0)), np.eye(len(names))
    return Influence(index, (), nothing, np.zeros((len(names), 1)), sparse.csr_array(moved), every, 1e-6 * every)


def league_of(strengths: list[float], luck: np.random.Generator, blocks: int = 1_000) -> Bootstrap:
    """Bots whose ratings have independent errors of one point; the resamples have the same."""
    names = [f"bot{at:02}" for at in range(len(strengths))]
    moved = luck.normal(0, DEALS**-0.5, (len(names), DEALS))
    ratings = strengths + moved.sum(axis=1)
    drawn = luck.normal(ratings[:, None], 1.0, (len(names), RESAMPLES))
    return Bootstrap(
        ratings={name: Rating(float(mu), 1.0) for name, mu in zip(names, ratings, strict=True)},
        mus=dict(zip(names, map(tuple, drawn.tolist()), strict=True)),
        blocks=dict.fromkeys(names, blocks),
        groups=(tuple(names),),
        influence=influence(names, moved),
    )


def share(strengths: list[float], leagues: int = 200) -> float:
    """In how many of so many leagues all best bots are among those that may be."""
    luck = np.random.default_rng(1)
    best = {f"bot{at:02}" for at, strength in enumerate(strengths) if strength == max(strengths)}
    return sum(best <= may_be_best(league_of(strengths, luck)) for _ in range(leagues)) / leagues


def test_a_lead_in_errors_is_that_of_the_values_of_its_deals() -> None:
    """By the formulas themselves, deal after deal."""
    luck = np.random.default_rng(8)
    found = league_of([0.0, 1.0, 4.0], luck)
    signs = drawn_signs(RandomWords(SEED), DEALS)
    moved = found.influence.forces.toarray()
    moved = moved - moved.mean(axis=1, keepdims=True)
    mu = np.array([rating.mu for rating in found.ratings.values()])
    pairs = [(0, 1), (0, 2), (1, 2)]
    values = np.array([mu[one] - mu[other] + DEALS * (moved[one] - moved[other]) for one, other in pairs])
    flipped = values[:, :, None] * signs
    variance = flipped.var(axis=1) / (DEALS - 1)
    flipped_lead = flipped.mean(axis=1)
    # That of the real league, and what reversed results make of the lead of the pair itself.
    common = (variance[:, 0] / 2).mean() * 2
    model = common + np.maximum(flipped_lead[:, :1] ** 2 - flipped_lead**2, 0) / (DEALS - 1)
    error = np.sqrt(((DEALS - 1) * variance + 10 * model) / (DEALS + 9) + 2e-12)
    leads = flipped_lead / error
    largest = np.abs(leads[[0, 1]]).max(axis=0)  # of the leads of the first bot over others, and of these over it
    compared = Leads(found, SEED)
    assert np.maximum(compared._over[0], compared._under[0]) == pytest.approx(largest, abs=1e-4)
    assert largest.shape == (FLIPS,)


@pytest.mark.slow
@pytest.mark.parametrize("strengths", [[0.0] * 2, [0.0] * 8, [0.0] * 5 + [5.0] * 3, [0.0, 1.0, 2.0, 3.0, 4.0]])
def test_the_best_bots_are_among_those_that_may_be_in_95_of_100_leagues(strengths: list[float]) -> None:
    assert share(strengths) > 0.91


def excluded(change: Callable[[Bootstrap], Bootstrap]) -> int:
    """How many bots of 40 leagues may not be the best, if this is changed in each."""
    luck = np.random.default_rng(11)
    leagues = [league_of([0.0, 2.0, 4.0, 5.0], luck, blocks=12) for _ in range(40)]
    return sum(4 - len(may_be_best(change(each))) for each in leagues)


def with_resamples(found: Bootstrap, times: float) -> Bootstrap:
    """Resamples that spread so many times as far above the rating, and as before below it, where intervals begin."""
    mus = {
        name: tuple(mu + (times if each > mu else 1.0) * (each - mu) for each in found.mus[name])
        for name, mu in ((name, rating.mu) for name, rating in found.ratings.items())
    }
    return replace(found, mus=mus)


def test_where_resamples_spread_further_than_deals_say_fewer_bots_are_excluded() -> None:
    before = excluded(lambda found: found)
    assert before > 40
    assert excluded(lambda found: with_resamples(found, 3.0)) < 0.8 * before


def test_where_sides_have_ratings_and_deals_are_few_fewer_bots_are_excluded() -> None:
    assert 0 < excluded(lambda found: replace(found, has_sides=True)) < excluded(lambda found: found)


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
        moved = one.influence.forces.toarray()
        found = ranks(
            Bootstrap(
                ratings=one.ratings | {twin[name]: rating for name, rating in one.ratings.items()},
                mus=one.mus | {twin[name]: mus for name, mus in other.mus.items()},
                blocks=one.blocks | {twin[name]: blocks for name, blocks in one.blocks.items()},
                groups=(tuple(twin), tuple(twin.values())),
                influence=influence([*twin, *twin.values()], np.concatenate([moved, moved])),
                alike=tuple(twin.items()),
            )
        )
        assert [found[name] for name in twin] == [found[name] for name in twin.values()]
        excluded += sum(not found[name].may_be_best for name in twin)
    assert excluded > 20


MANY = 10_000
"""So many blocks that Student's factor is 1, or nearly."""


def resampled(
    mus: dict[str, list[float]],
    blocks: dict[str, int] | None = None,
    groups: tuple[tuple[str, ...], ...] | None = None,
) -> Bootstrap:
    """The rating of a player is the mean over its resamples. Deals move it as these lie."""
    ratings = {name: sum(own) / len(own) for name, own in mus.items()}
    moved = [[(mu - ratings[name]) / len(own) ** 0.5 for mu in own] for name, own in mus.items()]
    return Bootstrap(
        ratings={name: Rating(mu, 1.0) for name, mu in ratings.items()},
        mus={name: tuple(own) for name, own in mus.items()},
        blocks=dict.fromkeys(mus, MANY) | (blocks or {}),
        groups=groups or (tuple(mus),),
        influence=influence(list(mus), np.array(moved)),
    )


def test_first_is_the_share_of_resamples_in_which_a_bot_leads() -> None:
    found = ranks(resampled({"a": [3, 3, 3, 1], "b": [2, 2, 2, 2], "c": [1, 1, 1, 3]}))
    assert {name: rank.first for name, rank in found.items()} == {"a": 0.75, "b": 0.0, "c": 0.25}


def test_who_ties_for_the_first_place_shares_it() -> None:
    found = ranks(resampled({"a": [25.0] * 4, "b": [25.0] * 4, "c": [20.0] * 4}))
    assert [found[name].first for name in "abc"] == [0.5, 0.5, 0.0]


def test_whoever_may_be_the_best_may_be_first_and_nobody_else() -> None:
    luck = np.random.default_rng(9)
    for _ in range(20):
        for rank in ranks(league_of([0.0, 0.0, 1.0, 2.0, 3.0, 3.0], luck)).values():
            assert (rank.interval[0] == 1) == rank.may_be_best
            assert rank.interval[0] <= rank.interval[1]


def test_equal_bots_may_have_any_place_and_the_places_of_bots_far_apart_are_certain() -> None:
    luck = np.random.default_rng(10)
    equal = [rank.interval for _ in range(20) for rank in ranks(league_of([0.0] * 6, luck)).values()]
    assert equal.count((1, 6)) > 100
    apart = ranks(league_of([0.0, 20.0, 40.0, 60.0], luck))
    assert [rank.interval for rank in apart.values()] == [(4, 4), (3, 3), (2, 2), (1, 1)]


def test_a_bot_without_an_interval_has_no_rank_and_takes_none_from_others() -> None:
    found = ranks(resampled({"a": [30.0, 30.0], "b": [20.0, 20.0]}, {"a": FEWEST_BLOCKS - 1}))
    assert found.keys() == {"b"}
    assert (found["b"].first, found["b"].interval) == (1.0, (1, 1))


def test_bots_are_ranked_among_those_that_they_met() -> None:
    wave = [0.1, -0.1] * 5
    mus = {name: [mu + each for each in wave] for name, mu in {"a": 30.0, "b": 20.0, "c": 26.0, "d": 24.0}.items()}
    mus["b"], mus["d"] = ([2 * sum(own) / len(own) - mu for mu in own] for own in (mus["b"], mus["d"]))
    found = ranks(resampled(mus, groups=(("a", "b"), ("c", "d"))))
    assert [found[name].interval for name in "abcd"] == [(1, 1), (2, 2), (1, 1), (2, 2)]


leagues = st.integers(1, 5).flatmap(
    lambda players: st.lists(
        st.lists(st.integers(0, 6).map(float), min_size=players, max_size=players), min_size=2, max_size=12
    )
)


@given(leagues)
def test_the_shares_of_being_first_add_up_to_1(drawn: list[list[float]]) -> None:
    found = ranks(resampled({f"p{at}": list(own) for at, own in enumerate(zip(*drawn, strict=True))}))
    assert sum(rank.first for rank in found.values()) == pytest.approx(1)
    assert all(1 <= rank.interval[0] <= rank.interval[1] <= len(found) for rank in found.values())
