import math
import random
from collections.abc import Mapping
from itertools import combinations
from statistics import NormalDist

import numpy as np
import pytest
from scipy.special import ndtri, stdtrit

from referee.core import seeds
from tests.tournaments.rating.leagues import DRAW, SEED, converged, league, solo
from tournaments.rating import FEWEST_BLOCKS, TAIL, Interval
from tournaments.rating.contest import Contest, Member
from tournaments.rating.intervals import Bootstrap, bootstrap
from tournaments.rating.scale import BETA

TRUTH = {"a": 22.0, "b": 25.0, "c": 28.0}


def interval(found: Bootstrap, player: str) -> Interval:
    told = found.interval(player)
    assert told is not None
    return told


def difference(found: Bootstrap, a: str, b: str) -> Interval:
    told = found.difference(a, b)
    assert told is not None
    return told


def test_one_seed_gives_one_bootstrap_in_any_order_of_contests_and_another_seed_another() -> None:
    contests = league(TRUTH, 120)
    shuffled = random.Random(2).sample(contests, len(contests))
    first = bootstrap(contests, ["a", "b", "c"], DRAW, SEED, 20)
    again = bootstrap(shuffled, ["a", "b", "c"], DRAW, SEED, 20)
    assert (again.ratings, again.mus) == (first.ratings, first.mus)
    assert again.influence[:2] == first.influence[:2]
    for one, other in zip(again.influence[2:], first.influence[2:], strict=True):
        assert abs(one - other).max() == 0
    assert bootstrap(contests, ["c", "a", "b"], DRAW, SEED, 20).mus == first.mus
    assert bootstrap(contests, ["a", "b", "c"], DRAW, bytes(32), 20).mus != first.mus


def wins(times: int, *names: str) -> list[Contest]:
    """As many blocks of two matches, in which they came in as listed."""
    return [solo(*names, block=f"{names} {at // 2}") for at in range(2 * times)]


def test_with_fewer_than_six_blocks_there_is_no_interval_and_nobody_is_separated() -> None:
    found = bootstrap(wins(FEWEST_BLOCKS - 1, "a", "b"), ["a", "b"], DRAW, SEED, 50)
    assert found.blocks == {"a": 5, "b": 5}
    assert found.interval("a") is None
    assert found.difference("a", "b") is None
    assert not found.separated("a", "b")


def test_seven_blocks_all_won_by_one_bot_separate_it_and_six_do_not_yet() -> None:
    six, seven = (bootstrap(wins(blocks, "a", "b"), ["a", "b"], DRAW, SEED) for blocks in (6, 7))
    assert not six.separated("a", "b")
    assert seven.separated("a", "b")
    assert seven.separated("b", "a")


def test_for_a_difference_both_bots_need_six_blocks_wherever_they_played_them() -> None:
    contests = [*wins(5, "a", "b"), *wins(6, "a", "c"), *wins(6, "c", "d")]
    found = bootstrap(contests, list("abcd"), DRAW, SEED, 50)
    assert found.blocks == {"a": 11, "b": 5, "c": 12, "d": 6}
    assert found.difference("a", "d") is not None
    assert found.difference("a", "b") is found.difference("b", "a") is None
    assert found.interval("a") is not None


def test_a_block_of_which_a_bot_learns_nothing_is_none_of_its_blocks() -> None:
    teams = ((Member("a"),), (Member("b", updated=False),))
    contests = [Contest(str(at), teams, (1, 2)) for at in range(9)]
    assert bootstrap(contests, ["a", "b"], DRAW, SEED, 5).blocks == {"a": 9, "b": 0}


def test_without_contests_there_is_no_interval_and_nobody_is_separated() -> None:
    found = bootstrap([], ["a", "b"], DRAW, SEED, 5)
    assert found.interval("a") is None
    assert not found.separated("a", "b")


@pytest.mark.parametrize("blocks", [6, 30, 300])
def test_the_interval_of_a_perfect_record_reaches_to_both_sides_of_the_rating(blocks: int) -> None:
    contests = wins(blocks, "a", "b")
    low, high = interval(bootstrap(contests, ["a", "b"], DRAW, SEED), "a")
    rating = converged(contests, ["a", "b"], DRAW)["a"].mu
    assert low + 0.5 < rating < high - 0.5


def test_the_longer_a_perfect_record_the_better_the_bot_must_be() -> None:
    lows = [interval(bootstrap(wins(blocks, "a", "b"), ["a", "b"], DRAW, SEED), "a")[0] for blocks in (6, 20, 100)]
    assert lows[0] + 1 < lows[1] < lows[2] - 1


def test_bots_that_never_met_are_rated_apart_and_never_compared() -> None:
    better, worse = league({"a": 30.0, "b": 25.0}, 200), league({"c": 26.0, "d": 25.0}, 200)
    found = bootstrap([*better, *worse], list("abcd"), DRAW, SEED, 100)
    assert found.groups == (("a", "b"), ("c", "d"))
    assert found.difference("a", "c") is None
    assert not found.separated("a", "d")
    alone = bootstrap(better, list("ab"), DRAW, SEED, 100)
    assert found.ratings["a"].mu == pytest.approx(alone.ratings["a"].mu, abs=1e-6)
    assert interval(found, "a") == pytest.approx(interval(alone, "a"), abs=0.5)
    assert sum(found.ratings[name].mu for name in "cd") == pytest.approx(50)


def test_bots_far_apart_are_separated_and_equal_ones_are_not() -> None:
    found = bootstrap(league({"a": 20.0, "b": 25.0, "twin": 25.0}, 300), ["a", "b", "twin"], DRAW, SEED)
    assert found.separated("a", "b")
    assert found.separated("b", "a")
    assert not found.separated("b", "twin")
    assert not found.separated("a", "a")


def test_a_difference_is_taken_within_each_resample_so_it_is_known_better_than_two_intervals_tell() -> None:
    found = bootstrap(league(TRUTH, 600, seed=3), ["a", "b", "c"], DRAW, SEED)
    low, high = difference(found, "b", "a")
    assert low < 3 < high
    assert high - low < sum(top - bottom for bottom, top in (interval(found, "a"), interval(found, "b")))
    assert (-high, -low) == pytest.approx(difference(found, "a", "b"))


def laid_about(found: float, drawn: list[float], blocks: int) -> Interval:
    """The interval of one value, as the head of the module says."""
    factor = math.sqrt(blocks / (blocks - 1)) * float(stdtrit(blocks - 1, 1 - TAIL) / ndtri(1 - TAIL))
    low, middle, high = np.quantile(drawn, [TAIL, 0.5, 1 - TAIL], method="weibull").tolist()
    return found + factor * (low - middle), found + factor * (high - middle)


@pytest.mark.parametrize("seed", range(6))
def test_the_differences_of_all_pairs_at_once_are_those_of_each_pair_to_the_last_bit(seed: int) -> None:
    luck = random.Random(seed)
    names = [f"p{number:02}" for number in range(12)]
    pools = [names[:7], names[7:]] if seed % 2 else [names]  # two groups that never meet, or one
    pairs = [luck.sample(luck.choice(pools), 2) for _ in range(150)]
    contests = [solo(*pair, block=str(luck.randrange(20))) for pair in pairs]
    found = bootstrap(contests, names, DRAW, SEED, 40)
    expected = {
        (a, b): laid_about(
            found.ratings[a].mu - found.ratings[b].mu,
            [one - other for one, other in zip(found.mus[a], found.mus[b], strict=True)],
            min(found.blocks[a], found.blocks[b]),
        )
        for pool in pools
        for a, b in combinations(pool, 2)
        if min(found.blocks[a], found.blocks[b]) >= FEWEST_BLOCKS
    }
    differences = {pair: found.difference(*pair) for pair in combinations(names, 2)}
    assert {pair: ends for pair, ends in differences.items() if ends} == expected
    assert len({found.blocks[name] for name in names}) > 1
    for name in names:
        own = laid_about(found.ratings[name].mu, list(found.mus[name]), found.blocks[name])
        assert found.interval(name) == (own if found.blocks[name] >= FEWEST_BLOCKS else None)


def test_pseudo_players_have_intervals_too() -> None:
    """The first side wins, except in every sixth deal."""
    sides = [
        Contest(str(at), ((Member(bots[0]), Member("~first")), (Member(bots[1]), Member("~second"))), places)
        for at, places in enumerate([(2, 1), *[(1, 2)] * 5] * 5)
        for bots in ("ab", "ba")
    ]
    low, high = difference(bootstrap(sides, ["a", "b"], DRAW, SEED, 50), "~first", "~second")
    assert 0 < low < high


def strong_side(upsets: Mapping[int, str]) -> list[Contest]:
    """On 20 deals a and b take turns on a side that always wins, but not on these deals with this bot."""
    strong, weak = Member("~strong"), Member("~weak")
    return [
        Contest(str(at), ((Member(one), strong), (Member(two), weak)), (2, 1) if upsets.get(at) == one else (1, 2))
        for at in range(20)
        for one, two in ("ab", "ba")
    ]


def test_where_sides_have_ratings_no_end_of_an_interval_is_nearer_than_the_mean_of_both() -> None:
    found = bootstrap(strong_side({3: "a", 11: "a", 12: "a"}), ["a", "b"], DRAW, SEED)
    lead = found.ratings["b"].mu - found.ratings["a"].mu
    drawn = [b - a for a, b in zip(found.mus["a"], found.mus["b"], strict=True)]
    low, high = laid_about(lead, drawn, 20)
    mean = (high - low) / 2
    assert found.difference("b", "a") == pytest.approx((min(low, lead - mean), max(high, lead + mean)))
    assert not math.isclose(lead - low, high - lead, rel_tol=0.05)


def test_matches_of_a_block_are_drawn_together() -> None:
    """Each deal is won once from each seat: its luck cancels out, and must do so in every resample, too."""
    contests = [solo(*pair, block=str(deal)) for deal in range(40) for pair in (("a", "b"), ("b", "a"))]
    low, high = interval(bootstrap(contests, ["a", "b"], DRAW, SEED, 50), "a")
    assert high - low < 0.2
    apart = [Contest(f"{at}", contest.teams, contest.places) for at, contest in enumerate(contests)]
    low, high = interval(bootstrap(apart, ["a", "b"], DRAW, SEED, 50), "a")
    assert high - low > 1


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    covered = 0
    for seed in range(40):
        low, high = difference(bootstrap(league(TRUTH, 150, seed=seed), list(TRUTH), DRAW, SEED, 60), "c", "a")
        covered += low <= 6.0 <= high
    assert covered >= 32  # 38 of 40 expected; a right one falls below 33 once in 10,000 times


@pytest.mark.slow
@pytest.mark.parametrize("matches", [12, 60])
def test_they_do_where_one_bot_wins_95_of_100_matches_too(matches: int) -> None:
    """Without turned blocks 4 of 10 do after 12 matches, 8 of 10 after 60."""
    gap = 2**0.5 * BETA * NormalDist().inv_cdf(0.95)
    covered = 0
    for seed in range(40):
        contests = league({"a": 25 + gap, "b": 25.0}, matches, seed=seed)
        low, high = difference(bootstrap(contests, ["a", "b"], DRAW, seeds.child(SEED, str(seed)), 100), "a", "b")
        covered += low <= gap <= high
    assert covered >= 36


def test_one_step_for_each_resample_gives_nearly_the_same_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A league of many bots takes it. Without it, the resamples are rated until nothing changes."""
    truth = {f"bot{at}": 20.0 + at for at in range(10)}
    contests = league(truth, 900)
    whole = bootstrap(contests, [*truth], DRAW, SEED)
    monkeypatch.setattr("tournaments.rating.intervals.MANY", 9)
    stepped = bootstrap(contests, [*truth], DRAW, SEED)
    assert stepped.ratings == whole.ratings
    assert stepped.mus != whole.mus
    for name in truth:
        (low, high), (least, most) = interval(stepped, name), interval(whole, name)
        assert high - low == pytest.approx(most - least, rel=0.15)
        assert (low, high) == pytest.approx((least, most), abs=0.2)


def test_about_newer_ratings_intervals_reach_as_far_as_before() -> None:
    contests = league(TRUTH, 300)
    before = bootstrap(contests[:290], [*TRUTH], DRAW, SEED)
    newer = converged(contests, [*TRUTH], DRAW)
    found = before.at(newer)
    for name in TRUTH:
        (low, high), (least, most), mu = interval(found, name), interval(before, name), newer[name].mu
        assert (low - mu, high - mu) == pytest.approx((least - before.ratings[name].mu, most - before.ratings[name].mu))
        assert mu != before.ratings[name].mu


@pytest.mark.parametrize("resamples", [0, -1])
def test_a_bootstrap_without_resamples_is_refused(resamples: int) -> None:
    with pytest.raises(ValueError, match="at least one resample"):
        bootstrap([], ["a"], DRAW, SEED, resamples)
