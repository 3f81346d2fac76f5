"""The few interfaces of PettingZoo and Gymnasium that our environment uses, for tests without them."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np


class Box:
    def __init__(self, low: Any, high: Any, shape: tuple[int, ...] | None = None, dtype: Any = np.float32) -> None:
        self.low, self.high, self.shape, self.dtype = low, high, shape or np.shape(low), dtype


class Dict:
    def __init__(self, spaces: dict[str, Box]) -> None:
        self.spaces = spaces


class Discrete:
    def __init__(self, n: int) -> None:
        self.n = n


class Env:
    """The part that environments of Gymnasium derive from."""

    def reset(self, *, seed: int | None = None, options: Any = None) -> None:
        pass


class AECEnv:
    """The part that environments derive from: the bookkeeping of rewards and of agents that are out."""

    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    _cumulative_rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]

    def agent_iter(self) -> Iterator[str]:
        while self.agents:
            yield self.agent_selection

    @property
    def unwrapped(self) -> "AECEnv":
        return self

    def observe(self, agent: str) -> Any:
        raise NotImplementedError

    def last(self, _observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        agent = self.agent_selection
        seen, reward = self.observe(agent), self._cumulative_rewards[agent]
        return seen, reward, self.terminations[agent], self.truncations[agent], {}

    def _clear_rewards(self) -> None:
        self.rewards = dict.fromkeys(self.rewards, 0.0)

    def _accumulate_rewards(self) -> None:
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def _was_dead_step(self, action: int | None) -> None:
        assert action is None
        self.agents.remove(self.agent_selection)
        if self.agents:
            self.agent_selection = self.agents[0]


class Wrapper:
    def __init__(self, env: Any) -> None:
        self.env, self._has_reset = env, True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "env":
            raise AttributeError(name)
        return getattr(self.env, name)


def modules() -> dict[str, ModuleType]:
    """The modules by name."""

    def module(name: str, **members: Any) -> ModuleType:
        made = ModuleType(name)
        vars(made).update(members)
        return made

    return {
        "gymnasium": module("gymnasium", Env=Env),
        "gymnasium.spaces": module("gymnasium.spaces", Box=Box, Dict=Dict, Discrete=Discrete),
        "pettingzoo": module("pettingzoo", AECEnv=AECEnv),
        "pettingzoo.utils": module("pettingzoo.utils"),
        "pettingzoo.utils.conversions": module("pettingzoo.utils.conversions", aec_to_parallel_wrapper=Wrapper),
        "pettingzoo.utils.wrappers": module("pettingzoo.utils.wrappers", OrderEnforcingWrapper=Wrapper),
    }
