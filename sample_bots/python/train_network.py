"""Trains the bot `network` by matches against itself: `python train_network.py [FILE]`, by default network/weights.txt.

The network learns who wins: from every decision of a match, the score of the action that was chosen is drawn towards
+1 if its seat won, and towards -1 if not. A player chooses the best score most of the time, and otherwise any action.

The file comes out the same, byte for byte, on every machine and with any number of processes. All random numbers come
from `random()` with seeds, which gives the same ones in every version of Python. While it learns, the network is the
one that will play: its weights are whole numbers over a power of two. So are all scores, errors and gradients, and
their sums fit into the 53 bits of a float64: they are exact, in whatever order they are added up. All the rest are
single operations, which every processor rounds alike. There is no `exp` among them.
"""

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).with_name("network")))
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process for each core is enough

import numpy as np
from adam import Layer, steps
from network import WEIGHTS, Network, Numbers, written
from numpy.typing import NDArray
from referee_bot.v1 import agent_avenue_pb2 as aa
from rows import NAMES, rows

import referee

TABLES = ({"mode": "simple"}, {"mode": "advanced"}, {"mode": "advanced", "ceasefire": True})
HIDDEN = 32
ROUNDS = 20
BATCHES = 6  # in a round; each has one of the tables
MATCHES = 250  # in a batch, or a few more
IN_STEP = 50
REMEMBERED = 4  # rounds
EXPLORING = 0.1  # the share of actions that are drawn
PASSES = 2  # over all that is remembered, in a round
STEP = 512  # decisions for one step of learning
RATE = 0.002  # how far a weight moves in a step, at first; at last, not at all
SPREAD = 0.1  # of the first weights
SCALE = 256  # a power of two: the weights in the file are so much larger than those that learn


class Experience(NamedTuple):
    """What was seen in matches: a row for each action that was chosen, and whether its seat won (1) or lost (-1)."""

    rows: NDArray[np.int8]
    results: Numbers


def played(network: Network, batch: int) -> Experience:
    """The network plays matches against itself, in step, until enough of them have ended."""
    matches = referee.vector("agent-avenue", IN_STEP, seed=batch, options=TABLES[batch % len(TABLES)])
    luck, codec = Random(batch), matches.game.codec
    chosen: list[list[tuple[int, bytes]]] = [[] for _ in range(IN_STEP)]  # by match: seats, and rows of their actions
    ended: list[tuple[bytes, float]] = []
    left = MATCHES
    while left > 0:
        choices = [rows_of(codec, *asked) for asked in zip(matches.views, matches.actions, strict=True)]
        indices = [explored(luck, len(each), best) for each, best in zip(choices, network.best(choices), strict=True)]
        for moves, seat, each, index in zip(chosen, matches.asked.tolist(), choices, indices, strict=True):
            moves.append((seat, each[index]))
        finished = matches.step(matches.legal[matches.offsets[:-1] + indices])
        for place, rewards in zip(finished.places.tolist(), finished.rewards.tolist(), strict=True):
            ended += [(row, rewards[seat]) for seat, row in chosen[place]]
            chosen[place] = []
        left -= len(finished.places)
    seen = b"".join(row for row, _ in ended)
    results = np.array([reward for _, reward in ended])
    return Experience(np.frombuffer(seen, np.int8).reshape(-1, len(NAMES)), results)


def explored(luck: Random, count: int, best: int) -> int:
    """The best of so many actions, or now and then any of them."""
    return int(luck.random() * count) if luck.random() < EXPLORING else best


def rows_of(codec: Any, view: Any, actions: Sequence[Any]) -> list[bytes]:
    """A row for each action, made from the bytes that the bot would be sent."""
    sent = [aa.Action.FromString(codec.action(action)) for action in actions]
    return rows(aa.View.FromString(codec.view(view)), sent)


class Student:
    """The network that learns."""

    def __init__(self) -> None:
        luck = Random(0)
        self._first = Layer(luck, SPREAD, SCALE, len(NAMES), HIDDEN)
        self._second = Layer(luck, SPREAD, SCALE, HIDDEN)

    @property
    def network(self) -> Network:
        """What it has learned."""
        return Network(self._first.whole, self._second.whole)

    def learn(self, seen: Experience, luck: Random, rate: float) -> float:
        """Learn from all this in a drawn order. Returns the mean squared error before each step."""
        squares = 0.0
        for some in steps(len(seen.rows), luck, STEP):
            squares += self._step(seen.rows[some].astype(np.float64), seen.results[some], rate)
        return squares / len(seen.rows)

    def _step(self, features: Numbers, results: Numbers, rate: float) -> float:
        first, second = self._first.weights, self._second.weights
        hidden = np.maximum(features @ first, 0.0)
        errors: Numbers = hidden @ second - results
        self._second.learn(errors @ hidden / len(errors), rate)
        self._first.learn(features.T @ (np.outer(errors, second) * (hidden > 0)) / len(errors), rate)
        return float(errors @ errors)


def main(to: Path) -> None:
    """Train, and write the weights."""
    student = Student()
    memory: list[Experience] = []
    with ProcessPoolExecutor() as processes:
        for number in range(ROUNDS):
            batches = range(number * BATCHES, (number + 1) * BATCHES)
            memory += processes.map(played, [student.network] * BATCHES, batches)
            del memory[: -REMEMBERED * BATCHES]
            seen = Experience(*map(np.concatenate, zip(*memory, strict=True)))
            errors = [student.learn(seen, Random(number), RATE * (1 - number / ROUNDS)) for _ in range(PASSES)]
            print(f"{batches.stop * MATCHES} matches, mean squared error {errors[-1]:.4f}", flush=True)
    to.write_text(written(student.network), encoding="ascii")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else WEIGHTS)
