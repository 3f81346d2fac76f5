"""Workers and bots as real processes."""

import multiprocessing
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.tournaments.arena import alive, starts, work, write_bot, write_league
from tests.tournaments.leagues import plan
from tests.tournaments.play.workers.places import Place
from tests.tournaments.supplies import ALL_AT_ONCE, GivenTerms, supply_of
from tournaments.league.model import FinishedMatch, League, Sitting
from tournaments.play.cores import Claim, claim
from tournaments.play.environment import LocalEnvironment, TooManyWorkers
from tournaments.play.match_results import MatchPostponed, MatchVoided, Result
from tournaments.play.retry_policy import WorkersFail
from tournaments.play.run import open_run
from tournaments.play.workers import worker_slot as slots
from tournaments.play.workers.local_executor import LocalExecutor
from tournaments.play.workers.worker_messages import Crowding, WorkerBug, work_of
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import league_in
from tournaments.schedule.formats.wave import sitting_of

pytestmark = pytest.mark.process


@pytest.fixture
def run_dir(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a short name, because a socket's path must be short. No process uses it when a test ends.

    Temporary files are there, too.
    """
    with tempfile.TemporaryDirectory(prefix="rt-") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)
        assert alive(Path(folder)) == []
        assert list(Path(folder).iterdir()) == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("local")


@pytest.fixture(scope="module")
def league(folder: Path) -> League:
    """A league of 24 matches in four sittings."""
    bots = [write_bot(folder / name, name, folder / "log") for name in ("ann", "bob")]
    file = write_league(folder / "local.toml", bots, deals=12)
    return league_in(file)


@pytest.fixture(scope="module")
def short(league: League, folder: Path) -> League:
    """A league of 12 matches of the same bots, in two sittings."""
    file = write_league(folder / "short.toml", [folder / "ann", folder / "bob"], deals=6)
    assert league_in(file).entries == league.entries
    return league_in(file)


def play(
    league: League, folder: Path, workers: int, tell: Callable[[Result], None] = lambda _: None
) -> tuple[str, int]:
    """The digest of the league if this many workers play it, and how many matches were void."""
    with open_run(league, f"sqlite:///{folder / 'store.sqlite'}", LocalEnvironment(workers)) as run:
        for result in run.play():
            tell(result)
        found = league_standings(run.results)
        return found.digest, found.void


@pytest.fixture(scope="module")
def digest(short: League, folder: Path) -> str:
    """The digest of the short league if one worker plays it."""
    before = starts(folder / "log", "ann")
    found, voids = play(short, folder, 1)
    assert voids == 0
    assert set((starts(folder / "log", "ann") - before).values()) == {1}
    return found


def all_of(league: League, executor: LocalExecutor, terms: GivenTerms = ALL_AT_ONCE) -> Iterator[Result]:
    """The results of the league, as far as they are wanted."""
    results = executor.play(supply_of(league, terms))
    return (result for result in results if isinstance(result, FinishedMatch | MatchVoided | MatchPostponed))


def kill_a_worker(number: signal.Signals = signal.SIGKILL) -> None:
    for worker in multiprocessing.active_children()[:1]:  # of results that come together, the first may cost it
        os.kill(worker.pid or 0, number)


@pytest.mark.usefixtures("run_dir")
def test_two_workers_play_what_one_plays(short: League, tmp_path: Path, digest: str) -> None:
    assert play(short, tmp_path, 2) == (digest, 0)


@pytest.mark.usefixtures("run_dir")
def test_a_worker_that_is_killed_costs_one_void_match_which_is_played_again(
    short: League, tmp_path: Path, digest: str
) -> None:
    told: list[Result] = []

    def tell(result: Result) -> None:
        told.append(result)
        if len(told) in (3, 8):
            kill_a_worker()

    assert play(short, tmp_path, 1, tell) == (digest, 2)
    lost = [result for result in told if isinstance(result, MatchVoided)]
    assert [result.reason for result in lost] == ["a worker process was lost"] * 2
    assert multiprocessing.active_children() == []


@pytest.mark.usefixtures("run_dir")
def test_three_workers_lost_in_a_row_stop_the_run(league: League, tmp_path: Path) -> None:
    with pytest.raises(WorkersFail, match="3 workers in a row"):
        play(league, tmp_path, 1, lambda _: kill_a_worker())
    assert multiprocessing.active_children() == []


SILENCE_S = 2.0


def some_of(league: League) -> set[str]:
    """Four matches."""
    return {fixture.id for fixture in plan(league)[:4]}


@pytest.mark.slow
def test_a_worker_that_is_stopped_is_replaced_and_costs_one_void_match(league: League, run_dir: Path) -> None:
    some = some_of(league)
    told: list[Result] = []
    with LocalExecutor(work(league), claim(1), run_dir, SILENCE_S) as executor:
        for result in all_of(league, executor, GivenTerms(lambda fixture: fixture.id in some)):
            told.append(result)
            if len(told) == 2:
                kill_a_worker(signal.SIGSTOP)
    (void,) = (result for result in told if isinstance(result, MatchVoided))
    assert void == told[2]
    assert (void.reason, void.lost_worker) == ("a worker process was silent for 2 s", True)
    assert {result.fixture.id for result in told} == some


@pytest.mark.slow
def test_a_worker_that_waits_long_or_plays_long_is_not_silent(tmp_path: Path, run_dir: Path) -> None:
    bots = [write_bot(tmp_path / name, name, tmp_path / "log", delay_ms=140) for name in ("ann", "bob")]
    league = league_in(write_league(tmp_path / "slow.toml", bots, deals=1))
    with LocalExecutor(work(league), claim(1), run_dir, SILENCE_S) as executor:
        results = all_of(league, executor)
        first = time.monotonic()
        assert isinstance(next(results), FinishedMatch)
        assert time.monotonic() - first > SILENCE_S  # the match took longer than a worker may be silent
        time.sleep(1.2 * SILENCE_S)  # and now the worker is idle
        assert isinstance(next(results), FinishedMatch)


@pytest.mark.slow
def test_a_runner_that_was_stopped_with_its_workers_takes_none_of_them_for_dead(tmp_path: Path, run_dir: Path) -> None:
    bots = [write_bot(tmp_path / name, name, tmp_path / "log", delay_ms=100) for name in ("ann", "bob")]
    league = league_in(write_league(tmp_path / "slow.toml", bots, deals=1))
    with LocalExecutor(work(league), claim(2), run_dir, SILENCE_S) as executor:
        results = all_of(league, executor)
        told = [next(results)]
        for worker in multiprocessing.active_children():  # one of them is in the middle of a match
            os.kill(worker.pid or 0, signal.SIGSTOP)
            threading.Timer(3.5, os.kill, (worker.pid, signal.SIGCONT)).start()
        time.sleep(3)  # the runner does not look, and goes on half a second before its workers
        told += results
    assert [type(result) for result in told] == [FinishedMatch] * len(told)


@pytest.mark.slow
def test_a_worker_that_is_stopped_in_the_middle_of_a_message_is_replaced(
    league: League, run_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = some_of(league)
    told: list[Result] = []
    with LocalExecutor(work(league), claim(1), run_dir, silence_s=1.0) as executor:
        for result in all_of(league, executor, GivenTerms(lambda fixture: fixture.id in some)):
            told.append(result)
            if len(told) == 1:
                (slot,) = executor._slots
                # Its next message never ends: the reader is told of more bytes than there are.
                ours, theirs = multiprocessing.Pipe()
                slots.limit_reading(ours, 1.0)
                os.write(theirs.fileno(), (1_000).to_bytes(4))
                monkeypatch.setattr(slot, "connection", ours)
                kill_a_worker()
    assert [type(result) for result in told].count(MatchVoided) == 1
    assert {result.fixture.id for result in told} == some


def test_an_error_in_a_worker_stops_the_run_loudly_with_its_traceback(league: League, run_dir: Path) -> None:
    with pytest.raises(WorkerBug) as caught, LocalExecutor(work_of(league, {}), claim(1), run_dir) as executor:
        next(all_of(league, executor))
    assert "Traceback" in str(caught.value)
    assert "KeyError" in str(caught.value)


def ahead(league: League, log: Path, run_dir: Path, at_once: Callable[[], int] = lambda: 1) -> list[int]:
    """One worker plays the league, and waits a little after each result: how many matches it then began besides."""
    found: list[int] = []
    before = starts(log, "ann").total()
    with LocalExecutor(work(league), claim(1), run_dir) as executor:
        for _ in all_of(league, executor, GivenTerms(most=at_once)):
            time.sleep(0.2)
            found.append(starts(log, "ann").total() - before - len(found) - 1)
    return found


@pytest.mark.slow
def test_a_worker_whose_matches_are_short_has_more_of_its_sitting_waiting(tmp_path: Path, run_dir: Path) -> None:
    bots = [write_bot(tmp_path / name, name, tmp_path / "log") for name in ("ann", "bob")]
    league = league_in(write_league(tmp_path / "quick.toml", bots, deals=6))
    found = ahead(league, tmp_path / "log", run_dir)
    assert max(found) >= 2
    assert len(found) == 12
    assert found[0] == 0  # nothing is known at first
    assert found[5] == found[-1] == 0  # nothing of the next sitting waits


@pytest.mark.slow
def test_a_worker_whose_matches_are_long_has_none_waiting(tmp_path: Path, run_dir: Path) -> None:
    bots = [write_bot(tmp_path / name, name, tmp_path / "log", delay_ms=30) for name in ("ann", "bob")]
    league = league_in(write_league(tmp_path / "slow.toml", bots, deals=3))
    assert ahead(league, tmp_path / "log", run_dir) == [0] * 6


@pytest.mark.slow
def test_a_run_that_slows_down_has_no_matches_waiting(tmp_path: Path, run_dir: Path) -> None:
    bots = [write_bot(tmp_path / name, name, tmp_path / "log") for name in ("ann", "bob")]
    league = league_in(write_league(tmp_path / "quick.toml", bots, deals=6))
    with LocalExecutor(work(league), claim(2), run_dir) as executor:
        waiting = []
        for _ in all_of(league, executor, GivenTerms(most=lambda: 1)):
            waiting += [len(slot._fixtures) for slot in executor._slots]  # the match that is over is none of them
    assert waiting == [0] * (2 * 12)


@pytest.mark.slow
def test_a_pause_after_results_is_told_once(tmp_path: Path, run_dir: Path) -> None:
    bots = [write_bot(tmp_path / name, name, tmp_path / "log", delay_ms=30) for name in ("ann", "bob")]
    league = league_in(write_league(tmp_path / "slow.toml", bots, deals=2))
    with LocalExecutor(work(league), claim(1), run_dir, silence_s=3.0) as executor:  # it beats twice a second
        told = [result is not None for result in executor.play(supply_of(league))]
    assert told == [True, False, True, False, True, False, True]


def test_what_is_not_wanted_is_left_out(league: League, run_dir: Path) -> None:
    wanted = {fixture.id for fixture in plan(league)[6:10]}
    with LocalExecutor(work(league), claim(1), run_dir) as executor:
        taken = [
            result.fixture.id for result in all_of(league, executor, GivenTerms(lambda fixture: fixture.id in wanted))
        ]
    assert sorted(taken) == sorted(wanted)


def count_started(
    league: League,
    executor: LocalExecutor,
    run_dir: Path,
    *runs: Sequence[Sitting],
    at_once: Callable[[], int] = lambda: 8,
) -> int:
    """How many processes of bots played these sittings, which are played run by run."""
    met: set[str] = set()
    for sittings in runs:
        for result in executor.play(supply_of(league, GivenTerms(most=at_once), sittings)):
            assert result is None or isinstance(result, FinishedMatch)
            if result is not None:  # during a pause a bot may be starting, and its command is still that of a shell
                met.update(alive(run_dir))  # each has a socket of its own
    return len(met)


def turn(league: League, rotation: int, deals: Sequence[int]) -> Sitting:
    """The matches of a line-up on these deals."""
    found = {(fixture.rotation, fixture.deal): fixture for fixture in plan(league)}
    return sitting_of(*(found[rotation, deal] for deal in deals))


def test_a_worker_keeps_its_bots_for_the_next_deals_of_their_line_up(league: League, run_dir: Path) -> None:
    first, second, third = turn(league, 0, [3, 1]), turn(league, 0, [2, 5]), turn(league, 0, [0])
    with LocalExecutor(work(league), claim(1), run_dir) as executor:
        assert count_started(league, executor, run_dir, [first, second], [third]) == 2


def test_no_bot_that_runs_plays_a_deal_again_or_in_another_line_up(league: League, run_dir: Path) -> None:
    first, again, other = turn(league, 0, [3, 1]), turn(league, 0, [2, 1]), turn(league, 1, [2, 5])
    with LocalExecutor(work(league), claim(1), run_dir) as executor:
        assert count_started(league, executor, run_dir, [first], [again]) == 4
        assert count_started(league, executor, run_dir, [other]) == 2


def test_no_more_matches_share_a_start_than_may_and_each_has_its_own_in_a_fresh_league(
    league: League, run_dir: Path
) -> None:
    sittings = [turn(league, 0, deals) for deals in ([0, 1], [2, 3], [4])]
    with LocalExecutor(replace(work(league), matches_a_start=4), claim(1), run_dir) as executor:
        assert count_started(league, executor, run_dir, sittings) == 4
    fresh = work(replace(league, fresh=True))
    with LocalExecutor(fresh, claim(1), run_dir) as executor:
        assert count_started(league, executor, run_dir, [turn(league, 0, [deal]) for deal in range(3)]) == 6


def test_a_worker_of_two_passes_a_sitting_by_for_the_next_one_which_its_bots_can_play(
    league: League, run_dir: Path
) -> None:
    sittings = [turn(league, rotation, [deal]) for deal in range(2) for rotation in (0, 1)]
    with LocalExecutor(work(league), claim(2), run_dir) as executor:  # the second one never plays
        assert count_started(league, executor, run_dir, sittings, at_once=lambda: 1) == 4


def test_an_executor_says_how_many_of_its_workers_share_a_core_and_starts_none_before_it_plays(
    league: League, run_dir: Path
) -> None:
    alone, shares = Claim(0, alone=True), Claim(0, alone=False)
    for claims, crowding in (([alone, alone], None), ([alone, shares, shares], Crowding(3, 1))):
        with LocalExecutor(work(league), claims, run_dir) as executor:
            assert (executor.workers, executor.crowding) == (len(claims), crowding)
            assert multiprocessing.active_children() == []


def test_a_worker_runs_on_the_core_that_was_claimed_for_it_until_the_executor_is_closed(
    league: League, run_dir: Path
) -> None:
    with Place() as place:
        first, second = place.claim(2)
        first.release()
        with LocalExecutor(work(league), [second], run_dir) as executor:
            next(all_of(league, executor))
            (worker,) = multiprocessing.active_children()
            assert os.sched_getaffinity(worker.pid or 0) == {second.core}
            assert place.taken(second.core)
        assert not place.taken(second.core)


@pytest.mark.slow
def test_no_more_matches_are_under_way_than_may_be_and_what_had_to_wait_is_played_once(
    league: League, run_dir: Path
) -> None:
    told: list[str] = []
    others: list[int] = []

    def at_once() -> int:
        return 1 if 3 <= len(told) < 13 else 2

    with LocalExecutor(work(league), claim(2), run_dir) as executor:
        for result in all_of(league, executor, GivenTerms(most=at_once)):
            told.append(result.fixture.id)
            others.append(executor._playing())  # besides the one that is just over
    assert min(others[:3]) >= 1
    assert others[9:13] == [0, 0, 0, 0]  # before that, what waited at the workers was played
    assert max(others[13:]) >= 1  # two sittings at least are left, whichever worker went on
    assert sorted(told) == sorted(fixture.id for fixture in plan(league))


def test_leaving_in_the_middle_ends_worker_and_bots(league: League, run_dir: Path) -> None:
    with LocalExecutor(work(league), claim(1), run_dir) as executor:
        next(all_of(league, executor))
        assert len(alive(run_dir)) == 2  # the bots


class Hit(BaseException):
    """A signal came."""


def test_a_signal_that_another_thread_takes_waits_until_the_worker_that_is_started_can_be_ended(
    league: League, run_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hit(*_: object) -> None:
        raise Hit

    started: list[int] = []
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    real = slots._SPAWN.Process.start

    def start(process: multiprocessing.process.BaseProcess) -> None:
        signal.pthread_kill(other.ident or 0, signal.SIGTERM)
        time.sleep(0.2)
        real(process)
        started.append(process.pid or 0)

    monkeypatch.setattr(slots._SPAWN.Process, "start", start)
    before = signal.signal(signal.SIGTERM, hit)
    other.start()
    try:
        with pytest.raises(Hit), LocalExecutor(work(league), claim(3), run_dir) as executor:
            next(all_of(league, executor))
    finally:
        signal.signal(signal.SIGTERM, before)
        over.set()
        other.join()
    assert len(started) == 1
    assert multiprocessing.active_children() == []


def test_more_workers_than_the_machine_has_use_for_are_refused_with_what_is_allowed() -> None:
    cores = len(os.sched_getaffinity(0))
    LocalEnvironment(4 * cores)
    with pytest.raises(TooManyWorkers) as refused:
        LocalEnvironment(4 * cores + 1)
    assert str(refused.value) == (
        f"{4 * cores + 1} workers are too many for {cores} cores; allowed: 1 to {4 * cores}, which is 4 for each core"
    )
