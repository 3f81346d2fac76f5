"""The comparison of two worlds finds leaks that begin in the middle of a match, whichever way they take."""

from collections.abc import Iterator
from random import Random

import pytest

from referee.wire.codec import GameEntry
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
    entry = leaky(proof, leak)
    sent = steps = False
    for pair in many_pairs(proof):
        first, second = sent_in(entry, pair)
        sent |= first != second
        steps |= leak.shows_as in compared(proof, entry, pair).differences
        if sent and steps:
            return
    pytest.fail(f"found in what is sent: {sent}; found step by step: {steps}")
