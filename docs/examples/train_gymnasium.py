"""Trains a seat of Inside Job through Gymnasium, with numpy alone: `python train_gymnasium.py SECONDS`.

It is a script, and a notebook of cells for editors that know `# %%`. The method is PPO (Schulman and others, 2017).
"""

# %% The environment: one seat against players who choose at random; the seed of a match says which seat.
import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: so small a network is faster with one thread

import numpy as np

import referee.gymnasium

SECONDS = float(sys.argv[1]) if len(sys.argv) == 2 else 60.0  # of processor time
HIDDEN, MATCHES, EPOCHS, BATCH = 64, 200, 4, 256
RATE, CLIP, ENTROPY = 0.001, 0.2, 0.01
env = referee.gymnasium.env("inside-job", seats=4)
size, actions = env.observation_space.shape[0], int(env.action_space.n)
rng = np.random.default_rng(1)


# %% Two networks with one hidden layer each: the actor prefers actions, the critic expects a reward.
class Network:
    """It learns by Adam (Kingma and Ba, 2015)."""

    def __init__(self, outputs):
        self.weights = [rng.standard_normal((size, HIDDEN)) * size**-0.5, rng.standard_normal((HIDDEN, outputs)) * 0.01]
        self.means, self.squares = ([np.zeros_like(each) for each in self.weights] for _ in range(2))
        self.steps = 0

    def evaluate(self, seen):
        """The hidden layer and the outputs for each observation."""
        hidden = np.maximum(seen @ self.weights[0], 0)
        return hidden, hidden @ self.weights[1]

    def step(self, seen, hidden, slopes, rate):
        """Move against the slopes of the loss by the outputs."""
        self.steps += 1
        deeper = slopes @ self.weights[1].T * (hidden > 0)
        everything = zip(self.weights, self.means, self.squares, (seen.T @ deeper, hidden.T @ slopes), strict=True)
        for each, mean, square, now in everything:
            mean[:] += 0.1 * (now - mean)
            square[:] += 0.001 * (now**2 - square)
            size_of_step = (square / (1 - 0.999**self.steps)) ** 0.5 + 1e-8
            each[:] -= rate * mean / (1 - 0.9**self.steps) / size_of_step


actor, critic = Network(actions), Network(1)


def choose(seen, masks):
    """The actor's hidden layer, and the probability of each action; 0 for actions that are not legal."""
    hidden, wishes = actor.evaluate(seen)
    chances = np.exp(np.where(masks, wishes - wishes.max(axis=1, keepdims=True), -np.inf))
    return hidden, chances / chances.sum(axis=1, keepdims=True)


def learn(seen, masks, chosen, rewards, rate):
    """Make choices likelier that brought more than expected, and expect what came."""
    everyone = np.arange(len(seen))
    before = choose(seen, masks)[1][everyone, chosen]
    better = rewards - critic.evaluate(seen)[1][:, 0]
    better = (better - better.mean()) / (better.std() + 1e-6)
    for part in [part for _ in range(EPOCHS) for part in np.array_split(rng.permutation(everyone), len(seen) // BATCH)]:
        hidden, chances = choose(seen[part], masks[part])
        ratio = chances[np.arange(len(part)), chosen[part]] / before[part]
        far = np.where(better[part] > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)  # they have moved enough
        slopes = np.where(far, 0, ratio * better[part])[:, None] * (chances - np.eye(actions)[chosen[part]])
        logs = np.log(np.maximum(chances, 1e-9))
        slopes += ENTROPY * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))  # keep some variety
        actor.step(seen[part], hidden, slopes / len(part), rate)
        hidden, expected = critic.evaluate(seen[part])
        critic.step(seen[part], hidden, (expected - rewards[part, None]) / len(part), rate)


# %% Playing: what the seat saw, which actions were legal, what it chose, and the reward at the end.
def play(draw, seed=None):
    """One match. `draw` takes an observation and a mask and gives an action."""
    steps, over = [], False
    seen, _ = env.reset(seed=seed)
    while not over:
        mask = env.action_masks()
        action = draw(seen, mask)
        steps.append((seen, mask, action))
        seen, reward, over, _, _ = env.step(action)
    return steps, reward


def explore(seen, mask):
    """An action with the probability that the actor gives it."""
    return int(rng.choice(actions, p=choose(seen[None], mask[None])[1][0]))


def trained(seen, mask):
    """The action that the actor prefers."""
    return int(choose(seen[None], mask[None])[1][0].argmax())


def anyhow(_seen, mask):
    """Any legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


# %% Training.
matches, begin = 0, time.process_time()
while (used := time.process_time() - begin) < SECONDS:
    played = [play(explore) for _ in range(MATCHES)]
    matches += MATCHES
    rows = [(*each, reward) for steps, reward in played for each in steps]
    learn(*map(np.array, zip(*rows, strict=True)), RATE * (1 - used / SECONDS))
print(f"{matches} matches in {SECONDS:.0f} s")

# %% Is it better than chance? Both play the same matches, whose seeds training never had.
tests = range(10**9, 10**9 + max(20, min(4000, int(40 * SECONDS))))
scores = np.array([[play(player, seed)[1] for player in (trained, anyhow)] for seed in tests])
error = (scores[:, 0] - scores[:, 1]).std() / len(tests) ** 0.5
print("mean reward: trained {:.3f}, random {:.3f}".format(*scores.mean(axis=0)))
print(f"difference: {(scores[:, 0] - scores[:, 1]).mean():.3f}, standard error {error:.3f}")
