"""The counter, the supplies, and the end."""

import pytest
from msgspec.structs import replace

from referee.core.game import Over, Roll
from referee.core.outcome import Outcome, Side
from referee.games.agonia import rounds, rules
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.enemies.combat import strike
from referee.games.agonia.position.agenda import (
    Agenda,
    BeginAdvance,
    BeginRound,
    EndRound,
    Spawning,
    Supplies,
    Trim,
    Turn,
)
from referee.games.agonia.position.state import State
from tests.games.agonia.scene import Scene, drawn


def agenda_of(scene: Scene) -> Agenda:
    """What the next round consists of."""
    after, _ = rounds.begin(replace(scene.state, agenda=(BeginRound(),)), BeginRound())
    return after.agenda


def ended(scene: Scene) -> State:
    """The position as a round in which somebody spawned has ended."""
    state = replace(scene.state, agenda=(EndRound(scene.state.spawned - 1),))
    after, _ = rounds.end(state, EndRound(state.spawned - 1))
    return after


def outcome(state: State) -> Outcome:
    over = rules.awaiting(state)
    assert isinstance(over, Over)
    return over.outcome


def test_ag_21_every_round_has_the_turns_in_the_same_order_then_the_enemies() -> None:
    scene = drawn("", players=3).having(order=(1, 2, 0))
    assert agenda_of(scene) == (Turn(1), Turn(2), Turn(0), BeginAdvance(), Spawning())


@pytest.mark.parametrize("arrived", [3, 6, 9])
def test_ag_22_in_rounds_3_6_and_9_everybody_draws_first(arrived: int) -> None:
    state = ended(drawn("1 .c......").having(counter=arrived - 1))
    assert agenda_of(Scene(state))[:2] == (Supplies((0, 1)), Trim((0, 1)))


@pytest.mark.parametrize("arrived", [2, 4, 5, 7, 8, 10])
def test_ag_22_in_other_rounds_nobody_does(arrived: int) -> None:
    state = ended(drawn("1 .c......").having(counter=arrived - 1))
    assert agenda_of(Scene(state))[0] == Turn(0)


def test_ag_52_the_counter_moves_at_the_end_of_a_round_but_not_from_its_last_cell() -> None:
    scene = drawn("1 .c......")
    assert ended(scene.having(counter=9)).counter == 10
    assert ended(scene.having(counter=10)).counter == 10


def test_an_estampida_lasts_one_advance_and_calma_tensa_one_round() -> None:
    state = ended(drawn("1 .c......").having(stampedes=2, calm=True))
    assert (state.stampedes, state.calm) == (0, False)


def test_attacks_are_numbered_within_their_round() -> None:
    scene = drawn("3 ..cc....").having(round=3)
    (first, second) = (strike(scene.board, scene.state.enemies, enemy, 0) for enemy in scene.state.enemies)
    state, _ = rules.settled(replace(scene.state, agenda=(first, second, BeginRound())), ())
    assert rules.awaiting(state) == Roll("attack/3/1", 6)
    state, _ = rules.luck(state, (0,))
    assert rules.awaiting(state) == Roll("attack/3/2", 6)
    state, _ = rules.luck(state, (0,))
    assert (state.round, state.rolls) == (4, 0)


def test_ag_52_supplies_come_once_when_the_counter_arrives() -> None:
    """The counter stays on 3, because no enemy had room to appear. There is no second draw."""
    state = drawn("0 .cccccc.").having(counter=3, supplied=True).state
    after, _ = rounds.end(replace(state, agenda=(EndRound(6),)), EndRound(6))
    assert (after.counter, after.supplied) == (3, False)


def test_ag_39_an_enemy_on_an_entrance_cell_and_all_lose_at_once() -> None:
    after = drawn("7 ..c.....\n1 ....c...").advance()
    assert after.is_lost
    after.shows("1 ....c...\n8 ..c.....")
    assert outcome(after.state).places == (2, 2)


@pytest.mark.parametrize("column", range(1, 7))
def test_ag_39_every_entrance_cell_counts_and_no_other(column: int) -> None:
    row = "." * column + "c" + "." * (7 - column)
    assert drawn(f"7 {row}").advance().is_lost
    assert not drawn(f"6 {row}").advance().is_lost


def test_ag_39_on_the_last_cell_all_win_with_the_last_enemy() -> None:
    after = drawn("3 ..c.....").having(counter=10).attack(2, 3, 6)
    assert after.is_won
    assert outcome(after.state).places == (1, 1)


def test_ag_39_before_the_last_cell_an_empty_street_wins_nothing() -> None:
    assert drawn("3 ..c.....").attack(2, 3, 6).state.outcome is None


def test_ag_41_win_and_loss_are_tested_after_every_single_change() -> None:
    """An area attack kills the last enemy first. Then nobody rolls for the barricade in the area."""
    after = drawn("3 ..c=....").having(counter=10).blast(2, 3, 6)
    assert after.is_won
    after.shows("3 ...=....")
    burnt = drawn("3 ..c.....\n4 ..2.....").having(counter=10).advance(6)
    assert burnt.is_won


def test_ag_41_reaching_the_last_cell_with_an_empty_street_wins() -> None:
    state = drawn("").having(counter=9, calm=True).state
    after, _ = rules.settled(replace(state, agenda=(EndRound(0),)), ())
    assert outcome(after).ending == "victory"


@pytest.mark.parametrize(
    ("changes", "besieged"),
    [
        ({"round": 60}, True),
        ({"round": 59}, False),
        ({"round": 45, "counter": 10, "rounds_on_last": 30}, True),
        ({"round": 45, "counter": 10, "rounds_on_last": 29}, False),
    ],
)
def test_ag_41_after_60_rounds_or_30_on_the_last_cell_all_lose(changes: dict[str, int], besieged: bool) -> None:
    state = replace(drawn("3 ..c.....").state, agenda=(EndRound(0),), **changes)
    after, _ = rules.settled(state, ())
    assert (after.outcome is not None) is besieged
    if besieged:
        assert (outcome(after).ending, outcome(after).places) == ("siege", (2, 2))


def test_ag_41_rounds_on_the_last_cell_are_counted_as_they_begin() -> None:
    after, _ = rounds.begin(drawn("").having(counter=10, rounds_on_last=4).state, BeginRound())
    assert after.rounds_on_last == 5
    after, _ = rounds.begin(drawn("").having(counter=9).state, BeginRound())
    assert after.rounds_on_last == 0


def test_ag_40_the_team_is_one_side_and_its_score_is_rounds_then_kills() -> None:
    scene = drawn("7 ..c.....", players=3).having(round=7, killed=12, dead=(EnemyKind.COMUN,))
    lost = outcome(scene.advance().state)
    assert lost.sides == (Side("players", (0, 1, 2)),)
    assert lost.scores == (6012,) * 3
    won = outcome(scene.having(counter=10).attack(2, 7, 6).state)
    assert won.scores == (7013,) * 3
