"""A fixed piece of Python. Measured beside other figures, it makes those of different machines comparable."""

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import mean

_REFERENCE_STEPS = 1_630_000
"""Steps a second of the machine on which the targets in seconds were set."""

_SOME_STEPS = 200_000


def kernel_rate(steps: int) -> float:
    """Steps a CPU second of the kernel: what rules in Python mostly do, on numbers without a meaning.

    A step takes an item out of a sorted tuple, puts another in, counts, looks up and calls. The kernel must never be
    changed: all earlier ratios to it would lose their meaning.
    """
    prices = {item: item * 7 % 11 - 5 for item in range(16)}
    held: tuple[int, ...] = (1, 3, 5, 7)
    score, number = 0, 1
    began = time.process_time()
    for _ in range(steps):
        number = (number * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        place = (number >> 8) % 4
        held = _exchanged(held, place, number % 16)
        score += prices[held[place]] * held.count(held[0])
    assert score  # the work was done
    return steps / (time.process_time() - began)


def _exchanged(held: tuple[int, ...], place: int, item: int) -> tuple[int, ...]:
    return tuple(sorted((*held[:place], *held[place + 1 :], item)))


def reference_second() -> float:
    """How many seconds this machine needs now for what the reference machine does in one. A floor for times."""
    return _REFERENCE_STEPS / kernel_rate(_SOME_STEPS)


def reference_second_on(cores: int) -> float:
    """The same while so many cores are busy: they may share a core of the real machine."""
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as processes:
        return _REFERENCE_STEPS / mean(processes.map(kernel_rate, [10 * _SOME_STEPS] * cores))
