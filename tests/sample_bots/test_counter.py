"""What the bot `counter` sees: wins, losses, counts and what to hide."""

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
    load_player,
    played,
    position,
    recruits_face_up,
)

HAND = (ENFORCER, SABOTEUR, SENTINEL, SIDEKICK)


def test_it_takes_the_third_codebreaker() -> None:
    assert recruits_face_up("counter", position(hand=HAND, face_up=CODEBREAKER, own=(CODEBREAKER,) * 2))


def test_it_denies_the_other_side_the_third_codebreaker() -> None:
    assert recruits_face_up("counter", position(hand=HAND, face_up=CODEBREAKER, other=(CODEBREAKER,) * 2))


def test_it_leaves_its_own_third_daredevil() -> None:
    assert not recruits_face_up("counter", position(hand=HAND, face_up=DAREDEVIL, own=(DAREDEVIL,) * 2))


def test_it_leaves_the_other_side_its_third_daredevil() -> None:
    assert not recruits_face_up("counter", position(hand=HAND, face_up=DAREDEVIL, other=(DAREDEVIL,) * 2))


def test_it_catches_with_a_second_double_agent() -> None:
    view = position(hand=HAND, face_up=DOUBLE_AGENT, own=(DOUBLE_AGENT,), lead=5)

    assert recruits_face_up("counter", view)


def test_it_does_not_leave_a_card_that_catches_it() -> None:
    assert recruits_face_up("counter", position(hand=HAND, face_up=SENTINEL, other=(SENTINEL,) * 2, lead=-4))


def test_it_plays_two_cards_of_which_each_wins() -> None:
    # The Daredevil would be their third. If they take the Double Agent, they go back and we walk 2: 4 + 2 + 1.
    view = position(
        hand=(DAREDEVIL, DOUBLE_AGENT, ENFORCER, SABOTEUR), own=(DOUBLE_AGENT,), other=(DAREDEVIL,) * 2, lead=4
    )

    assert set(played("counter", view)) == {DAREDEVIL, DOUBLE_AGENT}


def test_it_offers_no_third_codebreaker() -> None:
    view = position(hand=(CODEBREAKER, MOLE, SABOTEUR, DOUBLE_AGENT), other=(CODEBREAKER,) * 2)

    assert CODEBREAKER not in played("counter", view)


def test_it_offers_no_daredevil_that_would_be_left_to_it_as_its_third() -> None:
    view = position(hand=(DAREDEVIL, ENFORCER, SIDEKICK, SABOTEUR), own=(DAREDEVIL,) * 2)

    assert DAREDEVIL not in played("counter", view)


def test_it_counts_every_card_that_it_has_seen() -> None:
    view = position(hand=(MOLE, SENTINEL), own=(ENFORCER,) * 2, other=(ENFORCER,), face_up=ENFORCER)

    unseen = load_player("counter").all_but(view.hand, [view.face_up], *(side.recruited for side in view.sides))

    assert [unseen[agent] for agent in (ENFORCER, SENTINEL, MOLE, SIDEKICK, SABOTEUR)] == [2, 5, 0, 1, 6]


def test_a_codebreaker_that_may_lie_face_down_changes_its_mind() -> None:
    # They lack one Codebreaker. While four are about, we must not leave them the face-down card. If we hold all four,
    # we may.
    about = position(hand=HAND, own=(DOUBLE_AGENT,), other=(CODEBREAKER,) * 2, lead=2, face_up=ENFORCER)
    held = position(hand=(CODEBREAKER,) * 4, own=(DOUBLE_AGENT,), other=(CODEBREAKER,) * 2, lead=2, face_up=ENFORCER)

    assert not recruits_face_up("counter", about)
    assert recruits_face_up("counter", held)


def test_its_own_discards_are_no_more_about() -> None:
    view = position(hand=(), own=(DOUBLE_AGENT,), other=(CODEBREAKER,) * 2, lead=2, face_up=ENFORCER)
    view.own_discards.extend([CODEBREAKER] * 4)

    assert recruits_face_up("counter", view)


@pytest.mark.parametrize("lead", range(-6, 7))
def test_chances_are_certain_exactly_where_the_turn_ends_the_match(lead: int) -> None:
    view = position(hand=HAND, own=(CODEBREAKER, CODEBREAKER, SENTINEL, SENTINEL), other=(DAREDEVIL,) * 2, lead=lead)

    wins = load_player("counter").chances(view)

    assert wins[CODEBREAKER][ENFORCER] == 1
    assert wins[ENFORCER][DAREDEVIL] == 1
    assert (wins[SENTINEL][ENFORCER] == 1) == (lead + 6 - 1 >= 7)
    assert (wins[SABOTEUR][SIDEKICK] == 0) == (lead - 1 - 4 <= -7)
    assert 0 < wins[ENFORCER][ENFORCER] < 1


def test_its_own_third_daredevil_loses_unless_the_turn_wins_as_well() -> None:
    view = position(hand=HAND, own=(DAREDEVIL,) * 2, lead=5)

    wins = load_player("counter").chances(view)

    assert wins[DAREDEVIL][ENFORCER] == 0
    assert wins[DAREDEVIL][MOLE] == 1


def test_a_second_card_of_the_face_up_name_is_not_thought_to_lie_face_down() -> None:
    wins = [[0.0] * 9 for _ in range(9)]
    wins[ENFORCER][MOLE] = 1.0
    unseen = load_player("counter").counts([ENFORCER] * 5 + [MOLE])

    # The only other unseen card is the Mole, so leaving the Enforcer is a certain loss.
    assert load_player("counter").Turn(wins, unseen).gain_of_taking(ENFORCER) == 1


def test_the_active_side_wins_if_both_sides_claim() -> None:
    view = position(hand=HAND, own=(CODEBREAKER,) * 2, other=(CODEBREAKER,) * 2)

    assert load_player("counter").chances(view)[CODEBREAKER][CODEBREAKER] == 1


def test_it_discards_where_every_play_loses() -> None:
    # Whichever two are played, one is a third Codebreaker for them, and they need only take it.
    hopeless = position(hand=(CODEBREAKER,) * 4, other=(CODEBREAKER,) * 2)

    assert chosen("counter", hopeless) == aa.Action(discard=aa.Discard(agent=CODEBREAKER))
