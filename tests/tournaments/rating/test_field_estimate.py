"""What the results of a league show of its field."""

from itertools import combinations

import numpy as np
import pytest

from tournaments.rating.contest import Contest, Member
from tournaments.rating.field_estimate import estimated_field
from tournaments.rating.intervals import bootstrap
from tournaments.rating.scale import BETA, SIGMA
from tournaments.rating.tally import Tally, tally

NAMES = tuple(f"bot{number:02}" for number in range(12))


def results(spread: float, deals: int, seed: int = 1) -> list[Contest]:
    """A round robin of bots whose skills have this deviation; each pair plays so many deals."""
    luck = np.random.default_rng(seed)
    skills = dict(zip(NAMES, spread * luck.permutation(np.linspace(-1.6, 1.6, len(NAMES))), strict=True))
    return [
        Contest(f"deal-{deal}", ((Member(a),), (Member(b),)), (1, 2) if luck.normal(gap, 2**0.5 * BETA) > 0 else (2, 1))
        for deal in range(deals)
        for a, b in combinations(NAMES, 2)
        for gap in [skills[a] - skills[b]]
    ]


def spread_of(spread: float, deals: int, seed: int = 1) -> float:
    return estimated_field(tally(results(spread, deals, seed)), NAMES, 0.01).spread


@pytest.mark.parametrize("spread", [0.5, 1.0, 2.0, 4.0])
def test_after_many_deals_the_spread_is_that_of_the_skills(spread: float) -> None:
    assert spread_of(spread, 100) == pytest.approx(spread, rel=0.35)


def test_the_spread_of_equals_falls_as_results_become_many() -> None:
    few, many = spread_of(0.0, 5), spread_of(0.0, 100)
    assert 0 < many < few < SIGMA / 4


def test_the_estimate_does_not_depend_on_names() -> None:
    contests = results(1.0, 5)
    others = dict(zip(NAMES, reversed(NAMES), strict=True))
    exchanged = [
        Contest(each.block, tuple((Member(others[member.player]),) for (member,) in each.teams), each.places)
        for each in contests
    ]
    assert estimated_field(tally(exchanged), NAMES, 0.01) == pytest.approx(
        estimated_field(tally(contests), NAMES, 0.01), abs=1e-9
    )


def test_without_results_everything_is_as_usual() -> None:
    assert estimated_field(Tally((), ()), NAMES, 0.01) == (SIGMA, 1)


def test_if_every_match_is_there_three_times_in_its_deal_all_matches_count_a_third() -> None:
    contests = results(1.0, 8)
    once, thrice = (estimated_field(tally(found), NAMES, 0.01) for found in (contests, contests * 3))
    assert once.dispersion == pytest.approx(1, abs=0.5)
    assert thrice.dispersion == pytest.approx(3 * once.dispersion, rel=0.05)
    assert thrice.spread == pytest.approx(once.spread, rel=0.05)


def test_bots_that_win_everything_do_not_make_the_spread_larger_than_the_usual_one() -> None:
    contests = [Contest(str(deal), ((Member("a"),), (Member("b"),)), (1, 2)) for deal in range(100)]
    assert SIGMA / 4 < estimated_field(tally(contests), ("a", "b"), 0.01).spread <= SIGMA


def test_with_an_estimated_field_the_ratings_of_equals_are_nearer_to_25() -> None:
    contests = results(0.0, 6)
    usual = bootstrap(contests, NAMES, 0.01, bytes(32), 50)
    estimated = bootstrap(contests, NAMES, 0.01, bytes(32), 50, estimated_field)
    assert (usual.field, estimated.field) == ((SIGMA, 1), estimated_field(tally(contests), NAMES, 0.01))
    for name in NAMES:
        assert abs(estimated.ratings[name].mu - 25) < abs(usual.ratings[name].mu - 25)
