"""The arrasador pushes what blocks it."""

from referee.games.agonia.box.board import Facing
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.position.agenda import Advance
from referee.games.agonia.position.events import Pushed, Trapped
from tests.games.agonia.scene import Scene, drawn


def alone_moving(scene: Scene) -> Scene:
    """Only the arrasador moves: one advance, up to the end of its own steps."""
    number = next(enemy.number for enemy in scene.state.enemies if enemy.kind is EnemyKind.ARRASADOR)
    return scene.after((Advance((number,)),), ())


def test_ag_37_it_destroys_a_barricade_by_stepping_on_it() -> None:
    drawn("3 ..A.....\n4 ..=.....").advance().shows("4 ..A.....")
    drawn("3 ..A.....\n4 ..[]....").advance().shows("4 ..A.....")


def test_ag_36_it_removes_the_barrel_without_an_explosion() -> None:
    after = drawn("3 ..A.....\n4 .cBc....").advance()
    assert EnemyKind.ARRASADOR in after.kinds()
    assert after.kinds().count(EnemyKind.COMUN) == 2
    assert after.at(2, 4).kind is EnemyKind.ARRASADOR


def test_ag_46_it_pushes_the_unbroken_line_before_it_farthest_first() -> None:
    after = alone_moving(drawn("3 ..A.....\n4 ..c.....\n5 ..f.....\n7 ..C....."))
    after.shows("4 ..A.....\n5 ..c.....\n6 ..f.....\n7 ..C.....")
    assert [event.enemy for event in after.of(Pushed)] == [3, 2]


def test_ag_46_what_is_pushed_still_has_its_own_move() -> None:
    """The común is nearer the entrance, so it moves first. The barrel blocks it, so it stays and is pushed."""
    drawn(
        """
        3 ..A.....
        4 .=c=....
        5 ..B.....
        """
    ).advance().shows(
        """
        4 .=A=....
        5 ..c.....
        """
    )


def test_ag_46_an_unburnt_barricade_beyond_costs_the_last_of_the_line_a_life() -> None:
    after = alone_moving(drawn("3 ..A.....\n4 ..c.....\n5 ..C.....\n6 ..=....."))
    after.shows("4 ..A.....\n5 ..c.....\n6 ..C.....")
    assert after.at(2, 6).life == 1


def test_ag_46_if_the_last_dies_of_it_what_is_left_of_the_line_moves() -> None:
    after = alone_moving(drawn("3 ..A.....\n4 ..C.....\n5 ..c.....\n6 ..[]...."))
    after.shows("4 ..A.....\n5 ..C.....")
    assert after.state.killed == 1


def test_ag_46_a_barrel_beyond_goes_unexploded() -> None:
    alone_moving(drawn("3 ..A.....\n4 ..c.....\n5 ..B.....")).shows("4 ..A.....\n5 ..c.....")


def test_ag_46_who_is_pushed_onto_the_entrance_loses_the_game_for_all() -> None:
    after = alone_moving(drawn("5 ..A.....\n6 ..c.....\n7 ..f....."))
    assert after.is_lost
    after.shows("5 ..A.....\n6 ..c.....\n8 ..f.....")


def test_ag_46_pits_act_on_the_pushed() -> None:
    alone_moving(drawn("3 ..A.....\n4 ..c.....\n5 ..O.....")).shows("4 ..A.....")
    alone_moving(drawn("3 ..A.....\n4 ..C.....\n5 ..O.....")).shows("4 ..A.....\n5 ..C.....", under="5 ..O.....")


def test_ag_46_traps_act_on_the_pushed() -> None:
    after = alone_moving(drawn("3 ..A.....\n4 ..c.....\n5 ..T....."))
    after.shows("4 ..A.....\n5 ..c.....", under="5 ..T.....")
    assert after.of(Trapped)


def test_ag_53_a_trap_that_an_enemy_is_pushed_off_goes_and_the_lost_advance_lapses() -> None:
    held = drawn("3 ..A.....\n4 ..c.....", under="4 ..T.....").enemy(2, 4, held=True)
    after = alone_moving(held)
    after.shows("4 ..A.....\n5 ..c.....")
    assert not after.at(2, 5).held


def test_ag_46_fire_acts_on_the_pushed_before_the_next_is_pushed() -> None:
    scene = drawn("3 ..A.....\n4 ..C.....\n5 ..c.....\n6 ..2.....")
    after = scene.after((Advance((1,)),), (2,))
    after.shows("4 ..A.....\n5 ..C.....\n6 ..c.....", under="6 ..1.....")
    killed = scene.after((Advance((1,)),), (3,))
    killed.shows("4 ..A.....\n5 ..C.....\n6 ..1.....")


def test_ag_46_pushed_onto_oil_the_token_goes_and_the_enemy_stays_there() -> None:
    alone_moving(drawn("3 ..A.....\n4 ..c.....\n5 ..~.....")).shows("4 ..A.....\n5 ..c.....")


def test_ag_46_with_nothing_beyond_the_line_nobody_moves() -> None:
    """The arrasador faces right, at the right edge of the street."""
    scene = drawn("5 ........Ac.", board="secondary").enemy(8, 5, facing=Facing.RIGHT)
    alone_moving(scene).shows("5 ........Ac.")


def test_ag_42_who_is_pushed_onto_an_arrow_faces_along_it() -> None:
    after = alone_moving(drawn("4 ....Ac.....", board="secondary"))
    after.shows("4 .....Ac....")
    assert after.at(6, 4).facing is Facing.DOWN


def test_ag_37_a_push_costs_the_arrasador_one_step_in_all() -> None:
    after = alone_moving(drawn("2 ..A.....\n3 ..c.....").having(stampedes=1))
    after.shows("4 ..A.....\n5 ..c.....")
