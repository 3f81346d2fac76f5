"""The runner beside the server: what it plays, when, and what it says about the leagues that it does not play."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.core.errors import OurFailure
from tests.tournaments.fakes import FakeExecutor, FakeMachine, auction_league
from tournaments.league.format_settings import OpenSettings
from tournaments.league.model import League
from tournaments.league.service_terms import Extension, SubmissionTerms
from tournaments.league.timetable import RunnerState
from tournaments.play.run import lock_league
from tournaments.results.progress import is_league_over, league_progress
from tournaments.results.stored_league import open_results
from tournaments.store import Pause, Store, lock_path
from tournaments.web.service.league_runner import LeagueRunner, States, WatchedLeague
from tournaments.web.service.worker_messages import ServedLeague

WEEK = replace(auction_league(), name="week")
LADDER = replace(auction_league(), name="ladder", format=OpenSettings(matches=400))


class Hall:
    """Leagues of one store, a clock, and a runner whose looks take a second each.

    Attributes:
        said: what it does about the leagues, whenever that changes.
        now_ms: the time.
        at: by the number of a look, what happens then.
    """

    def __init__(self, folder: Path, *leagues: League) -> None:
        self.url = f"sqlite:///{folder / 'store.sqlite'}"
        self.said: list[dict[str, RunnerState]] = []
        self.now_ms = 0
        self.at: dict[int, Callable[[], object]] = {}
        self.executor = FakeExecutor()
        self._leagues = leagues
        self._looks = 0

    def run(self, looks: int) -> None:
        """Let the runner look so often, and then end."""
        self._end = self._looks + looks
        with ExitStack() as stack:
            watched = {each.name: WatchedLeague(ServedLeague("file", each, self.url)) for each in self._leagues}
            store = stack.enter_context(Store(self.url, self._leagues[0].name))
            store.prepare()
            LeagueRunner(
                watched, {self.url: store}, self._hear, self._goes_on, lambda: self.now_ms, self._machine
            ).run()

    def kinds(self, league: str) -> list[str]:
        """What it did about a league, each once."""
        kinds = [states[league].kind for states in self.said]
        return [kind for at, kind in enumerate(kinds) if kinds[at - 1 : at] != [kind]]

    @contextmanager
    def store(self, league: str) -> Iterator[Store]:
        with Store(self.url, league) as store:
            yield store

    def played(self, league: League) -> int:
        with open_results(league, self.url) as results:
            return league_progress(results).matches.played

    def _hear(self, states: States) -> None:
        self.said.append(dict(states))

    def _goes_on(self, _seconds: float) -> bool:
        self._looks += 1
        self.now_ms += 1_000
        if self._looks in self.at:
            self.at[self._looks]()
        return self._looks < self._end

    def _machine(self, _league: League, _should_stop: Callable[[], bool]) -> FakeMachine:
        return FakeMachine(self.executor, started_ms=self.now_ms)


def test_a_league_that_is_due_is_played_to_its_end_and_then_the_runner_idles(tmp_path: Path) -> None:
    hall = Hall(tmp_path, WEEK)
    hall.run(3)
    assert hall.kinds("week")[-1] == "idle"
    with open_results(WEEK, hall.url) as results:
        assert is_league_over(results)


def test_a_league_begins_at_its_time_and_not_before(tmp_path: Path) -> None:
    hall = Hall(tmp_path, replace(WEEK, starts_ms=3_000))
    hall.run(2)
    assert hall.said[-1]["week"] == RunnerState("waits for its time", 3_000)
    hall.run(4)
    assert hall.kinds("week")[-1] == "idle"


def test_an_extension_for_everybody_moves_the_start_and_one_for_an_owner_does_not(tmp_path: Path) -> None:
    week = replace(WEEK, submissions=SubmissionTerms(closes_ms=2_000))
    hall = Hall(tmp_path, week)
    with hall.store("week") as store:
        store.calendar.extend(Extension("ann", 9_000, "organizer", 0, "ill"))
        store.calendar.extend(Extension("", 5_000, "organizer", 0, "the network failed"))
    hall.run(1)
    assert hall.said[-1]["week"] == RunnerState("waits for its time", 5_000)


def test_a_paused_league_is_not_played_until_it_is_resumed(tmp_path: Path) -> None:
    hall = Hall(tmp_path, WEEK)
    with hall.store("week") as store:
        store.calendar.pause(Pause("organizer", 0, "a mistake"))
    hall.run(2)
    assert hall.said[-1]["week"] == RunnerState("paused", reason="a mistake")
    with hall.store("week") as store:
        store.calendar.resume("organizer", 0)
    hall.run(3)
    assert hall.kinds("week")[-1] == "idle"


def test_a_league_lacks_bots_until_enough_are_there(tmp_path: Path) -> None:
    alone = replace(auction_league(["ann"]), name="week", submissions=SubmissionTerms())
    hall = Hall(tmp_path, alone)
    hall.run(2)
    assert hall.said[-1]["week"] == RunnerState("waits for bots", number=1)


def test_a_league_that_another_runner_plays_rests_and_is_tried_again(tmp_path: Path) -> None:
    hall = Hall(tmp_path, WEEK)
    with lock_league(lock_path(hall.url, "week")):
        hall.run(2)
    assert hall.said[-1]["week"].kind == "rests"
    hall.run(15)
    assert hall.kinds("week")[-1] == "idle"


def test_a_failure_of_ours_makes_the_league_rest_and_the_others_go_on(tmp_path: Path) -> None:
    def fail(*_: object) -> bool:
        raise OurFailure("no disk")

    hall = Hall(tmp_path, WEEK, replace(auction_league(), name="other"))
    hall.executor = FakeExecutor(loses=fail)
    hall.run(1)
    assert hall.said[-1]["week"].reason == "no disk"
    hall.executor = FakeExecutor()
    hall.run(3)
    assert hall.kinds("other")[-1] == "idle"
    hall.run(60)
    assert hall.kinds("week")[-1] == "idle"


def test_a_league_that_ends_gets_closed_when_its_time_is_over(tmp_path: Path) -> None:
    hall = Hall(tmp_path, replace(WEEK, ends_ms=1))
    hall.now_ms = 1_000
    hall.run(4)
    assert hall.kinds("week")[-1] == "closed"


def test_an_open_league_gives_way_to_one_that_becomes_due_and_goes_on_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.web.service.league_runner.LOOK_S", 0.0)  # it looks before each match
    week = replace(WEEK, starts_ms=20_000)
    hall = Hall(tmp_path, LADDER, week)
    hall.run(10_000)
    order = [name for states in hall.said for name, state in states.items() if state.kind == "plays"]
    turns = [name for at, name in enumerate(order) if order[at - 1 : at] != [name]]
    assert turns == ["ladder", "week", "ladder"]
    assert hall.played(week) == hall.played(WEEK) > 0


def test_what_the_runner_stops_in_between_ends_as_if_it_had_not_been_stopped(tmp_path: Path) -> None:
    digests = []
    for looks in ([50], [1, 1, 1, 50]):
        folder = tmp_path / str(len(digests))
        folder.mkdir()
        hall = Hall(folder, WEEK)
        for each in looks:
            hall.run(each)
        with open_results(WEEK, hall.url) as results:
            digests.append(sorted((each.fixture, each.digest) for each in results.matches()))
    assert digests[0] == digests[1] != []
