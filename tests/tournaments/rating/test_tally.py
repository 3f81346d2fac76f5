import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.rating.leagues import DRAW, league, rate, solo
from tournaments.rating.contest import Contest, Member, comparisons
from tournaments.rating.ratings import at_rest
from tournaments.rating.tally import ResultCounter, Tally, growing, tally

RANK = {name: at for at, name in enumerate("abcdef")}


def told(found: Tally) -> list[list[list[tuple[str, int]]]]:
    """By block and unit: how often each bot beat each other."""
    names = ["".join(member.player for member in kind.members) for kind in found.kinds]
    return [[[(names[kind], count) for kind, count in unit] for unit in block] for block in found.blocks]


def test_results_are_counted_by_block_and_by_the_players_who_met_in_it() -> None:
    contests = [
        solo("a", "b", block="1"),
        solo("b", "a", block="1"),
        solo("a", "b", block="1"),
        solo("c", "a", block="1"),
        solo("b", "a", block="2"),
    ]
    assert told(tally(contests).ordered(RANK)) == [[[("ab", 2), ("ba", 1)], [("ca", 1)]], [[("ba", 1)]]]


def test_blocks_of_which_nobody_learns_are_no_blocks() -> None:
    deaf = Contest("1", ((Member("a", updated=False),), (Member("b", updated=False),)), (1, 2))
    assert tally([deaf, solo("a", "a", block="2")]).blocks == ()


def test_a_player_played_a_block_once_however_many_matches_of_it_tell_something_about_it() -> None:
    lesson = Contest("2", ((Member("a"),), (Member("b", updated=False),)), (1, 2))
    found = tally([solo("a", "b", block="1"), solo("a", "c", block="1"), lesson])
    assert found.played() == {"a": 2, "b": 1, "c": 1}


@given(st.permutations("abcdef"), st.permutations(range(6)))
def test_names_and_order_change_nothing_once_the_players_are_ranked(other: list[str], order: list[int]) -> None:
    """The players are renamed and the matches shuffled; their ranks stay."""
    games = ["abc", "bca", "de", "ed", "fa", "af"]
    contests = [solo(*game, block=str(at % 2), places=(1, 1, 2)[: len(game)]) for at, game in enumerate(games)]
    name = dict(zip("abcdef", other, strict=True))
    renamed = [
        solo(*(name[player] for player in games[at]), block=f"x{at % 2}", places=contests[at].places) for at in order
    ]
    one = tally(contests).ordered(RANK)
    two = tally(renamed).ordered({name[player]: rank for player, rank in RANK.items()})
    assert one.blocks == two.blocks


@pytest.mark.parametrize("size", [2, 3])
def test_results_that_grow_part_by_part_give_the_ratings_of_all_so_far_to_the_last_bit(size: int) -> None:
    found = league({"a": 22.0, "b": 25.0, "c": 28.0, "d": 25.0}, 60, size=size, tie=1.0)
    parts = [found[:1], found[1:25], [], found[25:]]
    sizes = [1, 25, 25, 60]
    for results, upto in zip(growing(parts), sizes, strict=True):
        assert at_rest(results, list("abcd"), DRAW).ratings == rate(found[:upto], list("abcd"), DRAW).ratings


@pytest.mark.parametrize("size", [2, 3])
def test_results_that_are_counted_as_they_come_are_those_counted_at_once(size: int) -> None:
    found = league({"a": 22.0, "b": 25.0, "c": 28.0, "d": 25.0}, 60, size=size, tie=1.0)
    counter = ResultCounter()
    for first in range(0, 60, 7):  # a block is never whole at once
        counter.add(found[first : first + 7])
        assert counter.tally() == tally(found[: first + 7])


def test_of_parts_without_contests_there_are_no_results() -> None:
    assert list(growing([[], []])) == [tally([])] * 2


def test_names_are_those_of_all_members() -> None:
    contest = Contest("1", ((Member("a"), Member("~first")), (Member("b"), Member("~second"))), (1, 2))
    assert tally([contest]).names() == {"a", "b", "~first", "~second"}
    assert tally([contest]).kinds == comparisons(contest)
