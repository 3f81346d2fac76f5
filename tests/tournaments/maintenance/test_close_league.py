"""Deals are closed when a wave ends or when a league is closed, and nothing is ever played on them again."""

import contextlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.tournaments.fakes import FakeExecutor, Run, Stopped, auction_league, bids_high, fails_in
from tests.tournaments.stores import in_sql
from tournaments.league.deals import OPEN, ClosedDeals, LeagueClosed
from tournaments.league.format_settings import KnockoutSettings, OpenSettings, Settings, SwissSettings
from tournaments.league.model import Entry, League
from tournaments.league.roster import NOTHING_DECIDED
from tournaments.maintenance.close_league import NotOver, close
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import NeverRun
from tournaments.results.organizer_actions import NotAbandoned, enter_bot, reinstate_bot, retry_abandoned
from tournaments.results.progress import is_league_over, league_progress, league_status
from tournaments.results.stored_league import open_results
from tournaments.schedule.formats.issued_waves import next_deal
from tournaments.schedule.formats.wave import fixture_of
from tournaments.store import Store
from tournaments.store.run_lock import LockHeld

NAMES = ("ann", "bob", "cid", "dan", "eve")
PLANNED = auction_league(NAMES, deals=2)
BOTS = {"ann@1": bids_high}
ZOE = Entry("zoe@1", "/bots/zoe")


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'store.sqlite'}"


def closing(folder: Path) -> ClosedDeals:
    with Store(url(folder), PLANNED.name) as store:
        return store.closing()


def by_results(settings: Settings) -> League:
    return replace(PLANNED, format=settings)


@pytest.mark.parametrize(
    "settings",
    [SwissSettings(rounds=3), KnockoutSettings(), OpenSettings(matches=60)],
    ids=lambda it: type(it).__name__,
)
def test_the_deals_of_a_wave_are_closed_when_the_next_is_issued_and_those_of_the_last_when_it_has_ended(
    tmp_path: Path, settings: Settings
) -> None:
    league = by_results(settings)
    with Run(tmp_path, league) as run, Store(url(tmp_path), league.name) as store:
        run.machine.now = FakeExecutor(BOTS)
        for _ in run.open.play():
            issues = store.issues()
            assert store.closing() in (ClosedDeals(issues[-1].first_deal), ClosedDeals(next_deal(issues)))
        assert len(store.issues()) > 1
        assert store.closing() == ClosedDeals(next_deal(store.issues()))
    with open_results(league, url(tmp_path)) as results:
        assert is_league_over(results)
        assert results.seed is None


@pytest.mark.parametrize("stops_after", [1, 5, 11, 17])
def test_a_run_that_is_killed_has_closed_the_deals_of_ended_waves_alone(tmp_path: Path, stops_after: int) -> None:
    league = by_results(SwissSettings(rounds=3))
    with contextlib.suppress(Stopped), Run(tmp_path, league) as run:
        run.play(FakeExecutor(BOTS, stops_after=stops_after))
    with Store(url(tmp_path), league.name) as store:
        issues = store.issues()
        assert store.closing().below == issues[-1].first_deal


def test_who_is_reinstated_plays_nothing_on_deals_that_are_closed(tmp_path: Path) -> None:
    league = replace(by_results(SwissSettings(rounds=4)), deals=8)
    executor = FakeExecutor(BOTS | {"bob@1": fails_in(100)})
    with contextlib.suppress(Stopped), Run(tmp_path, league) as run:
        run.play(FakeExecutor(BOTS | {"bob@1": fails_in(100)}, stops_after=90))
    with open_results(league, url(tmp_path)) as results:
        assert league_status(results).suspended == ("bob@1",)
        reinstate_bot(results, "bob@1", 5)
        below, skipped = results.closing.below, league_progress(results).matches.skipped
        assert below
        assert skipped
    with Run(tmp_path, league) as run:
        run.play(executor)
        played = [fixture_of(result.fixture.id) for result in run.told]
        assert played
        assert all(fixture is not None and fixture.deal >= below for fixture in played)
        assert is_league_over(run.open.results)
    with open_results(league, url(tmp_path)) as results:
        assert league_progress(results).matches.remaining == 0
        assert league_progress(results).matches.skipped >= 1


def test_a_match_that_was_abandoned_is_not_taken_up_again_when_its_wave_has_ended(tmp_path: Path) -> None:
    league = by_results(SwissSettings(rounds=4))
    loses = lambda fixture, attempt: "deal-0" in fixture.id and "ann" in fixture.id  # noqa: ARG005, E731 - in wave 1
    with Run(tmp_path, league) as run:
        run.play(FakeExecutor(BOTS, loses=loses))
        abandoned = run.open.results.state.verdict().abandoned
        assert abandoned
    with open_results(league, url(tmp_path)) as results:
        assert retry_abandoned(results) == 0
        with pytest.raises(NotAbandoned):
            retry_abandoned(results, [abandoned[0].id])
    with Run(tmp_path, league) as run:
        run.play(FakeExecutor(BOTS))
        assert run.open.results.state.verdict().abandoned == abandoned


def test_a_round_robin_is_closed_when_that_is_said_and_then_its_seed_is_told(tmp_path: Path) -> None:
    with Run(tmp_path, PLANNED) as run:
        run.play(FakeExecutor(BOTS))
    assert closing(tmp_path) == OPEN
    with open_results(PLANNED, url(tmp_path)) as results:
        assert (is_league_over(results), results.seed, league_status(results).seed) == (True, None, None)
        seed, played = results.pinned.seed, league_progress(results).matches.played
    closed = close(PLANNED, url(tmp_path), 7, abandon=False)
    assert (closed.seed, closed.played, closed.left_out) == (seed, played, 0)
    assert close(PLANNED, url(tmp_path), 9, abandon=False) == closed
    assert closing(tmp_path) == ClosedDeals(0, 7)
    with open_results(PLANNED, url(tmp_path)) as results:
        assert league_status(results).seed == seed


def test_a_rehearsal_tells_its_seed_at_once(tmp_path: Path) -> None:
    with Run(tmp_path, replace(PLANNED, rehearsal=True)) as run:
        assert run.open.results.seed == run.open.results.pinned.seed


def test_a_league_with_matches_left_is_not_closed_unless_they_are_abandoned_and_then_never_played(
    tmp_path: Path,
) -> None:
    with contextlib.suppress(Stopped), Run(tmp_path, PLANNED) as run:
        run.play(FakeExecutor(BOTS, stops_after=10))
    with pytest.raises(NotOver, match="30 matches of autumn remain"):
        close(PLANNED, url(tmp_path), 7, abandon=False)
    assert closing(tmp_path) == OPEN
    closed = close(PLANNED, url(tmp_path), 7, abandon=True)
    assert (closed.played, closed.left_out) == (10, 30)
    with open_results(PLANNED, url(tmp_path)) as results:
        assert (
            league_progress(results).matches.remaining,
            is_league_over(results),
            league_standings(results).interim,
        ) == (0, True, False)
    with pytest.raises(LeagueClosed), Run(tmp_path, PLANNED):
        pass


def test_a_league_that_goes_on_by_its_results_is_not_closed_between_two_waves(tmp_path: Path) -> None:
    league = by_results(SwissSettings(rounds=3))
    with contextlib.suppress(Stopped), Run(tmp_path, league) as run:
        run.play(FakeExecutor(BOTS, stops_after=8))  # the first round
    in_sql(url(tmp_path), "DELETE FROM issue WHERE number = 1")  # as if it had been killed just before
    with open_results(league, url(tmp_path)) as results:
        assert league_progress(results).matches.remaining == 0
    with pytest.raises(NotOver, match="goes on: its results decide how"):
        close(league, url(tmp_path), 7, abandon=False)


def test_nobody_enters_a_league_that_is_closed_and_more_deals_are_not_played(tmp_path: Path) -> None:
    with Run(tmp_path, PLANNED) as run:
        run.play(FakeExecutor(BOTS))
    close(PLANNED, url(tmp_path), 7, abandon=False)
    with open_results(PLANNED, url(tmp_path)) as results:
        with pytest.raises(LeagueClosed):
            enter_bot(results, ZOE, 8)
        with pytest.raises(LeagueClosed):
            reinstate_bot(results, "bob@1", 8)
    for changed in (replace(PLANNED, deals=5), replace(PLANNED, entries=(*PLANNED.entries, ZOE))):
        with pytest.raises(LeagueClosed), Run(tmp_path, changed):
            pass
        with open_results(changed, url(tmp_path)) as results:
            assert league_progress(results).matches.remaining == 0
            assert results.state.verdict().remaining == 0


def test_a_league_that_was_never_run_is_not_closed_and_no_store_is_made(tmp_path: Path) -> None:
    with pytest.raises(NeverRun):
        close(PLANNED, url(tmp_path), 7, abandon=True)
    assert list(tmp_path.iterdir()) == []


def test_a_league_is_not_closed_while_it_is_played(tmp_path: Path) -> None:
    with Run(tmp_path, PLANNED), pytest.raises(LockHeld):
        close(PLANNED, url(tmp_path), 7, abandon=True)
    assert closing(tmp_path) == OPEN


def test_what_is_closed_stays_closed(url: str) -> None:
    with Store(url, PLANNED.name) as store:
        store.prepare()
        assert store.closing() == OPEN
        store.open_league(PLANNED, {}, bytes(32), 1)
        assert store.closing() == OPEN
        store.close_deals(4, NOTHING_DECIDED)
        store.close_deals(2, NOTHING_DECIDED)
        assert store.closing() == ClosedDeals(4)
        store.close_league(5)
        store.close_league(9)
        assert store.closing() == ClosedDeals(4, 5)
        store.open_league(PLANNED, {}, bytes(32), 11)
        assert store.closing() == ClosedDeals(4, 5)
