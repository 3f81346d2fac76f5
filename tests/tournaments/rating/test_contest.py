import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.rating.leagues import solo
from tournaments.rating.contest import Contest, Member
from tournaments.rating.contest import ResultKind, blocks, kinds, learners, opposite, result_counts


def pair(first: tuple[Member, ...], second: tuple[Member, ...], places: tuple[int, int] = (1, 2)) -> Contest:
    return Contest("deal", (first, second), places)


def test_a_kind_lists_teams_by_place_then_name_and_members_by_name() -> None:
    contest = Contest("deal", ((Member("d"),), (Member("c"), Member("b")), (Member("a"),)), (4, 1, 4))
    assert kinds(contest) == (ResultKind(((Member("b"), Member("c")), (Member("a"),), (Member("d"),)), (1, 2, 2)),)


@given(st.permutations([("a", 1), ("b", 2), ("c", 2), ("d", 4)]))
def test_the_order_of_the_teams_makes_no_difference(seating: list[tuple[str, int]]) -> None:
    shuffled = solo(*(name for name, _ in seating), places=[place for _, place in seating])
    assert kinds(shuffled) == kinds(solo("a", "b", "c", "d", places=(1, 2, 2, 3)))


def test_equal_results_are_counted_and_options_in_a_pseudo_player_keep_results_apart() -> None:
    plain, seated = solo("a", "b"), pair((Member("a"), Member("~first")), (Member("b"), Member("~second")))
    assert list(result_counts([plain, seated, plain]).values()) == [2, 1]


def test_a_player_with_several_seats_of_a_team_counts_once_with_all_their_weight() -> None:
    half = Member("a", 0.5)
    assert kinds(pair((half, half), (Member("b"),))) == kinds(solo("a", "b"))


def test_a_partner_seat_of_the_same_player_learns_if_one_of_its_seats_does() -> None:
    (kind,) = kinds(pair((Member("a", 0.5, updated=False), Member("a", 0.5)), (Member("b"),)))
    assert [member.updated for member in kind.members] == [True, True]


def test_a_player_against_itself_tells_nothing() -> None:
    assert kinds(solo("a", "a")) == ()


def test_a_player_against_itself_still_tells_what_the_seats_are_worth() -> None:
    mirror = pair((Member("a"), Member("~first")), (Member("a"), Member("~second")))
    assert kinds(mirror) == kinds(solo("~first", "~second"))


def test_of_a_player_on_both_sides_the_larger_weight_counts_less_the_smaller() -> None:
    contest = pair((Member("a"),), (Member("a", 0.5), Member("b", 0.5)))
    assert kinds(contest) == kinds(pair((Member("a", 0.5),), (Member("b", 0.5),)))


def test_with_a_player_in_several_of_many_teams_only_neighbours_by_place_are_compared() -> None:
    assert kinds(solo("a", "a", "b", "c")) == kinds(solo("a", "b")) + kinds(solo("b", "c"))


def test_a_contest_from_which_nobody_learns_is_no_contest() -> None:
    deaf = pair((Member("a", updated=False),), (Member("b", updated=False),))
    assert kinds(deaf) == ()


@pytest.mark.parametrize(
    ("contest", "reason"),
    [
        (Contest("d7", ((Member("a"),),), (1,)), "at least two teams, not 1"),
        (Contest("d7", ((Member("a"),), (Member("b"),)), (1,)), "2 teams need as many places, not 1"),
        (Contest("d7", ((Member("a"),), ()), (1, 2)), "a team has no members"),
        (Contest("d7", ((Member("a", 0.0),), (Member("b"),)), (1, 2)), "weight of 'a' must be above 0"),
        (Contest("d7", ((Member("a", float("nan")),), (Member("b"),)), (1, 2)), "weight of 'a' must be above 0"),
        (Contest("d7", ((Member("a"),), (Member("a"), Member("b"))), (1, 2)), "leaves b without an opponent"),
    ],
)
def test_a_contest_without_sense_is_refused_with_its_block_and_the_reason(contest: Contest, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as refusal:
        kinds(contest)
    assert "'d7'" in str(refusal.value)


def test_blocks_of_one_content_are_one_content_with_a_count() -> None:
    twice = [solo("a", "b", block="1"), solo("b", "a", block="1"), solo("b", "a", block="2"), solo("a", "b", block="2")]
    assert list(blocks([*twice, solo("a", "b", block="3")]).values()) == [1, 2]


def content(*contests: Contest) -> tuple[tuple[ResultKind, int], ...]:
    return tuple(result_counts(contests).items())


def test_the_opposite_of_a_block_is_every_match_from_last_to_first_and_its_own_opposite_the_block() -> None:
    block = content(solo("a", "b", "c", places=(1, 1, 2)), solo("b", "a"), solo("b", "a"))
    assert opposite(block) == content(solo("c", "a", "b", places=(1, 2, 2)), solo("a", "b"), solo("a", "b"))
    assert opposite(opposite(block)) == block


def test_a_block_that_both_won_alike_is_its_own_opposite() -> None:
    block = content(solo("a", "b"), solo("b", "a"), solo("a", "b", places=(1, 1)))
    assert opposite(block) == block


def test_a_block_tells_nothing_of_those_who_do_not_learn_from_it() -> None:
    block = content(pair((Member("a"), Member("b", updated=False)), (Member("c", updated=False),)))
    assert learners(block) == {"a"}
    assert learners(opposite(block)) == {"a"}
