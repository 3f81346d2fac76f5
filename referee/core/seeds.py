"""Randomness by path: every seed follows from a parent and a label, so the order of drawing does not matter.

It only uses BLAKE2b (RFC 7693) and integer arithmetic, so a program in any language can deal a match again.
`docs/seeds.md` has test vectors. `shuffled` and `weighted` alone take random numbers that their caller draws.
"""

from bisect import bisect, bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, count
from struct import Struct
from typing import Any, TypeVar

from referee.core.errors import WrongUse
from referee.core.game import RandomNumbers

T = TypeVar("T", bound=Any)


def shuffled(pool: Iterable[T], rng: RandomNumbers) -> list[T]:
    """The pool in a uniform order that depends on what is in it, and not on how it was ordered."""
    draw = rng.random
    return sorted(sorted(pool), key=lambda _: draw())


def weighted(weights: Sequence[float], rng: RandomNumbers) -> int:
    """The number of one of these, each as likely as its weight says."""
    sums = list(accumulate(weights))
    return bisect(sums, rng.random() * sums[-1], hi=bisect_left(sums, sums[-1]))  # rounding may reach the last sum


SEED_BYTES = 32
_BLOCK = Struct("<16I")
_WORDS = 1 << 32


def from_text(text: str) -> bytes:
    """The 32-byte seed that a short text stands for. Such a seed can be guessed, so use it for rehearsals only.

    Raises:
        WrongUse: the text has bytes or characters that UTF-8 does not have.
    """
    try:
        return blake2b(text.encode(), digest_size=SEED_BYTES).digest()
    except UnicodeEncodeError as error:
        raise WrongUse(f"the seed {text!r} is not UTF-8; give one of letters and digits") from error


def child(parent: bytes, *labels: str) -> bytes:
    """The 32-byte seed found by walking `labels` down from `parent`: BLAKE2b-256(parent + label), repeated."""
    seed = parent
    for label in labels:
        seed = blake2b(seed + label.encode(), digest_size=SEED_BYTES).digest()
    return seed


@lru_cache(maxsize=32)  # all line-ups play the same deals, one after the other
def permutation(seed: bytes, count: int) -> tuple[int, ...]:
    """A uniform permutation of `range(count)`: Fisher-Yates from the last place down."""
    order = list(range(count))
    words = _words(seed)
    for last in range(count - 1, 0, -1):
        other = _below(words, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def rolls(seed: bytes, faces: int, count: int) -> tuple[int, ...]:
    """`count` uniform integers in `range(faces)`."""
    words = _words(seed)
    return tuple(_below(words, faces) for _ in range(count))


def _words(seed: bytes) -> Iterator[int]:
    """32-bit little-endian words of BLAKE2b-512(seed + block number as 4 little-endian bytes), block after block."""
    for block in count():
        yield from _BLOCK.unpack(blake2b(seed + block.to_bytes(4, "little")).digest())


def _below(words: Iterator[int], bound: int) -> int:
    """The next word below the largest multiple of `bound`, modulo `bound`: rejection keeps it uniform."""
    limit = _WORDS - _WORDS % bound
    for word in words:
        if word < limit:
            break
    return word % bound
