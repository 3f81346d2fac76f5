"""The bot `solver`: what it knows of the rules, that its sums are exact, and how it is trained."""

import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest
from referee_bot.v1 import agent_avenue_pb2 as aa

import referee
from referee.games.agent_avenue.moves import Play, Recruit, Slot, plays
from referee.games.agent_avenue.pieces import Agent
from referee.games.agent_avenue.state import Options, lead
from referee.wire.agent_avenue import entry
from tests.cli.command import referee as referee_command
from tests.sample_bots.bots import (
    ENFORCER,
    MOLE,
    PYTHON_BOTS,
    SENTINEL,
    legal_actions,
    load_module,
    load_training,
    new_player,
)
from tests.sample_bots.bots import decision as asked_in
from tests.sample_bots.bots import position as in_view
from tests.sample_bots.matches import bot_seed, play


def module(name: str) -> ModuleType:
    return load_module("solver", name)


def hands(size: int = 4) -> Any:
    return module("hands").hands(size)


def position(own: tuple[int, ...] = (), other: tuple[int, ...] = (), **more: Any) -> Any:
    """A position before a play, by the agents that both sides have recruited."""
    at = module("position")
    sides = (
        at.Side(tuple(agents.count(agent) for agent in range(8)), discards=more.get("discards", 4))
        for agents in (own, other)
    )
    return at.Position(more.get("lead", 0), *sides, more.get("deck", 18))


class Moment(NamedTuple):
    """A decision of a match, and the choice that follows."""

    match: referee.LocalMatch
    decision: referee.Decision
    choice: Any

    @property
    def position(self) -> Any:
        """The position as the bot finds it in the view."""
        view = aa.View.FromString(entry.codec.view(self.decision.view))
        return module("player").position_of(view)


def followed(seed: int, **options: Any) -> Iterator[Moment]:
    """The decisions of a match with random plays, whose recruits make it last."""
    match = referee.start("agent-avenue", 2, seed=seed, options={"mode": "simple"} | options, strict=True)
    luck = random.Random(seed)
    for decision in match:
        choice = luck.choice(decision.legal)
        if isinstance(choice, Recruit):
            choice = min(decision.legal, key=lambda action: ends(match, decision.seat, action))
        yield Moment(match, decision, choice)
        match.choose(choice)


def ends(match: referee.LocalMatch, seat: int, action: Any) -> tuple[bool, int]:
    """Whether an action ends the match, and how far the sides are apart then."""
    then, _ = match.game.rules.apply(match.state, {seat: action})
    return then.outcome is not None, abs(lead(then.sides, 0))


# Hands


def test_a_hand_has_the_plays_that_the_rules_give_it() -> None:
    for counts in hands().counts.T[::23]:
        cards = tuple(Agent(agent + 1) for agent in range(8) for _ in range(counts[agent]))
        found = set(hands().by_play(hands().legal, hands().index(counts)))
        assert found == {
            (int(play.face_up) - 1, int(play.face_down) - 1) for play in plays(cards) if isinstance(play, Play)
        }


# Positions


def test_the_view_of_the_recruiter_shows_the_position_before_the_play() -> None:
    sizes = set()
    for seed in range(12):
        at: Any = None
        for moment in followed(seed):
            if isinstance(moment.choice, Recruit):
                assert moment.position == at
                sizes.add((at.own.cards, at.other.cards, min(at.deck, 3)))
            at = moment.position
    assert len(sizes) > 5


def test_it_knows_how_each_turn_ends_and_what_the_next_begins_with() -> None:
    for seed in range(8):
        foreseen: Any = None
        for moment in followed(seed):
            assert foreseen in (None, moment.position)
            foreseen = None
            if isinstance(moment.choice, Recruit):
                state, drawn = moment.match.state, moment.position.after_draws()
                cards = (
                    (state.face_down, state.face_up)
                    if moment.choice.slot is Slot.FACE_UP
                    else (state.face_up, state.face_down)
                )
                own, other = (int(card) - 1 for card in cards)
                then, _ = moment.match.game.rules.apply(state, {1 - state.active: moment.choice})
                expected = 0 if then.outcome is None else 3 - 2 * then.outcome.places[state.active]
                assert module("position").results(drawn)[own, other] == expected
                foreseen = drawn.after(own, other)


def test_weights_for_other_features_are_refused(tmp_path: Path) -> None:
    values = module("values")
    text = values.WEIGHTS.read_text()
    assert values.written(values.read()) == text
    (tmp_path / "weights.txt").write_text(text.partition("\n")[2])
    with pytest.raises(ValueError, match=r"weights\.txt is for other features"):
        values.read(tmp_path / "weights.txt")


# Solutions


def test_all_factors_of_a_product_lie_on_a_grid_on_which_sums_are_exact() -> None:
    turn, values = module("turn"), module("values").read()
    shares = turn._shares(hands().ways(np.array([[6, 5, 4, 3, 2, 1, 1, 1]])).T * 0.3, 0) * turn.FINE_GRID
    assert np.array_equal(shares, np.rint(shares))
    assert shares.sum() / turn.FINE_GRID < 1.001
    assert turn.GRID * turn.FINE_GRID * 1.001 < 2**53
    weights = [
        np.abs(layer) * values_scale for layer, values_scale in zip(values, [module("values").SCALE] * 3, strict=False)
    ]
    assert all(np.array_equal(layer, np.rint(layer)) for layer in weights)
    first, second, last = weights
    inner = 38 * first[:-1].sum(axis=0) + first[-1]
    assert (inner @ second[:-1] + second[-1]) @ last[:-1] < 2**53


def test_a_solution_has_chances_for_legal_plays_alone() -> None:
    turn, at = module("turn"), position((0, 1, 5), (2, 4, 4), lead=1)
    solution = turn.solve(at, np.zeros((8, 8)), np.zeros(34), None, turn.Effort(3, 3))
    assert np.allclose(solution.plays.sum(axis=(0, 1)), 1)
    assert not (solution.plays * (1 - hands().legal)).any()


# The market


def test_after_a_card_came_back_into_the_hand_it_plays_with_five() -> None:
    view = in_view(hand=(ENFORCER, ENFORCER, SENTINEL, aa.AGENT_SIDEKICK, MOLE), offer=(aa.MARKET_CARD_OUTPOST,))
    actions = legal_actions(view, discards=False)
    chances = new_player("solver").chances(asked_in(view, actions))
    assert chances.sum() == pytest.approx(1)
    assert module("player").position_of(view).own.cards == 5


def test_cards_out_of_the_game_are_in_no_hand() -> None:
    view = in_view(hand=(ENFORCER,) * 4, own=(SENTINEL,), offer=(aa.MARKET_CARD_OUTPOST,))
    view.market.removed.extend((SENTINEL, MOLE))
    assert module("player").position_of(view).pool.tolist() == [6, 6, 6, 6, 6, 4, 1, 0]


# Matches


@pytest.mark.parametrize("mode", ["simple", "advanced"])
def test_it_plays_legal_actions_to_the_end_and_the_same_again(mode: Literal["simple", "advanced"]) -> None:
    options = Options(mode=mode)
    first, again = (
        play(entry, options, [new_player("solver", bot_seed(1, 0)), new_player("random", bot_seed(1, 1))], 1)
        for _ in range(2)
    )
    assert first == again


@pytest.mark.leagues
@pytest.mark.process
@pytest.mark.parametrize("mode", ["simple", "advanced"])
def test_it_keeps_every_rule_of_conduct_with_100_ms_for_a_move(mode: str) -> None:
    ended = referee_command("check", PYTHON_BOTS / "solver", "--move-ms", "100", "--option", f"mode={mode}")
    assert (ended.code, "FAIL" in ended.out) == (0, False), ended.out
    assert "plays many matches at once as it plays them singly" in ended.out


# How it is trained


def training() -> ModuleType:
    return load_training("solver")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, for a few matches."""
    script = training()
    for name, value in (("ROUNDS", 2), ("BATCHES", 2), ("MATCHES", 1), ("PASSES", 1), ("EFFORT", script.Effort(2, 2))):
        monkeypatch.setattr(script, name, value)
    monkeypatch.setattr(script, "ProcessPoolExecutor", ThreadPoolExecutor)
    return script


def test_what_it_learns_from_rows_together_does_not_hang_on_their_order(short: ModuleType) -> None:
    luck = np.random.default_rng(1)
    rows, targets = luck.integers(0, 7, (40, short.FEATURES)).astype(float), np.rint(luck.random(40) * 99) / short.FINE
    order = luck.permutation(len(rows))
    students = [short.Student(), short.Student()]
    for student, some in zip(students, (np.arange(len(rows)), order), strict=True):
        for _ in range(3):
            student._step(rows[some], targets[some], 0.01)
    one, other = ([layer._weights for layer in student._layers] for student in students)
    assert all(map(np.array_equal, one, other))
    assert short.written(students[0].values) != short.written(short.Student().values)


def test_training_twice_writes_the_same_file(
    short: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        short.main(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert capsys.readouterr().out.count("matches, mean squared error") == 4


@pytest.mark.leagues
@pytest.mark.timeout(3_600)
def test_training_writes_the_weights_that_the_bot_has_byte_for_byte(tmp_path: Path) -> None:
    subprocess.run([sys.executable, PYTHON_BOTS / "train_solver.py", tmp_path / "weights.txt"], check=True)
    assert (tmp_path / "weights.txt").read_bytes() == module("values").WEIGHTS.read_bytes()
