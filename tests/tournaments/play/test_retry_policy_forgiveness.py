"""What a bot that is unavailable costs, and when the run forgives it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.match.conversation import Failed, Reply
from referee.match.match import Ask
from referee.match.transcript import FaultKind
from tests.tournaments.fakes import Bot, FakeExecutor, Run, Stopped, auction_league, draws, fails
from tournaments.league.model import FinishedMatch, League, Remote, faults_of
from tournaments.league.status import LeagueStatus
from tournaments.play.match_results import MatchVoided
from tournaments.play.retry_policy import BotsUnreachable
from tournaments.results.progress import league_progress, league_status
from tournaments.results.standings import Standings
from tournaments.schedule.counting_rules import VOIDS_ALLOWED


def league(forgiven: int) -> League:
    """A league in which `cid@1` is remote, and so often forgiven."""
    plain = auction_league(deals=5)
    entries = (replace(e, remote=Remote(forgiven=forgiven)) if e.name == "cid@1" else e for e in plain.entries)
    return replace(plain, entries=tuple(entries))


def unavailable(ask: Ask) -> Reply:
    return Failed(FaultKind.UNAVAILABLE, f"was unavailable at decision {ask.number}")


def away(times: int, decision: int = 1, otherwise: Bot = draws) -> Bot:
    """A bot that is unavailable at this decision of its first matches, so many."""
    left = [times]

    def answer(ask: Ask, seed: str) -> Reply:
        if ask.number == decision and left[0]:
            left[0] -= 1
            return unavailable(ask)
        return otherwise(ask, seed)

    return answer


def played(
    folder: Path, forgiven: int, bot: Bot, ann: Bot = draws, *, ahead: int = 1
) -> tuple[Standings, LeagueStatus, list[FaultKind], int]:
    """A league, its faults, and for how long it waited, in seconds."""
    with Run(folder, league(forgiven)) as run:
        run.play(FakeExecutor({"cid@1": bot, "ann@1": ann}, ahead=ahead))
        finished = [result for result in run.told if isinstance(result, FinishedMatch)]
        faults = [fault.kind for result in finished for fault in faults_of(result)]
        return run.standings(), league_status(run.open.results), faults, sum(run.machine.waited_ms) // 1000


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the league if every bot is always available."""
    return played(tmp_path_factory.mktemp("quiet"), 0, draws)[0].digest


@pytest.mark.slow
def test_by_default_it_costs_the_match(tmp_path: Path) -> None:
    table, status, faults, _ = played(tmp_path, 0, away(3))
    assert faults == [FaultKind.UNAVAILABLE] * 3
    assert (status.progress.void, status.forgiven, table.matches.played) == (0, {}, 30)


@pytest.mark.parametrize("ahead", [1, pytest.param(8, marks=pytest.mark.slow)])
def test_a_forgiven_match_is_void_played_again_after_a_wait_and_changes_no_digest(
    tmp_path: Path, digest: str, ahead: int
) -> None:
    table, status, faults, waited_s = played(tmp_path, 4, away(4), ahead=ahead)
    assert (table.digest, faults) == (digest, [])
    assert (status.progress.void, status.forgiven, status.progress.matches.abandoned) == (4, {"cid@1": 4}, 0)
    assert bool(waited_s) == (ahead == 1), "a match that was under way shows that the bot is there again"


@pytest.mark.slow
def test_when_the_number_is_used_up_it_costs_the_match(tmp_path: Path) -> None:
    _, status, faults, _ = played(tmp_path, 2, away(5))
    assert faults == [FaultKind.UNAVAILABLE] * 3
    assert status.forgiven == {"cid@1": 2}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "ann"),
    [(away(1, decision=2), draws), (draws, away(1))],
    ids=["after its first choice", "another bot, which is not named"],
)
def test_nothing_else_is_forgiven(tmp_path: Path, bot: Bot, ann: Bot) -> None:
    _, status, faults, _ = played(tmp_path, 99, bot, ann)
    assert (faults, status.forgiven) == ([FaultKind.UNAVAILABLE], {})


@pytest.mark.slow
def test_a_match_is_not_forgiven_if_another_bot_failed_in_it(tmp_path: Path) -> None:
    with Run(tmp_path, league(3)) as run:
        run.play(FakeExecutor({"cid@1": away(99), "ann@1": fails}))
        forgiven = [result.fixture for result in run.told if isinstance(result, MatchVoided)]
    assert len(forgiven) == 3
    assert all("ann@1" not in fixture.entries for fixture in forgiven)


@pytest.mark.slow
def test_a_bot_that_stays_unavailable_stops_the_run_as_one_that_is_not_reached(tmp_path: Path) -> None:
    with Run(tmp_path, league(999)) as run, pytest.raises(BotsUnreachable, match="cid@1 said before the first choice"):
        run.play(FakeExecutor({"cid@1": away(999)}))


def test_the_count_goes_on_after_an_interruption(tmp_path: Path, digest: str) -> None:
    bot: Callable[[], Bot] = lambda: away(3)  # noqa: E731 - a new one for each run
    with Run(tmp_path, league(4)) as run, pytest.raises(Stopped):
        run.play(FakeExecutor({"cid@1": bot()}, stops_after=20))
    with Run(tmp_path, league(4)) as run:
        run.play(FakeExecutor({"cid@1": bot()}))
        status, faults = (
            league_status(run.open.results),
            [r for r in run.told if isinstance(r, FinishedMatch) and faults_of(r)],
        )
        assert status.forgiven == {"cid@1": 4}
        assert len(faults) == 2
        assert sum(isinstance(result, MatchVoided) for result in run.told) == 1
        assert run.standings().digest != digest


@pytest.mark.slow
def test_forgiven_matches_are_never_abandoned(tmp_path: Path) -> None:
    with Run(tmp_path, league(9)) as run:
        run.play(executor := FakeExecutor({"cid@1": away(9)}))
        assert league_progress(run.open.results).matches.abandoned == 0
    assert max(executor.started.values()) > VOIDS_ALLOWED
