"""The box and the deal: IJ-01 to IJ-03."""

import msgspec
import pytest

from referee.core.game import Roll, Shuffle
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK, SUIT, VALUE
from tests.games.inside_job.kit import ACTIONS
from tests.games.inside_job.table import BY_SEATS, FOUR, GAME, THREE, Table, cards

SEATS = pytest.mark.parametrize("seats", [3, 4, 5])
HANDS = {3: 13, 4: 12, 5: 10}
TRICKS = {3: 11, 4: 10, 5: 9}
MISSIONS = {3: 9, 4: 7, 5: 6}
TOKENS = {3: 6, 4: 5, 5: 4}


def test_ij_01_the_deck_has_four_suits_of_13_values_once_each() -> None:
    assert len(set(DECK)) == len(DECK) == 52
    assert {(SUIT[card].name.lower(), VALUE[card]) for card in DECK} == {
        (suit, value) for suit in ("yellow", "green", "blue", "red") for value in range(1, 14)
    }
    assert list(DECK) == sorted(DECK)


def test_ij_01_24_missions_are_shuffled_and_the_4_risky_ones_lie_apart() -> None:
    missions = GAME.setup(Options(), 4).missions
    assert missions == tuple(f"M{number:02}" for number in range(1, 25))


@SEATS
def test_ij_01_one_seat_is_the_insider_and_all_others_are_agents(seats: int) -> None:
    table = Table(GAME.setup(Options(), seats))
    assert GAME.awaiting(table.state) == Shuffle("roles", seats)
    table.luck(*range(1, seats), 0)
    assert table.state.roles == (*["agent"] * (seats - 1), "insider")


@SEATS
def test_ij_01_there_are_14_tokens_and_everybody_begins_with_one(seats: int) -> None:
    table = Table.begun(*BY_SEATS[seats])
    assert table.tokens == [1] * seats
    assert table.state.common.supply == 14 - seats


def test_ij_01_everybody_hears_the_own_role_only() -> None:
    table = Table.begun(*THREE)
    assert table.heard(0) == ["seat 0 is dealt Insider", "seat 1 is dealt a role", "seat 2 is dealt a role"]
    assert table.heard(2) == ["seat 0 is dealt a role", "seat 1 is dealt a role", "seat 2 is dealt Agent"]
    assert [table.view(seat).role for seat in range(3)] == list(THREE)
    assert table.open_roles == [None] * 3


@SEATS
def test_ij_02_hands_are_dealt_in_seat_order_and_nobody_sees_the_rest(seats: int) -> None:
    table = Table.begun(*BY_SEATS[seats])
    assert GAME.awaiting(table.state) == Shuffle("hands", 52)
    table.luck(*range(52))
    size = HANDS[seats]
    assert table.state.hands == tuple(DECK[seat * size : (seat + 1) * size] for seat in range(seats))
    assert table.state.unseen == DECK[seats * size :]
    assert [table.view(seat).hand for seat in range(seats)] == list(table.state.hands)


def test_ij_02_a_hand_is_sorted_and_only_its_owner_hears_of_it() -> None:
    table = Table.begun(*FOUR)
    table.luck(*reversed(range(52)))
    assert table.state.hands[0] == tuple(sorted(DECK[-12:]))
    assert table.heard(0)[0].startswith("seat 0 is dealt 12 cards: red 2, red 3, red 4")
    assert table.heard(1)[0] == "seat 0 is dealt 12 cards"


@SEATS
def test_ij_02_after_the_last_trick_there_is_the_vote_and_cards_are_left_over(seats: int) -> None:
    last = TRICKS[seats]
    table = Table.arranged(*BY_SEATS[seats], trick=last - 1)
    table.won_by(1)
    assert (table.state.phase, table.state.common.trick) == ("mission", last)
    table.won_by(2)
    assert table.state.phase == "vote"
    assert HANDS[seats] - last == {3: 2, 4: 2, 5: 1}[seats]


@SEATS
def test_ij_02_players_and_tricks_are_as_many_as_tokens(seats: int) -> None:
    assert seats + TRICKS[seats] == 14


@SEATS
def test_ij_03_the_agents_win_with_so_many_missions(seats: int) -> None:
    table = Table.arranged(*BY_SEATS[seats], completed=MISSIONS[seats] - 2)
    table.won_by(1, completes=True)
    assert table.result is None
    table.won_by(2, completes=True)
    assert table.result == ("missions", list(range(1, seats)))


@SEATS
def test_ij_03_the_insider_wins_with_so_many_tokens(seats: int) -> None:
    table = Table.arranged(*BY_SEATS[seats], tokens=[TOKENS[seats] - 2, *[1] * (seats - 1)])
    table.won_by(0)
    assert table.result is None
    table.won_by(0)
    assert table.result == ("tokens", [0])


def test_all_luck_comes_before_the_first_trick_each_under_its_name() -> None:
    table = Table.begun(*THREE)
    awaited = [GAME.awaiting(table.state)]
    table.luck(*range(52))
    awaited.append(GAME.awaiting(table.state))
    table.luck(*range(24))
    awaited.append(GAME.awaiting(table.state))
    assert awaited == [Shuffle("hands", 52), Shuffle("missions", 24), Roll("leader", 3)]


def test_a_position_that_cannot_be_is_refused_and_not_played_on() -> None:
    over_without_a_result = Table.arranged(*FOUR).at("over").state
    with pytest.raises(ValueError, match="nobody has won"):
        GAME.awaiting(over_without_a_result)
    with pytest.raises(ValueError, match="not for 6 players"):
        GAME.setup(Options(), 6)
    aimless = Table.arranged(*THREE).with_hand(0, "red 1").with_hand(1, "red 2").with_hand(2, "red 3")
    with pytest.raises(ValueError, match="a trick without a mission"):
        aimless.plays("red 1", "red 2", "red 3")
    accomplice = Table.arranged("accomplice", *FOUR[:3])
    with pytest.raises(ValueError, match="no partner"):
        accomplice.won_by(0)


def test_every_action_is_made_once_and_all_are_different() -> None:
    assert len({msgspec.json.encode(action) for action in ACTIONS}) == len(ACTIONS)
    assert cards("green 13") == (213,)
