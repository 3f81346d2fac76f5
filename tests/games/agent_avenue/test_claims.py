"""The winning conditions that market cards add, and captures while cards act: AA-09, AA-11, AA-25, AA-29, AA-30."""

from collections.abc import Sequence

import pytest

from tests.games.agent_avenue.positions import about_to_land, landed
from tests.games.agent_avenue.table import Table

SIX = ("Double Agent", "Enforcer", "Codebreaker", "Saboteur", "Daredevil", "Mole")
LEADER, PLAN, SYSTEM = "Leader of the Pack", "Masterplan", "Security System"


def ended(
    *,
    active: str,
    other: str,
    progress: Sequence[int] = (0, 0),
    own: tuple[str, ...] = (),
    theirs: tuple[str, ...] = (),
    cards: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
    seat: int = 0,
) -> Table:
    """A turn of `seat`. The active side, which comes first, recruits `active`. The market offers nothing."""
    turned = slice(None, None, 1 if seat == 0 else -1)
    table = Table.arranged(
        hands=[[active, other], ["Mole"] * 4][turned],
        recruited=[own, theirs][turned],
        progress=progress[turned],
        deck=["Mole"] * 4,
        active=seat,
    ).with_market(ongoing=cards[turned])
    table.turn(active=active, other=other)
    return table


# Leader of the Pack


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("before", [2, 3])
def test_aa_30_with_leader_of_the_pack_three_daredevils_win_instead_of_losing(seat: int, before: int) -> None:
    table = ended(seat=seat, active="Daredevil", other="Sentinel", own=("Daredevil",) * before, cards=((LEADER,), ()))
    assert table.result == ("leader_of_the_pack", seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_30_so_they_do_for_the_side_that_is_not_active(seat: int) -> None:
    table = ended(seat=seat, active="Sentinel", other="Daredevil", theirs=("Daredevil",) * 2, cards=((), (LEADER,)))
    assert table.result == ("leader_of_the_pack", 1 - seat)


def test_aa_30_leader_of_the_pack_helps_its_own_side_only() -> None:
    table = ended(active="Daredevil", other="Sentinel", own=("Daredevil",) * 2, cards=((), (LEADER,)))
    assert table.result == ("daredevils", 1)


def test_aa_30_leader_of_the_pack_with_two_daredevils_is_nothing() -> None:
    table = ended(active="Daredevil", other="Sentinel", own=("Daredevil",), cards=((LEADER,), ()), progress=(1, 0))
    assert table.result is None


# Masterplan


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_30_with_masterplan_seven_different_agents_win(seat: int) -> None:
    table = ended(seat=seat, active="Sentinel", other="Saboteur", own=SIX, cards=((PLAN,), ()))
    assert table.result == ("masterplan", seat)


def test_aa_30_eight_different_agents_are_seven_too() -> None:
    table = ended(active="Sentinel", other="Saboteur", own=(*SIX, "Sidekick"), cards=((PLAN,), ()))
    assert table.result == ("masterplan", 0)


def test_aa_30_seven_agents_of_six_names_are_not_enough_for_masterplan() -> None:
    table = ended(active="Saboteur", other="Sentinel", own=SIX, cards=((PLAN,), ()))
    assert table.result is None


def test_aa_30_without_masterplan_seven_different_agents_are_nothing() -> None:
    assert ended(active="Sentinel", other="Saboteur", own=SIX, cards=((), (PLAN,))).result is None


# Security System


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("theirs", [7, -7, 21])
def test_aa_30_with_security_system_the_other_pawn_on_the_own_home_wins(seat: int, theirs: int) -> None:
    progress = (theirs - 1, theirs)
    table = ended(seat=seat, active="Enforcer", other="Sentinel", progress=progress, cards=((SYSTEM,), ()))
    assert table.result == ("security_system", seat)


def test_aa_30_the_own_pawn_on_a_home_is_nothing_to_a_security_system() -> None:
    table = ended(active="Enforcer", other="Codebreaker", progress=(6, 3), cards=((SYSTEM,), ()))
    assert (table.progress(0), table.result) == (7, None)


def test_aa_30_the_other_pawn_on_its_own_home_is_nothing_to_a_security_system() -> None:
    table = ended(active="Enforcer", other="Codebreaker", progress=(1, 0), cards=((SYSTEM,), ()))
    assert (table.progress(1), table.result) == (0, None)


def test_aa_30_a_security_system_looks_at_the_end_step_only() -> None:
    """The other pawn stood on that home, but has moved on by the end of the turn."""
    table = ended(active="Sentinel", other="Enforcer", progress=(5, 7), cards=((SYSTEM,), ()))
    assert (table.progress(1), table.result) == (8, None)


# When they are taken


def test_aa_25_a_card_of_the_end_step_counts_in_the_turn_in_which_it_is_taken() -> None:
    table = landed(
        "Masterplan", recruited=[("Enforcer", "Codebreaker", "Saboteur", "Mole", "Sidekick", "Sentinel"), []]
    )
    assert table.outcome is None
    table.takes("Masterplan")
    assert table.result == ("masterplan", 0)


def test_aa_25_leader_of_the_pack_saves_the_side_that_takes_it_just_in_time() -> None:
    table = about_to_land("Leader of the Pack", "Outpost", progress=(1, 0), recruited=[["Daredevil"] * 3, []])
    table.turn(active="Enforcer", other="Codebreaker")
    left = table.goes_on()
    table.takes("Leader of the Pack")
    assert table.result == ("leader_of_the_pack", 0)
    left.takes("Outpost")
    assert left.result == ("daredevils", 1)


# The tie rule


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("active", "own", "progress", "card"),
    [
        ("Daredevil", ("Daredevil", "Daredevil"), (-1, 0), LEADER),
        ("Sentinel", SIX, (-1, 0), PLAN),
        ("Sentinel", (), (3, 7), SYSTEM),
    ],
)
def test_aa_09_and_aa_30_an_extra_claim_of_the_active_side_beats_three_codebreakers_of_the_other(
    active: str, own: tuple[str, ...], progress: tuple[int, int], card: str, seat: int
) -> None:
    twice = ("Codebreaker", "Codebreaker")
    table = ended(
        seat=seat, active=active, other="Codebreaker", own=own, theirs=twice, progress=progress, cards=((card,), ())
    )
    assert table.result == ("several", seat)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("other", "theirs", "progress", "card"),
    [
        ("Daredevil", ("Daredevil", "Daredevil"), (0, 0), LEADER),
        ("Sentinel", SIX, (0, 0), PLAN),
        ("Sentinel", (), (7, 3), SYSTEM),
    ],
)
def test_aa_09_and_aa_30_an_extra_claim_of_the_other_side_loses_against_three_codebreakers_of_the_active_one(
    other: str, theirs: tuple[str, ...], progress: tuple[int, int], card: str, seat: int
) -> None:
    twice = ("Codebreaker", "Codebreaker")
    table = ended(
        seat=seat, active="Codebreaker", other=other, own=twice, theirs=theirs, progress=progress, cards=((), (card,))
    )
    assert table.result == ("several", seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_30_an_extra_claim_alone_wins_for_the_side_that_is_not_active(seat: int) -> None:
    table = ended(seat=seat, active="Saboteur", other="Sentinel", theirs=SIX, cards=((), (PLAN,)))
    assert table.result == ("masterplan", 1 - seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_09_the_active_side_with_three_daredevils_loses_to_a_masterplan(seat: int) -> None:
    table = ended(
        seat=seat,
        active="Daredevil",
        own=("Daredevil",) * 2,
        other="Sentinel",
        theirs=SIX,
        cards=((), (PLAN,)),
    )
    assert table.result == ("several", 1 - seat)


def test_aa_11_two_extra_claims_of_one_side_are_several() -> None:
    own = ("Double Agent", "Enforcer", "Codebreaker", "Saboteur", "Daredevil", "Daredevil", "Daredevil", "Mole")
    table = ended(active="Sentinel", other="Saboteur", own=own, cards=((LEADER, PLAN), ()))
    assert table.result == ("several", 0)


def test_aa_11_leader_of_the_pack_on_one_side_and_three_daredevils_on_the_other_are_several() -> None:
    twice = ("Daredevil", "Daredevil")
    table = Table.arranged(hands=[["Daredevil"] * 2] * 2, recruited=[twice, twice], deck=["Mole"] * 4, active=1)
    table = table.with_market(ongoing=[[LEADER], []])
    table.turn(active="Daredevil", other="Daredevil")
    assert table.result == ("several", 0)


# Captures


def test_aa_29_a_pawn_passed_while_cards_act_escapes_if_it_gets_away_before_the_end_step() -> None:
    """When both have landed, the active pawn is 7 ahead. Then the other takes its Surveillance Truck."""
    table = about_to_land("Masterplan", "Surveillance Truck", progress=(10, 3), recruited=[[], ["Enforcer"]])
    table.turn(active="Daredevil", other="Enforcer")
    assert (table.lead(0), table.outcome) == (7, None)
    table.takes("Masterplan")
    table.takes("Surveillance Truck")
    assert (table.lead(0), table.result) == (6, None)


def test_aa_29_a_lead_that_cards_bring_catches_in_the_end_step() -> None:
    table = landed("Surveillance Truck", progress=(3, -1))
    table.takes("Surveillance Truck")
    assert (table.lead(0), table.result) == (7, ("caught", 0))
