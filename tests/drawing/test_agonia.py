"""Pictures of Agonía: everything that a seat was sent lies where it belongs, and what it may do has its places."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from msgspec.structs import replace

from referee.core.outcome import FAULT, Outcome
from referee.drawing.agonia.counter import coming
from referee.drawing.agonia.drawer import drawer
from referee.drawing.agonia.shapes import CARDS, ENEMIES, FACING, JAM, LOCK, PLANKS_ACROSS, PLANKS_DOWN, TOKENS
from referee.drawing.drawer import Layers, Moment, Question
from referee.drawing.look import PICTURE, SMALL, width_of
from referee.drawing.playback import Playback, ViewerMoment, by_everyone, by_seat
from referee.drawing.svg import markup
from referee.games.agonia.box.board import BOARDS, NOWHERE, Facing, xy
from referee.games.agonia.box.cards import EVENTS, Card, jammed_by
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.position.actions import SearchDeck
from referee.games.agonia.position.agenda import Answer, Trim
from referee.games.agonia.position.events import Exploded, RolledForFirst, Spawned
from referee.games.agonia.position.state import Ending, State
from referee.games.agonia.view import View, view
from tests.drawing.matches import random_match, watched
from tests.games.agonia.scene import Scene, drawn
from tests.games.agonia.table import Player, Table, seated
from tests.golden.tables import TABLES, GoldenTable

AGONIA = TABLES["agonia"]
EVERY_TABLE = [
    pytest.param(it, id=it.name, marks=() if it.name in {"main-2", "secondary-2"} else pytest.mark.slow)
    for it in AGONIA
]
"""A table of each board; make ci-slow has the others."""
every_table = pytest.mark.parametrize("table", EVERY_TABLE)
NAMES = ("first@1", "second@1", "third@1", "fourth@1", "fifth@1")


class Picture:
    """What was drawn, as elements with their corners.

    Attributes:
        all: every element with the point that its coordinates count from.
    """

    def __init__(self, layers: Layers) -> None:
        self.layers = {layer.name: fromstring(f"<g>{markup(layer.inside)}</g>") for layer in layers}  # noqa: S314
        self.all = [found for layer in self.layers.values() for found in _placed(layer, 0, 0)]

    @property
    def texts(self) -> list[str]:
        return [it.text or "" for it, _ in self.all if it.tag == "text"]

    def piece(self, name: str) -> tuple[Element, tuple[float, float]]:
        """The thing with this name, and its corner."""
        ((element, corner),) = ((it, at) for it, at in self.all if it.get("data-piece") == name)
        return element, corner

    def having(self, class_: str) -> list[Element]:
        return [it for it, _ in self.all if class_ in it.get("class", "").split()]

    def standing_for(self, index: int) -> list[Element]:
        return [it for it, _ in self.all if str(index) in it.get("data-actions", "").split()]


def _placed(element: Element, x: float, y: float) -> Iterator[tuple[Element, tuple[float, float]]]:
    moved = re.match(r"translate\((\S+) (\S+?)\)", element.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
    yield element, (x, y)
    for part in element:
        yield from _placed(part, x, y)


def paths(element: Element) -> list[str]:
    return [it.get("d", "") for it in element.iter("path")]


def corner_of(cell: int) -> tuple[float, float]:
    x, y = xy(cell)
    return 24 + 40 * x, 122 + 40 * y


def seen(state: State, events: tuple[Any, ...] = (), outcome: Outcome | None = None, asked: Any = ()) -> Picture:
    """What seat 0 sees."""
    return Picture(
        drawer.for_seat(Moment(state.options, NAMES[: len(state.seats)], None, view(state, 0), events, asked, outcome))
    )


def at_the_table(table: Table | Scene) -> Picture:
    return seen(table.state, table.heard)


def asking(table: Table, chosen: int | None = None) -> Picture:
    """What somebody sees while a seat of the table is asked."""
    return seen(table.state, table.heard, asked=(Question(table.asked, table.actions, chosen),))


@lru_cache(2)
def pictures(table: GoldenTable) -> tuple[tuple[ViewerMoment, View, Picture], ...]:
    """All that everyone and each seat sees of a match of players with long names."""
    played = watched(random_match("agonia", table, 6, tuple(["W" * 50 + "@1"] * table.seats)))
    return tuple((sight, known, Picture(layers)) for sight, known, layers in _sights(played))


def _sights(played: Playback) -> Iterator[tuple[ViewerMoment, View, Layers]]:
    for sight in by_everyone(played):
        yield sight, view(sight.moment.position, 0), drawer.whole(sight.moment)
    for seat in range(played.seats):
        for sight in by_seat(played, seat):
            yield sight, sight.moment.position, drawer.for_seat(sight.moment)


# Whole matches


@every_table
def test_everything_on_the_board_is_drawn_on_its_cell_and_every_action_has_a_place(table: GoldenTable) -> None:
    for sight, known, picture in pictures(table):
        expected = {f"e{it.number}": it.cell for it in known.enemies}
        expected |= {f"p{seat}": own.cell for seat, own in enumerate(known.players) if own.cell != NOWHERE}
        pieces = {it.get("data-piece"): at for it, at in picture.all if it.get("data-piece")}
        assert pieces == {name: corner_of(cell) for name, cell in expected.items()}
        for question in sight.moment.questions:
            places = [picture.standing_for(index) for index in range(len(question.legal))]
            assert all(places)


@every_table
def test_no_words_overlap_or_leave_the_picture_in_any_moment(table: GoldenTable) -> None:
    """The browser tests measure the same with real type; here the widths are upper bounds."""
    size = drawer.size(table.options, table.seats)
    for _, _, picture in pictures(table):
        boxes = [_extent(it, x, y) for it, (x, y) in picture.all if it.tag == "text"]
        for left, right, top, low in boxes:
            assert 0 <= left <= right <= size.width
            assert 0 <= top <= low <= size.height
        for number, (left, right, top, low) in enumerate(boxes):
            for l2, r2, t2, b2 in boxes[number + 1 :]:
                assert right <= l2 or r2 <= left or low <= t2 or b2 <= top


def _extent(text: Element, x: float, y: float) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of a line, without its accents and descenders."""
    classes = text.get("class", "").split()
    size = 24 if "big" in classes else SMALL
    width = width_of(text.text or "", size, bold="bold" in classes or "big" in classes)
    left = x + float(text.get("x", "0"))
    if "mid" in classes or (text.get("x"), text.get("y")) == ("20", "35.5"):  # the number of an enemy
        left -= width / 2
    if "end" in classes:
        left -= width
    base = y + float(text.get("y", "0"))
    return left, left + width, base - 0.75 * size, base


def test_before_the_characters_are_known_there_are_names_and_an_empty_board() -> None:
    first = next(by_everyone(watched(random_match("agonia", AGONIA[3], 1))))
    picture = Picture(drawer.whole(first.moment))
    assert "player-0 v1" in picture.texts
    assert "set-up" in picture.texts
    assert not picture.having("ag-enemy")[8:]  # those of the legend


# The street


def test_no_two_kinds_of_enemies_or_of_tokens_share_a_shape() -> None:
    assert len({*ENEMIES.values()} | {*TOKENS.values()}) == len(ENEMIES) + len(TOKENS) == 8 + 5


@pytest.mark.parametrize(("letter", "kind"), tuple(zip("cfCoajdA", ENEMIES, strict=True)))
def test_an_enemy_is_drawn_by_its_kind_with_its_number(letter: str, kind: Any) -> None:
    enemy, corner = at_the_table(drawn(f"3 ..{letter}.....")).piece("e1")
    assert corner == corner_of(BOARDS["main"].at(2, 3))
    assert paths(enemy) == [ENEMIES[kind]]
    assert [it.text for it in enemy.iter("text")] == ["1"]


@pytest.mark.parametrize("life", [1, 2, 3])
def test_the_life_of_a_strong_enemy_is_a_full_dot_each_and_lost_life_an_empty_one(life: int) -> None:
    scene = drawn("3 ..A.....")
    hurt = replace(scene.state, enemies=(replace(scene.state.enemies[0], life=life),))
    dots = [it.get("class", "") for it in seen(hurt).piece("e1")[0].iter("circle")]
    assert dots == [""] * life + ["ag-gone"] * (3 - life)


def test_an_enemy_that_a_trap_holds_wears_a_lock() -> None:
    scene = drawn("3 ..c.c...", under="3 ..T.....")
    held = replace(scene.state, enemies=(replace(scene.state.enemies[0], held=True), scene.state.enemies[1]))
    assert LOCK in paths(seen(held).piece("e1")[0])
    assert LOCK not in paths(seen(held).piece("e2")[0])


def test_where_lanes_turn_an_enemy_shows_the_way_it_faces() -> None:
    picture = at_the_table(drawn("2 ..c.....c..", board="secondary"))
    shapes = [paths(picture.piece(name)[0])[0] for name in ("e1", "e2")]
    assert shapes == [ENEMIES[EnemyKind.COMUN] + FACING[facing] for facing in (Facing.DOWN, Facing.DOWN)]
    (right,) = paths(at_the_table(drawn("3 .....c.....", board="secondary")).piece("e1")[0])
    assert right == ENEMIES[EnemyKind.COMUN] + FACING[Facing.RIGHT]


@pytest.mark.parametrize(("mark", "kind"), tuple(zip("=BOT~", TOKENS, strict=True)))
def test_a_token_is_drawn_by_its_kind(mark: str, kind: Any) -> None:
    pieces = at_the_table(drawn(f"4 ..{mark}.....")).layers["pieces"]
    assert TOKENS[kind] in paths(pieces)


def test_a_burning_barricade_has_a_flame_for_each_entry_that_is_left() -> None:
    flames = [at_the_table(drawn(f"4 ..{mark}.....")).having("ag-flame")[0].get("d", "") for mark in "21"]
    assert [it.count("M") for it in flames] == [2, 1]
    (double,) = at_the_table(drawn("4 ..{}....")).having("ag-flame")
    assert double.get("d", "").count("M") == 4


def test_a_double_barricade_lies_across_or_down() -> None:
    across, down = "4 ..[]....", "4 ..n.....\n5 ..u....."
    shapes = [paths(at_the_table(drawn(it)).layers["pieces"])[0] for it in (across, down)]
    assert shapes == [PLANKS_ACROSS, PLANKS_DOWN]


def test_the_walkway_joins_its_two_cells() -> None:
    for name, (left, right) in {"main": ((0, 4), (7, 4)), "secondary": ((0, 4), (10, 4))}.items():
        board = BOARDS[name]
        scene = drawn("1 " + "." * board.width, board=board.name)  # type: ignore[arg-type]  # the name of a board
        (way,) = at_the_table(scene).having("ag-walkway")
        ends = [corner_of(board.at(*cell)) for cell in (left, right)]
        assert way.get("d") == f"M{ends[0][0] + 20:.0f} {ends[0][1] + 20:.0f}H{ends[1][0] + 20:.0f}"


# The players


def test_every_card_that_can_be_held_has_a_sign_and_a_name_that_fits() -> None:
    for card in set(Card) - set(EVENTS):
        assert card in CARDS
        picture = at_the_table(seated(Player("vera", (2, 9), hand=[card.name.lower()]), Player("lia", (4, 9))))
        (name,) = (it.text for it in picture.layers["seat-0"][-1].iter("text"))
        assert name
        assert "…" not in name


def test_what_a_player_bears_is_on_the_table_and_what_it_holds_below() -> None:
    vera = Player("vera", (2, 9), ["foso", "granada"], "pistola", ["mira_telescopica"], "zapatillas")
    picture = at_the_table(seated(vera, Player("lia", (4, 9))))
    boxes = [it.get("class") for it in picture.layers["seat-0"].iter("rect")]
    assert boxes == ["ag-turn", "ag-laid", "ag-laid", "face", "face"]
    words = [it.text for it in picture.layers["seat-0"].iter("text")]
    assert words == ["first@1", "Vera, 1st", "pistola", "zapatillas", "granada", "foso"]
    says = [it.text for it in picture.layers["seat-0"].iter("title")]
    assert "mira telescópica (telescopic sight): joins a weapon: range +1" in says


@pytest.mark.parametrize("cards", range(13))
def test_a_hand_of_any_size_has_a_place_for_each_card_that_overlaps_no_other(cards: int) -> None:
    picture = at_the_table(seated(Player("vera", (2, 9), ["foso"] * cards), Player("lia", (4, 9))))
    faces = [
        (x, y, x + float(it.get("width", "0")), y + 28)
        for it, (x, y) in picture.all
        if it.get("class") == "face" and y < float(picture.piece("p0")[1][1]) + 200
    ]
    assert len(faces) == cards
    for number, (left, top, right, low) in enumerate(faces):
        assert 0 <= left < right <= 480
        assert all(right <= l2 or r2 <= left or low <= t2 or b2 <= top for l2, t2, r2, b2 in faces[number + 1 :])


def test_a_jammed_weapon_says_so_and_is_struck_through_and_others_are_not() -> None:
    table = seated(Player("vera", (2, 9), weapon="pistola"), Player("lia", (4, 9), weapon="pistola"))
    jammed = replace(table.state.seats[0], weapon=jammed_by(int(Card.PISTOLA), 1))
    picture = seen(replace(table.state, seats=(jammed, table.state.seats[1])))
    assert picture.texts.count("jammed") == 1
    assert [any(it.endswith(JAM) for it in paths(picture.layers[f"seat-{seat}"])) for seat in (0, 1)] == [True, False]


def test_the_player_who_decides_is_framed_for_everybody() -> None:
    table = seated(Player("vera", (2, 9)), Player("lia", (4, 9)))
    (frame,) = at_the_table(table).having("ag-turn")
    (next_frame,) = at_the_table(table.does("end")).having("ag-turn")
    assert float(frame.get("x", "0")) < float(next_frame.get("x", "0"))


def test_of_players_who_discard_the_first_is_framed() -> None:
    hand = ["foso"] * 5
    trimming = (Trim((1, 0)),)
    table = seated(Player("vera", (2, 9), hand), Player("lia", (4, 9), hand), first=trimming)
    (frame,) = at_the_table(table).having("ag-turn")
    first, second = (at_the_table(table).layers[f"seat-{seat}"].find("text") for seat in (0, 1))
    assert first is not None
    assert second is not None
    assert float(first.get("x", "")) < float(frame.get("x", "")) < float(second.get("x", ""))


def test_a_hostile_name_stays_text_within_its_place() -> None:
    name = "</text><script>alert(1)</script>\u202e" + "W" * 5000
    table = seated(Player("vera", (2, 9)), Player("lia", (4, 9)))
    picture = Picture(
        drawer.for_seat(Moment(table.state.options, (name, "b@1"), None, view(table.state, 0), (), (), None))
    )
    (shown,) = (it for it in picture.texts if it.startswith("</text>"))
    assert width_of(shown, bold=True) <= 196
    assert not [it for it, _ in picture.all if it.tag == "script"]


# What has happened


def test_an_attack_shows_its_die_what_was_needed_and_where_it_hit_or_missed() -> None:
    street = "6 ..c.....\n"
    for die, judged, mark, other in ((6, "3+ hit", "ag-hit", "ag-miss"), (1, "3+ miss", "ag-miss", "ag-hit")):
        table = seated(Player("vera", (2, 9), weapon="pistola"), Player("lia", (4, 9)), street=street)
        picture = at_the_table(table.does("shoot 1", die))
        assert {"#1", judged} <= set(picture.texts)
        assert [it.get("d", "").count("h0") for it in picture.having("ag-pips")] == [die]
        (star,) = picture.having(mark)
        assert star.get("d", "").startswith(f"M{24 + 2 * 40 + 20} {122 + 6 * 40 + 20}m")
        assert not picture.having(other)
        assert bool(picture.having("ag-death")) == (die == 6)


def test_enemies_that_appear_show_their_dice_and_where() -> None:
    scene = drawn("0 ..c..c..")
    arrived = tuple(Spawned(it.number, it.kind, it.cell, xy(it.cell)[0]) for it in scene.state.enemies)
    picture = seen(scene.state, arrived)
    assert [it.get("d", "").count("h0") for it in picture.having("ag-pips")] == [2, 5]
    assert {"c0", "f0"} <= set(picture.texts)
    assert len(picture.having("ag-new")) == 2


def test_rolls_for_the_first_turn_stand_above_the_marks_of_their_seats() -> None:
    state = drawn("").state
    picture = seen(state, (RolledForFirst((0, 1), (3, 6)),))
    assert [it.get("d", "").count("h0") for it in picture.having("ag-pips")] == [3, 6]


def test_an_explosion_covers_the_neighbours_of_the_barrel() -> None:
    state = drawn("").state
    cell = BOARDS["main"].at(3, 4)
    (blast,) = seen(state, (Exploded(cell),)).having("ag-hit")
    assert blast.get("d", "").startswith(f"M{24 + 3 * 40 + 20} {122 + 4 * 40 + 20}m-58-58")


def test_an_offer_shows_both_cards_and_two_buttons_to_the_partner() -> None:
    table = seated(Player("vera", (2, 9), ["foso"]), Player("lia", (3, 9), ["granada"]))
    table.does(next(it for it in table.may() if "foso" in it and "granada" in it))
    assert isinstance(view(table.state, 0).asked, Answer)
    picture = asking(table, 0)
    assert {"accept", "refuse"} <= set(picture.texts)
    assert {"foso", "granada"} <= {it.text for it in picture.layers["happened"].iter("text")}
    (accept,), (refuse,) = picture.standing_for(0), picture.standing_for(1)
    assert (accept.get("class"), refuse.get("class")) == ("ag-button chosen", "ag-button")


# The counter


def test_the_counter_stands_on_its_cell_of_a_track_of_any_length() -> None:
    for last in (3, 10, 30):
        for counter in {1, last // 2, last}:
            state = replace(drawn("").state, last=last, counter=counter)
            picture = seen(state)
            (here,) = picture.having("ag-now")
            left, width = float(here.get("x", "0")), float(here.get("width", "0"))
            middle = 8 + (counter - 0.5) * 464 / last
            assert left <= middle <= left + width
            assert left >= 8
            assert left + width <= 472.1
            assert str(counter) in picture.texts


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (Ending.VICTORY, "All win: no enemy is left"),
        (Ending.ENTRANCE, "All lose: an enemy is in the entrance"),
        (Ending.SIEGE, "All lose: the siege has lasted too long"),
        (FAULT, "Ended by a player's fault"),
    ],
)
def test_the_end_says_who_wins_and_why(ending: str, words: str) -> None:
    places = (1, 1) if ending == Ending.VICTORY else (2, 2)
    picture = seen(drawn("").state, outcome=Outcome(ending, places, ()))
    assert words in picture.texts
    assert bool(picture.having("ag-won")) == (ending == Ending.VICTORY)
    assert bool(picture.having("ag-defeat")) == (ending != Ending.VICTORY)
    assert words not in seen(drawn("").state).texts


def test_what_holds_for_the_round_is_said() -> None:
    state = drawn("").state
    for changes, words in (
        ({"calm": True}, "calm: no more enemies"),
        ({"stampedes": 2}, "stampede +2"),
        ({"rounds_on_last": 3}, "siege 3 of 30"),
    ):
        assert words in seen(replace(state, **changes)).texts
        assert words not in seen(state).texts


def test_an_enemy_in_the_entrance_is_framed() -> None:
    (frame,) = at_the_table(drawn("7 ..c.....\n8 .....f..")).having("ag-death")
    assert frame.get("d", "").startswith(f"M{24 + 5 * 40 + 20} {122 + 8 * 40 + 20}m")


def test_the_next_card_and_the_next_enemy_are_never_cut() -> None:
    tops = [(card, EnemyKind.CORPULENTO) for card in Card] + [(Card.RIFLE_DE_FRANCOTIRADOR, kind) for kind in EnemyKind]
    for card, kind in tops:
        lines = [markup(it) for it in coming(replace(drawn("").state, deck=(int(card),), pile=(kind,)))]
        assert ", next enemy " in lines[0]
        assert "…" not in lines[0]


def test_who_sees_everything_sees_both_piles_in_their_order_and_a_seat_does_not() -> None:
    state = seated(Player("vera", (2, 9)), Player("lia", (4, 9)), deck=["granada", "foso", "cepo"]).state
    whole = Picture(drawer.whole(Moment(state.options, NAMES[:2], None, state, (), (), None)))
    assert "granada, foso, cepo" in [it.text for it in whole.layers["counter"].iter("title")]
    turned = replace(state, deck=state.deck[::-1])
    assert Picture(drawer.whole(Moment(state.options, NAMES[:2], None, turned, (), (), None))).texts != whole.texts
    assert drawer.for_seat(Moment(state.options, NAMES[:2], None, view(state, 0), (), (), None)) == drawer.for_seat(
        Moment(state.options, NAMES[:2], None, view(turned, 0), (), (), None)
    )


# What may be done


def test_a_card_and_a_cell_stand_for_throwing_it_there_and_are_marked_if_chosen() -> None:
    table = seated(Player("vera", (2, 9), ["granada"]), Player("lia", (4, 9)))
    index = next(number for number, action in enumerate(table.actions) if type(action).__name__ == "Throw")
    places = asking(table, index).standing_for(index)
    assert sorted(it.get("class", "") for it in places) == ["ag-aim chosen", "ag-use chosen"]
    assert sorted(it.get("class", "") for it in asking(table).standing_for(index)) == ["ag-aim", "ag-use"]


def test_a_line_to_shoot_along_is_an_arrow_away_from_the_player() -> None:
    table = seated(Player("lia", (3, 9), weapon="escopeta"), Player("vera", (5, 9)), street="7 ...c....\n")
    (index,) = (number for number, action in enumerate(table.actions) if type(action).__name__ == "ShootLine")
    (arrow,) = asking(table).standing_for(index)
    assert arrow.get("d", "").startswith("M164 482L164 468")


def test_of_equal_cards_the_first_stands_for_all() -> None:
    table = seated(Player("vera", (2, 9), ["foso", "foso"]), Player("lia", (4, 9)))
    assert len(asking(table).having("ag-use")) == 2  # one card, and the deck


def test_each_different_card_over_the_limit_stands_for_discarding_it() -> None:
    vera = Player("vera", (2, 9), ["granada", "barricada", "barricada", "foso", "cepo"])
    picture = asking(seated(vera, Player("lia", (4, 9)), first=(Trim((0,)),)))
    cards = [at for it, at in picture.all if it.get("class") == "face"]
    places = [(float(it.get("x", "")), float(it.get("y", ""))) for it in picture.having("ag-use")]
    assert places == [*cards[:2], *cards[3:]]


def test_the_deck_stands_for_searching() -> None:
    table = seated(Player("vera", (2, 9)), Player("lia", (4, 9)))
    (search,) = (number for number, action in enumerate(table.actions) if isinstance(action, SearchDeck))
    (deck,) = asking(table).standing_for(search)
    (name,) = (it for it, _ in at_the_table(table).all if it.text == "deck")
    assert float(deck.get("x", "")) < float(name.get("x", "")) < float(deck.get("x", "")) + 80


def test_every_class_that_is_drawn_has_a_rule() -> None:
    ruled = set(re.findall(r"\.([a-z][\w-]*)", drawer.style + PICTURE))
    used = {
        name for _, _, picture in pictures(AGONIA[4]) for it, _ in picture.all for name in it.get("class", "").split()
    }
    assert used <= ruled | {"chosen", "ag-token"}
