import math
from statistics import stdev

import numpy as np
import pytest

from referee.core import seeds
from tests.tournaments.rating.leagues import SEED, solo
from tournaments.rating.resampling import Draw, Urn, drawn_priors, uniforms
from tournaments.rating.tally import Tally, tally

RANK = {name: at for at, name in enumerate("abcd")}


UNIFORMS = [0.8282443957403485, 0.04704831647683089, 0.8283067371242148]


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


def draws(urn: Urn, count: int) -> list[Draw]:
    return [urn.draw(seeds.child(SEED, str(at))) for at in range(count)]


def counted(urn: Urn, drawn: list[Draw]) -> dict[str, list[float]]:
    """By who beat whom: how often, in each draw."""
    counts = urn.counts(drawn).tolist()
    return {f"{kind.upper[0].player}{kind.lower[0].player}": row for kind, row in zip(urn.kinds, counts, strict=True)}


def test_a_draw_has_as_many_blocks_as_the_league_and_all_units_of_a_block_together() -> None:
    for drawn in draws(Urn(results()), 50):
        assert drawn.times[::2].tolist() == drawn.times[1::2].tolist()
        assert drawn.times[::2].sum() == 4


def test_every_block_is_drawn_equally_often() -> None:
    times = np.mean([drawn.times for drawn in draws(Urn(results()), 2000)], axis=0)
    assert times == pytest.approx([1] * 8, abs=0.1)


def test_the_matches_of_a_unit_are_turned_together_and_other_units_of_the_block_are_not() -> None:
    found = counted(urn := Urn(results()), draws(urn, 400))
    for ab, ba, cd, dc in zip(found["ab"], found["ba"], found["cd"], found["dc"], strict=True):
        assert ab + ba == 8
        assert ba % 2 == 0
        assert cd + dc == 4
    assert any(ba and not dc for ba, dc in zip(found["ba"], found["dc"], strict=True))


def test_a_unit_is_turned_half_a_time_in_one_more_than_the_units_of_its_players() -> None:
    drawn = draws(Urn(results()), 4000)
    share = sum(draw.turned.sum() for draw in drawn) / sum(draw.times.sum() for draw in drawn)
    assert share == pytest.approx(0.5 / 5, rel=0.1)


def test_the_chance_follows_the_player_who_played_the_fewest_units() -> None:
    contests = [solo("a", "b", block=str(deal)) for deal in range(20)] + [solo("c", "a", block="0")]
    urn = Urn(tally(contests).ordered(RANK))
    drawn = draws(urn, 4000)
    turned = sum(sum(row) for pair, row in counted(urn, drawn).items() if pair == "ac")
    met = turned + sum(counted(urn, drawn)["ca"])
    assert turned / met == pytest.approx(0.5 / 2, abs=0.03)


def test_a_draw_of_nothing_is_nothing() -> None:
    urn = Urn(tally([]))
    assert urn.counts([urn.draw(SEED)]).shape == (0, 1)


def test_priors_are_drawn_as_wide_as_that_of_a_newcomer_and_have_the_mean_25_in_every_group() -> None:
    groups = [np.array([0, 1, 2]), np.array([3, 4])]
    drawn = np.array([drawn_priors(seeds.child(SEED, str(at)), groups, 6) for at in range(800)])
    assert drawn[:, :3].mean(axis=1) == pytest.approx([25] * 800)
    assert drawn[:, 3:5].mean(axis=1) == pytest.approx([25] * 800)
    assert stdev(drawn[:, 0] - drawn[:, 1]) == pytest.approx(2**0.5 * 25 / 3, rel=0.1)


def test_a_pseudo_player_has_the_prior_of_a_newcomer() -> None:
    assert drawn_priors(SEED, [np.array([0, 1])], 3)[2] == 25


def test_uniforms_are_these_on_every_machine_and_in_every_version_of_numpy() -> None:
    """Philox-4x64-10 with the key BLAKE2b-128(seed + purpose), as `random_raw` of numpy 2.4 gave them."""
    found = uniforms(SEED, b"blocks", 3).tolist()
    assert found == pytest.approx(UNIFORMS, abs=1e-15)
    assert all(0 < each < 1 for each in uniforms(SEED, b"blocks", 10_000))
    assert math.isclose(float(np.mean(uniforms(SEED, b"blocks", 10_000))), 0.5, abs_tol=0.01)
