"""Positions of every kind of decision and draw, at every table, in two worlds that one seat cannot tell apart."""

import pytest

from tests.conftest import Tell
from tests.golden.tables import GoldenTable
from tests.leaks.comparing import positions
from tests.leaks.parameters import every_game, every_table
from tests.leaks.proofs import Proof

LEAST = 100


@every_game
def test_a_seat_sees_and_hears_the_same_in_positions_of_every_kind(proof: Proof) -> None:
    tables = proof.tables if proof.game != "agonia" else proof.tables[-1:]  # where all kinds come up soon
    for table in tables:
        assert positions(proof, table, least=1).keys() == proof.kinds(table)


@pytest.mark.leaks
@every_table
def test_a_seat_sees_and_hears_the_same_in_a_hundred_positions_of_every_kind(
    proof: Proof, table: GoldenTable, tell: Tell
) -> None:
    met = positions(proof, table, LEAST)
    tell(f"{proof.game}/{table.name}, positions", met)
    assert met.keys() == proof.kinds(table)
    assert min(met.values()) >= LEAST
