"""Before the first round."""

import pytest

from referee.core.game import Decide, Roll, Shuffle
from referee.games.agonia import rules
from referee.games.agonia.box import cards
from referee.games.agonia.box.board import BOARDS, NOWHERE
from referee.games.agonia.box.cards import Card
from referee.games.agonia.box.characters import PRINTS, Character
from referee.games.agonia.box.enemies import PILE
from referee.games.agonia.position.actions import Go
from referee.games.agonia.position.agenda import Turn
from referee.games.agonia.position.events import Acted, Dealt, OrderSet, RolledForFirst
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import State
from referee.games.agonia.rounds import setup

CAST = "vera,ismael,lia"


def dealt(*top: Card, characters: str = CAST) -> State:
    """The cards are dealt. These are on top of the deck."""
    state = setup(Options(characters=characters), len(characters.split(",")))
    left = list(cards.DECK)
    for seat in state.seats:
        left.remove(seat.weapon or 0)
    order, rest = list[int](), list(range(len(left)))
    for card in top:
        order.append(next(place for place in rest if left[place] == card))
        rest.remove(order[-1])
    state = placed(rolled((6, *[1] * (len(state.seats) - 1)), characters=characters))
    assert rules.awaiting(state) == Shuffle("cards", len(left))
    return rules.luck(state, (*order, *rest))[0]


def rolled(*rolls: tuple[int, ...], characters: str = CAST) -> State:
    """The dice for the first turn fell like this."""
    state = setup(Options(characters=characters), len(characters.split(",")))
    for roll in rolls:
        state, _ = rules.luck(state, tuple(die - 1 for die in roll))
    return state


def placed(state: State) -> State:
    """Every player starts on the first free cell."""
    for seat in state.order:
        assert rules.awaiting(state) == Decide((seat,))
        state, _ = rules.apply(state, {seat: rules.legal(state, seat)[0]})
    return state


def begun(*rolls: tuple[int, ...]) -> State:
    """The first turn. These rolls come before it."""
    state = placed(rolled(*rolls))
    for count in (len(state.deck), len(PILE)):
        state, _ = rules.luck(state, tuple(range(count)))
    return state


def test_ag_51_characters_are_drawn_or_fixed_by_seat() -> None:
    state = setup(Options(), 2)
    assert rules.awaiting(state) == Shuffle("characters", 5)
    drawn, _ = rules.luck(state, (4, 1, 0, 2, 3))
    assert [seat.character for seat in drawn.seats] == [Character.LIA, Character.BRUNO]
    fixed = setup(Options(characters=CAST), 3)
    assert [seat.character for seat in fixed.seats] == [Character.VERA, Character.ISMAEL, Character.LIA]


def test_ag_51_the_characters_start_with_their_own_weapons() -> None:
    weapons = [PRINTS[character].weapon for character in Character]
    assert weapons == [Card.PISTOLA, Card.REVOLVER, Card.PISTOLA, Card.RIFLE_DE_CAZA, Card.ESCOPETA]


def test_ag_51_starting_items_leave_the_deck_and_those_of_others_stay_in_it() -> None:
    state = dealt()
    held = [card for seat in state.seats for card in (*seat.hand, seat.weapon or 0)]
    assert sorted((*state.deck, *state.discards, *held)) == list(cards.DECK)
    assert [seat.weapon for seat in state.seats] == [Card.PISTOLA, Card.RIFLE_DE_CAZA, Card.ESCOPETA]
    everything = (*state.deck, *state.discards, *(card for seat in state.seats for card in seat.hand))
    assert everything.count(Card.PISTOLA) == 4
    assert everything.count(Card.REVOLVER) == 3


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"rounds": 2}, "rounds is 2; allowed: 3 to 30"),
        ({"rounds": 31}, "rounds is 31; allowed: 3 to 30"),
        ({"characters": "vera"}, "allowed: drawn, or 2 to 5 different ones of vera, bruno, marta, ismael, lia"),
        ({"characters": "vera,vera"}, "2 to 5 different ones"),
        ({"characters": "vera,nobody"}, "characters is 'vera,nobody'"),
    ],
)
def test_ag_51_what_cannot_be_agreed_is_refused_with_what_can(options: dict[str, object], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        Options(**options)  # type: ignore[arg-type]  # wrong on purpose


def test_ag_22_everybody_opens_with_three_cards_and_events_are_drawn_again() -> None:
    hand = (Card.GRANADA, Card.HORDA, Card.FOSO, Card.DERRUMBE, Card.CEPO)
    state = dealt(*hand, Card.HONDA)
    assert state.seats[0].hand == (Card.GRANADA, Card.FOSO, Card.CEPO)
    assert state.seats[1].hand[-1] == Card.HONDA
    assert state.discards == (Card.HORDA, Card.DERRUMBE)
    assert all(len(seat.hand) == 3 for seat in state.seats)


def test_ag_22_what_is_dealt_is_told_with_the_events_passed() -> None:
    _, told = rules.luck(placed(rolled((6, 5, 2))), tuple(range(61)))
    assert [type(event) for event in told] == [Dealt] * 3


def test_ag_20_the_counter_has_10_rounds_for_2_or_3_players_and_12_for_more() -> None:
    assert [setup(Options(), players).last for players in (2, 3, 4, 5)] == [10, 10, 12, 12]
    assert setup(Options(rounds=5), 4).last == 5


def test_ag_52_the_counter_starts_on_1_without_supplies() -> None:
    state = begun((1, 6, 2))
    assert (state.round, state.counter) == (1, 1)
    assert state.agenda[0] == Turn(1)


def test_ag_21_the_highest_roll_begins_and_the_next_seat_numbers_follow() -> None:
    assert begun((1, 6, 2)).order == (1, 2, 0)
    assert begun((6, 5, 2)).order == (0, 1, 2)


def test_ag_21_the_rolls_are_told_as_the_dice_show_them() -> None:
    _, told = rules.luck(rolled(), (0, 5, 1))
    assert told[0] == RolledForFirst((0, 1, 2), (1, 6, 2))


def test_ag_21_only_those_who_tie_for_the_highest_roll_again() -> None:
    state = rolled((6, 2, 6))
    assert rules.awaiting(state) == Roll("first/2", 6, 2)
    state, _ = rules.luck(state, (3, 3))
    assert rules.awaiting(state) == Roll("first/3", 6, 2)
    state, told = rules.luck(state, (1, 4))
    assert state.order == (2, 0, 1)
    assert any(isinstance(event, OrderSet) for event in told)


def test_ag_02_in_turn_order_each_player_chooses_a_free_cell_of_the_start_zone() -> None:
    state = rolled((1, 6, 2))
    row = [BOARDS["main"].at(x, 9) for x in range(8)]
    for seat, cell in ((1, row[7]), (2, row[0]), (0, row[3])):
        assert rules.awaiting(state) == Decide((seat,))
        taken = {own.cell for own in state.seats}
        assert rules.legal(state, seat) == tuple(Go(cell) for cell in row if cell not in taken)
        state, told = rules.apply(state, {seat: Go(cell)})
        assert told == (Acted(seat, Go(cell)),)
    assert [own.cell for own in state.seats] == [row[3], row[7], row[0]]


def test_ag_02_until_then_a_player_stands_nowhere() -> None:
    assert {own.cell for own in rolled((1, 6, 2)).seats} == {NOWHERE}


def test_ag_02_a_cell_outside_of_the_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no player can start on cell 16"):
        rules.apply(rolled((1, 6, 2)), {1: Go(16)})


def test_ag_60_the_steps_before_the_first_round_have_this_order() -> None:
    state, labels = setup(Options(), 2), list[str]()
    while not state.round:
        awaited = rules.awaiting(state)
        if isinstance(awaited, Decide):
            labels.append("start")
            (seat,) = awaited.seats
            state, _ = rules.apply(state, {seat: rules.legal(state, seat)[0]})
        elif isinstance(awaited, Roll):
            labels.append(awaited.label)
            state, _ = rules.luck(state, (5, 0))
        else:
            assert isinstance(awaited, Shuffle)
            labels.append(awaited.label)
            state, _ = rules.luck(state, tuple(range(awaited.count)))
    assert labels == ["characters", "first/1", "start", "start", "cards", "tokens"]
