"""One number over several tables: shares against the field, their intervals, and who has none."""

from itertools import permutations
from random import Random

import pytest

from tournaments.rating.contest import Contest, Member
from tournaments.rating.overall import Overall, RatedAtTable, tables_of
from tournaments.rating.scale import BETA, MU, elo_like

NAMES = ("ann", "bob", "cid", "dan")


def at(mu: float, error: float = 1.0, blocks: int = 50, seed: object = 0) -> RatedAtTable:
    luck = Random(f"{seed}")
    return RatedAtTable(mu, [luck.gauss(mu, error) for _ in range(200)], blocks)


def table(*mus: float, blocks: int = 50, error: float = 1.0, seed: object = 0) -> dict[str, RatedAtTable]:
    names = zip(NAMES, mus, strict=False)
    return {name: at(mu, error, blocks, f"{seed} {name}") for name, mu in names}


def played(strengths: dict[str, float], deals: int, seed: object) -> list[Contest]:
    luck, found = Random(f"{seed}"), []
    for deal in range(deals):
        for (one, strength), (other, its) in permutations(strengths.items(), 2):
            won = luck.gauss(strength - its, BETA * 2**0.5) > 0
            teams = ((Member(one),), (Member(other),))
            found.append(Contest(f"deal-{deal}", teams, (1, 2) if won else (2, 1)))
    return found


def test_a_share_is_the_mean_over_tables_of_the_chance_to_beat_each_other_bot() -> None:
    found = Overall([table(25, 25, 25), table(25 + BETA * 2**0.5, 25, 25)])
    share = found.of("ann").share
    assert share == pytest.approx((0.5 + 0.8413) / 2, abs=1e-3)
    assert sum(found.of(name).share or 0 for name in NAMES[:3]) == pytest.approx(1.5)


def test_a_bot_that_is_better_at_one_table_and_worse_at_another_is_as_good_as_others() -> None:
    found = Overall([table(30, 25, 20), table(20, 25, 30)])
    assert [found.of(name).share for name in NAMES[:3]] == pytest.approx([0.5] * 3, abs=1e-6)


def test_a_table_counts_as_much_as_its_weight_says() -> None:
    tables = [table(30, 25, 20), table(20, 25, 30)]
    assert Overall(tables, [1, 0]).of("ann").share == pytest.approx(Overall(tables[:1]).of("ann").share)
    assert Overall(tables, [3, 1]).of("ann").share == pytest.approx(1 - (Overall(tables, [1, 3]).of("ann").share or 0))


def test_a_bot_that_lacks_a_table_has_no_share_and_is_none_of_the_field() -> None:
    found = Overall([table(25, 25, 20, 35), table(25, 25, 20)])
    assert (found.of("dan").tables, found.of("dan").share, found.of("dan").interval) == (1, None, None)
    assert found.of("ann").tables == 2
    assert found.of("ann").share == pytest.approx(Overall([table(25, 25, 20)] * 2).of("ann").share)
    assert Overall([table(25), table(25)]).of("ann").share is None


def test_the_interval_is_narrower_with_more_tables_and_wider_with_fewer_deals() -> None:
    def width(*tables: dict[str, RatedAtTable]) -> float:
        low, high = Overall(tables).of("ann").interval or (0, 0)
        return high - low

    one, four = width(table(25, 25, 25)), width(*(table(25, 25, 25, seed=number) for number in range(4)))
    assert 0.4 < four / one < 0.62
    assert width(table(25, 25, 25, blocks=6)) > 1.2 * one


def test_an_interval_stays_within_the_possible_shares() -> None:
    low, high = Overall([table(45, 25, 25, error=20.0)]).of("ann").interval or (-1, 2)
    assert 0 <= low < high <= 1


def test_the_difference_of_two_bots_is_turned_if_they_are() -> None:
    found = Overall([table(27, 25, 25), table(26, 25, 25, seed=1)])
    low, high = found.difference("ann", "bob")
    assert found.difference("bob", "ann") == pytest.approx((-high, -low))
    assert low < (found.of("ann").share or 0) - (found.of("bob").share or 0) < high


def test_a_league_is_rated_table_by_table_from_the_same_deals() -> None:
    strong = played({"ann": 30, "bob": 25, "cid": 25}, 20, "one")
    even = played({"ann": 25, "bob": 25}, 20, "two")
    tables = tables_of({"one": strong, "two": even}, ("ann", "bob", "cid"), 0.01, bytes(32))
    assert [sorted(each) for each in tables] == [["ann", "bob", "cid"], ["ann", "bob"]]
    assert tables[0]["ann"].mu > MU + 2
    assert abs(tables[1]["ann"].mu - MU) < 2
    twice = tables_of({"one": strong, "again": strong}, ("ann", "bob", "cid"), 0.01, bytes(32))
    spread = Overall(twice).of("ann").interval or (0, 0)
    alone = Overall(twice[:1]).of("ann").interval or (0, 0)
    assert spread[1] - spread[0] > 0.85 * (alone[1] - alone[0])  # the deals are the same, so nothing cancels out


def test_400_points_that_people_know_are_ten_wins_for_one_loss() -> None:
    assert elo_like(MU) == 1500
    assert elo_like(MU + 1) == pytest.approx(1547, abs=0.6)
    assert elo_like(MU + 8) == pytest.approx(1908, abs=1)
