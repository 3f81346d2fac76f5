"""An outage of the machine or its network made bots fail. The organizer has these matches played again."""

from collections.abc import Mapping
from contextlib import suppress

import pytest
from msgspec.structs import replace

from tests.tournaments.fakes import Bot, FakeExecutor, FakeMachine, Stopped, auction_league, fails, fails_in
from tests.tournaments.stores import in_sql
from tournaments.league.deals import LeagueClosed
from tournaments.league.format_settings import (
    BalancedSettings,
    GauntletSettings,
    KnockoutSettings,
    OpenSettings,
    Settings,
    SwissSettings,
)
from tournaments.league.model import League
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.organizer_actions import TooLate, faults_within, retry_faults, withdraw_bot
from tournaments.results.progress import league_progress, league_status
from tournaments.results.stored_league import open_results
from tournaments.results.verify import differences
from tournaments.store import Store

NAMES = ("ann", "bob", "cid", "dan")
USUAL: Mapping[str, Bot] = {"dan@1": fails_in(10)}
OUT = {f"{name}@1": fails for name in NAMES}
BEGAN, OVER = 1_000_000, 2_000_000
OUTAGE = range(BEGAN, OVER)
PLANNED: list[Settings] = [BalancedSettings(), GauntletSettings(("ann",))]
ISSUING: list[Settings] = [SwissSettings(rounds=2), KnockoutSettings(), OpenSettings(matches=60)]


def kind(settings: Settings) -> str:
    return type(settings).__name__.lower()


def league(settings: Settings) -> League:
    return replace(auction_league(NAMES, 3), format=settings)


def play(
    url: str, planned: League, bots: Mapping[str, Bot] = USUAL, matches: int | None = None, at_ms: int = OVER
) -> FakeExecutor:
    """Play a league from this time on, or so many matches of it."""
    executor = FakeExecutor(bots, stops_after=matches, together=1)
    with open_run(planned, url, FakeMachine(executor, started_ms=at_ms)) as run, suppress(Stopped):
        for _ in run.play():
            pass
    return executor


def digest(planned: League, url: str) -> str:
    with open_results(planned, url) as results:
        assert list(filter(None, (wrong for _, wrong in differences(results, FakeExecutor()._game)))) == []
        return league_standings(results).digest


def quiet_digest(planned: League, url: str) -> str:
    """The digest of the league without an outage, in a store beside."""
    beside = replace(planned, name="quiet")
    play(url, beside)
    return digest(beside, url)


def offending(planned: League, url: str) -> dict[str, int]:
    """When the matches that ended by a fault were stored, by fixture."""
    with open_results(planned, url) as results:
        return {played.fixture: played.stored_ms for played in results.matches() if played.offenders}


def outage(url: str, planned: League) -> None:
    """Play two matches, then five during an outage, and two after it."""
    play(url, planned, matches=2, at_ms=0)
    play(url, planned, OUT, 5, at_ms=BEGAN)
    play(url, planned, matches=2)


@pytest.mark.parametrize("settings", [*PLANNED, *ISSUING], ids=kind)
def test_a_league_that_plays_again_what_an_outage_cost_ends_as_one_without_an_outage(
    url: str, settings: Settings
) -> None:
    planned = league(settings)
    outage(url, planned)
    with open_results(planned, url) as results:
        league_standings(results)
        before = league_progress(results)
        assert retry_faults(results, OUTAGE, 5) == 5
    with open_results(planned, url) as results:
        now = league_progress(results)
        # A bot that the outage suspended may have played a later match of the plan: then this one counts again.
        assert (now.matches.played, now.stored, now.void) == (now.stored, before.stored - 5, 5)
        assert now.matches.remaining == now.matches.planned - now.stored
        assert {(void.reason, void.counts, void.stored_ms) for void in results.store.voids()} == {
            ("the organizer has it played again: an outage", False, 5)
        }
        assert league_standings(results).matches == now.matches
    play(url, planned)
    assert digest(planned, url) == quiet_digest(planned, url)


@pytest.mark.parametrize("settings", [*PLANNED, *ISSUING], ids=kind)
@pytest.mark.parametrize("left", [1, 2])
def test_a_run_beside_the_organizer_plays_them_again_before_it_decides_another_wave_or_ends(
    url: str, settings: Settings, left: int
) -> None:
    """The organizer says so when this many matches remain, or one less in a league that has only one wave."""
    planned = league(settings)
    outage(url, planned)
    with open_run(planned, url, FakeMachine(FakeExecutor(USUAL, together=1), started_ms=OVER)) as run:
        first = len(run.results.state.plan)
        count = 0
        for _ in run.play():
            if not count and run.results.state.verdict().remaining == left - (settings in PLANNED):
                with open_results(planned, url) as results:
                    count = retry_faults(results, OUTAGE, 5)
                    assert len(run.results.state.plan) == first
        assert count == 5
        told = league_progress(run.results)
    with open_results(planned, url) as results:
        assert league_progress(results) == told
        assert told.void == 5
    assert digest(planned, url) == quiet_digest(planned, url)


def test_the_span_has_its_beginning_and_not_its_end_and_only_matches_that_a_fault_cut_short(url: str) -> None:
    planned = league(BalancedSettings())
    outage(url, planned)
    times = sorted(at for at in offending(planned, url).values() if at in OUTAGE)
    with open_results(planned, url) as results:
        found = faults_within(results, range(times[0], times[-1]))
        assert sorted(played.stored_ms for _, played in found) == times[:-1]
        assert faults_within(results, range(BEGAN)) == [] == faults_within(results, range(times[-1] + 1, OVER))
        assert len(faults_within(results, range(times[1], times[1] + 1))) == 1
    with Store(url, planned.name) as store:
        count = store.matches.count()
        with open_results(planned, url) as results:
            assert retry_faults(results, range(BEGAN), 5) == 0
        assert (store.matches.count(), store.voids(), store.submissions.audit()) == (count, (), [])


@pytest.mark.parametrize("settings", ISSUING, ids=kind)
def test_what_decided_a_wave_is_not_played_again_also_if_the_wave_was_complete_only_just_now(
    url: str, settings: Settings
) -> None:
    planned = league(settings)
    outage(url, planned)
    with open_results(planned, url) as results:
        assert len(faults_within(results, OUTAGE)) == 5
        play(url, planned)
        with pytest.raises(TooLate, match="is in a wave that is complete, so it stays; name a time without it"):
            retry_faults(results, OUTAGE, 5)
    with Store(url, planned.name) as store:
        assert (store.voids(), store.submissions.audit()) == ((), [])


def test_in_a_closed_league_nothing_is_played_again(url: str) -> None:
    planned = league(BalancedSettings())
    outage(url, planned)
    with open_results(planned, url) as results, Store(url, planned.name) as store:
        store.close_league(5)
        with pytest.raises(LeagueClosed):
            retry_faults(results, OUTAGE, 5)
        assert store.voids() == ()


def test_a_suspension_that_followed_from_the_outage_goes_away(url: str) -> None:
    planned = league(BalancedSettings())
    play(url, planned, {"ann@1": fails}, at_ms=BEGAN)
    with open_results(planned, url) as results:
        assert league_status(results).suspended == ("ann@1",)
        assert retry_faults(results, OUTAGE, 5) > 4
    play(url, planned)
    with open_results(planned, url) as results:
        assert (league_status(results).suspended, league_progress(results).matches.skipped) == ((), 0)
    assert digest(planned, url) == quiet_digest(planned, url)


def test_what_does_not_count_because_a_bot_left_is_not_played_again_and_stays(url: str) -> None:
    planned = league(BalancedSettings())
    outage(url, planned)
    with open_results(planned, url) as results:
        (gone,) = {bot for fixture, _ in faults_within(results, OUTAGE)[:1] for bot in fixture.entries[:1]}
        withdraw_bot(results, gone, 4)
    with open_results(planned, url) as results:
        assert gone not in {bot for fixture, _ in faults_within(results, OUTAGE) for bot in fixture.entries}
        count = retry_faults(results, OUTAGE, 5)
    assert count < 5
    assert len([at for at in offending(planned, url).values() if at in OUTAGE]) == 5 - count


def test_the_audit_says_how_many_matches_are_played_again_and_of_which_time(url: str) -> None:
    planned = league(BalancedSettings())
    outage(url, planned)
    with open_results(planned, url) as results:
        retry_faults(results, OUTAGE, 5)
    with Store(url, planned.name) as store:
        (row,) = store.submissions.audit()
    about = "5 matches from 1970-01-01T00:16:40+00:00 until 1970-01-01T00:33:20+00:00"
    assert (row.at_ms, row.who, row.what, row.about) == (5, "organizer", "retry-faults", about)


def test_of_a_match_that_is_played_again_nothing_is_left_and_three_new_voids_abandon_it(url: str) -> None:
    planned = league(BalancedSettings())
    outage(url, planned)
    (spoiled,) = [name for name, at in offending(planned, url).items() if at in OUTAGE][:1]
    with open_results(planned, url) as results:
        retry_faults(results, OUTAGE, 5)
    for table in ("match", "seat", "transcript"):
        assert in_sql(url, f"SELECT * FROM {table} WHERE fixture = :id", id=spoiled) == []  # noqa: S608 - three names
    executor = FakeExecutor(USUAL, loses=lambda fixture, _attempt: fixture.id == spoiled)
    with open_run(planned, url, FakeMachine(executor)) as run:
        for _ in run.play():
            pass
    assert executor.started[spoiled] == 3
