"""Logs of bots: what is kept is read again, in order, also while it is written."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.play.bot_logs import BotLog, LogReader, LogRecord, log_of, old_files

BOT = "ann+deep@1.0"


def read(folder: Path) -> list[LogRecord]:
    reading = LogReader(folder, BOT)
    found = list(reading.more())
    reading.close()
    return found


def test_a_piece_is_read_as_it_was_kept_and_nobody_else_may_look_into_the_folder(tmp_path: Path) -> None:
    log = BotLog(tmp_path / "logs", BOT)
    log.keep(1_790_000_000_123, "a/match", 1, "caf\u00e9 \x1b[31m\x00\nnext", 7)
    log.close()
    assert read(tmp_path / "logs") == [
        LogRecord("2026-09-21T14:13:20.123+00:00", "a/match", 1, "caf\u00e9 \x1b[31m\x00\nnext", 7)
    ]
    assert (tmp_path / "logs").stat().st_mode & 0o077 == 0


def test_a_bot_that_has_written_nothing_has_no_file(tmp_path: Path) -> None:
    BotLog(tmp_path / "logs", BOT).close()
    assert read(tmp_path / "logs") == []
    assert not (tmp_path / "logs").exists()


@settings(max_examples=settings().max_examples * 3 // 2)
@given(pieces=st.lists(st.text(max_size=200), max_size=40), longest=st.integers(1, 2_000))
def test_a_reader_who_looks_after_every_piece_sees_each_once_however_often_the_file_is_put_aside(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], longest: int
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    log, reading = BotLog(folder, BOT, longest), LogReader(folder, BOT)
    seen = []
    for piece in pieces:
        log.keep(0, "a/match", 0, piece)
        seen += [said.text for said in reading.more()]
    assert seen == pieces
    log.close()
    reading.close()


@settings(max_examples=settings().max_examples * 3 // 2)
@given(pieces=st.lists(st.text(max_size=200), max_size=40))
def test_who_reads_later_sees_the_newest_pieces_in_order(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    log = BotLog(folder, BOT, 1_000)
    for piece in pieces:
        log.keep(0, "a/match", 0, piece)
    log.close()
    found = [said.text for said in read(folder)]
    assert found == pieces[len(pieces) - len(found) :]
    assert len(found) == len(pieces) or sum(file.stat().st_size for file in folder.iterdir()) > 500


def test_a_part_of_a_line_is_skipped_and_read_when_it_is_whole(tmp_path: Path) -> None:
    log, reading = BotLog(tmp_path, BOT), LogReader(tmp_path, BOT)
    log.keep(0, "a/match", 0, "one")
    log.close()
    whole = log_of(tmp_path, BOT).read_bytes()
    with log_of(tmp_path, BOT).open("ab") as file:
        file.write(whole[:20])
        file.flush()
        assert [said.text for said in reading.more()] == ["one"]
        file.write(whole[20:] + whole[:10])
    assert [said.text for said in reading.more()] == ["one"]
    log.keep(0, "a/match", 0, "two")
    log.close()
    assert [said.text for said in reading.more()] == ["two"]
    reading.close()


def test_a_log_that_cannot_be_written_disturbs_nobody(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file, not a folder")
    log = BotLog(tmp_path / "logs", BOT)
    for _ in range(2):
        assert log.keep(0, "a/match", 0, "lost") > 0
    log.close()


def test_old_files_are_those_to_which_nothing_was_added_since(tmp_path: Path) -> None:
    assert old_files(tmp_path / "none", 1 << 50) == {}
    for name, mtime_s in (("ann@1.log", 50), ("ann@1.log.1", 10), ("bob@1.log", 10), ("notes.txt", 10), ("my.log", 10)):
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, (mtime_s, mtime_s))
    assert old_files(tmp_path, 50_000) == {tmp_path / "ann@1.log.1": 11, tmp_path / "bob@1.log": 9}
