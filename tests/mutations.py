"""Values like others, but wrong somewhere: what a stranger may write into a file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec
import pytest

WRECKS = int(os.environ.get("REFEREE_TEST_WRECKS", "1"))
"""How many times more inputs than usual the slow tests try."""

NUMBERS = (0, -1, 1, 2, 7, 99, 1 << 31, 1 << 40, (1 << 63) - 1, -(1 << 63))
TEXTS = ("", "x", "\0", "\x1b[2J", "é" * 300, "../../etc/passwd", "greedy@1", "simple", "7", "null", "ff" * 32)
OTHERS: tuple[Any, ...] = (None, True, 0.5, 1e300, [], {}, [[]], {"a": 1}, *NUMBERS, *TEXTS)


def batches(each: int) -> list[Any]:
    """The parameters of a test that tries `each` seeds: the first range is quick, the others are slow."""
    others = (range(at * each, (at + 1) * each) for at in range(1, 1 + WRECKS))
    return [range(each), *(pytest.param(seeds, marks=pytest.mark.slow) for seeds in others)]


@contextmanager
def noting(what: str) -> Iterator[None]:
    """Say what was tried if something goes wrong."""
    try:
        yield
    except BaseException as error:
        error.add_note(what)
        raise


def mutated(value: Any, rng: Random) -> Any:
    """A value like this one. Of a text or bytes with JSON, one place is changed; its type is kept most of the time."""
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, str(value), -value, value << 20))
    if not isinstance(value, str | bytes):
        return ""
    try:
        tree = msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError):
        at = rng.randrange(len(value) + 1)
        both: Any = value
        return both[:at] + both[at + 1 :]
    text = msgspec.json.encode(_changed(tree, rng))
    return text if isinstance(value, bytes) else text.decode()


def _changed(tree: Any, rng: Random) -> Any:
    if isinstance(tree, dict) and tree and rng.random() < 0.97:
        key = rng.choice(list(tree))
        if rng.random() < 0.02:
            return {name: each for name, each in tree.items() if name != key}
        return tree | {key: _changed(tree[key], rng)}
    if isinstance(tree, list) and tree and rng.random() < 0.95:
        at = rng.randrange(len(tree))
        if rng.random() < 0.2:
            return tree[:at] + tree[at + rng.randrange(2) :] + tree[at : at + rng.randrange(3)]
        return [*tree[:at], _changed(tree[at], rng), *tree[at + 1 :]]
    alike: tuple[Any, ...] = OTHERS
    if isinstance(tree, int | str) and rng.random() < 0.9:
        alike = (tree + tree[:1], tree[1:], *TEXTS) if isinstance(tree, str) else (tree + 1, tree - 1, *NUMBERS)
    return rng.choice(alike)
