"""Cards that are drawn: searches, round draws, suministros, the end of the deck. AG-22, AG-23, AG-25, AG-48."""

from referee.games.agonia.position.agenda import Supplies, Trim
from referee.games.agonia.position.events import Drew, Reshuffled, Rolled
from tests.games.agonia.table import FILLER, Player, Table, named, seated

FAR = (7, 1)
MIRA = "mira_telescopica"


def searcher(
    *deck: str,
    hand: tuple[str, ...] = (),
    weapon: str | None = "pistola",
    discards: tuple[str, ...] = (),
    street: str = "",
) -> Table:
    """Lía searches. Ismael stands far away and has nothing."""
    players = (Player("lia", (3, 9), hand, weapon), Player("ismael", FAR))
    return seated(*players, deck=deck, discards=discards, street=street).does("search")


def drawn(table: Table) -> list[tuple[int, str, bool]]:
    """Seat, card, and whether it acted."""
    return [(event.seat, named(event.card), event.acts) for event in table.of(Drew)]


# A search


def test_ag_23_a_search_draws_two() -> None:
    table = searcher("cepo", "foso", "granada")
    assert (table.hand(0), table.deck, table.asked) == (["foso", "cepo"], ["granada"], 1)
    assert drawn(table) == [(0, "cepo", False), (0, "foso", False)]


def test_ag_23_of_these_two_what_can_be_equipped_may_be_at_once_for_free() -> None:
    table = searcher("revolver", "honda", hand=("escopeta",))
    assert table.may() == ["equip revolver", "equip honda", "keep"]
    table.does("equip honda")
    assert table.may() == ["equip revolver", "keep"]
    table.does("equip revolver")
    assert (table.on_table(0), table.hand(0), table.asked) == (["revolver", "honda"], ["pistola", "escopeta"], 1)


def test_ag_23_or_kept() -> None:
    table = searcher("revolver", "cepo").does("keep")
    assert (table.on_table(0), table.hand(0), table.asked) == (["pistola", "-"], ["revolver", "cepo"], 1)


def test_ag_23_one_drawn_weapon_may_follow_the_other() -> None:
    table = searcher("revolver", "escopeta").does("equip revolver")
    assert table.may() == ["equip escopeta", "keep"]
    assert table.does("equip escopeta").hand(0) == ["pistola", "revolver"]


def test_ag_47_joining_is_free_in_a_search() -> None:
    assert searcher(MIRA, "cepo").does(f"equip {MIRA}").on_table(0) == ["pistola", MIRA, "-"]


def test_ag_47_a_drawn_weapon_can_be_joined_at_once() -> None:
    table = searcher(MIRA, "revolver", weapon="escopeta")
    assert table.may() == ["equip revolver", "keep"]
    table.does("equip revolver")
    assert table.may() == [f"equip {MIRA}", "keep"]


def test_ag_23_what_cannot_be_equipped_is_not_asked_about() -> None:
    assert searcher(MIRA, "cepo", weapon="escopeta").asked == 1


def test_ag_23_a_card_that_was_in_the_hand_before_is_not_free() -> None:
    assert searcher("cepo", "foso", hand=("revolver",)).asked == 1


def test_ag_25_a_search_ends_with_the_hand_limit_after_what_was_equipped() -> None:
    table = searcher("revolver", "cepo", "foso", hand=("granada", "granada")).does("equip revolver")
    assert table.may() == ["discard pistola", "discard granada", "discard cepo"]
    assert table.does("discard cepo").asked == 1


def test_ag_23_events_drawn_in_a_search_take_effect_at_once() -> None:
    table = searcher("estampida", "cepo")
    assert (table.state.stampedes, table.hand(0), table.discards) == (1, ["cepo"], ["estampida"])
    assert drawn(table) == [(0, "estampida", True), (0, "cepo", False)]


def test_ag_48_an_event_takes_effect_before_the_next_draw() -> None:
    table = searcher("disparo_de_apoyo", "cepo", street="3 ..C.....")
    assert (table.hand(0), len(table.deck)) == ([], 1)
    table.rolls(6)
    kinds = [type(event) for event in table.heard if isinstance(event, Drew | Rolled)]
    assert (kinds, table.hand(0)) == ([Drew, Rolled, Drew], ["cepo"])


# Suministros


def test_ag_48_with_suministros_everybody_draws_from_the_first_player_on() -> None:
    players = (Player("lia", (3, 9)), Player("ismael", FAR), Player("bruno", (0, 1)))
    table = seated(*players, deck=["suministros", "cepo", "foso", "granada", "bomba_casera"])
    table = table.having(order=(1, 2, 0)).does("search")
    assert drawn(table) == [
        (0, "suministros", True),
        (1, "cepo", False),
        (2, "foso", False),
        (0, "granada", False),
        (0, "bomba_casera", False),
    ]


def test_ag_48_events_drawn_because_of_suministros_act_and_are_not_replaced() -> None:
    table = searcher("suministros", "estampida", "calma_tensa", "cepo", "foso")
    assert drawn(table)[1:] == [(0, "estampida", True), (1, "calma_tensa", True), (0, "cepo", False)]
    assert (table.state.stampedes, table.state.calm, table.deck) == (1, True, ["foso"])
    assert sorted(table.discards) == ["calma_tensa", "estampida", "suministros"]


def test_ag_48_the_effect_of_such_an_event_is_over_before_the_next_player_draws() -> None:
    table = searcher("suministros", "disparo_de_apoyo", "cepo", "foso", street="3 ..C.....")
    assert (drawn(table)[1:], table.hand(1)) == ([(0, "disparo_de_apoyo", True)], [])
    assert table.rolls(1).hand(1) == ["cepo"]


def test_ag_48_encasquillada_jams_the_weapon_of_the_player_who_draws_it() -> None:
    players = (Player("lia", (3, 9), (), "pistola"), Player("ismael", FAR, (), "rifle_de_caza"))
    table = seated(*players, deck=["suministros", "cepo", "encasquillada", "foso"]).does("search")
    assert (table.on_table(0), table.on_table(1)) == (["pistola", "-"], ["rifle_de_caza!", "-"])


def test_ag_48_a_second_suministros_is_over_with_its_discards_before_the_first_goes_on() -> None:
    players = (Player("lia", (3, 9)), Player("ismael", FAR, ["cepo"] * 3))
    deck = ["suministros", "suministros", "foso", "granada", "foso", "honda", "foso", "revolver"]
    table = seated(*players, deck=deck).does("search")
    assert drawn(table)[1:] == [(0, "suministros", True), (0, "foso", False), (1, "granada", False)]
    assert table.asked == 1
    table.does("discard granada")
    assert (table.hand(0), table.hand(1), table.asked) == (["foso"], ["foso", "cepo", "cepo", "cepo"], 1)
    table.does("discard foso")
    assert (table.hand(0), table.deck, table.asked) == (["foso", "honda"], ["foso", "revolver"], 0)


def test_ag_48_a_victory_by_such_an_event_ends_the_match_at_once() -> None:
    players = (Player("lia", (3, 9)), Player("ismael", FAR))
    deck = ["suministros", "disparo_de_apoyo", *FILLER]
    table = seated(*players, deck=deck, street="3 ..c.....").having(counter=10).does("search", 6)
    assert table.state.outcome is not None
    assert (table.state.outcome.ending, table.hand(1)) == ("victory", [])


def test_ag_48_there_is_no_free_equipping_of_them() -> None:
    assert searcher("suministros", "revolver", "honda", "cepo", "foso").asked == 1


def test_ag_48_then_who_is_above_the_limit_discards_in_turn_order_before_the_search_goes_on() -> None:
    players = (Player("lia", (3, 9), ["granada"] * 3), Player("ismael", FAR, ["cepo"] * 3))
    table = seated(*players, deck=["suministros", "foso", "foso", "bomba_casera"]).having(order=(1, 0)).does("search")
    assert table.asked == 1
    table.does("discard cepo")
    assert (table.asked, table.deck) == (0, ["bomba_casera"])
    table.does("discard granada")
    table.shuffles()
    assert (table.asked, sorted(table.deck)) == (0, ["cepo", "granada", "suministros"])
    assert table.does("discard granada").asked == 1


def test_ag_48_what_was_found_and_then_discarded_cannot_be_equipped() -> None:
    table = searcher("revolver", "suministros", "cepo", "cepo", "foso", hand=("granada", "granada", "granada"))
    table.does("discard revolver")
    table.does("discard cepo")
    assert (table.asked, table.on_table(0)) == (1, ["pistola", "-"])


# Round draws


def supplied(*deck: str, hand: tuple[str, ...] = ()) -> Table:
    """The draws of a round in which seat 1 is the first player."""
    players = (Player("lia", (3, 9), hand, "pistola"), Player("ismael", FAR, hand))
    first = (Supplies((1, 0)), Trim((1, 0)))
    return seated(*players, deck=deck, first=first, street="3 ..C.....")


def test_ag_22_everybody_draws_one_before_acting_in_turn_order() -> None:
    table = supplied("cepo", "foso", "granada")
    assert (table.hand(1), table.hand(0), table.deck) == (["cepo"], ["foso"], ["granada"])


def test_ag_22_events_drawn_then_take_effect_and_are_not_replaced() -> None:
    table = supplied("estampida", "foso", "granada")
    assert (table.hand(1), table.hand(0), table.state.stampedes, table.deck) == ([], ["foso"], 1, ["granada"])


def test_ag_48_an_event_of_a_round_draw_acts_before_the_next_seat_draws() -> None:
    table = supplied("disparo_de_apoyo", "foso")
    assert (table.hand(0), table.deck) == ([], ["foso"])
    assert table.rolls(1).hand(0) == ["foso"]


def test_ag_48_round_draws_are_not_equipped_for_free() -> None:
    assert supplied("revolver", "honda").may("go")


def test_ag_48_after_all_draws_everyone_above_the_limit_discards_in_turn_order() -> None:
    table = supplied("foso", "cepo", "honda", hand=("granada",) * 3)
    assert (table.asked, table.deck) == (1, ["honda"])
    table.does("discard foso")
    assert table.asked == 0
    assert table.does("discard granada").may("search")


# The end of the deck


def test_ag_25_the_discards_are_shuffled_when_the_deck_becomes_empty() -> None:
    table = searcher("cepo", discards=("granada", "foso", "honda"))
    assert (table.hand(0), table.deck, len(table.discards)) == (["cepo"], [], 3)
    table.shuffles("foso", "honda")
    assert (table.hand(0), table.deck, table.discards) == (["foso", "cepo"], ["honda", "granada"], [])
    assert [event.cards for event in table.of(Reshuffled)] == [3]


def test_ag_25_also_if_no_other_card_is_to_be_drawn() -> None:
    table = searcher("cepo", "foso", discards=("granada",))
    assert table.label == "cards/1"
    assert (table.shuffles().deck, table.asked) == (["granada"], 1)


def test_ag_25_each_shuffle_has_a_label_of_its_own() -> None:
    labels = []
    for shuffles in (0, 1):
        table = seated(Player("lia", (3, 9)), Player("ismael", FAR), deck=["foso", "foso"], discards=["cepo"])
        labels.append(table.having(shuffles=shuffles).does("search").label)
    assert labels == ["cards/1", "cards/2"]


def test_ag_25_an_event_that_empties_the_deck_is_shuffled_in_before_it_acts() -> None:
    table = searcher("estampida", discards=("foso",))
    assert table.state.stampedes == 0
    table.shuffles("estampida")
    assert (table.state.stampedes, table.deck, table.discards) == (2, ["foso"], ["estampida"])


def test_ag_25_without_any_card_nothing_is_drawn() -> None:
    table = searcher("cepo")
    assert (table.hand(0), table.asked) == (["cepo"], 1)


def test_ag_25_without_discards_the_first_discarded_card_becomes_the_deck_at_once() -> None:
    table = searcher("cepo", "foso", hand=("granada",) * 3).does("discard granada")
    assert (table.shuffles().deck, table.discards) == (["granada"], [])
    assert (table.does("discard granada").deck, table.discards, table.asked) == (["granada"], ["granada"], 1)


def test_ag_25_a_card_that_is_used_up_goes_to_the_discards_before_its_effect() -> None:
    table = seated(Player("lia", (3, 9), ["granada"]), Player("ismael", FAR), deck=(), street="7 ..cc....")
    table.does("throw granada 2,7")
    assert table.label == "cards/1"
    assert table.shuffles().rolls(1, 1).deck == ["granada"]


def test_ag_25_a_token_is_on_the_board_before_its_card_is_shuffled() -> None:
    table = seated(Player("lia", (3, 9), ["foso"]), Player("ismael", FAR), deck=()).does("place foso 3,7")
    assert (table.label, len(table.state.tokens)) == ("cards/1", 1)


def test_round_draws_end_without_any_card_too() -> None:
    assert supplied("cepo").hand(0) == []


def test_the_order_of_the_deck_is_in_no_view() -> None:
    table = seated(Player("lia", (3, 9)), Player("ismael", FAR), deck=FILLER)
    assert table.view(0).deck_count == len(FILLER)
    assert not hasattr(table.view(0), "deck")
