"""A machine that can start no bots: the run stops after a few attempts, and nothing of them is left."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.tournaments.fakes import FakeExecutor, Run, auction_league
from tournaments.league.format_settings import KnockoutSettings, OpenSettings, Settings, SwissSettings
from tournaments.play.retry_policy import FAILED_STARTS_ALLOWED, FIRST_START_REST_MS, FailedStarts, MachineCannotStart
from tournaments.store import Store

NAMES = ("ann", "bob", "cid", "dan", "eve")
FORMATS: list[Settings] = [SwissSettings(rounds=3), KnockoutSettings(), OpenSettings(matches=60)]


def test_attempts_that_had_begun_before_the_first_failure_was_noticed_count_as_one() -> None:
    starts = FailedStarts(workers=4)
    for _ in range(4):
        starts.fail()
    assert (starts.hopeless, starts.attempts, starts.rest_ms) == (False, 1, FIRST_START_REST_MS)
    for _ in range(FAILED_STARTS_ALLOWED - 1):
        assert not starts.hopeless
        starts.fail()
    assert starts.hopeless


def test_a_finished_match_ends_a_row_of_failures() -> None:
    starts = FailedStarts(workers=1)
    for _ in range(10):
        starts.fail()
        starts.finish()
    assert (starts.hopeless, starts.attempts) == (False, 0)


@pytest.mark.slow
@pytest.mark.parametrize("ahead", [1, 3])
@pytest.mark.parametrize("settings", FORMATS, ids=lambda one: type(one).__name__)
def test_a_machine_that_can_start_nothing_stops_the_run_and_the_next_one_goes_on_as_if_nothing_had_been(
    tmp_path: Path, settings: Settings, ahead: int
) -> None:
    planned = replace(auction_league(NAMES, 2), format=settings)
    with Run(tmp_path, planned) as run:
        run.machine.now = FakeExecutor(ahead=ahead, unable=lambda _fixture, _attempt: True, together=1)
        with pytest.raises(MachineCannotStart, match=r"no inodes\. It was tried 4 times\. No bot is to blame"):
            run.told += list(run.open.play())
        assert len(run.told) < FAILED_STARTS_ALLOWED + ahead
        assert run.machine.waited_ms[-3:] == [FIRST_START_REST_MS, 2 * FIRST_START_REST_MS, 4 * FIRST_START_REST_MS]
    with Store(f"sqlite:///{tmp_path / 'store.sqlite'}", planned.name) as store:
        assert store.voids() == ()
    (tmp_path / "quiet").mkdir()
    with Run(tmp_path, planned) as again, Run(tmp_path / "quiet", planned) as quiet:
        table = again.play(FakeExecutor()).standings()
        assert table.digest == quiet.play(FakeExecutor()).standings().digest
        assert (table.void, table.matches.abandoned) == (0, 0)


def test_a_machine_that_can_start_nothing_now_and_then_changes_nothing(tmp_path: Path) -> None:
    planned = auction_league(NAMES, 2)
    with Run(tmp_path, planned) as run:
        unable = lambda fixture, attempt: fixture.deal == 1 and attempt == 1  # noqa: E731
        table = run.play(FakeExecutor(unable=unable, together=1)).standings()
    (tmp_path / "quiet").mkdir()
    with Run(tmp_path / "quiet", planned) as quiet:
        assert table.digest == quiet.play(FakeExecutor()).standings().digest
    assert (table.void, table.matches.abandoned) == (0, 0)
