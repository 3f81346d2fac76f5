"""How enemies move if only edges, barricades and other enemies are in their way."""

import pytest

from referee.games.agonia.box.board import Facing
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.position.events import Died, Fed, Stepped, Wounded
from referee.games.agonia.position.state import FIRST_SIDE, OTHER_SIDE
from tests.games.agonia.scene import drawn


def test_ag_10_each_kind_moves_as_far_as_is_printed() -> None:
    drawn("1 .cfCojA.").advance().shows(
        """
        2 .c.CojA.
        3 ..f.....
        """
    )


def test_ag_10_who_starts_next_to_another_agitador_moves_one_more() -> None:
    drawn(
        """
        1 ....c...
        2 .ca..c..
        """
    ).advance().shows(
        """
        2 ....c...
        3 ..a..c..
        4 .c......
        """
    )


def test_ag_10_the_agitador_counts_where_it_stands_when_the_other_starts() -> None:
    """The agitador moves first, and leaves the común behind it out of reach."""
    drawn(
        """
        1 .....c..
        2 ...a....
        3 ....f...
        """
    ).advance().shows(
        """
        2 .....c..
        3 ...a....
        6 ....f...
        """
    )


def test_ag_30_who_is_nearest_the_entrance_moves_first() -> None:
    drawn(
        """
        3 ..c.....
        4 ..c.....
        """
    ).advance().shows(
        """
        4 ..c.....
        5 ..c.....
        """
    )


def test_ag_30_of_those_equally_near_the_leftmost_moves_first() -> None:
    """Both must step aside to the same cell. The left one gets there first."""
    drawn(
        """
        3 .=c.c...
        4 ..=.=...
        """
    ).advance().shows(
        """
        3 .=.c.c..
        4 ..=.=...
        """
    )


def test_ag_30_each_moves_once_even_if_it_changes_places_in_the_order() -> None:
    scene = drawn("2 .f......\n3 ..c.....").advance()
    scene.shows("4 .fc.....")
    assert len({event.enemy for event in scene.of(Stepped)}) == 2


def test_ag_31_blocked_it_steps_to_board_left() -> None:
    drawn(
        """
        3 ...c....
        4 ...=....
        """
    ).advance().shows(
        """
        3 ..c.....
        4 ...=....
        """
    )


@pytest.mark.parametrize("blocker", ["=", "B", "o"])
def test_ag_31_barricade_barrel_and_enemy_block_ahead_and_aside(blocker: str) -> None:
    scene = drawn(f"3 ..{blocker}c....\n4 ...=....")
    if blocker == "o":
        scene = scene.enemy(2, 3, held=True).having(
            tokens=(*scene.state.tokens, *drawn("3 ..T.....").state.tokens),
        )
    scene.advance().shows(f"3 ..{blocker}.c...\n4 ...=....")


def test_ag_31_at_the_edge_it_steps_to_the_right() -> None:
    drawn(
        """
        3 .c......
        4 .=......
        """
    ).advance().shows(
        """
        3 ..c.....
        4 .=......
        """
    )


def test_ag_31_with_both_sides_blocked_it_stays() -> None:
    drawn(
        """
        3 .=c=....
        4 ..=.....
        """
    ).advance().shows(
        """
        3 .=c=....
        4 ..=.....
        """
    )


def test_ag_31_a_step_aside_costs_a_step_and_keeps_the_direction() -> None:
    scene = drawn(
        """
        3 ...f....
        4 ...=....
        """
    ).advance()
    scene.shows(
        """
        4 ..f=....
        """
    )


def test_ag_31_while_it_faces_right_it_steps_down_first_then_up() -> None:
    scene = drawn("4 ....c=.....", board="secondary")
    assert scene.at(4, 4).facing is Facing.RIGHT
    scene.advance().shows(
        """
        4 .....=.....
        5 ....c......
        """
    )
    drawn(
        """
        4 ....c=.....
        5 ....=......
        """,
        board="secondary",
    ).advance().shows(
        """
        3 ....c......
        4 .....=.....
        5 ....=......
        """
    )


def test_ag_31_it_never_steps_aside_into_the_entrance() -> None:
    """It faces right, above the entrance. It may not step down, so it goes up."""
    scene = drawn(
        """
        6 .....c=....
        """,
        board="secondary",
    ).enemy(5, 6, facing=Facing.RIGHT)
    after = scene.advance()
    after.shows(
        """
        5 .....c.....
        6 ......=....
        """
    )


def test_ag_31_where_nothing_lies_ahead_it_is_an_edge() -> None:
    """It faces down, and below it the board ends. It goes left, along the edge."""
    scene = drawn("6 ...c.......", board="secondary").enemy(3, 6, facing=Facing.DOWN)
    scene.advance().shows("6 ..c........")


# Every token blocks a side

TOKENS = {"=": "=.", "[": "[]", "2": "2.", "1": "1.", "{": "{}", "B": "B.", "O": "O.", "T": "T.", "~": "~."}
"""Each kind of token, as it is drawn on two cells. The first cell of the two has it."""


@pytest.mark.parametrize("kind", "cCA")
@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
def test_ag_59_no_enemy_steps_aside_onto_a_token_of_any_kind(token: str, kind: str) -> None:
    """Below it the board ends, so even the arrasador must step aside. A token is on the left, on the right, or both."""
    left = token if "." not in token else token[::-1]
    for before, after in (
        (f".{left}{kind}.......", f".{left}.{kind}......"),
        (f"...{kind}{token}.....", f"..{kind}.{token}....."),
        (f".{left}{kind}{token}.....", f".{left}{kind}{token}....."),
    ):
        scene = drawn(f"6 {before}", board="secondary").enemy(3, 6, facing=Facing.DOWN)
        scene.advance().shows(f"6 {after}")


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
def test_ag_59_while_it_faces_right_it_steps_neither_down_nor_up_onto_a_token(token: str) -> None:
    up, own, down = f"3 ....{token}.....", "4 ....c=.....", f"5 ....{token}....."
    drawn(f"{own}\n{down}", board="secondary").advance().shows(f"3 ....c......\n4 .....=.....\n{down}")
    drawn(f"{up}\n{own}\n{down}", board="secondary").advance().shows(f"{up}\n{own}\n{down}")


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
def test_ag_59_the_side_that_it_tries_first_because_of_ag_43_is_no_exception(token: str) -> None:
    scene = drawn(f"3 ...c{token}..\n4 ...=....").enemy(3, 3, aside=OTHER_SIDE)
    scene.advance().shows(f"3 ..c.{token}..\n4 ...=....")


@pytest.mark.parametrize(
    ("token", "dice", "after", "under"),
    [
        ("O", (), "", ""),
        ("T", (), "4 ...c....", "4 ...T...."),
        ("~", (), "3 ...c....", ""),
        ("2", (1,), "4 ...c....", "4 ...1...."),
        ("1", (1,), "4 ...c....", ""),
    ],
)
def test_ag_59_straight_on_it_enters_pits_traps_oil_and_fire_even_if_both_sides_are_empty(
    token: str, dice: tuple[int, ...], after: str, under: str
) -> None:
    drawn(f"3 ...c....\n4 ...{token}....").advance(*dice).shows(after, under=under)


def test_ag_01_it_keeps_the_last_arrow_it_passed() -> None:
    scene = drawn(
        """
        3 ....f......
        """,
        board="secondary",
    )
    after = scene.advance()
    after.shows("3 ......f....")
    assert after.at(6, 3).facing is Facing.RIGHT
    again = after.advance()
    again.shows("4 .......f...")
    assert again.at(7, 4).facing is Facing.DOWN


def test_ag_42_after_a_step_aside_onto_an_arrow_it_faces_along_it() -> None:
    scene = drawn(
        """
        4 ..c........
        5 ..=........
        """,
        board="secondary",
    ).advance()
    scene.shows(
        """
        4 .c.........
        5 ..=........
        """
    )
    assert scene.at(1, 4).facing is Facing.DOWN
    turned = drawn(
        """
        4 .=c........
        5 ..=........
        """,
        board="secondary",
    ).advance()
    assert turned.at(3, 4).facing is Facing.RIGHT


def test_ag_43_it_tries_the_side_it_took_before_first() -> None:
    scene = drawn(
        """
        3 .==c....
        4 ..====..
        """
    ).advance()
    scene.shows(
        """
        3 .==.c...
        4 ..====..
        """
    )
    assert scene.at(4, 3).aside == OTHER_SIDE
    scene.advance().shows(
        """
        3 .==..c..
        4 ..====..
        """
    )


def test_ag_43_and_the_other_side_if_that_one_is_blocked() -> None:
    drawn(
        """
        3 ...c=...
        4 ...=....
        """
    ).enemy(3, 3, aside=OTHER_SIDE).advance().shows(
        """
        3 ..c.=...
        4 ...=....
        """
    )


def test_ag_43_a_step_forward_makes_it_forget() -> None:
    after = drawn("3 ...c....").enemy(3, 3, aside=OTHER_SIDE).advance()
    assert after.at(3, 4).aside == 0


def test_ag_43_a_turn_at_an_arrow_makes_it_forget() -> None:
    after = drawn(
        """
        4 .=c........
        5 ..=........
        """,
        board="secondary",
    ).advance()
    assert after.at(3, 4).facing is Facing.RIGHT
    assert after.at(3, 4).aside == 0


def test_ag_43_an_arrow_along_its_way_does_not() -> None:
    after = drawn("3 ...c....\n4 ...=....").advance()
    assert after.at(2, 3).aside == FIRST_SIDE


# The devorador


def test_ag_55_wounded_it_eats_the_neighbour_that_would_move_last_instead_of_moving() -> None:
    after = (
        drawn(
            """
        3 ...f....
        4 ..cd....
        """
        )
        .enemy(3, 4, life=1)
        .advance()
    )
    after.shows(
        """
        4 ...d....
        5 ..c.....
        """
    )
    assert after.at(3, 4).life == 2
    assert after.state.killed == 1
    assert after.state.dead == (EnemyKind.FRESCO,)


def test_ag_10_the_devorador_takes_one_life_only() -> None:
    after = drawn("3 ...C....\n4 ...d....").enemy(3, 4, life=1).advance()
    assert [(event.eaten, event.life) for event in after.of(Fed)] == [(1, 2)]
    assert [(event.enemy, event.life) for event in after.of(Wounded)] == [(1, 1)]


def test_ag_10_unhurt_or_with_nobody_to_eat_the_devorador_moves() -> None:
    drawn("3 ...c....\n4 ...d....").advance().shows("4 ...c....\n6 ...d....")
    drawn("3 ...o....\n4 ...d....").enemy(3, 4, life=1).advance().shows("4 ...o....\n6 ...d....")


def test_ag_55_what_it_eats_counts_as_killed_and_leaves_the_order() -> None:
    after = drawn("3 ...c....\n4 ...d....").enemy(3, 4, life=1).advance()
    assert [event.enemy for event in after.of(Died)] == [1]
    assert after.of(Stepped) == []
