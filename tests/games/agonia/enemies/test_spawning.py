"""New enemies."""

from msgspec.structs import replace

from referee.core.game import Roll, Shuffle
from referee.games.agonia import rules
from referee.games.agonia.box.enemies import PILE, EnemyKind
from referee.games.agonia.enemies.spawning import horde
from referee.games.agonia.position.agenda import Spawning, Turn
from referee.games.agonia.position.events import NoRoom, Restocked, RoundBegan, Spawned
from referee.games.agonia.position.state import State
from tests.games.agonia.scene import Scene, drawn

FULL = "0 .cccccc."


def next_round(scene: Scene, *dice: int) -> State:
    """The position at the start of the next round, after this roll for the columns, if there is one."""
    state, _ = rules.settled(replace(scene.state, agenda=(Spawning(), Turn(0))), ())
    if dice:
        assert rules.awaiting(state) == Roll(f"spawn/{state.round}", 6, len(dice))
        state, _ = rules.luck(state, tuple(die - 1 for die in dice))
    return state


def test_ag_38_as_many_appear_as_there_are_players_on_the_columns_rolled() -> None:
    scene = drawn("", players=3).having(pile=(EnemyKind.FRESCO, EnemyKind.OSEO, EnemyKind.COMUN, EnemyKind.COMUN))
    after = scene.spawn(1, 6, 3)
    after.shows("0 .f.c..o.")
    assert after.state.pile == (EnemyKind.COMUN,)
    assert [(event.enemy, event.die) for event in after.of(Spawned)] == [(1, 1), (2, 6), (3, 3)]


def test_ag_38_on_a_taken_column_the_next_free_one_to_the_right_round_to_the_first() -> None:
    drawn("0 .cc.....").having(pile=(EnemyKind.OSEO,) * 2).spawn(1, 6).shows("0 .cco..o.")
    drawn("0 .c..ccc.").having(pile=(EnemyKind.OSEO,) * 2).spawn(4, 6).shows("0 .cooccc.")


def test_ag_38_with_all_columns_taken_none_appears_and_the_counter_stays() -> None:
    after = drawn(FULL).spawn()
    after.shows(FULL)
    assert len(after.of(NoRoom)) == 2
    assert next_round(drawn(FULL)).counter == 1


def test_ag_38_if_one_at_least_appears_the_counter_advances() -> None:
    assert next_round(drawn("0 .ccccc.."), 1).counter == 2


def test_ag_38_an_empty_pile_is_refilled_with_the_dead() -> None:
    scene = drawn("").having(pile=(EnemyKind.COMUN,), dead=(EnemyKind.FRESCO, EnemyKind.OSEO))
    state = next_round(scene, 1, 3)
    assert rules.awaiting(state) == Shuffle("tokens/1", 2)
    state, told = rules.luck(state, (1, 0))
    assert (state.pile, state.dead) == ((EnemyKind.FRESCO,), ())
    assert [(event.kind, event.die) for event in told if isinstance(event, Spawned)] == [(EnemyKind.OSEO, 3)]


def test_ag_38_those_for_whom_no_token_is_left_after_the_refill_do_not_appear() -> None:
    scene = drawn("", players=4).having(pile=(EnemyKind.COMUN,), dead=(EnemyKind.FRESCO, EnemyKind.OSEO))
    state, told = rules.luck(next_round(scene, 1, 2, 3), (0, 1))
    assert (state.pile, state.dead, state.spawned) == ((), (), 3)
    assert [type(event) for event in told[:4]] == [Restocked, Spawned, Spawned, NoRoom]


def test_ag_38_without_any_token_none_appears_and_the_counter_advances() -> None:
    for drawing in ("", FULL):
        state = next_round(drawn(drawing).having(pile=(), dead=()))
        assert state.counter == 2


def test_ag_38_calma_tensa_lets_the_counter_move_on_and_lasts_one_round() -> None:
    state = next_round(drawn("0 .c......").having(calm=True))
    assert (state.round, state.counter, state.spawned, state.calm) == (2, 2, 1, False)


def test_ag_52_on_the_last_cell_nothing_spawns_and_horda_does_nothing() -> None:
    scene = drawn("2 ..c.....").having(counter=10)
    state = next_round(scene)
    assert (state.round, state.counter, state.spawned) == (2, 10, 1)
    assert horde(scene.state) == ()


def test_ag_52_before_it_horda_brings_one() -> None:
    scene = drawn("").having(pile=PILE)
    after = scene.after(horde(scene.state), [2])
    after.shows("0 ..c.....")


def test_ag_38_without_room_or_token_nothing_is_rolled_for_a_horda_so_its_number_is_free_for_the_next() -> None:
    for scene in (drawn(FULL).having(pile=PILE), drawn("").having(pile=(), dead=())):
        assert len(scene.after(horde(scene.state), []).of(NoRoom)) == 1


def test_ag_38_the_last_room_and_the_last_token_go_to_the_first_and_no_die_is_rolled_for_the_others() -> None:
    for scene in (drawn("0 .ccccc..").having(pile=PILE), drawn("").having(pile=(EnemyKind.COMUN,), dead=())):
        after = scene.spawn(6)
        assert [type(event) for event in after.heard] == [Spawned, NoRoom]


def test_ag_27_enemies_that_spawn_on_a_token_do_not_set_it_off() -> None:
    after = drawn("0 .OT~....").having(pile=(EnemyKind.COMUN,) * 3, order=(0, 1, 2)).spawn(1, 2, 3)
    after.shows("0 .ccc....", under="0 .OT~....")
    assert not after.at(2, 0).held


def test_labels_of_rolls_are_told_by_the_round() -> None:
    state, heard = rules.settled(replace(drawn("").having(round=3).state, agenda=(Spawning(), Turn(0))), ())
    assert rules.awaiting(state) == Roll("spawn/3", 6, 2)
    assert not [event for event in heard if isinstance(event, RoundBegan)]
