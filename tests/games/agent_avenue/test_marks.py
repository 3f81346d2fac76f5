"""What everybody knows about a hand: AA-31, AA-46."""

from random import Random

import pytest

from referee.games.agent_avenue.ending import begin_turn
from referee.games.agent_avenue.marks import Kind, SeenMark, Sighting, seen_marks
from referee.games.agent_avenue.pieces import Agent
from referee.games.agent_avenue.state import State
from tests.games.agent_avenue.kit import AgentAvenueKit
from tests.games.agent_avenue.positions import HAND, landed
from tests.games.agent_avenue.table import Table, named

MOLE, ENFORCER = Agent.MOLE, Agent.ENFORCER


def controlled(**position: object) -> Table:
    """Seat 0 has taken an Enforcer of side 1 into its hand. It is the turn of seat 1, then of seat 0 again."""
    table = landed("Mind Control", recruited=[[], ["Enforcer"]], **position)
    table.takes("Mind Control")
    table.chooses("Enforcer")
    return table


def next_turn_of_seat_0(table: Table) -> Table:
    """The turn of seat 1 is over. Nothing in it concerned seat 0."""
    return Table(begin_turn(table.state, 3))


# Set


def test_aa_31_a_card_taken_with_mind_control_is_marked_and_everybody_sees_it() -> None:
    table = controlled()
    assert [table.view(seat).seats[0].marks for seat in (0, 1)] == [table.view(0).seats[0].marks] * 2
    assert (table.marks(0), table.marks(1)) == ([("Enforcer", 1, 0)], [])


def test_aa_31_a_card_kept_after_spycation_is_marked() -> None:
    table = landed("Spycation", recruited=[["Mole"], []])
    table.takes("Spycation")
    table.chooses("Mole")
    assert table.marks(0) == [("Mole", 1, 0)]
    table.recruits_again(again=False)
    assert table.marks(0) == [("Mole", 1, 0)]


def test_aa_31_recruiting_it_again_takes_the_mark_away() -> None:
    table = landed("Spycation", recruited=[["Mole"], []])
    table.takes("Spycation")
    table.chooses("Mole")
    table.recruits_again(again=True)
    assert table.marks(0) == []


def test_aa_31_of_shown_twins_the_one_that_stays_is_marked() -> None:
    table = landed("Double Trouble", hand=["Enforcer", "Saboteur", "Enforcer", "Mole"])
    table.takes("Double Trouble")
    table.chooses("Enforcer")
    assert table.marks(0) == [("Enforcer", 1, 0)]


@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 1), (2, 1), (3, 2)])
def test_aa_31_shown_twins_raise_the_mark_to_at_least_two_and_the_recruited_one_lowers_it(
    before: int, after: int
) -> None:
    hand = ["Enforcer"] * 4
    table = landed("Double Trouble", hand=hand, deck=[]).marked(0, *["Enforcer"] * before)
    table.takes("Double Trouble")
    table.chooses("Enforcer")
    assert table.marks(0) == [("Enforcer", after, 0)]


def test_aa_31_what_is_drawn_is_not_marked() -> None:
    table = landed("Secret Recruit", deck=["Mole"])
    table.takes("Secret Recruit")
    table.chooses("Enforcer")
    assert table.marks(0) == []


def test_aa_31_what_an_ignored_instant_proves_is_told_and_not_marked() -> None:
    table = landed("Outpost", hand=["Enforcer"] * 4)
    table.takes("Outpost")
    assert table.heard(1)[-1] == "Outpost does nothing: seat 0 cannot carry it out"
    assert table.marks(0) == []


# Falling


def test_aa_31_a_mark_falls_when_a_card_of_its_name_is_played_face_up() -> None:
    table = next_turn_of_seat_0(controlled())
    table.plays(up="Enforcer", down="Mole")
    assert table.marks(0) == []


def test_aa_31_it_falls_too_if_it_may_have_been_another_card_of_that_name() -> None:
    table = Table.arranged(hands=[["Enforcer", "Enforcer", "Mole"], HAND]).with_market("Outpost").marked(0, "Enforcer")
    table.plays(up="Enforcer", down="Mole")
    assert table.marks(0) == []


def test_aa_31_other_names_leave_it_as_it_is() -> None:
    table = next_turn_of_seat_0(controlled())
    table.plays(up="Mole", down="Saboteur")
    table.recruits("face up")
    assert table.marks(0) == [("Enforcer", 1, 0)]


def test_aa_31_a_card_played_face_down_leaves_the_marks_until_it_is_opened() -> None:
    table = next_turn_of_seat_0(controlled())
    table.plays(up="Mole", down="Enforcer")
    assert table.marks(0) == [("Enforcer", 1, 0)]
    table.recruits("face up")
    assert table.marks(0) == []


def test_aa_31_a_face_down_discard_leaves_the_marks_and_is_counted() -> None:
    table = next_turn_of_seat_0(controlled())
    table.discards("Enforcer")
    assert table.marks(0) == [("Enforcer", 1, 1)]
    table.discards("Mole")
    assert table.marks(0) == [("Enforcer", 1, 2)]


def test_aa_31_only_discards_made_since_the_mark_was_set_are_counted() -> None:
    table = landed("Mind Control", recruited=[[], ["Enforcer"]]).having_discarded(0, "Mole", "Saboteur")
    table.takes("Mind Control")
    table.chooses("Enforcer")
    assert table.marks(0) == [("Enforcer", 1, 0)]


@pytest.mark.parametrize(("card", "target"), [("Outpost", None), ("Secret Recruit", "Sentinel")])
def test_aa_31_a_mark_falls_when_a_card_of_its_name_is_recruited_by_an_instant(card: str, target: str | None) -> None:
    table = landed(card).marked(0, "Sentinel", "Mole")
    table.takes(card)
    if target:
        table.chooses(target)
    assert table.marks(0) == [("Mole", 1, 0)]


def test_aa_31_an_agent_recruited_from_the_deck_takes_no_mark_away() -> None:
    table = landed("Smoke Screen", deck=["Mole"]).marked(0, "Mole")
    table.takes("Smoke Screen")
    assert table.marks(0) == [("Mole", 1, 0)]


# Several of one name


def _saw(kind: Kind, *agents: Agent) -> Sighting:
    return Sighting(kind, agents, 5)


CAME, LEFT, DISCARDED = _saw(Kind.CAME, ENFORCER), _saw(Kind.LEFT, ENFORCER), _saw(Kind.DISCARDED)


def test_aa_46_marks_of_one_name_that_were_set_at_different_times_are_shown_apart() -> None:
    assert seen_marks((CAME, DISCARDED, DISCARDED, CAME)) == (SeenMark(ENFORCER, 1, 2), SeenMark(ENFORCER, 1, 0))


def test_aa_46_of_several_marks_of_a_name_the_newest_falls() -> None:
    """The newer mark is removed. The older one stays as it was."""
    seen = (CAME, DISCARDED, _saw(Kind.CAME, MOLE), DISCARDED, DISCARDED, CAME)
    assert seen_marks((*seen, LEFT)) == (SeenMark(ENFORCER, 1, 3), SeenMark(MOLE, 1, 2))
    assert seen_marks((*seen, _saw(Kind.LEFT, Agent.SENTINEL))) == seen_marks(seen)


def test_aa_46_of_shown_twins_one_leaves_and_one_is_the_newest_mark() -> None:
    """As if both had become new marks before one of them left."""
    shown = (LEFT, _saw(Kind.REVEALED, ENFORCER))
    assert seen_marks((CAME, DISCARDED, DISCARDED, *shown)) == (SeenMark(ENFORCER, 1, 0),)
    three = (CAME, DISCARDED, CAME, CAME, DISCARDED, *shown)
    assert seen_marks(three) == (SeenMark(ENFORCER, 1, 2), SeenMark(ENFORCER, 1, 0))


# Dealing again


def _hidden() -> Table:
    """Everybody saw seat 0 take an Enforcer. Since then it has discarded twice and laid a card face down."""
    table = next_turn_of_seat_0(controlled(deck=["Mole", "Sidekick", "Saboteur", "Saboteur", "Sentinel"]))
    table.discards("Saboteur")
    table.discards("Enforcer")
    table.plays(up="Sentinel", down="Enforcer")
    return table


def worlds(table: Table, seat: int, count: int = 300) -> list[State]:
    rng = Random(1)
    return [AgentAvenueKit().redeal(table.state, seat, rng) for _ in range(count)]


def test_aa_31_a_marked_card_may_be_in_the_hand_face_down_or_among_the_discards_made_since() -> None:
    places = set()
    for world in worlds(_hidden(), 1):
        held = world.seats[0]
        places |= {"hand"} if ENFORCER in held.hand else set()
        places |= {"discards"} if ENFORCER in held.discards else set()
        places |= {"face down"} if world.face_down == ENFORCER else set()
        assert ENFORCER in (*held.hand, *held.discards, world.face_down)
    assert places == {"hand", "discards", "face down"}


def test_aa_31_discards_made_before_a_mark_was_set_do_not_hold_the_card() -> None:
    table = landed("Mind Control", recruited=[[], ["Enforcer"]]).having_discarded(0, "Mole", "Saboteur")
    table.takes("Mind Control")
    table.chooses("Enforcer")
    assert all(ENFORCER in world.seats[0].hand for world in worlds(table, 1))


def test_aa_31_the_owner_knows_its_hand_and_the_marks_change_nothing_for_it() -> None:
    table = controlled()
    assert {tuple(named(world.seats[0].hand)) for world in worlds(table, 0, 20)} == {tuple(table.hand(0))}
