"""A match in words."""

import pytest

from tests.games.agent_avenue.table import GAME, Table

MIXED = ["Enforcer", "Saboteur", "Sentinel", "Mole"]


def test_a_view_shows_board_leads_agents_hands_and_deck() -> None:
    table = Table.arranged(
        hands=[MIXED, MIXED],
        progress=(5, -2),
        recruited=[["Enforcer", "Mole", "Enforcer"], []],
        discards=[["Saboteur"], ["Sentinel", "Mole"]],
        deck=["Codebreaker"] * 9,
    )
    assert GAME.describe_view(table.view(0)).splitlines() == [
        "turn 1, seat 0's; seen by seat 0",
        "board o....*.o......  deck 9",
        "side 0: progress +5, lead +7; 2 Enforcer, 1 Mole",
        "side 1: progress -2, lead -7; no agents",
        "seat 0: Enforcer, Saboteur, Sentinel, Mole; discards 1 of 4 (Saboteur)",
        "seat 1: 4 cards; discards 2 of 4",
    ]


def test_a_view_shows_what_can_be_recruited_as_the_seat_knows_it() -> None:
    table = Table.arranged(hands=[MIXED, []], progress=(-1, 8))
    table.plays(up="Mole", down="Enforcer")
    mine, yours = (GAME.describe_view(table.view(seat)).splitlines() for seat in (0, 1))
    assert mine[-1] == "to recruit: Mole face up, Enforcer face down"
    assert yours[-1] == "to recruit: Mole face up, a card face down"
    assert mine[1].split()[1] == "o1.....o.....0"


def test_an_empty_hand_is_said_to_be_nothing() -> None:
    table = Table.arranged(hands=[[], MIXED], active=1)
    assert "seat 0: nothing; discards 0 of 4" in GAME.describe_view(table.view(0)).splitlines()


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        (("Sentinel", "Mole"), ["side 0 stays, at progress +0", "side 1 moves back 3, to progress -3"]),
        (("Sidekick", "Enforcer"), ["side 0 moves on 4, to progress +4", "side 1 moves on 1, to progress +1"]),
    ],
)
def test_moves_are_told_with_their_direction(agents: tuple[str, str], said: list[str]) -> None:
    table = Table.arranged(hands=[[*agents], MIXED])
    table.turn(active=agents[0], other=agents[1])
    assert sorted(table.told[2:]) == said


def test_actions_are_told_in_a_few_words() -> None:
    table = Table.arranged(hands=[["Mole", "Double Agent"], MIXED])
    assert table.legal == [
        "play Double Agent face up, Mole face down",
        "play Mole face up, Double Agent face down",
        "discard Double Agent",
        "discard Mole",
    ]
