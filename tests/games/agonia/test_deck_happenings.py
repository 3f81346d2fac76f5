"""What event cards do: AG-48, AG-50, AG-52, AG-56."""

from referee.games.agonia.box.board import BOARDS, BoardName, xy
from referee.games.agonia.box.cards import EVENTS
from referee.games.agonia.deck import HAPPENINGS
from referee.games.agonia.position.agenda import Supplies
from referee.games.agonia.position.events import Cleared, Jammed, Spawned
from tests.games.agonia.table import FILLER, Player, Table, cards, named, seated

FAR = (7, 1)


def draws(event: str, *, street: str = "", board: BoardName = "main", weapon: str | None = "pistola") -> Table:
    """Seat 0 searches and draws the event, then a foso. Seat 1 comes next."""
    players = (Player("lia", (3, BOARDS[board].height - 1), (), weapon), Player("ismael", (0, 1)))
    return seated(*players, street=street, board=board, deck=[event, *["foso"] * 9]).does("search")


def test_every_event_is_known() -> None:
    assert set(HAPPENINGS) == set(EVENTS)


# Disparo de apoyo


def test_disparo_de_apoyo_attacks_the_enemy_nearest_the_entrance_with_damage_2() -> None:
    table = draws("disparo_de_apoyo", street="3 ..CC....\n2 .C......").rolls(6)
    assert (table.needed, [enemy.life for enemy in table.state.enemies]) == ([2], [1, 2, 2])


def test_ag_50_the_enjambre_hinders_it() -> None:
    assert draws("disparo_de_apoyo", street="3 ..jC....").rolls(1).needed == [2]


def test_ag_56_without_an_enemy_it_does_nothing() -> None:
    assert draws("disparo_de_apoyo").asked == 1


# Calma tensa, horda, estampida


def test_ag_52_after_calma_tensa_nobody_appears_at_the_end_of_the_round() -> None:
    table = draws("calma_tensa").does("end")
    assert (table.asked, table.state.counter, table.enemies) == (0, 3, [])


def test_horda_brings_one_enemy_at_once() -> None:
    table = draws("horda").rolls(4)
    assert ([event.die for event in table.of(Spawned)], len(table.enemies), table.asked) == ([4], 1, 1)


def test_ag_48_the_horde_is_there_before_the_next_card_is_drawn() -> None:
    table = draws("horda")
    assert (table.label, table.hand(0)) == ("horde/2/1", [])
    assert table.rolls(1).hand(0) == ["foso"]


def three_draw(*top: str) -> Table:
    """Three players are about to have their turns. The street is empty, and these cards are on top of the deck."""
    players = (Player("lia", (3, 9)), Player("ismael", FAR), Player("marta", (0, 1)))
    return seated(*players, deck=[*top, *["foso"] * 9])


def test_ag_52_after_calma_tensa_a_horda_that_another_seat_draws_later_in_the_round_brings_nobody() -> None:
    table = three_draw("calma_tensa", "foso", "horda", "horda").does("search").does("end").does("search")
    assert (table.of(Spawned), table.asked, table.enemies) == ([], 0, [])
    assert (table.state.round, table.state.counter, table.state.spawned) == (3, 3, 0)


def test_ag_52_after_calma_tensa_a_horda_in_the_same_search_brings_nobody() -> None:
    table = three_draw("calma_tensa", "horda").does("search")
    assert (table.asked, table.enemies, sorted(table.discards)) == (1, [], ["calma_tensa", "horda"])


def test_ag_52_a_horda_before_calma_tensa_brings_its_enemy_and_nobody_follows() -> None:
    table = three_draw("horda", "foso", "calma_tensa", "foso").does("search", 2)
    assert (table.asked, table.enemies) == (1, [1])
    table = table.does("search").does("end")
    assert (table.of(Spawned), table.state.round, table.state.counter, table.enemies) == ([], 3, 3, [1])


def test_ag_52_in_the_draws_of_a_round_too_the_order_of_the_two_decides() -> None:
    draws_of_the_round = (Supplies((0, 1, 2)),)
    players = (Player("lia", (3, 9)), Player("ismael", FAR), Player("marta", (0, 1)))
    assert seated(*players, first=draws_of_the_round, deck=["calma_tensa", "horda", "foso", "foso"]).asked == 0
    table = seated(*players, first=draws_of_the_round, deck=["horda", "calma_tensa", "foso", "foso"])
    assert table.label == "horde/2/1"
    assert table.rolls(3).enemies == [1]


def test_ag_52_a_round_after_calma_tensa_horda_brings_an_enemy_again() -> None:
    table = draws("calma_tensa").does("end")
    assert table.having(deck=cards("horda", "foso")).does("search").label == "horde/3/1"


def test_ag_52_on_the_last_cell_of_the_counter_horda_does_nothing() -> None:
    table = seated(Player("lia", (3, 9)), Player("ismael", FAR), deck=["horda", "foso", "foso"], street="3 ..c.....")
    assert table.having(counter=10).does("search").asked == 1


def test_two_hordes_in_one_search_are_two_rolls() -> None:
    table = seated(Player("lia", (3, 9)), Player("ismael", FAR), deck=["horda", "horda", "foso"]).does("search", 1, 1)
    assert [event.die for event in table.of(Spawned)] == [1, 1]


def test_after_estampida_all_move_1_more_in_the_next_advance_only() -> None:
    table = draws("estampida", street="3 .c......").does("end", 5, 6)
    assert xy(table.state.enemies[0].cell) == (1, 5)
    table = table.having(calm=True).does("end").does("end")
    assert xy(table.state.enemies[0].cell) == (1, 6)


# Derrumbe


def test_ag_56_derrumbe_removes_the_barricade_nearest_the_entrance() -> None:
    assert draws("derrumbe", street="3 .=...=..\n4 ...=....").tokens == {"barricada": [((1, 3),), ((5, 3),)]}
    assert draws("derrumbe", street="3 .=...=..").tokens == {"barricada": [((5, 3),)]}


def test_ag_56_burning_or_not() -> None:
    assert draws("derrumbe", street="3 .=......\n4 ...1....").tokens == {"barricada": [((1, 3),)]}


def test_ag_56_a_double_counts_by_its_nearest_cell() -> None:
    assert draws("derrumbe", street="3 .=.n....\n4 ...u....").tokens == {"barricada": [((1, 3),)]}


def test_ag_56_other_tokens_stay() -> None:
    table = draws("derrumbe", street="5 .B..O.T.")
    assert (table.asked, set(table.tokens)) == (1, {"barril", "foso", "cepo"})


def test_ag_56_on_the_secondary_board_it_goes_by_the_way_that_is_left() -> None:
    """(9, 1) is 6 steps away. (1, 3) is farther down, but 7 steps away."""
    street = "1 .........=.\n3 .=........."
    assert draws("derrumbe", street=street, board="secondary").tokens == {"barricada": [((1, 3),)]}


# Encasquillada

NEAR = "6 ..cC...."


def jammed(*hand: str, turns: tuple[int, ...] = (0, 1, 0, 1, 0)) -> Table:
    """Seat 0 jammed its pistola by a search in its turn. Its neighbour, seat 1, comes next, then seat 0 again."""
    players = (Player("lia", (3, 9), hand, "pistola"), Player("vera", (4, 9), (), "revolver"))
    return seated(*players, street=NEAR, deck=["encasquillada", *FILLER], turns=turns).does("search").does("keep")


def test_ag_56_the_weapon_of_the_drawer_is_jammed_until_the_end_of_its_next_turn() -> None:
    table = jammed()
    assert table.on_table(0) == ["pistola!", "-"]
    table.does("end")
    assert (table.asked, table.may("shoot")) == (0, [])
    table.does("end")
    assert (table.on_table(0), [event.seat for event in table.of(Cleared)]) == (["pistola", "-"], [0])
    assert table.does("end").may("shoot")


def test_ag_56_all_is_told() -> None:
    table = seated(Player("lia", (3, 9), (), "pistola"), Player("vera", FAR), deck=["encasquillada", "foso"])
    (told,) = table.does("search").of(Jammed)
    assert (told.seat, named(told.card)) == (0, "pistola!")


def test_ag_56_drawn_before_the_own_turn_it_lasts_until_the_end_of_that_turn() -> None:
    players = (Player("lia", (3, 9), (), "pistola"), Player("vera", (4, 9), (), "pistola"))
    first = (Supplies((1, 0)),)
    table = seated(*players, street=NEAR, deck=["encasquillada", "foso", "foso"], first=first, turns=(0, 1, 1))
    assert table.may("shoot")
    table.does("end")
    assert (table.asked, table.may("shoot")) == (1, [])
    assert table.does("end").may("shoot")


def test_ag_56_another_weapon_shoots_at_once() -> None:
    table = jammed("revolver", turns=(0, 1, 0, 0)).does("end").does("equip revolver")
    assert table.hand(0) == ["pistola", "ballesta"]
    assert table.may("shoot")


def test_ag_56_it_is_jammed_wherever_it_goes_whoever_has_it() -> None:
    """Seat 0 changes it for another weapon. Seat 1 gets it and equips it. Seat 0's next turn frees it."""
    players = (Player("lia", (3, 9), ["revolver"], "pistola"), Player("vera", (4, 9)))
    deck = ["encasquillada", "escopeta", "foso", "foso"]
    table = seated(*players, street=NEAR, deck=deck, turns=(0, 1, 1, 1, 0, 1)).does("search").does("equip escopeta")
    assert table.hand(0) == ["revolver", "pistola!"]
    table.does("offer 0 - for pistola!").does("yes").does("equip pistola!")
    assert (table.asked, table.on_table(1), table.may("shoot")) == (1, ["pistola!", "-"], [])
    table.does("end")
    assert table.on_table(1) == ["pistola!", "-"]
    table.does("end")
    assert (table.asked, table.on_table(1)) == (1, ["pistola", "-"])
    assert table.may("shoot")


def test_ag_56_it_is_told_from_others_of_its_name() -> None:
    players = (Player("lia", (3, 9), (), "pistola"), Player("vera", (4, 9)))
    table = seated(*players, deck=["encasquillada", "escopeta", "pistola", "foso", "foso"], turns=(0, 1, 0))
    table.does("search").does("equip escopeta").does("offer 0 - for pistola!").does("no")
    table.does("search")
    assert table.hand(0) == ["pistola", "foso", "pistola!"]
    assert table.may("equip") == ["equip pistola"]


def shuffled_in(*first: str) -> Table:
    """Seat 0 has discarded its jammed weapon. Seat 1 drew the last card, and these are the first of the new deck."""
    players = (Player("lia", (3, 9), ["cepo"] * 3, "pistola"), Player("vera", (4, 9)))
    deck = ["encasquillada", "escopeta", "foso"]
    table = seated(*players, deck=deck, discards=["granada"] * 2, turns=(0, 1, 0, 1))
    table.does("search").does("equip escopeta").does("discard pistola!")
    return table.does("search").shuffles(*first)


def test_ag_56_it_stays_jammed_through_the_discards_and_the_deck() -> None:
    table = shuffled_in("pistola", "granada").does("keep")
    assert table.hand(1) == ["foso", "pistola!"]
    assert table.does("end").hand(1) == ["pistola", "foso"]


def test_ag_56_it_is_freed_in_the_discards_too() -> None:
    players = (Player("lia", (3, 9), ["cepo"] * 3, "pistola"), Player("vera", (4, 9)))
    table = seated(*players, deck=["encasquillada", "escopeta", "foso"], turns=(0, 0, 1)).does("search")
    table.does("equip escopeta").does("discard pistola!")
    assert table.discards == ["encasquillada", "pistola!"]
    assert table.does("end").discards == ["pistola", "encasquillada"]


def test_ag_56_it_is_freed_in_the_deck_too() -> None:
    table = shuffled_in("granada", "granada")
    assert sorted(table.deck) == ["encasquillada", "granada", "pistola!"]
    assert sorted(table.does("end").deck) == ["encasquillada", "granada", "pistola"]


def test_ag_56_without_a_weapon_nothing_is_jammed() -> None:
    table = draws("encasquillada", weapon=None)
    assert (table.asked, table.of(Jammed)) == (1, [])
