"""Attacks of players: weapons, lines and area cards. AG-03, AG-10, AG-47, AG-49, AG-50, AG-58."""

import pytest

from referee.games.agonia.position.events import Died, Exploded, Laid, Removed, Rolled
from tests.games.agonia.scene import XY
from tests.games.agonia.table import Player, Table, seated

OTHER = Player("marta", (7, 1))


def armed(weapon: str, street: str, *joined: str, character: str = "vera", at: XY = (3, 9), under: str = "") -> Table:
    """The first of two players is to act."""
    return seated(Player(character, at, (), weapon, joined), OTHER, street=street, under=under)


def reach(weapon: str, *joined: str, character: str = "vera") -> list[int]:
    """The distances at which a barrel in the same column can be shot."""
    found = []
    for y in range(7, 0, -1):
        table = armed(weapon, f"{y} ...B....", *joined, character=character)
        found += [9 - y] if table.may("shoot barrel") else []
    return found


# The weapons

RANGES = {
    "pistola": [2, 3],
    "revolver": [2, 3],
    "subfusil": [2, 3],
    "rifle_de_caza": [2, 3, 4, 5],
    "rifle_de_francotirador": [2, 3, 4, 5, 6, 7],
    "ballesta": [2, 3, 4],
}


@pytest.mark.parametrize("weapon", RANGES)
def test_each_weapon_reaches_as_far_as_the_table_of_cards_says(weapon: str) -> None:
    assert reach(weapon) == RANGES[weapon]


@pytest.mark.parametrize(
    ("weapon", "needed"),
    [
        ("pistola", 4),
        ("revolver", 3),
        ("subfusil", 4),
        ("rifle_de_caza", 3),
        ("rifle_de_francotirador", 2),
        ("ballesta", 3),
    ],
)
def test_ag_10_the_damage_of_a_weapon_is_added_to_the_die(weapon: str, needed: int) -> None:
    assert armed(weapon, "7 ...C....").does("shoot 1", 1).needed == [needed]


@pytest.mark.parametrize(("weapon", "needed", "cells"), [("escopeta", 2, [7]), ("lanzallamas", 2, [6, 7])])
def test_each_line_reaches_as_far_and_hits_as_hard_as_the_table_of_cards_says(
    weapon: str, needed: int, cells: list[int]
) -> None:
    for y in range(4, 8):
        table = armed(weapon, f"{y} ...C....")
        assert table.may("shoot") == (["shoot up"] if y in cells else [])
        if y in cells:
            assert table.does("shoot up", 1).needed == [needed]


def test_ag_03_range_counts_diagonals_and_nothing_stands_in_the_way() -> None:
    assert armed("pistola", "6 ......c.\n7 ...[].=.").may("shoot") == ["shoot 1"]
    assert armed("pistola", "6 ......c.", at=(2, 9)).may("shoot") == []


def test_the_francotirador_does_not_shoot_at_neighbours() -> None:
    assert armed("rifle_de_francotirador", "5 .cc.....", at=(0, 5)).may("shoot") == ["shoot 2"]
    assert armed("rifle_de_francotirador", "5 .B......", at=(0, 5)).may("shoot") == []
    assert armed("pistola", "5 .cc.....", at=(0, 5)).may("shoot") == ["shoot 1", "shoot 2"]


def test_without_a_weapon_nobody_shoots() -> None:
    table = seated(Player("vera", (3, 9)), OTHER, street="7 ...c....")
    assert table.may("shoot") == []


def test_ag_58_a_shot_needs_an_enemy_or_the_barrel_in_range() -> None:
    assert armed("pistola", "7 .=.O.T..").may("shoot") == []
    assert armed("pistola", "6 ..cB....").may("shoot") == ["shoot 1", "shoot barrel"]


def test_enemies_to_shoot_at_come_in_the_order_in_which_they_would_move() -> None:
    table = armed("pistola", "6 ..c.c...\n7 .....c..")
    assert table.may("shoot") == ["shoot 3", "shoot 1", "shoot 2"]


def test_ag_10_a_shot_that_hits_takes_a_life() -> None:
    assert armed("pistola", "7 ...c....").does("shoot 1", 3).enemies == []
    assert armed("pistola", "7 ...c....").does("shoot 1", 2).enemies == [1]


def test_ag_36_a_shot_at_the_barrel_explodes_it_without_a_roll() -> None:
    table = armed("pistola", "6 ..cB....").does("shoot barrel", 1)
    assert (table.needed, len(table.of(Exploded)), table.tokens) == ([1], 1, {})


# The subfusil


def test_ag_58_the_second_target_is_chosen_after_the_first_result() -> None:
    table = armed("subfusil", "6 ...cc...").does("shoot 1", 3)
    assert (table.asked, table.enemies) == (0, [2])
    assert table.may() == ["shoot 2"]
    assert table.does("shoot 2", 1).asked == 1


def test_ag_58_it_may_be_the_same() -> None:
    table = armed("subfusil", "6 ...Cc...").does("shoot 1", 6)
    assert table.does("shoot 1", 6).enemies == [2]


def test_ag_58_it_lapses_without_a_target() -> None:
    assert armed("subfusil", "3 ..c.....\n6 ...c....").does("shoot 2", 6).asked == 1


def test_ag_58_after_a_barrel_or_at_one() -> None:
    table = armed("subfusil", "6 .C..B...\n7 .....C..").does("shoot barrel", 6)
    assert table.may() == ["shoot 2", "shoot 1"]
    assert armed("subfusil", "6 ..c.B...").does("shoot 1", 6).may() == ["shoot barrel"]


def test_the_second_attack_is_not_followed_by_a_third() -> None:
    table = armed("subfusil", "6 ...CC...").does("shoot 1", 1).does("shoot 1", 1)
    assert table.asked == 1


# What joins a weapon, and who holds it


def test_a_mira_adds_1_to_the_range() -> None:
    assert reach("pistola", "mira_telescopica") == [2, 3, 4]
    assert reach("rifle_de_francotirador", "mira_telescopica") == [2, 3, 4, 5, 6, 7, 8]


def test_a_municion_adds_1_to_the_damage() -> None:
    assert armed("pistola", "7 ...C....", "municion_perforante").does("shoot 1", 1).needed == [3]
    assert reach("pistola", "municion_perforante") == [2, 3]


def test_both_may_be_joined_to_one_weapon() -> None:
    table = armed("revolver", "5 ...C....", "mira_telescopica", "municion_perforante").does("shoot 1", 1)
    assert table.needed == [2]


def test_a_municion_counts_for_both_attacks_of_a_subfusil() -> None:
    table = armed("subfusil", "7 ...C....", "municion_perforante").does("shoot 1", 1)
    assert table.needed == [3]
    assert table.does("shoot 1", 1).needed == [3]


@pytest.mark.parametrize("weapon", [weapon for weapon in RANGES if weapon != "ballesta"])
def test_ismael_shoots_firearms_1_farther(weapon: str) -> None:
    longer = [*RANGES[weapon], RANGES[weapon][-1] + 1]
    assert reach(weapon, character="ismael") == longer


def test_ismael_does_not_shoot_the_ballesta_farther_nor_along_longer_lines() -> None:
    assert reach("ballesta", character="ismael") == RANGES["ballesta"]
    assert armed("escopeta", "6 ...c....", character="ismael").may("shoot") == []
    assert armed("lanzallamas", "5 ...c....", character="ismael").may("shoot") == []


def test_ismael_with_a_mira_has_both() -> None:
    assert reach("pistola", "mira_telescopica", character="ismael") == [2, 3, 4, 5]


# Lines


def test_ag_49_a_line_needs_an_enemy_a_barricade_or_the_barrel_in_it() -> None:
    assert armed("escopeta", "7 ...c....").may("shoot") == ["shoot up"]
    assert armed("escopeta", "7 .=...B..").may("shoot") == ["shoot up_right", "shoot up_left"]
    assert armed("escopeta", "7 .2......").may("shoot") == ["shoot up_left"]
    assert armed("escopeta", "7 .O.T.~..").may("shoot") == []


@pytest.mark.parametrize(
    ("at", "direction", "cell"),
    [
        ((0, 4), "up_right", (2, 2)),
        ((0, 4), "right", (2, 4)),
        ((0, 4), "down_right", (2, 6)),
        ((7, 4), "down_left", (5, 6)),
        ((7, 4), "left", (5, 4)),
        ((7, 4), "up_left", (5, 2)),
        ((3, 9), "up", (3, 7)),
    ],
)
def test_a_line_runs_straight_in_one_of_eight_directions(
    at: tuple[int, int], direction: str, cell: tuple[int, int]
) -> None:
    x, y = cell
    row = "." * x + "c" + "." * (7 - x)
    assert armed("escopeta", f"{y} {row}", at=at).may("shoot") == [f"shoot {direction}"]


def test_a_line_down_is_shot_from_beside_the_spawn_cells_of_the_secondary_board() -> None:
    """No cell of players has enemies below it, so that direction is never a choice."""
    for at in ((0, 1), (0, 6), (10, 1), (5, 8)):
        table = seated(Player("vera", at, (), "lanzallamas"), OTHER, street="3 .=========.", board="secondary")
        assert "shoot down" not in table.may("shoot")


def test_a_line_attacks_every_enemy_in_it_in_their_order_but_none_beside_it() -> None:
    table = armed("lanzallamas", "3 .cCc....\n4 ..c.....", at=(0, 3)).does("shoot right", 6, 6, 6)
    assert [event.enemy for event in table.of(Died)] == [1, 3]
    assert len(table.needed) == 3
    assert table.enemies == [4, 2]


def test_ag_49_a_line_sets_off_the_barrel_and_kindles_barricades() -> None:
    table = armed("escopeta", "3 .=B.....", at=(0, 3)).does("shoot right", 2)
    assert (table.needed, len(table.of(Exploded))) == ([2], 1)


def test_ag_49_the_lanzallamas_sets_barricades_alight_without_a_roll() -> None:
    table = armed("lanzallamas", "3 .=......", at=(0, 3)).does("shoot right")
    assert [token.fire for token in table.state.tokens] == [2]


# Area cards


def thrower(card: str, street: str = "", character: str = "vera", wears: str | None = None) -> Table:
    return seated(Player(character, (3, 9), [card], "pistola", wears=wears), OTHER, street=street)


AREAS = {"bomba_casera": 3, "coctel_molotov": 3, "granada": 4}


@pytest.mark.parametrize("card", AREAS)
def test_ag_49_an_area_card_may_be_aimed_at_any_street_spawn_or_entrance_cell_in_range(card: str) -> None:
    top = 9 - AREAS[card]
    columns = range(max(1, 3 - AREAS[card]), min(6, 3 + AREAS[card]) + 1)
    assert thrower(card).cells("throw") == {(x, y) for x in columns for y in range(top, 9)}


def test_ag_49_spawn_cells_are_aimed_at_too() -> None:
    table = seated(Player("vera", (0, 1), ["granada"]), OTHER)
    assert {(x, 0) for x in range(1, 5)} <= table.cells("throw")


@pytest.mark.parametrize("card", AREAS)
def test_the_honda_throws_1_farther(card: str) -> None:
    assert min(y for _, y in thrower(card, wears="honda").cells("throw")) == 8 - AREAS[card]


def test_ismael_throws_no_farther() -> None:
    assert thrower("granada", character="ismael").cells("throw") == thrower("granada").cells("throw")


@pytest.mark.parametrize(("card", "needed"), [("bomba_casera", 3), ("coctel_molotov", 4), ("granada", 2)])
def test_the_damage_of_an_area_card_is_that_of_the_table_of_cards(card: str, needed: int) -> None:
    assert thrower(card, "7 ...C....").does(f"throw {card} 3,7", 1).needed == [needed]


def test_an_area_is_the_cell_and_its_8_neighbours() -> None:
    street = """
        4 ..c.....
        5 .cc.c...
        6 .....c..
        7 ..c.....
        """
    table = seated(Player("vera", (0, 6), ["bomba_casera"]), OTHER, street=street)
    table.does("throw bomba_casera 3,6", 1, 1, 1)
    assert table.enemies == [6, 5, 2, 3, 4, 1]
    assert {event.enemy for event in table.of(Rolled)} == {3, 4, 6}


def test_an_area_card_may_hit_nothing_at_all() -> None:
    assert thrower("granada").does("throw granada 3,7").asked == 1


@pytest.mark.parametrize(
    ("card", "dice", "fire"), [("coctel_molotov", [], 2), ("granada", [2], 2), ("granada", [1], 0)]
)
def test_ag_49_only_the_molotov_sets_barricades_alight_without_a_roll(card: str, dice: list[int], fire: int) -> None:
    table = thrower(card, "6 ...=....").does(f"throw {card} 3,6", *dice)
    assert [token.fire for token in table.state.tokens] == [fire]


@pytest.mark.parametrize("card", AREAS)
def test_ag_36_every_area_card_sets_off_the_barrel(card: str) -> None:
    assert thrower(card, "6 ...B....").does(f"throw {card} 3,6").of(Exploded)


def test_ag_50_damage_is_fixed_before_the_first_roll() -> None:
    """The second enemy is next to an enjambre, which the same attack kills."""
    table = thrower("granada", "6 ...jc...").does("throw granada 3,6", 6, 1)
    assert table.needed == [2, 2]


def test_tokens_that_attacks_leave_are_heard_of_in_order() -> None:
    table = thrower("granada", "5 ..1.....\n6 ...B....").does("throw granada 3,6")
    assert [type(event) for event in table.heard if isinstance(event, Removed | Exploded | Laid)] == [Removed, Exploded]
