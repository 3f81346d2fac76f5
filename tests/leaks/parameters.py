"""What the proofs are run with: every game, every table, every leak."""

import pytest

from tests.leaks.planted import LEAKS
from tests.leaks.proofs import PROOFS

every_game = pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.game)
every_table = pytest.mark.parametrize(
    ("proof", "table"),
    [pytest.param(proof, table, id=f"{proof.game}-{table.name}") for proof in PROOFS for table in proof.tables],
)
every_leak = pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
