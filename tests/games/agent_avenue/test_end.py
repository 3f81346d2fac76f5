"""The end step: AA-08 to AA-10, and the naming of endings (AA-11)."""

import pytest

from referee.games.agent_avenue.state import SideState
from tests.games.agent_avenue.table import Table, cards

OTHER = ["Codebreaker", "Double Agent", "Daredevil", "Sidekick"]
PLENTY = ["Enforcer"] * 4


def ended(
    *,
    active: str,
    other: str,
    lead: int = 0,
    own: tuple[str, ...] = (),
    theirs: tuple[str, ...] = (),
    seat: int = 0,
) -> Table:
    """A turn of `seat`, which has `lead`. Its side recruits `active`, and the other side `other`."""
    mine, yours = [active, other, "Mole", "Sidekick"], OTHER
    turned = slice(None, None, 1 if seat == 0 else -1)
    table = Table.arranged(
        hands=[mine, yours][turned],
        recruited=[own, theirs][turned],
        progress=[lead, 0][turned],
        deck=PLENTY,
        active=seat,
    )
    table.turn(active=active, other=other)
    return table


# Catching


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_08_a_lead_of_seven_catches_and_six_does_not(seat: int) -> None:
    caught = ended(seat=seat, active="Double Agent", own=("Double Agent",), other="Saboteur")
    assert caught.lead(seat) == 7
    assert caught.result == ("caught", seat)
    escaped = ended(seat=seat, active="Double Agent", own=("Double Agent",), other="Sentinel")
    assert escaped.lead(seat) == 6
    assert escaped.result is None


def test_aa_08_a_pawn_that_moves_on_in_the_same_turn_escapes() -> None:
    table = ended(lead=5, active="Enforcer", own=("Enforcer", "Enforcer"), other="Daredevil")
    assert (table.lead(0), table.result) == (6, None)


def test_aa_08_a_pawn_that_moves_back_onto_the_other_is_caught() -> None:
    table = ended(lead=4, active="Codebreaker", other="Mole")
    assert (table.lead(0), table.result) == (7, ("caught", 0))


def test_aa_08_the_side_that_is_not_active_catches_too() -> None:
    table = ended(lead=-4, active="Mole", other="Codebreaker")
    assert (table.lead(1), table.result) == (7, ("caught", 1))


@pytest.mark.parametrize(("progress", "expected"), [((14, -1), 15), ((5, -9), 14), ((6, -14), 20)])
def test_aa_08_a_lead_is_counted_in_spaces_walked_and_never_modulo_the_ring(
    progress: tuple[int, int], expected: int
) -> None:
    table = Table.arranged(hands=[["Codebreaker", "Sentinel"], OTHER], progress=progress, deck=PLENTY)
    table.turn(active="Codebreaker", other="Sentinel")
    assert table.lead(0) == expected
    assert table.result == ("caught", 0)


def test_aa_08_standing_on_one_space_the_long_way_round_is_no_catch() -> None:
    """Side 0 has walked back 7 from its home, so both pawns stand on one space. That is a catch by side 1."""
    table = Table.arranged(hands=[["Codebreaker", "Sentinel"], OTHER], progress=(-7, 0), deck=PLENTY)
    table.turn(active="Codebreaker", other="Sentinel")
    assert table.result == ("caught", 1)


def test_aa_08_both_pawns_walking_round_the_ring_change_no_lead() -> None:
    table = Table.arranged(hands=[["Codebreaker", "Sentinel"], OTHER], progress=(30, 27), deck=PLENTY)
    table.turn(active="Codebreaker", other="Sentinel")
    assert (table.lead(0), table.result) == (3, None)


# The two names that decide


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("before", [2, 3])
def test_aa_08_three_codebreakers_or_more_win(seat: int, before: int) -> None:
    table = ended(seat=seat, active="Codebreaker", own=("Codebreaker",) * before, other="Sentinel")
    assert table.result == ("codebreakers", seat)
    table = ended(seat=seat, other="Codebreaker", theirs=("Codebreaker",) * before, active="Sentinel")
    assert table.result == ("codebreakers", 1 - seat)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("before", [2, 3])
def test_aa_08_three_daredevils_or_more_lose(seat: int, before: int) -> None:
    table = ended(seat=seat, active="Daredevil", own=("Daredevil",) * before, other="Sentinel")
    assert table.result == ("daredevils", 1 - seat)
    table = ended(seat=seat, other="Daredevil", theirs=("Daredevil",) * before, active="Sentinel")
    assert table.result == ("daredevils", seat)


@pytest.mark.parametrize("name", ["Codebreaker", "Daredevil"])
def test_aa_08_two_of_them_end_nothing(name: str) -> None:
    table = ended(active=name, own=(name,), other="Sentinel", theirs=(name, name))
    assert table.result is None


def test_aa_08_only_agents_in_front_of_a_side_count_not_those_in_hands() -> None:
    table = Table.arranged(
        hands=[["Codebreaker", "Codebreaker", "Enforcer", "Mole"], ["Daredevil"] * 4],
        recruited=[["Codebreaker"], ["Daredevil"]],
    )
    table.turn(active="Enforcer", other="Mole")
    assert table.result is None


def test_aa_08_nothing_is_tested_before_the_end_step() -> None:
    """A position that would end a turn is played on until the turn is over."""
    table = Table.arranged(
        hands=[["Mole", "Enforcer", "Saboteur", "Sentinel"], OTHER], recruited=[["Codebreaker"] * 3, []]
    )
    table.discards("Sentinel")
    table.plays(up="Mole", down="Enforcer")
    assert table.outcome is None
    table.recruits("face up")
    assert table.result == ("codebreakers", 0)


# Claims


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_09_both_have_a_winning_condition_the_active_side_wins(seat: int) -> None:
    """The other side gets its third Codebreaker in the turn in which it is caught."""
    table = ended(
        seat=seat,
        lead=1,
        active="Double Agent",
        own=("Double Agent",),
        other="Codebreaker",
        theirs=("Codebreaker", "Codebreaker"),
    )
    assert table.result == ("several", seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_09_the_other_side_catches_but_has_three_daredevils_the_active_side_wins(seat: int) -> None:
    table = ended(seat=seat, lead=-7, active="Sentinel", other="Daredevil", theirs=("Daredevil", "Daredevil"))
    assert table.lead(1 - seat) == 7
    assert table.result == ("several", seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_09_the_active_side_catches_but_has_three_daredevils_and_still_wins(seat: int) -> None:
    table = ended(seat=seat, lead=7, active="Daredevil", own=("Daredevil", "Daredevil"), other="Sentinel")
    assert table.result == ("several", seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_09_both_have_three_daredevils_the_active_side_wins(seat: int) -> None:
    twice = ("Daredevil", "Daredevil")
    table = Table.arranged(hands=[["Daredevil"] * 2] * 2, recruited=[twice, twice], deck=PLENTY, active=seat)
    table.turn(active="Daredevil", other="Daredevil")
    assert table.result == ("daredevils", seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_09_two_claims_of_one_side_that_is_not_active_win_for_it(seat: int) -> None:
    """The active side is caught in the turn in which it gets its third Daredevil. Only the other side has claims."""
    table = ended(seat=seat, lead=-6, active="Daredevil", own=("Daredevil",) * 2, other="Enforcer")
    assert table.lead(1 - seat) == 7
    assert table.result == ("several", 1 - seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_09_a_sole_claim_wins_whoever_is_active(seat: int) -> None:
    assert ended(seat=seat, lead=7, active="Sentinel", other="Codebreaker").result == ("caught", seat)
    assert ended(seat=seat, lead=-7, active="Sentinel", other="Codebreaker").result == ("caught", 1 - seat)


# Running out


def last_turn(*, lead: int, seat: int = 0, left: int = 1, deck: tuple[str, ...] = ()) -> Table:
    """The active side plays its last two cards, which move nobody. The next side holds `left` cards."""
    turned = slice(None, None, 1 if seat == 0 else -1)
    table = Table.arranged(
        hands=[["Codebreaker", "Sentinel"], OTHER[:left]][turned],
        progress=[lead, 0][turned],
        active=seat,
        deck=deck,
    )
    table.turn(active="Codebreaker", other="Sentinel")
    return table


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("left", [0, 1])
def test_aa_10_deck_empty_and_the_next_side_below_two_cards_the_larger_lead_wins(seat: int, left: int) -> None:
    assert last_turn(lead=1, seat=seat, left=left).result == ("ran_out", seat)
    assert last_turn(lead=-1, seat=seat, left=left).result == ("ran_out", 1 - seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_10_equal_leads_the_active_side_wins(seat: int) -> None:
    assert last_turn(lead=0, seat=seat).result == ("ran_out", seat)


def test_aa_10_two_cards_are_enough_for_the_next_side_whatever_the_active_one_holds() -> None:
    table = last_turn(lead=0, left=2)
    assert table.hand(0) == []
    assert table.result is None
    assert table.asked == (1,)


def test_aa_10_it_is_the_next_sides_hand_that_counts_not_the_active_ones() -> None:
    table = Table.arranged(hands=[["Codebreaker", "Sentinel", "Mole", "Enforcer"], ["Mole"]], deck=[])
    table.turn(active="Codebreaker", other="Sentinel")
    assert len(table.hand(0)) == 2
    assert table.result == ("ran_out", 0)


def test_aa_10_while_the_deck_has_cards_nothing_has_run_out() -> None:
    table = Table.arranged(hands=[["Codebreaker", "Sentinel"], ["Mole"]], deck=[])
    table.plays(up="Sentinel", down="Codebreaker")
    with_a_card = table.goes_on(deck=cards("Enforcer"))
    with_a_card.recruits("face up")
    assert with_a_card.result is None
    table.recruits("face up")
    assert table.result == ("ran_out", 0)


def test_aa_10_the_check_looks_at_the_deck_after_the_draws() -> None:
    table = last_turn(lead=2, left=0, deck=("Enforcer",) * 4)
    assert (table.hand(0), table.hand(1)) == (["Enforcer"] * 4, [])
    assert table.result == ("ran_out", 0)


def test_aa_10_a_condition_of_the_end_step_comes_first() -> None:
    assert last_turn(lead=7).result == ("caught", 0)
    assert last_turn(lead=-7).result == ("caught", 1)


def test_aa_10_without_any_other_result_all_38_cards_are_played_in_19_turns() -> None:
    """The sides are cleared after every turn, so that only running out can end the game."""
    table = Table.dealt(*["Enforcer", "Saboteur"] * 6)
    while table.result is None:
        table = table.goes_on(sides=(SideState(), SideState()))
        names = table.hand(table.state.active)
        table.turn(active=names[-1], other=names[0])
    assert (table.result[0], table.state.turn) == ("ran_out", 19)


# The outcome


def test_aa_11_conditions_of_more_than_one_kind_are_called_several() -> None:
    table = ended(lead=7, active="Codebreaker", own=("Codebreaker",) * 2, other="Sentinel")
    assert table.result == ("several", 0)


def test_aa_11_the_same_condition_on_both_sides_is_not_several() -> None:
    twice = ("Codebreaker", "Codebreaker")
    table = Table.arranged(hands=[["Codebreaker"] * 2] * 2, recruited=[twice, twice], deck=PLENTY, active=1)
    table.turn(active="Codebreaker", other="Codebreaker")
    assert table.result == ("codebreakers", 1)


def test_the_outcome_places_the_winner_first_and_names_the_sides() -> None:
    outcome = ended(seat=1, lead=7, active="Sentinel", other="Codebreaker").outcome
    assert outcome is not None
    assert outcome.places == (2, 1)
    assert [side.seats for side in outcome.sides] == [(0,), (1,)]


def test_nobody_is_asked_after_the_end_and_nothing_lies_on_the_table() -> None:
    table = ended(lead=7, active="Sentinel", other="Codebreaker")
    assert table.outcome is not None
    assert table.view(0).face_up is None
    assert table.state.sides[0].recruited == cards("Sentinel")
