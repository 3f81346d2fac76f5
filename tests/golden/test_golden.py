"""Golden playthroughs: a match for every ending at every table. Its recorded choices give the same text as before.

`make golden` writes them anew. Read the difference before you commit it: it is what changed for players.
"""

import pytest

from referee.core.outcome import FAULT
from referee.wire.registry import games
from tests.golden import records
from tests.golden.playthrough import Played
from tests.golden.search import shortest_that_ends_so
from tests.golden.tables import FOLDER, GOLDEN, TABLES, TEXTS, Golden
from tests.golden.tell import difference

IN_TEXT = tuple(golden for golden in GOLDEN if golden.in_text)


@pytest.mark.parametrize("golden", GOLDEN, ids=str)
def test_the_playthrough_reads_as_it_did(golden: Golden, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden", default=False):
        records.write(golden, shortest_that_ends_so(golden))
    now = records.retold(golden)
    if golden.in_text:
        _compare_text(golden, now)
    _compare_digest(golden, now)
    assert now.ending == golden.ending


def _compare_text(golden: Golden, now: Played) -> None:
    """If the text differs, show the first hundred lines of the difference."""
    changed = difference(golden.text_path.read_text(encoding="utf-8"), now.text).splitlines()
    if changed:
        told = "\n".join(changed[:100] + ["..."] * (len(changed) > 100))
        pytest.fail(f"{golden} now reads otherwise (- was, + is):\n{told}", pytrace=False)


def _compare_digest(golden: Golden, now: Played) -> None:
    if now.digest != records.recorded(golden).digest:
        pytest.fail(
            f"{golden} now reads otherwise, which only its digest shows; to see what is new since the last commit:\n"
            f"  make golden-tell PLAY={golden} SINCE=HEAD",
            pytrace=False,
        )


def test_every_ending_of_every_registered_game_is_told_in_text_and_so_is_a_fault() -> None:
    wanted = {(name, ending) for name, entry in games().items() for ending in (*entry.game.endings, FAULT)}
    assert wanted - {(golden.game, golden.ending) for golden in IN_TEXT} == set()


def test_every_text_is_of_a_playthrough() -> None:
    named = {f"{table}/{ending}" for table, endings in TEXTS.items() for ending in endings}
    assert named == {str(golden) for golden in IN_TEXT}


def test_no_table_that_has_texts_shows_only_its_fault() -> None:
    assert [table for table, endings in TEXTS.items() if set(endings) <= {FAULT}] == []


def test_the_playthroughs_are_short_enough_to_be_read() -> None:
    lines = {file: file.read_text(encoding="utf-8").count("\n") for file in FOLDER.rglob("*.txt")}
    assert {file.relative_to(FOLDER) for file in lines if lines[file] > 2_300} == set(), "leave them out of TEXTS"
    assert sum(lines.values()) <= 20_000, "leave out of TEXTS what is told best elsewhere"


def test_every_game_with_playthroughs_is_registered() -> None:
    assert set(TABLES) <= set(games())


def test_no_playthrough_is_left_over() -> None:
    texts = {golden.text_path for golden in IN_TEXT}
    choices = {golden.choices_path for golden in GOLDEN}
    assert sorted(set(FOLDER.rglob("*.txt")) - texts - choices) == []


def test_no_record_is_left_over() -> None:
    wanted = {str(golden) for golden in GOLDEN}
    found = {f"{golden.game}/{golden.table.name}/{ending}" for golden in GOLDEN for ending in records.endings(golden)}
    assert found == wanted
