"""A player by itself: no worker, no pipe, no league."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvloop
from msgspec.structs import replace

from referee.core.errors import Busy, CannotStart, Void
from referee.runtime.host import HostSettings
from referee.runtime.table import Table
from tests.runtime.remotes import serving
from tests.tournaments.arena import alive, starts, work, write_bot, write_league
from tests.tournaments.leagues import plan
from tests.tournaments.play.workers.sittings import Given, played
from tournaments.league import league_seed
from tournaments.league.model import Entry, FinishedMatch, League, Remote
from tournaments.play.match_results import MatchPostponed, MatchVoided, Result
from tournaments.play.workers.player import Player
from tournaments.play.workers.worker_messages import Job
from tournaments.results.league_location import league_in

pytestmark = pytest.mark.process


@pytest.fixture
def run_dir() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="rt-") as folder:
        yield Path(folder)
        assert alive(Path(folder)) == []


@pytest.fixture
def league(tmp_path: Path) -> League:
    bots = [write_bot(tmp_path / name, name, tmp_path / "log") for name in ("ann", "bob")]
    return league_in(write_league(tmp_path / "small.toml", bots, deals=3))


def sitting(league: League) -> list[Job]:
    """Ann and bob in the same seats for three deals."""
    fixtures = [fixture for fixture in plan(league) if fixture.rotation == 0]
    return [Job(1, fixture, league_seed.header(league, bytes(32), fixture)) for fixture in fixtures]


async def sockets_of(results: list[Result], player: Player, jobs: list[Job], run_dir: Path) -> list[set[str]]:
    """After each result, the folders of the processes that exist then."""
    seen = []
    async for result in played(player, jobs):
        results.append(result)
        seen.append({path.name for path in run_dir.iterdir() if path.is_dir()})
    return seen


def test_a_sitting_is_played_in_order_on_processes_that_last_as_long_as_it(
    league: League, tmp_path: Path, run_dir: Path
) -> None:
    results: list[Result] = []
    jobs = sitting(league)
    seen = uvloop.run(sockets_of(results, Player(work(league), run_dir), jobs, run_dir))
    assert [result.fixture for result in results] == [job.fixture for job in jobs]
    assert all(isinstance(result, FinishedMatch) and not result.offenders for result in results)
    assert len(seen[0]) == 2
    assert seen[0] == seen[1] == seen[2]
    assert list(run_dir.iterdir()) == []
    assert starts(tmp_path / "log", "ann").total() == 3


def test_the_next_sitting_has_processes_of_its_own(league: League, run_dir: Path) -> None:
    async def twice() -> list[set[str]]:
        player = Player(work(league), run_dir)
        return [(await sockets_of([], player, sitting(league)[:1], run_dir))[0] for _ in range(2)]

    first, second = uvloop.run(twice())
    assert first.isdisjoint(second)


def test_the_next_match_is_asked_for_when_the_result_was_taken_and_one_who_leaves_ends_the_processes(
    league: League, run_dir: Path
) -> None:
    asked: list[Job] = []

    def jobs() -> Iterator[Job]:
        for job in sitting(league):
            asked.append(job)
            yield job

    async def leave_after_one() -> None:
        results = Player(work(league), run_dir).play(Given(jobs()))
        await anext(results)
        assert len(asked) == 1
        assert len(list(run_dir.glob("*.session"))) == 2
        await results.aclose()

    asyncio.run(leave_after_one())
    assert list(run_dir.iterdir()) == []


@pytest.mark.parametrize(("error", "busy"), [(Busy, True), (Void, False)])
def test_a_void_match_says_whether_the_machine_was_too_busy_and_the_sitting_goes_on(
    run_dir: Path, league: League, monkeypatch: pytest.MonkeyPatch, error: type[Void], busy: bool
) -> None:
    async def lose(*_: object) -> None:
        raise error("the bot waited")

    async def results() -> list[Result]:
        return [result async for result in played(Player(work(league), run_dir), sitting(league))]

    monkeypatch.setattr(Table, "play", lose)
    voids = asyncio.run(results())
    assert voids == [MatchVoided(job.fixture, "the bot waited", busy=busy) for job in sitting(league)]


def test_a_bot_that_is_away_is_named_as_it_was_entered(run_dir: Path, league: League) -> None:
    entry = Entry("new-ann@1", "grpc://localhost:1", Remote(), "ann@1")
    far = replace(league, entries=(entry, league.entries[1]))

    async def results() -> list[Result]:
        return [result async for result in played(Player(work(far), run_dir), sitting(far)[:1])]

    (result,) = asyncio.run(results())
    assert isinstance(result, MatchPostponed)
    assert result.entry == "new-ann@1"


def test_of_two_entries_of_one_bot_the_one_that_is_away_is_named(run_dir: Path, league: League) -> None:
    with serving("honest") as (address, _):
        here = Entry("rogue+here@1", address, Remote(), "rogue@1")
        away = Entry("rogue+away@1", "grpc://localhost:1", Remote(), "rogue@1")
        far = replace(league, entries=(here, away))

        async def results() -> list[Result]:
            return [result async for result in played(Player(work(far), run_dir), sitting(far)[:1])]

        (result,) = asyncio.run(results())
    assert isinstance(result, MatchPostponed)
    assert result.entry == "rogue+away@1"


def test_a_player_tries_the_machine_before_its_first_match_and_again_only_after_it_could_start_nothing(
    league: League, tmp_path: Path, run_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[HostSettings] = []

    async def require(hosting: HostSettings) -> None:
        tried.append(hosting)
        if len(tried) == 1:
            raise CannotStart("no inodes")

    monkeypatch.setattr("tournaments.play.workers.player.require_starts", require)
    results: list[Result] = []
    uvloop.run(sockets_of(results, Player(work(league), run_dir), sitting(league), run_dir))
    first, *others = results
    assert isinstance(first, MatchVoided)
    assert (first.reason, first.cannot_start) == ("no inodes", True)
    assert [type(result) for result in others] == [FinishedMatch, FinishedMatch]
    assert len(tried) == 2
    assert starts(tmp_path / "log", "ann").total() == len(others)
