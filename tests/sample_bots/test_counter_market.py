"""The bot `counter` and the black market: changed agents, new ways to win, landing, taking and using cards."""

import pytest
from referee_bot.v1 import agent_avenue_pb2 as aa

from tests.sample_bots.bots import (
    AGAIN,
    CODEBREAKER,
    DAREDEVIL,
    DOUBLE_AGENT,
    ENFORCER,
    MOLE,
    SABOTEUR,
    SENTINEL,
    SIDEKICK,
    chooses,
    chosen_of,
    load_module,
    load_player,
    position,
    recruits_face_up,
    takes,
)

HAND = (ENFORCER, SABOTEUR, CODEBREAKER, SIDEKICK)
SIX_NAMES = (DOUBLE_AGENT, ENFORCER, CODEBREAKER, SABOTEUR, DAREDEVIL, SENTINEL)

WATCHTOWER = aa.MARKET_CARD_WATCHTOWER_TWO
LEADER = aa.MARKET_CARD_LEADER_OF_THE_PACK
TWIN = aa.MARKET_CARD_SINISTER_TWIN
MASTERPLAN = aa.MARKET_CARD_MASTERPLAN
SECURITY = aa.MARKET_CARD_SECURITY_SYSTEM
GETAWAY = aa.MARKET_CARD_GETAWAY_CAR
SUPERCOMPUTER = aa.MARKET_CARD_SUPERCOMPUTER
OUTPOST = aa.MARKET_CARD_OUTPOST
MIND_CONTROL = aa.MARKET_CARD_MIND_CONTROL
DOUBLE_TROUBLE = aa.MARKET_CARD_DOUBLE_TROUBLE
TRUCK = aa.MARKET_CARD_SURVEILLANCE_TRUCK
SECRET_RECRUIT = aa.MARKET_CARD_SECRET_RECRUIT
SPYCATION = aa.MARKET_CARD_SPYCATION
CEASEFIRE = aa.MARKET_CARD_CEASEFIRE

CHANGES = [
    (aa.MARKET_CARD_DISTRACTION_DEVICE, SABOTEUR, 0, 1),
    (aa.MARKET_CARD_DISTRACTION_DEVICE, SABOTEUR, 2, 2),
    (WATCHTOWER, ENFORCER, 0, 3),
    (WATCHTOWER, ENFORCER, 2, 5),
    (aa.MARKET_CARD_SINISTER_TWIN, DOUBLE_AGENT, 1, 12),
    (SUPERCOMPUTER, CODEBREAKER, 0, 3),
]


def chances(view: aa.View) -> list[list[float]]:
    found: list[list[float]] = load_player("counter").chances(view)
    return found


def taken(view: aa.View) -> "aa.MarketCard.ValueType":
    return chosen_of("counter", view, takes(view)).take.card


@pytest.mark.parametrize(("card", "agent", "before", "spaces"), CHANGES)
def test_an_agent_that_a_card_changed_catches_where_the_printed_one_would_not(
    card: "aa.MarketCard.ValueType", agent: "aa.Agent.ValueType", before: int, spaces: int
) -> None:
    with_card = position(hand=HAND, own=(agent,) * before, lead=7 - spaces, cards=(card,))
    without = position(hand=HAND, own=(agent,) * before, lead=7 - spaces)

    # The other side recruits its first Sentinel, which does not move.
    assert chances(with_card)[agent][SENTINEL] == 1
    assert chances(without)[agent][SENTINEL] < 1


@pytest.mark.parametrize(("card", "agent", "before", "spaces"), CHANGES)
def test_a_card_of_the_other_side_changes_its_agents_too(
    card: "aa.MarketCard.ValueType", agent: "aa.Agent.ValueType", before: int, spaces: int
) -> None:
    with_card = position(hand=HAND, other=(agent,) * before, lead=spaces - 7, other_cards=(card,))

    assert chances(with_card)[SENTINEL][agent] == 0


def test_a_getaway_car_carries_on_from_a_home_only_if_the_pawn_moved_there() -> None:
    # The second Enforcer walks from 5 to 7, where the car adds 3. A Sentinel leaves the pawn where it is.
    at_5 = position(hand=HAND, own=(ENFORCER,), progress=3, lead=2, cards=(GETAWAY,))
    at_home = position(hand=HAND, progress=3, lead=4, cards=(GETAWAY,))

    assert chances(at_5)[ENFORCER][SENTINEL] == 1
    assert chances(at_home)[SENTINEL][SENTINEL] < 1


def test_it_takes_the_third_daredevil_if_it_leads_the_pack() -> None:
    assert recruits_face_up("counter", position(hand=HAND, own=(DAREDEVIL,) * 2, face_up=DAREDEVIL, cards=(LEADER,)))


def test_it_denies_the_third_daredevil_to_a_leader_of_the_pack() -> None:
    view = position(hand=HAND, other=(DAREDEVIL,) * 2, face_up=DAREDEVIL, other_cards=(LEADER,))

    assert recruits_face_up("counter", view)


def test_it_completes_its_masterplan_even_by_the_mole() -> None:
    assert recruits_face_up("counter", position(hand=HAND, own=SIX_NAMES, face_up=MOLE, cards=(MASTERPLAN,)))
    assert not recruits_face_up("counter", position(hand=HAND, own=SIX_NAMES, face_up=MOLE))


def test_it_denies_the_other_side_the_last_name_of_a_masterplan() -> None:
    assert recruits_face_up("counter", position(hand=HAND, other=SIX_NAMES, face_up=MOLE, other_cards=(MASTERPLAN,)))


def test_it_leaves_the_card_that_walks_the_other_pawn_into_its_security_system() -> None:
    guarded = position(hand=HAND, face_up=SIDEKICK, progress=3, cards=(SECURITY,))

    # From 3, the Sidekick takes the other pawn to 7, our home.
    assert not recruits_face_up("counter", guarded)
    assert recruits_face_up("counter", position(hand=HAND, face_up=SIDEKICK, progress=3))


def test_it_does_not_walk_into_the_security_system_of_the_other_side() -> None:
    assert not recruits_face_up("counter", position(hand=HAND, face_up=SIDEKICK, progress=3, other_cards=(SECURITY,)))


def test_landing_on_a_market_space_is_worth_more_while_there_is_an_offer() -> None:
    # From 1, the first Enforcer walks to space 2; the second one would walk past it.
    offer = (TRUCK, SPYCATION, WATCHTOWER)
    onto, empty = position(hand=HAND, progress=1, offer=offer), position(hand=HAND, progress=1)
    past, past_empty = (position(hand=HAND, own=(ENFORCER,), progress=1, offer=o) for o in (offer, ()))

    assert chances(onto)[ENFORCER][SENTINEL] > chances(empty)[ENFORCER][SENTINEL]
    assert chances(past)[ENFORCER][SENTINEL] == chances(past_empty)[ENFORCER][SENTINEL]


@pytest.mark.parametrize(
    ("better", "worse", "view"),
    [
        pytest.param(TRUCK, SUPERCOMPUTER, position(hand=HAND, lead=6), id="one space catches"),
        pytest.param(
            OUTPOST, SUPERCOMPUTER, position(hand=(SENTINEL, *HAND), own=(SENTINEL,) * 2, lead=1), id="six do"
        ),
        pytest.param(TRUCK, OUTPOST, position(hand=HAND, own=(SENTINEL,) * 2, lead=1), id="but not without a Sentinel"),
        pytest.param(SPYCATION, SUPERCOMPUTER, position(hand=HAND, own=(DAREDEVIL,) * 3), id="no third Daredevil"),
        pytest.param(LEADER, SPYCATION, position(hand=HAND, own=(DAREDEVIL,) * 3), id="or better: a pack"),
        pytest.param(MIND_CONTROL, SUPERCOMPUTER, position(hand=HAND, other=(CODEBREAKER,) * 3), id="no Codebreakers"),
        pytest.param(CEASEFIRE, SUPERCOMPUTER, position(hand=HAND, other=(CODEBREAKER,) * 3), id="nobody has any"),
        pytest.param(MASTERPLAN, SPYCATION, position(hand=HAND, own=(*SIX_NAMES, MOLE)), id="the plan is complete"),
        pytest.param(SECURITY, WATCHTOWER, position(hand=HAND, progress=7, lead=-6), id="the other pawn is here"),
        pytest.param(DOUBLE_TROUBLE, LEADER, position(hand=(SIDEKICK,) * 2, lead=3), id="twins catch"),
        pytest.param(TRUCK, DOUBLE_TROUBLE, position(hand=HAND, lead=3), id="no twins"),
        pytest.param(SECRET_RECRUIT, LEADER, position(hand=HAND, lead=3), id="a new name catches"),
        pytest.param(TRUCK, SECRET_RECRUIT, position(hand=(ENFORCER,), own=(ENFORCER,), lead=5), id="no new name"),
    ],
)
def test_it_takes_the_card_that_decides(
    better: "aa.MarketCard.ValueType", worse: "aa.MarketCard.ValueType", view: aa.View
) -> None:
    for offer in ((better, worse), (worse, better)):
        view.market.CopyFrom(aa.Market(offer=offer))
        assert taken(view) == better


@pytest.mark.parametrize(
    ("better", "worse", "own"),
    [
        pytest.param(TWIN, WATCHTOWER, (DOUBLE_AGENT,), id="the next Double Agent walks 12"),
        pytest.param(WATCHTOWER, TWIN, (), id="there is none yet"),
        pytest.param(MASTERPLAN, SUPERCOMPUTER, SIX_NAMES, id="one name is missing"),
        pytest.param(SUPERCOMPUTER, MASTERPLAN, (), id="all are missing"),
        pytest.param(LEADER, SUPERCOMPUTER, (DAREDEVIL,) * 2, id="the next Daredevil wins"),
    ],
)
def test_an_ongoing_card_is_worth_what_lies_before_the_side(
    better: "aa.MarketCard.ValueType", worse: "aa.MarketCard.ValueType", own: "tuple[aa.Agent.ValueType, ...]"
) -> None:
    for offer in ((better, worse), (worse, better)):
        assert taken(position(hand=HAND, own=own, offer=offer)) == better


def test_in_the_other_sides_turn_their_claim_comes_first() -> None:
    # We have caught them, but they have three Codebreakers: in our turn we win whatever we take.
    for offer in ((MIND_CONTROL, SUPERCOMPUTER), (SUPERCOMPUTER, MIND_CONTROL)):
        view = position(hand=HAND, other=(CODEBREAKER,) * 3, lead=7, offer=offer)
        view.active_seat = 1
        assert taken(view) == MIND_CONTROL


def test_a_smoke_screen_is_worth_the_average_of_the_unseen_cards() -> None:
    market, player = load_module("counter", "market"), load_player("counter")
    table = player.table_of(position(hand=HAND))
    unseen = [0] * 9
    unseen[SENTINEL], unseen[SIDEKICK] = 3, 1

    worth = market.worth_of_card(table, aa.MARKET_CARD_SMOKE_SCREEN, [0] * 9, unseen)

    expected = (3 * table.recruiting(SENTINEL).chance() + table.recruiting(SIDEKICK).chance()) / 4
    assert worth == pytest.approx(expected)


@pytest.mark.parametrize(
    ("card", "agent", "view"),
    [
        pytest.param(MIND_CONTROL, CODEBREAKER, position(hand=HAND, other=(CODEBREAKER,) * 3, lead=-6), id="undo"),
        pytest.param(SPYCATION, DAREDEVIL, position(hand=HAND, own=(DAREDEVIL,) * 3 + (SENTINEL,) * 2), id="escape"),
        pytest.param(SPYCATION, DOUBLE_AGENT, position(hand=HAND, own=(DOUBLE_AGENT,) * 2, lead=1), id="six again"),
        pytest.param(SECRET_RECRUIT, SIDEKICK, position(hand=HAND, lead=3), id="four spaces"),
    ],
)
def test_it_chooses_the_agent_that_decides(
    card: "aa.MarketCard.ValueType", agent: "aa.Agent.ValueType", view: aa.View
) -> None:
    view.market.resolving = card
    choices = {MIND_CONTROL: view.sides[1].recruited, SPYCATION: view.sides[0].recruited}
    legal = chooses(tuple(sorted({*choices.get(card, view.hand), SENTINEL})))

    assert chosen_of("counter", view, legal).choose.agent == agent


@pytest.mark.parametrize(
    ("own", "returned", "again"), [((DOUBLE_AGENT,), DOUBLE_AGENT, True), ((DAREDEVIL,) * 2, DAREDEVIL, False)]
)
def test_it_recruits_again_what_walks_and_keeps_what_loses(
    own: "tuple[aa.Agent.ValueType, ...]", returned: "aa.Agent.ValueType", again: bool
) -> None:
    view = position(hand=HAND, own=own)
    view.market.CopyFrom(aa.Market(resolving=SPYCATION, taker=0, returned=returned))

    assert chosen_of("counter", view, AGAIN).recruit_again.again == again


def test_cards_that_left_the_game_lie_nowhere() -> None:
    # As in test_counter: while Codebreakers are about, we must not leave them the face-down card.
    view = position(hand=HAND, own=(DOUBLE_AGENT,), other=(CODEBREAKER,) * 2, lead=2, face_up=ENFORCER)
    assert not recruits_face_up("counter", view)

    view.market.removed.extend([CODEBREAKER] * 3)
    assert recruits_face_up("counter", view)


def test_a_card_that_the_player_is_known_to_hold_probably_lies_face_down() -> None:
    # One Codebreaker is left. Usually it is elsewhere. If we know that the active player holds it, it may lie there.
    view = position(hand=(CODEBREAKER,) * 3, own=(DOUBLE_AGENT,), other=(CODEBREAKER,) * 2, lead=2, face_up=ENFORCER)
    assert recruits_face_up("counter", view)

    view.seats[1].marks.append(aa.Mark(agent=CODEBREAKER, count=1))
    assert not recruits_face_up("counter", view)

    # Since then a card was discarded, and it may have been that one.
    view.seats[1].marks[0].discards_since = 1
    assert recruits_face_up("counter", view)
