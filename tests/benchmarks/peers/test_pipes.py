"""The C programs play what they should, count it, and say what is wrong. They are compiled once."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.peers import pipes
from benchmarks.peers.pipes import Played, Programs, compiled, cpu_us_a_move, moves_a_second, played_games
from benchmarks.rows import Missing

CORES = os.sched_getaffinity(0)
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    return compiled(tmp_path_factory.mktemp("programs"))


def a_game(stones: int) -> Iterator[int]:
    """What two of the engines take, one after the other, by the comment in the engine."""
    moves = 0
    while stones:
        taken = 1 + (2 * stones + moves) % min(3, stones)
        yield taken
        stones, moves = stones - taken, moves + 1


def an_engine(folder: Path, script: str) -> Path:
    engine = folder / "engine"
    engine.write_text(f"#!/bin/sh\n{script}\n")
    engine.chmod(0o755)
    return engine


@needs_cc
@pytest.mark.parametrize("stones", [1, 2, 3, 4, 10, 119, 120, 1000])
def test_engines_play_as_they_should_and_every_move_is_counted(programs: Programs, stones: int) -> None:
    played = played_games(programs, 4, stones)
    assert played.moves == 4 * len(list(a_game(stones)))
    assert played.seconds > 0


@needs_cc
def test_the_players_begin_by_turns(programs: Programs) -> None:
    # One stone: whoever begins takes it and has won. Two: the engine takes one.
    assert [played_games(programs, 5, stones).won for stones in (1, 2)] == [3, 2]


@needs_cc
def test_a_game_lasts_sixty_moves_and_games_at_once_are_added_up(programs: Programs) -> None:
    assert len(list(a_game(pipes.STONES))) == 60
    assert moves_a_second(programs, [{min(os.sched_getaffinity(0))}] * 2, 10) > 0


@needs_cc
@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("while read line; do echo take 4; done", "an engine took stones that it may not take"),
        ("while read line; do echo take 0; done", "an engine took stones that it may not take"),
        ("while read line; do echo hello; done", "an answer cannot be read"),
        ("read line", "an engine ended"),
        ("while read line; do echo take 3; done", "an engine took stones that it may not take"),
    ],
    ids=["four", "none", "no answer", "ends", "more than there are"],
)
def test_an_engine_that_breaks_a_rule_is_named(programs: Programs, tmp_path: Path, script: str, sentence: str) -> None:
    with pytest.raises(RuntimeError, match=sentence):
        played_games(programs._replace(engine=an_engine(tmp_path, script)), 1, 8)


@needs_cc
def test_an_engine_is_told_the_heap_and_all_moves_so_far(programs: Programs, tmp_path: Path) -> None:
    engine = an_engine(tmp_path, f"while read line; do echo $line >> {tmp_path}/told; echo take 1; done")
    played_games(programs._replace(engine=engine), 1, 3)
    assert sorted((tmp_path / "told").read_text().splitlines()) == ["position 3", "position 3 1", "position 3 1 1"]


@pytest.mark.slow
@needs_cc
def test_the_processor_time_of_a_move_counts_the_engines(programs: Programs, tmp_path: Path) -> None:
    # A shell that only takes stones needs no time to speak of; one that counts to two thousand at every move does.
    counts = "i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done"
    slow = an_engine(tmp_path, f"while read line; do {counts}; echo take 1; done")
    assert cpu_us_a_move(programs._replace(engine=slow), 1) > 20 * cpu_us_a_move(programs, 1_000) > 0


@needs_cc
def test_wrong_words_are_refused(programs: Programs) -> None:
    with pytest.raises(RuntimeError, match="arbiter ENGINE GAMES STONES"):
        played_games(programs, 0)


def test_what_is_printed_is_read() -> None:
    assert Played.read("600 0.125000 5\n") == Played(600, 0.125, 5)


def test_games_at_once_take_as_long_as_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    results = iter([Played(100, 2.0, 0), Played(300, 4.0, 0)])
    monkeypatch.setattr(pipes, "_arbiter", lambda *_: None)
    monkeypatch.setattr(pipes, "_result", lambda _: next(results))
    assert moves_a_second(Programs(Path(), Path()), [{0}, {1}], 1) == 100


def test_without_a_compiler_every_row_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    rows = pipes.rows()
    assert len(rows) == 3
    assert {row.missing for row in rows} == {"there is no C compiler called cc"}


def test_a_compiler_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler = an_engine(tmp_path, "echo no such standard >&2; exit 1")
    monkeypatch.setattr(shutil, "which", lambda _: str(compiler))
    with pytest.raises(Missing, match=r"^cc could not compile arbiter.c: no such standard$"):
        compiled(tmp_path)


def test_what_is_started_elsewhere_leaves_our_own_cores_as_they_were() -> None:
    with pipes._on({min(CORES)}):
        assert os.sched_getaffinity(0) == {min(CORES)}
    assert os.sched_getaffinity(0) == CORES
