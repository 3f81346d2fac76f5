"""Attacks by players, events and fire."""

import pytest

from referee.games.agonia.box.enemies import PRINTS, EnemyKind
from referee.games.agonia.position.events import Exploded, Rolled, RolledToKindle
from tests.games.agonia.scene import ENEMIES, drawn


@pytest.mark.parametrize(("letter", "kind"), ENEMIES.items())
def test_ag_10_a_roll_of_the_defence_hits_and_takes_a_life(letter: str, kind: EnemyKind) -> None:
    defence = PRINTS[kind].defence + (kind is EnemyKind.ENJAMBRE)
    twice = [defence] if kind is EnemyKind.OSEO else []
    scene = drawn(f"3 ..{letter}.....")
    after = scene.attack(2, 3, defence, *twice)
    assert sum(enemy.life for enemy in after.state.enemies) == PRINTS[kind].life - 1
    assert scene.attack(2, 3, defence - 1).state.enemies == scene.state.enemies


def test_ag_10_damage_is_added_to_the_die() -> None:
    scene = drawn("3 ..c.....")
    scene.attack(2, 3, 1, damage=2).shows("")
    scene.attack(2, 3, 1, damage=1).shows("3 ..c.....")


def test_ag_10_a_hit_on_an_oseo_is_rolled_again_and_the_second_result_stands() -> None:
    scene = drawn("3 ..o.....")
    scene.attack(2, 3, 4, 3).shows("3 ..o.....")
    scene.attack(2, 3, 4, 4).shows("")
    scene.attack(2, 3, 3).shows("3 ..o.....")


@pytest.mark.parametrize(("drawing", "needed"), [("3 ..j.....", 4), ("3 ..cj....", 4), ("3 ..c.j...", 3)])
def test_ag_10_the_enjambre_hinders_attacks_on_itself_and_its_neighbours(drawing: str, needed: int) -> None:
    assert drawn(drawing).attack(2, 3, 1).needed == [needed]


def test_ag_50_the_enjambre_hinders_every_attack_that_began_before_it_died() -> None:
    """The enjambre is hit first. The común beside it still needs the same roll as at the start."""
    after = drawn("3 ..c.....\n4 ..j.....").blast(2, 3, 6, 3)
    assert after.needed == [4, 4]
    after.shows("3 ..c.....")


def test_ag_10_an_area_rolls_once_for_each_enemy_in_it() -> None:
    after = drawn(
        """
        2 .c.c....
        3 ..f..c..
        4 .c......
        """
    ).blast(2, 3, 6, 6, 6, 1)
    after.shows(
        """
        2 ...c....
        3 .....c..
        """
    )


def test_ag_50_enemies_are_rolled_in_their_order_with_the_second_roll_at_once() -> None:
    after = drawn("3 .o......\n4 ..c.....").blast(2, 3, 1, 6, 2)
    assert [(event.enemy, event.again) for event in after.of(Rolled)] == [(2, False), (1, False), (1, True)]


def test_ag_50_barricades_come_after_enemies_by_y_then_x_and_the_barrel_last() -> None:
    after = drawn(
        """
        2 .=.=....
        3 ....B...
        4 ..=c....
        """
    ).attack_on([(1, 2), (3, 2), (4, 3), (2, 4), (3, 4)], 1, 1, 1, 1, 6, 6)
    kinds = [type(event) for event in after.heard]
    assert kinds.index(RolledToKindle) > kinds.index(Rolled)
    board = after.board
    cells = [event.cell for event in after.of(RolledToKindle)]
    assert cells == [board.at(1, 2), board.at(3, 2), board.at(2, 4), board.at(3, 2)]
    assert kinds.index(Exploded) > kinds.index(RolledToKindle)


def test_ag_35_an_area_attack_sets_a_barricade_alight_by_a_hit_against_4() -> None:
    scene = drawn("3 ..=.....")
    scene.blast(2, 3, 3, damage=1).shows("3 ..2.....")
    scene.blast(2, 3, 2, damage=1).shows("3 ..=.....")
    assert scene.blast(2, 3, 2, damage=1).needed == [3]


def test_ag_49_molotov_and_lanzallamas_need_no_roll_for_that() -> None:
    drawn("3 ..=.....").blast(2, 3, alight=True).shows("3 ..2.....")


def test_ag_35_an_area_attack_removes_a_burning_barricade_without_a_roll() -> None:
    drawn("3 ..2.....").blast(2, 3).shows("")
    drawn("3 ..1.....").blast(2, 3, alight=True).shows("")


def test_ag_49_a_barricade_is_affected_once_if_any_of_its_cells_is_in_the_area() -> None:
    scene = drawn("3 ..[]....")
    scene.blast(2, 3, 4).shows("3 ..{}....")
    scene.attack_on([(3, 3)], 4).shows("3 ..{}....")


def test_ag_49_one_set_alight_by_an_attack_is_not_removed_by_it() -> None:
    drawn("3 ..[]....").attack_on([(2, 3), (3, 3)], alight=True).shows("3 ..{}....")


def test_ag_49_other_tokens_are_untouched() -> None:
    drawn("3 .OT~....").blast(2, 3).shows("3 .OT~....")


def test_ag_36_the_barrel_explodes_without_a_roll_with_damage_2_on_the_cells_around() -> None:
    after = drawn(
        """
        2 ...c....
        3 ..cB.c..
        4 ....A...
        """
    ).explode(3, 3, 2, 1, 1)
    after.shows("3 .....c..\n4 ....A...")
    assert after.needed == [3, 1, 1]


def test_ag_36_area_attacks_set_the_barrel_off() -> None:
    after = drawn("3 ..B.c...\n4 ...c....").blast(1, 3, 1)
    after.shows("3 ....c...")
    assert after.needed == [1]


def test_ag_49_the_explosion_is_an_attack_of_its_own() -> None:
    """The granada sets a barricade alight and sets off an explosion. The barricade burns down in the explosion."""
    drawn("3 ..B.=...").attack_on([(2, 3)]).shows("3 ....=...")
    drawn("3 ..B=....").attack_on([(2, 3), (3, 3)], 6).shows("")


def test_ag_49_players_are_untouched() -> None:
    scene = drawn("8 ........")
    after = scene.blast(3, 8)
    assert after.state.seats == scene.state.seats


def test_ag_53_who_dies_by_an_attack_takes_its_trap_along() -> None:
    drawn("3 ..c.....", under="3 ..T.....").enemy(2, 3, held=True).blast(2, 3, 6).shows("")


def test_ag_55_every_death_counts() -> None:
    after = drawn("3 ..cc....").blast(2, 3, 6, 6)
    assert after.state.killed == 2
    assert after.state.dead == (EnemyKind.COMUN, EnemyKind.COMUN)
