"""A viewer sees the progress of a league, costs little, and changes nothing."""

import os
import signal
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.fakes import FakeExecutor, Run, Stopped
from tests.tournaments.play.test_waves import BOTS, kind, league, url
from tests.tournaments.stores import in_sql
from tournaments.league.format_settings import BalancedSettings, KnockoutSettings, OpenSettings, Settings, SwissSettings
from tournaments.league.model import League
from tournaments.league.status import MatchCounts, Progress
from tournaments.maintenance.close_league import close
from tournaments.results import live_status
from tournaments.results.computed_tables import league_standings, standings_without_storing
from tournaments.results.live_status import CpuBudget, LiveSnapshot, LiveStatus, MatchRate, TableSnapshot, since
from tournaments.results.progress import league_progress
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.store import StoreError


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_status, "LOOK_EVERY_S", 0.0)


def seen(watch: LiveStatus) -> tuple[LiveSnapshot, TableSnapshot]:
    """How a league is, with the table that is computed then."""
    glance = watch.look()
    watch._take()
    assert watch.table is not None
    return glance, watch.table


def without_table(planned: League, folder: Path) -> LiveStatus:
    """A viewer who sees only the counts."""
    watch = LiveStatus(planned, url(folder))
    watch._rating.spent(time.monotonic(), 1_000_000)
    return watch


def test_before_anybody_plays_it_waits_and_makes_no_file(tmp_path: Path) -> None:
    watch = LiveStatus(league(BalancedSettings()), url(tmp_path))
    assert watch.look().state == "waiting"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [BalancedSettings(matches=8), SwissSettings(rounds=3), KnockoutSettings(), OpenSettings(matches=60)],
    ids=kind,
)
def test_in_every_format_it_sees_the_league_as_the_other_commands_do(tmp_path: Path, settings: Settings) -> None:
    planned = league(settings)
    watch = LiveStatus(planned, url(tmp_path))
    with Run(tmp_path, planned) as run, pytest.raises(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=20))
    glance, table = seen(watch)
    assert glance.state == "idle"
    with open_results(planned, url(tmp_path)) as results:
        progress = league_progress(results)
    assert glance.progress == progress
    assert (table.stored, table.standings.matches) == (20, progress.matches)
    assert (table.rounds is not None) == isinstance(settings, KnockoutSettings | SwissSettings)
    with Run(tmp_path, planned) as run:
        assert watch.look().state == "playing"
        run.play(FakeExecutor(BOTS))
        assert watch.look().state == "playing"
    *_, last = watch.snapshots()
    assert last.state == "over"
    assert last.progress is not None
    assert last.progress.matches.remaining == 0
    assert watch.table is not None
    with open_results(planned, url(tmp_path)) as results:
        assert watch.table.standings == league_standings(results)


def test_nothing_is_written_into_the_store(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=3))
    with Run(tmp_path, planned) as run, pytest.raises(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=20))
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    seen(LiveStatus(planned, url(tmp_path)))
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert in_sql(url(tmp_path), "SELECT count(*) FROM answer") == [(0,)]


def test_the_matches_are_counted_on_while_the_whole_count_is_not_due(tmp_path: Path) -> None:
    planned = league(BalancedSettings())
    watch = without_table(planned, tmp_path)
    watch._counting = CpuBudget(1_000, 1)
    with Run(tmp_path, planned) as run:
        with pytest.raises(Stopped):
            run.play(FakeExecutor(BOTS, stops_after=20))
        first = watch.look().progress
        with pytest.raises(Stopped):
            run.play(FakeExecutor(BOTS, stops_after=15))
        second = watch.look().progress
    assert first is not None
    assert second is not None
    assert (first.stored, second.stored) == (20, 35)
    assert second.matches.remaining == first.matches.remaining - 15


def test_a_league_that_goes_on_without_a_runner_is_not_over(tmp_path: Path) -> None:
    planned = league(OpenSettings(matches=60))
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor(BOTS))
    longer = league(OpenSettings(matches=600))
    watch = without_table(longer, tmp_path)
    assert [watch.look().state for _ in range(3)] == ["idle"] * 3


def test_a_league_that_is_closed_while_somebody_watches_is_over_and_its_table_is_not_interim(tmp_path: Path) -> None:
    planned = league(BalancedSettings())
    with Run(tmp_path, planned) as run, pytest.raises(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=20))
    watch = LiveStatus(planned, url(tmp_path))
    _, table = seen(watch)
    assert table.standings.interim
    close(planned, url(tmp_path), 1, abandon=True)
    watch._counting = CpuBudget(0, 1)
    *_, last = watch.snapshots()
    assert last.state == "over"
    assert watch.table is not None
    assert not watch.table.standings.interim


def test_a_league_that_went_on_and_was_closed_is_over(tmp_path: Path) -> None:
    with Run(tmp_path, league(OpenSettings(matches=60))) as run:
        run.play(FakeExecutor(BOTS))
    longer = league(OpenSettings(matches=600))
    watch = without_table(longer, tmp_path)
    assert [watch.look().state for _ in range(2)] == ["idle"] * 2
    close(longer, url(tmp_path), 1, abandon=True)
    assert watch.look().state == "over"


def test_the_latest_faults_and_void_matches_are_told_the_latest_first(tmp_path: Path) -> None:
    planned = league(BalancedSettings())
    with Run(tmp_path, planned, started_ms=1_000_000) as run:
        run.play(FakeExecutor(BOTS, loses=lambda fixture, attempt: "gus@1" in fixture.entries and attempt == 1))
    trouble = without_table(planned, tmp_path).look().trouble
    with open_results(planned, url(tmp_path)) as results:
        faults = [(match.stored_ms, match.fixture, "bob@1") for match in results.matches() if match.faults]
        voids = [(void.stored_ms, void.fixture, None) for void in results.store.voids()]
    latest = sorted([*faults, *voids], key=lambda each: -each[0])[:3]
    assert [(each.at_ms, each.match, each.bot) for each in trouble] == latest
    assert {each.what for each in trouble} <= {"illegal", "lost on purpose"}


def test_what_prevents_the_table_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned = league(BalancedSettings())
    with Run(tmp_path, planned) as run, pytest.raises(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=20))

    def fails(*_: object) -> TableSnapshot:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(live_status, "_tabled", fails)
    with pytest.raises(StoreError, match="the disk is gone"):
        seen(LiveStatus(planned, url(tmp_path)))


def test_the_table_is_made_by_a_thread_that_lets_others_go_first_and_leaves_signals_to_the_main_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = league(BalancedSettings())
    with Run(tmp_path, planned) as run, pytest.raises(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=20))
    found: list[tuple[int, set[signal.Signals | int]]] = []

    def notes(kept: StoredLeague) -> TableSnapshot:
        found.append((os.getpriority(os.PRIO_PROCESS, 0), set(signal.pthread_sigmask(signal.SIG_BLOCK, ()))))
        return TableSnapshot(0, kept.store.matches.count(), standings_without_storing(kept), None)

    before = os.getpriority(os.PRIO_PROCESS, 0)
    monkeypatch.setattr(live_status, "_tabled", notes)
    seen(LiveStatus(planned, url(tmp_path)))
    ((priority, blocked),) = found
    assert priority > before
    assert {signal.SIGINT, signal.SIGTERM, signal.SIGHUP} <= blocked
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


@given(costs=st.lists(st.floats(0, 100), min_size=1, max_size=30), every_s=st.floats(0.1, 60), share=st.floats(0.01, 1))
def test_what_is_done_seldom_takes_no_more_than_its_share(costs: list[float], every_s: float, share: float) -> None:
    seldom = CpuBudget(every_s, share)
    now_s, spent_s = 0.0, 0.0
    for cost_s in costs:
        assert seldom.is_due(now_s)
        spent_s += cost_s
        seldom.spent(now_s, cost_s)
        rest_s = max(every_s, cost_s / share)
        assert not seldom.is_due(now_s + 0.99 * rest_s)
        now_s += rest_s * 1.000_001
    assert spent_s <= share * now_s


def test_the_speed_is_that_of_the_last_minute() -> None:
    speed = MatchRate()
    for second in range(200):
        speed.note(float(second), 10 * min(second, 170))
    assert speed.a_second == pytest.approx(10 * 31 / 60, rel=0.05)
    for second in range(200, 300):
        speed.note(float(second), 1_700)
    assert speed.a_second is None


@given(st.integers(0, 100), st.integers(0, 100), st.integers(0, 300))
def test_a_count_that_goes_on_never_passes_the_plan(stored: int, remaining: int, now: int) -> None:
    progress = Progress(1, MatchCounts(stored + remaining, stored, remaining, 0, 0), 0, 0, stored)
    found = since(progress, now).matches
    assert found.played + found.remaining == found.planned
    assert found.remaining == max(0, min(remaining, remaining - (now - stored)))
