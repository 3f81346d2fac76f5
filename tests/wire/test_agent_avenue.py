"""Agent Avenue on the wire."""

from typing import get_args

import pytest
from referee_bot.v1 import agent_avenue_pb2 as pb

from referee.games.agent_avenue.moves import (
    AGAIN,
    HAND_OVER,
    Action,
    Choose,
    Discard,
    Event,
    Lay,
    Play,
    Recruit,
    Slot,
    Take,
)
from referee.games.agent_avenue.pieces import Agent, MarketCard
from referee.games.agent_avenue.state import Options
from referee.wire.agent_avenue import entry
from tests.games.agent_avenue.kit import ACTIONS
from tests.games.agent_avenue.positions import landed
from tests.games.agent_avenue.table import GAME, Table, cards

CODEC = entry.codec
MIXED = ["Enforcer", "Saboteur", "Sentinel", "Mole"]
OTHER = ["Codebreaker", "Double Agent", "Daredevil"]


def viewed(table: Table, seat: int) -> pb.View:
    return pb.View.FromString(CODEC.view(table.view(seat)))


def told(table: Table, seat: int) -> list[pb.Event]:
    heard = [GAME.heard(event, seat) for event in table.events]
    return [pb.Event.FromString(CODEC.event(event)) for event in heard if event is not None]


def test_agents_and_slots_have_the_numbers_of_the_proto() -> None:
    assert {f"AGENT_{agent.name}": int(agent) for agent in Agent} == dict(pb.Agent.items()[1:])
    assert {f"SLOT_{slot.name}": int(slot) for slot in Slot} == dict(pb.Slot.items()[1:])


def test_options_are_written_out() -> None:
    assert pb.Options.FromString(CODEC.options(Options())) == pb.Options(mode="simple", line_up="1v1")
    advanced = Options(mode="advanced", line_up="2v1", ceasefire=True)
    assert pb.Options.FromString(CODEC.options(advanced)) == pb.Options(mode="advanced", line_up="2v1", ceasefire=True)


def test_the_message_of_options_has_a_field_for_every_option() -> None:
    assert [field.name for field in pb.Options.DESCRIPTOR.fields] == list(Options.__struct_fields__)


def test_every_action_has_bytes_of_its_own_that_say_what_it_is() -> None:
    sent = [CODEC.action(action) for action in ACTIONS]
    assert len(set(sent)) == len(ACTIONS) == (64 + 8 + 2) + (16 + 1) + (8 + 8 * 4 + 8 + 2)
    assert pb.Action.FromString(CODEC.action(Play(*cards("Mole", "Enforcer")))) == pb.Action(
        play=pb.Play(face_up=pb.AGENT_MOLE, face_down=pb.AGENT_ENFORCER)
    )
    assert pb.Action.FromString(CODEC.action(Discard(Agent.SIDEKICK))).discard.agent == pb.AGENT_SIDEKICK
    assert pb.Action.FromString(CODEC.action(Recruit(Slot.FACE_DOWN))).recruit.slot == pb.SLOT_FACE_DOWN


def test_a_view_of_the_active_seat() -> None:
    table = Table.arranged(
        hands=[MIXED, OTHER],
        deck=[],
        recruited=[["Mole"], ["Enforcer", "Daredevil", "Enforcer"]],
        progress=(3, -2),
        discards=[["Saboteur", "Enforcer"], ["Sentinel"]],
    )
    table.plays(up="Sentinel", down="Saboteur")
    assert viewed(table, 0) == pb.View(
        seat=0,
        turn=1,
        active_seat=0,
        hand=[pb.AGENT_ENFORCER, pb.AGENT_MOLE],
        own_discards=[pb.AGENT_SABOTEUR, pb.AGENT_ENFORCER],
        sides=[
            pb.SideView(progress=3, recruited=[pb.AGENT_MOLE]),
            pb.SideView(progress=-2, recruited=[pb.AGENT_ENFORCER, pb.AGENT_ENFORCER, pb.AGENT_DAREDEVIL]),
        ],
        deck_count=0,
        face_up=pb.AGENT_SENTINEL,
        own_face_down=pb.AGENT_SABOTEUR,
        seats=[pb.SeatView(hand_count=2, discard_count=2), pb.SeatView(hand_count=3, discard_count=1)],
    )


def test_a_view_of_the_other_seat_lacks_what_that_seat_does_not_know() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], deck=[], discards=[["Saboteur"], []])
    table.plays(up="Sentinel", down="Saboteur")
    view = viewed(table, 1)
    assert (view.seat, view.active_seat) == (1, 0)
    assert view.face_up == pb.AGENT_SENTINEL
    assert view.own_face_down == pb.AGENT_UNSPECIFIED
    assert list(view.own_discards) == []
    assert list(view.hand) == [pb.AGENT_DOUBLE_AGENT, pb.AGENT_CODEBREAKER, pb.AGENT_DAREDEVIL]


def test_before_a_play_no_card_is_on_offer() -> None:
    table = Table.dealt()
    assert viewed(table, 0).face_up == pb.AGENT_UNSPECIFIED
    assert viewed(table, 0).deck_count == 30


def test_the_first_side_is_told() -> None:
    assert told(Table.dealt(begins=1), 0) == [pb.Event(side_began=pb.SideBegan(side=1))]


@pytest.mark.parametrize(("seat", "agent"), [(0, pb.AGENT_SABOTEUR), (1, pb.AGENT_UNSPECIFIED)])
def test_a_discard_and_a_draw_as_each_seat_hears_them(seat: int, agent: pb.Agent.ValueType) -> None:
    table = Table.arranged(hands=[MIXED, OTHER], deck=["Daredevil"])
    table.discards("Saboteur")
    drawn = [pb.AGENT_DAREDEVIL] if seat == 0 else []
    assert told(table, seat) == [
        pb.Event(discarded=pb.Discarded(seat=0, agent=agent)),
        pb.Event(drew=pb.Drew(seat=0, count=1, agents=drawn)),
    ]


@pytest.mark.parametrize(("seat", "down"), [(0, pb.AGENT_SABOTEUR), (1, pb.AGENT_UNSPECIFIED)])
def test_a_play_as_each_seat_hears_it(seat: int, down: pb.Agent.ValueType) -> None:
    table = Table.arranged(hands=[MIXED, OTHER], deck=[])
    table.plays(up="Sentinel", down="Saboteur")
    assert told(table, seat) == [pb.Event(played=pb.Played(seat=0, face_up=pb.AGENT_SENTINEL, face_down=down))]


def test_recruits_and_moves_are_told_to_both_in_full() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], deck=[], progress=(0, 2))
    table.plays(up="Enforcer", down="Mole")
    table.recruits("face down")
    assert told(table, 0) == told(table, 1)
    assert told(table, 0) == [
        pb.Event(recruited=pb.Recruited(side=1, slot=pb.SLOT_FACE_DOWN, agent=pb.AGENT_MOLE)),
        pb.Event(recruited=pb.Recruited(side=0, slot=pb.SLOT_FACE_UP, agent=pb.AGENT_ENFORCER)),
        pb.Event(moved=pb.Moved(side=1, spaces=-3, progress=-1)),
        pb.Event(moved=pb.Moved(side=0, spaces=1, progress=1)),
    ]


def test_equal_views_give_equal_bytes() -> None:
    first = Table.dealt("Mole", "Enforcer", "Sentinel", "Saboteur")
    second = Table.dealt("Saboteur", "Sentinel", "Enforcer", "Mole")
    assert CODEC.view(first.view(0)) == CODEC.view(second.view(0))


# The market and teams


def test_market_cards_have_the_numbers_of_the_proto() -> None:
    assert {f"MARKET_CARD_{card.name}": int(card) for card in MarketCard} == dict(pb.MarketCard.items()[1:])


def test_every_action_and_event_is_the_message_of_its_name() -> None:
    for union, holder in ((Action, pb.Action), (Event, pb.Event)):
        fields = holder.DESCRIPTOR.oneofs_by_name["body"].fields
        assert {kind.__name__ for kind in get_args(union)} == {
            field.message_type.name for field in fields if field.message_type
        }
        for kind in get_args(union):
            names = [field.name for field in getattr(pb, kind.__name__).DESCRIPTOR.fields]
            assert names == list(kind.__struct_fields__), kind


def test_actions_of_the_market_and_of_teams() -> None:
    sent = {action: pb.Action.FromString(CODEC.action(action)) for action in ACTIONS}
    assert sent[Take(MarketCard.OUTPOST, 0)].take.taker == 0
    assert sent[Take(MarketCard.OUTPOST, 0)].take.HasField("taker")
    assert not sent[Take(MarketCard.MASTERPLAN, None)].take.HasField("taker")
    assert sent[Take(MarketCard.OUTPOST, 3)].take == pb.Take(card=pb.MARKET_CARD_OUTPOST, taker=3)
    assert sent[Lay(Slot.FACE_DOWN, Agent.MOLE)].lay == pb.Lay(slot=pb.SLOT_FACE_DOWN, agent=pb.AGENT_MOLE)
    assert sent[HAND_OVER].WhichOneof("body") == "hand_over"
    assert sent[Choose(Agent.MOLE)].choose.agent == pb.AGENT_MOLE
    assert [sent[action].recruit_again.again for action in AGAIN] == [True, False]
    assert {sent[action].WhichOneof("body") for action in AGAIN} == {"recruit_again"}


def test_simple_1v1_has_neither_market_nor_teams_nor_marks_on_the_wire() -> None:
    view = viewed(Table.dealt(), 0)
    assert not view.HasField("market")
    assert not view.HasField("teams")
    assert not [seat for seat in view.seats if seat.marks]
    assert CODEC.options(Options()) == pb.Options(mode="simple", line_up="1v1").SerializeToString()


def test_a_view_of_the_market_while_an_instant_is_resolved() -> None:
    table = landed(
        "Spycation",
        "Masterplan",
        pile=["Outpost", "Ceasefire"],
        ongoing=[["Getaway Car", "Watchtower Two"], []],
        ceasefire=True,
    )
    table.takes("Spycation")
    table.chooses("Daredevil")
    view = viewed(table, 1)
    assert view.market == pb.Market(
        offer=[pb.MARKET_CARD_MASTERPLAN, pb.MARKET_CARD_OUTPOST],
        pile_count=1,
        resolving=pb.MARKET_CARD_SPYCATION,
        taker=0,
        returned=pb.AGENT_DAREDEVIL,
    )
    assert view.market.HasField("taker")
    assert list(view.sides[0].ongoing) == [pb.MARKET_CARD_WATCHTOWER_TWO, pb.MARKET_CARD_GETAWAY_CAR]
    assert list(view.seats[0].marks) == [pb.Mark(agent=pb.AGENT_DAREDEVIL, count=1)]
    table.recruits_again(again=False)
    assert list(viewed(table, 1).market.discarded) == [pb.MARKET_CARD_SPYCATION]
    assert not viewed(table, 1).market.HasField("taker")


def test_a_view_of_the_market_while_a_side_must_take_and_after_a_ceasefire() -> None:
    table = landed("Ceasefire", ceasefire=True, active=1)
    assert list(viewed(table, 0).market.landed) == [1]
    table.takes("Ceasefire")
    assert list(viewed(table, 0).market.removed) == [pb.AGENT_CODEBREAKER, pb.AGENT_DAREDEVIL]


def test_a_mark_says_how_many_discards_were_made_since() -> None:
    table = Table.arranged(hands=[MIXED, OTHER]).with_market("Outpost").marked(0, "Enforcer", "Enforcer")
    table.discards("Mole")
    marks = list(viewed(table, 1).seats[0].marks)
    assert marks == [pb.Mark(agent=pb.AGENT_ENFORCER, count=2, discards_since=1)]


def test_a_view_of_a_team() -> None:
    table = Table.arranged(hands=[MIXED, OTHER, MIXED], deck=[], active=2)
    table.hands_over()
    assert viewed(table, 1).teams == pb.Teams(captains=[2, 1], face_up_seat=0, face_down_seat=2)
    table.lays("Mole", "face up")
    table.lays("Enforcer", "face down")
    for seat, down in ((0, pb.AGENT_UNSPECIFIED), (1, pb.AGENT_UNSPECIFIED), (2, pb.AGENT_ENFORCER)):
        assert viewed(table, seat).own_face_down == down
        assert viewed(table, seat).teams.face_down_laid


def test_what_teammates_answered_is_told_with_the_answer() -> None:
    table = Table.arranged(hands=[MIXED, OTHER, MIXED, OTHER], deck=[])
    table.turn_played(up="Mole", down="Enforcer")
    table.recruits("face up", other="face down")
    answers = [event.answered for event in told(table, 3) if event.HasField("answered")]
    assert answers == [
        pb.Answered(seat=1, answer=pb.Action(recruit=pb.Recruit(slot=pb.SLOT_FACE_UP))),
        pb.Answered(seat=3, answer=pb.Action(recruit=pb.Recruit(slot=pb.SLOT_FACE_DOWN))),
    ]
    assert not [event for event in told(table, 0) if event.HasField("answered")]


def test_events_of_the_market() -> None:
    table = landed("Secret Recruit", "Masterplan", pile=["Outpost"], deck=["Mole"])
    table.takes("Secret Recruit")
    assert told(table, 1) == [
        pb.Event(took=pb.Took(side=0, card=pb.MARKET_CARD_SECRET_RECRUIT, taker=0)),
        pb.Event(offered=pb.Offered(cards=[pb.MARKET_CARD_OUTPOST])),
    ]
    table.chooses("Enforcer")
    assert told(table, 1)[:2] == [
        pb.Event(enlisted=pb.Enlisted(side=0, agent=pb.AGENT_ENFORCER, seat=0)),
        pb.Event(drew=pb.Drew(seat=0, count=1)),
    ]
