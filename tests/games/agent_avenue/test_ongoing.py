"""The ongoing cards that change how pawns move: AA-20, AA-25, AA-28. Those of the end step are in test_claims."""

import pytest
from msgspec.structs import replace

from tests.games.agent_avenue.positions import HAND, about_to_land, landed
from tests.games.agent_avenue.table import Table

MOVES = [
    ("Distraction Device", "Saboteur", [+1, +1, +2, +2, +2, +2]),
    ("Watchtower Two", "Enforcer", [+3, +4, +5, +5, +5, +5]),
    ("Sinister Twin", "Double Agent", [-2, +12, -2, -2, -2, -2]),
    ("Supercomputer", "Codebreaker", [+3, +3, +3, +3, +3, +3]),
]
PRINTED = [
    ("Double Agent", -1),
    ("Enforcer", +1),
    ("Codebreaker", 0),
    ("Saboteur", -1),
    ("Daredevil", +2),
    ("Sentinel", 0),
    ("Sidekick", +4),
    ("Mole", -3),
]
EACH_MOVES = [(card, agent, before, spaces) for card, agent, moves in MOVES for before, spaces in enumerate(moves)]


def recruits(agent: str, *, ongoing: tuple[str, ...] = (), before: int = 0, progress: int = 0, side: int = 0) -> Table:
    """Side 0 recruits this agent, or side 1, which is not active then. No market card is on offer."""
    other = "Sentinel" if agent != "Sentinel" else "Saboteur"
    turned = slice(None, None, 1 if side == 0 else -1)
    table = Table.arranged(
        hands=[[agent, other], ["Mole"] * 4],
        recruited=[[agent] * before, []][turned],
        progress=[progress, progress][turned],
        deck=["Mole"] * 4,
    ).with_market("Masterplan", ongoing=[ongoing, ()][turned])
    mine, theirs = (agent, other) if side == 0 else (other, agent)
    table.turn(active=mine, other=theirs)
    return table


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("card", "agent", "before", "spaces"), EACH_MOVES)
def test_aa_20_an_ongoing_card_changes_how_far_its_agent_moves(
    card: str, agent: str, before: int, spaces: int, side: int
) -> None:
    table = recruits(agent, ongoing=(card,), before=before, side=side)
    assert table.progress(side) == spaces


@pytest.mark.parametrize(("card", "agent"), [(card, agent) for card, agent, _ in MOVES])
def test_aa_20_an_ongoing_card_changes_no_other_agent(card: str, agent: str) -> None:
    for other, spaces in PRINTED:
        if other != agent:
            assert recruits(other, ongoing=(card,)).progress(0) == spaces, other


@pytest.mark.parametrize(("card", "agent"), [(card, agent) for card, agent, _ in MOVES])
def test_aa_20_an_ongoing_card_does_nothing_for_the_other_side(card: str, agent: str) -> None:
    table = Table.arranged(hands=[[agent, "Sidekick"], HAND], deck=["Mole"] * 4)
    table = table.with_market("Masterplan", ongoing=[[], [card]])
    table.turn(active=agent, other="Sidekick")
    assert table.progress(0) == dict(PRINTED)[agent]


def test_aa_20_ongoing_cards_act_together() -> None:
    ongoing = tuple(card for card, _, _ in MOVES)
    for _, agent, moves in MOVES:
        assert recruits(agent, ongoing=ongoing).progress(0) == moves[0]


def test_aa_25_an_ongoing_card_does_not_act_on_the_agent_whose_move_led_to_it() -> None:
    table = about_to_land("Watchtower Two", progress=(1, 0))
    table.turn(active="Enforcer", other="Codebreaker")
    table.takes("Watchtower Two")
    assert table.progress(0) == 2


def test_aa_25_an_ongoing_card_acts_on_every_agent_recruited_after_it_was_taken() -> None:
    table = landed("Watchtower Two", recruited=[["Enforcer"], []], other=["Sentinel", "Enforcer", "Mole", "Mole"])
    table.takes("Watchtower Two")
    table.turn(active="Sentinel", other="Enforcer")
    assert table.progress(0) == 2 + 4


# Getaway Car


@pytest.mark.parametrize(("side", "home"), [(0, 0), (1, 7)])
@pytest.mark.parametrize("onto", [0, 7])
@pytest.mark.parametrize(("agent", "spaces"), [("Enforcer", +1), ("Mole", -3)])
def test_aa_28_a_getaway_car_moves_on_3_from_either_home_whichever_way_the_pawn_came(
    side: int, home: int, onto: int, agent: str, spaces: int
) -> None:
    start = onto - home - spaces
    table = recruits(agent, ongoing=("Getaway Car",), progress=start, side=side)
    assert table.progress(side) == onto - home + 3
    moved = [told for told in table.told if told.startswith(f"side {side} ") and "recruits" not in told]
    assert len(moved) == 2
    assert moved[1] == f"side {side} gets away from the home: moves on 3, to progress {onto - home + 3:+d}"


def test_aa_28_standing_on_a_home_without_having_moved_a_getaway_car_stays() -> None:
    assert recruits("Codebreaker", ongoing=("Getaway Car",)).progress(0) == 0
    assert recruits("Codebreaker", ongoing=("Getaway Car",), progress=7).progress(0) == 7


@pytest.mark.parametrize("onto", [space for space in range(14) if space not in (0, 7)])
def test_aa_28_a_getaway_car_does_nothing_anywhere_else(onto: int) -> None:
    assert recruits("Enforcer", ongoing=("Getaway Car",), progress=onto - 1).progress(0) == onto


def test_aa_28_passing_a_home_a_getaway_car_does_nothing() -> None:
    assert recruits("Sidekick", ongoing=("Getaway Car",), progress=5).progress(0) == 9


def test_aa_28_the_other_side_has_no_use_of_a_getaway_car() -> None:
    table = Table.arranged(hands=[["Enforcer", "Sentinel"], HAND], progress=(6, 0), deck=["Mole"] * 4)
    table = table.with_market("Masterplan", ongoing=[[], ["Getaway Car"]])
    table.turn(active="Enforcer", other="Sentinel")
    assert table.progress(0) == 7


def test_aa_28_where_the_car_stops_is_what_counts_in_the_end_step() -> None:
    table = Table.arranged(hands=[["Enforcer", "Sentinel"], HAND], progress=(6, 3), deck=["Mole"] * 4)
    table = table.with_market("Masterplan", ongoing=[["Getaway Car"], []])
    table.turn(active="Enforcer", other="Sentinel")
    assert (table.lead(0), table.result) == (7, ("caught", 0))


def test_aa_28_the_car_drives_for_a_surveillance_truck_too() -> None:
    """No market space is next to a home, so this position does not arise in play."""
    table = landed("Surveillance Truck", ongoing=[["Getaway Car"], []])
    table = table.goes_on(sides=(replace(table.state.sides[0], progress=6), table.state.sides[1]))
    table.takes("Surveillance Truck")
    assert table.progress(0) == 10
