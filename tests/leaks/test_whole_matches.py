"""Whole matches in two worlds: a seat that cannot tell two matches apart is sent the same bytes, from first to last.

The second match has other luck and, where choices are hidden, other choices. What the seat may observe is the same, by
the rulings alone. So the worlds agree for it: to the end, or until something hidden is revealed.
"""

from collections import Counter
from random import Random

import pytest

from tests.conftest import Tell
from tests.golden.tables import GoldenTable
from tests.leaks.comparing import pairs, sent_in
from tests.leaks.parameters import every_table
from tests.leaks.proofs import Proof

MATCHES = 60


def compare(proof: Proof, table: GoldenTable, matches: int) -> Counter[str]:
    """Compare what every seat is sent. Counts pairs of matches, by their length and by what was dealt otherwise."""
    counts = Counter[str]()
    for pair in pairs(proof, table, matches, Random(14)):
        first, second = sent_in(proof.entry, pair)
        assert first == second
        if pair.exchanged:
            counts["whole matches" if pair.is_whole else "beginnings"] += 1
            counts["messages"] += len(first)
            counts.update(f"with other {label}" for label in pair.exchanged if "/" not in label)
    return counts


@every_table
def test_a_seat_is_sent_the_same_in_a_match_that_it_cannot_tell_from_another(proof: Proof, table: GoldenTable) -> None:
    counts = compare(proof, table, 1)
    assert counts["whole matches"] + counts["beginnings"] >= table.seats


@pytest.mark.leaks
@every_table
def test_a_seat_is_sent_the_same_in_many_matches_that_it_cannot_tell_apart(
    proof: Proof, table: GoldenTable, tell: Tell
) -> None:
    counts = compare(proof, table, MATCHES)
    tell(f"{proof.game}/{table.name}, sent in two worlds", counts)
    assert min(counts["whole matches"], counts["beginnings"]) >= 100
    shuffled = {"agent-avenue": {"deck"}, "agonia": {"cards", "tokens"}, "inside-job": {"roles", "hands", "missions"}}
    assert {label for label in shuffled[proof.game] if counts[f"with other {label}"] < 50} == set()
