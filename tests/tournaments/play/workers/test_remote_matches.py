"""Matches with remote bots beside others: many are under way, and hold up no other match."""

import multiprocessing
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.runtime.bot_address import Peer
from referee.runtime.remote_bot import RemoteBot
from tests.tournaments.arena import alive, work, write_bot, write_league
from tests.tournaments.leagues import plan, wave
from tournaments.league import league_seed
from tournaments.league.model import FinishedMatch, League, Remote, Sitting
from tournaments.play.cores import claim
from tournaments.play.match_results import MatchPostponed, Result
from tournaments.play.workers.local_executor import LocalExecutor
from tournaments.play.workers.worker_messages import Work
from tournaments.results.league_location import league_in
from tournaments.schedule.formats.wave import sitting_of

pytestmark = pytest.mark.process

SLOW = "slow@1"


@pytest.fixture
def run_dir(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="rt-") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)
        assert alive(Path(folder)) == []


@pytest.fixture
def league(tmp_path: Path) -> League:
    """A league of two quick bots and a slow one: 4 matches without the slow one, and 8 with it."""
    bots = [write_bot(tmp_path / name, name, tmp_path / "log") for name in ("ann", "bob")]
    slow = write_bot(tmp_path / "slow", "slow", tmp_path / "log", delay_ms=60)
    return league_in(write_league(tmp_path / "quick.toml", [*bots, slow], deals=2))


def with_remote(league: League, parallel: int) -> Work:
    """The settings of a run in which the slow bot counts as a remote bot."""
    usual = work(league)
    remote = replace(usual.entries[SLOW], remote=Remote(parallel=parallel))
    return replace(usual, entries=usual.entries | {SLOW: remote})


def play(
    league: League,
    executor: LocalExecutor,
    awaited: Callable[[str], bool] = lambda _entry: False,
    wanted: Callable[[str], bool] = lambda _id: True,
) -> Iterator[Result]:
    """The results of the league, whose matches are given out one by one."""

    def sittings() -> Iterator[Sitting]:
        for sitting in wave(league).sittings(lambda _at, _line_up: True):
            yield from map(sitting_of, sitting.fixtures)

    told = executor.play(
        sittings,
        lambda fixture: league_seed.header(league, bytes(32), fixture),
        lambda fixture: wanted(fixture.id),
        lambda: executor.workers,
        lambda _entries: False,
        awaited,
    )
    return (result for result in told if isinstance(result, FinishedMatch | MatchPostponed))


def is_slow(result: Result) -> bool:
    return SLOW in result.fixture.entries


@pytest.mark.slow
def test_slow_matches_are_under_way_at_once_and_the_others_are_played_meanwhile(league: League, run_dir: Path) -> None:
    told, under_way, beside = [], [], []
    with LocalExecutor(with_remote(league, 3), claim(1), run_dir, remote=3) as executor:
        for result in play(league, executor):
            told.append(result)
            under_way.append(sum(SLOW in slot.entries for slot in executor._slots if slot.playing))
            beside += [under_way[-1]] if not is_slow(result) else []
    assert sorted(result.fixture.id for result in told) == sorted(fixture.id for fixture in plan(league))
    assert max(under_way) == 3
    assert min(beside[:2]) > 0  # one worker plays the others, and no slow match is in its way


@pytest.mark.slow
def test_no_more_workers_are_started_than_there_are_matches_for(league: League, run_dir: Path) -> None:
    one = next(fixture.id for fixture in plan(league) if SLOW in fixture.entries)
    with LocalExecutor(with_remote(league, 8), claim(1), run_dir, remote=8) as executor:
        (result,) = play(league, executor, wanted=lambda fixture: fixture == one)
        assert result.fixture.id == one
        assert len(multiprocessing.active_children()) <= 3  # a worker for each match that somebody might want


@pytest.mark.slow
def test_a_match_that_was_postponed_is_tried_again_while_others_are_played(league: League, run_dir: Path) -> None:
    usual = with_remote(league, 1)
    nobody = RemoteBot(f"unix:{run_dir}/nobody", Peer(f"unix:{run_dir}/nobody"), "slow", "1")
    settings = replace(usual, bots={**usual.bots, SLOW: nobody})
    told: list[Result] = []

    def awaited(entry: str) -> bool:
        assert entry == SLOW
        return sum(map(is_slow, told)) > sum(not is_slow(result) for result in told)

    with LocalExecutor(settings, claim(1), run_dir, remote=1) as executor:
        for result in play(league, executor, awaited):
            told.append(result)  # noqa: PERF402 - `awaited` reads it meanwhile
    assert sum(not is_slow(result) for result in told) == 4
    tried = [result.fixture.id for result in told if is_slow(result)]
    assert len(tried) > len(set(tried)) == 1
