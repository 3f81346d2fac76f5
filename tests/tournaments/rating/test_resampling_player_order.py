from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.tournaments.rating.leagues import DRAW, SEED, rate, solo
from tournaments.rating.contest import Contest
from tournaments.rating.intervals import Bootstrap, bootstrap
from tournaments.rating.leads import Leads
from tournaments.rating.resampling import PlayerOrder, player_order

DEALS = 6
WON, LOST = (1, 2), (2, 1)


def won(*pairs: str, times: int = 1, deals: Iterable[int] = range(DEALS)) -> list[Contest]:
    """On each of these deals, the first bot of each pair beats the second this many times."""
    return [solo(*pair, block=str(deal)) for deal in deals for pair in pairs * times]


def drawn(*pairs: str) -> list[Contest]:
    return [solo(*pair, places=(1, 1), block=str(deal)) for deal in range(DEALS) for pair in pairs]


EQUALS = {
    "two bots that won equally often": [*won("ab", deals=range(4)), *won("ba", deals=range(4, 8))],
    "a circle of three": won("ab", "bc", "ca"),
    "a circle of four": [*won("ab", "bc", "cd", "da"), *drawn("ac", "bd")],
    "five in two circles": won("ab", "bc", "cd", "de", "ea", "ac", "ce", "eb", "bd", "da"),
    "four that always tie": drawn("ab", "ac", "ad", "bc", "bd", "cd"),
    "two pairs that never meet": [*drawn("ab"), *drawn("cd")],
    "two below a better one": [*won("ab", "ac", deals=range(5)), *won("ba", "ca", deals=[5]), *drawn("bc")],
    "two circles, one of which played twice as much": [*won("ab", "bc", "ca"), *won("de", "ef", "fd", times=2)],
}
"""Leagues in which some bots have equal ratings."""


def names_of(contests: Iterable[Contest]) -> list[str]:
    return sorted({member.player for contest in contests for team in contest.teams for member in team})


def intervals(found: Bootstrap, names: Sequence[str]) -> dict[tuple[str, ...], tuple[float, ...]]:
    """Of each bot its interval, the probability that it is first, its ranks, and if it may be best; and of differences.

    Differences are in both directions.
    """
    rank, both = Leads(found, bytes(32)).ranks(), [pair for two in combinations(names, 2) for pair in (two, two[::-1])]
    every = {
        (name,): (*of, rank[name].first, *rank[name].interval, rank[name].may_be_best)
        for name in names
        if (of := found.interval(name))
    }
    return every | {pair: ends for pair in both if (ends := found.difference(*pair))}


def assert_same(one: dict[tuple[str, ...], tuple[float, ...]], other: dict[tuple[str, ...], tuple[float, ...]]) -> None:
    assert one.keys() == other.keys()
    for who, ends in one.items():
        assert other[who] == pytest.approx(ends, abs=1e-5)


def rosters(names: Sequence[str]) -> Iterable[Sequence[str]]:
    """All orders of up to three names, and some of more."""
    luck = Random(1)
    return permutations(names) if len(names) < 4 else (luck.sample(names, len(names)) for _ in range(5))


@pytest.mark.parametrize("kind", EQUALS)
def test_no_order_of_the_roster_changes_the_interval_of_any_of_some_equal_bots(kind: str) -> None:
    contests = EQUALS[kind]
    names = names_of(contests)
    expected = intervals(bootstrap(contests, names, DRAW, SEED, 12), names)
    assert len(expected) >= 4
    for roster in rosters(names):
        assert_same(intervals(bootstrap(contests, roster, DRAW, SEED, 12), names), expected)


@pytest.mark.parametrize("kind", EQUALS)
def test_equal_bots_that_exchange_their_names_exchange_their_intervals(kind: str) -> None:
    contests = EQUALS[kind]
    names = names_of(contests)
    expected = intervals(bootstrap(contests, names, DRAW, SEED, 12), names)
    for roster in rosters(names):
        name = dict(zip(names, roster, strict=True))
        renamed = [
            solo(*(name[team[0].player] for team in contest.teams), places=contest.places, block=contest.block)
            for contest in contests
        ]
        found = intervals(bootstrap(renamed, names, DRAW, SEED, 12), names)
        assert_same({who: found[tuple(name[each] for each in who)] for who in expected}, expected)


@settings(deadline=None, max_examples=settings().max_examples // 8)
@given(
    st.lists(st.lists(st.sampled_from([WON, LOST, (1, 1)]), min_size=3, max_size=3), min_size=6, max_size=7),
    st.permutations("abc"),
)
@example([[WON, WON, LOST]] * 2 + [[WON, LOST, LOST], [LOST, WON, WON]] + [[LOST, LOST, WON]] * 2, ["b", "a", "c"])
def test_the_order_of_a_roster_of_three_changes_no_interval_whatever_they_played(
    deals: list[list[tuple[int, int]]], roster: list[str]
) -> None:
    contests = [
        solo(*pair, places=places, block=str(deal))
        for deal, found in enumerate(deals)
        for pair, places in zip(combinations("abc", 2), found, strict=True)
    ]
    one, other = (bootstrap(contests, names, DRAW, SEED, 12) for names in ("abc", roster))
    assert_same(intervals(one, "abc"), intervals(other, "abc"))


def order(contests: Sequence[Contest], roster: Sequence[str]) -> PlayerOrder:
    league = rate(contests, roster, DRAW)
    return player_order(league.results, {name: league.ratings[name].mu for name in roster}, ())


@pytest.mark.parametrize(
    ("kind", "alike"),
    [
        ("a circle of three", ["abc"]),
        ("a circle of four", ["abcd"]),
        ("four that always tie", ["abcd"]),
        ("two below a better one", ["bc"]),
        ("two circles, one of which played twice as much", ["abc", "def"]),
    ],
)
def test_bots_are_alike_if_the_results_do_not_tell_them_apart(kind: str, alike: list[str]) -> None:
    contests = EQUALS[kind]
    found = order(contests, names_of(contests)).alike
    assert sorted("".join(sorted(group)) for group in found) == alike


def test_the_interval_of_a_difference_of_bots_that_are_alike_is_symmetric() -> None:
    found = bootstrap(EQUALS["two bots that won equally often"], "ab", DRAW, SEED)
    low, high = found.difference("a", "b") or (0, 0)
    assert low == pytest.approx(-high)
    assert found.interval("a") == pytest.approx(found.interval("b"))


def test_bots_that_are_alike_and_never_met_have_no_interval_of_their_difference() -> None:
    found = bootstrap(EQUALS["two pairs that never meet"], "abcd", DRAW, SEED, 12)
    assert {pair for pair in combinations("abcd", 2) if found.difference(*pair)} == {("a", "b"), ("c", "d")}


def test_who_is_first_of_a_circle_decides_the_places_of_the_others() -> None:
    for roster in permutations("abc"):
        found = "".join(order(EQUALS["a circle of three"], roster).order)
        assert found in "acbac"  # after a comes the bot that beats it, then the one that it beats
        assert found[0] == roster[0]


def test_the_better_bot_comes_first_and_pseudo_players_come_last() -> None:
    league = rate(won("ba", "cb", "ca"), "abc", DRAW)
    mus = {name: league.ratings[name].mu for name in "abc"}
    assert player_order(league.results, mus, ["~z", "~y"]) == PlayerOrder(("c", "b", "a", "~z", "~y"), ())


def test_bots_without_matches_are_alike() -> None:
    assert order(won("ab"), "xayb") == PlayerOrder(("a", "x", "y", "b"), (("x", "y"),))
