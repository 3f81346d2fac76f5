"""The comparison of two worlds finds leaks that begin in the middle of a match, whichever way they take."""

from collections.abc import Iterator
from itertools import zip_longest
from random import Random

import pytest

from referee.wire.codec import GameEntry
from referee.wire.dialects import DIALECTS
from tests.leaks.comparing import Pair, compared, pairs, sent_in
from tests.leaks.parameters import every_game, every_leak
from tests.leaks.planted import Planted
from tests.leaks.proofs import Proof


def leaky(proof: Proof, leak: type[Planted]) -> GameEntry:
    return GameEntry(leak(proof.entry.game, proof.lore).rules, proof.entry.codec)


def many_pairs(proof: Proof) -> Iterator[Pair]:
    rng = Random(15)
    for _ in range(5):
        for table in proof.tables[:3]:
            yield from pairs(proof, table, 2, rng)


@pytest.mark.slow
@every_game
@every_leak
def test_a_planted_leak_shows_in_what_a_seat_is_sent_and_step_by_step(proof: Proof, leak: type[Planted]) -> None:
    entry, sent, steps = leaky(proof, leak), set[str](), False
    for pair in many_pairs(proof):
        sent |= differing(*sent_in(entry, pair))
        steps |= leak.shows_as in compared(proof, entry, pair).differences
        if sent == DIALECTS.keys() and steps:
            return
    pytest.fail(f"found in what is sent: {sorted(sent)}; found step by step: {steps}")


def differing(first: list[bytes], second: list[bytes]) -> set[str]:
    """The dialects in which two matches differ: each message is there in one after the other."""
    dialects = tuple(DIALECTS)
    pairs = enumerate(zip_longest(first, second))
    return {dialects[at % len(dialects)] for at, (one, other) in pairs if one != other}
