"""Matches of persons as files: the oldest go, no half of one is ever called a transcript, and visitors get less."""

import errno
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import Remark, Transcript, from_file
from tests.runtime.test_person import evenly, played
from tournaments.web.visitors.match_archive import Archive, CannotKeep, for_visitors


@pytest.fixture(scope="module")
def transcript() -> Transcript:
    return played("agent-avenue", evenly("kept"))[0]


def names(folder: Path) -> list[str]:
    return sorted(path.name[:14] for path in folder.iterdir())


def test_what_is_kept_can_be_read_again(tmp_path: Path, transcript: Transcript) -> None:
    path = Archive(tmp_path / "kept", 3, 1 << 30).keep(transcript, 7)
    assert from_file(path.read_bytes()) == (transcript, transcript.digest)


def test_a_kept_match_is_found_by_its_name_alone_and_visitors_see_less_of_it(
    tmp_path: Path, transcript: Transcript
) -> None:
    archive = Archive(tmp_path, 3, 1 << 30)
    name = archive.keep(transcript, 7).stem.rpartition("-")[2]
    content = archive.read(name)
    assert content is not None
    assert from_file(content)[0] == for_visitors(transcript)
    assert [archive.read(other) for other in ("*", "0" * 32, name.upper(), f"7-{name}", "")] == [None] * 5
    (tmp_path / f"{'0' * 14}-{name}.json").unlink(missing_ok=True)
    for path in tmp_path.iterdir():
        path.unlink()
    assert archive.read(name) is None


def test_of_too_many_the_oldest_go(tmp_path: Path, transcript: Transcript) -> None:
    archive = Archive(tmp_path, 3, 1 << 30)
    for now_ms in (5, 1, 9, 7, 8):
        archive.keep(transcript, now_ms)
    assert names(tmp_path) == ["00000000000007", "00000000000008", "00000000000009"]


def test_files_of_others_stay_however_many_matches_come(tmp_path: Path, transcript: Transcript) -> None:
    (tmp_path / "notes.json").write_text("{}")
    for now_ms in (1, 2):
        Archive(tmp_path, 1, 1).keep(transcript, now_ms)
    assert sorted(path.name[:14] for path in tmp_path.iterdir()) == ["00000000000002", "notes.json"]


def test_of_too_much_the_oldest_go_and_the_newest_stays(tmp_path: Path, transcript: Transcript) -> None:
    size = Archive(tmp_path, 9, 1 << 30).keep(transcript, 1).stat().st_size
    Archive(tmp_path, 9, 2 * size + 1).keep(transcript, 2)
    Archive(tmp_path, 9, 2 * size + 1).keep(transcript, 3)
    assert names(tmp_path) == ["00000000000002", "00000000000003"]
    Archive(tmp_path, 9, 1).keep(transcript, 4)
    assert names(tmp_path) == ["00000000000004"]


def test_a_full_disk_is_told_in_a_sentence_and_leaves_nothing_behind(
    tmp_path: Path, transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(CannotKeep, match="cannot be written: No space left on device"):
        Archive(tmp_path, 3, 1 << 30).keep(transcript, 7)
    assert list(tmp_path.iterdir()) == []


def test_visitors_get_the_same_record_without_what_is_not_for_them(transcript: Transcript) -> None:
    secret = replace(
        transcript.metadata,
        bots=("/home/organizer/bots/ann", "a person"),
        remarks=(Remark(0, 1, "died", "Traceback: /home/organizer/key"),),
        terms=(EntryTerms(("--key", "secret"), {"KEY": "secret"}, Clock(move_ms=5)), EntryTerms()),
    )
    given = for_visitors(replace(transcript, metadata=secret))
    assert given.digest == transcript.digest
    assert given.metadata.remarks == (Remark(0, 1, "died", ""),)
    assert given.terms == (EntryTerms(clock=Clock(move_ms=5)), EntryTerms())
    told: Any = repr(given.metadata)
    assert "secret" not in told
    assert "organizer" not in told
