"""How the networks of the sample bots learn: by Adam (Kingma and Ba, 2015)."""

from collections.abc import Iterator
from math import prod
from random import Random

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class Layer:
    """Weights that learn. A network uses them rounded to whole numbers over `scale`, a power of two."""

    def __init__(self, luck: Random, spread: float, scale: float, *shape: int) -> None:
        """Draw the first weights from -spread to spread."""
        first = [(2 * luck.random() - 1) * spread for _ in range(prod(shape))]
        self._weights: Numbers = np.array(first).reshape(shape)
        self._scale = scale
        self._mean, self._square = np.zeros(shape), np.zeros(shape)
        self._unknown_mean = self._unknown_square = 1.0  # how much of both is still what they began with

    @property
    def whole(self) -> Numbers:
        """The weights as they are written: whole numbers."""
        return np.rint(self._weights * self._scale)

    @property
    def weights(self) -> Numbers:
        """The weights as the network uses them."""
        return self.whole / self._scale

    def learn(self, gradient: Numbers, rate: float) -> None:
        """Take one step."""
        self._unknown_mean *= 0.9
        self._unknown_square *= 0.999
        self._mean += 0.1 * (gradient - self._mean)
        self._square += 0.001 * (gradient * gradient - self._square)
        mean = self._mean / (1 - self._unknown_mean)
        size = np.sqrt(self._square / (1 - self._unknown_square))
        self._weights -= rate * mean / (size + 1e-8)


def steps(count: int, luck: Random, size: int) -> Iterator[list[int]]:
    """The numbers below `count` in a drawn order, so many at a time."""
    order = sorted(range(count), key=lambda _: luck.random())
    for begin in range(0, count, size):
        yield order[begin : begin + size]
