"""The black market: its cards, who takes one and when, and the order of all this (AA-20 to AA-26)."""

import pytest

from referee.core.game import Roll, Shuffle
from referee.games.agent_avenue import pieces
from referee.games.agent_avenue.instants import AT_ONCE, CHOSEN
from referee.games.agent_avenue.pieces import MarketCard
from tests.games.agent_avenue.positions import HAND, about_to_land, both_landed, landed
from tests.games.agent_avenue.table import GAME, Table, cards, market_cards, named, options

ONGOING = {
    "Distraction Device",
    "Watchtower Two",
    "Sinister Twin",
    "Supercomputer",
    "Getaway Car",
    "Leader of the Pack",
    "Masterplan",
    "Security System",
}
INSTANT = {
    "Outpost",
    "Smoke Screen",
    "Mind Control",
    "Double Trouble",
    "Surveillance Truck",
    "Secret Recruit",
    "Spycation",
}
RANKS = ["Watchtower Two", "Masterplan", "Smoke Screen"]


# The cards and the board


def test_aa_20_the_market_has_15_cards_one_each_and_ceasefire_as_an_option() -> None:
    printed = market_cards(*sorted(ONGOING | INSTANT))
    assert sorted(pieces.deck(ceasefire=False)) == sorted(printed)
    assert sorted(pieces.deck(ceasefire=True)) == sorted([*printed, MarketCard.CEASEFIRE])


def test_aa_20_every_card_is_ongoing_or_instant() -> None:
    kinds = [set(pieces.ONGOING), set(AT_ONCE), set(CHOSEN)]
    assert sum(map(len, kinds)) == len(set().union(*kinds)) == len(MarketCard) == 16


@pytest.mark.parametrize(("ceasefire", "count"), [(False, 15), (True, 16)])
def test_aa_20_three_cards_lie_face_up_after_the_shuffle_and_everybody_hears_which(ceasefire: bool, count: int) -> None:
    state = GAME.setup(options(mode="advanced", ceasefire=ceasefire), 2)
    state, _ = GAME.luck(state, tuple(range(38)))
    assert GAME.awaiting(state) == Shuffle("market", count)
    state, events = GAME.luck(state, (9, 0, 4, *(at for at in range(count) if at not in (9, 0, 4))))
    assert [GAME.describe(event) for event in events] == ["on offer now: Distraction Device, Getaway Car, Smoke Screen"]
    assert GAME.heard(events[0], 1) == events[0]
    assert GAME.awaiting(state) == Roll("first", 2)
    table = Table(state)
    assert table.offer() == ["Distraction Device", "Getaway Car", "Smoke Screen"]
    assert len(state.pile) == count - 3
    assert state.pile[0] is MarketCard.WATCHTOWER_TWO


def test_aa_20_a_simple_game_has_no_market() -> None:
    table = Table.dealt()
    assert (table.state.market, table.state.pile, table.view(0).market) == (None, (), None)


@pytest.mark.parametrize(("side", "home"), [(0, 0), (1, 7)])
@pytest.mark.parametrize("space", range(14))
def test_aa_02_the_market_spaces_are_2_5_9_and_12_from_either_home(side: int, home: int, space: int) -> None:
    table = about_to_land(*RANKS, progress=(space - 2 - home, space - 3), active=side)
    table.turn(active="Daredevil", other="Codebreaker")
    assert ((home + table.progress(side)) % 14, table.state.phase == "market") == (space, space in (2, 5, 9, 12))


# Landing


def test_aa_21_a_pawn_that_moves_exactly_onto_a_market_space_must_take_one_of_the_cards_on_offer() -> None:
    table = landed(*RANKS)
    assert table.asked == (0,)
    assert table.legal == ["take Watchtower Two", "take Masterplan", "take Smoke Screen (seat 0)"]


def test_aa_21_moving_back_onto_one_counts_too() -> None:
    table = about_to_land(*RANKS, progress=(3, 0))
    table.turn(active="Saboteur", other="Codebreaker")
    assert (table.progress(0), table.asked, table.state.phase) == (2, (0,), "market")


def test_aa_21_passing_over_one_gives_nothing() -> None:
    table = about_to_land(*RANKS, progress=(1, 0), recruited=[["Enforcer", "Enforcer"], []])
    table.turn(active="Enforcer", other="Codebreaker")
    assert (table.progress(0), table.state.phase) == (4, "play")


def test_aa_21_standing_on_one_without_having_moved_gives_nothing() -> None:
    table = about_to_land(*RANKS, progress=(2, 2))
    table.turn(active="Codebreaker", other="Sentinel")
    assert (table.progress(0), table.progress(1), table.state.phase) == (2, 2, "play")


def test_aa_21_a_single_card_on_offer_is_asked_for_all_the_same() -> None:
    table = landed("Masterplan")
    assert table.legal == ["take Masterplan"]


def test_aa_21_the_offer_is_filled_up_before_the_card_acts() -> None:
    table = landed("Masterplan", "Smoke Screen", "Outpost", pile=["Spycation", "Getaway Car"], deck=["Mole"])
    table.takes("Smoke Screen")
    assert table.told[:3] == [
        "side 0 takes Smoke Screen (seat 0)",
        "on offer now: Spycation",
        "side 0 recruits Mole (from the deck)",
    ]
    assert table.offer() == ["Masterplan", "Outpost", "Spycation"]
    assert table.state.pile == (MarketCard.GETAWAY_CAR,)


def test_aa_21_an_instant_goes_to_the_open_discard_and_an_ongoing_card_stays() -> None:
    table = landed("Surveillance Truck", "Masterplan")
    table.takes("Surveillance Truck")
    assert (table.market.discarded, table.ongoing(0)) == ((MarketCard.SURVEILLANCE_TRUCK,), [])
    table = landed("Surveillance Truck", "Masterplan")
    table.takes("Masterplan")
    assert (table.market.discarded, table.ongoing(0)) == ((), ["Masterplan"])


def test_aa_21_with_an_empty_pile_the_offer_is_not_filled_up() -> None:
    table = landed("Surveillance Truck", "Masterplan", pile=[])
    table.takes("Masterplan")
    assert table.told == ["side 0 takes Masterplan"]
    assert table.offer() == ["Surveillance Truck"]


def test_aa_21_with_an_empty_offer_nothing_is_taken_and_the_turn_ends() -> None:
    table = landed()
    assert table.told[-1] == "side 0 stands on a market space, but nothing is on offer"
    assert (table.asked, table.state.turn, table.market.landed) == ((1,), 2, ())


def test_aa_21_whoever_lands_second_finds_the_offer_that_the_first_left() -> None:
    table = both_landed("Masterplan")
    table.takes("Masterplan")
    assert table.told[-1] == "side 1 stands on a market space, but nothing is on offer"
    assert (table.asked, table.state.turn) == ((1,), 2)


def test_aa_21_after_the_card_the_turn_ends_and_the_other_side_is_next() -> None:
    table = landed("Masterplan")
    table.takes("Masterplan")
    assert (table.asked, table.state.turn, table.state.phase) == ((1,), 2, "play")


# Both at once


@pytest.mark.parametrize("active", [0, 1])
def test_aa_22_if_both_land_the_active_side_takes_first_then_the_other(active: int) -> None:
    table = both_landed(*RANKS, active=active)
    assert (table.progress(0), table.progress(1)) == (2, 2)
    assert (table.asked, table.market.landed) == ((active,), (active, 1 - active))
    table.takes("Masterplan")
    assert (table.asked, table.market.landed) == ((1 - active,), (1 - active,))
    table.takes("Watchtower Two")
    assert (table.ongoing(active), table.ongoing(1 - active)) == (["Masterplan"], ["Watchtower Two"])
    assert table.state.turn == 2


def test_aa_22_and_aa_23_the_active_side_finishes_its_whole_chain_before_the_other_takes() -> None:
    """Smoke Screen turns up the Sidekick, which moves 4: from space 5 onto space 9, another market."""
    table = both_landed("Smoke Screen", "Masterplan", "Watchtower Two", deck=["Sidekick"], progress=(3, 0))
    table.takes("Smoke Screen")
    assert (table.progress(0), table.asked, table.market.landed) == (9, (0,), (0, 1))
    table.takes("Masterplan")
    assert (table.asked, table.market.landed) == ((1,), (1,))


def test_aa_22_only_the_side_that_landed_takes() -> None:
    table = landed(*RANKS, active=1)
    assert (table.asked, table.market.landed) == ((1,), (1,))
    table.takes("Masterplan")
    assert (table.ongoing(0), table.ongoing(1)) == ([], ["Masterplan"])


# Chains and draws


def test_aa_23_an_instant_recruit_lies_open_then_its_hand_draws_then_the_pawn_moves() -> None:
    table = landed("Secret Recruit", deck=["Mole", "Sidekick"])
    table.takes("Secret Recruit")
    table.chooses("Enforcer")
    assert table.told == [
        "side 0 recruits Enforcer (from the hand of seat 0)",
        "seat 0 draws 1: Mole",
        "side 0 moves on 1, to progress +3",
    ]
    assert table.heard(1)[1] == "seat 0 draws 1"
    assert named(table.state.deck) == ["Sidekick"]


def test_aa_23_an_instant_recruit_may_land_on_another_market_space_and_take_again() -> None:
    """The Sidekick moves 4, from space 5 to 9. The Mole moves 3 back, from 9 to 6, where there is nothing."""
    table = landed(
        "Secret Recruit", "Smoke Screen", "Masterplan", progress=(3, 0), hand=["Sidekick"], deck=["Mole"] * 4
    )
    table.takes("Secret Recruit")
    table.chooses("Sidekick")
    assert (table.asked, table.legal) == ((0,), ["take Masterplan", "take Smoke Screen (seat 0)"])
    table = table.goes_on(deck=cards("Mole"))
    table.takes("Smoke Screen")
    assert (table.progress(0), table.state.turn) == (6, 2)


def test_aa_23_an_instant_is_in_the_discard_before_the_next_card_is_taken() -> None:
    table = landed("Smoke Screen", "Masterplan", progress=(3, 0), deck=["Sidekick"])
    table.takes("Smoke Screen")
    assert (table.state.phase, table.market.resolving) == ("market", None)
    assert table.market.discarded == (MarketCard.SMOKE_SCREEN,)


def test_aa_26_a_hand_above_four_does_not_draw() -> None:
    table = landed("Secret Recruit", hand=[*HAND, "Sidekick"], deck=["Mole"])
    table.takes("Secret Recruit")
    table.chooses("Enforcer")
    assert len(table.hand(0)) == 4
    assert named(table.state.deck) == ["Mole"]


def test_aa_23_with_an_empty_deck_nothing_is_drawn() -> None:
    table = landed("Secret Recruit", deck=[])
    table.takes("Secret Recruit")
    table.chooses("Enforcer")
    assert table.hand(0) == ["Saboteur", "Sentinel", "Mole"]
