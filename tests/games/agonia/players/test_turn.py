"""The turn of a player: AG-02, AG-23, AG-24, AG-25, AG-44, and what each character can do."""

import pytest

from referee.games.agonia.position.events import Acted
from tests.games.agonia.table import Player, Table, seated

FAR = (7, 1)


def alone(*hand: str, character: str = "vera", at: tuple[int, int] = (3, 9), **position: object) -> Table:
    """The first of two players is to act. The other stands out of the way and has nothing."""
    own = Player(character, at, hand, "pistola")
    return seated(own, Player("ismael", FAR), **position)  # type: ignore[arg-type]  # passed on as it came


# Walking


def test_ag_02_a_player_walks_up_to_three_cells_orthogonally() -> None:
    assert alone(at=(0, 9)).cells("go") == {(0, 6), (0, 7), (0, 8), (1, 9), (2, 9), (3, 9)}


def test_ag_02_the_walkway_is_one_step() -> None:
    table = alone(at=(0, 3))
    assert table.cells("go") == {(0, 1), (0, 2), (0, 4), (0, 5), (0, 6), (7, 3), (7, 4), (7, 5)}
    assert table.does("go 7,5").at(0) == (7, 5)


def test_ag_02_on_the_secondary_board_it_leads_to_the_far_side() -> None:
    assert (10, 4) in alone(at=(0, 4), board="secondary").cells("go")


def test_ag_02_players_pass_through_each_other_but_do_not_share_a_cell() -> None:
    table = seated(Player("vera", (3, 9)), Player("ismael", (4, 9)), Player("bruno", (1, 9)))
    assert table.cells("go") == {(0, 9), (2, 9), (5, 9), (6, 9)}


@pytest.mark.parametrize(("character", "steps"), [("vera", 3), ("bruno", 3), ("marta", 3), ("ismael", 3), ("lia", 4)])
def test_ag_23_everybody_walks_3_and_lia_4(character: str, steps: int) -> None:
    table = seated(Player(character, (0, 9)), Player("vera", FAR))
    assert max(x for x, _ in table.cells("go")) == steps


@pytest.mark.parametrize(("character", "steps"), [("vera", 4), ("lia", 5)])
def test_zapatillas_are_worth_a_step(character: str, steps: int) -> None:
    table = seated(Player(character, (0, 9), wears="zapatillas"), Player("marta", FAR))
    assert max(x for x, _ in table.cells("go")) == steps


def test_the_other_equipment_is_not() -> None:
    table = seated(Player("vera", (0, 9), wears="honda"), Player("marta", FAR))
    assert max(x for x, _ in table.cells("go")) == 3


# One action


@pytest.mark.parametrize(
    "what", ["go 2,9", "equip revolver", "shoot 1", "throw granada 3,7", "place barricada 4,6", "end"]
)
def test_ag_23_one_action_ends_the_turn(what: str) -> None:
    table = alone("revolver", "granada", "barricada", street="6 ..c.....")
    dice = {"shoot 1": (6,), "throw granada 3,7": (6,)}.get(what, ())
    assert table.does(what, *dice).asked == 1


def test_ag_23_a_search_is_an_action_too() -> None:
    assert alone(deck=["cepo", "foso"]).does("search").asked == 1


def test_ag_23_a_player_may_pass() -> None:
    table = alone("granada").does("end")
    assert (table.asked, table.hand(0)) == (1, ["granada"])


def test_what_was_chosen_is_told_first() -> None:
    (first, *_) = alone("granada", street="6 ..c.....").does("throw granada 3,7", 6).heard
    assert isinstance(first, Acted)
    assert first.seat == 0


def test_actions_come_by_kind_and_end_last() -> None:
    table = alone("revolver", "granada", "barricada", street="6 ..c.....")
    kinds = list(dict.fromkeys(what.split()[0] for what in table.may()))
    assert kinds == ["go", "equip", "search", "shoot", "throw", "place", "end"]


def test_equal_cards_are_one_choice() -> None:
    table = seated(Player("vera", (3, 9), ["granada"] * 2), Player("marta", (4, 9), ["cepo"] * 2))
    assert table.may("throw granada 3,7") == ["throw granada 3,7"]
    assert table.may("offer") == ["offer 1 - for cepo", "offer 1 granada for -", "offer 1 granada for cepo"]


# Cards that cost no action


def test_ag_24_area_cards_of_bruno_cost_no_action_and_chain() -> None:
    table = alone("granada", "bomba_casera", "coctel_molotov", character="bruno")
    table.does("throw granada 3,7").does("throw bomba_casera 3,7")
    assert table.asked == 0
    assert table.may("search") == ["search"]
    assert table.does("throw coctel_molotov 3,7").may("go 2,9") == ["go 2,9"]


def test_ag_24_placing_cards_of_marta_cost_no_action_and_chain() -> None:
    table = alone("barricada", "foso", "barricada", character="marta")
    table.does("place barricada 2,6").does("place foso 3,6").does("place barricada 4,6")
    assert table.may("search") == ["search"]
    assert table.does("go 2,9").asked == 1


@pytest.mark.parametrize(("character", "card"), [("marta", "granada"), ("bruno", "barricada"), ("vera", "granada")])
def test_ag_24_cards_of_the_other_kind_cost_the_action(character: str, card: str) -> None:
    (what, *_) = alone(card, character=character).may("throw" if card == "granada" else "place")
    assert alone(card, character=character).does(what).asked == 1


def test_ag_44_free_cards_may_be_used_after_the_action_but_nothing_else() -> None:
    table = alone("granada", "bomba_casera", "barricada", "revolver", character="bruno", street="6 ..c.....")
    table.does("go 2,9")
    assert table.asked == 0
    assert {what.split()[0] for what in table.may()} == {"throw", "end"}
    table.does("throw granada 3,8")
    assert {" ".join(what.split()[:2]) for what in table.may()} == {"throw bomba_casera", "end"}


def test_ag_44_the_turn_ends_by_itself_when_no_free_card_can_be_used() -> None:
    table = alone("granada", "barricada", character="bruno").does("go 2,9")
    assert table.does("throw granada 3,7").asked == 1


def test_ag_44_a_free_card_without_a_cell_to_use_it_on_does_not_hold_the_turn() -> None:
    """No cell near is free for the barricade in the hand. There is one for a trap."""
    street = "5 .======.\n6 .~OBOc~."
    assert alone("barricada", character="marta", street=street).does("go 2,9").asked == 1
    assert alone("barricada", "cepo", character="marta", street=street).does("go 2,9").asked == 0


def test_ag_44_ending_the_turn_leaves_free_cards_unused() -> None:
    table = alone("granada", character="bruno").does("go 2,9").does("end")
    assert (table.asked, table.hand(0)) == (1, ["granada"])


@pytest.mark.parametrize("card", ["bomba_casera", "coctel_molotov", "granada"])
def test_ag_44_the_three_area_cards_are_free_to_bruno(card: str) -> None:
    assert alone(card, character="bruno").does(f"throw {card} 3,7").asked == 0


@pytest.mark.parametrize("weapon", ["escopeta", "lanzallamas"])
def test_ag_44_a_weapon_that_attacks_an_area_is_not(weapon: str) -> None:
    table = seated(Player("bruno", (2, 9), weapon=weapon), Player("marta", FAR), street="7 ..C.....")
    assert table.does("shoot up", 1).asked == 1


@pytest.mark.parametrize(
    ("card", "cells"),
    [
        ("barricada", "3,6"),
        ("barricada_doble", "3,6 4,6"),
        ("foso", "3,6"),
        ("cepo", "3,6"),
        ("bote_de_aceite", "3,6"),
        ("barril_explosivo", "3,6"),
    ],
)
def test_ag_44_every_placing_card_is_free_to_marta(card: str, cells: str) -> None:
    assert alone(card, character="marta").does(f"place {card} {cells}").asked == 0


# Hands


def hand_of(character: str, *hand: str, wears: str | None = None, deck: tuple[str, ...] = ("cepo", "foso")) -> Table:
    player = Player(character, (3, 9), hand, "pistola", wears=wears)
    return seated(player, Player("ismael", FAR), deck=(*deck, *["ballesta"] * 5))


@pytest.mark.parametrize(
    ("character", "wears", "limit"),
    [("lia", None, 3), ("vera", None, 4), ("lia", "chaleco_tactico", 4), ("vera", "chaleco_tactico", 5)],
)
def test_ag_25_the_hand_limit_is_3_vera_has_4_and_the_chaleco_adds_1(
    character: str, wears: str | None, limit: int
) -> None:
    table = hand_of(character, *["barricada"] * 5, wears=wears).does("search")
    while table.asked == 0:
        table.does("discard barricada")
    assert len(table.hand(0)) == limit


def test_ag_25_one_card_a_decision_any_of_the_hand() -> None:
    table = hand_of("lia", "granada", "granada", "barricada").does("search")
    assert table.may() == ["discard granada", "discard barricada", "discard foso", "discard cepo"]
    table.does("discard granada")
    assert (table.asked, table.discards) == (0, ["granada"])
    table.does("discard cepo")
    assert (table.asked, table.hand(0)) == (1, ["granada", "barricada", "foso"])


def test_ag_25_what_lies_on_the_table_does_not_count() -> None:
    player = Player("lia", (3, 9), ["granada"], "pistola", ["mira_telescopica"], "honda")
    table = seated(player, Player("ismael", FAR), deck=["cepo", "foso"]).does("search")
    assert (table.asked, len(table.hand(0))) == (1, 3)


def test_ag_25_weapons_never_run_out() -> None:
    table = alone(street="6 ...C....").does("shoot 1", 1)
    assert (table.on_table(0)[0], table.discards) == ("pistola", [])


@pytest.mark.parametrize(("what", "card"), [("throw granada 3,7", "granada"), ("place foso 3,7", "foso")])
def test_ag_25_single_use_cards_are_discarded(what: str, card: str) -> None:
    table = alone(card).does(what)
    assert (table.hand(0), table.discards) == ([], [card])
