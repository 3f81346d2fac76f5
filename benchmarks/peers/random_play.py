"""How fast RLCard and PettingZoo play at random. This is run by the interpreter of `environment.py`, which has both.

    python random_play.py STEPS

Prints a JSON object that has for each game its steps a CPU second. A step is a choice of one player. It gives the
observation and the legal actions of the next player, as RLCard and PettingZoo always do.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any


class Chooser:
    """Chooses by a linear congruential generator."""

    def __init__(self) -> None:
        self._number = 1

    def __call__(self, legal: list[int]) -> int:
        """One of the legal actions."""
        self._number = (self._number * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        return legal[(self._number >> 8) % len(legal)]


def play_rlcard(env: Any, choose: Chooser) -> int:
    """Play a game; returns its steps."""
    steps = 0
    state, _ = env.reset()
    while not env.is_over():
        state, _ = env.step(choose(list(state["legal_actions"])))
        steps += 1
    return steps


def play_pettingzoo(env: Any, choose: Chooser) -> int:
    """Play a game; returns its steps. An agent that is out has no choice: that is no step."""
    steps = 0
    env.reset()
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            env.step(choose(observation["action_mask"].nonzero()[0].tolist()))
            steps += 1
    return steps


def steps_a_second(play: Callable[[], int], at_least: int) -> float:
    """Steps a CPU second of games one after the other, until there were so many steps."""
    steps = 0
    began = time.process_time()
    while steps < at_least:
        steps += play()
    return steps / (time.process_time() - began)


def main(at_least: int) -> None:
    """Measure every game, and print the figures."""
    import pettingzoo  # noqa: PLC0415 (tests import this module where neither is installed)
    import rlcard  # noqa: PLC0415

    choose = Chooser()

    def rlcard_rate(name: str) -> float:
        env = rlcard.make(name, config={"seed": 1})
        return steps_a_second(lambda: play_rlcard(env, choose), at_least)

    def pettingzoo_rate(name: str) -> float:
        env = pettingzoo.make("aec", name)
        return steps_a_second(lambda: play_pettingzoo(env, choose), at_least)

    rates = {
        "Leduc Hold'em in RLCard": rlcard_rate("leduc-holdem"),
        "UNO in RLCard": rlcard_rate("uno"),
        "Gin Rummy in RLCard": rlcard_rate("gin-rummy"),
        "Connect Four in PettingZoo": pettingzoo_rate("classic/connect_four-v3"),
        "Leduc Hold'em in PettingZoo": pettingzoo_rate("classic/leduc_holdem-v4"),
    }
    print(json.dumps(rates))


if __name__ == "__main__":
    main(int(sys.argv[1]))
