"""Our games as environments of PettingZoo: one agent after another (AEC), or all at once (parallel).

    import referee.pettingzoo

    env = referee.pettingzoo.env("agent-avenue", seats=2, options={"mode": "advanced"})

It needs the extra `pettingzoo`. `referee.space` says what observations and actions mean.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.api.games import game
from referee.api.matches import LocalMatch, seed_text, start
from referee.api.rewards import Rewards
from referee.api.spaces import space
from referee.core.errors import WrongUse

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils.conversions import aec_to_parallel_wrapper
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "referee.pettingzoo needs PettingZoo, which is not installed; run: pip install 'referee[pettingzoo]'",
        name=missing.name,
    ) from None


class MatchEnv(AECEnv):
    """A match as an environment. The agents are `seat_0`, `seat_1` and so on.

    An observation has the vector of the agent's own view (`observation`) and 1 for each action that it may choose now
    (`action_mask`): all are 0 for an agent that is not asked. If several seats decide sealed, they are asked one after
    another, and nobody observes anything of it before all have chosen. An action that is not legal is a fault, as it is
    in a league: the match ends, and the agent's side has lost. Rewards come at the end.

    `reset(seed=...)` begins the match that `referee.start` gives with that seed. Without a seed, the matches
    that follow have the seeds `SEED/1`, `SEED/2` and so on. `render` gives the view of the asked agent in words.

    Attributes:
        match: the match, which has its transcript at the end.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo reads it from the class
        "name": "referee_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }
    match: LocalMatch
    __copy__ = deepcopy  # two environments never share a match

    def __init__(
        self, name: str, seats: int | None, options: Mapping[str, Any] | None, render_mode: str | None, rewards: Rewards
    ) -> None:
        super().__init__()
        count, _ = game(name).settle(seats, options)
        self.render_mode = render_mode
        self.space = space(name, count, options)
        self.possible_agents = [f"seat_{seat}" for seat in range(count)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        vector, mask = Box(self.space.low, self.space.high), Box(0, 1, (self.space.actions,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": vector, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(self.space.actions) for agent in self.possible_agents}
        self._start: dict[str, Any] = {"name": name, "seats": count, "options": options, "rewards": rewards}
        self._seed, self._resets = seed_text(None), 0

    def observation_space(self, agent: str) -> Dict:
        """The same for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The same for every agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | str | None = None, options: Mapping[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a match. `options` is there because PettingZoo passes it; options of the game are those of `env`."""
        self._resets = 0 if seed is not None else self._resets + 1
        self._seed = self._seed if seed is None else seed_text(seed)
        self.match = start(seed=f"{self._seed}/{self._resets}" if self._resets else self._seed, **self._start)
        self.agents = self.possible_agents[:]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._go_on()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What the agent sees, and may choose."""
        seat, decision = self._seats[agent], self._decision
        if decision is not None and decision.seat == seat:
            return {"observation": self.space.encode(decision.view), "action_mask": self.space.mask_of(self._ids)}
        view, ids = self.match.observe(seat), list[int]()
        if decision is not None and self.metadata["is_parallelizable"]:
            ids = self.space.list_ids(view, self.match.game.rules.legal(self.match.state, seat))
        return {"observation": self.space.encode(view), "action_mask": self.space.mask_of(ids)}

    def step(self, action: int | None) -> None:
        """Let the asked agent choose. An agent whose match is over passes None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.match.choose(self._ids.index(int(action)) if action in self._ids else -1)
        self._go_on()

    def render(self) -> str | None:
        """The view of the asked agent in words: as a text, or printed in the mode `human`."""
        words = self.match.game.describe_view(self.match.observe(self._seats[self.agent_selection]))
        if self.render_mode == "human":
            print(words)
        return words if self.render_mode == "ansi" else None

    def _go_on(self) -> None:
        """Turn to the next question, or to the results. There are no rewards before, so none must be cleared."""
        self._decision = decision = self.match.decision
        if decision is not None:
            sealed: Any = self.metadata["is_parallelizable"] and self.match.game.rules.awaiting(self.match.state)
            if sealed and len(sealed.seats) < len(self.possible_agents):
                name = self.match.game.name
                raise WrongUse(f"{name}: not all seats decide at once here; take referee.pettingzoo.env instead")
            self.agent_selection = self.possible_agents[decision.seat]
            self._ids = self.space.list_ids(decision.view, decision.legal)
            return
        self.rewards = dict(zip(self.possible_agents, self.match.rewards, strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[0]


class _OrderedEnv(OrderEnforcingWrapper):
    """Complains if methods are called in a wrong order."""

    __copy__ = deepcopy

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the asked agent sees and has got. The wrapper would look up each part of it anew, which takes long."""
        return self.env.last(observe) if self._has_reset else super().last(observe)  # type: ignore[no-any-return]


def env(
    name: str,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    render_mode: str | None = None,
    rewards: Rewards = "places",
) -> OrderEnforcingWrapper:
    """An environment of a game, which complains if its methods are called in a wrong order.

    Without `seats`, as few play as the options allow. `render_mode` is `ansi` or `human`; None: nothing is rendered.
    `rewards` are those of `referee.start`.

    Raises:
        WrongUse: there is no such game, or it does not take these options or so many players.
    """
    return _OrderedEnv(MatchEnv(name, seats, options, render_mode, rewards))


def parallel_env(
    name: str, seats: int | None = None, options: Mapping[str, Any] | None = None, rewards: Rewards = "places"
) -> aec_to_parallel_wrapper:
    """An environment of a game in which all seats always decide at once, and all agents step together.

    Raises:
        WrongUse: as `env` does; `reset` and `step` raise it as soon as some seats decide before others.
    """
    together = MatchEnv(name, seats, options, None, rewards)
    together.metadata = MatchEnv.metadata | {"is_parallelizable": True}
    return aec_to_parallel_wrapper(together)
