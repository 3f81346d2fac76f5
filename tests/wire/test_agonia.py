"""Agonía on the wire."""

from random import Random
from typing import get_args

import pytest
from referee_bot.v1 import agonia_pb2 as pb
from referee_bot.v1 import bot_pb2

from referee.check.random_play import ChoiceStep, anyhow, walk
from referee.games.agonia.box.board import Direction, Facing
from referee.games.agonia.box.cards import Card, jammed_by, turn_begins
from referee.games.agonia.box.characters import BY_NAME, Character
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.box.tokens import TokenKind
from referee.games.agonia.position import actions, agenda, events
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import Enemy, SeatState, Token
from referee.games.agonia.view import PendingStep, View, view
from referee.wire.agonia import entry
from tests.games.agonia.table import Player, seated

CODEC, GAME = entry.codec, entry.game
MARTA = SeatState(
    Character.MARTA, 145, (int(Card.GRANADA), int(Card.FOSO)), int(Card.PISTOLA), (int(Card.MIRA_TELESCOPICA),)
)
BARE = SeatState(Character.LIA, 146)
MEBIBYTE = 1 << 20


def seen(**fields: object) -> View:
    """A view that has only the given fields."""
    nothing: dict[str, object] = dict.fromkeys(View.__struct_fields__, 0)
    nothing |= dict.fromkeys(("order", "players", "enemies", "tokens", "discards", "dead"), ())
    return View(**(nothing | {"board": "", "active": None, "asked": None, "calm": False} | fields))  # type: ignore[arg-type]


def sent(**fields: object) -> pb.View:
    return pb.View.FromString(CODEC.view(seen(**fields)))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Card, pb.Card),
        (Character, pb.Character),
        (EnemyKind, pb.EnemyKind),
        (TokenKind, pb.TokenKind),
        (Facing, pb.Facing),
        (Direction, pb.Direction),
    ],
)
def test_names_have_the_numbers_of_the_proto(ours: type, theirs: object) -> None:
    prefix = theirs.keys()[0].removesuffix("UNSPECIFIED")  # type: ignore[attr-defined]  # of any enum
    assert {f"{prefix}{it.name}": int(it) for it in ours} == dict(theirs.items()[1:])  # type: ignore[attr-defined]


def test_options_are_written_out_and_rounds_that_are_usual_left_unset() -> None:
    usual = pb.Options.FromString(CODEC.options(Options()))
    assert usual == pb.Options(board="main", characters="drawn")
    assert not usual.HasField("rounds")
    chosen = Options(board="secondary", rounds=3, characters="vera,lia")
    assert pb.Options.FromString(CODEC.options(chosen)) == pb.Options(
        board="secondary", rounds=3, characters="vera,lia"
    )
    assert [field.name for field in pb.Options.DESCRIPTOR.fields] == list(Options.__struct_fields__)


@pytest.mark.parametrize(
    ("union", "holder", "oneof"),
    [(actions.Action, pb.Action, "body"), (events.Event, pb.Event, "body"), (PendingStep, pb.View, "asked")],
)
def test_every_action_and_event_and_whatever_is_asked_is_the_message_of_its_name(
    union: object, holder: type[pb.View], oneof: str
) -> None:
    fields = holder.DESCRIPTOR.oneofs_by_name[oneof].fields
    assert {kind.__name__ for kind in get_args(union)} == {
        field.message_type.name for field in fields if field.message_type
    }
    for kind in get_args(union):
        names = [field.name for field in getattr(pb, kind.__name__).DESCRIPTOR.fields]
        assert names == list(kind.__struct_fields__), kind


@pytest.mark.parametrize(("ours", "theirs"), [(Enemy, pb.Enemy), (Token, pb.Token), (SeatState, pb.Player)])
def test_what_is_on_the_table_has_a_field_for_everything(ours: type[Enemy], theirs: type[pb.Enemy]) -> None:
    assert {field.name for field in theirs.DESCRIPTOR.fields} == set(ours.__struct_fields__)


def test_a_view_has_a_field_for_everything() -> None:
    names = {field.name for field in pb.View.DESCRIPTOR.fields}
    asked = {field.name for field in pb.View.DESCRIPTOR.oneofs_by_name["asked"].fields}
    assert names - asked == set(View.__struct_fields__) - {"asked", "seats"} | {"players"}


def test_a_player_lies_open_and_what_there_is_none_of_is_unset() -> None:
    marta, lia = sent(players=(MARTA, BARE)).players
    assert marta == pb.Player(
        character=pb.CHARACTER_MARTA,
        cell=145,
        hand=[pb.Held(card=pb.CARD_GRANADA), pb.Held(card=pb.CARD_FOSO)],
        weapon=pb.Held(card=pb.CARD_PISTOLA),
        joined=[pb.Held(card=pb.CARD_MIRA_TELESCOPICA)],
    )
    assert not lia.HasField("weapon")
    assert not lia.HasField("equipment")


def test_enemies_and_tokens_come_in_their_order_with_all_that_is_known_of_them() -> None:
    enemies = (Enemy(7, EnemyKind.ARRASADOR, 35, 2, Facing.RIGHT, held=True, aside=2), Enemy(3, EnemyKind.COMUN, 18, 1))
    tokens = (Token((52, 53), TokenKind.BARRICADA_DOBLE, fire=1), Token((70,), TokenKind.FOSO))
    view = sent(enemies=enemies, tokens=tokens)
    assert list(view.enemies) == [
        pb.Enemy(number=7, kind=pb.ENEMY_KIND_ARRASADOR, cell=35, life=2, facing=pb.FACING_RIGHT, held=True, aside=2),
        pb.Enemy(number=3, kind=pb.ENEMY_KIND_COMUN, cell=18, life=1, facing=pb.FACING_DOWN),
    ]
    assert list(view.tokens) == [
        pb.Token(cells=[52, 53], kind=pb.TOKEN_KIND_BARRICADA_DOBLE, fire=1),
        pb.Token(cells=[70], kind=pb.TOKEN_KIND_FOSO),
    ]


def test_the_rest_of_a_view() -> None:
    view = sent(
        seat=1,
        board="main",
        round=4,
        counter=3,
        last=10,
        order=(1, 0),
        active=0,
        asked=agenda.Turn(0, acted=True),
        deck_count=30,
        discards=(int(Card.HORDA),),
        pile_count=12,
        dead=(EnemyKind.COMUN, EnemyKind.OSEO),
        killed=5,
        calm=True,
        stampedes=1,
        rounds_on_last=4,
    )
    assert view == pb.View(
        seat=1,
        board="main",
        round=4,
        counter=3,
        last=10,
        order=[1, 0],
        active=0,
        turn=pb.Turn(seat=0, acted=True),
        deck_count=30,
        discards=[pb.Held(card=pb.CARD_HORDA)],
        pile_count=12,
        dead=[pb.ENEMY_KIND_COMUN, pb.ENEMY_KIND_OSEO],
        killed=5,
        calm=True,
        stampedes=1,
        rounds_on_last=4,
    )
    assert view.HasField("active")
    assert not sent().HasField("active")


def test_a_jammed_card_says_by_whom_and_for_how_long() -> None:
    """AG-56."""
    waiting = jammed_by(int(Card.REVOLVER), 0)
    ending = turn_begins(jammed_by(waiting, 3), 3)
    held = pb.Action.FromString(CODEC.action(actions.equip(ending))).equip.card
    assert held == pb.Held(card=pb.CARD_REVOLVER, jams=[pb.Jam(drawer=0), pb.Jam(drawer=3, ending=True)])
    assert CODEC.action(actions.equip(waiting)) != CODEC.action(actions.equip(int(Card.REVOLVER)))


def test_an_exchange_leaves_unset_what_is_not_part_of_it() -> None:
    action = pb.Action.FromString(CODEC.action(actions.exchange(2, None, int(Card.FOSO))))
    assert action == pb.Action(exchange=pb.Exchange(partner=2, takes=pb.Held(card=pb.CARD_FOSO)))
    assert not action.exchange.HasField("gives")


def test_a_choice_is_told_with_its_action() -> None:
    told = pb.Event.FromString(CODEC.event(events.Acted(1, actions.throw(int(Card.GRANADA), 52))))
    throw = pb.Throw(card=pb.Held(card=pb.CARD_GRANADA), cell=52)
    assert told == pb.Event(acted=pb.Acted(seat=1, action=pb.Action(throw=throw)))


def test_a_hit_that_cannot_fail_is_told_as_it_is() -> None:
    told = pb.Event.FromString(CODEC.event(events.Rolled(4, die=1, needed=-1, again=False)))
    assert told == pb.Event(rolled=pb.Rolled(enemy=4, die=1, needed=-1))


def test_equal_views_give_equal_bytes_whatever_was_sent_between() -> None:
    steps = [step for step in walk(GAME, Options(), 4, anyhow, Random(2)) if isinstance(step, ChoiceStep)]
    first = [CODEC.view(view(step.before, 0)) for step in steps]
    assert [CODEC.view(view(step.before, 0)) for step in reversed(steps)] == first[::-1]


def test_the_largest_decision_is_far_below_a_mebibyte() -> None:
    """Players side by side, with hands that are as full and as different as possible."""
    hand = ("bomba_casera", "coctel_molotov", "granada", "barricada", "barricada_doble")
    others = ("foso", "cepo", "bote_de_aceite", "barril_explosivo", "pistola")
    at = [(0, 6), (0, 5), (0, 7), (0, 4), (0, 8)]  # walkway and all
    table = seated(
        *(Player(name, xy, others if seat else hand) for seat, (name, xy) in enumerate(zip(BY_NAME, at, strict=True)))
    )
    position, legal = table.state, table.actions
    heard = [event for step in walk(GAME, Options(), 5, anyhow, Random(1)) for event in step.events]
    decision = bot_pb2.Decision(
        view=CODEC.view(view(position, 0)),
        legal=[CODEC.action(action) for action in legal],
        events=[CODEC.event(event) for event in heard],  # of a whole match
    )
    assert len(legal) > 150
    assert len(decision.SerializeToString()) < MEBIBYTE / 16
