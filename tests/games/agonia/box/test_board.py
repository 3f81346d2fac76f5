"""The boards, and the files that contain everything that is printed."""

import pytest

from referee.games.agonia.box import board as boards
from referee.games.agonia.box import cards, enemies, tokens
from referee.games.agonia.box.board import BOARDS, Cell, Facing, Print, cells_in, xy
from referee.games.agonia.box.files import read, read_all

MAIN, SECONDARY = BOARDS["main"], BOARDS["secondary"]


def lane(board: boards.Board, spawn: Cell) -> list[Cell]:
    """The cells that an enemy walks from a spawn cell with nothing in its way."""
    facing, walked = Facing.DOWN, [spawn]
    while not board.entrance >> walked[-1] & 1:
        walked.append(board.ahead[facing][walked[-1]])
        facing = board.arrow[walked[-1]] or facing
    return walked


def steps(board: boards.Board, cell: Cell) -> int:
    """How many steps an enemy there still has to the entrance, by the formulas of AG-30."""
    x, y = xy(cell)
    if board is MAIN:
        return 8 - y
    if x + y <= 7:
        return 10 - y
    return 17 - x - 2 * y if x + y <= 10 else 7 - y


@pytest.mark.parametrize(("board", "length"), [(MAIN, 8), (SECONDARY, 10)], ids=["main", "secondary"])
def test_ag_01_every_lane_ends_in_the_entrance_after_as_many_steps(board: boards.Board, length: int) -> None:
    assert [len(lane(board, spawn)) - 1 for spawn in board.spawn] == [length] * 6


def test_ag_01_on_the_secondary_board_enemies_turn_right_then_down() -> None:
    walked = [xy(cell) for cell in lane(SECONDARY, SECONDARY.at(2, 0))]
    assert walked == [(2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (3, 5), (4, 5), (5, 5), (5, 6), (5, 7)]


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_ag_30_the_order_is_by_steps_to_the_entrance_then_x_then_y(board: boards.Board) -> None:
    by_rank = sorted(cells_in(board.ground), key=lambda cell: board.rank[cell])
    assert by_rank == sorted(cells_in(board.ground), key=lambda cell: (steps(board, cell), *xy(cell)))


def test_ag_02_players_walk_orthogonally_on_their_own_cells() -> None:
    reached = {xy(cell) for cell in MAIN.walks[MAIN.at(0, 8)][2]}
    assert reached == {(0, 6), (0, 7), (0, 9), (1, 9)}


@pytest.mark.parametrize(("board", "far"), [(MAIN, 7), (SECONDARY, 10)], ids=["main", "secondary"])
def test_ag_02_the_walkway_is_one_step_to_the_other_side(board: boards.Board, far: int) -> None:
    reached = {xy(cell) for cell in board.walks[board.at(0, 4)][1]}
    assert reached == {(0, 3), (0, 5), (far, 4)}


def test_ag_02_the_start_zone_is_the_bottom_row() -> None:
    assert [xy(cell) for cell in cells_in(MAIN.start)] == [(x, 9) for x in range(8)]
    assert [xy(cell) for cell in cells_in(SECONDARY.start)] == [(x, 8) for x in range(11)]


def test_ag_03_diagonals_count_as_one_cell() -> None:
    within = {xy(cell) for cell in cells_in(MAIN.within[MAIN.at(0, 2)][2])}
    assert within == {(x, y) for x in range(3) for y in range(5)}
    assert {xy(cell) for cell in cells_in(MAIN.around[MAIN.at(0, 0)])} == {(1, 0), (0, 1), (1, 1)}


def test_ag_31_edges_are_where_no_enemy_may_be() -> None:
    assert MAIN.side_cells[Facing.DOWN][MAIN.at(1, 3)] == (boards.NOWHERE, MAIN.at(2, 3))
    assert SECONDARY.ahead[Facing.DOWN][SECONDARY.at(3, 6)] == boards.NOWHERE


def test_lines_run_in_eight_directions_to_the_edge() -> None:
    lines = MAIN.lines[MAIN.at(2, 7)]
    assert [xy(cell) for cell in lines[boards.Direction.UP_RIGHT - 1]] == [(3, 6), (4, 5), (5, 4), (6, 3), (7, 2)]
    assert [xy(cell) for cell in lines[boards.Direction.DOWN_LEFT - 1]] == [(1, 8), (0, 9)]


# The files


def test_ag_10_the_tokens_of_enemies_are_24_with_the_figures_of_the_table() -> None:
    printed = enemies.PRINTS.values()
    assert [it.tokens for it in printed] == [10, 5, 3, 2, 1, 1, 1, 1]
    assert [it.move for it in printed] == [1, 2, 1, 1, 1, 1, 2, 1]
    assert [it.defence for it in printed] == [3, 3, 4, 4, 3, 3, 4, 5]
    assert [it.life for it in printed] == [1, 1, 2, 1, 1, 1, 2, 3]


def test_the_box_has_64_cards_and_the_tokens_that_they_place() -> None:
    kinds = (cards.WEAPONS, cards.AREAS | cards.PLACINGS, cards.JOINED | cards.EQUIPMENT, cards.EVENTS)
    assert [sum(it.copies for it in kind.values()) for kind in kinds] == [20, 28, 7, 9]
    assert [it.tokens for it in tokens.PRINTS.values()] == [8, 2, 1, 2, 2, 2]


ROWS = [
    "#SSSSSS#",
    "PvvvvvvP",
    "PEEEEEEP",
    "PPPPPPPP",
]


def bottom(rows: list[str]) -> list[tuple[int, int]]:
    return [(x, len(rows) - 1) for x in range(len(rows[0]))]


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        (["#SSSSS##", *ROWS[1:]], "there must be 6 spawn cells"),
        ([*ROWS[:1], "P......", *ROWS[2:]], "all of one length"),
        ([*ROWS[:1], "Pvvxvvv", *ROWS[2:]], "all of one length"),
        ([*ROWS[:1], "PvvxvvvP", *ROWS[2:]], "a cell must be one of"),
        ([*ROWS[:2], "P#EEEEEP", *ROWS[3:]], r"the lane from \(1, 0\) does not end in the entrance"),
        ([*ROWS[:3], "PPP#PPPP"], "players must start on their cells"),
        ([*ROWS[:1], "#vvvvvvP", "#EEEEEEP", *ROWS[3:]], "a walkway must join two cells of players"),
        (["#SSSSSS#", "Pvvvvv.P", "PEEEEEvP", "P######P", "PPPPPPPP"], r"the lane from \(6, 0\) does not end"),
    ],
)
def test_a_board_that_cannot_be_played_on_is_refused(rows: list[str], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        boards.worked_out("mine", Print(bottom(rows), ((0, 1), (7, 1)), rows))


def test_there_must_be_start_cells_for_all_players() -> None:
    with pytest.raises(ValueError, match="there must be 5 start cells or more"):
        boards.worked_out("mine", Print(bottom(ROWS)[:4] * 2, ((0, 1), (7, 1)), ROWS))


def test_no_player_may_stand_on_the_cell_that_stands_for_none() -> None:
    rows = ["PSSSSSSP", *ROWS[1:]]
    with pytest.raises(ValueError, match=r"no player may stand on \[0, 0\]"):
        boards.worked_out("mine", Print(bottom(rows), ((0, 1), (7, 1)), rows))


def test_cells_of_players_must_be_connected() -> None:
    rows = ["#SSSSSSP", "PvvvvvvP", "PEEEEEE#", *ROWS[3:]]
    with pytest.raises(ValueError, match="players' cells must be connected"):
        boards.worked_out("mine", Print(bottom(rows), ((0, 3), (0, 1)), rows))


def test_lanes_that_meet_must_agree_on_the_steps_that_are_left() -> None:
    rows = ["#SSSSSS##", "P.....>vP", "P.....v.P", "PEEEEEEEP", "PPPPPPPPP"]
    with pytest.raises(ValueError, match=r"lanes disagree at \(6, 2\)|every street cell"):
        boards.worked_out("mine", Print(bottom(rows), ((0, 1), (8, 1)), rows))


def test_every_street_cell_must_be_on_a_lane() -> None:
    rows = ["#SSSSSS##", "Pvvvvvv.P", "PEEEEEE#P", "PPPPPPPPP"]
    with pytest.raises(ValueError, match="every street cell must be on a lane"):
        boards.worked_out("mine", Print(bottom(rows), ((0, 1), (8, 1)), rows))


def test_a_file_with_an_entry_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match=r"tokens\.toml: there must be one entry each for comun, fresco"):
        read_all("tokens.toml", tokens.Print, enemies.EnemyKind)


def test_a_file_with_something_unknown_is_refused_with_the_place() -> None:
    with pytest.raises(ValueError, match=r"cards\.toml: .* unknown field `kind`"):
        read("cards.toml", tokens.Print)
