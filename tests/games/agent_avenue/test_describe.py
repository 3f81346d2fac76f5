"""A match in words."""

import pytest

from referee.core.text import several
from referee.games.agent_avenue.describe import CARDS, NAMES
from referee.games.agent_avenue.pieces import PRINTS, MarketCard
from referee.games.agent_avenue.state import Options
from tests.games.agent_avenue.positions import landed
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


def test_a_view_of_the_advanced_mode_shows_offer_pile_ongoing_cards_marks_and_what_is_to_be_decided() -> None:
    table = landed("Mind Control", "Masterplan", pile=["Outpost", "Spycation"], ongoing=[[], ["Getaway Car"]])
    assert GAME.describe_view(table.view(1)).splitlines() == [
        "turn 1, seat 0's; seen by seat 1",
        "board o.0..m.1.m..m.  deck 6",
        "side 0: progress +2, lead +2; 1 Daredevil",
        "side 1: progress +0, lead -2; 1 Codebreaker; Getaway Car",
        "market: Masterplan, Mind Control; pile 2",
        "seat 0: 4 cards; discards 0 of 4",
        "seat 1: Double Agent, Enforcer, Enforcer, Sidekick; discards 0 of 4",
        "side 0 must take a market card",
    ]
    table.takes("Mind Control")
    assert GAME.describe_view(table.view(1)).splitlines()[-1] == "seat 0 chooses for Mind Control"
    table.chooses("Codebreaker")
    lines = GAME.describe_view(table.view(1)).splitlines()
    assert lines[4] == "market: Masterplan, Outpost; pile 1; used: Mind Control"
    assert lines[5] == "seat 0: 5 cards; discards 0 of 4; seen there: 1 Codebreaker"


def test_a_view_shows_marks_with_the_discards_made_since() -> None:
    table = Table.arranged(hands=[MIXED, MIXED]).with_market("Outpost").marked(0, "Mole", "Mole")
    table.discards("Saboteur")
    assert "; seen there: 2 Mole, 1 discards ago" in GAME.describe_view(table.view(1))


def test_a_view_shows_what_a_ceasefire_put_out_of_the_game() -> None:
    table = landed("Ceasefire", ceasefire=True)
    table.takes("Ceasefire")
    assert "out of the game: 1 Codebreaker, 1 Daredevil" in GAME.describe_view(table.view(1)).splitlines()


def test_a_view_shows_that_an_agent_may_be_recruited_again() -> None:
    table = landed("Spycation")
    table.takes("Spycation")
    table.chooses("Daredevil")
    assert GAME.describe_view(table.view(0)).splitlines()[-1] == "seat 0 may recruit Daredevil again"


def test_a_view_of_a_team_shows_captains_and_who_plays_what() -> None:
    table = Table.arranged(hands=[MIXED] * 3, deck=[])
    assert GAME.describe_view(table.view(2)).splitlines()[-1] == (
        "captains: seats 0 and 1; seat 0 plays face up, seat 2 face down"
    )
    table.lays("Mole", "face up")
    assert GAME.describe_view(table.view(2)).splitlines()[-2] == "face up: Mole; the face-down card is to be played"
    table.lays("Enforcer", "face down")
    assert GAME.describe_view(table.view(0)).splitlines()[-2] == "to recruit: Mole face up, a card face down"
    alone = Table.arranged(hands=[MIXED] * 3, active=1)
    assert GAME.describe_view(alone.view(0)).splitlines()[-1] == "captains: seats 2 and 1; seat 1 plays both cards"


def test_every_market_card_has_its_printed_name() -> None:
    assert CARDS[MarketCard.LEADER_OF_THE_PACK] == "Leader of the Pack"
    assert CARDS[MarketCard.WATCHTOWER_TWO] == "Watchtower Two"
    assert len(set(CARDS.values())) == len(MarketCard)


def test_the_rules_in_words_say_how_far_each_agent_moves_and_how_often_it_is_there() -> None:
    lines = GAME.rules_text(Options(), 2).splitlines()
    for agent, name in NAMES.items():
        copies, symbols = PRINTS[agent].copies, PRINTS[agent].symbols
        moves = ", ".join(f"{spaces:+d}" if spaces else "0" for spaces in symbols[:copies])
        assert f"- {name} ({several(copies, 'copy', 'copies')}): {moves}" in lines
