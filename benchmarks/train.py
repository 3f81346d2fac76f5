"""Trains MaskablePPO of Stable-Baselines3 by `referee.gymnasium`: `python -m benchmarks.train [SECONDS [GAME SEATS]]`.

It prints the mean reward against players who choose at random, before and after the training. The packages
`sb3-contrib` and `torch` are too large for a suite; install them into an environment of your own.
"""

import sys
import time
from typing import Any

import numpy as np

import referee.gymnasium

MATCHES = 400


def mean_reward(env: Any, choose: Any) -> tuple[float, float]:
    """The mean reward of matches with the same seeds, and its standard error."""
    rewards = []
    for seed in range(10**9, 10**9 + MATCHES):
        seen, _ = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            seen, reward, over, _, _ = env.step(choose(seen, env.action_masks()))
        rewards.append(reward)
    return float(np.mean(rewards)), float(np.std(rewards) / MATCHES**0.5)


def main(seconds: float, game: str, seats: int) -> None:
    """Train, and print the figures."""
    from sb3_contrib import MaskablePPO  # noqa: PLC0415 (not needed to import this module)
    from stable_baselines3.common.env_checker import check_env  # noqa: PLC0415

    env = referee.gymnasium.env(game, seats=seats)
    check_env(env)
    model = MaskablePPO("MlpPolicy", env, seed=1, n_steps=1024, batch_size=256, device="cpu")

    def trained(seen: Any, mask: Any) -> int:
        return int(model.predict(seen, action_masks=mask, deterministic=True)[0])

    print("before: {:.3f}, standard error {:.3f}".format(*mean_reward(env, trained)), flush=True)
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        model.learn(4096, reset_num_timesteps=False)
        steps += 4096
    used = time.process_time() - began
    print(f"{steps} decisions in {used:.0f} s of processor time")
    print("after: {:.3f}, standard error {:.3f}".format(*mean_reward(env, trained)))


if __name__ == "__main__":
    arguments = [*sys.argv[1:], *["300", "inside-job", "4"][len(sys.argv) - 1 :]]
    main(float(arguments[0]), arguments[1], int(arguments[2]))
