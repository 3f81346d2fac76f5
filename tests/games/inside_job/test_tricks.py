"""A trick: who leads, what may be played, who wins, and who gets what (IJ-10 to IJ-15)."""

import pytest

from referee.core.game import Roll
from tests.games.inside_job.table import FIVE, FOUR, GAME, THREE, Table

FIRST = ("M01", "M02", "M03", "M04")


def led(*roles: str, tokens: tuple[int, ...] | None = None, first: str = "green 7") -> Table:
    """Trump is yellow, and seat 0 has led. Seat 1 is to play, and holds two greens and other cards."""
    table = Table.arranged(*roles, tokens=tokens).with_mission("M10")
    table = table.with_hand(0, first.removesuffix(" with a token")).with_hand(
        1, "green 2", "green 9", "yellow 3", "red 4"
    )
    table.plays(first)
    return table


# Leading


def test_ij_10_the_first_leader_is_drawn_after_the_deal() -> None:
    table = Table.dealt(*FOUR, missions=FIRST)
    assert GAME.awaiting(table.state) == Roll("leader", 4)
    table.luck(2)
    assert table.asked == (2,)
    assert table.told == [
        "seat 2 is drawn to lead the first trick",
        "trick 1: seat 2 looks at M01 (all cards even; trump blue) and M02 (the last card wins; trump blue)",
    ]


def test_ij_10_the_others_play_by_rising_seat_and_the_winner_leads_next() -> None:
    table = Table.arranged(*FOUR, leader=2)
    asked: list[int] = []
    table = table.with_mission("M10")
    for seat, card in ((2, "red 2"), (3, "red 9"), (0, "red 5"), (1, "red 4")):
        table = table.with_hand(seat, card)
    for card in ("red 2", "red 9", "red 5", "red 4"):
        asked += table.asked
        table.plays(card)
    assert asked == [2, 3, 0, 1]
    assert table.asked == (3,)
    assert table.told[-1].startswith("trick 2: seat 3 looks at")


def test_ij_11_the_leader_looks_at_two_missions_and_reveals_one() -> None:
    table = Table.dealt(*THREE, missions=("M23", "M05", "M01", "M02"))
    table.luck(1)
    assert table.view(1).looked_at == ("M05", "M23")
    assert [words[:10] for words in table.legal] == ["reveal M05", "reveal M23"]
    table.reveals("M23")
    assert table.state.common.mission == "M23"
    assert table.state.missions[:2] == ("M01", "M02")
    assert (table.asked, table.state.phase) == ((1,), "card")


def test_ij_11_only_the_leader_ever_knows_which_mission_was_put_away() -> None:
    table = Table.dealt(*THREE, missions=("M23", "M05"))
    table.luck(1)
    assert [table.heard(seat)[-1] for seat in (0, 2)] == ["trick 1: seat 1 looks at two missions"] * 2
    assert [table.view(seat).looked_at for seat in (0, 2)] == [(), ()]
    table.reveals("M23")
    revealed = "seat 1 reveals M23 (no trump in the trick; trump red), and puts away "
    assert [table.heard(seat) for seat in range(3)] == [
        [f"{revealed}the other"],
        [f"{revealed}M05"],
        [f"{revealed}the other"],
    ]
    assert [table.view(seat).put_away for seat in range(3)] == [(), ("M05",), ()]
    assert table.view(1).looked_at == ()


def test_ij_11_what_was_put_away_stays_out_of_the_game() -> None:
    table = Table.arranged(*THREE).goes_on(missions=("M23", "M05", "M01", "M02", "M03", "M04"))
    table.won_by(0)
    assert table.view(0).looked_at == ("M05", "M23")
    table.reveals("M05")
    table.trick("M05", "red 12", "red 4", "red 3")
    assert table.view(0).looked_at == ("M01", "M02")
    table.reveals("M02")
    assert table.view(0).put_away == ("M23", "M01")
    assert table.state.missions == ("M03", "M04")


# Following


def test_ij_12_the_leader_may_play_any_card() -> None:
    table = Table.arranged(*THREE, tokens=(0, 1, 1)).with_mission("M10").with_hand(0, "red 4", "green 2", "yellow 1")
    assert table.legal == ["play yellow 1", "play green 2", "play red 4"]


def test_ij_12_the_others_must_follow_suit_if_they_can() -> None:
    assert led(*THREE[::-1], tokens=(1, 0, 1)).legal == ["play green 2", "play green 9"]


def test_ij_12_who_cannot_follow_may_play_anything_and_need_not_trump() -> None:
    table = led(*THREE[::-1], tokens=(1, 0, 1), first="blue 7")
    assert table.legal == ["play yellow 3", "play green 2", "play green 9", "play red 4"]


def test_ij_12_the_printed_suit_of_the_first_card_is_to_be_followed_also_with_a_token_on_it() -> None:
    table = led(*THREE[::-1], tokens=(1, 0, 1), first="green 7 with a token")
    assert table.legal == ["play green 2", "play green 9"]


def test_ij_12_it_is_the_first_card_that_is_to_be_followed_not_the_one_before() -> None:
    table = led(*THREE[::-1], first="red 7").with_hand(2, "red 5", "green 6", "yellow 8")
    table = table.goes_on(roles=("insider", "agent", "agent")).with_hand(1, "green 2")
    table.plays("green 2")
    assert [words for words in table.legal if "token" not in words] == ["play red 5"]


@pytest.mark.parametrize("roles", [("agent", "insider", "agent", "agent"), ("agent", "prof_no", "agent", "agent")])
def test_ij_12_the_insider_and_prof_no_may_always_play_anything(roles: tuple[str, ...]) -> None:
    table = led(*roles, tokens=(1, 0, 1, 1))
    assert table.legal == ["play yellow 3", "play green 2", "play green 9", "play red 4"]


def test_ij_12_what_the_others_see_and_hear_does_not_depend_on_who_is_bound() -> None:
    worlds = [led("agent", *roles) for roles in (("insider", "agent", "agent"), ("agent", "insider", "agent"))]
    assert worlds[0].legal != worlds[1].legal
    for table in worlds:
        table.plays("green 2")
    for seat in (0, 3):
        assert worlds[0].view(seat) == worlds[1].view(seat)
        assert worlds[0].heard(seat) == worlds[1].heard(seat)


def test_ij_12_card_and_token_are_one_choice_and_all_see_it() -> None:
    table = led(*THREE[::-1])
    table.plays("green 2 with a token")
    assert [table.heard(seat) for seat in range(3)] == [["seat 1 plays green 2 with a token"]] * 3
    assert table.asked == (2,)


# Tokens on cards


def test_ij_13_a_token_may_lie_on_a_card_of_the_first_suit() -> None:
    table = led(*THREE[::-1])
    assert table.legal == ["play green 2", "play green 9", "play green 2 with a token", "play green 9 with a token"]


def test_ij_13_not_on_a_card_of_another_suit_even_if_that_is_trump() -> None:
    table = led("agent", "insider", "agent")
    assert [words for words in table.legal if "token" in words] == [
        "play green 2 with a token",
        "play green 9 with a token",
    ]


def test_ij_13_the_leader_may_put_one_on_any_card() -> None:
    table = Table.arranged(*THREE).with_mission("M10").with_hand(0, "red 4", "yellow 1")
    assert table.legal == ["play yellow 1", "play red 4", "play yellow 1 with a token", "play red 4 with a token"]


def test_ij_13_but_not_with_the_option_that_keeps_the_leader_from_it() -> None:
    table = Table.arranged(*THREE, leader_wagers=False).with_mission("M10").with_hand(0, "red 4", "yellow 1")
    assert table.legal == ["play yellow 1", "play red 4"]
    table = table.with_hand(1, "red 5")
    table.plays("red 4")
    assert table.legal == ["play red 5", "play red 5 with a token"]


def test_ij_13_also_where_the_first_suit_is_trump_already() -> None:
    table = led(*THREE[::-1], first="yellow 7")
    assert table.legal == ["play yellow 3", "play yellow 3 with a token"]


def test_ij_13_only_by_who_has_a_token() -> None:
    table = led(*THREE[::-1], tokens=(1, 0, 1))
    assert table.legal == ["play green 2", "play green 9"]


def test_ij_13_the_token_leaves_its_owner_when_it_is_put_on_the_card() -> None:
    table = led(*THREE[::-1], tokens=(1, 2, 1))
    table.plays("green 2 with a token")
    assert table.tokens == [1, 1, 1]
    assert table.state.common.supply == 10


def test_ij_13_a_card_with_a_token_counts_as_trump_with_its_value_unchanged() -> None:
    table = Table.arranged(*THREE)
    table.trick("M10", "green 13", "green 2 with a token", "green 12")
    assert "seat 1 wins the trick" in table.told
    table = Table.arranged(*THREE)
    table.trick("M10", "green 13", "green 2 with a token", "yellow 3")
    assert "seat 2 wins the trick" in table.told


# Winning it


def test_ij_14_the_example_of_the_rule_text() -> None:
    table = Table.arranged(*FOUR)
    table.trick("M10", "green 13", "green 5 with a token", "yellow 5", "green 4")  # trump is yellow
    assert "seat 2 wins the trick" in table.told


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (("green 7", "green 9", "green 8"), 1),
        (("green 7", "red 13", "green 8"), 2),
        (("green 7", "red 13", "blue 8"), 0),
        (("green 7", "yellow 1", "green 8"), 1),
        (("green 7", "yellow 1", "yellow 2"), 2),
        (("yellow 7", "yellow 1", "green 8"), 0),
        (("green 7 with a token", "green 9", "yellow 8"), 2),
        (("green 7 with a token", "green 9", "yellow 7"), 2),
        (("green 7 with a token", "green 9 with a token", "green 8"), 1),
        (("red 7", "yellow 7", "red 7 with a token"), 2),
    ],
)
def test_ij_14_the_highest_trump_wins_else_the_highest_of_the_first_suit(cards: tuple[str, ...], winner: int) -> None:
    table = Table.arranged(*THREE)
    table.trick("M10", *cards)  # trump is yellow
    assert f"seat {winner} wins the trick" in table.told


def test_ij_14_places_are_counted_from_the_leader() -> None:
    table = Table.arranged(*FIVE, leader=3)
    table.trick("M10", "green 2", "green 3", "green 13", "green 4", "green 5")
    assert "seat 0 wins the trick" in table.told


# What it brings


def test_ij_15_the_winner_takes_one_token_from_the_supply() -> None:
    table = Table.arranged(*FOUR)
    table.won_by(2)
    assert table.tokens == [1, 1, 2, 1]
    assert table.state.common.supply == 9
    assert "seat 2 takes a token from the supply" in table.told


def test_ij_15_and_all_tokens_that_lie_on_cards() -> None:
    table = Table.arranged(*FOUR, tokens=(1, 2, 1, 1))
    table.won_by(2, wagers=(0, 1, 2))
    assert table.tokens == [0, 1, 4, 1]
    assert table.state.common.supply == 8
    assert "seat 2 takes a token from the supply, and 3 tokens from the cards" in table.told


def test_ij_15_a_completed_mission_counts_and_another_leaves_the_game_openly() -> None:
    table = Table.arranged(*THREE)
    table.trick("M01", "red 2", "red 4", "red 6")
    assert "M01 is completed" in table.told
    table.trick("M02", "red 2", "red 4", "red 6")
    assert "M02 is completed" in table.told
    table.trick("M08", "red 2", "red 6", "red 4")
    assert "M08 fails" in table.told
    assert (table.state.common.completed, table.state.common.failed) == (("M01", "M02"), ("M08",))


def test_ij_15_after_the_trick_the_table_is_clear() -> None:
    table = Table.arranged(*THREE)
    table.won_by(1)
    assert (table.state.common.laid, table.state.common.mission) == ((), None)
    assert len(table.state.played) == 3
