"""The rule of the bot `greedy` in advanced mode and in teams, on positions worked out by hand."""

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
    in_a_team,
    lays,
    load_player,
    position,
    takes,
    worth,
)


@pytest.mark.parametrize(
    ("card", "agent", "spaces"),
    [
        (aa.MARKET_CARD_SINISTER_TWIN, DOUBLE_AGENT, (-2, 12, -2)),
        (aa.MARKET_CARD_WATCHTOWER_TWO, ENFORCER, (3, 4, 5)),
        (aa.MARKET_CARD_SUPERCOMPUTER, CODEBREAKER, (3, 3, 3)),
        (aa.MARKET_CARD_DISTRACTION_DEVICE, SABOTEUR, (1, 1, 2)),
    ],
)
def test_an_ongoing_card_changes_the_steps_of_its_side_only(
    card: "aa.MarketCard.ValueType", agent: "aa.Agent.ValueType", spaces: tuple[int, int, int]
) -> None:
    step = load_player("greedy").step
    view = position(hand=(), cards=(card,))

    assert tuple(step(view.sides[0], agent, before) for before in range(3)) == spaces
    assert tuple(step(view.sides[1], agent, before) for before in range(3)) != spaces


@pytest.mark.parametrize(("progress", "spaces"), [(5, 5), (-2, 5), (12, 5), (4, 2), (7, 2)])
def test_a_getaway_car_adds_three_where_the_step_ends_on_a_home(progress: int, spaces: int) -> None:
    view = position(hand=(), own=(ENFORCER,), lead=progress, cards=(aa.MARKET_CARD_GETAWAY_CAR,))

    assert load_player("greedy").steps(view.sides[0])[ENFORCER] == spaces


def test_a_getaway_car_does_nothing_for_a_pawn_that_stays() -> None:
    view = position(hand=(), lead=7, cards=(aa.MARKET_CARD_GETAWAY_CAR,))

    assert load_player("greedy").steps(view.sides[0])[SENTINEL] == 0


def test_a_card_laid_face_up_is_weighed_against_an_average_one() -> None:
    view = in_a_team(position(hand=(ENFORCER, MOLE, SIDEKICK)))
    lay = aa.Action(lay=aa.Lay(slot=aa.SLOT_FACE_UP, agent=SIDEKICK))

    # They take it and leave us an average one, 7 spaces in 38 cards: 7 - 38 * 4. The Enforcer: 7 - 38; the Mole:
    # they leave it to us, 38 * -3 - 7.
    assert worth(view, lay) == 7 - 38 * 4
    assert chosen_of("greedy", view, lays(view)).lay.agent == ENFORCER


def test_a_card_laid_face_down_is_weighed_as_in_a_play() -> None:
    view = in_a_team(position(hand=(ENFORCER, MOLE, SIDEKICK), face_up=DAREDEVIL))

    # Daredevil +2. Enforcer: min(2 - 1, 1 - 2) = -1; Mole: min(2 + 3, -3 - 2) = -5; Sidekick: min(2 - 4, 4 - 2) = -2.
    assert chosen_of("greedy", view, lays(view)).lay.agent == ENFORCER


def test_it_never_hands_over() -> None:
    view = in_a_team(position(hand=(MOLE,), lead=-6))

    assert chosen_of("greedy", view, lays(view)).HasField("lay")


def test_the_order_of_the_market_has_every_card_once() -> None:
    order = load_player("greedy").MARKET

    assert sorted(order) == list(range(1, 17))


def test_it_takes_the_card_that_stands_last_in_its_order_itself() -> None:
    offer = (aa.MARKET_CARD_SINISTER_TWIN, aa.MARKET_CARD_OUTPOST, aa.MARKET_CARD_SPYCATION)
    view = in_a_team(position(hand=(MOLE,), offer=offer))
    for seat in (0, 2):
        view.seat = seat
        take = chosen_of("greedy", view, takes(view)).take
        assert (take.card, take.taker) == (aa.MARKET_CARD_SPYCATION, seat)


@pytest.mark.parametrize(
    ("card", "agent"),
    [
        # The next Sentinel would take them 6, another Enforcer 2, a third Double Agent back.
        (aa.MARKET_CARD_MIND_CONTROL, SENTINEL),
        # Our second Double Agent comes again and walks 6; a first Enforcer walks 1, a first Daredevil 2.
        (aa.MARKET_CARD_SPYCATION, DOUBLE_AGENT),
        # As they lie now: a third Double Agent goes back, a second Enforcer walks 2, a second Daredevil 3.
        (aa.MARKET_CARD_SECRET_RECRUIT, DAREDEVIL),
    ],
)
def test_it_chooses_the_agent_of_the_best_step(card: "aa.MarketCard.ValueType", agent: "aa.Agent.ValueType") -> None:
    own = (DOUBLE_AGENT, DOUBLE_AGENT, ENFORCER, DAREDEVIL)
    view = position(hand=(), own=own, other=(SENTINEL, SENTINEL, ENFORCER, DOUBLE_AGENT, DOUBLE_AGENT))
    view.market.resolving = card
    names = {aa.MARKET_CARD_MIND_CONTROL: (DOUBLE_AGENT, ENFORCER, SENTINEL)}.get(card, tuple(sorted(set(own))))

    assert chosen_of("greedy", view, chooses(names)).choose.agent == agent


@pytest.mark.parametrize(("returned", "again"), [(DOUBLE_AGENT, True), (CODEBREAKER, True), (SABOTEUR, False)])
def test_it_recruits_again_unless_that_goes_back(returned: "aa.Agent.ValueType", again: bool) -> None:
    view = position(hand=(), own=(DOUBLE_AGENT,))
    view.market.returned = returned

    assert chosen_of("greedy", view, AGAIN).recruit_again.again == again
