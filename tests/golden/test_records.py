"""A playthrough is kept so that it can be played again."""

from pathlib import Path

import msgspec
import pytest

from referee.core.outcome import FAULT
from tests.golden import tables
from tests.golden.playthrough import Played
from tests.golden.records import NotRecorded, endings, recorded, retold, write
from tests.golden.tables import GOLDEN, Golden

PLAYED = Played("7", "anyhow", (0, 12, 3), "caught", "one\ntwo\n")
TOLD_IN_TEXT = next(golden for golden in GOLDEN if golden.in_text)
NOT_IN_TEXT = next(golden for golden in GOLDEN if not golden.in_text)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tables, "FOLDER", tmp_path)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("golden", [TOLD_IN_TEXT, NOT_IN_TEXT], ids=str)
def test_what_is_written_of_a_playthrough_is_read_again(golden: Golden) -> None:
    write(golden, PLAYED)
    record = recorded(golden)
    assert (record.seed, record.manner, record.choices) == ("7", "anyhow", (0, 12, 3))
    assert record.digest == "c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8"


@pytest.mark.usefixtures("elsewhere")
def test_only_what_is_told_in_text_leaves_a_text() -> None:
    NOT_IN_TEXT.folder.mkdir(parents=True)
    NOT_IN_TEXT.text_path.write_text("of a time when it was told in text")
    write(NOT_IN_TEXT, PLAYED)
    write(TOLD_IN_TEXT, PLAYED)
    assert not NOT_IN_TEXT.text_path.exists()
    assert TOLD_IN_TEXT.text_path.read_text() == "one\ntwo\n"


@pytest.mark.usefixtures("elsewhere")
def test_what_is_written_leaves_the_others_of_the_table_alone_and_drops_endings_that_are_none() -> None:
    first, second = [golden for golden in GOLDEN if golden.folder == TOLD_IN_TEXT.folder][:2]
    write(second, PLAYED)
    with second.choices_path.open("a") as file:
        file.write("unheard_of: seed 1, played anyhow, told as 00\n 1\n")
    write(first, PLAYED)
    assert list(endings(first)) == [first.ending, second.ending]


@pytest.mark.usefixtures("elsewhere")
def test_a_playthrough_that_is_not_there_is_missed_by_its_name() -> None:
    with pytest.raises(NotRecorded, match=str(NOT_IN_TEXT)):
        recorded(NOT_IN_TEXT)


@pytest.mark.usefixtures("elsewhere")
def test_where_the_recorded_choices_do_not_reach_a_seat_is_at_fault() -> None:
    write(TOLD_IN_TEXT, msgspec.structs.replace(PLAYED, choices=()))
    assert retold(TOLD_IN_TEXT).ending == FAULT
