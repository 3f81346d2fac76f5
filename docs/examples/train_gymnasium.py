"""Trains a seat of Inside Job through Gymnasium, with numpy alone: `python train_gymnasium.py SECONDS`.

It is a script, and a notebook of cells for editors that know `# %%`. The method is policy gradient with a baseline
(Sutton and Barto, "Reinforcement Learning", chapter 13).
"""

# %% The environment: one seat against players who choose at random; the seed of a match says which seat.
import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: so small a network is faster with one thread

import numpy as np

import referee.gymnasium

SECONDS = float(sys.argv[1]) if len(sys.argv) == 2 else 60.0  # of processor time
HIDDEN, MATCHES, RATE, ENTROPY = 64, 64, 0.003, 0.01
env = referee.gymnasium.env("inside-job", seats=4)
size, actions = env.observation_space.shape[0], int(env.action_space.n)
rng = np.random.default_rng(1)

# %% The network: one hidden layer, which gives a preference for each action and the reward that it expects.
weights = [
    rng.standard_normal((size, HIDDEN)) * size**-0.5,
    rng.standard_normal((HIDDEN, actions)) * 0.01,
    np.zeros((HIDDEN, 1)),
]
means, squares = ([np.zeros_like(each) for each in weights] for _ in range(2))


def evaluate(seen, masks):
    """For each observation: the hidden layer, the probability of each action, the reward that the network expects."""
    hidden = np.maximum(seen @ weights[0], 0)
    wishes = np.where(masks, hidden @ weights[1], -np.inf)
    chances = np.exp(wishes - wishes.max(axis=1, keepdims=True))
    return hidden, chances / chances.sum(axis=1, keepdims=True), (hidden @ weights[2])[:, 0]


def learn(seen, masks, chosen, rewards, step, rate):
    """Make choices likelier that brought more than expected, and expect what came (Adam: Kingma and Ba, 2015)."""
    hidden, chances, expected = evaluate(seen, masks)
    better = (rewards - expected)[:, None]
    logs = np.log(np.maximum(chances, 1e-9))
    wish = better * (np.eye(actions)[chosen] - chances)  # towards the choice
    wish -= ENTROPY * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))  # and towards variety
    deeper = (wish @ weights[1].T + 0.5 * better @ weights[2].T) * (hidden > 0)
    better, wish, deeper = (each / len(seen) for each in (better, wish, deeper))
    for number, gradient in enumerate([seen.T @ deeper, hidden.T @ wish, 0.5 * hidden.T @ better]):
        means[number] += 0.1 * (gradient - means[number])
        squares[number] += 0.001 * (gradient**2 - squares[number])
        size_of_step = rate / (1 - 0.9**step)
        weights[number] += size_of_step * means[number] / ((squares[number] / (1 - 0.999**step)) ** 0.5 + 1e-8)


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


def trained(seen, mask):
    """An action with the probability that the network gives it."""
    return int(rng.choice(actions, p=evaluate(seen[None], mask[None])[1][0]))


def anyhow(_seen, mask):
    """Any legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


# %% Training.
matches = step = 0
begin = time.process_time()
while (used := time.process_time() - begin) < SECONDS:
    step += 1
    played = [play(trained) for _ in range(MATCHES)]
    matches += MATCHES
    rows = [(*each, reward) for steps, reward in played for each in steps]
    learn(*map(np.array, zip(*rows, strict=True)), step, RATE * (1 - used / SECONDS))
print(f"{matches} matches in {SECONDS:.0f} s")

# %% Is it better than chance? Both play the same matches, whose seeds training never had.
tests = range(10**9, 10**9 + max(20, int(10 * SECONDS)))
scores = np.array([[play(player, seed)[1] for player in (trained, anyhow)] for seed in tests])
error = (scores[:, 0] - scores[:, 1]).std() / len(tests) ** 0.5
print("mean reward: trained {:.3f}, random {:.3f}".format(*scores.mean(axis=0)))
print(f"difference: {(scores[:, 0] - scores[:, 1]).mean():.3f}, standard error {error:.3f}")
