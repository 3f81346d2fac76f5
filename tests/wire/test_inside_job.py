"""Inside Job on the wire."""

import re
from pathlib import Path
from typing import get_args

import pytest
from referee_bot.v1 import inside_job_pb2 as pb

from referee.games.inside_job.conditions import CONDITIONS
from referee.games.inside_job.missions import MISSIONS
from referee.games.inside_job.moves import (
    CHOICES,
    PARTNERS,
    PLAIN,
    SUSPECTS,
    VOTES,
    WAGERED,
    Action,
    ChosePartner,
    Event,
    GotRole,
    HandedBack,
    Suspected,
)
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import SETUPS, Suit
from referee.games.inside_job.roles import ROLES
from referee.wire.inside_job import entry
from tests.games.inside_job.kit import ACTIONS
from tests.games.inside_job.table import FOUR, GAME, Table, cards

CODEC = entry.codec
PROTO = Path("proto/referee_bot/v1/inside_job.proto").read_text(encoding="utf-8")
FIRST = ("M20", "M06", "M01", "M02")


def viewed(table: Table, seat: int) -> pb.View:
    return pb.View.FromString(CODEC.view(table.view(seat)))


def told(table: Table, seat: int) -> list[pb.Event]:
    heard = [GAME.heard(event, seat) for event in table.events]
    return [pb.Event.FromString(CODEC.event(event)) for event in heard if event is not None]


def sent(event: Event) -> pb.Event:
    return pb.Event.FromString(CODEC.event(event))


def mission(id_: str) -> pb.Mission:
    it = MISSIONS[id_]
    return pb.Mission(id=id_, trump=int(it.trump), condition=it.condition, numbers=it.numbers)  # type: ignore[arg-type]  # a Suit


def led(*roles: str) -> Table:
    """Seat 1 has led the first trick, with a token on its card."""
    table = Table.dealt(*roles, missions=FIRST)
    table.luck(1)
    table.reveals("M20")
    table = table.with_hand(1, "green 7", "red 2")
    table.plays("green 7 with a token")
    return table


def test_suits_have_the_numbers_of_the_proto() -> None:
    assert {f"SUIT_{suit.name}": int(suit) for suit in Suit} == dict(pb.Suit.items()[1:])


def test_options_are_written_out_and_all_there() -> None:
    assert [field.name for field in pb.Options.DESCRIPTOR.fields] == list(Options.__struct_fields__)
    assert pb.Options.FromString(CODEC.options(Options())) == pb.Options(
        roles="none", talk="before_vote", leader_wagers=True
    )
    chosen = Options(roles="shady,wired", talk="every_trick", leader_wagers=False)
    assert pb.Options.FromString(CODEC.options(chosen)) == pb.Options(roles="wired,shady", talk="every_trick")


def test_every_action_and_event_is_the_message_of_its_name() -> None:
    for union, holder in ((Action, pb.Action), (Event, pb.Event)):
        fields = holder.DESCRIPTOR.oneofs_by_name["body"].fields
        assert [kind.__name__ for kind in get_args(union)] == [
            field.message_type.name for field in fields if field.message_type
        ]
        for kind in get_args(union):
            names = [field.name for field in getattr(pb, kind.__name__).DESCRIPTOR.fields]
            assert names == list(kind.__struct_fields__), kind


def test_every_action_has_bytes_of_its_own() -> None:
    assert len({CODEC.action(action) for action in ACTIONS}) == len(ACTIONS)


def test_actions_say_what_they_are() -> None:
    said = {action: pb.Action.FromString(CODEC.action(action)) for action in ACTIONS}
    assert said[PARTNERS[0]] == pb.Action(choose_partner=pb.ChoosePartner(partner=0))
    assert said[CHOICES["R3"]] == pb.Action(choose_mission=pb.ChooseMission(mission="R3"))
    assert said[PLAIN[213]] == pb.Action(play_card=pb.PlayCard(card=213))
    assert said[WAGERED[213]] == pb.Action(play_card=pb.PlayCard(card=213, wager=True))
    assert said[SUSPECTS[0]] == pb.Action(suspect=pb.Suspect(suspect=0))
    assert not said[SUSPECTS[None]].suspect.HasField("suspect")
    assert said[VOTES[()]] == pb.Action(vote=pb.Vote())
    assert said[VOTES[1, 1]] == pb.Action(vote=pb.Vote(ballots=[1, 1]))


def test_a_view_of_the_leader_who_looks_at_two_missions() -> None:
    table = Table.dealt(*FOUR, missions=FIRST)
    table.luck(1)
    view = viewed(table, 1)
    assert list(view.looked_at) == [mission("M06"), mission("M20")]
    assert list(view.hand) == list(table.state.hands[1])
    assert (view.seat, view.role, view.trick, view.leader, view.supply) == (1, "agent", 1, 1, 10)
    assert list(view.seats) == [pb.OpenSeat(tokens=1)] * 4
    assert not view.HasField("mission")
    assert not list(viewed(table, 0).looked_at)


def test_a_view_in_a_trick() -> None:
    view = viewed(led(*FOUR), 2)
    assert view.mission == mission("M20")
    assert list(view.laid) == [pb.Laid(card=cards("green 7")[0], wager=True)]
    assert [seat.tokens for seat in view.seats] == [1, 0, 1, 1]
    assert not view.HasField("partner")


def test_only_who_put_a_mission_away_sees_it() -> None:
    table = led(*FOUR)
    assert [list(viewed(table, seat).put_away) for seat in range(4)] == [[], ["M06"], [], []]


def test_a_view_after_tricks_has_their_missions_and_the_open_roles() -> None:
    table = Table.arranged("wired", *FOUR[:3], tokens=(0, 1, 4, 1))
    table.won_by(3, completes=True)
    table.won_by(2)
    view = viewed(table, 3)
    assert (list(view.completed), list(view.failed)) == (["M11"], ["M19"])
    assert [(seat.role, seat.revealed) for seat in view.seats] == [
        ("wired", False),
        ("", False),
        ("agent", True),
        ("", False),
    ]


def test_before_the_first_trick_there_is_no_leader() -> None:
    table = Table.dealt("accomplice", *FOUR[:3], missions=FIRST)
    assert not viewed(table, 0).HasField("leader")
    table.takes_for_partner(1)
    table.luck(0)
    assert viewed(table, 1).HasField("leader")


def test_the_partner_is_told_to_all_and_its_role_to_the_accomplice() -> None:
    table = Table.dealt("accomplice", *FOUR[:3], missions=FIRST)
    table.takes_for_partner(1)
    assert [viewed(table, seat).partner for seat in range(4)] == [1] * 4
    assert [viewed(table, seat).partner_role for seat in range(4)] == ["insider", "", "", ""]
    assert told(table, 0)[0] == pb.Event(chose_partner=pb.ChosePartner(seat=0, partner=1, role="insider"))
    assert told(table, 2)[0] == pb.Event(chose_partner=pb.ChosePartner(seat=0, partner=1))


def test_events_are_written_field_by_field_and_what_is_none_is_unset() -> None:
    assert sent(GotRole(2, None)) == pb.Event(got_role=pb.GotRole(seat=2))
    assert sent(HandedBack(0, 2, 1, 1)) == pb.Event(
        handed_back=pb.HandedBack(seat=0, wagered=2, partner=1, of_partner=1)
    )
    assert sent(Suspected(1, 0)).suspected.HasField("suspect")
    assert not sent(Suspected(1, None)).suspected.HasField("suspect")
    assert sent(ChosePartner(0, 1, None)).chose_partner.role == ""


def test_a_trick_as_the_others_hear_it() -> None:
    table = Table.dealt(*FOUR, missions=FIRST)
    table.luck(1)
    assert told(table, 0) == [
        pb.Event(leader_drawn=pb.LeaderDrawn(seat=1)),
        pb.Event(looked_at=pb.LookedAt(trick=1, seat=1)),
    ]
    assert told(table, 1)[1] == pb.Event(looked_at=pb.LookedAt(trick=1, seat=1, missions=["M06", "M20"]))
    table.reveals("M20")
    assert told(table, 0) == [pb.Event(chose_mission=pb.ChoseMission(seat=1, mission="M20"))]
    assert told(table, 1) == [pb.Event(chose_mission=pb.ChoseMission(seat=1, mission="M20", put_away="M06"))]


# The proto alone is enough for a bot


@pytest.mark.parametrize("name", CONDITIONS)
def test_the_proto_explains_every_condition(name: str) -> None:
    assert re.search(rf"^//   .*\b{name}\b", PROTO, re.MULTILINE)


@pytest.mark.parametrize("id_", ROLES)
def test_the_proto_names_every_role(id_: str) -> None:
    assert f'"{id_}"' in PROTO


@pytest.mark.parametrize("ending", GAME.endings)
def test_the_proto_names_every_ending(ending: str) -> None:
    assert f'"{ending}"' in PROTO


def test_the_proto_has_the_numbers_of_every_table() -> None:
    table = {
        match[1].strip(): match[2].split()
        for match in re.finditer(r"^//   (\D+?) +((?:[\d-]+ *)+)$", PROTO, re.MULTILINE)
    }
    fields = {
        "cards dealt to each": "hand",
        "tricks at most": "tricks",
        "completed missions with which the agents win": "missions",
        "tokens with which a player must reveal, and the Insider wins": "tokens",
    }
    for words, field in fields.items():
        assert table[words] == [str(getattr(SETUPS[seats], field)) for seats in (3, 4, 5)]
    reveals_at = ROLES["prof_no"].reveals_at
    assert reveals_at
    assert table["the same where Prof. No plays"] == ["-", *(str(reveals_at[seats]) for seats in (4, 5))]
