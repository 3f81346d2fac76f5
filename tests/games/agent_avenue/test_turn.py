"""A turn: AA-04 to AA-07, and what is asked (AA-11)."""

import pytest

from referee.games.agent_avenue.moves import Discard, Play, Recruit, Slot
from referee.games.agent_avenue.pieces import Agent
from tests.games.agent_avenue.table import GAME, Table, named

MIXED = ["Enforcer", "Saboteur", "Sentinel", "Mole"]
OTHER = ["Codebreaker", "Double Agent", "Daredevil", "Sidekick"]


def discarding(table: Table) -> list[str]:
    return [action for action in table.legal if action.startswith("discard")]


# Discards


def test_aa_04_a_discard_swaps_one_card_for_the_top_of_the_deck_and_the_turn_goes_on() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], deck=["Daredevil", "Codebreaker"])
    table.discards("Saboteur")
    assert table.hand(0) == ["Enforcer", "Daredevil", "Sentinel", "Mole"]
    assert named(table.state.deck) == ["Codebreaker"]
    assert (table.asked, table.state.turn) == ((0,), 1)
    assert table.told == ["seat 0 discards Saboteur face down", "seat 0 draws 1: Daredevil"]


def test_aa_04_every_name_of_the_hand_can_be_discarded_once_listed() -> None:
    table = Table.arranged(hands=[["Mole", "Enforcer", "Enforcer", "Enforcer"], OTHER])
    assert discarding(table) == ["discard Enforcer", "discard Mole"]


def test_aa_04_several_discards_in_a_turn_but_four_a_game() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], deck=["Enforcer"] * 6)
    for name in ("Saboteur", "Sentinel", "Mole", "Enforcer"):
        table.discards(name)
    assert discarding(table) == []
    assert named(table.state.seats[0].discards) == ["Saboteur", "Sentinel", "Mole", "Enforcer"]
    assert len(table.state.deck) == 2


def test_aa_04_the_four_count_over_the_whole_game_and_for_each_player_apart() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], discards=[["Enforcer"] * 3, ["Sentinel"] * 4])
    table.discards("Saboteur")
    assert discarding(table) == []
    table = Table.arranged(hands=[MIXED, OTHER], discards=[["Sentinel"] * 4, ["Enforcer"] * 3], active=1)
    assert len(discarding(table)) == 4


def test_aa_04_no_discard_when_the_deck_is_empty_also_when_a_discard_emptied_it() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], deck=["Daredevil"])
    assert len(discarding(table)) == 4
    table.discards("Mole")
    assert discarding(table) == []
    assert table.legal


def test_aa_04_a_hand_of_one_name_may_be_discarded_from_too() -> None:
    table = Table.arranged(hands=[["Enforcer"] * 4, OTHER], deck=["Mole"])
    table.discards("Enforcer")
    assert table.legal[0] == "play Enforcer face up, Mole face down"


def test_aa_04_the_player_who_recruits_cannot_discard() -> None:
    table = Table.arranged(hands=[MIXED, OTHER])
    table.plays(up="Mole", down="Enforcer")
    assert table.legal == ["recruit the card face up", "recruit the card face down"]


# Playing


def test_aa_05_any_ordered_pair_of_different_names_can_be_played_each_listed_once() -> None:
    table = Table.arranged(hands=[["Mole", "Enforcer", "Enforcer", "Saboteur"], OTHER], deck=[])
    assert table.legal == [
        "play Enforcer face up, Saboteur face down",
        "play Enforcer face up, Mole face down",
        "play Saboteur face up, Enforcer face down",
        "play Saboteur face up, Mole face down",
        "play Mole face up, Enforcer face down",
        "play Mole face up, Saboteur face down",
    ]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_aa_05_only_a_hand_all_of_one_name_plays_two_of_it(count: int) -> None:
    table = Table.arranged(hands=[["Enforcer"] * count, OTHER], deck=[])
    assert table.legal == ["play Enforcer face up, Enforcer face down"]
    table.plays(up="Enforcer", down="Enforcer")
    assert table.hand(0) == ["Enforcer"] * (count - 2)


def test_aa_05_three_of_a_name_and_one_other_still_play_different_names() -> None:
    table = Table.arranged(hands=[["Enforcer"] * 3 + ["Mole"], OTHER], deck=[])
    assert table.legal == ["play Enforcer face up, Mole face down", "play Mole face up, Enforcer face down"]


def test_aa_05_both_draw_up_to_four_the_active_player_first_before_the_choice() -> None:
    table = Table.arranged(hands=[OTHER[:3], MIXED], active=1, deck=["Sentinel", "Saboteur", "Daredevil", "Enforcer"])
    table.plays(up="Mole", down="Enforcer")
    assert table.told == [
        "seat 1 plays Mole face up and Enforcer face down",
        "seat 1 draws 2: Sentinel, Saboteur",
        "seat 0 draws 1: Daredevil",
    ]
    assert table.asked == (0,)
    assert table.hand(1) == ["Saboteur", "Saboteur", "Sentinel", "Sentinel"]
    assert named(table.state.deck) == ["Enforcer"]


def test_aa_05_when_the_deck_gives_out_the_active_player_has_the_last_card() -> None:
    table = Table.arranged(hands=[MIXED, OTHER[:3]], deck=["Daredevil"])
    table.plays(up="Mole", down="Enforcer")
    assert table.told[1:] == ["seat 0 draws 1: Daredevil"]
    assert (len(table.hand(0)), len(table.hand(1)), table.state.deck) == (3, 3, ())


def test_aa_05_a_full_hand_does_not_draw_and_nobody_is_told_of_draws_of_nothing() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], deck=[])
    table.plays(up="Mole", down="Enforcer")
    assert table.told == ["seat 0 plays Mole face up and Enforcer face down"]


def test_aa_05_more_than_four_cards_are_kept_and_none_drawn() -> None:
    table = Table.arranged(hands=[[*MIXED, "Daredevil", "Daredevil", "Codebreaker"], [*OTHER, "Saboteur"]])
    table.plays(up="Mole", down="Enforcer")
    assert (len(table.hand(0)), len(table.hand(1))) == (5, 5)
    assert len(table.events) == 1


def test_aa_05_two_last_cards_can_be_played() -> None:
    table = Table.arranged(hands=[["Mole", "Enforcer"], OTHER], deck=[])
    table.plays(up="Mole", down="Enforcer")
    assert table.hand(0) == []


# Recruiting and moving


@pytest.mark.parametrize(
    ("slot", "other", "active"),
    [("face up", "Mole", "Enforcer"), ("face down", "Enforcer", "Mole")],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_aa_06_the_opponent_takes_one_and_the_active_side_the_other(
    slot: str, other: str, active: str, seat: int
) -> None:
    hands = [MIXED, OTHER] if seat == 0 else [OTHER, MIXED]
    table = Table.arranged(hands=hands, active=seat)
    table.plays(up="Mole", down="Enforcer")
    assert table.asked == (1 - seat,)
    table.recruits(slot)
    assert table.recruited(1 - seat) == [other]
    assert table.recruited(seat) == [active]
    assert (table.state.face_up, table.state.face_down) == (None, None)


def test_aa_06_and_aa_07_are_told_the_choosing_side_first_and_with_cards_that_lie_open_now() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], progress=(1, 3))
    table.plays(up="Enforcer", down="Mole")
    table.recruits("face down")
    expected = [
        "side 1 recruits Mole (face down)",
        "side 0 recruits Enforcer (face up)",
        "side 1 moves back 3, to progress +0",
        "side 0 moves on 1, to progress +2",
    ]
    assert table.told == table.heard(0) == table.heard(1) == expected


def test_aa_07_each_pawn_moves_by_its_own_sides_count() -> None:
    table = Table.arranged(
        hands=[["Double Agent", "Sentinel", "Mole", "Mole"], OTHER],
        recruited=[["Double Agent", "Sentinel"], ["Double Agent", "Double Agent", "Sentinel"]],
    )
    table.turn(active="Double Agent", other="Sentinel")
    assert (table.progress(0), table.progress(1)) == (+6, +2)


def test_aa_07_pawns_have_moved_when_the_end_step_is_reached() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], progress=(6, 0))
    table.turn(active="Enforcer", other="Sentinel")
    assert table.result == ("caught", 0)


def test_aa_11_one_seat_is_asked_at_a_time_the_active_one_then_the_other() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], active=1)
    assert table.asked == (1,)
    table.discards("Sidekick")
    assert table.asked == (1,)
    table.plays(up="Daredevil", down="Codebreaker")
    assert table.asked == (0,)
    table.recruits("face up")
    assert table.asked == (0,)


def test_what_cannot_be_done_at_all_raises() -> None:
    table = Table.arranged(hands=[MIXED, OTHER])
    for seat, action in (
        (0, Discard(Agent.SIDEKICK)),
        (0, Play(Agent.MOLE, Agent.SIDEKICK)),
        (1, Recruit(Slot.FACE_UP)),
    ):
        with pytest.raises(ValueError, match=r"not in tuple|where a card must be played"):
            GAME.apply(table.state, {seat: action})
