"""Talk and vote: IJ-18, IJ-20, IJ-21, IJ-42, IJ-44."""

import pytest

from referee.games.inside_job.cast import dealt
from referee.games.inside_job.ending import Ending
from referee.games.inside_job.voting import judge, top
from tests.games.inside_job.table import FIVE, FOUR, THREE, Table

# Talk


@pytest.mark.parametrize(
    ("talk", "after_one", "after_the_last"),
    [("none", "mission", "vote"), ("before_vote", "mission", "talk"), ("every_trick", "talk", "talk")],
)
def test_ij_18_the_option_says_when_seats_say_whom_they_suspect(talk: str, after_one: str, after_the_last: str) -> None:
    phases = []
    for trick in (3, 10):
        table = Table.arranged(*FOUR, trick=trick, talk=talk)
        table.won_by(1)
        phases.append(table.state.phase)
    assert phases == [after_one, after_the_last]


def test_ij_18_after_talk_play_goes_on_and_the_last_talk_is_the_one_before_the_vote() -> None:
    table = Table.arranged(*FOUR, trick=9, talk="every_trick")
    table.won_by(2)
    table.suspects(None, None, None, None)
    assert (table.state.phase, table.asked, table.state.common.trick) == ("mission", (2,), 10)
    table.won_by(1)
    table.suspects(None, None, None, None)
    assert table.state.phase == "vote"


def test_ij_18_there_is_no_talk_after_a_trick_that_ends_the_game() -> None:
    table = Table.arranged(*FOUR, trick=10, talk="every_trick", tokens=(4, 1, 1, 1))
    table.won_by(0)
    assert table.result == ("tokens", [0])


def test_ij_18_all_are_asked_at_once_and_then_hear_all() -> None:
    table = Table.arranged(*FOUR, trick=10, talk="before_vote")
    table.won_by(1)
    assert table.asked == (0, 1, 2, 3)
    table.suspects(1, None, 0, 0)
    for seat in range(4):
        assert table.heard(seat) == [
            "seat 0 suspects seat 1",
            "seat 1 suspects nobody",
            "seat 2 suspects seat 0",
            "seat 3 suspects seat 0",
        ]


def test_ij_18_one_suspects_another_seat_that_is_not_open_or_nobody() -> None:
    table = Table.arranged(*FOUR, revealed=(2,)).at("talk")
    assert table.legal_of(0) == ["suspect nobody", "suspect seat 1", "suspect seat 3"]
    assert table.legal_of(1) == ["suspect nobody", "suspect seat 0", "suspect seat 3"]


def test_ij_18_those_with_open_roles_talk_too() -> None:
    table = Table.arranged("insider", "accomplice", "agent", "agent", revealed=(2,)).at("talk")
    assert table.asked == (0, 1, 2, 3)
    assert table.legal_of(2) == ["suspect nobody", "suspect seat 0", "suspect seat 3"]


# Who can be voted for


def test_ij_20_all_vote_at_once_for_one_other_player() -> None:
    table = Table.voting(*THREE)
    assert table.asked == (0, 1, 2)
    assert [table.legal_of(seat) for seat in range(3)] == [
        ["vote for seat 1", "vote for seat 2"],
        ["vote for seat 0", "vote for seat 2"],
        ["vote for seat 0", "vote for seat 1"],
    ]


def test_ij_20_who_can_vote_for_nobody_abstains() -> None:
    table = Table.voting(*THREE, revealed=(1, 2))
    assert [table.legal_of(seat) for seat in range(3)] == [
        ["vote for nobody"],
        ["vote for seat 0"],
        ["vote for seat 0"],
    ]
    table.votes({0: (), 1: 0, 2: 0})
    assert table.result == ("insider_accused", [1, 2])


def test_ij_20_ballots_are_shown_after_the_vote() -> None:
    table = Table.voting(*THREE)
    table.votes({0: 1, 1: 0, 2: 0})
    for seat in range(3):
        assert table.heard(seat) == [
            "seat 0 votes for seat 1",
            "seat 1 votes for seat 0",
            "seat 2 votes for seat 0",
            "most ballots: seat 0",
            "the roles: seat 0 Insider, seat 1 Agent, seat 2 Agent",
        ]


# What comes of it


def test_ij_20_the_insider_alone_at_the_top_loses_to_the_agents() -> None:
    table = Table.voting(*FOUR)
    table.votes({0: 1, 1: 0, 2: 0, 3: 0})
    assert table.result == ("insider_accused", [1, 2, 3])


def test_ij_20_with_another_at_the_top_the_insider_wins() -> None:
    table = Table.voting(*FOUR)
    table.votes({0: 1, 1: 0, 2: 1, 3: 1})
    assert table.result == ("other_accused", [0])


@pytest.mark.parametrize("insider", range(5))
def test_ij_20_the_example_of_the_rule_text_a_tie_is_the_insider_s(insider: int) -> None:
    """Five players: seats 0 and 1 get two ballots each, seat 2 gets one. The Insider wins, in any seat."""
    roles = ["insider" if seat == insider else "agent" for seat in range(5)]
    table = Table.voting(*roles)
    table.votes({0: 1, 1: 0, 2: 0, 3: 1, 4: 2})
    assert table.told[-2] == "most ballots: seat 0 and seat 1"
    assert table.result == ("vote_tied", [insider])


def test_ij_20_the_most_ballots_count_not_a_majority_of_them() -> None:
    table = Table.voting(*FIVE)
    table.votes({0: 1, 1: 0, 2: 0, 3: 4, 4: 3})
    assert table.result == ("insider_accused", [1, 2, 3, 4])


def test_ij_20_without_ballots_the_insider_wins() -> None:
    assert top([]) == ()
    assert judge((), dealt(FOUR)) is Ending.VOTE_TIED


def test_ij_21_everyone_votes_also_the_revealed_the_insider_and_the_decoy() -> None:
    assert Table.voting("insider", "decoy", "agent", "agent", revealed=(2,)).asked == (0, 1, 2, 3)
    table = Table.voting("insider", "decoy", "agent", "agent", revealed=(1, 2))
    assert table.asked == (0, 1, 2, 3)
    table.votes({0: 3, 1: 3, 2: 3, 3: 0})
    assert table.result == ("other_accused", [0])


# The card of the accused


def test_ij_42_a_sleeper_shown_by_the_vote_has_not_changed_sides() -> None:
    table = Table.voting("insider", "sleeper", "agent", "agent")
    table.votes({0: 1, 1: 0, 2: 1, 3: 1})
    assert table.result == ("other_accused", [0])


def test_ij_42_a_daredevil_shown_by_the_vote_has_not_won() -> None:
    table = Table.voting("insider", "daredevil", "agent", "agent")
    table.votes({0: 1, 1: 0, 2: 1, 3: 1})
    assert table.result == ("other_accused", [0])


def test_ij_42_prof_no_shown_by_the_vote_is_not_revealed() -> None:
    table = Table.voting("prof_no", "agent", "agent", "agent")
    table.votes({0: 1, 1: 0, 2: 0, 3: 0})
    assert table.result == ("insider_accused", [1, 2, 3])
    assert (table.revealed, table.open_roles) == ([], [None] * 4)


# Open roles


@pytest.mark.parametrize("role", ["wired", "accomplice"])
def test_ij_44_a_role_open_from_the_start_can_be_neither_voted_for_nor_suspected(role: str) -> None:
    table = Table.voting("insider", role, "agent", "agent")
    assert table.legal_of(0) == ["vote for seat 2", "vote for seat 3"]
    assert table.at("talk").legal_of(0) == ["suspect nobody", "suspect seat 2", "suspect seat 3"]


def test_ij_44_only_a_reveal_by_tokens_stops_placing_tokens_and_the_wired_agent_votes() -> None:
    table = Table.arranged("insider", "wired", "agent", "agent", leader=1).with_mission("M10").with_hand(1, "red 4")
    assert table.legal == ["play red 4", "play red 4 with a token"]
    assert 1 in Table.voting("insider", "wired", "agent", "agent").asked
