"""The network: whole numbers in and out, so that every sum is exact, in whatever order it is added up.

A network of fractions gives slightly other scores for the same row in a batch of another size: the library adds in
another order, and every addition rounds. Here features and weights are whole numbers. They are held in float64, which
processors multiply fast, and no sum comes near 2**53. So nothing is ever rounded.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rows import NAMES

Numbers = NDArray[np.float64]
WEIGHTS = Path(__file__).with_name("weights.txt")


class Network:
    """One hidden layer.

    Attributes:
        first: the weights from the features to the hidden layer, by feature; whole numbers.
        second: the weights from the hidden layer to the score; whole numbers.
    """

    def __init__(self, first: Numbers, second: Numbers) -> None:
        self.first = first
        self.second = second

    def scores(self, rows: Sequence[bytes]) -> Numbers:
        """The score of each row, a whole number. All rows are multiplied at once."""
        features = np.frombuffer(b"".join(rows), np.int8).reshape(len(rows), len(NAMES)).astype(np.float64)
        hidden: Numbers = np.maximum(features @ self.first, 0.0)
        scores: Numbers = hidden @ self.second
        return scores

    def best(self, decisions: Sequence[Sequence[bytes]]) -> list[int]:
        """For each decision, given as the rows of its actions, the first action with the highest score."""
        scores = self.scores([row for rows in decisions for row in rows])
        ends = accumulate(map(len, decisions), initial=0)
        return [int(scores[begin:end].argmax()) for begin, end in pairwise(ends)]


def read(path: Path = WEIGHTS) -> Network:
    """The network in a file: a line for each feature, its name and its weights, and the last line for the score."""
    lines = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
    names = (*NAMES, "score")
    if tuple(line[0] for line in lines) != names:
        raise ValueError(f"{path} is for other features")
    *first, second = (line[1:] for line in lines)
    return Network(np.array(first, np.float64), np.array(second, np.float64))


def written(network: Network) -> str:
    """The text of the network's file."""
    rows: Iterable[tuple[str, Numbers]] = zip(NAMES, network.first, strict=True)
    return "".join(
        " ".join((name, *(str(int(weight)) for weight in weights))) + "\n"
        for name, weights in (*rows, ("score", network.second))
    )
