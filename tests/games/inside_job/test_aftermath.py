"""What follows a trick, in which order, and how tokens reveal a player (IJ-16, IJ-17, IJ-41)."""

import pytest

from tests.games.inside_job.table import BY_SEATS, FOUR, THREE, Table

REVEALING = {3: 6, 4: 5, 5: 4}


def about_to_reveal(
    *roles: str, seat: int, limit: int = 5, completed: int = 0, revealed: tuple[int, ...] = ()
) -> Table:
    """One trick before `seat` has enough tokens to be revealed. Those in `revealed` already are."""
    tokens = [limit - 1 if at == seat else int(role != "accomplice") for at, role in enumerate(roles)]
    return Table.arranged(*roles, tokens=tokens, completed=completed, revealed=revealed)


# The order


def test_ij_16_winner_mission_tokens_reveal_and_end_follow_in_this_order() -> None:
    table = about_to_reveal(*FOUR, seat=0)
    table.won_by(0, wagers=(1,), completes=True)
    assert table.told[4:] == [
        "seat 0 wins the trick",
        "M11 is completed",
        "seat 0 takes a token from the supply, and 1 token from the cards",
        "seat 0 has so many tokens that it reveals its role: Insider",
        "the roles: seat 0 Insider, seat 1 Agent, seat 2 Agent, seat 3 Agent",
    ]


def test_ij_16_where_both_sides_get_there_in_one_trick_the_insider_wins() -> None:
    table = about_to_reveal(*FOUR, seat=0, completed=6)
    table.won_by(0, completes=True)
    assert len(table.state.common.completed) == 7
    assert table.result == ("tokens", [0])


def test_ij_16_the_wired_agent_comes_before_the_agents_missions() -> None:
    table = Table.arranged("insider", "wired", "agent", "agent", completed=6)
    table.won_by(1, completes=True)
    assert len(table.state.common.completed) == 7
    assert table.result == ("wired", [0])


def test_ij_16_what_a_reveal_causes_comes_before_the_agents_missions() -> None:
    table = about_to_reveal("insider", "daredevil", "agent", "agent", seat=1, completed=6)
    table.won_by(1, completes=True)
    assert table.result == ("daredevil", [1, 2, 3])


def test_ij_16_the_mission_counts_before_anything_else_ends_the_game() -> None:
    table = about_to_reveal(*FOUR, seat=0)
    table.won_by(0, completes=True)
    assert table.state.common.completed == ("M11",)


def test_ij_16_with_no_end_the_next_trick_begins_or_the_vote() -> None:
    table = Table.arranged(*FOUR, trick=9)
    table.won_by(1)
    assert (table.state.common.trick, table.asked, table.state.phase) == (10, (1,), "mission")
    table.won_by(1)
    assert (table.asked, table.state.phase) == ((0, 1, 2, 3), "vote")


# Being revealed


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_ij_17_who_holds_as_many_tokens_as_the_insider_needs_reveals_the_role(seats: int) -> None:
    table = about_to_reveal(*BY_SEATS[seats], seat=1, limit=REVEALING[seats] - 1)
    table.won_by(1)
    assert table.open_roles == [None] * seats
    table.won_by(1)
    assert table.open_roles == [None, "agent", *[None] * (seats - 2)]
    assert table.revealed == [1]
    assert table.result is None
    assert "seat 1 has so many tokens that it reveals its role: Agent" in table.heard(2)
    assert table.view(2).common.seats[1].role == "agent"


def test_ij_17_nobody_reveals_twice() -> None:
    table = about_to_reveal(*FOUR, seat=1)
    table.won_by(1)
    table.won_by(1)
    assert not any("reveals its role" in words for words in table.told)


def test_ij_17_more_tokens_than_that_at_once_reveal_too() -> None:
    table = about_to_reveal(*FOUR, seat=1)
    table.won_by(1, wagers=(0, 2, 3))
    assert (table.tokens[1], table.revealed) == (8, [1])


def test_ij_17_from_then_on_this_player_places_no_tokens() -> None:
    table = about_to_reveal(*THREE, seat=1, limit=6)
    table.won_by(1)
    leading = table.with_mission("M10").with_hand(1, "red 4")
    assert leading.legal == ["play red 4"]
    following = Table.arranged(*THREE, tokens=(1, 6, 1), revealed=(1,)).with_mission("M10")
    following = following.with_hand(0, "red 2").with_hand(1, "red 4")
    following.plays("red 2")
    assert following.legal == ["play red 4"]


def test_ij_17_and_cannot_be_voted_for() -> None:
    table = Table.voting(*FOUR, revealed=(1,))
    assert table.legal_of(0) == ["vote for seat 2", "vote for seat 3"]


def test_ij_17_it_stays_revealed_whatever_becomes_of_its_tokens() -> None:
    table = Table.arranged("insider", "agent", "agent", "accomplice", tokens=(1, 5, 1, 0), revealed=(1,), partner=1)
    table.won_by(3)
    assert (table.tokens[1], table.revealed) == (4, [1])
    table.won_by(1)
    assert not any("reveals its role" in words for words in table.told)


def test_ij_17_an_insider_so_revealed_has_won() -> None:
    table = about_to_reveal(*FOUR, seat=0)
    table.won_by(0)
    assert "seat 0 has so many tokens that it reveals its role: Insider" in table.told
    assert table.result == ("tokens", [0])


def test_ij_17_at_the_end_all_roles_are_shown_but_neither_hands_nor_missions_put_away() -> None:
    table = about_to_reveal(*THREE, seat=0, limit=6)
    table = table.goes_on(put_away=(("M01",), ("M02",), ())).with_hand(2, "red 9")
    table.won_by(0)
    for seat in range(3):
        assert table.heard(seat)[-1] == "the roles: seat 0 Insider, seat 1 Agent, seat 2 Agent"
    assert not any("M02" in words or "red 9" in words for words in table.heard(0))
    assert (table.view(0).put_away, table.view(2).put_away) == (("M01",), ())


# The first end counts


def test_ij_41_a_daredevil_s_reveal_comes_before_prof_no_s_win() -> None:
    table = about_to_reveal("prof_no", "daredevil", "agent", "agent", seat=1, limit=4, revealed=(2, 3))
    table.won_by(1)
    assert table.open_roles == [None, "daredevil", "agent", "agent"]
    assert table.result == ("daredevil", [1, 2, 3])


def test_ij_41_the_wired_agent_comes_before_a_reveal() -> None:
    """Seat 1 is the Wired Agent and holds too many tokens. If that came later, only Prof. No would not be open."""
    table = Table.arranged("prof_no", "wired", "agent", "agent", tokens=(1, 2, 3, 4), revealed=(3,))
    table.won_by(2)
    assert table.revealed == [3]
    assert table.result == ("wired", [0])


def test_ij_41_prof_no_s_win_comes_before_the_agents_missions() -> None:
    table = about_to_reveal("prof_no", "agent", "agent", "agent", seat=1, limit=4, revealed=(2, 3), completed=6)
    table.won_by(1, completes=True)
    assert len(table.state.common.completed) == 7
    assert table.result == ("all_others_open", [0])


def test_ij_41_prof_no_s_reveal_comes_before_the_agents_missions() -> None:
    table = about_to_reveal("prof_no", "agent", "agent", "agent", seat=0, limit=4, completed=6)
    table.won_by(0, completes=True)
    assert table.result == ("prof_no_revealed", [1, 2, 3])
