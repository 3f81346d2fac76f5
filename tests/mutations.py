"""Values like others, but wrong somewhere: what a stranger may write into a file."""

from random import Random
from typing import Any

import msgspec

NUMBERS = (0, -1, 1, 2, 7, 99, 1 << 31, 1 << 40, (1 << 63) - 1, -(1 << 63))
TEXTS = ("", "x", "\0", "\x1b[2J", "é" * 300, "../../etc/passwd", "greedy@1", "simple", "7", "null", "ff" * 32)
OTHERS = (None, True, 0.5, 1e300, [], {}, [[]], {"a": 1}, *NUMBERS, *TEXTS)


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
        return value[:at] + value[at + 1 :]
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
    if isinstance(tree, int) and rng.random() < 0.9:
        return rng.choice((tree + 1, tree - 1, *NUMBERS))
    if isinstance(tree, str) and rng.random() < 0.9:
        return rng.choice((tree + tree[:1], tree[1:], *TEXTS))
    return rng.choice(OTHERS)
