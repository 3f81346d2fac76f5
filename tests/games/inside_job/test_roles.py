"""The special roles, one after the other: IJ-31 to IJ-38, IJ-40, IJ-43."""

import pytest

from referee.games.inside_job.moves import ChoosePartner
from tests.games.inside_job.table import GAME, Table

# Wired Agent

WIRED = ("insider", "wired", "agent", "agent")


def test_ij_31_the_wired_agent_is_open_from_the_start() -> None:
    table = Table.begun(*WIRED)
    assert table.heard(3)[-1] == "seat 1 shows its role: Wired Agent"
    assert (table.open_roles, table.revealed) == ([None, "wired", None, None], [])


def test_ij_31_with_more_than_one_token_the_insider_wins_at_once() -> None:
    table = Table.arranged(*WIRED)
    table.won_by(1)
    assert table.tokens[1] == 2
    assert table.result == ("wired", [0])


def test_ij_31_also_when_its_only_token_was_wagered_and_won_back_with_another() -> None:
    table = Table.arranged(*WIRED)
    table.won_by(1, wagers=(1,))
    assert table.result == ("wired", [0])


def test_ij_31_one_token_is_not_too_many() -> None:
    table = Table.arranged(*WIRED, tokens=(1, 0, 1, 1))
    table.won_by(1)
    assert (table.tokens[1], table.result) == (1, None)


def test_ij_31_a_token_won_with_a_wager_of_another_is_one_too_many() -> None:
    table = Table.arranged(*WIRED, tokens=(1, 0, 1, 1))
    table.won_by(1, wagers=(2,))
    assert table.result == ("wired", [0])


def test_ij_31_it_wins_with_the_agents() -> None:
    table = Table.voting(*WIRED)
    table.votes({0: 2, 1: 0, 2: 0, 3: 0})
    assert table.result == ("insider_accused", [1, 2, 3])


# Paranoid Agent

PARANOID = ("insider", "paranoid", "agent", "agent")


def test_ij_32_the_paranoid_agent_votes_for_two_different_seats() -> None:
    table = Table.voting(*PARANOID)
    assert table.legal_of(1) == [
        "vote for seat 0 and seat 2",
        "vote for seat 0 and seat 3",
        "vote for seat 2 and seat 3",
    ]
    table.votes({0: 2, 1: (0, 2), 2: 0, 3: 0})
    assert table.told[1] == "seat 1 votes for seat 0 and seat 2"
    assert table.result == ("insider_accused", [1, 2, 3])


def test_ij_32_both_ballots_count() -> None:
    table = Table.voting(*PARANOID)
    table.votes({0: 2, 1: (0, 2), 2: 0, 3: 2})
    assert table.result == ("other_accused", [0])


def test_ij_32_for_one_once_if_only_one_can_be_voted_for() -> None:
    table = Table.voting(*PARANOID, revealed=(2, 3))
    assert table.legal_of(1) == ["vote for seat 0"]


def test_ij_32_revealed_by_tokens_any_two_ballots() -> None:
    table = Table.voting(*PARANOID, revealed=(1,))
    assert table.legal_of(1) == [
        "vote for seat 0 and seat 0",
        "vote for seat 0 and seat 2",
        "vote for seat 0 and seat 3",
        "vote for seat 2 and seat 2",
        "vote for seat 2 and seat 3",
        "vote for seat 3 and seat 3",
    ]
    table.votes({0: 2, 1: (0, 0), 2: 3, 3: 2})
    assert table.told[-2] == "most ballots: seat 0 and seat 2"


def test_ij_32_revealed_by_tokens_also_two_for_the_only_one() -> None:
    table = Table.voting(*PARANOID, revealed=(1, 2, 3))
    assert table.legal_of(1) == ["vote for seat 0 and seat 0"]


def test_ij_32_who_can_vote_for_nobody_abstains_as_all_do() -> None:
    table = Table.voting("prof_no", "paranoid", "agent", "agent", revealed=(0, 2, 3))
    assert table.legal_of(1) == ["vote for nobody"]
    assert Table.voting(*PARANOID, revealed=(0, 1, 2, 3)).legal_of(1) == ["vote for nobody"]


# Daredevil Agent

DAREDEVIL = ("insider", "daredevil", "agent", "agent")


def test_ij_33_the_risky_missions_are_shuffled_in() -> None:
    table = Table.begun(*DAREDEVIL)
    assert (len(table.state.missions), table.state.missions[-4:]) == (28, ("R1", "R2", "R3", "R4"))
    assert len(Table.begun(*WIRED).state.missions) == 24


@pytest.mark.parametrize(
    ("missions", "choices"),
    [(("M05", "R2"), ["R2"]), (("R2", "M05"), ["R2"]), (("R3", "R1"), ["R1", "R3"]), (("M09", "M05"), ["M05", "M09"])],
)
@pytest.mark.parametrize("leader", [0, 3])
def test_ij_33_every_leader_must_choose_a_risky_mission_if_there_is_one(
    missions: tuple[str, str], choices: list[str], leader: int
) -> None:
    table = Table.dealt(*DAREDEVIL, missions=missions)
    table.luck(leader)
    assert [words.split()[1] for words in table.legal] == choices
    assert table.view(leader).looked_at == tuple(sorted(missions))


def test_ij_33_a_daredevil_revealed_by_tokens_has_won_for_the_agents() -> None:
    table = Table.arranged(*DAREDEVIL, tokens=(1, 4, 1, 1))
    table.won_by(1)
    assert table.result == ("daredevil", [1, 2, 3])


def test_ij_33_another_agent_revealed_has_not() -> None:
    table = Table.arranged(*DAREDEVIL, tokens=(1, 1, 4, 1))
    table.won_by(2)
    assert (table.revealed, table.result) == ([2], None)


# Decoy

DECOY = ("insider", "decoy", "agent", "agent")


def test_ij_34_alone_at_the_top_only_the_decoy_wins() -> None:
    table = Table.voting(*DECOY)
    table.votes({0: 1, 1: 0, 2: 1, 3: 1})
    assert table.result == ("decoy_accused", [1])


def test_ij_34_a_revealed_sleeper_loses_then_too() -> None:
    table = Table.voting("insider", "decoy", "sleeper", "agent", "agent", revealed=(2,))
    table.votes({0: 1, 1: 0, 3: 1, 4: 1})
    assert table.result == ("decoy_accused", [1])


def test_ij_34_tied_with_the_insider_at_the_top_both_win() -> None:
    table = Table.voting(*DECOY)
    table.votes({0: 1, 1: 0, 2: 0, 3: 1})
    assert table.result == ("insider_tied_with_decoy", [0, 1])


def test_ij_34_and_whoever_wins_with_the_insider() -> None:
    table = Table.voting("insider", "decoy", "sleeper", "agent", "agent", revealed=(2,))
    table.votes({0: 1, 1: 0, 3: 0, 4: 1})
    assert table.result == ("insider_tied_with_decoy", [0, 1, 2])


def test_ij_34_also_with_a_third_at_the_top() -> None:
    table = Table.voting("insider", "decoy", "paranoid", "agent", "agent")
    table.votes({0: 1, 1: 3, 2: (0, 1), 3: 0, 4: 3})
    assert table.told[-2] == "most ballots: seat 0 and seat 1 and seat 3"
    assert table.result == ("insider_tied_with_decoy", [0, 1])


def test_ij_34_tied_without_the_insider_the_insider_s_side_wins() -> None:
    table = Table.voting(*DECOY)
    table.votes({0: 1, 1: 2, 2: 1, 3: 2})
    assert table.result == ("tied_with_decoy", [0])


def test_ij_34_equal_ballots_below_the_top_are_nothing() -> None:
    table = Table.voting("insider", "decoy", "agent", "agent", "agent")
    table.votes({0: 1, 1: 0, 2: 3, 3: 2, 4: 3})
    assert table.result == ("other_accused", [0])


def test_ij_34_without_a_vote_the_decoy_loses() -> None:
    table = Table.arranged(*DECOY, completed=6)
    table.won_by(1, completes=True)
    assert table.result == ("missions", [2, 3])
    table = Table.arranged(*DECOY, tokens=(4, 1, 1, 1))
    table.won_by(0)
    assert table.result == ("tokens", [0])


def test_ij_34_with_the_insider_accused_the_decoy_loses() -> None:
    table = Table.voting(*DECOY)
    table.votes({0: 1, 1: 0, 2: 0, 3: 0})
    assert table.result == ("insider_accused", [2, 3])


# Accomplice

ACCOMPLICE = ("insider", "accomplice", "agent", "agent")


def test_ij_35_the_accomplice_is_open_from_the_start_and_has_no_token() -> None:
    table = Table.begun(*ACCOMPLICE)
    assert table.heard(3)[-1] == "seat 1 shows its role: Accomplice"
    assert (table.tokens, table.state.common.supply) == ([1, 0, 1, 1], 11)


def test_ij_35_it_chooses_a_partner_after_the_deal_before_the_first_leader_is_drawn() -> None:
    table = Table.dealt(*ACCOMPLICE)
    assert table.asked == (1,)
    assert GAME.legal(table.state, 1) == (ChoosePartner(0), ChoosePartner(2), ChoosePartner(3))
    table.takes_for_partner(3)
    assert table.state.phase == "leader"
    assert table.state.common.partner == 3


def test_ij_35_all_see_which_and_only_the_accomplice_sees_the_role() -> None:
    table = Table.dealt(*ACCOMPLICE)
    table.takes_for_partner(0)
    assert table.heard(1) == ["seat 1 takes seat 0 for its partner: Insider"]
    assert [table.heard(seat) for seat in (0, 2, 3)] == [["seat 1 takes seat 0 for its partner: a role unseen"]] * 3
    assert [table.view(seat).partner_role for seat in range(4)] == [None, "insider", None, None]
    assert [table.view(seat).common.partner for seat in range(4)] == [0] * 4


@pytest.mark.parametrize(("partner", "winners"), [(0, [2, 3]), (2, [1, 2, 3]), (3, [1, 2, 3])])
def test_ij_35_it_wins_when_the_partner_wins(partner: int, winners: list[int]) -> None:
    table = Table.arranged(*ACCOMPLICE, completed=6, partner=partner)
    table.won_by(2, completes=True)
    assert table.result == ("missions", winners)


def test_ij_35_it_wins_with_the_insider_if_that_is_the_partner() -> None:
    table = Table.arranged(*ACCOMPLICE, tokens=(4, 0, 1, 1), partner=0)
    table.won_by(0)
    assert table.result == ("tokens", [0, 1])


def test_ij_35_a_trick_brings_it_nothing_and_costs_the_partner_a_token() -> None:
    table = Table.arranged(*ACCOMPLICE, tokens=(1, 0, 2, 1), partner=2)
    table.won_by(1)
    assert (table.tokens, table.state.common.supply) == ([1, 0, 1, 1], 11)


def test_ij_35_wagered_tokens_go_to_the_supply_first_and_then_one_of_the_partner_s_if_any() -> None:
    table = Table.arranged(*ACCOMPLICE, partner=2)
    table.won_by(1, wagers=(0, 2))
    assert (table.tokens, table.state.common.supply) == ([0, 0, 0, 1], 13)
    assert (
        "seat 1 takes nothing; to the supply go 2 tokens from the cards, 0 tokens of its partner, seat 2" in table.told
    )


def test_ij_35_the_mission_counts_and_it_leads_as_usual() -> None:
    table = Table.arranged(*ACCOMPLICE, partner=2)
    table.won_by(1, completes=True)
    assert (table.state.common.completed, table.asked) == (("M11",), (1,))


def test_ij_35_it_places_no_token() -> None:
    table = Table.arranged(*ACCOMPLICE, leader=1, partner=2).with_mission("M10").with_hand(1, "red 4")
    assert table.legal == ["play red 4"]


def test_ij_35_it_neither_votes_nor_can_be_voted_for() -> None:
    table = Table.voting(*ACCOMPLICE, partner=2)
    assert table.asked == (0, 2, 3)
    assert table.legal_of(0) == ["vote for seat 2", "vote for seat 3"]


# Tim Shady

SHADY = ("insider", "shady", "agent", "agent")


@pytest.mark.parametrize(
    ("roles", "winners"),
    [
        (("insider", "shady", "agent", "agent"), [1, 2, 3]),
        (("insider", "agent", "shady", "agent"), [1, 3]),
        (("shady", "insider", "agent", "agent"), [2, 3]),
        (("shady", "agent", "agent", "insider"), [0, 1, 2]),
    ],
)
def test_ij_36_tim_shady_wins_when_the_player_on_the_right_loses(roles: tuple[str, ...], winners: list[int]) -> None:
    table = Table.arranged(*roles, completed=6)
    table.won_by(2, completes=True)
    assert table.result == ("missions", winners)


@pytest.mark.parametrize(("victim", "left", "own"), [(3, 2, 6), (1, 0, 6), (0, 0, 5)])
def test_ij_36_revealed_by_tokens_it_takes_one_from_that_player(victim: int, left: int, own: int) -> None:
    table = Table.arranged(*SHADY, tokens=(victim, 4, 1, 1))
    table.won_by(1)
    assert (table.tokens, table.state.common.supply) == ([left, own, 1, 1], 14 - left - own - 2)
    assert f"seat 1 takes {own - 5} token{'' if own > 5 else 's'} from seat 0, at its right" in table.told


def test_ij_36_the_right_of_seat_0_is_the_last_seat() -> None:
    table = Table.arranged("shady", "insider", "agent", "agent", tokens=(4, 1, 1, 1))
    table.won_by(0)
    assert table.tokens == [6, 1, 1, 0]


def test_ij_36_revealed_by_tokens_it_votes_no_more() -> None:
    assert Table.voting(*SHADY).asked == (0, 1, 2, 3)
    assert Table.voting(*SHADY, revealed=(1,)).asked == (0, 2, 3)


# Sleeper Agent

SLEEPER = ("insider", "sleeper", "agent", "agent")


def test_ij_37_never_revealed_the_sleeper_wins_with_the_agents() -> None:
    table = Table.arranged(*SLEEPER, completed=6)
    table.won_by(2, completes=True)
    assert table.result == ("missions", [1, 2, 3])
    table = Table.arranged(*SLEEPER, tokens=(4, 1, 1, 1))
    table.won_by(0)
    assert table.result == ("tokens", [0])


def test_ij_37_once_revealed_by_tokens_it_wins_only_with_the_insider() -> None:
    table = Table.arranged(*SLEEPER, completed=6, revealed=(1,))
    table.won_by(2, completes=True)
    assert table.result == ("missions", [2, 3])
    table = Table.arranged(*SLEEPER, tokens=(4, 5, 1, 1), revealed=(1,))
    table.won_by(0)
    assert table.result == ("tokens", [0, 1])


def test_ij_37_the_trick_that_reveals_it_decides_already() -> None:
    table = Table.arranged(*SLEEPER, tokens=(1, 4, 1, 1), completed=6)
    table.won_by(1, completes=True)
    assert table.result == ("missions", [2, 3])


def test_ij_37_once_revealed_by_tokens_it_votes_no_more() -> None:
    assert Table.voting(*SLEEPER).asked == (0, 1, 2, 3)
    assert Table.voting(*SLEEPER, revealed=(1,)).asked == (0, 2, 3)


# Prof. No

PROF_NO = ("prof_no", "agent", "agent", "agent")


@pytest.mark.parametrize("seats", [4, 5])
def test_ij_38_prof_no_replaces_the_insider(seats: int) -> None:
    roles = GAME.setup(Table.begun(*PROF_NO).state.options, seats).roles
    assert roles == ("prof_no", *["agent"] * (seats - 1))


@pytest.mark.parametrize(("seats", "limit"), [(4, 4), (5, 3)])
def test_ij_38_every_player_reveals_at_4_or_3_tokens(seats: int, limit: int) -> None:
    roles = ["prof_no", *["agent"] * (seats - 1)]
    table = Table.arranged(*roles, tokens=[1, limit - 2, *[1] * (seats - 2)])
    table.won_by(1)
    assert table.revealed == []
    table.won_by(1)
    assert table.revealed == [1]


@pytest.mark.parametrize(("seats", "limit"), [(4, 4), (5, 3)])
def test_ij_38_prof_no_revealed_loses_at_once(seats: int, limit: int) -> None:
    roles = ["prof_no", *["agent"] * (seats - 1)]
    table = Table.arranged(*roles, tokens=[limit - 1, *[1] * (seats - 1)])
    table.won_by(0)
    assert table.result == ("prof_no_revealed", list(range(1, seats)))


def test_ij_38_all_others_open_prof_no_wins_at_once() -> None:
    table = Table.arranged(*PROF_NO, tokens=(1, 3, 3, 4), revealed=(3,))
    table.won_by(1)
    assert table.result is None
    table.won_by(2)
    assert table.result == ("all_others_open", [0])


@pytest.mark.parametrize("role", ["wired", "accomplice"])
def test_ij_38_those_open_from_the_start_count_as_open(role: str) -> None:
    table = Table.arranged("prof_no", role, "agent", "agent", tokens=(1, 0, 3, 4), revealed=(3,), partner=2)
    table.won_by(2)
    assert table.result is not None
    assert table.result[0] == "all_others_open"


def test_ij_38_the_agents_still_win_with_their_missions() -> None:
    table = Table.arranged(*PROF_NO, completed=6)
    table.won_by(2, completes=True)
    assert table.result == ("missions", [1, 2, 3])
    table = Table.arranged(*PROF_NO, "agent", completed=5)
    table.won_by(2, completes=True)
    assert table.result == ("missions", [1, 2, 3, 4])


def test_ij_38_a_revealed_prof_no_takes_a_revealed_sleeper_along() -> None:
    table = Table.arranged("prof_no", "sleeper", "agent", "agent", tokens=(3, 4, 1, 1), revealed=(1,))
    table.won_by(0)
    assert table.result == ("prof_no_revealed", [2, 3])


# Prof. No as the Insider


def test_ij_40_tricks_over_without_a_result_are_followed_by_the_vote() -> None:
    table = Table.arranged(*PROF_NO, trick=10)
    table.won_by(1)
    assert table.state.phase == "vote"


def test_ij_40_prof_no_alone_at_the_top_loses_and_otherwise_wins() -> None:
    table = Table.voting(*PROF_NO)
    table.votes({0: 1, 1: 0, 2: 0, 3: 0})
    assert table.result == ("insider_accused", [1, 2, 3])
    table = Table.voting(*PROF_NO)
    table.votes({0: 1, 1: 0, 2: 1, 3: 0})
    assert table.result == ("vote_tied", [0])
    table = Table.voting(*PROF_NO)
    table.votes({0: 1, 1: 0, 2: 1, 3: 1})
    assert table.result == ("other_accused", [0])


def test_ij_40_the_decoy_against_prof_no() -> None:
    roles = ("prof_no", "decoy", "agent", "agent")
    table = Table.voting(*roles)
    table.votes({0: 1, 1: 0, 2: 1, 3: 1})
    assert table.result == ("decoy_accused", [1])
    table = Table.voting(*roles)
    table.votes({0: 1, 1: 0, 2: 1, 3: 0})
    assert table.result == ("insider_tied_with_decoy", [0, 1])
    table = Table.voting(*roles)
    table.votes({0: 1, 1: 2, 2: 1, 3: 2})
    assert table.result == ("tied_with_decoy", [0])


def test_ij_40_the_wired_agent_s_tokens_win_for_prof_no() -> None:
    table = Table.arranged("prof_no", "wired", "agent", "agent")
    table.won_by(1)
    assert table.result == ("wired", [0])


def test_ij_43_with_prof_no_nobody_votes_whose_role_is_open() -> None:
    assert Table.voting("prof_no", "wired", "agent", "agent").asked == (0, 2, 3)
    assert Table.voting("prof_no", "paranoid", "agent", "agent", revealed=(1,)).asked == (0, 2, 3)
    assert Table.voting(*PROF_NO, revealed=(2,)).asked == (0, 1, 3)


def test_ij_43_without_prof_no_they_do() -> None:
    assert Table.voting("insider", "wired", "agent", "agent").asked == (0, 1, 2, 3)
    assert Table.voting("insider", "paranoid", "agent", "agent", revealed=(1,)).asked == (0, 1, 2, 3)
