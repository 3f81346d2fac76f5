"""Cards that place tokens: AG-27, AG-57."""

import pytest

from referee.games.agonia.box.board import BoardName
from referee.games.agonia.position.events import Laid
from tests.games.agonia.scene import XY
from tests.games.agonia.table import Player, Table, seated

OTHER = Player("ismael", (7, 1))


def placer(*hand: str, at: XY = (3, 9), street: str = "", board: BoardName = "main") -> Table:
    return seated(Player("marta", at, hand), OTHER, street=street, board=board)


CARDS = {
    "barricada": (3, "barricada"),
    "foso": (3, "foso"),
    "cepo": (4, "cepo"),
    "bote_de_aceite": (4, "aceite"),
    "barril_explosivo": (3, "barril"),
}


@pytest.mark.parametrize("card", CARDS)
def test_each_card_places_its_token_as_far_away_as_the_table_of_cards_says(card: str) -> None:
    reach, kind = CARDS[card]
    table = placer(card)
    assert min(y for _, y in table.cells("place")) == 9 - reach
    x, y = min(table.cells("place"))
    table.does(f"place {card} {x},{y}")
    assert (table.tokens, len(table.of(Laid))) == ({kind: [((x, y),)]}, 1)


def test_a_double_barricade_covers_two_orthogonal_cells_both_in_range() -> None:
    table = placer("barricada_doble", at=(0, 4))
    reached = {(x, y) for x in range(1, 4) for y in range(2, 7)}
    across = {f"place barricada_doble {x},{y} {x + 1},{y}" for x, y in reached if (x + 1, y) in reached}
    down = {f"place barricada_doble {x},{y} {x},{y + 1}" for x, y in reached if (x, y + 1) in reached}
    assert set(table.may("place")) == across | down
    table.does("place barricada_doble 1,3 1,4")
    assert table.tokens == {"barricada_doble": [((1, 3), (1, 4))]}


# Barricades


def test_ag_27_barricades_go_on_street_cells_not_next_to_spawn_or_entrance() -> None:
    assert {y for _, y in placer("barricada", at=(0, 2)).cells("place")} == {2, 3, 4, 5}
    assert {y for _, y in placer("barricada", at=(0, 7)).cells("place")} == {4, 5, 6}


def test_ag_27_on_the_secondary_board_too() -> None:
    above = {(x, 5) for x in range(1, 7)}
    assert placer("barricada", at=(3, 8), board="secondary").cells("place") == above | {(1, 6), (2, 6)}
    assert (4, 1) not in placer("barricada", at=(0, 1), board="secondary").cells("place")
    assert (9, 2) in placer("barricada", at=(10, 2), board="secondary").cells("place")


def test_ag_27_not_on_an_enemy_and_not_on_another_token() -> None:
    free = placer("barricada", at=(0, 4)).cells("place")
    street = "3 .cO.....\n4 .T.B....\n5 ..~....."
    assert placer("barricada", at=(0, 4), street=street).cells("place") == free - {
        (1, 3),
        (2, 3),
        (1, 4),
        (3, 4),
        (2, 5),
    }


@pytest.mark.parametrize("barricade", ["=", "2"])
def test_ag_27_not_next_to_another_burning_or_not(barricade: str) -> None:
    cells = placer("barricada", at=(0, 4), street=f"4 ..{barricade}.....").cells("place")
    assert cells == {(x, y) for x in range(1, 4) for y in (2, 6)}


def test_ag_27_nor_next_to_a_cell_of_a_double() -> None:
    cells = placer("barricada", at=(0, 5), street="3 ..n.....\n4 ..u.....").cells("place")
    assert cells == {(1, 6), (2, 6), (3, 6)}


def test_ag_27_both_cells_of_a_double_keep_their_distance() -> None:
    placed = placer("barricada_doble", at=(0, 4), street="4 .....=..").may("place")
    assert "place barricada_doble 2,4 3,4" in placed
    assert not any("4,4" in what for what in placed)
    assert placer("barricada_doble", at=(0, 4), street="4 .=......").may("place barricada_doble 3,3 3,4")
    assert not placer("barricada_doble", at=(0, 4), street="4 .=......").may("place barricada_doble 2,3 3,3")


def test_ag_27_the_cells_of_one_double_are_no_neighbours_to_each_other() -> None:
    assert placer("barricada_doble").may("place")


def test_ag_27_next_to_other_tokens_and_enemies_a_barricade_may_lie() -> None:
    cells = placer("barricada", at=(0, 4), street="4 ..c.....\n5 .OB.....").cells("place")
    assert {(1, 4), (3, 4), (3, 5)} <= cells


# The others


@pytest.mark.parametrize("card", ["foso", "cepo", "bote_de_aceite"])
def test_ag_57_pits_traps_and_oil_go_on_any_free_street_or_spawn_cell(card: str) -> None:
    rows = {y for _, y in placer(card, at=(0, 1)).cells("place")}
    assert {0, 1} <= rows
    table = placer(card)
    assert {y for _, y in table.cells("place")} == set(range(9 - CARDS[card][0], 8))


def test_ag_57_the_barrel_goes_on_street_cells_only() -> None:
    rows = {y for _, y in placer("barril_explosivo", at=(0, 1)).cells("place")}
    assert rows == {1, 2, 3, 4}
    assert {y for _, y in placer("barril_explosivo").cells("place")} == {6, 7}


@pytest.mark.parametrize("card", ["foso", "cepo", "bote_de_aceite", "barril_explosivo"])
def test_ag_57_they_need_free_cells_but_may_lie_next_to_barricades(card: str) -> None:
    street = "5 .c.=....\n6 .O......"
    cells = placer(card, at=(0, 6), street=street).cells("place")
    assert {(1, 5), (3, 5), (1, 6)}.isdisjoint(cells)
    assert {(2, 5), (2, 6)} <= cells


# The stock


@pytest.mark.parametrize(
    ("card", "street"),
    [
        ("barricada", "2 .=.=.=..\n4 .=.=.=..\n6 .=.=...."),
        ("barricada_doble", "1 .[].....\n3 .[]....."),
        ("foso", "1 .O......\n2 .O......"),
        ("cepo", "1 .T......\n2 .T......"),
        ("bote_de_aceite", "1 .~......\n2 .~......"),
        ("barril_explosivo", "1 .B......"),
    ],
)
def test_ag_27_with_no_token_in_stock_the_card_cannot_be_used(card: str, street: str) -> None:
    (_, *fewer) = street.split("\n")
    assert placer(card, street=street).may("place") == []
    assert placer(card, street="\n".join(fewer)).may("place")


def test_ag_27_burning_barricades_are_out_of_the_stock_too() -> None:
    assert placer("barricada", street="2 .2.2.2..\n4 .1.1.1..\n6 .=.=....").may("place") == []


def test_ag_27_with_no_legal_cell_the_card_cannot_be_used() -> None:
    assert placer("barricada", street="6 .cOcTc~.").may("place") == []


def test_a_card_on_a_cell_comes_once_for_each_different_card_sorted_by_card_then_cell() -> None:
    placed = placer("foso", "foso", "cepo").may("place")
    cards = [what.split()[1] for what in placed]
    assert cards == sorted(cards, reverse=True)
    assert len(set(placed)) == len(placed)
