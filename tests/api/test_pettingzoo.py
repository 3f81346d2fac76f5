"""Our environment for PettingZoo, with stand-ins for the few things that it uses; `make ci-peers` has the real ones."""

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

import numpy as np
import pytest

import referee
from referee.core.outcome import rewards
from tests.api import fake_pettingzoo
from tests.api.players import anyhow
from tests.games.kits import KITS


@pytest.fixture
def environments(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module `referee.pettingzoo` over the stand-ins."""
    for name, module in fake_pettingzoo.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "referee.pettingzoo", raising=False)
    yield import_module("referee.pettingzoo")
    sys.modules.pop("referee.pettingzoo", None)


def legal(observation: Any) -> list[int]:
    ids: list[int] = np.flatnonzero(observation["action_mask"]).tolist()
    return ids


@pytest.mark.parametrize(("game", "seats"), [("agent-avenue", 2), ("agonia", 2), ("inside-job", 3)])
def test_an_episode_is_the_match_that_start_gives(environments: Any, game: str, seats: int) -> None:
    env = environments.env(game, seats)
    env.reset(seed=7)
    match = referee.start(game, seats, seed=7)
    for decision in match:
        assert env.agent_selection == f"seat_{decision.seat}"
        seen = env.observe(env.agent_selection)
        assert (seen["observation"] == env.space.encode(decision.view)).all()
        assert (seen["action_mask"] == env.space.mask(decision)).all()
        choice = anyhow(decision)
        match.choose(choice)
        env.step(int(env.space.ids(decision)[choice]))
    assert env.match.digest == match.digest
    assert tuple(env.rewards.values()) == rewards(match.outcome)
    assert all(env.terminations.values())
    for _ in range(seats):
        env.step(None)
    assert env.agents == []


def test_rewards_are_added_up_once(environments: Any) -> None:
    env = environments.env("agent-avenue")
    env.reset(seed=7)
    for agent in env.agent_iter():
        if env.terminations[agent]:
            break
        env.step(legal(env.observe(agent))[0])
    assert env._cumulative_rewards == env.rewards
    assert sorted(env.rewards.values()) == [-1, 1]


def test_the_same_seed_gives_the_same_match_and_no_seed_the_next_one(environments: Any) -> None:
    env = environments.env("agent-avenue")
    env.reset(seed=7)
    first = env.match.header
    env.reset()
    assert env.match.header == referee.start("agent-avenue", 2, seed="7/1").header != first
    env.reset(seed=7)
    assert env.match.header == first


def test_an_illegal_action_is_a_fault_that_loses(environments: Any) -> None:
    env = environments.env("agent-avenue")
    env.reset(seed=7)
    illegal = next(number for number in range(env.space.actions) if number not in legal(env.observe("seat_0")))
    env.step(illegal)
    assert env.match.outcome.ending == "fault"
    assert env.rewards == {"seat_0": -1, "seat_1": 1}


def test_it_is_rendered_in_words(environments: Any, capsys: pytest.CaptureFixture[str]) -> None:
    env = environments.env("agent-avenue", render_mode="ansi")
    env.reset(seed=7)
    assert env.render().startswith("turn 1, seat 0's; seen by seat 0")
    printing = environments.env("agent-avenue", render_mode="human")
    printing.reset(seed=7)
    assert printing.render() is None
    assert capsys.readouterr().out == f"{env.render()}\n"
    silent = environments.env("agent-avenue")
    silent.reset(seed=7)
    assert silent.render() is None


def test_where_one_decides_before_another_it_is_wrong_use(environments: Any) -> None:
    with pytest.raises(referee.WrongUse, match=r"not all seats decide at once here; take referee\.pettingzoo\.env"):
        environments.parallel_env("agent-avenue").reset(seed=7)


# What it must not tell


def leaks(env: Any, game: str) -> Iterator[str]:
    """What some agent observes otherwise when only things change that it cannot know."""
    rng, kit = Random(1), KITS[game]
    for number in range(10):
        env.reset(seed=number)
        for agent in env.agent_iter():
            if env.terminations[agent]:
                break
            for other in env.possible_agents:
                seen = env.observe(other)
                if other != agent and seen["action_mask"].any():
                    yield "the mask of an agent that is not asked"
                truth = env.match._match.state
                env.match._match.state = kit.redeal(truth, env._seats[other], rng)
                if (env.observe(other)["observation"] != seen["observation"]).any():
                    yield "the vector"
                env.match._match.state = truth
            env.step(rng.choice(legal(env.observe(agent))))


@pytest.mark.parametrize(("game", "seats"), [("agent-avenue", 2), ("agonia", 2), ("inside-job", 3)])
def test_no_agent_observes_what_it_cannot_know(environments: Any, game: str, seats: int) -> None:
    assert list(leaks(environments.env(game, seats), game)) == []


def test_a_mask_for_agents_that_are_not_asked_is_found(environments: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def observe(self: Any, agent: str) -> Any:
        mask = np.zeros(self.space.actions, np.int8)
        mask[self._ids] = 1
        return {"observation": self.space.encode(self.match.observe(self._seats[agent])), "action_mask": mask}

    monkeypatch.setattr(environments.MatchEnv, "observe", observe)
    assert "the mask of an agent that is not asked" in leaks(environments.env("agent-avenue"), "agent-avenue")


def test_a_vector_of_another_seats_view_is_found(environments: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def observe(self: Any, _seat: int) -> Any:
        return self.game.rules.view(self.state, 0)

    monkeypatch.setattr(referee.LocalMatch, "observe", observe)
    assert "the vector" in leaks(environments.env("agent-avenue"), "agent-avenue")


def test_a_later_sealed_agent_observes_nothing_of_an_earlier_choice(environments: Any) -> None:
    worlds = [environments.env("inside-job", 4, {"talk": "every_trick"}) for _ in range(2)]
    for env in worlds:
        env.reset(seed=7)
        while env.space.action_words[legal(env.observe(env.agent_selection))[0]] != "suspect nobody":
            env.step(legal(env.observe(env.agent_selection))[0])
    one, other = worlds
    one.step(legal(one.observe("seat_0"))[0])
    other.step(legal(other.observe("seat_0"))[-1])
    for agent in one.possible_agents:
        seen, too = one.observe(agent), other.observe(agent)
        assert all((seen[part] == too[part]).all() for part in ("observation", "action_mask"))


# Without the extra


@pytest.mark.parametrize(
    ("module", "package", "needs", "extra"),
    [
        ("referee.pettingzoo", "gymnasium", "PettingZoo", "pettingzoo"),
        ("referee.pyspiel", "pyspiel", "OpenSpiel", "openspiel"),
    ],
)
def test_without_its_extra_a_module_says_how_to_install_it(module: str, package: str, needs: str, extra: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None\ntry: import {module}\nexcept ImportError as e: print(e)"
    said = subprocess.check_output([sys.executable, "-c", program], text=True, timeout=120)
    assert said == f"{module} needs {needs}, which is not installed; run: pip install 'referee[{extra}]'\n"
