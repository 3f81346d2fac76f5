"""Matches with remote bots beside others: many are under way, and hold up no other match."""

import multiprocessing
import tempfile
from collections.abc import Iterator, Set
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.runtime.bot_address import Peer
from referee.runtime.remote_bot import RemoteBot
from tests.tournaments.arena import alive, work, write_bot, write_league
from tests.tournaments.leagues import plan, wave
from tests.tournaments.supplies import ALL_AT_ONCE, GivenTerms, supply_of
from tournaments.league.model import FinishedMatch, League, Remote
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


def play(league: League, settings: Work, executor: LocalExecutor, terms: GivenTerms = ALL_AT_ONCE) -> Iterator[Result]:
    """The results of the league with the bots of these settings. Its matches are given out one by one."""
    with_bots = replace(league, entries=tuple(settings.entries.values()))
    singly = [sitting_of(fixture) for sitting in wave(league).sittings(lambda *_: True) for fixture in sitting.fixtures]
    results = executor.play(supply_of(with_bots, terms, singly))
    return (result for result in results if isinstance(result, FinishedMatch | MatchPostponed))


def is_slow(result: Result) -> bool:
    return SLOW in result.fixture.entries


@pytest.mark.slow
def test_slow_matches_are_under_way_at_once_and_the_others_are_played_meanwhile(league: League, run_dir: Path) -> None:
    told, under_way, beside = [], [], []
    settings = with_remote(league, 3)
    with LocalExecutor(settings, claim(1), run_dir, remote=3) as executor:
        for result in play(league, settings, executor):
            told.append(result)
            under_way.append(sum(SLOW in slot.entries for slot in executor._slots if slot.playing))
            beside += [under_way[-1]] if not is_slow(result) else []
    assert sorted(result.fixture.id for result in told) == sorted(fixture.id for fixture in plan(league))
    assert max(under_way) == 3
    assert min(beside[:2]) > 0  # one worker plays the others, and no slow match is in its way


@pytest.mark.slow
def test_no_more_workers_are_started_than_there_are_matches_for(league: League, run_dir: Path) -> None:
    one = next(fixture.id for fixture in plan(league) if SLOW in fixture.entries)
    settings = with_remote(league, 8)
    with LocalExecutor(settings, claim(1), run_dir, remote=8) as executor:
        (result,) = play(league, settings, executor, GivenTerms(lambda fixture: fixture.id == one))
        assert result.fixture.id == one
        assert len(multiprocessing.active_children()) <= 3  # a worker for each match that somebody might want


@pytest.mark.slow
def test_a_match_that_was_postponed_is_tried_again_while_others_are_played(league: League, run_dir: Path) -> None:
    usual = with_remote(league, 1)
    nobody = RemoteBot(f"unix:{run_dir}/nobody", Peer(f"unix:{run_dir}/nobody"), "slow", "1")
    settings = replace(usual, bots={**usual.bots, SLOW: nobody})
    told: list[Result] = []

    def away() -> Set[str]:
        waits = sum(map(is_slow, told)) > sum(not is_slow(result) for result in told)
        return {SLOW} if waits else set()

    with LocalExecutor(settings, claim(1), run_dir, remote=1) as executor:
        for result in play(league, settings, executor, GivenTerms(away=away)):
            told.append(result)  # noqa: PERF402 - `away` reads it meanwhile
    assert sum(not is_slow(result) for result in told) == 4
    tried = [result.fixture.id for result in told if is_slow(result)]
    assert len(tried) > len(set(tried)) == 1
