"""The rule of the bot `greedy`, on positions worked out by hand."""

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
    played,
    position,
    recruits_face_up,
    worth,
)


def test_a_play_is_worth_the_smaller_gain_of_lead() -> None:
    view = position(hand=(ENFORCER, SENTINEL), own=(SENTINEL,), other=(ENFORCER,))
    play = aa.Action(play=aa.Play(face_up=ENFORCER, face_down=SENTINEL))

    # We take the Enforcer (+1), they the Sentinel (0): 1. We take our second Sentinel (+2), they their second
    # Enforcer (+2): 0.
    assert worth(view, play) == 0


def test_of_two_equal_plays_the_first_is_chosen() -> None:
    view = position(hand=(DAREDEVIL, ENFORCER))

    # Either way round, the opponent leaves us 1 and takes 2.
    assert played("greedy", view) == (ENFORCER, DAREDEVIL)


def test_the_play_with_the_best_worst_case_is_chosen() -> None:
    view = position(hand=(DOUBLE_AGENT, SABOTEUR, ENFORCER, MOLE), own=(DOUBLE_AGENT,))

    # Their first Double Agent moves -1, our second +6. With a Saboteur beside it: min(6 + 1, -1 + 1) = 0;
    # an Enforcer: min(6 - 1, 1 + 1) = 2; the Mole: min(6 + 3, -3 + 1) = -2. All others are below 2, too.
    assert played("greedy", view) == (DOUBLE_AGENT, ENFORCER)


def test_a_face_up_card_is_weighed_against_an_average_card() -> None:
    view = position(hand=(), face_up=SIDEKICK)

    # First cards: -1, +1, 0, -1, +2, 0 six times each, +4 and -3 once: 7 spaces in 38 cards.
    assert worth(view, aa.Action(recruit=aa.Recruit(slot=aa.SLOT_FACE_UP))) == 38 * 4 - 7
    assert worth(view, aa.Action(recruit=aa.Recruit(slot=aa.SLOT_FACE_DOWN))) == 7 - 38 * 4


def test_the_average_card_depends_on_what_lies_before_the_sides() -> None:
    view = position(hand=(), face_up=MOLE, own=(DOUBLE_AGENT,), other=(SENTINEL, SENTINEL))

    # Ours: 7 and a second Double Agent (+6 for -1, six copies). Theirs: 7 and a third Sentinel (+6 for 0).
    assert worth(view, aa.Action(recruit=aa.Recruit(slot=aa.SLOT_FACE_UP))) == 38 * -3 - (7 + 36)
    assert worth(view, aa.Action(recruit=aa.Recruit(slot=aa.SLOT_FACE_DOWN))) == (7 + 42) - 38 * -3


def test_it_takes_a_good_card_and_leaves_a_bad_one() -> None:
    assert recruits_face_up("greedy", position(hand=(), face_up=DAREDEVIL))
    assert not recruits_face_up("greedy", position(hand=(), face_up=SABOTEUR))


def test_it_leaves_the_codebreaker_that_would_win() -> None:
    # The third one does not move, so an average card (+7 in 38) looks better.
    assert not recruits_face_up("greedy", position(hand=(), face_up=CODEBREAKER, own=(CODEBREAKER,) * 2))


def test_it_takes_the_daredevil_that_loses() -> None:
    # The third one does not move us, but it would move the other side by 2.
    assert recruits_face_up("greedy", position(hand=(), face_up=DAREDEVIL, own=(DAREDEVIL,) * 2))


def test_it_never_discards() -> None:
    poor = position(hand=(MOLE, SABOTEUR, DOUBLE_AGENT, CODEBREAKER), other=(DOUBLE_AGENT,), lead=-6)

    assert chosen("greedy", poor).HasField("play")
