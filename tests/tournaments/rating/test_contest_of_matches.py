from typing import get_args

import pytest

from referee.core.outcome import FAULT, Outcome, Side, faulted
from referee.files.manifest import plain_name
from referee.match.transcript import FaultKind, FaultMark
from tests.tournaments.leagues import league
from tests.tournaments.rating.leagues import converged
from tournaments.league.deals import OwnDeals
from tournaments.league.model import Entry, Fixture, Luck, Remote, StoredMatch, TableSpec
from tournaments.rating.contest import Contest, Member, block, comparisons, contests

EVEN_AND_ODD = (Side("even", (0, 2)), Side("odd", (1, 3)))
PAIR_AND_SOLO = (Side("pair", (0, 2)), Side("solo", (1,)))


def fixture(*bots: str, deal: int = 3, rotation: int = 0) -> Fixture:
    return Fixture(f"game/table/{'+'.join(bots)}/deal-{deal}/turn-{rotation}", "table", bots, deal, rotation)


def played(of: Fixture, outcome: Outcome, *offenders: int) -> StoredMatch:
    seats = len(of.entries)
    faults = tuple(FaultMark(seat, 2, FaultKind.CRASH) for seat in offenders)
    return StoredMatch(of.id, "digest", of.entries, outcome, faults, (1,) * seats, (1,) * seats, 0)


def failed(of: Fixture, sides: tuple[Side, ...], *offenders: int) -> StoredMatch:
    return played(of, faulted(sides, len(of.entries), frozenset(offenders)), *offenders)


def contest(of: Fixture, match: StoredMatch, **options: str) -> Contest:
    """Of a match whose sides were fixed before play."""
    (found,) = contests(league(tables=(table_of(match, **options),)), [(of, match)])
    return found


def dealt_contest(of: Fixture, match: StoredMatch) -> Contest:
    """Of a match whose sides were dealt."""
    (found,) = contests(league(tables=(TableSpec("table", len(of.entries), {}),)), [(of, match)])
    return found


def table_of(match: StoredMatch, **options: str) -> TableSpec:
    sides = tuple(side.seats for side in match.outcome.sides)
    return TableSpec("table", len(match.entries), options, sides=sides)


def members(*names: str, updated: bool = True, weight: float = 1.0) -> tuple[Member, ...]:
    return tuple(Member(name, weight, updated) for name in names)


def halves(*names: str, updated: bool = True) -> tuple[Member, ...]:
    return members(*names, updated=updated, weight=0.5)


def test_without_sides_every_seat_is_a_team_at_its_place() -> None:
    of = fixture("a", "b", "c")
    result = contest(of, played(of, Outcome("sold", (2, 1, 2), ())))
    assert result.teams == (members("a"), members("b"), members("c"))
    assert result.places == (2, 1, 2)


def test_sides_are_the_teams_as_they_turned_out() -> None:
    of = fixture("a", "b", "c", "d")
    result = contest(of, played(of, Outcome("sold", (2, 1, 2, 1), EVEN_AND_ODD)))
    assert result.teams == (halves("a", "c"), halves("b", "d"))
    assert result.places == (2, 1)


def test_a_fault_in_a_two_sided_match_costs_the_side_and_the_partner_learns_nothing() -> None:
    of = fixture("a", "b", "c", "d")
    result = contest(of, failed(of, EVEN_AND_ODD, 2))
    assert result.teams == ((*halves("a", updated=False), *halves("c")), halves("b", "d"))
    assert result.places == (3, 1)


def test_faults_on_both_sides_are_a_draw_of_the_offenders_alone() -> None:
    of = fixture("a", "b", "c", "d")
    result = contest(of, failed(of, EVEN_AND_ODD, 0, 3))
    assert [[member.updated for member in team] for team in result.teams] == [[True, False], [False, True]]
    assert result.places[0] == result.places[1]


def test_a_fault_in_a_match_of_one_against_one_is_an_ordinary_loss() -> None:
    of = fixture("a", "b")
    for sides in ((), (Side("a", (0,)), Side("b", (1,)))):
        result = contest(of, failed(of, sides, 0))
        assert result.teams == (members("a"), members("b"))
        assert result.places == (2, 1)


def test_a_fault_among_many_is_the_offenders_loss_to_the_others_together() -> None:
    of = fixture("a", "b", "c")
    result = contest(of, failed(of, (), 1))
    assert result.teams == (halves("a", "c"), members("b"))
    assert result.places == (1, 2)


def test_several_who_fail_lose_together_and_are_not_compared() -> None:
    of = fixture("a", "b", "c", "d")
    result = contest(of, failed(of, (), 0, 2))
    assert result.teams == (halves("b", "d"), halves("a", "c"))


def test_a_fault_in_a_match_of_three_sides_is_the_offenders_loss_and_no_side_s() -> None:
    sides = (Side("first", (0, 1)), Side("second", (2,)), Side("third", (3,)))
    of = fixture("a", "b", "c", "d")
    result = contest(of, played(of, Outcome(FAULT, (1, 4, 1, 1), sides), 1))
    assert result.teams == (members("a", "c", "d", weight=1 / 3), members("b"))


@pytest.mark.parametrize(("bots", "offender"), [("aaab", 1), ("aaba", 0), ("baaa", 2)])
def test_a_bot_is_not_beaten_by_its_own_copies(bots: str, offender: int) -> None:
    of = fixture(*bots)
    assert contest(of, failed(of, (), offender)).teams == (members("b"), members("a"))


def test_where_all_fail_nobody_is_rated() -> None:
    of = fixture("a", "b", "a")
    assert contests(league(tables=(TableSpec("table", 3, {}),)), [(of, failed(of, (), 0, 1, 2))]) == []
    assert contests(league(tables=(TableSpec("table", 3, {}),)), [(of, failed(of, (), 0, 1))]) == []


def test_bots_that_fail_against_each_other_are_not_driven_away_from_those_who_do_not() -> None:
    # If only those who failed learned, a and b would be 2,000 points below c and d.
    failing, others = fixture("a", "b", "a"), fixture("c", "d")
    faults = [contest(failing, failed(failing, (), offender)) for offender in (0, 1) for _ in range(500)]
    wins = [contest(others, played(others, Outcome("won", places, ()))) for places in ((1, 2), (2, 1))]
    ratings = converged([*faults, *wins], "abcd", 0.1)
    assert [ratings[name].mu for name in "abcd"] == pytest.approx([25.0] * 4)


def blocks(*fixtures: Fixture, remote: frozenset[str] = frozenset()) -> int:
    """How many blocks these fixtures are."""
    return len({block(of, OwnDeals(remote=remote)) for of in fixtures})


def test_a_block_is_a_deal_whoever_plays_it_in_whatever_rotation_at_whatever_table() -> None:
    of = fixture("a", "b")
    elsewhere = Fixture("game/other/a+c+d/deal-3/turn-0", "other", ("a", "c", "d"), 3, 0)
    assert blocks(of, fixture("b", "a", rotation=1), fixture("a", "c"), elsewhere) == 1
    assert blocks(of, fixture("a", "b", deal=4)) == 2


def test_the_seatings_of_a_group_with_a_remote_bot_are_a_block() -> None:
    of, turned, others = fixture("a", "b"), fixture("b", "a", rotation=1), fixture("b", "c")
    assert blocks(of, turned, others, fixture("c", "b", rotation=1), remote=frozenset({"a"})) == 2
    assert blocks(of, fixture("a", "b", deal=4), fixture("a", "c"), remote=frozenset({"a"})) == 3


def test_the_remote_bots_of_the_league_decide_what_has_a_deal_of_its_own() -> None:
    remote = Entry("a", "grpc://127.0.0.1:1", Remote())
    here = league(tables=(TableSpec("table", 2, {}),), entries=(remote, Entry("b", "/b"), Entry("c", "/c")))
    pairs = [fixture("a", "b"), fixture("b", "a", rotation=1), fixture("b", "c"), fixture("c", "b", rotation=1)]
    found = contests(here, [(of, played(of, Outcome("won", (1, 2), ()))) for of in pairs])
    assert [each.block for each in found] == ["table/deal-3/a+b", "table/deal-3/a+b", "deal-3", "deal-3"]


def test_with_luck_of_its_own_a_block_has_every_seating_of_a_group_and_no_other_group() -> None:
    pairs = [fixture("a", "b"), fixture("b", "a", rotation=1), fixture("b", "c"), fixture("c", "b", rotation=1)]
    matches = [(of, played(of, Outcome("won", (1, 2), ()))) for of in pairs]
    common, own = (league(tables=(TableSpec("table", 2, {}, luck=luck),)) for luck in get_args(Luck))
    assert len({each.block for each in contests(common, matches)}) == 1
    assert len({each.block for each in contests(own, matches)}) == 2


def test_sides_of_unequal_size_have_a_pseudo_player_each_and_members_weigh_as_much_as_a_player_alone() -> None:
    of = fixture("a", "b", "c")
    result = contest(of, played(of, Outcome("won", (2, 1, 2), PAIR_AND_SOLO)), line_up="2v1")
    (pair, solo) = result.teams
    assert (pair[:-1], solo[:-1]) == (halves("a", "c"), members("b"))
    assert pair[-1] == Member('~nim/3/{"line_up":"2v1"}/pair')
    assert solo[-1] == Member('~nim/3/{"line_up":"2v1"}/solo')
    assert result.places == (2, 1)


def test_sides_that_are_dealt_have_a_pseudo_player_each_whatever_their_size() -> None:
    of = fixture("a", "b", "c", "d")
    result = dealt_contest(of, played(of, Outcome("won", (2, 1, 2, 1), EVEN_AND_ODD)))
    assert result.teams == (
        (*halves("a", "c"), Member("~nim/4/{}/even")),
        (*halves("b", "d"), Member("~nim/4/{}/odd")),
    )


def test_copies_on_both_sides_are_compared_with_the_others_and_not_with_themselves() -> None:
    of = fixture("a", "a", "a", "b")
    sides = (Side("agents", (0, 1, 3)), Side("insider", (2,)))
    (found,) = comparisons(dealt_contest(of, played(of, Outcome("won", (1, 1, 2, 1), sides))))
    assert not found.drawn
    assert [[(member.player, round(member.weight, 3)) for member in team] for team in (found.upper, found.lower)] == [
        [("b", 0.333), ("~nim/4/{}/agents", 1.0)],
        [("a", 0.333), ("~nim/4/{}/insider", 1.0)],
    ]


@pytest.mark.parametrize(("seats", "sides"), [(2, (Side("x", (0,)), Side("y", (1,)))), (4, EVEN_AND_ODD), (3, ())])
def test_sides_of_equal_size_have_no_pseudo_player(seats: int, sides: tuple[Side, ...]) -> None:
    of = fixture(*"abcd"[:seats])
    places = tuple(1 + seat % 2 for seat in range(seats))
    for team in contest(of, played(of, Outcome("won", places, sides))).teams:
        assert all(member.player in of.entries for member in team)


def pseudo_players(found: Contest) -> list[str]:
    return [team[-1].player for team in found.teams]


def test_pseudo_players_are_shared_by_tables_of_the_same_options_and_by_no_others() -> None:
    here = [TableSpec(name, 3, {"mode": mode, "a": 1}) for name, mode in (("x", "1"), ("y", "1"), ("z", "2"))]
    fixtures = [Fixture(f"{table.name}/match", table.name, ("a", "b", "c"), 0, 0) for table in here]
    matches = [(of, played(of, Outcome("won", (2, 1, 2), PAIR_AND_SOLO))) for of in fixtures]
    first, second, third = map(pseudo_players, contests(league(tables=tuple(here)), matches))
    assert first == second
    assert not {*first} & {*third}


def test_the_name_of_a_pseudo_player_can_be_no_entry_s() -> None:
    of = fixture("a", "b", "c")
    names = pseudo_players(contest(of, played(of, Outcome("won", (2, 1, 2), PAIR_AND_SOLO))))
    for name in names:
        with pytest.raises(ValueError, match="not allowed"):
            plain_name(name[:1])


def test_a_bot_that_holds_a_team_counts_as_much_as_one_that_plays_alone() -> None:
    of = fixture("a", "b", "a")
    (found,) = comparisons(contest(of, played(of, Outcome("won", (1, 2, 1), PAIR_AND_SOLO))))
    assert [(member.player, member.weight) for member in found.members if member.player in "ab"] == [("a", 1), ("b", 1)]


def test_a_fault_teaches_the_bot_whose_other_seat_was_the_partner_and_no_pseudo_player() -> None:
    of = fixture("a", "b", "a")
    (found,) = comparisons(contest(of, failed(of, PAIR_AND_SOLO, 2)))
    learning = {member.player: member.updated for member in found.members}
    assert (learning.pop("a"), learning.pop("b")) == (True, True)
    assert set(learning.values()) == {False}


TOGETHER = (Side("all", (0, 1)),)


@pytest.mark.parametrize(("place", "places"), [(1, (1, 2)), (2, (2, 1))])
def test_where_all_seats_are_one_side_they_play_against_the_game(place: int, places: tuple[int, int]) -> None:
    of = fixture("a", "b")
    result = contest(of, played(of, Outcome("over", (place, place), TOGETHER)), board="main")
    assert result.teams == (halves("a", "b"), members('~nim/2/{"board":"main"}/against all'))
    assert result.places == places


def test_a_fault_in_a_cooperative_match_is_a_loss_of_the_offender_alone_from_which_the_game_learns_nothing() -> None:
    of = fixture("a", "b")
    result = contest(of, failed(of, TOGETHER, 1))
    assert result.teams == (members("b"), members("~nim/2/{}/against all", updated=False))
    assert result.places == (2, 1)


def test_a_fault_costs_a_bot_that_has_all_seats() -> None:
    of = fixture("a", "a")
    (found,) = comparisons(contest(of, failed(of, TOGETHER, 1)))
    assert [member.player for member in found.members if member.updated] == ["a"]


def test_several_who_fail_in_a_cooperative_match_lose_to_the_game_together() -> None:
    of = fixture("a", "b", "c", "a")
    result = contest(of, failed(of, (Side("all", (0, 1, 2, 3)),), 0, 1, 3))
    assert result.teams == (halves("a", "b"), members("~nim/4/{}/against all", updated=False))
