"""Lost workers: which line-ups they hold up, alone and in leagues that are played."""

from itertools import combinations
from pathlib import Path

import pytest

from tests.tournaments.fakes import FakeExecutor, Run, auction_league
from tournaments.league.model import FinishedMatch, Fixture
from tournaments.play.match_results import MatchVoided
from tournaments.play.retry_policy import IN_A_ROW, WorkerCrashes, WorkersFail
from tournaments.results.progress import league_status
from tournaments.schedule.counting_rules import VOIDS_ALLOWED

HONEST = ("ann", "bob", "cid", "dan")


def losses_of(*line_ups: str) -> WorkerCrashes:
    """Losses, one after the other: each a line-up, its entries one letter each."""
    losses = WorkerCrashes()
    for line_up in line_ups:
        losses.lose(line_up)
    return losses


def test_a_line_up_goes_last_after_three_losses_whatever_the_seats_and_no_other_does() -> None:
    losses = losses_of("ab", "ba", "ac")
    assert not losses.is_deprioritised("ab")
    losses.lose("ab")
    assert losses.is_deprioritised("ab")
    assert losses.is_deprioritised("ba")
    assert not losses.is_deprioritised("ac")
    assert not losses.is_deprioritised("aa")


def test_copies_of_a_bot_make_another_line_up() -> None:
    assert not losses_of("aab", "aab", "aab").is_deprioritised("abb")


def test_a_finished_match_ends_the_row_of_its_line_up_only() -> None:
    losses = losses_of("ab", "ab", "ab", "cd", "cd")
    losses.finish("ab")
    losses.lose("cd")
    assert not losses.is_deprioritised("ab")
    assert losses.is_deprioritised("cd")


def test_one_or_two_bots_that_cost_every_worker_are_not_the_machine() -> None:
    matches = [f"{a}{b}" for a, b in combinations("rsabcdefgh", 2) if a in "rs"]
    assert not losses_of(*(matches * 4)).nothing_works


def test_three_line_ups_without_a_common_bot_are_the_machine_unless_something_was_finished_between() -> None:
    assert losses_of("ab", "cd", "ef").nothing_works
    assert not losses_of("ab", "ab", "cd", "ad", "cd").nothing_works
    losses = losses_of("ab", "cd")
    losses.finish("xy")
    losses.lose("ef")
    assert not losses.nothing_works


def test_line_ups_that_go_last_do_not_count_against_the_machine() -> None:
    losses = losses_of(*["ab"] * IN_A_ROW, *["cd"] * IN_A_ROW)
    losses.finish("gh")
    for line_up in ("ab", "cd", "ef"):
        losses.lose(line_up)
    assert not losses.nothing_works


def with_rogue(fixture: Fixture) -> bool:
    return "rogue@1" in fixture.entries


@pytest.mark.parametrize("ahead", [1, 3])
def test_a_bot_that_costs_every_worker_costs_the_others_nothing(ahead: int, tmp_path: Path) -> None:
    league = auction_league(("rogue", *HONEST), deals=4)
    with Run(tmp_path, league) as run:
        executor = FakeExecutor(kills=with_rogue, ahead=ahead)
        told = run.play(executor).told
        status = league_status(run.open.results)
    rogues, honest = 4 * 2 * 4, 6 * 2 * 4
    assert (status.progress.matches.played, status.progress.matches.abandoned) == (honest, rogues)
    assert all(executor.started[result.fixture.id] == VOIDS_ALLOWED for result in told if with_rogue(result.fixture))
    last_honest = max(at for at, result in enumerate(told) if isinstance(result, FinishedMatch))
    early = [result.fixture for result in told[:last_honest] if isinstance(result, MatchVoided)]
    assert len(early) <= 4 * (IN_A_ROW + ahead - 1)  # for each of its line-ups
    assert sum(isinstance(result, FinishedMatch) for result in told) == honest


def test_without_the_rogue_the_others_have_the_same_results(tmp_path: Path) -> None:
    (tmp_path / "with").mkdir()
    (tmp_path / "without").mkdir()
    with Run(tmp_path / "with", auction_league((*HONEST, "rogue"), deals=2)) as run:
        run.play(FakeExecutor(kills=with_rogue))
        digest = run.standings().digest
    with Run(tmp_path / "without", auction_league(HONEST, deals=2)) as run:
        assert run.play(FakeExecutor()).standings().digest == digest


def test_a_line_up_that_lost_workers_by_accident_is_played_in_the_end(tmp_path: Path) -> None:
    lost: list[str] = []

    def kills(fixture: Fixture) -> bool:
        accident = with_rogue(fixture) and len(lost) < IN_A_ROW
        lost.extend([fixture.id] * accident)
        return accident

    with Run(tmp_path, auction_league(("rogue", "ann"), deals=4)) as run:
        status = league_status(run.play(FakeExecutor(kills=kills)).open.results)
    assert (status.progress.matches.played, status.progress.void, status.progress.matches.abandoned) == (8, IN_A_ROW, 0)


def test_a_machine_on_which_nothing_works_stops_the_run(tmp_path: Path) -> None:
    with Run(tmp_path, auction_league((*HONEST, "eve", "fay"), deals=2)) as run:
        with pytest.raises(WorkersFail, match="whichever bots played"):
            run.play(FakeExecutor(kills=lambda _: True))
        assert len(run.told) < 120
