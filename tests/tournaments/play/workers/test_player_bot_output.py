"""What bots write is kept in their logs: by match, bounded, whatever they write, and nowhere else."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import uvloop
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.sandbox.needed import needs_bwrap
from tests.tournaments.arena import BOT, alive, work, write_league
from tests.tournaments.leagues import plan
from tests.tournaments.play.workers import sittings
from tournaments.league import league_seed
from tournaments.league.model import FinishedMatch
from tournaments.play.bot_logs import LogReader, LogRecord
from tournaments.play.match_results import Result
from tournaments.play.workers.player import BEGINNING_BYTES, END_BYTES, BotOutput, Player
from tournaments.play.workers.worker_messages import Job
from tournaments.results.league_location import league_in


def said_by(folder: Path, bot: str) -> list[LogRecord]:
    reading = LogReader(folder, bot)
    found = list(reading.more())
    reading.close()
    return found


@settings(max_examples=settings().max_examples * 3 // 2)
@given(pieces=st.lists(st.binary(max_size=200), max_size=20))
def test_little_output_is_kept_whole_whatever_it_is_and_however_it_is_cut(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    output = BotOutput(folder)
    (hear,) = output.stderr_listeners(["ann@1"])
    output.begin("a/match")
    for piece in pieces:
        hear(piece)
    output.close()
    found = said_by(folder, "ann@1")
    assert "".join(said.text for said in found) == b"".join(pieces).decode(errors="backslashreplace")
    assert not any(said.left_out for said in found)


def test_each_piece_says_which_match_and_seat_it_is_of(tmp_path: Path) -> None:
    output = BotOutput(tmp_path)
    ann, bob, again = output.stderr_listeners(["ann@1", "bob@1", "ann@1"])
    for match in ("one", "two"):
        output.begin(match)
        ann(b"I am ann")
        bob(b"I am bob")
        again(b"so am I")
    output.close()
    assert [(said.match, said.seat, said.text) for said in said_by(tmp_path, "ann@1")] == [
        ("one", 0, "I am ann"),
        ("one", 2, "so am I"),
        ("two", 0, "I am ann"),
        ("two", 2, "so am I"),
    ]
    assert [(said.match, said.seat) for said in said_by(tmp_path, "bob@1")] == [("one", 1), ("two", 1)]


def test_of_much_output_the_beginning_and_the_end_are_kept_and_the_next_match_has_room_again(tmp_path: Path) -> None:
    output = BotOutput(tmp_path)
    (hear,) = output.stderr_listeners(["ann@1"])
    output.begin("loud")
    hear(b"first words\n")
    for _ in range(2_000):
        hear(b"x" * 60_000)
    hear(b"last words")
    output.begin("calm")
    hear(b"all is well")
    output.close()
    first, *middle, last, calm = said_by(tmp_path, "ann@1")
    assert first.text == "first words\n"
    assert (calm.match, calm.text, calm.left_out) == ("calm", "all is well", 0)
    assert last.text.endswith("xlast words")
    assert len(last.text) == END_BYTES
    kept = sum(len(said.text) for said in (first, *middle, last))
    assert kept + last.left_out == 12 + 2_000 * 60_000 + 10
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 2 * (BEGINNING_BYTES + END_BYTES)


def test_single_bytes_cannot_fill_the_log_with_the_beginnings_of_lines(tmp_path: Path) -> None:
    output = BotOutput(tmp_path)
    (hear,) = output.stderr_listeners(["ann@1"])
    output.begin("drop by drop")
    for _ in range(5_000):
        hear(b".")
    output.close()
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 2 * (BEGINNING_BYTES + END_BYTES)


def test_a_character_that_comes_in_two_pieces_is_one_character(tmp_path: Path) -> None:
    output = BotOutput(tmp_path)
    (hear,) = output.stderr_listeners(["ann@1"])
    output.begin("a/match")
    for piece in ("caf\u00e9".encode()[:4], "\u00e9".encode()[1:], b"\xff\xe2"):
        hear(piece)
    output.close()
    assert "".join(said.text for said in said_by(tmp_path, "ann@1")) == "caf\u00e9\\xff\\xe2"


# With processes


@pytest.fixture
def run_dir() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="rt-") as folder:
        yield Path(folder)
        assert alive(Path(folder)) == []


def loud_bot(folder: Path, name: str, script: str) -> Path:
    """A bot that runs a line of shell first, and then plays."""
    folder.mkdir(exist_ok=True)
    play = f'{script}\nexec "{{python}}" "{BOT}" {{address}} {name} "{folder / "seen"}" 0'
    (folder / "bot.toml").write_text(
        f'name = "{name}"\nversion = "1"\nauthor = "tests"\ngames = ["*"]\nrun = {json.dumps(["sh", "-c", play])}\n'
    )
    return folder


def played(tmp_path: Path, run_dir: Path, script: str, more: str = "") -> tuple[list[Result], Path]:
    """Three matches of a loud bot and a silent one; the folder of the logs."""
    bots = [loud_bot(tmp_path / "ann", "ann", script), loud_bot(tmp_path / "bob", "bob", ":")]
    league = league_in(write_league(tmp_path / "small.toml", bots, deals=3, more=more))
    fixtures = [fixture for fixture in plan(league) if fixture.rotation == 0]
    jobs = [Job(1, fixture, league_seed.header(league, bytes(32), fixture)) for fixture in fixtures]
    logs = tmp_path / "logs"

    async def play() -> list[Result]:
        player = Player(msgspec.structs.replace(work(league), logs=logs), run_dir)
        return [result async for result in sittings.played(player, jobs)]

    return uvloop.run(play()), logs


@pytest.mark.process
def test_stdout_and_stderr_of_a_bot_are_kept_with_the_match_for_which_it_was_started(
    tmp_path: Path, run_dir: Path
) -> None:
    results, logs = played(tmp_path, run_dir, r"echo out; printf 'err \033[31m \377' >&2; (sleep 600; echo late) &")
    assert all(isinstance(result, FinishedMatch) and not result.offenders for result in results)
    found = said_by(logs, "ann@1")
    assert "".join(said.text for said in found) == "out\nerr \x1b[31m \\xff"
    assert {said.match for said in found} == {results[0].fixture.id}
    assert [file.name for file in logs.iterdir()] == ["ann@1.log"]


@pytest.mark.process
def test_a_bot_that_never_stops_writing_fills_no_disk_and_its_matches_are_played(tmp_path: Path, run_dir: Path) -> None:
    results, logs = played(tmp_path, run_dir, "yes | tr -d '\\n' &")
    assert all(isinstance(result, FinishedMatch) and not result.offenders for result in results)
    assert (
        BEGINNING_BYTES < sum(file.stat().st_size for file in logs.iterdir()) <= 3 * 2 * (BEGINNING_BYTES + END_BYTES)
    )


@pytest.mark.process
def test_what_a_bot_writes_is_in_no_transcript_and_changes_no_digest(tmp_path: Path, run_dir: Path) -> None:
    (tmp_path / "loud").mkdir()
    (tmp_path / "quiet").mkdir()
    loud, _ = played(tmp_path / "loud", run_dir, "echo a secret")
    quiet, logs = played(tmp_path / "quiet", run_dir, ":")
    assert not logs.exists()
    for one, other in zip(loud, quiet, strict=True):
        assert isinstance(one, FinishedMatch)
        assert isinstance(other, FinishedMatch)
        assert one.record == other.record
        assert b"secret" not in one.record + one.metadata


@needs_bwrap
@pytest.mark.process
def test_a_bot_in_a_box_is_heard_and_cannot_look_into_the_logs(tmp_path: Path, run_dir: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "bob@1.log").write_text("what bob said")
    script = f"cat {tmp_path}/logs/* || echo nothing there; exit 1"
    for box in ("none", "bubblewrap"):
        _, logs = played(tmp_path, run_dir, script, f'sandbox = "{box}"\n')
        text = "".join(said.text for said in said_by(logs, "ann@1"))
        assert ("what bob said" in text, "nothing there" in text) == (box == "none", box != "none")
        (logs / "ann@1.log").unlink()
