"""The reports of a run during play. The test sets the time, and nobody waits."""

import io
import re
import signal
import threading
from collections.abc import Iterator

import pytest

from referee.cli.console import Console
from referee.core.outcome import Side
from tests.tournaments.fakes import FakeExecutor, auction_league, bids_high, fails
from tests.tournaments.leagues import match, wave
from tests.tournaments.supplies import GivenTerms, supply_of
from tournaments.cli import progress
from tournaments.cli.progress import RunProgress, tell_progress
from tournaments.league.model import FinishedMatch
from tournaments.play.match_results import MatchPostponed, MatchVoided, Result
from tournaments.schedule.counting_rules import LeagueVerdict
from tournaments.schedule.formats.plan import Plan

LEAGUE = auction_league(("ann", "bob"), deals=10)
NOBODY = 9
"""A seat that is not at the table."""


class Clock:
    """A clock that a test moves by hand."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


def results(**how: object) -> list[Result]:
    executor = FakeExecutor({"ann@1": bids_high}, **how)  # type: ignore[arg-type]
    return list(played(executor))


def played(executor: FakeExecutor) -> Iterator[Result]:
    told = executor.play(supply_of(LEAGUE, GivenTerms(most=lambda: 1)))
    return (result for result in told if isinstance(result, FinishedMatch | MatchVoided | MatchPostponed))


def course(clock: Clock, planned: int = 1_000, remaining: int = 900) -> RunProgress:
    return RunProgress(LeagueVerdict(planned - remaining, 0, remaining, (), {}), Plan(), by_results=False, now=clock)


def take(run: RunProgress, *told: Result) -> None:
    for result in told:
        assert isinstance(result, FinishedMatch)
        run.take(result)


def test_before_the_first_match_only_the_count_is_told() -> None:
    clock = Clock()
    run = course(clock)
    clock.seconds += 60
    assert run.sentence() == "100 of 1,000 matches, 0 faults"


@pytest.mark.parametrize(
    ("seconds", "rate", "left"),
    [
        (0.1, "100/s", "9 s left"),
        (1, "10/s", "1 min left"),
        (60, "10/min", "1 h 29 min left"),
        (3_600, "10/h", "3 d 17 h left"),
    ],
)
def test_rate_and_time_left_are_those_of_this_run_in_fitting_units(seconds: float, rate: str, left: str) -> None:
    clock = Clock()
    run = course(clock)
    take(run, *results()[:10])
    clock.seconds += seconds
    assert run.sentence().startswith(f"110 of 1,000 matches, {rate}, {left}, ")


def test_of_a_league_that_is_decided_by_results_the_waves_so_far_are_counted_and_no_time_is_left() -> None:
    clock, plan = Clock(), Plan()
    plan.add(wave(auction_league(("ann", "bob"), deals=5)))
    run = RunProgress(LeagueVerdict(8, 0, 2, (), {}), plan, by_results=True, now=clock)
    take(run, results()[0])
    clock.seconds += 1
    assert run.sentence().startswith("wave 1: 9 of 10 matches, 1/s, ahead in this run ")
    plan.add(wave(LEAGUE))  # the last match of the first wave was skipped
    take(run, *results()[:3])
    assert run.sentence().startswith("wave 2: 13 of 30 matches, 4/s, ahead in this run ")
    assert run.numbers() == "13/30, 4/s"


def test_ahead_is_who_has_the_largest_share_of_points_and_faults_are_counted() -> None:
    run = course(Clock())
    matches = results()
    take(run, *matches)
    won = {"ann@1": 0.0, "bob@1": 0.0}
    for played_match in matches:
        assert isinstance(played_match, FinishedMatch)
        places = places_of(played_match)
        for name, place in zip(played_match.fixture.entries, places, strict=True):
            won[name] += 0.5 if len(set(places)) == 1 else float(place == 1)
    leader = max(won, key=lambda name: won[name])
    assert run.leader == (leader, won[leader] / len(matches))
    assert run.sentence().endswith(f", ahead in this run {leader} with {won[leader] / 20:.0%} of its points, 0 faults")


def test_where_nobody_has_won_anything_nobody_is_ahead() -> None:
    clock = Clock()
    run = course(clock)
    together = (Side("team", (0, 1)),)
    take(run, match(next(iter(wave(LEAGUE))), winner=NOBODY, sides=together))
    clock.seconds += 1
    assert run.leader is None
    assert run.sentence() == "101 of 1,000 matches, 1/s, 15 min left, 0 faults"


def places_of(finished: FinishedMatch) -> list[int]:
    (places,) = re.findall(rb'"places":\[([^]]*)\]', finished.record)
    return [int(place) for place in places.split(b",")]


def test_a_fault_is_one_for_the_run() -> None:
    run = course(Clock())
    executor = FakeExecutor({"bob@1": fails})
    take(run, next(played(executor)))
    assert run.sentence().endswith("ahead in this run ann@1 with 100% of its points, 1 fault")


def test_without_a_terminal_a_line_is_told_every_so_often_and_all_that_does_not_count(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0.001)
    before = set(threading.enumerate())
    seen = ""
    fixture = results()[0].fixture

    def until_told() -> Iterator[Result]:
        nonlocal seen
        while "101 of 1,000 matches" not in seen:
            seen += capsys.readouterr().err
            if "100 of 1,000 matches" in seen and "void" not in seen:
                yield results()[0]
                yield MatchVoided(fixture, "lost\x1b[2J\non purpose")
                yield MatchPostponed(fixture, "bob", "nobody answers")

    tell_progress("autumn", course(Clock()), until_told())
    lines = seen.splitlines()
    assert lines[0] == "autumn: 100 of 1,000 matches, 0 faults"
    assert rf"void: {fixture.id}: lost\x1b[2J\non purpose" in lines
    assert "postponed: bob: nobody answers" in lines
    assert set(threading.enumerate()) <= before  # gRPC may have left threads of its own


def test_signals_are_left_to_the_main_thread() -> None:
    blocked: list[set[int]] = []
    told = threading.Event()

    def tell() -> None:
        blocked.append(set(signal.pthread_sigmask(signal.SIG_BLOCK, ())))
        told.set()

    with progress._every(0.001, tell):
        told.wait()
    assert {signal.SIGINT, signal.SIGTERM, signal.SIGHUP} <= blocked[0]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.parametrize(("planned", "remaining"), [(800, 700), (2_520_000, 2_519_000)])
def test_on_a_terminal_of_forty_columns_the_bar_is_one_line_and_says_how_long(
    monkeypatch: pytest.MonkeyPatch, planned: int, remaining: int
) -> None:
    clock, screen = Clock(), io.StringIO()
    monkeypatch.setattr(progress, "err", Console(file=screen, width=40, force_terminal=True, soft_wrap=True))

    def played() -> Iterator[Result]:
        clock.seconds += 10
        yield from results()

    tell_progress("autumn", course(clock, planned, remaining), played())
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())
    lines = [line for line in re.split(r"[\r\n]", shown) if line.strip()]
    assert max(map(len, lines)) <= 40
    assert f"{planned - remaining + 20}/{planned}, 2/s, " in lines[-1]
    assert lines[-1].rstrip().endswith("left")
