"""Golden words: what a language model is told at every golden table, of the rules and of a decision."""

import msgspec
import pytest

import referee
from referee import words
from tests.golden.tables import FOLDER, TABLES, GoldenTable

_DECISION = 9
"""The decision of the match that is put into words: some things have happened by then."""


def _told(game: str, table: GoldenTable) -> str:
    options = msgspec.to_builtins(table.options)
    match = referee.start(game, table.seats, seed="words", options=options)
    for number, decision in enumerate(match):
        if number == _DECISION:
            parts = (words.rules(game, table.seats, options), words.prompt(decision))
            return f"\n{'-' * 100}\n\n".join(parts)
        match.choose(0)
    raise AssertionError("the match is too short")


@pytest.mark.parametrize(
    ("game", "table"), [pytest.param(game, table, id=table.name) for game in TABLES for table in TABLES[game]]
)
def test_the_rules_and_a_decision_read_as_they_did(
    game: str, table: GoldenTable, request: pytest.FixtureRequest
) -> None:
    path = FOLDER / game / table.name / "words.md"
    if request.config.getoption("--update-golden", default=False):
        path.write_text(_told(game, table), encoding="utf-8")
    assert path.read_text(encoding="utf-8").splitlines() == _told(game, table).splitlines()
