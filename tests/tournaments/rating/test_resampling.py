import math
from statistics import stdev

import numpy as np
import pytest

from referee.core import seeds
from tests.tournaments.rating.leagues import SEED, solo
from tournaments.rating.contest import Contest, Member
from tournaments.rating.resampling import BlockPool, RandomWords, ResampledLeagues, drawn_priors
from tournaments.rating.scale import SIGMA
from tournaments.rating.tally import Tally, tally

RANK = {name: at for at, name in enumerate("abcd")}


UNIFORMS = [0.4515735058536377, 0.8018582623356432, 0.9786238326055141]


def results() -> Tally:
    """Four deals. On each, a and b play two matches, and c and d one; a wins all, c wins all but one."""
    contests = [
        contest
        for deal in range(4)
        for contest in (
            solo("a", "b", block=str(deal)),
            solo("a", "b", block=str(deal)),
            solo(*("cd" if deal else "dc"), block=str(deal)),
        )
    ]
    return tally(contests).ordered(RANK)


def luck(at: int = 0) -> RandomWords:
    return RandomWords(seeds.child(SEED, str(at)))


def counted(urn: BlockPool, drawn: ResampledLeagues) -> dict[str, list[float]]:
    """By who beat whom: how often, in each draw."""
    counts = urn.counts(drawn).tolist()
    return {f"{kind.upper[0].player}{kind.lower[0].player}": row for kind, row in zip(urn.kinds, counts, strict=True)}


def test_a_draw_has_as_many_blocks_as_the_league_and_all_units_of_a_block_together() -> None:
    drawn = BlockPool(results()).draw(luck(), 50)
    assert drawn.times[::2].tolist() == drawn.times[1::2].tolist()
    assert drawn.times[::2].sum(axis=0).tolist() == [4] * 50


def test_every_block_is_drawn_equally_often() -> None:
    assert BlockPool(results()).draw(luck(), 2000).times.mean(axis=1) == pytest.approx([1] * 8, abs=0.1)


def test_the_matches_of_a_unit_are_turned_together_and_other_units_of_the_block_are_not() -> None:
    urn = BlockPool(results())
    found = counted(urn, urn.draw(luck(), 400))
    for ab, ba, cd, dc in zip(found["ab"], found["ba"], found["cd"], found["dc"], strict=True):
        assert ab + ba == 8
        assert ba % 2 == 0
        assert cd + dc == 4
    assert any(ba and not dc for ba, dc in zip(found["ba"], found["dc"], strict=True))


def test_a_unit_is_turned_half_a_time_in_one_more_than_the_units_of_its_players() -> None:
    drawn = BlockPool(results()).draw(luck(), 4000)
    assert drawn.turned.sum() / drawn.times.sum() == pytest.approx(0.5 / 5, rel=0.1)


def test_the_chance_follows_the_player_who_played_the_fewest_units() -> None:
    contests = [solo("a", "b", block=str(deal)) for deal in range(20)] + [solo("c", "a", block="0")]
    urn = BlockPool(tally(contests).ordered(RANK))
    drawn = urn.draw(luck(), 4000)
    turned = sum(sum(row) for pair, row in counted(urn, drawn).items() if pair == "ac")
    met = turned + sum(counted(urn, drawn)["ca"])
    assert turned / met == pytest.approx(0.5 / 2, abs=0.03)


def test_in_a_unit_that_is_turned_round_the_players_change_places_and_the_sides_fare_as_they_did() -> None:
    strong, weak = Member("~strong"), Member("~weak")
    contests = [Contest(str(deal), ((Member("a"), strong), (Member("b"), weak)), (1, 2)) for deal in range(4)]
    urn = BlockPool(tally(contests).ordered({"a": 0, "b": 1, "~strong": 2, "~weak": 3}))
    counts = urn.counts(urn.draw(luck(), 100))
    assert [kind.upper for kind in urn.kinds] == [(Member("a"), strong), (Member("b"), strong)]
    assert counts.sum(axis=0).tolist() == [4] * 100
    assert counts[1].any()


def test_a_draw_of_nothing_is_nothing() -> None:
    urn = BlockPool(tally([]))
    assert urn.counts(urn.draw(luck(), 3)).shape == (0, 3)


def test_priors_are_drawn_as_wide_as_asked_and_have_the_mean_25_in_every_group() -> None:
    groups = [np.array([0, 1, 2]), np.array([3, 4])]
    drawn = drawn_priors(luck(), groups, 6, 800, SIGMA)
    assert drawn[:3].mean(axis=0) == pytest.approx([25] * 800)
    assert drawn[3:5].mean(axis=0) == pytest.approx([25] * 800)
    assert stdev(drawn[0] - drawn[1]) == pytest.approx(2**0.5 * 25 / 3, rel=0.1)


def test_a_pseudo_player_has_the_prior_of_a_newcomer() -> None:
    assert drawn_priors(luck(), [np.array([0, 1])], 3, 2, 1.0)[2].tolist() == [25, 25]


def test_uniforms_are_these_on_every_machine_and_in_every_version_of_numpy() -> None:
    """Philox-4x64-10 with the key BLAKE2b-128(seed), as `random_raw` of numpy 2.4 gave them."""
    assert RandomWords(SEED).uniforms(1, 3)[0].tolist() == pytest.approx(UNIFORMS, abs=1e-15)


def test_uniforms_are_between_0_and_1_and_never_the_same_again() -> None:
    own = luck()
    first, second = own.uniforms(100, 100), own.uniforms(100, 100)
    assert 0 < first.min() < 0.001
    assert 0.999 < first.max() < 1
    assert math.isclose(float(first.mean()), 0.5, abs_tol=0.01)
    assert not np.isin(first, second).any()
