"""A seat for Gymnasium, with stand-ins for the few things that it uses; `make ci-peers` has the real one."""

import copy
import pickle
import sys
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

import numpy as np
import pytest

import referee
from tests.api import fake_pettingzoo
from tests.games.kits import KITS

GAMES = [("agent-avenue", 2), ("agonia", 2), ("inside-job", 3)]


@pytest.fixture
def gymnasium(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module `referee.gymnasium` over the stand-ins."""
    for name, module in fake_pettingzoo.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "referee.gymnasium", raising=False)
    yield import_module("referee.gymnasium")
    sys.modules.pop("referee.gymnasium", None)


def first(mask: Any) -> int:
    return int(np.flatnonzero(mask)[0])


@pytest.mark.parametrize(("game", "seats"), GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_an_episode_is_the_match_that_start_gives_against_these_players(
    gymnasium: Any, game: str, seats: int, seat: int
) -> None:
    env = gymnasium.env(game, lambda decision: decision.legal[-1], seat=seat)
    seen, info = env.reset(seed=7)
    match = referee.start(game, seats, seed=7)
    over = False
    for decision in match:
        if decision.seat != seat:
            match.choose(-1 + len(decision.legal))
            continue
        assert not over
        assert (seen == env.space.encode(decision.view)).all()
        assert (info["action_mask"] == env.space.mask(decision)).all()
        assert (env.action_masks() == info["action_mask"]).all()
        match.choose(0)
        seen, reward, over, truncated, info = env.step(int(env.space.ids(decision)[0]))
        assert not truncated
    assert over
    assert env.match.digest == match.digest
    assert reward == match.rewards[seat]
    assert not env.action_masks().any()


def test_without_a_seat_of_its_own_the_seed_says_which_and_all_come(gymnasium: Any) -> None:
    env = gymnasium.env("inside-job", seats=4)
    env.reset(seed=7)
    own = env.seat
    assert {env.reset() and env.seat for _ in range(40)} == {0, 1, 2, 3}
    env.reset(seed=7)
    assert env.seat == own


def test_an_illegal_action_is_a_fault_that_loses(gymnasium: Any) -> None:
    env = gymnasium.env("agent-avenue", seat=0)
    env.reset(seed=7)
    illegal = next(number for number, legal in enumerate(env.action_masks()) if not legal)
    _, reward, over, _, _ = env.step(illegal)
    assert (reward, over, env.match.outcome.ending) == (-1, True, "fault")


@pytest.mark.parametrize("another", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
def test_a_copy_goes_on_by_itself(gymnasium: Any, another: Any) -> None:
    env = gymnasium.env("agent-avenue")
    env.reset(seed=7)
    twin = another(env)
    before = env.match.decision
    over = False
    while not over:
        _, _, over, _, _ = twin.step(first(twin.action_masks()))
    assert env.match.decision == before
    over = False
    while not over:
        _, _, over, _, _ = env.step(first(env.action_masks()))
    assert env.match.digest == twin.match.digest


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_the_seat_observes_nothing_that_it_cannot_know(gymnasium: Any, game: str, seats: int) -> None:
    env, rng, kit = gymnasium.env(game, seats=seats, seat=1), Random(1), KITS[game]
    for number in range(5):
        seen, _ = env.reset(seed=number)
        over = False
        while not over:
            truth = env.match._match.state
            env.match._match.state = kit.redeal(truth, 1, rng)
            assert (env.space.encode(env.match.observe(1)) == seen).all()
            env.match._match.state = truth
            seen, _, over, _, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()).tolist())))


def test_wrong_use_is_one_sentence(gymnasium: Any) -> None:
    with pytest.raises(referee.WrongUse, match="there are 1 players for the 3 other seats"):
        gymnasium.env("inside-job", [referee.random_player], seats=4)
    with pytest.raises(referee.WrongUse, match="there is no seat 2; give one of 0 to 1, or None for any"):
        gymnasium.env("agent-avenue", seat=2)


def test_it_is_rendered_in_words(gymnasium: Any) -> None:
    env = gymnasium.env("agent-avenue", seat=0, render_mode="ansi")
    env.reset(seed=7)
    assert "seen by seat 0" in env.render()
