"""What each instant does, when, and what happens if it cannot be carried out: AA-20, AA-23, AA-24, AA-27."""

import pytest

from referee.games.agent_avenue.state import SideState
from tests.games.agent_avenue.positions import HAND, about_to_land, landed
from tests.games.agent_avenue.table import Table, named


def ignored(table: Table, card: str) -> bool:
    """Whether the card was taken, did nothing, and the turn ended."""
    said = f"{card} does nothing: seat 0 cannot carry it out"
    return table.told[-1] == said and table.state.turn == 2 and len(table.market.discarded) == 1


# Outpost


def test_aa_20_outpost_recruits_a_sentinel_of_the_hand() -> None:
    table = landed("Outpost", recruited=[["Sentinel"], []], deck=["Mole"])
    table.takes("Outpost")
    assert table.recruited(0) == ["Daredevil", "Sentinel", "Sentinel"]
    assert table.hand(0) == ["Enforcer", "Saboteur", "Mole", "Mole"]
    assert table.progress(0) == 2 + 2
    assert table.state.turn == 2


def test_aa_24_outpost_without_a_sentinel_in_hand_is_ignored() -> None:
    table = landed("Outpost", hand=["Enforcer"] * 4, recruited=[["Sentinel"], []])
    table.takes("Outpost")
    assert ignored(table, "Outpost")
    assert (table.progress(0), table.hand(0)) == (2, ["Enforcer"] * 4)


# Smoke Screen


def test_aa_20_smoke_screen_recruits_the_top_card_of_the_deck() -> None:
    table = landed("Smoke Screen", deck=["Enforcer", "Mole"], recruited=[["Enforcer"], []])
    table.takes("Smoke Screen")
    assert table.recruited(0) == ["Enforcer", "Enforcer", "Daredevil"]
    assert (table.progress(0), named(table.state.deck)) == (4, ["Mole"])
    assert table.heard(1) == table.told
    assert "side 0 recruits Enforcer (from the deck)" in table.told


def test_aa_24_smoke_screen_with_an_empty_deck_is_ignored() -> None:
    table = landed("Smoke Screen", deck=[])
    table.takes("Smoke Screen")
    assert ignored(table, "Smoke Screen")
    assert table.recruited(0) == ["Daredevil"]


# Surveillance Truck


@pytest.mark.parametrize("active", [0, 1])
def test_aa_20_surveillance_truck_moves_forward_one(active: int) -> None:
    table = landed("Surveillance Truck", active=active)
    table.takes("Surveillance Truck")
    assert (table.progress(active), table.progress(1 - active)) == (3, 0)
    assert table.told[-1] == f"side {active} moves on 1, to progress +3"
    assert table.recruited(active) == ["Daredevil"]


# Mind Control


def test_aa_20_mind_control_takes_an_agent_of_the_other_side_into_the_hand() -> None:
    table = landed("Mind Control", recruited=[["Mole"], ["Enforcer", "Enforcer", "Sidekick"]])
    table.takes("Mind Control")
    assert table.asked == (0,)
    assert table.legal == ["choose Enforcer", "choose Codebreaker", "choose Sidekick"]
    table.chooses("Enforcer")
    assert table.recruited(1) == ["Enforcer", "Codebreaker", "Sidekick"]
    assert table.hand(0) == sorted_names("Enforcer", *HAND)
    assert table.told == ["seat 0 takes Enforcer, which lay in front of side 1, into its hand"]
    assert table.state.turn == 2


def test_aa_27_mind_control_moves_no_pawn() -> None:
    table = landed("Mind Control", recruited=[[], ["Enforcer"]], progress=(0, 3))
    table.takes("Mind Control")
    table.chooses("Enforcer")
    assert (table.progress(0), table.progress(1)) == (2, 3)


def test_aa_24_mind_control_must_take_the_only_agent_there_is() -> None:
    table = landed("Mind Control")
    table.takes("Mind Control")
    assert table.legal == ["choose Codebreaker"]


def test_aa_24_mind_control_is_ignored_if_the_other_side_has_no_agents() -> None:
    table = landed("Mind Control")
    table = table.goes_on(sides=(table.state.sides[0], SideState()))
    table.takes("Mind Control")
    assert ignored(table, "Mind Control")


def test_aa_27_mind_control_undoes_a_third_codebreaker_before_the_end_step() -> None:
    table = landed("Mind Control", recruited=[[], ["Codebreaker", "Codebreaker"]])
    assert table.recruited(1) == ["Codebreaker"] * 3
    table.takes("Mind Control")
    table.chooses("Codebreaker")
    assert (table.result, table.state.turn) == (None, 2)


def test_aa_27_without_mind_control_that_third_codebreaker_wins() -> None:
    table = landed("Masterplan", recruited=[[], ["Codebreaker", "Codebreaker"]])
    table.takes("Masterplan")
    assert table.result == ("codebreakers", 1)


def test_aa_27_counts_change_at_once_so_the_next_of_that_name_is_the_second_again() -> None:
    table = landed("Mind Control", recruited=[[], ["Enforcer", "Enforcer"]])
    table.takes("Mind Control")
    table.chooses("Enforcer")
    table.turn(active="Enforcer", other="Sidekick")
    assert table.progress(1) == 2


# Double Trouble


def test_aa_20_double_trouble_shows_two_equal_agents_recruits_one_and_keeps_the_other() -> None:
    table = landed("Double Trouble", hand=["Enforcer", "Saboteur", "Enforcer", "Mole"], deck=["Sidekick"])
    table.takes("Double Trouble")
    assert table.legal == ["choose Enforcer"]
    table.chooses("Enforcer")
    assert table.told[:2] == [
        "seat 0 shows 2 Enforcer in its hand",
        "side 0 recruits Enforcer (from the hand of seat 0)",
    ]
    assert table.heard(1)[:2] == table.told[:2]
    assert table.hand(0) == ["Enforcer", "Saboteur", "Sidekick", "Mole"]
    assert (table.recruited(0), table.progress(0)) == (["Enforcer", "Daredevil"], 3)


def test_aa_20_double_trouble_lets_the_taker_choose_which_pair() -> None:
    table = landed("Double Trouble", hand=["Enforcer", "Saboteur", "Enforcer", "Saboteur"])
    table.takes("Double Trouble")
    assert table.legal == ["choose Enforcer", "choose Saboteur"]
    table.chooses("Saboteur")
    assert table.recruited(0) == ["Saboteur", "Daredevil"]


def test_aa_24_double_trouble_without_a_pair_in_hand_is_ignored() -> None:
    table = landed("Double Trouble", recruited=[["Enforcer"], []])
    table.takes("Double Trouble")
    assert ignored(table, "Double Trouble")


# Secret Recruit


def test_aa_20_secret_recruit_recruits_an_agent_whose_name_the_side_does_not_have_in_play() -> None:
    table = landed("Secret Recruit", recruited=[["Mole", "Enforcer"], ["Saboteur"]])
    table.takes("Secret Recruit")
    assert table.legal == ["choose Saboteur", "choose Sentinel"]
    table.chooses("Saboteur")
    assert table.recruited(0) == ["Enforcer", "Saboteur", "Daredevil", "Mole"]
    assert table.progress(0) == 1


def test_aa_24_secret_recruit_is_ignored_if_all_names_of_the_hand_are_in_play() -> None:
    table = landed("Secret Recruit", hand=["Daredevil", "Enforcer"], recruited=[["Enforcer"], []], deck=[])
    table.takes("Secret Recruit")
    assert ignored(table, "Secret Recruit")


# Spycation


def test_aa_20_spycation_takes_an_own_agent_into_the_hand_which_may_be_recruited_again() -> None:
    table = landed("Spycation", recruited=[["Enforcer"], ["Mole"]])
    table.takes("Spycation")
    assert table.legal == ["choose Enforcer", "choose Daredevil"]
    table.chooses("Enforcer")
    assert table.told == ["seat 0 takes Enforcer, which lay in front of side 0, into its hand"]
    assert (table.asked, table.legal) == ((0,), ["recruit it again", "keep it in hand"])
    assert (table.recruited(0), len(table.hand(0))) == (["Daredevil"], 5)


def test_aa_24_spycation_recruits_the_returned_card_by_the_count_after_adding_it_again() -> None:
    """It is the second Enforcer again, and moves 2 spaces. The hand is as full as before, so nothing is drawn."""
    table = landed("Spycation", recruited=[["Enforcer", "Enforcer"], []], deck=["Mole"])
    table.takes("Spycation")
    table.chooses("Enforcer")
    table.recruits_again(again=True)
    assert table.told == ["side 0 recruits Enforcer (from the hand of seat 0)", "side 0 moves on 2, to progress +4"]
    assert (table.recruited(0), table.hand(0)) == (["Enforcer", "Enforcer", "Daredevil"], list(HAND))
    assert table.state.turn == 2


def test_aa_24_and_aa_27_spycation_without_recruiting_again_moves_nothing_and_keeps_the_card() -> None:
    table = landed("Spycation", recruited=[["Enforcer", "Enforcer"], []], deck=["Mole"])
    table.takes("Spycation")
    table.chooses("Enforcer")
    table.recruits_again(again=False)
    assert table.told == ["seat 0 keeps Enforcer in its hand"]
    assert (table.progress(0), table.recruited(0)) == (2, ["Enforcer", "Daredevil"])
    assert table.hand(0) == sorted_names("Enforcer", *HAND)
    assert named(table.state.deck) == ["Mole"]


def test_aa_23_with_spycation_the_next_card_is_taken_after_the_agent_was_recruited_again() -> None:
    """The Sidekick moves 4 again: from space 5 onto 9."""
    table = landed("Spycation", "Masterplan", recruited=[["Sidekick"], []], progress=(3, 0))
    table.takes("Spycation")
    table.chooses("Sidekick")
    assert table.state.phase == "again"
    table.recruits_again(again=True)
    assert (table.progress(0), table.legal) == (9, ["take Masterplan"])


def test_aa_27_spycation_undoes_an_own_third_daredevil() -> None:
    """The third one does not move, so another agent has to bring the pawn onto the market space."""
    table = about_to_land("Spycation", recruited=[["Daredevil"] * 3, []], progress=(1, 0))
    table.turn(active="Enforcer", other="Codebreaker")
    table.takes("Spycation")
    table.chooses("Daredevil")
    table.recruits_again(again=False)
    assert table.recruited(0) == ["Enforcer", "Daredevil", "Daredevil"]
    assert (table.result, table.state.turn) == (None, 2)


def test_aa_24_spycation_is_ignored_if_the_side_has_no_agents() -> None:
    table = landed("Spycation")
    table = table.goes_on(sides=(SideState(2), table.state.sides[1]))
    table.takes("Spycation")
    assert ignored(table, "Spycation")


# Ceasefire


def test_aa_20_ceasefire_puts_all_agents_in_play_out_of_the_game_open_to_both() -> None:
    table = landed("Ceasefire", recruited=[["Mole"], ["Enforcer", "Sentinel"]], ceasefire=True)
    table.takes("Ceasefire")
    assert (table.recruited(0), table.recruited(1)) == ([], [])
    assert table.told[-1] == (
        "all agents in play leave the game: 1 Enforcer, 1 Codebreaker, 1 Daredevil, 1 Sentinel, 1 Mole"
    )
    for seat in (0, 1):
        market = table.view(seat).market
        assert market is not None
        assert named(market.open.removed) == ["Enforcer", "Codebreaker", "Daredevil", "Sentinel", "Mole"]


def test_aa_27_ceasefire_moves_no_pawn_and_leaves_ongoing_cards() -> None:
    table = landed("Ceasefire", progress=(0, 3), ongoing=[["Masterplan"], ["Getaway Car"]], ceasefire=True)
    table.takes("Ceasefire")
    assert (table.progress(0), table.progress(1)) == (2, 3)
    assert (table.ongoing(0), table.ongoing(1)) == (["Masterplan"], ["Getaway Car"])


def test_aa_27_ceasefire_undoes_three_codebreakers_before_the_end_step() -> None:
    table = landed("Ceasefire", recruited=[[], ["Codebreaker"] * 2], ceasefire=True)
    table.takes("Ceasefire")
    assert (table.result, table.state.turn) == (None, 2)


def test_aa_24_ceasefire_is_ignored_if_no_agents_are_in_play() -> None:
    table = landed("Ceasefire", ceasefire=True)
    table = table.goes_on(sides=(SideState(2), SideState()))
    table.takes("Ceasefire")
    assert ignored(table, "Ceasefire")


def sorted_names(*names: str) -> list[str]:
    order = ["Double Agent", "Enforcer", "Codebreaker", "Saboteur", "Daredevil", "Sentinel", "Sidekick", "Mole"]
    return sorted(names, key=order.index)
