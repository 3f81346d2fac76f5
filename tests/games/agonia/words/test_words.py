"""Actions, events and views in words."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from referee.games.agonia.box.board import BOARDS, Direction, Facing
from referee.games.agonia.box.cards import Card, jammed_by, turn_begins
from referee.games.agonia.box.characters import Character
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.box.tokens import TokenKind
from referee.games.agonia.position import actions, events
from referee.games.agonia.position.actions import Action
from referee.games.agonia.position.events import Event, Rolled
from referee.games.agonia.position.state import Ending, Enemy, Token
from referee.games.agonia.view import view
from referee.games.agonia.words.describe import card_name, cell_name, describe, describe_action
from referee.games.agonia.words.picture import describe_view
from tests.games.agonia.table import Player, Table, seated

GRANADA, FOSO = int(Card.GRANADA), int(Card.FOSO)

# Two possible values of each field, by its name.
VALUES: dict[str, tuple[Any, Any]] = {
    "accept": (True, False),
    "action": (actions.go(17), actions.SEARCH),
    "acts": (True, False),
    "again": (True, False),
    "card": (GRANADA, FOSO),
    "cards": ((GRANADA,), (FOSO,)),
    "cell": (17, 36),
    "cells": ((17,), (36, 37)),
    "characters": ((Character.VERA, Character.LIA), (Character.LIA, Character.VERA)),
    "counter": (2, 3),
    "dice": ((1, 6), (2, 3)),
    "die": (4, 5),
    "direction": (Direction.UP, Direction.DOWN_LEFT),
    "eaten": (8, 9),
    "ending": (Ending.ENTRANCE, Ending.SIEGE),
    "enemy": (3, 11),
    "events": ((), (int(Card.HORDA),)),
    "facing": (Facing.DOWN, Facing.RIGHT),
    "fire": (2, 1),
    "gave": (None, FOSO),
    "gives": (None, FOSO),
    "kind": (1, 2),
    "life": (1, 2),
    "needed": (2, 3),
    "order": ((0, 1), (1, 0)),
    "partner": (1, 2),
    "round": (2, 3),
    "seat": (0, 3),
    "seats": ((0, 1), (1, 2)),
    "takes": (GRANADA, FOSO),
    "tokens": (5, 6),
    "took": (GRANADA, FOSO),
}
PARTICULAR = {("Reshuffled", "cards"): (12, 13), ("OrderSet", "cells"): ((), ())}
IMPLIED = {("Ended", "won"), ("OrderSet", "cells")}  # by the ending; always empty


def values(kind: type, field: str) -> tuple[Any, Any]:
    if field == "kind":
        kinds = TokenKind if kind in (events.Laid, events.Removed) else EnemyKind
        return kinds(1), kinds(2)
    return PARTICULAR.get((kind.__name__, field)) or VALUES.get(field, (True, False))


def example(kind: type) -> Any:
    return kind(**{field: values(kind, field)[0] for field in kind.__struct_fields__})  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [*get_args(Event), *get_args(Action)])
def test_words_tell_all_that_an_event_or_an_action_holds(kind: type) -> None:
    say = describe if kind in get_args(Event) else describe_action
    said = say(example(kind))
    for field in kind.__struct_fields__:  # type: ignore[attr-defined]  # a Struct
        if (kind.__name__, field) not in IMPLIED:
            assert say(replace(example(kind), **{field: values(kind, field)[1]})) != said, field


def test_no_two_kinds_of_event_or_action_sound_alike() -> None:
    for union, say in ((Event, describe), (Action, describe_action)):
        said = [say(example(kind)) for kind in get_args(union)]
        assert len(set(said)) == len(said)


def test_a_cell_is_called_by_its_column_and_row() -> None:
    assert cell_name(BOARDS["main"].at(2, 4)) == cell_name(BOARDS["secondary"].at(2, 4)) == "c4"


def test_a_roll_says_whether_it_was_a_hit() -> None:
    assert describe(Rolled(3, die=2, needed=2, again=False)) == "attack on #3: rolled 2, 2 needed: hit"
    assert describe(Rolled(3, die=1, needed=2, again=True)) == "attack again on #3: rolled 1, 2 needed: miss"


def test_ag_56_a_jammed_card_says_how_long() -> None:
    waiting = jammed_by(int(Card.REVOLVER), 2)
    assert card_name(waiting) == "revólver (jammed until seat 2's next turn ends)"
    assert card_name(turn_begins(waiting, 2)) == "revólver (jammed until seat 2's turn ends)"


def drawn(table: Table) -> list[str]:
    return describe_view(view(table.state, 0)).splitlines()


def on_the_street() -> Table:
    table = seated(
        Player("vera", (2, 8), ["foso"], "pistola", ["mira_telescopica"], "honda"),
        Player("lia", (10, 4)),
        board="secondary",
    )
    at = BOARDS["secondary"].at
    enemies = (
        Enemy(12, EnemyKind.ARRASADOR, at(4, 3), 2, Facing.RIGHT),
        Enemy(3, EnemyKind.COMUN, at(2, 2), 1, held=True),
        Enemy(5, EnemyKind.COMUN, at(3, 2), 1, aside=2),
    )
    tokens = (
        Token((at(2, 2),), TokenKind.CEPO),
        Token((at(6, 2), at(7, 2)), TokenKind.BARRICADA_DOBLE),
        Token((at(4, 3),), TokenKind.BARRICADA, fire=1),
        Token((at(6, 4),), TokenKind.BARRICADA, fire=2),
    )
    return table.having(
        enemies=enemies, tokens=tokens, dead=(EnemyKind.COMUN, EnemyKind.COMUN, EnemyKind.OSEO), killed=3
    )


def test_a_view_draws_the_board_and_says_what_lies_beside_it() -> None:
    assert drawn(on_the_street()) == [
        "round 2, counter 2 of 10; turn order 0 1",
        "   a     b     c     d     e     f     g     h     i     j     k",
        "0        S     S     S     S     S     S",
        "1  _     .     .     .     .     .     >     .     .     v     _",
        "2  _     .     c3T   c5    .     >     ==    ==    v     .     _",
        "3  _     .     .     .     A12*  .     .     v     .     .     _",
        "4  _     .     .     >     .     .     =*2   .     .     .     [1]",
        "5  _     .     >     .     .     v     .     .     .     .     _",
        "6  _     >     .     .     v     .     .     .     .     .     _",
        "7  _                       E     E     E     E     E     E     _",
        "8  _     _     [0]   _     _     _     _     _     _     _     _",
        "común: c3 on c2 (held), c5 on d2 (the other side first)",
        "arrasador: A12 on e3> (life 2)",
        "= barricada: e3 burns, 1 left, g4 burns, 2 left",
        "== barricada doble: g2+h2",
        "T cepo: c2",
        "[0] Vera on c8: pistola with mira telescópica, wears honda; in hand: foso",
        "[1] Lía on k4: nothing; in hand: nothing",
        "deck 9; discards: nothing",
        "pile 24; dead: 2 común, óseo; killed 3",
        "seat 0: a turn",
    ]


def test_on_the_main_board_where_no_lane_turns_no_arrow_is_drawn() -> None:
    lines = drawn(seated(Player("vera", (2, 9)), Player("lia", (3, 9))))
    assert lines[3] == "1  _     .     .     .     .     .     .     _"


def test_a_view_fits_into_80_columns_with_an_indent_of_two() -> None:
    hand = ["rifle_de_francotirador", "municion_perforante", "mira_telescopica", "barricada_doble"]
    wide = seated(Player("vera", (2, 9), hand, "lanzallamas"), Player("lia", (3, 9), hand), discards=hand)
    assert max(map(len, drawn(wide))) <= 78
    assert drawn(wide)[-5][:4] == "    "


def test_what_changes_a_round_is_said_at_the_top() -> None:
    table = on_the_street().having(calm=True, stampedes=1)
    assert " ".join(line.strip() for line in drawn(table)[:2]) == (
        "round 2, counter 2 of 10; turn order 0 1; no enemy appears any more in this round; enemies move 1 more"
    )


def test_ag_41_how_long_the_counter_has_stood_on_its_last_cell_is_said_at_the_top() -> None:
    table = on_the_street().having(round=14, counter=10, rounds_on_last=5)
    assert drawn(table)[0] == "round 14, counter 10 of 10 (round 5 of 30 there); turn order 0 1"


def asked(table: Table) -> str:
    return drawn(table)[-1]


def test_the_last_line_says_what_is_asked() -> None:
    near = [Player("bruno", (2, 9), ["granada"], "subfusil"), Player("lia", (3, 9), ["foso"])]
    table = seated(*near, street="7 ...cc...", deck=["pistola", "foso"], turns=[0])
    assert asked(table.does("offer 1 granada for foso")) == "seat 1: whether to give seat 0 foso for granada"
    table = seated(*near, street="7 ...cc...", deck=["pistola", "foso"], turns=[0])
    assert asked(table.does("shoot 1", 1)) == "seat 0: the second target"
    assert asked(table.does("shoot 1", 1)) == "seat 0: free cards, or the end of the turn"
    table = seated(*near, deck=["pistola", "foso"], turns=[0]).does("search")
    assert asked(table) == "seat 0: what to equip of pistola, foso"
    full = seated(Player("lia", (2, 9), ["foso"] * 3), near[0], deck=["cepo", "cepo"], turns=[0])
    assert asked(full.does("search")) == "down to the limit of the hand, in this order: seat 0"
