"""Tiny games, played completely: one string of bytes for each information set, and another for each other one."""

import pytest

from referee.wire.codec import GameEntry
from tests.conftest import Tell
from tests.leaks.parameters import every_game, every_leak
from tests.leaks.planted import Planted, Withholds
from tests.leaks.proofs import PROOFS, Proof
from tests.leaks.tiny import Sets, Tiny, information_sets, orders


def found_in(proof: Proof, leak: type[Planted]) -> Sets:
    """What the small game shows of a leak that is there from the first position on."""
    lore = proof.lore._replace(in_the_middle=lambda _: True)
    entry = GameEntry(leak(proof.entry.game, lore).rules, proof.entry.codec)
    return information_sets(entry, proof.observer, proof.small)


def test_orders_are_all_different_and_as_many_as_there_must_be() -> None:
    found = list(orders("aabbb"))
    assert len(set(found)) == len(found) == 10
    assert sorted(found[0]) == [0, 0, 2, 2, 2]


@every_game
def test_each_information_set_of_a_small_game_has_one_string_of_its_own(proof: Proof) -> None:
    found = information_sets(proof.entry, proof.observer, proof.small)
    assert (found.leaks, found.withheld) == (0, 0)
    assert found.positions > found.sets > 30


@pytest.mark.leaks
@pytest.mark.parametrize(
    ("proof", "tiny"),
    [pytest.param(proof, tiny, id=f"{proof.game}: {tiny.name}") for proof in PROOFS for tiny in proof.tinies],
)
def test_each_information_set_of_a_tiny_game_has_one_string_of_its_own(proof: Proof, tiny: Tiny, tell: Tell) -> None:
    found = information_sets(proof.entry, proof.observer, tiny)
    tell(f"{proof.game}, complete: {tiny.name}", found._asdict())
    assert (found.leaks, found.withheld) == (0, 0)
    assert found.positions > found.sets > 1000


@pytest.mark.slow
@every_game
@every_leak
def test_a_planted_leak_gives_an_information_set_two_strings(proof: Proof, leak: type[Planted]) -> None:
    assert found_in(proof, leak).leaks > 0


@every_game
def test_what_is_withheld_leaves_two_information_sets_with_one_string(proof: Proof) -> None:
    found = found_in(proof, Withholds)
    assert (found.leaks, found.withheld > 0) == (0, True)
