"""The box, the board and the deal: AA-01 to AA-03."""

from collections.abc import Mapping

import msgspec
import pytest

from referee.core.game import Roll, Shuffle
from referee.core.seeds import from_text
from referee.games.agent_avenue.pieces import DECK, PRINTS, Agent
from referee.games.agent_avenue.state import Options
from referee.match.conversation import Chosen, Ready
from referee.match.header import header
from referee.match.match import Ask, Match, Open
from referee.match.replay import verify
from referee.match.terms import Clock
from referee.match.transcript import Transcript
from tests.games.agent_avenue.table import GAME, Table, cards, order_of

COPIES = {
    "Double Agent": 6,
    "Enforcer": 6,
    "Codebreaker": 6,
    "Saboteur": 6,
    "Daredevil": 6,
    "Sentinel": 6,
    "Sidekick": 1,
    "Mole": 1,
}
MOVES = {
    "Double Agent": [-1, +6, -1, -1, -1, -1],
    "Enforcer": [+1, +2, +3, +3, +3, +3],
    "Codebreaker": [0, 0, 0, 0, 0, 0],
    "Saboteur": [-1, -1, -2, -2, -2, -2],
    "Daredevil": [+2, +3, 0, 0, 0, 0],
    "Sentinel": [0, +2, +6, +6, +6, +6],
    "Sidekick": [+4],
    "Mole": [-3],
}
DEAL = ["Mole", "Enforcer", "Enforcer", "Sentinel", "Saboteur", "Codebreaker", "Sidekick", "Daredevil"]


def test_aa_01_the_deck_has_38_agents_of_eight_names() -> None:
    assert len(DECK) == 38
    assert {name: DECK.count(*cards(name)) for name in COPIES} == COPIES
    assert len(PRINTS) == len(Agent) == 8


@pytest.mark.parametrize("name", MOVES)
def test_aa_01_a_pawn_moves_by_the_symbol_of_the_count_just_reached(name: str) -> None:
    filler = "Enforcer" if name != "Enforcer" else "Saboteur"
    for before, spaces in enumerate(MOVES[name]):
        hand = [name, filler, filler, filler]
        table = Table.arranged(hands=[hand, []], recruited=[[name] * before, []], progress=(0, 0), deck=["Mole"])
        table.turn(active=name, other=filler)
        assert table.progress(0) == spaces, f"after {before}"


def test_aa_02_the_homes_lie_opposite_each_other_on_a_ring_of_14() -> None:
    board = GAME.describe_view(Table.dealt().view(0)).splitlines()[1]
    assert board.split()[1] == "0......1......"


def test_aa_03_the_deck_is_shuffled_first_then_the_first_side_is_drawn() -> None:
    state = GAME.setup(Options(), 2)
    assert GAME.awaiting(state) == Shuffle("deck", 38)
    state, _ = GAME.luck(state, tuple(range(38)))
    assert GAME.awaiting(state) == Roll("first", 2)


def test_aa_03_each_player_gets_four_cards_in_seat_order_and_30_stay_in_the_deck() -> None:
    table = Table.dealt(*DEAL)
    assert table.hand(0) == ["Enforcer", "Enforcer", "Sentinel", "Mole"]
    assert table.hand(1) == ["Codebreaker", "Saboteur", "Daredevil", "Sidekick"]
    assert len(table.state.deck) == 30


def test_aa_03_the_deal_is_told_before_the_lot_for_the_first_side() -> None:
    state, events = GAME.luck(GAME.setup(Options(), 2), order_of(*DEAL))
    assert [GAME.describe(event) for event in events] == [
        "seat 0 draws 4: Mole, Enforcer, Enforcer, Sentinel",
        "seat 1 draws 4: Saboteur, Codebreaker, Sidekick, Daredevil",
    ]
    _, events = GAME.luck(state, (1,))
    assert [GAME.describe(event) for event in events] == ["side 1 begins"]


@pytest.mark.parametrize("first", [0, 1])
def test_aa_03_the_side_drawn_begins_and_turns_alternate(first: int) -> None:
    table = Table.dealt("Enforcer", "Saboteur", "Enforcer", "Saboteur", *["Enforcer", "Saboteur"] * 2, begins=first)
    assert (table.asked, table.state.turn) == ((first,), 1)
    table.turn(active="Enforcer", other="Saboteur")
    assert (table.asked, table.state.turn) == ((1 - first,), 2)


def test_aa_03_nothing_is_ever_shuffled_back_into_the_deck() -> None:
    table = Table.arranged(hands=[["Enforcer", "Saboteur"], ["Mole", "Sidekick"]], deck=[])
    table.turn(active="Enforcer", other="Saboteur")
    assert table.state.deck == ()


def test_aa_03_simple_1v1_without_ceasefire_is_what_is_played_if_nothing_is_said() -> None:
    assert msgspec.to_builtins(Options()) == {"mode": "simple", "line_up": "1v1", "ceasefire": False}
    assert msgspec.convert({"mode": "simple", "line_up": "1v1"}, Options) == Options()


@pytest.mark.parametrize("wrong", [{"mode": "hard"}, {"line_up": "3v3"}, {"ceasefire": 1}, {"market": True}])
def test_aa_03_no_other_options_are_taken(wrong: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


@pytest.mark.parametrize("line_up", ["1v1", "2v2", "2v1"])
def test_aa_03_a_ceasefire_needs_the_advanced_mode(line_up: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="ceasefire is a card of the black market"):
        msgspec.convert({"line_up": line_up, "ceasefire": True}, Options)
    assert msgspec.convert({"mode": "advanced", "line_up": line_up, "ceasefire": True}, Options).ceasefire


def test_aa_03_two_players_sit_on_two_sides() -> None:
    assert GAME.seats(Options()) == (2,)
    assert [side.seats for side in GAME.sides(Options(), 2)] == [(0,), (1,)]


def test_a_transcript_from_before_there_was_a_market_still_verifies() -> None:
    """Its header says nothing about a ceasefire, and its digest must not change."""
    simple = {"mode": "simple", "line_up": "1v1"}
    old, new = (recorded(options) for options in (simple, {**simple, "ceasefire": False}))
    verify(GAME, old)
    assert old.record.header.options == simple
    assert (old.record.luck, old.record.choices) == (new.record.luck, new.record.choices)
    assert old.record.outcome == new.record.outcome


def recorded(options: Mapping[str, object]) -> Transcript:
    """A match in which everybody takes the first legal action."""
    of_the_match = header(
        game=GAME.name,
        rules_version=GAME.rules_version,
        options=dict(options),
        fixture="old",
        entries=("a@1", "b@1"),
        root=from_text("old"),
        deal=0,
    )
    match = Match(GAME, of_the_match, Clock())
    for request in match:
        match.reply(Ready() if isinstance(request, Open) else Chosen(0) if isinstance(request, Ask) else None)
    return match.transcript()
