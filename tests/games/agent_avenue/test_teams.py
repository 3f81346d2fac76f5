"""Teams: AA-40 to AA-45."""

import pytest

from tests.games.agent_avenue.positions import HAND
from tests.games.agent_avenue.table import GAME, Table, cards, named, options

A, B = ["Enforcer", "Saboteur", "Sentinel", "Mole"], ["Codebreaker", "Double Agent", "Daredevil", "Sidekick"]
C, D = ["Enforcer", "Codebreaker", "Saboteur", "Saboteur"], ["Enforcer", "Codebreaker", "Sentinel", "Sentinel"]


def four(**position: object) -> Table:
    """2v2: seats 0 and 2 hold A and C, seats 1 and 3 hold B and D."""
    return Table.arranged(**{"hands": [A, B, C, D], **position})  # type: ignore[arg-type]  # passed on as they came


def three(**position: object) -> Table:
    """2v1: seats 0 and 2 hold A and C, seat 1 holds B."""
    return Table.arranged(**{"hands": [A, B, C], **position})  # type: ignore[arg-type]  # passed on as they came


def quiet_turn(table: Table) -> None:
    """The seat that must play plays. The sides recruit what moves nobody far, and are then cleared."""
    while table.state.phase in ("play", "face_up", "face_down"):
        (seat,) = table.asked
        table.state, table.events = GAME.apply(table.state, {seat: GAME.legal(table.state, seat)[0]})
    table.recruits("face up")


# Who sits where


@pytest.mark.parametrize(
    ("line_up", "sides", "hands"),
    [("1v1", [(0,), (1,)], 2), ("2v2", [(0, 2), (1, 3)], 4), ("2v1", [(0, 2), (1,)], 3)],
)
def test_aa_40_even_seats_are_side_a_and_odd_seats_side_b(
    line_up: str, sides: list[tuple[int, ...]], hands: int
) -> None:
    agreed = options(line_up=line_up)
    assert GAME.seats(agreed) == (hands,)
    assert [side.seats for side in GAME.sides(agreed, hands)] == sides


@pytest.mark.parametrize(
    ("line_up", "begins", "circle"),
    [
        ("2v2", 0, [0, 1, 2, 3, 0, 1, 2, 3]),
        ("2v2", 1, [1, 2, 3, 0, 1, 2, 3, 0]),
        ("2v1", 0, [0, 1, 2, 1, 0, 1, 2, 1]),
        ("2v1", 1, [1, 2, 1, 0, 1, 2, 1, 0]),
    ],
)
def test_aa_40_turns_go_round_the_circle_entered_at_its_first_seat_of_the_side_that_begins(
    line_up: str, begins: int, circle: list[int]
) -> None:
    table = Table.dealt(begins=begins, line_up=line_up)
    captains = []
    for _ in circle:
        captains.append((table.state.active, table.state.following))
        assert table.asked == (table.state.active,)
        table = table.goes_on(sides=tuple(type(side)() for side in table.state.sides))
        quiet_turn(table)
    assert [active for active, _ in captains] == circle
    assert [following for _, following in captains[:-1]] == circle[1:]


@pytest.mark.parametrize(("line_up", "left"), [("2v2", 22), ("2v1", 26)])
def test_aa_03_every_player_of_a_team_is_dealt_four_cards(line_up: str, left: int) -> None:
    table = Table.dealt(line_up=line_up)
    assert {len(seat.hand) for seat in table.state.seats} == {4}
    assert len(table.state.deck) == left


def test_aa_40_a_team_has_one_pawn_and_one_set_of_agents() -> None:
    table = four(recruited=[["Enforcer"], []])
    table.turn(active="Saboteur", other="Mole")
    table = four(recruited=[["Saboteur"], []], active=2)
    assert len(table.state.sides) == 2
    table.turn(active="Enforcer", other="Codebreaker")
    assert (table.recruited(0), table.progress(0)) == (["Enforcer", "Saboteur"], 1)


def test_aa_40_the_winners_are_the_whole_side_and_the_losers_come_behind_them() -> None:
    table = four(progress=(6, 0))
    table.turn(active="Enforcer", other="Mole")
    assert table.outcome is not None
    assert table.outcome.places == (1, 3, 1, 3)
    table = three(progress=(0, 8))
    table.turn(active="Codebreaker", other="Saboteur")
    assert table.outcome is not None
    assert table.outcome.places == (2, 1, 2)
    table = three(progress=(7, 0))
    table.turn(active="Enforcer", other="Saboteur")
    assert table.outcome is not None
    assert table.outcome.places == (1, 3, 1)


def test_aa_40_what_a_view_tells_of_the_teams() -> None:
    table = four(active=1)
    for seat in range(4):
        teams = table.view(seat).teams
        assert teams is not None
        assert (teams.captains, teams.laying, teams.face_down_laid) == ((2, 1), (1, 3), False)
    assert Table.arranged(hands=[A, B]).view(0).teams is None


# Playing


def test_aa_41_the_captain_plays_face_up_then_the_partner_face_down() -> None:
    table = four()
    assert list(table.asked) == [0]
    assert [action for action in table.legal if action.startswith("play")] == [
        "play Enforcer face up",
        "play Saboteur face up",
        "play Sentinel face up",
        "play Mole face up",
    ]
    table.lays("Mole", "face up")
    assert table.told == ["seat 0 plays Mole face up"]
    assert list(table.asked) == [2]
    table.lays("Codebreaker", "face down")
    assert list(table.asked) == [1, 3]
    assert table.state.phase == "recruit"


def test_aa_41_the_captain_may_leave_the_face_up_card_to_the_partner_once() -> None:
    table = four()
    assert table.legal[-1] == "leave the face-up card to the partner"
    table.hands_over()
    assert (table.asked, table.told) == ((2,), ["seat 0 leaves the face-up card to its partner"])
    assert "leave the face-up card to the partner" not in table.legal
    table.lays("Codebreaker", "face up")
    assert table.asked == (0,)
    table.lays("Mole", "face down")
    assert (table.state.face_up, table.state.face_down) == cards("Codebreaker", "Mole")


def test_aa_41_the_captain_may_hand_over_after_a_discard_and_the_partner_may_discard_too() -> None:
    table = four()
    table.discards("Mole")
    assert table.asked == (0,)
    table.hands_over()
    table.discards("Codebreaker")
    assert table.asked == (2,)
    table.lays("Enforcer", "face up")
    table.discards("Sentinel")
    assert table.asked == (0,)
    assert [len(seat.discards) for seat in table.state.seats] == [2, 0, 1, 0]


def test_aa_41_the_face_down_card_bears_another_name() -> None:
    table = four()
    table.lays("Enforcer", "face up")
    assert [action for action in table.legal if action.startswith("play")] == [
        "play Codebreaker face down",
        "play Saboteur face down",
    ]


def test_aa_41_it_bears_the_same_name_only_if_the_whole_hand_does() -> None:
    table = four(hands=[A, B, ["Enforcer"] * 3, D])
    table.lays("Enforcer", "face up")
    assert table.legal[0] == "play Enforcer face down"
    table.lays("Enforcer", "face down")
    assert (table.state.face_up, table.state.face_down) == cards("Enforcer", "Enforcer")


def test_aa_41_nobody_draws_before_both_cards_lie_then_face_up_face_down_and_the_other_side_by_seat() -> None:
    deck = ["Sentinel", "Saboteur", "Daredevil", "Enforcer", "Mole"]
    table = four(hands=[A, B[:3], C, D[:3]], active=2, deck=deck)
    table.lays("Codebreaker", "face up")
    assert table.told == ["seat 2 plays Codebreaker face up"]
    table.lays("Enforcer", "face down")
    assert table.told == [
        "seat 0 plays Enforcer face down",
        "seat 2 draws 1: Sentinel",
        "seat 0 draws 1: Saboteur",
        "seat 1 draws 1: Daredevil",
        "seat 3 draws 1: Enforcer",
    ]


def test_aa_41_after_a_hand_over_the_partner_draws_first() -> None:
    table = four(deck=["Sentinel", "Saboteur"])
    table.hands_over()
    table.lays("Codebreaker", "face up")
    table.lays("Mole", "face down")
    assert table.told[1:] == ["seat 2 draws 1: Sentinel", "seat 0 draws 1: Saboteur"]


def test_aa_44_the_last_card_of_the_deck_goes_to_the_face_up_player() -> None:
    table = four(deck=["Sentinel"])
    table.lays("Mole", "face up")
    table.lays("Codebreaker", "face down")
    assert [len(table.hand(seat)) for seat in range(4)] == [4, 4, 3, 4]


def test_aa_41_the_face_down_card_is_hidden_from_the_partner_until_it_is_recruited() -> None:
    table = four(deck=[])
    table.lays("Mole", "face up")
    table.lays("Codebreaker", "face down")
    assert [table.heard(seat)[0] for seat in range(4)] == [
        "seat 2 plays a card face down",
        "seat 2 plays a card face down",
        "seat 2 plays Codebreaker face down",
        "seat 2 plays a card face down",
    ]
    assert [table.view(seat).own_face_down for seat in range(4)] == [None, None, *cards("Codebreaker"), None]
    table.recruits("face up")
    assert "side 0 recruits Codebreaker (face down)" in table.heard(0)


def test_aa_41_of_discards_the_partner_sees_the_count() -> None:
    table = four()
    table.discards("Mole")
    assert table.heard(2) == table.heard(1) == ["seat 0 discards a card face down", "seat 0 draws 1"]
    assert (table.view(2).seats[0].discard_count, table.view(2).own_discards) == (1, ())


@pytest.mark.parametrize("seat", range(4))
def test_aa_40_a_hand_is_known_to_its_own_seat_only(seat: int) -> None:
    view = four().view(seat)
    assert named(view.hand) == sorted_names([A, B, C, D][seat])
    assert [held.hand_count for held in view.seats] == [4] * 4


def sorted_names(names: list[str]) -> list[str]:
    return named(tuple(sorted(cards(*names))))


# Discards


def test_aa_42_a_teammate_has_two_discards_a_game() -> None:
    table = four()
    for name in ("Mole", "Sentinel"):
        table.discards(name)
    assert not [action for action in table.legal if action.startswith("discard")]
    table.lays("Enforcer", "face up")
    assert len([action for action in table.legal if action.startswith("discard")]) == 3


def test_aa_42_a_seat_alone_has_four() -> None:
    table = three(active=1, discards=[[], ["Enforcer"] * 3, []])
    assert len([action for action in table.legal if action.startswith("discard")]) == 4
    table.discards("Sidekick")
    assert not [action for action in table.legal if action.startswith("discard")]


# Sealed answers


def test_aa_43_both_teammates_are_asked_what_to_recruit_at_once() -> None:
    table = four()
    table.turn_played(up="Mole", down="Codebreaker")
    assert table.asked == (1, 3)
    assert {GAME.legal(table.state, seat) for seat in (1, 3)} == {GAME.legal(table.state, 1)}


@pytest.mark.parametrize(
    ("active", "captain", "asked"), [(0, 1, (1, 3)), (1, 2, (0, 2)), (2, 3, (1, 3)), (3, 0, (0, 2))]
)
@pytest.mark.parametrize("slot", ["face up", "face down"])
def test_aa_43_if_they_differ_the_answer_of_the_seat_that_is_next_stands(
    active: int, captain: int, asked: tuple[int, ...], slot: str
) -> None:
    table = four(hands=[A, A, A, A], active=active)
    table.turn_played(up="Sentinel", down="Saboteur")
    assert (table.asked, table.state.following) == (asked, captain)
    table.recruits(slot, other="face down" if slot == "face up" else "face up")
    assert table.recruited(captain % 2) == ["Sentinel" if slot == "face up" else "Saboteur"]


def test_aa_43_both_answers_are_then_told_to_the_two_teammates_only() -> None:
    table = four()
    table.turn_played(up="Mole", down="Codebreaker")
    table.recruits("face up", other="face down")
    answers = ["seat 1 answers: recruit the card face up", "seat 3 answers: recruit the card face down"]
    assert table.heard(1)[:2] == table.heard(3)[:2] == answers
    for seat in (0, 2):
        assert table.heard(seat)[0] == "side 1 recruits Mole (face up)"
        assert not [said for said in table.heard(seat) if "answers" in said]


def test_aa_43_they_are_told_also_if_they_agree() -> None:
    table = four()
    table.turn_played(up="Mole", down="Codebreaker")
    table.recruits("face up")
    assert len([said for said in table.heard(1) if "answers" in said]) == 2


def test_aa_43_a_seat_alone_answers_alone_and_no_answers_are_told() -> None:
    table = three()
    table.turn_played(up="Mole", down="Codebreaker")
    assert table.asked == (1,)
    table.recruits("face up")
    assert not [said for said in table.told if "answers" in said]


# The market in teams


def at_market(*offer: str, hands: list[list[str]], active: int = 0, **position: object) -> Table:
    """The team of the active seat stands on a market space and must take a card."""
    mine = ["Daredevil", *hands[active]]
    partner = ["Codebreaker", *hands[(active + 2) % 4]]
    dealt = list(hands)
    dealt[active], dealt[(active + 2) % 4] = mine, partner
    table = Table.arranged(hands=dealt, active=active, **position).with_market(*offer)  # type: ignore[arg-type]  # passed on
    table.hands_over()
    table.lays("Codebreaker", "face up")
    table.lays("Daredevil", "face down")
    table.recruits("face up")
    return table


FOUR = [list(HAND)] * 4
OFFER = ["Masterplan", "Secret Recruit", "Outpost"]


def test_aa_43_a_market_answer_is_a_card_and_for_an_instant_its_taker() -> None:
    table = at_market(*OFFER, hands=FOUR)
    assert table.asked == (0, 2)
    assert table.legal == [
        "take Masterplan",
        "take Outpost (seat 0)",
        "take Outpost (seat 2)",
        "take Secret Recruit (seat 0)",
        "take Secret Recruit (seat 2)",
    ]


@pytest.mark.parametrize(("active", "captain"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_aa_43_if_market_answers_differ_the_captains_whole_answer_stands(active: int, captain: int) -> None:
    table = at_market(*OFFER, hands=FOUR, active=active)
    partner = (captain + 2) % 4
    table.takes("Secret Recruit", captain, other=("Secret Recruit", partner))
    assert (table.asked, table.market.taker) == ((captain,), captain)
    table = at_market(*OFFER, hands=FOUR, active=active)
    table.takes("Secret Recruit", partner, other=("Masterplan", None))
    assert table.asked == (partner,)


def test_aa_43_the_taker_alone_chooses_and_its_hand_is_the_hand_that_counts() -> None:
    hands = [["Enforcer"] * 4, list(HAND), ["Saboteur", "Mole"], list(HAND)]
    table = at_market(*OFFER, hands=hands, deck=[])
    table.takes("Secret Recruit", 2)
    assert table.asked == (2,)
    assert table.legal == ["choose Saboteur", "choose Mole"]
    table.chooses("Mole")
    assert (table.hand(0), table.hand(2), table.recruited(0)) == (["Enforcer"] * 4, ["Saboteur"], ["Daredevil", "Mole"])


def test_aa_43_an_instant_is_ignored_if_the_takers_hand_has_nothing_for_it_whatever_the_partner_holds() -> None:
    table = at_market(*OFFER, hands=[["Enforcer"] * 4, list(HAND), list(HAND), list(HAND)])
    table.takes("Outpost", 0)
    assert table.told[-1] == "Outpost does nothing: seat 0 cannot carry it out"


def test_aa_43_mind_control_marks_the_takers_hand() -> None:
    table = at_market("Mind Control", "Masterplan", "Outpost", hands=FOUR)
    table.takes("Mind Control", 2)
    table.chooses("Codebreaker")
    assert (table.marks(0), table.marks(2)) == ([], [("Codebreaker", 1, 0)])


def test_aa_43_both_market_answers_are_told_to_the_two_teammates_only() -> None:
    table = at_market(*OFFER, hands=FOUR)
    table.takes("Masterplan", other=("Outpost", 2))
    answers = ["seat 0 answers: take Masterplan", "seat 2 answers: take Outpost (seat 2)"]
    assert table.heard(0)[:2] == table.heard(2)[:2] == answers
    assert table.heard(1) == table.heard(3) == ["side 0 takes Masterplan"]


def test_aa_43_the_passive_side_is_led_by_its_next_seat_in_the_market_too() -> None:
    """Seat 0 is active. Side 1 lands. Its captain is seat 1, which comes next."""
    hands = [["Daredevil", *HAND], list(HAND), ["Codebreaker", *HAND], list(HAND)]
    table = Table.arranged(hands=hands).with_market(*OFFER)
    table.turn_played(up="Daredevil", down="Codebreaker")
    table.recruits("face up")
    assert list(table.asked) == [1, 3]
    table.takes("Secret Recruit", 1, other=("Masterplan", None))
    assert list(table.asked) == [1]


def test_aa_23_in_a_team_only_the_takers_hand_draws() -> None:
    table = at_market(*OFFER, hands=[list(HAND), list(HAND), ["Saboteur", "Mole", "Mole", "Enforcer"], list(HAND)])
    table.takes("Outpost", 0)
    assert [said.split(":")[0] for said in table.told if "draws" in said] == ["seat 0 draws 1"]


# Running out, and a seat alone


def last_turn(left: int, partner: int = 1, lead: int = 0) -> Table:
    """Side 0 plays its last two cards, one each. On side 1, seat 1 has `left` cards and seat 3 has `partner`."""
    table = four(hands=[["Codebreaker"], B[:left], ["Sentinel"], D[:partner]], deck=[], progress=(lead, 0))
    table.turn(active="Sentinel", other="Codebreaker")
    return table


def test_aa_44_a_team_goes_on_with_one_card_each() -> None:
    assert last_turn(left=1).result is None


@pytest.mark.parametrize(("left", "partner"), [(0, 3), (3, 0)])
def test_aa_44_it_has_run_out_if_any_player_of_the_next_side_has_no_card(left: int, partner: int) -> None:
    assert last_turn(left, partner).result == ("ran_out", 0)
    assert last_turn(left, partner, lead=-1).result == ("ran_out", 1)


def test_aa_44_the_hands_of_the_side_that_has_played_do_not_count() -> None:
    table = last_turn(left=1)
    assert (table.hand(0), table.hand(2)) == ([], [])
    assert table.asked == (1,)


@pytest.mark.parametrize(("left", "result"), [(1, ("ran_out", 0)), (2, None)])
def test_aa_44_against_a_seat_alone_two_cards_are_needed_as_in_1v1(left: int, result: tuple[str, int] | None) -> None:
    table = three(hands=[["Codebreaker"], B[:left], ["Sentinel"]], deck=[])
    table.turn(active="Sentinel", other="Codebreaker")
    assert table.result == result


def test_aa_44_with_cards_in_the_deck_nothing_has_run_out() -> None:
    table = four(hands=[["Codebreaker"], [], ["Sentinel"], []], deck=["Enforcer"] * 20)
    table.turn(active="Sentinel", other="Codebreaker")
    assert table.result is None


def test_aa_45_a_seat_alone_plays_both_cards_as_in_1v1() -> None:
    table = three(active=1)
    assert list(table.asked) == [1]
    table.plays(up="Sidekick", down="Daredevil")
    assert table.told[0] == "seat 1 plays Sidekick face up and Daredevil face down"
    assert list(table.asked) == [0, 2]
    assert table.heard(0)[0] == "seat 1 plays Sidekick face up and a card face down"


def test_aa_45_after_a_seat_alone_has_played_it_draws_first_then_the_team_by_seat() -> None:
    table = three(active=1, hands=[A[:3], B, C[:3]], deck=["Mole"] * 9)
    table.plays(up="Sidekick", down="Daredevil")
    assert [said.split(":")[0] for said in table.told[1:]] == ["seat 1 draws 2", "seat 0 draws 1", "seat 2 draws 1"]
