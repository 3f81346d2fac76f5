"""What bots write on nodes comes to the runner's logs, bounded, and nothing else does."""

import tempfile
from contextlib import closing
from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.play.bot_logs import MOST_BYTES, BotLog, LogReader, LogRecord, collected, keep

BOTS = ("ann@1", "bob@1")


def read(folder: Path, bot: str) -> list[LogRecord]:
    with closing(LogReader(folder, bot)) as reading:
        return [*reading.more()]


def write(folder: Path, bot: str, *texts: str) -> None:
    log = BotLog(folder, bot)
    for number, text in enumerate(texts):
        log.keep(number, "a/match", 0, text)
    log.close()


def test_what_was_written_comes_once_and_in_order(tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    for texts in (["one", "two"], ["three"], []):
        write(there, "ann@1", *texts)
        keep(here, BOTS, collected(there, BOTS))
    assert [said.text for said in read(here, "ann@1")] == ["one", "two", "three"]
    assert read(here, "bob@1") == []
    assert [path.name for path in here.iterdir()] == ["ann@1.log"]
    assert list(there.iterdir()) == []  # the disk of the node is free again


def test_a_log_that_was_put_aside_comes_before_the_newer_one(tmp_path: Path) -> None:
    log = BotLog(tmp_path / "there", "ann@1", longest=200)
    for number in range(3):
        log.keep(number, "a/match", 0, f"{number}" * 60)
    keep(tmp_path / "here", BOTS, collected(tmp_path / "there", BOTS))
    log.keep(3, "a/match", 0, "after")  # in a new file, though the writer has not been told
    log.close()
    keep(tmp_path / "here", BOTS, collected(tmp_path / "there", BOTS))
    assert [said.text[:5] for said in read(tmp_path / "here", "ann@1")] == ["11111", "22222", "after"]


def test_a_node_where_nobody_wrote_anything_sends_nothing(tmp_path: Path) -> None:
    assert collected(tmp_path / "nowhere", BOTS) == {}


def test_a_bot_that_writes_without_end_fills_neither_the_network_nor_the_log_of_another(tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    write(there, "ann@1", *["x" * 1_000] * 600)
    write(there, "bob@1", "y")
    words = collected(there, BOTS)
    assert MOST_BYTES / 2 < len(words["ann@1"]) <= MOST_BYTES
    keep(here, BOTS, words)
    assert {said.text for said in read(here, "ann@1")} == {"x" * 1_000}
    assert [said.text for said in read(here, "bob@1")] == ["y"]
    keep(here, BOTS, {"bob@1": words["ann@1"] * 3})  # a node that does not keep to it
    assert len(read(here, "bob@1")) <= 1 + MOST_BYTES // 1_000


def test_no_file_is_written_for_what_is_no_bot_of_the_league(tmp_path: Path) -> None:
    line = msgspec.json.encode(LogRecord("now", "a/match", 0, "x")) + b"\n"
    keep(tmp_path / "here" / "logs", BOTS, {"../away": line, "/etc/x": line, "cid@1": line})
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=settings().max_examples * 5 // 2)
@given(st.lists(st.binary(max_size=60)))
def test_lines_that_are_none_are_left_out(lines: list[bytes]) -> None:
    good = msgspec.json.encode(LogRecord("2026-01-01", "a/match", 1, "hello")) + b"\n"
    with tempfile.TemporaryDirectory() as folder:
        keep(Path(folder), BOTS, {"ann@1": b"\n".join([*lines, b"", good])})
        assert read(Path(folder), "ann@1")[-1] == LogRecord("2026-01-01", "a/match", 1, "hello")
