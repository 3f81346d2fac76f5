"""One number over several tables: shares against the field, their intervals, and who has none."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random
from statistics import NormalDist, fmean

import pytest
from msgspec.structs import replace

from tournaments.rating.contest import Contest, Member
from tournaments.rating.intervals import bootstrap
from tournaments.rating.overall import Overall, rate_tables
from tournaments.rating.scale import BETA

NAMES = ("ann", "bob", "cid", "dan")
EVEN = dict.fromkeys(NAMES[:3], 25.0)
RISING = {"ann": 21.0, "bob": 25.0, "cid": 29.0}
FALLING = {"ann": 29.0, "bob": 25.0, "cid": 21.0}


def played(strengths: Mapping[str, float], deals: int = 30, seed: object = 0) -> list[Contest]:
    luck, found = Random(f"{seed}"), []
    for deal in range(deals):
        for (one, strength), (other, its) in permutations(strengths.items(), 2):
            won = luck.gauss(strength - its, BETA * 2**0.5) > 0
            teams = ((Member(one),), (Member(other),))
            found.append(Contest(f"deal-{deal}", teams, (1, 2) if won else (2, 1)))
    return found


def overall(*tables: Sequence[Contest], weights: Sequence[float] = (), names: Sequence[str] = NAMES[:3]) -> Overall:
    contests = {str(at): table for at, table in enumerate(tables)}
    return Overall(rate_tables(contests, names, 0.01, bytes(32)), names, weights)


def share(found: Overall, name: str) -> float:
    return found.of(name).share or 0


def width(found: Overall) -> float:
    low, high = found.of("ann").interval or (0, 0)
    return high - low


def test_a_share_is_the_mean_over_tables_of_the_chance_by_the_ratings_there_to_beat_each_other_bot() -> None:
    tables = played(FALLING), played(EVEN, seed=1)
    expected = []
    for table in tables:
        mus = {name: rating.mu for name, rating in bootstrap(table, NAMES[:3], 0.01, bytes(32), 1).ratings.items()}
        chances = [NormalDist().cdf((mus["ann"] - mus[name]) / (BETA * 2**0.5)) for name in ("bob", "cid")]
        expected.append(fmean(chances))
    found = overall(*tables)
    assert share(found, "ann") == pytest.approx(fmean(expected), abs=0.01)
    assert expected[0] > expected[1] + 0.15
    assert sum(share(found, name) for name in NAMES[:3]) == pytest.approx(1.5)


def test_a_bot_that_is_better_at_one_table_and_worse_at_another_is_as_good_as_others() -> None:
    found = overall(played(RISING), [replace(each, places=each.places[::-1]) for each in played(RISING)])
    assert [share(found, name) for name in NAMES[:3]] == pytest.approx([0.5] * 3, abs=1e-6)


def test_a_table_counts_as_much_as_its_weight_says() -> None:
    tables = played(FALLING), played(RISING, seed=1)
    one, other, both = (overall(*tables, weights=weights) for weights in ([1, 0], [0, 1], [3, 1]))
    assert share(one, "ann") > share(other, "ann") + 0.3
    assert share(both, "ann") == pytest.approx(0.75 * share(one, "ann") + 0.25 * share(other, "ann"))


def test_a_bot_that_lacks_a_table_has_no_share_and_is_none_of_the_field() -> None:
    with_dan = played(EVEN | {"dan": 35.0})
    found = overall(with_dan, played(EVEN, seed=1), names=NAMES)
    assert (found.of("dan").tables, found.of("dan").share, found.of("dan").interval) == (1, None, None)
    assert found.of("ann").tables == 2
    assert sum(share(found, name) for name in NAMES[:3]) == pytest.approx(1.5)
    assert overall(played({"ann": 25, "bob": 25}), played({"ann": 25, "cid": 25})).of("ann").share is None


def test_the_interval_is_narrower_with_more_tables_and_wider_with_fewer_deals() -> None:
    def independent(number: int) -> list[Contest]:  # so that tables share no luck
        return [replace(each, block=f"{number} {each.block}") for each in played(EVEN, seed=number)]

    one, four = width(overall(independent(0))), width(overall(*map(independent, range(4))))
    assert 0.4 < four / one < 0.62
    assert width(overall(played(EVEN, 6))) > 1.5 * one


def test_tables_that_share_deals_draw_the_same_ones_so_nothing_cancels_out() -> None:
    table = played(FALLING)
    assert width(overall(table, table)) > 0.85 * width(overall(table))


def test_an_interval_stays_within_the_possible_shares() -> None:
    low, high = overall(played({"ann": 60, "bob": 25}, 6), names=NAMES[:2]).of("ann").interval or (-1, 2)
    assert 0 <= low < high <= 1


def test_the_difference_of_two_bots_is_turned_if_they_are() -> None:
    found = overall(played(FALLING), played(EVEN, seed=1))
    low, high = found.difference("ann", "bob")
    assert found.difference("bob", "ann") == pytest.approx((-high, -low))
    assert low < share(found, "ann") - share(found, "bob") < high
