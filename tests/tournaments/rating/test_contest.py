import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.rating.leagues import solo
from tournaments.rating.contest import Contest, Member, TeamComparison, comparisons


def pair(first: tuple[Member, ...], second: tuple[Member, ...], places: tuple[int, int] = (1, 2)) -> Contest:
    return Contest("deal", (first, second), places)


def test_a_match_of_two_teams_is_one_comparison_with_members_by_name() -> None:
    contest = Contest("deal", ((Member("d"),), (Member("c"), Member("b"))), (4, 1))
    assert comparisons(contest) == (TeamComparison((Member("b"), Member("c")), (Member("d"),), drawn=False),)
    assert comparisons(contest)[0].weight == 1


def test_a_match_of_more_teams_is_all_pairs_of_them_ties_too_and_each_counts_two_kth() -> None:
    found = comparisons(solo("a", "b", "c", "d", places=(1, 2, 2, 4)))
    assert [(each.upper[0].player, each.lower[0].player, each.drawn) for each in found] == [
        ("a", "b", False),
        ("a", "c", False),
        ("a", "d", False),
        ("b", "c", True),
        ("b", "d", False),
        ("c", "d", False),
    ]
    assert {each.weight for each in found} == {2 / 4}


@given(st.permutations([("a", 1), ("b", 2), ("c", 2), ("d", 4)]))
def test_the_order_of_the_teams_makes_no_difference(seating: list[tuple[str, int]]) -> None:
    shuffled = solo(*(name for name, _ in seating), places=[place for _, place in seating])
    assert set(comparisons(shuffled)) == set(comparisons(solo("a", "b", "c", "d", places=(1, 2, 2, 3))))


def test_turned_round_the_loser_has_won_and_a_draw_is_a_draw() -> None:
    (won,), (drawn,) = comparisons(solo("a", "b")), comparisons(solo("a", "b", places=(1, 1)))
    assert won.turned() == comparisons(solo("b", "a"))[0]
    assert drawn.turned() == drawn
    assert comparisons(solo("a", "b", "c"))[0].turned().weight == 2 / 3


def test_exchanged_players_change_places_and_sides_fare_as_they_did() -> None:
    strong, weak, half = Member("~strong"), Member("~weak"), 0.5
    (upset,) = comparisons(Contest("", ((Member("a"), strong), (Member("b", half), Member("c", half), weak)), (2, 1)))
    assert upset.exchanged().upper == (Member("a"), weak)
    assert upset.exchanged().lower == (Member("b", half), Member("c", half), strong)
    assert upset.exchanged().exchanged() == upset


def test_players_exchanged_in_a_draw_take_the_other_side() -> None:
    strong, weak = Member("~strong"), Member("~weak")
    (drawn,) = comparisons(Contest("", ((Member("a"), strong), (Member("b"), weak)), (1, 1)))
    (other,) = comparisons(Contest("", ((Member("b"), strong), (Member("a"), weak)), (1, 1)))
    assert drawn.exchanged() == other != drawn


def test_without_sides_and_against_the_game_an_exchange_is_the_opposite_result() -> None:
    for contest in (solo("a", "b"), solo("a", "~game")):
        (won,) = comparisons(contest)
        assert won.exchanged() == won.turned()


def test_a_player_with_several_seats_of_a_team_counts_once_with_all_their_weight() -> None:
    half = Member("a", 0.5)
    assert comparisons(pair((half, half), (Member("b"),))) == comparisons(solo("a", "b"))


def test_a_partner_seat_of_the_same_player_learns_if_one_of_its_seats_does() -> None:
    (found,) = comparisons(pair((Member("a", 0.5, updated=False), Member("a", 0.5)), (Member("b"),)))
    assert [member.updated for member in found.members] == [True, True]


def test_a_player_against_itself_tells_nothing() -> None:
    assert comparisons(solo("a", "a")) == ()


def test_a_player_against_itself_still_tells_what_the_seats_are_worth() -> None:
    mirror = pair((Member("a"), Member("~first")), (Member("a"), Member("~second")))
    assert comparisons(mirror) == comparisons(solo("~first", "~second"))


def test_of_a_player_on_both_sides_the_larger_weight_counts_less_the_smaller() -> None:
    contest = pair((Member("a"),), (Member("a", 0.5), Member("b", 0.5)))
    assert comparisons(contest) == comparisons(pair((Member("a", 0.5),), (Member("b", 0.5),)))


def test_pairs_of_a_player_with_itself_drop_out_and_the_others_count_no_more_for_it() -> None:
    found = comparisons(solo("a", "a", "b"))
    assert [(each.upper[0].player, each.lower[0].player, each.weight) for each in found] == [("a", "b", 2 / 3)] * 2


def test_a_contest_from_which_nobody_learns_is_no_contest() -> None:
    deaf = pair((Member("a", updated=False),), (Member("b", updated=False),))
    assert comparisons(deaf) == ()


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
        comparisons(contest)
    assert "'d7'" in str(refusal.value)
