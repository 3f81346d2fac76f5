"""What follows a turn: a network says how likely each side wins, and a table says what kept cards are worth.

The features are whole numbers, and the weights are whole numbers over `SCALE`. So every sum is exact, in whatever order
it is added up, and the values are the same on every machine.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from hands import AGENTS, Numbers, hands
from position import FEATURES, Position, features_after, levels, results

WEIGHTS = Path(__file__).with_name("weights.txt")
SCALE = 256.0  # a power of two
FINE_SCALE = SCALE**2


class Values(NamedTuple):
    """The network, which has two hidden layers of rectified units, and the table.

    Attributes:
        first: the weights by feature and unit. The last row is added always.
        second: those by unit of the first layer and unit. The last row is added always.
        last: those of the result. The last is added always.
        keeping: by agent, number before the own side (2 for more) and before the other: how much more likely a side
            wins for each card of this agent that it keeps in its turn.
    """

    first: Numbers
    second: Numbers
    last: Numbers
    keeping: Numbers

    def hidden(self, features: Numbers) -> tuple[Numbers, Numbers]:
        """Both hidden layers, by row of features."""
        one = np.maximum(features @ self.first[:-1] + self.first[-1], 0.0)
        return one, np.maximum(one @ self.second[:-1] + self.second[-1], 0.0)

    def results(self, features: Numbers) -> Numbers:
        """The expected results of the side whose turn it is, from -1 (a loss) to 1, by row of features."""
        return self.results_of(self.hidden(features)[1])

    def results_of(self, second: Numbers) -> Numbers:
        """The same, by row of the second hidden layer."""
        sums = second @ self.last[:-1] + self.last[-1]
        found: Numbers = sums / np.sqrt(1 + sums * sums)
        return found

    def wins(self, drawn: Position) -> Numbers:
        """How likely the side wins whose turn it is, by what it recruits and what the other does.

        `drawn` is the position after the draws.
        """
        sure = results(drawn)
        rows = features_after(drawn).reshape(-1, FEATURES)
        likely = -self.results(rows).reshape(sure.shape)
        return (1 + np.where(sure == 0, likely, sure)) / 2

    def kept(self, position: Position) -> Numbers:
        """By hand of the cards that the active side keeps: how much more likely it wins than with any such hand."""
        worths = self.keeping[AGENTS, *levels(position)]
        counts = hands(position.own.cards - 2).counts
        usual = (position.pool * worths).cumsum()[-1] * (position.own.cards - 2) / max(int(position.pool.sum()), 1)
        found: Numbers = (counts * worths[:, None]).sum(axis=0) - usual
        return found


def read(path: Path = WEIGHTS) -> Values:
    """The network in a file."""
    layers: list[list[list[float]]] = [[]]
    for line in path.read_text(encoding="ascii").splitlines():
        if line:
            layers[-1].append([float(weight) / SCALE for weight in line.split()])
        else:
            layers.append([])
    first, second, last, keeping = (np.array(layer) for layer in layers)
    if len(first) != FEATURES + 1:
        raise ValueError(f"{path} is for other features")
    return Values(first, second, last[:, 0], keeping.reshape(-1, 3, 3) * (SCALE / FINE_SCALE))


def written(values: Values) -> str:
    """The text of the network's file: a line for each row of weights, and an empty line between two layers."""
    keeping = values.keeping.reshape(len(AGENTS), -1) * (FINE_SCALE / SCALE)
    layers = (values.first, values.second, values.last[:, None], keeping)
    return "\n".join("".join(" ".join(str(round(w * SCALE)) for w in row) + "\n" for row in layer) for layer in layers)
