"""The bot `counter` in a team: a partner whose hand it does not know, and what both do together."""

from itertools import combinations
from typing import Any

import pytest
from referee_bot.v1 import agent_avenue_pb2 as aa

from tests.sample_bots.bots import (
    CODEBREAKER,
    DAREDEVIL,
    DOUBLE_AGENT,
    ENFORCER,
    MOLE,
    SABOTEUR,
    SENTINEL,
    SIDEKICK,
    chosen,
    chosen_of,
    in_a_team,
    lays,
    load_module,
    played,
    position,
    takes,
)

HAND = (ENFORCER, SABOTEUR, SENTINEL, SIDEKICK)


def hidden_hand(cards: int, *, known: tuple[int, ...] = (), **copies: int) -> Any:
    unseen = [0] * 9
    for name, count in copies.items():
        unseen[aa.Agent.Value(f"AGENT_{name}")] = count
    return load_module("counter", "hands").HiddenHand(list(known), cards, unseen)


def lay_of(view: aa.View) -> aa.Action:
    return chosen_of("counter", view, lays(view))


def test_the_chances_of_the_best_card_are_those_of_every_hand_there_could_be() -> None:
    pile = [ENFORCER] * 3 + [SENTINEL] * 2 + [MOLE] * 4
    ranked = [SENTINEL, MOLE]
    hands = list(combinations(pile, 3))
    best = [next((agent for agent in ranked if agent in hand), None) for hand in hands]

    chances = hidden_hand(3, ENFORCER=3, SENTINEL=2, MOLE=4).chances_of_best(ranked)

    assert dict(chances) == pytest.approx({agent: best.count(agent) / len(hands) for agent in ranked})


def test_a_known_card_ends_the_ranking() -> None:
    chances = hidden_hand(1, known=(MOLE,), SENTINEL=1, ENFORCER=1).chances_of_best([SENTINEL, MOLE, ENFORCER])

    assert dict(chances) == pytest.approx({SENTINEL: 0.5, MOLE: 0.5, ENFORCER: 0})


def test_a_hand_without_any_of_the_agents_is_worth_the_rest() -> None:
    hand = hidden_hand(1, SENTINEL=1, ENFORCER=3)

    assert hand.worth_of_best({SENTINEL: 1.0}, otherwise=0.2) == pytest.approx(0.25 + 0.75 * 0.2)


@pytest.mark.parametrize("hand", [(SABOTEUR,) * 4, (SABOTEUR, MOLE), (SIDEKICK, MOLE)])
def test_it_leaves_the_face_up_card_to_the_partner_if_its_own_look_poor(
    hand: "tuple[aa.Agent.ValueType, ...]",
) -> None:
    # If a bad card is face up, they leave it to us and take the Sidekick. If it is face down, they may get it.
    assert lay_of(in_a_team(position(hand=hand))).HasField("hand_over")


def test_it_lays_face_up_what_serves_the_side_either_way() -> None:
    # With a third Daredevil they lose, so they leave it to us, and we walk on. No card of a partner could do as much.
    view = in_a_team(position(hand=(DAREDEVIL, MOLE, SABOTEUR, CODEBREAKER), other=(DAREDEVIL,) * 2, lead=4))

    assert lay_of(view).lay.agent == DAREDEVIL


def test_beside_the_face_up_card_it_lays_what_wins_either_way() -> None:
    # As in test_counter: they lose by the Daredevil, and by the Double Agent they go back while we walk 2.
    hand = (DOUBLE_AGENT, ENFORCER, SABOTEUR, SENTINEL)
    view = in_a_team(position(hand=hand, own=(DOUBLE_AGENT,), other=(DAREDEVIL,) * 2, lead=4, face_up=DAREDEVIL))

    assert lay_of(view).lay.agent == DOUBLE_AGENT


def test_it_lays_no_third_codebreaker_for_the_other_side_beside_the_partners_card() -> None:
    view = in_a_team(position(hand=(CODEBREAKER, MOLE), other=(CODEBREAKER,) * 2, face_up=SIDEKICK))

    assert lay_of(view).lay.agent == MOLE


def test_a_partner_known_to_hold_the_right_card_makes_it_lay_another() -> None:
    # With the Double Agent beside it, the Daredevil wins either way (see above). Without it, they may leave it to us.
    view = in_a_team(position(hand=(DAREDEVIL, SIDEKICK), own=(DOUBLE_AGENT,), other=(DAREDEVIL,) * 2, lead=4))
    turn = load_module("counter", "player").turn_of(view)
    worth = load_module("counter", "player").worth_of_face_up
    unknown = worth(turn, view, DAREDEVIL)

    view.seats[2].marks.append(aa.Mark(agent=DOUBLE_AGENT, count=1))

    assert unknown < worth(turn, view, DAREDEVIL) == pytest.approx(1)


def test_it_discards_where_no_card_can_be_laid_without_losing() -> None:
    view = in_a_team(position(hand=(CODEBREAKER,) * 4, other=(CODEBREAKER,) * 2, face_up=SABOTEUR))
    discard = aa.Action(discard=aa.Discard(agent=CODEBREAKER))

    assert chosen_of("counter", view, [*lays(view), discard]) == discard


def test_what_lies_face_down_comes_from_the_hand_of_who_laid_it() -> None:
    # One Codebreaker is left, and as their third it would win. First seat 3 laid the face-down card, then seat 1 did.
    hand = (CODEBREAKER,) * 3
    view = in_a_team(position(hand=hand, own=(DOUBLE_AGENT,), other=(CODEBREAKER,) * 2, lead=2, face_up=ENFORCER))
    view.active_seat, view.teams.face_up_seat, view.teams.face_down_seat = 1, 1, 3
    view.seats[3].marks.append(aa.Mark(agent=CODEBREAKER, count=1))
    assert chosen("counter", view).recruit.slot == aa.SLOT_FACE_DOWN

    view.teams.face_up_seat, view.teams.face_down_seat = 3, 1
    assert chosen("counter", view).recruit.slot == aa.SLOT_FACE_UP


def test_the_cards_known_to_be_in_a_hand_are_not_among_its_unseen_ones() -> None:
    view = in_a_team(position(hand=HAND))
    view.seats[2].marks.append(aa.Mark(agent=DAREDEVIL, count=2))

    hand = load_module("counter", "hands").hand_of(view, 2)

    assert (hand.known, hand.cards, hand.unseen[DAREDEVIL]) == ([DAREDEVIL] * 2, 2, 4)


@pytest.mark.parametrize("seat", [0, 2])
def test_both_teammates_recruit_the_third_codebreaker(seat: int) -> None:
    view = in_a_team(position(hand=HAND, own=(CODEBREAKER,) * 2, face_up=CODEBREAKER))
    view.seat, view.active_seat = seat, 1

    assert chosen("counter", view).recruit.slot == aa.SLOT_FACE_UP


def test_an_instant_is_taken_by_the_teammate_who_can_use_it() -> None:
    # Two Sentinels lie before the side; a third one walks 6 and catches.
    offer = (aa.MARKET_CARD_OUTPOST,)
    own = in_a_team(position(hand=HAND, own=(SENTINEL,) * 2, lead=1, offer=offer))
    partners = in_a_team(position(hand=(MOLE,), own=(SENTINEL,) * 2, lead=1, offer=offer))

    assert chosen_of("counter", own, takes(own)).take.taker == 0
    assert chosen_of("counter", partners, takes(partners)).take.taker == 2


def test_a_player_alone_plays_against_a_team_as_against_one() -> None:
    view = position(hand=HAND, own=(SENTINEL,), other=(DAREDEVIL,), lead=2)
    alone = aa.View.FromString(view.SerializeToString())
    alone.seat = alone.active_seat = 1
    alone.ClearField("sides")
    alone.sides.extend(reversed(view.sides))
    alone.seats.append(aa.SeatView(hand_count=4))
    alone.teams.CopyFrom(aa.Teams(captains=[2, 1], face_up_seat=1, face_down_seat=1))

    assert played("counter", alone) == played("counter", view)
