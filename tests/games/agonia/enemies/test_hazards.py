"""Pits, traps, oil and fire under the feet of enemies."""

import pytest

from referee.games.agonia.box.board import Facing
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.box.tokens import TokenKind
from referee.games.agonia.position.events import Burning, Died, Freed, Removed, Slipped, Stepped, Trapped
from referee.games.agonia.position.state import OTHER_SIDE
from tests.games.agonia.scene import drawn

LIGHT = "cfoajd"


# Pits


@pytest.mark.parametrize("kind", LIGHT)
def test_ag_32_who_enters_a_pit_dies_whatever_its_life_and_the_pit_goes(kind: str) -> None:
    after = drawn(f"3 ..{kind}.....\n4 ..O.....").advance()
    after.shows("")
    assert after.state.killed == 1


@pytest.mark.parametrize("kind", "CA")
def test_ag_32_corpulento_and_arrasador_pass_and_the_pit_stays(kind: str) -> None:
    after = drawn(f"3 ..{kind}.....\n4 ..O.....").advance()
    after.shows(f"4 ..{kind}.....", under="4 ..O.....")
    after.advance().shows(f"4 ..O.....\n5 ..{kind}.....")


def test_ag_32_a_pit_kills_on_the_way_too() -> None:
    drawn("3 ..f.....\n4 ..O.....").advance().shows("")


def test_ag_32_a_corpulento_that_runs_goes_on_over_a_pit() -> None:
    drawn("3 ..C.....\n4 ..O.....").having(stampedes=1).advance().shows("4 ..O.....\n5 ..C.....")


def test_ag_55_who_dies_in_a_pit_counts_as_killed() -> None:
    after = drawn("3 ..f.....\n4 ..O.....").advance()
    assert [event.kind for event in after.of(Died)] == [EnemyKind.FRESCO]
    assert after.state.dead == (EnemyKind.FRESCO,)


def test_ag_32_the_step_into_the_pit_is_told_before_the_death() -> None:
    after = drawn("3 ..f.....\n4 ..O.....").advance()
    board = after.board
    assert after.heard == (
        Stepped(1, board.at(2, 4), Facing.DOWN),
        Died(1, EnemyKind.FRESCO, board.at(2, 4)),
        Removed(TokenKind.FOSO, (board.at(2, 4),)),
    )


# Traps


def test_ag_33_a_trap_ends_the_movement_and_takes_the_next_advance() -> None:
    caught = drawn("3 ..f.....\n4 ..T.....").advance()
    caught.shows("4 ..f.....", under="4 ..T.....")
    assert caught.of(Trapped)
    freed = caught.advance()
    freed.shows("4 ..f.....")
    assert freed.of(Freed)
    freed.advance().shows("6 ..f.....")


def test_ag_53_the_trap_holds_until_the_end_of_its_turn_in_the_order() -> None:
    """The fresco behind it moves later. By then the trap is gone, but the común is still there."""
    caught = drawn("2 .f......\n4 .c......", under="4 .T......").enemy(1, 4, held=True).advance()
    caught.shows("3 ..f.....\n4 .c......")


def test_ag_53_the_trap_goes_when_the_enemy_dies() -> None:
    after = drawn("4 ..c.....", under="4 ..T.....").enemy(2, 4, held=True).attack(2, 4, 6)
    after.shows("")
    assert [event.kind for event in after.of(Removed)] == [TokenKind.CEPO]


def test_ag_53_a_trapped_devorador_does_not_feed() -> None:
    after = drawn("3 ...c....\n4 ...d....", under="4 ...T....").enemy(3, 4, held=True, life=1).advance()
    assert after.at(3, 4).life == 1
    assert not after.at(3, 4).held


def test_ag_53_the_arrasador_leaves_a_trap_where_it_is() -> None:
    after = drawn("3 ..A.....\n4 ..T.....").advance()
    after.shows("4 ..A.....", under="4 ..T.....")
    assert not after.at(2, 4).held
    after.advance().shows("4 ..T.....\n5 ..A.....")


def test_ag_27_who_spawned_on_a_trap_is_not_held() -> None:
    drawn("0 ..c.....", under="0 ..T.....").advance().shows("0 ..T.....\n1 ..c.....")


# Oil


@pytest.mark.parametrize("kind", "fCA")
def test_ag_34_oil_sends_back_and_ends_the_movement_of_all(kind: str) -> None:
    after = drawn(f"3 ..{kind}.....\n4 ..~.....").having(stampedes=1).advance()
    after.shows(f"3 ..{kind}.....")
    assert after.of(Slipped)


def test_ag_34_the_step_onto_the_oil_is_told_before_the_way_back() -> None:
    after = drawn("3 ..f.....\n4 ..~.....").advance()
    board = after.board
    assert after.heard == (
        Stepped(1, board.at(2, 4), Facing.DOWN),
        Removed(TokenKind.ACEITE, (board.at(2, 4),)),
        Slipped(1, board.at(2, 3)),
    )


def test_ag_43_a_step_forward_onto_oil_makes_it_forget_the_side_too() -> None:
    after = drawn("3 ..c.....\n4 ..~.....").enemy(2, 3, aside=OTHER_SIDE).advance()
    after.shows("3 ..c.....")
    assert after.at(2, 3).aside == 0


def test_ag_34_on_the_cell_it_goes_back_to_nothing_acts_again() -> None:
    """It goes back to a burning barricade, but does not count as entering it again."""
    after = drawn("3 ..c.....\n4 ..~.....", under="3 ..2.....").advance()
    after.shows("3 ..c.....", under="3 ..2.....")


def test_ag_34_the_second_step_slips_back_to_where_the_first_led() -> None:
    drawn("3 ..f.....\n5 ..~.....").advance().shows("4 ..f.....")


def test_ag_42_who_is_sent_back_from_an_arrow_keeps_the_facing_it_had() -> None:
    after = drawn("5 .c.........\n6 .~.........", board="secondary").advance()
    after.shows("5 .c.........")
    assert after.at(1, 5).facing is Facing.DOWN


# Fire


def test_ag_35_a_burning_barricade_does_not_block() -> None:
    after = drawn("3 ..c.....\n4 ..2.....").advance(2)
    after.shows("4 ..c.....", under="4 ..1.....")


def test_ag_35_it_attacks_who_enters_with_damage_0() -> None:
    after = drawn("3 ..c.....\n4 ..2.....").advance(3)
    after.shows("4 ..1.....")
    assert after.needed == [3]
    assert after.state.killed == 1


def test_ag_35_it_goes_after_the_second_entry() -> None:
    drawn("3 ..c.....\n4 ..1.....").advance(1).shows("4 ..c.....")


def test_ag_54_an_entry_that_kills_also_lowers_the_counter() -> None:
    drawn("3 ..c.....\n4 ..1.....").advance(6).shows("")


def test_ag_35_it_goes_after_the_arrasador_who_is_rolled_for_first() -> None:
    after = drawn("3 ..A.....\n4 ..2.....").advance(5)
    after.shows("4 ..A.....")
    assert after.at(2, 4).life == 2
    assert after.needed == [5]


def test_ag_35_what_is_left_of_it_is_told() -> None:
    after = drawn("3 ..c.....\n4 ..2.....").advance(1)
    assert after.of(Burning) == [Burning((after.board.at(2, 4),), 1)]
    kindled = drawn("4 ..=.....").blast(2, 4, 6)
    assert kindled.of(Burning) == [Burning((after.board.at(2, 4),), 2)]


def test_ag_35_who_survives_the_fire_goes_on() -> None:
    drawn("3 ..f.....\n4 ..2.....").advance(1).shows("4 ..1.....\n5 ..f.....")


def test_ag_35_a_double_has_one_counter_for_its_cells() -> None:
    after = drawn("3 .cf.....\n4 .{}.....").advance(1, 1)
    after.shows("4 .c......\n5 ..f.....")


def test_ag_54_each_cell_of_a_burning_double_that_is_entered_is_an_entry() -> None:
    burning = drawn("2 ..f.....\n3 ..n.....\n4 ..u.....")
    (token,) = burning.state.tokens
    scene = burning.having(tokens=(type(token)(token.cells, token.kind, 2),))
    scene.advance(1, 1).shows("4 ..f.....")


def test_ag_30_after_a_fire_the_others_still_move_in_order() -> None:
    after = drawn(
        """
        2 .....c..
        3 ..c.....
        4 ..2.....
        """
    ).advance(4)
    after.shows(
        """
        3 .....c..
        4 ..1.....
        """
    )


def test_ag_10_a_fire_rolls_again_for_an_oseo_and_minds_the_enjambre() -> None:
    after = drawn("3 ..oj....\n4 ..2.....").advance(5, 4)
    assert after.needed == [5, 5]
    assert EnemyKind.OSEO in after.kinds()


def test_ag_50_the_enjambre_hinders_an_attack_by_fire_on_itself() -> None:
    after = drawn("3 ..j.....\n4 ..2.....").advance(3)
    assert after.needed == [4]
    assert after.kinds() == [EnemyKind.ENJAMBRE]
