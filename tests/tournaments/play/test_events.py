from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.match.transcript import FaultKind
from tests.tournaments.fakes import Bot, FakeExecutor, Run, auction_league, bids_high, fails_in, shuffled
from tests.tournaments.leagues import plan
from tournaments.league.format_settings import BalancedSettings, Settings, SwissSettings
from tournaments.league.model import League
from tournaments.play.events import (
    BotFailed,
    BotSuspended,
    BotUnreachable,
    Event,
    EventRecorder,
    MatchScored,
    MatchVoid,
    WaveBegan,
    WorkerRestarted,
)

LEAGUE = auction_league(deals=6)
BOTS: dict[str, Bot] = {"ann@1": bids_high}


def told(folder: Path, league: League, executor: FakeExecutor) -> list[Event]:
    """All events of a run."""
    with Run(folder, league) as run:
        run.machine.now = executor
        chronicle = EventRecorder(league.name, run.open.results.state)
        return [event for result in run.open.play() for event in chronicle.take(result)]


def test_every_result_is_told_with_its_places(tmp_path: Path) -> None:
    events = told(tmp_path, LEAGUE, FakeExecutor(BOTS))
    assert {event.match for event in events if isinstance(event, MatchScored)} == {
        fixture.id for fixture in plan(LEAGUE)
    }
    assert len(events) == len(plan(LEAGUE))
    first = events[0]
    assert isinstance(first, MatchScored)
    assert sorted(first.places) == [1, 2]
    assert len(first.bots) == len(first.thinking_us) == 2


def test_a_fault_is_told_beside_its_match_and_a_suspension_once(tmp_path: Path) -> None:
    events = told(tmp_path, LEAGUE, FakeExecutor({"bob@1": fails_in(100)}))
    faults = [event for event in events if isinstance(event, BotFailed)]
    assert {(event.bot, event.kind) for event in faults} == {("bob@1", FaultKind.ILLEGAL.value)}
    assert {event.match for event in faults} <= {event.match for event in events if isinstance(event, MatchScored)}
    (suspension,) = (event for event in events if isinstance(event, BotSuspended))
    assert (suspension.league, suspension.bot, suspension.faults) == (LEAGUE.name, "bob@1", 5)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "settings", [BalancedSettings(), SwissSettings(rounds=3)], ids=lambda each: type(each).__name__
)
def test_in_whatever_order_matches_end_the_suspensions_that_are_told_are_those_that_stand(
    tmp_path: Path, settings: Settings, seed: int
) -> None:
    league = replace(auction_league(("ann", "bob", "cid", "dan"), deals=12), format=settings)
    bots = {f"{name}@1": fails_in(10 + 7 * at) for at, name in enumerate(("bob", "cid", "dan"))}
    with Run(tmp_path, league) as run:
        run.machine.now = FakeExecutor(bots, arrange=shuffled(seed), ahead=9)
        recorder = EventRecorder(league.name, run.open.results.state)
        told = [event for result in run.open.play() for event in recorder.take(result)]
        stands = run.open.results.state.verdict().suspensions
    assert sorted((each.bot, each.faults, each.matches) for each in told if isinstance(each, BotSuspended)) == sorted(
        (each.entry, each.faults, each.matches) for each in stands.values()
    )


def test_a_bot_that_was_suspended_before_the_run_is_not_told_again(tmp_path: Path) -> None:
    told(tmp_path, LEAGUE, FakeExecutor({"bob@1": fails_in(100)}))
    longer = replace(LEAGUE, deals=8)
    assert not [e for e in told(tmp_path, longer, FakeExecutor()) if isinstance(e, BotSuspended)]


def test_void_matches_lost_workers_and_bots_that_are_away_are_told_with_the_reason(tmp_path: Path) -> None:
    first, second, third = (fixture.id for fixture in plan(LEAGUE)[:3])
    calls: list[str] = []

    def away(entry: str) -> bool:
        calls.append(entry)
        return entry == "cid@1" and calls.count(entry) == 1

    executor = FakeExecutor(
        loses=lambda fixture, attempt: fixture.id == first and attempt == 1,
        busy=lambda fixture, attempt: fixture.id == second and attempt == 1,
        kills=lambda fixture: fixture.id == third and executor.started[third] == 1,
        away=away,
    )
    events = told(tmp_path, LEAGUE, executor)
    assert MatchVoid(first, "lost on purpose", busy=False) in events
    assert MatchVoid(second, "the bot waited for a core", busy=True) in events
    assert WorkerRestarted(third, "a worker process was lost") in events
    (gone,) = (event for event in events if isinstance(event, BotUnreachable))
    assert (gone.bot, gone.reason) == ("cid@1", "nobody answers")


def test_every_wave_is_told_when_its_first_match_is_over(tmp_path: Path) -> None:
    events = told(
        tmp_path, replace(auction_league(("ann", "bob", "cid", "dan"), 2), format=SwissSettings(3)), FakeExecutor()
    )
    assert [event for event in events if isinstance(event, WaveBegan)] == [WaveBegan(2, 8), WaveBegan(3, 8)]
    assert [at for at, event in enumerate(events) if isinstance(event, WaveBegan)] == [8, 17]
