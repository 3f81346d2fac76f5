"""Does one number describe the bots: fields that it describes, and fields with a cycle or with styles."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.core import seeds
from tournaments.rating.contest import Contest, Member
from tournaments.rating.fit import Fit
from tournaments.rating.intervals import bootstrap
from tournaments.rating.misfit import Misfit, best_mix, crossed_shares, misfit

Floats = NDArray[np.float64]

CYCLE = np.array([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]])


def played(chances: Floats, deals: int, number: int, twice: tuple[int, ...] = ()) -> list[Contest]:
    """Two matches of every two bots on each deal. `twice` are the deals that only the first two bots played."""
    luck, found = np.random.default_rng(number), []
    for deal in range(deals):
        pairs = combinations(range(len(chances)), 2)
        for one, other in [(0, 1)] if deal in twice else pairs:
            for _ in range(2):
                places = (1, 2) if luck.random() < chances[one, other] else (2, 1)
                teams = ((Member(f"b{one}"),), (Member(f"b{other}"),))
                found.append(Contest(f"deal-{deal}", teams, places))
    return found


def judged(contests: list[Contest], bots: int) -> Misfit | None:
    names = [f"b{at}" for at in range(bots)]
    found = bootstrap(contests, names, 0.01, seeds.from_text("misfit"), resamples=1)
    return misfit(found, 0.01, seeds.from_text("signs"))


def chances_of(strengths: Floats, styles: float = 0.0, number: int = 0) -> Floats:
    """Every chance of each against each: of strengths, and of styles, in units of the luck of a match."""
    style = np.triu(np.random.default_rng(number).normal(0, styles, (len(strengths),) * 2), 1)
    return 1 / (1 + np.exp(-1.6 * (np.subtract.outer(strengths, strengths) + style - style.T)))


def test_a_cycle_is_found_its_pairs_are_marked_and_every_bot_is_as_good_as_the_best_mix() -> None:
    found = judged(played(CYCLE, 30, 1), 3)
    assert found is not None
    assert found.fit.chance <= 0.01
    assert 0.3 < found.fit.difference < 0.45
    assert found.pairs == {frozenset(pair) for pair in combinations(("b0", "b1", "b2"), 2)}
    assert found.bots is not None
    for each in found.bots.values():
        assert each.share == pytest.approx(0.5)
        assert each.worst < 0.25
        assert each.interval[0] <= each.share <= each.interval[1] + 1e-9


def test_copies_move_ratings_but_not_what_is_said_of_the_best_mix() -> None:
    kinds = [0, 0, 0, 1, 2]
    names = [f"b{at}" for at in range(5)]
    contests = played(CYCLE[np.ix_(kinds, kinds)], 60, 2)
    ratings = bootstrap(contests, names, 0.01, seeds.from_text("misfit"), resamples=1).ratings
    assert ratings["b4"].mu > ratings["b3"].mu + 3
    found = judged(contests, 5)
    assert found is not None
    assert found.bots is not None
    for name in ("b3", "b4"):
        assert found.bots[name].share == pytest.approx(0.5, abs=0.03)


def test_a_ladder_and_equal_bots_are_described_by_one_number() -> None:
    for number in range(8):
        for strengths in (np.zeros(6), np.arange(6) / 2):
            found = judged(played(chances_of(strengths), 12, number), 6)
            assert found is not None
            assert found.fit.chance > 0.01
            assert found.pairs == frozenset()
            assert found.bots is None


@pytest.mark.parametrize("bots", [3, 5, 8])
@pytest.mark.parametrize("deals", [6, 10, 40])
def test_where_the_better_bot_always_wins_nothing_is_said(bots: int, deals: int) -> None:
    """Its results are the same on all deals. They are more certain than ratings with a prior can say."""
    found = judged(played(np.triu(np.ones((bots, bots)), 1), deals, 6), bots)
    assert found is not None
    assert not found.fit.is_bad
    assert found.fit.difference < 0.015


def test_styles_are_found_in_many_deals_and_their_size_is_said() -> None:
    found = judged(played(chances_of(np.arange(6) / 4, 0.8), 80, 3), 6)
    assert found is not None
    assert found.fit.is_bad
    assert 0.05 < found.fit.difference < 0.25
    assert 0 < len(found.pairs) < 15


def test_a_bot_that_beats_one_opponent_against_all_ratings_is_marked_with_it() -> None:
    chances = np.full((8, 8), 0.5)
    chances[2, 5], chances[5, 2] = 0.98, 0.02
    found = judged(played(chances, 60, 4), 8)
    assert found is not None
    assert frozenset(("b2", "b5")) in found.pairs


def test_deals_that_not_all_played_do_not_count_and_with_fewer_than_six_others_nothing_is_judged() -> None:
    whole = judged(played(CYCLE, 12, 5, twice=(0, 1, 2)), 3)
    assert whole is not None
    assert whole.fit.chance <= 0.05
    assert judged(played(CYCLE, 12, 5, twice=tuple(range(7))), 3) is None
    assert judged(played(CYCLE[:2, :2], 12, 5), 2) is None


@pytest.mark.parametrize(
    ("fit", "words"),
    [
        (Fit(0.02, 0.3), ""),
        (Fit(0.01, 0.04), "The ratings describe the results to about 4 points of 100."),
        (Fit(0.01, 0.007), "The ratings describe the results to about 1 point of 100."),
        (Fit(0.001, 0.004), ""),
        (
            Fit(0.001, 0.09),
            (
                "One number does not describe these bots: a result differs from what the ratings say by"
                " 9 points of 100 in a usual pair. See two by two."
            ),
        ),
    ],
)
def test_its_words_say_the_size(fit: Fit, words: str) -> None:
    assert fit.words == words


tables = st.integers(2, 7).flatmap(
    lambda bots: st.lists(st.sampled_from([0.0, 0.25, 0.4, 0.5, 0.6, 1.0]), min_size=bots * (bots - 1) // 2,
                          max_size=bots * (bots - 1) // 2)
)  # fmt: skip


@given(tables)
def test_nobody_has_more_than_half_against_the_best_mix_whatever_the_order_of_the_bots(shares: list[float]) -> None:
    table = crossed_shares(np.array(shares))
    mix = best_mix(table)
    assert mix.sum() == pytest.approx(1)
    assert (table @ mix).max() <= 0.5 + 1e-6
    assert best_mix(table[::-1, ::-1])[::-1] == pytest.approx(mix, abs=1e-6)


def test_a_mix_of_copies_shares_what_the_original_has() -> None:
    kinds = [0, 0, 0, 1, 2]
    assert best_mix(CYCLE) == pytest.approx([1 / 3] * 3)
    copied = CYCLE[np.ix_(kinds, kinds)]
    assert best_mix(copied) == pytest.approx([1 / 9] * 3 + [1 / 3] * 2)
    assert copied @ best_mix(copied) == pytest.approx([0.5] * 5)
