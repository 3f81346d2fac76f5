"""What lies on the table: changes (AG-23), joined cards (AG-47), and the limits that follow (AG-25)."""

import pytest

from referee.games.agonia.position.events import TookBack
from tests.games.agonia.table import Player, Table, names, seated

OTHER = Player("ismael", (7, 1))
MIRA, MUNICION = "mira_telescopica", "municion_perforante"


def changer(
    *hand: str, weapon: str | None = "pistola", joined: tuple[str, ...] = (), wears: str | None = None
) -> Table:
    return seated(Player("lia", (3, 9), hand, weapon, joined, wears), OTHER)


# The change


def test_ag_23_what_can_be_equipped_is_weapons_joined_cards_and_equipment() -> None:
    assert changer("granada", "barricada").may("equip") == []
    assert changer("revolver", MIRA, "honda").may("equip") == ["equip revolver", f"equip {MIRA}", "equip honda"]


def test_ag_23_a_change_replaces_one_which_returns_to_the_hand() -> None:
    table = changer("revolver", "granada").does("equip revolver")
    assert (table.on_table(0), table.hand(0)) == (["revolver", "-"], ["pistola", "granada"])
    assert [names(event.cards) for event in table.of(TookBack)] == [["pistola"]]


def test_ag_23_or_none() -> None:
    table = changer("revolver", weapon=None).does("equip revolver")
    assert (table.on_table(0), table.hand(0), table.of(TookBack)) == (["revolver", "-"], [], [])


def test_ag_23_equipment_is_replaced_by_equipment_only() -> None:
    table = changer("honda", wears="zapatillas").does("equip honda")
    assert (table.on_table(0), table.hand(0)) == (["pistola", "honda"], ["zapatillas"])


def test_ag_23_a_change_is_the_action() -> None:
    assert changer("revolver", "escopeta").does("equip revolver").asked == 1


# Joined cards


def test_ag_47_a_joined_card_takes_no_slot() -> None:
    table = changer(MIRA, wears="honda").does(f"equip {MIRA}")
    assert (table.on_table(0), table.hand(0)) == (["pistola", MIRA, "honda"], [])


def test_ag_47_a_weapon_bears_one_of_each_kind() -> None:
    table = changer(MIRA, MUNICION, joined=(MIRA,))
    assert table.may("equip") == [f"equip {MUNICION}"]
    assert table.does(f"equip {MUNICION}").on_table(0) == ["pistola", MIRA, MUNICION, "-"]


@pytest.mark.parametrize("weapon", ["escopeta", "lanzallamas"])
def test_nothing_joins_a_line(weapon: str) -> None:
    assert changer(MIRA, MUNICION, weapon=weapon).may("equip") == []


def test_what_is_no_firearm_may_bear_both() -> None:
    assert len(changer(MIRA, MUNICION, weapon="ballesta").may("equip")) == 2


def test_ag_47_without_a_weapon_there_is_nothing_to_join() -> None:
    assert changer(MIRA, weapon=None).may("equip") == []


def test_ag_47_if_the_weapon_leaves_the_table_its_joined_cards_go_to_the_hand_with_it() -> None:
    table = changer("revolver", joined=(MIRA, MUNICION)).does("equip revolver")
    assert (table.on_table(0), table.hand(0)) == (["revolver", "-"], ["pistola", MIRA, MUNICION])
    assert [names(event.cards) for event in table.of(TookBack)] == [["pistola", MIRA, MUNICION]]


# Limits


def test_ag_25_after_a_change_the_player_discards_down_to_the_limit() -> None:
    table = changer("revolver", "granada", "cepo", joined=(MIRA, MUNICION)).does("equip revolver")
    assert (table.asked, len(table.hand(0))) == (0, 5)
    table.does("discard cepo").does("discard pistola")
    assert (table.asked, table.hand(0)) == (1, ["granada", MIRA, MUNICION])


def test_ag_25_to_the_limit_then_valid() -> None:
    """The chaleco goes back to the hand, so the hand loses the extra place."""
    table = changer("honda", "granada", "cepo", "foso", wears="chaleco_tactico").does("equip honda")
    assert table.may() == ["discard granada", "discard foso", "discard cepo", "discard chaleco_tactico"]
    assert table.does("discard foso").asked == 1


def test_ag_25_a_chaleco_equipped_makes_room_at_once() -> None:
    assert changer("granada", "cepo", "foso", "chaleco_tactico", wears="honda").does("equip chaleco_tactico").asked == 1
