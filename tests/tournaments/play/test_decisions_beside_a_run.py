"""The organizer reinstates, retries and withdraws beside a run, also while it is just deciding what follows."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.tournaments.fakes import Bot, FakeExecutor, Run, auction_league, bids_high, fails, shuffled
from tournaments.league.format_settings import BalancedSettings, KnockoutSettings, OpenSettings, Settings, SwissSettings
from tournaments.league.model import League, StoredMatch
from tournaments.results.organizer_actions import TooLate, reinstate_bot, retry_abandoned, withdraw_bot
from tournaments.results.progress import eligible_bots, is_league_over, league_progress
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.store import Store

NAMES = ("ann", "bob", "cid", "dan")
BOTS: dict[str, Bot] = {"ann@1": fails, "bob@1": bids_high}
"""Ann is suspended before its pairing of six matches is over."""

FORMATS: list[Settings] = [SwissSettings(rounds=3), KnockoutSettings(), OpenSettings(matches=60)]
ORDERS: Sequence[Callable[[], FakeExecutor]] = (
    lambda: FakeExecutor(BOTS, together=1),
    lambda: FakeExecutor(BOTS, arrange=shuffled(1), ahead=3, together=4),
    lambda: FakeExecutor(BOTS, arrange=shuffled(2), ahead=8, together=8),
)
Command = Callable[[StoredLeague], object]


def league(settings: Settings) -> League:
    return replace(auction_league(NAMES, 3), format=settings)


def kind(settings: Settings) -> str:
    return type(settings).__name__.lower()


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'store.sqlite'}"


def reinstate(results: StoredLeague) -> None:
    reinstate_bot(results, "ann@1", 5)


def play(folder: Path, planned: League, executor: FakeExecutor, command: Command, waves: int) -> None:
    """Play a league. The organizer gives a command once so many waves are issued, while the last of them is played."""
    with Run(folder, planned) as run, Store(url(folder), planned.name) as store:
        run.machine.now = executor
        is_given = False
        for _ in run.open.play():
            if not is_given and len(store.issues()) == waves:
                is_given = True
                with open_results(planned, url(folder)) as results:
                    command(results)


def decide(folder: Path, planned: League, executor: FakeExecutor, command: Command, waves: int) -> list[object]:
    """Play a league. While the run decides what follows so many waves, the organizer gives a command.

    Returns what the command returns, once or not at all.
    """
    answers: list[object] = []

    def between_waves() -> None:
        with Store(url(folder), planned.name) as store:
            is_time = len(store.issues()) == waves and not answers
        if is_time:
            with open_results(planned, url(folder)) as results:
                answers.append(command(results))

    run = Run(folder, planned)
    run.machine.turn = lambda _lock: nullcontext(between_waves)  # type: ignore[method-assign]
    with run:
        run.play(executor)
    return answers


def digest(folder: Path, planned: League) -> str:
    """The digest after another run, for which nothing remains."""
    executor = FakeExecutor(BOTS)
    with Run(folder, planned) as run:
        found = run.play(executor).standings().digest
        assert is_league_over(run.open.results)
    assert not executor.started
    return found


def folder_in(place: Path, number: int) -> Path:
    folder = place / str(number)
    folder.mkdir()
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("settings", FORMATS[::2], ids=kind)
@pytest.mark.parametrize("waves", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_a_league_in_which_a_bot_is_reinstated_has_one_digest_in_any_order_of_play(
    tmp_path: Path, settings: Settings, waves: int
) -> None:
    digests = set()
    for number, executor in enumerate(ORDERS):
        folder = folder_in(tmp_path, number)
        play(folder, league(settings), executor(), reinstate, waves)
        digests.add(digest(folder, league(settings)))
    assert len(digests) == 1


def test_a_reinstatement_after_the_end_of_a_league_that_decided_by_results_is_refused(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=3))
    with Run(tmp_path, planned) as run:
        before = run.play(ORDERS[2]()).standings().digest
    with (
        open_results(planned, url(tmp_path)) as results,
        pytest.raises(TooLate, match="autumn is over, so it does not"),
    ):
        reinstate(results)
    assert digest(tmp_path, planned) == before


def test_a_bot_that_is_not_suspended_does_not_count_twice_if_it_is_reinstated(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=3))
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor({f"{name}@1": fails for name in NAMES if name != "bob"}))
    with open_results(planned, url(tmp_path)) as results:
        assert eligible_bots(results, "bob@1") == ["bob@1"]
        assert eligible_bots(results, "ann@1") == ["bob@1", "ann@1"]
        with pytest.raises(TooLate, match="autumn is over, so it does not"):
            reinstate_bot(results, "bob@1", 5)


def test_a_bot_that_is_reinstated_while_its_wave_is_played_plays_all_of_it_and_is_in_the_next_one(
    tmp_path: Path,
) -> None:
    planned = league(SwissSettings(rounds=3))
    play(tmp_path, planned, ORDERS[0](), reinstate, 1)
    with open_results(planned, url(tmp_path)) as results, Store(url(tmp_path), planned.name) as store:
        assert league_progress(results).matches.skipped == 0
        assert ["ann@1" in issue.roster for issue in store.issues()] == [True, True, True]


def test_a_bot_of_a_round_robin_that_is_reinstated_beside_the_run_plays_in_it_what_was_skipped(tmp_path: Path) -> None:
    planned = league(BalancedSettings())
    executor = ORDERS[0]()
    with Run(tmp_path, planned) as run:
        run.machine.now = executor
        for _ in run.open.play():
            if sum(executor.started.values()) == 20:
                with open_results(planned, url(tmp_path)) as results:
                    reinstate(results)
        assert league_progress(run.open.results).matches.skipped == 0


@pytest.mark.parametrize("settings", FORMATS, ids=kind)
def test_what_was_lost_is_not_taken_up_any_more_while_a_run_decides_what_follows_it(
    tmp_path: Path, settings: Settings
) -> None:
    planned, quiet = league(settings), folder_in(tmp_path, 0)
    decide(quiet, planned, FakeExecutor(BOTS), lambda _: None, 1)
    with Run(quiet, planned) as run:
        lost = next(iter(run.open.results.state.plan))
    executor = FakeExecutor(BOTS, loses=lambda fixture, attempt: fixture == lost and attempt <= 3)
    assert decide(tmp_path, planned, executor, retry_abandoned, 1) == [0]
    assert executor.started[lost.id] == 3


def first_wave(folder: Path, planned: League) -> dict[str, StoredMatch]:
    """The matches of the first wave that count, by fixture."""
    with open_results(planned, url(folder)) as results:
        deals = results.state.plan.waves[0].deals
        return {fixture.id: match for fixture, match in results.state.counted() if fixture.deal in deals}


@pytest.mark.slow
@pytest.mark.parametrize("settings", FORMATS, ids=kind)
@pytest.mark.parametrize(
    "command", [reinstate, lambda kept: withdraw_bot(kept, "bob@1", 5)], ids=["reinstate", "withdraw"]
)
def test_what_is_commanded_while_a_run_decides_a_wave_changes_nothing_of_the_wave_before(
    tmp_path: Path, settings: Settings, command: Command
) -> None:
    planned, quiet = league(settings), folder_in(tmp_path, 0)
    decide(quiet, planned, FakeExecutor(BOTS), lambda _: None, 1)
    decide(tmp_path, planned, FakeExecutor(BOTS), command, 1)
    assert first_wave(tmp_path, planned) == first_wave(quiet, planned)


def test_a_retry_beside_a_run_that_has_just_decided_a_wave_takes_nothing_up_and_says_so(tmp_path: Path) -> None:
    planned = league(BalancedSettings())
    with Run(tmp_path, planned) as run:
        lost = next(iter(run.open.results.state.plan))
        run.play(FakeExecutor(BOTS, loses=lambda fixture, _: fixture == lost))

    with open_results(planned, url(tmp_path)) as results, Store(url(tmp_path), planned.name) as store:
        assert results.state.verdict().abandoned
        store.close_deals(planned.deals, store.decisions())
        assert retry_abandoned(results) == 0
        assert not store.decisions().retried
