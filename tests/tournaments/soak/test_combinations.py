"""The combinations that the soak plays."""

import re
from pathlib import Path

import pytest

from referee.core.errors import FileProblems
from tests.tournaments.soak.combinations import COMBINATIONS, FORMATS, IN_BATCHES, TABLES, write_soaked
from tournaments.league.format_settings import KINDS
from tournaments.results.league_location import league_in

SEATING = "'copies'|'teams'|nobody plays against anybody"
"""Words of the sentences by which a table is refused for its seating."""


def allowed(folder: Path, kind: str, where: str) -> bool:
    folder.mkdir()
    try:
        league_in(write_soaked(folder, kind, where))
    except FileProblems as problems:
        if re.search(SEATING, str(problems)):
            return False
        raise
    return True


@pytest.mark.parametrize("kind", FORMATS)
def test_the_soak_plays_every_combination_that_a_league_file_may_have_and_no_other(kind: str, tmp_path: Path) -> None:
    here = {where for where in TABLES if allowed(tmp_path / where, kind, where)}
    assert here == {where for each, where in COMBINATIONS if each == kind}


def test_of_every_format_a_league_is_played_in_batches() -> None:
    assert set(IN_BATCHES) <= set(COMBINATIONS)
    assert {kind for kind, _ in IN_BATCHES} == set(FORMATS)


def test_it_plays_every_kind_of_league() -> None:
    kinds = {re.findall('kind = "(.*?)"', how)[0] for how in FORMATS.values()}
    assert kinds == set(KINDS)
