"""`league check` counts and estimates, and does not touch the league."""

import os
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.errors import FileProblems, WrongUse
from referee.match.transcript import Header
from tests.cli.command import referee
from tests.tournaments.arena import write_bot, write_league
from tests.tournaments.exporting import AVENUE, league_of, table
from tests.tournaments.fakes import (
    FakeExecutor,
    FakeMachine,
    Run,
    auction_league,
    fails,
)
from tests.tournaments.leagues import SEED, league, plan, wave
from tournaments.cli import run as running
from tournaments.cli.maintenance import forecast_lines
from tournaments.league import league_seed
from tournaments.league.format_settings import BalancedSettings
from tournaments.league.model import Entry, Fixture, League, Remote, TableSpec
from tournaments.maintenance import forecast as forecasting
from tournaments.maintenance.forecast import LINE_UPS, LONGEST_MS, forecast, plan_of, sample
from tournaments.maintenance.separation import TooLarge
from tournaments.play.bots import RollCall
from tournaments.play.environment import LocalEnvironment
from tournaments.play.match_results import Result
from tournaments.schedule.counting_rules import VOIDS_ALLOWED
from tournaments.schedule.formats import apart, evenness
from tournaments.schedule.formats.wave import FIRST, pieces

URL = "sqlite:////nowhere/autumn.sqlite"
EACH = 2 + FIRST
"""How many matches each line-up is tried in."""

leagues = st.builds(
    league,
    bots=st.integers(3, 7).map(lambda count: [f"bot{number}" for number in range(count)]),
    deals=st.integers(1, 40),
    seats=st.lists(st.integers(2, 3), min_size=1, max_size=3, unique=True),
)


class Timed(FakeExecutor):
    """Plays in virtual time: so long for bringing up the bots of a sitting, and so long for each match."""

    def __init__(self, machine: list[FakeMachine], start_ms: int, match_ms: int, **how: object) -> None:
        super().__init__(**how)  # type: ignore[arg-type]
        self._machine = machine
        self._start_ms = start_ms
        self._match_ms = match_ms
        self._last: tuple[str, ...] = ()

    def _play(self, fixture: Fixture, header: Header) -> Result:
        line_up = (fixture.table, *fixture.entries)
        self._machine[0].wait_ms(self._match_ms + (self._start_ms if line_up != self._last else 0))
        self._last = line_up
        return super()._play(fixture, header)


def timed(start_ms: int, match_ms: int, **how: object) -> FakeMachine:
    place: list[FakeMachine] = []
    place.append(FakeMachine(Timed(place, start_ms, match_ms, **how)))
    return place[0]


def test_a_league_with_too_many_line_ups_is_refused_before_anybody_goes_through_them() -> None:
    large = league([f"bot{number}" for number in range(300)], 1, (3,))
    with pytest.raises(
        TooLarge, match=r"autumn has 13,365,300 line-ups, too many to be checked; take fewer bots, or a"
    ):
        forecast(large, URL, timed(1, 1), 1)


@given(leagues)
def test_matches_are_counted_as_the_plan_has_them(given_league: League) -> None:
    fixtures = plan(given_league)
    found = plan_of(given_league, wave(given_league))
    assert found.matches == len(fixtures)
    assert found.tables == Counter(fixture.table for fixture in fixtures)
    assert found.bots == Counter(entry for fixture in fixtures for entry in set(fixture.entries))
    line_ups = {(fixture.table, fixture.entries) for fixture in fixtures}
    undrawn = len(line_ups) * len(list(pieces(range(given_league.deals))))
    # Long pieces have two parts, and in each part two line-ups of some groups have two sittings.
    assert undrawn <= found.sittings <= 4 * undrawn
    assert found.processes == max(table.seats for table in given_league.tables)


def test_the_bots_of_a_line_up_start_for_each_longer_piece_of_batches_and_in_a_fresh_league_for_every_match() -> None:
    one_by_one = league(deals=56)
    batches, fresh = replace(one_by_one, batch=16), replace(one_by_one, batch=16, fresh=True)
    found = [plan_of(each, wave(each)) for each in (one_by_one, batches, fresh)]
    assert found[1].sittings < found[0].sittings < found[2].sittings == found[2].matches


def test_remote_bots_are_no_processes_here_and_a_bot_in_two_seats_is_two() -> None:
    far = Entry("far@1", "grpcs://host:1", Remote())
    entries = (*league(("ann", "bob")).entries, far)
    assert plan_of(league(entries=entries), wave(league(entries=entries))).processes == 2
    with_far = league(entries=(entries[0], far))
    assert plan_of(with_far, wave(with_far)).processes == 1
    copies = TableSpec("of-3", 3, {"mode": "plain"}, "copies")
    doubled = league(entries=(entries[0], far), tables=(copies,))
    assert plan_of(doubled, wave(doubled)).processes == 2


@given(leagues, st.integers(1, 12))
def test_every_table_is_tried_and_as_many_different_bots_as_fit(given_league: League, most: int) -> None:
    picked = sample(wave(given_league), most)
    everything = {line_up for _, line_up in wave(given_league).line_ups.numbered()}
    assert set(picked) <= everything
    assert len(set(picked)) == len(picked) <= max(most, len(given_league.tables))
    assert {line_up.table for line_up in picked} == {table.name for table in given_league.tables}
    share = max(1, most // len(given_league.tables))
    entries = len(given_league.entries)
    for spec in given_league.tables:
        bots = {entry for line_up in picked if line_up.table == spec.name for entry in line_up.entries}
        whole_groups = min(share, entries // spec.seats)
        assert len(bots) >= (entries if share > entries // spec.seats else whole_groups * spec.seats)


def test_a_few_matches_of_each_line_up_are_played_and_none_of_them_with_the_seed_of_the_league() -> None:
    planned = auction_league(("ann", "bob", "cid", "dan"), deals=100)
    seen: list[str] = []

    class Watching(FakeExecutor):
        def _play(self, fixture: Fixture, header: Header) -> Result:
            seen.append(header.deal_seed)
            return super()._play(fixture, header)

    found = forecast(planned, URL, FakeMachine(Watching()), 2)
    assert (found.tried.line_ups, found.tried.bots) == (LINE_UPS, 4)
    assert found.tried.matches == LINE_UPS * EACH
    assert found.planned.matches == 1200
    assert found.tried.faults == ()
    assert planned.seed == SEED.hex()
    seeds = {league_seed.header(planned, SEED, fixture).deal_seed for fixture in plan(planned)}
    assert len(seeds) == 100
    assert seeds.isdisjoint(seen)


@pytest.mark.slow
@pytest.mark.parametrize(("start_ms", "match_ms", "workers"), [(1_000, 50, 1), (0, 200, 1), (400, 400, 1)])
def test_what_starting_takes_is_told_from_what_a_match_takes(start_ms: int, match_ms: int, workers: int) -> None:
    found = forecast(auction_league(deals=300), URL, timed(start_ms, match_ms), workers)
    cost = found.tried.cost
    assert cost is not None
    assert cost.match_s == pytest.approx(match_ms / 1_000, abs=0.02)
    assert cost.start_s == pytest.approx(start_ms / 1_000, abs=0.05)
    seconds = found.planned.sittings * start_ms / 1_000 + found.planned.matches * match_ms / 1_000
    assert found.hours == pytest.approx(seconds / 3_600, rel=0.1)


def test_slow_bots_are_tried_for_a_while_only_and_all_of_it_counts() -> None:
    found = forecast(auction_league(deals=300), URL, timed(0, 10_000), 1)
    assert found.tried.matches in (LONGEST_MS // 10_000, LONGEST_MS // 10_000 + 1)
    assert found.tried.cost is not None
    assert found.tried.cost.match_s == pytest.approx(10, abs=0.1)


@pytest.mark.slow
def test_the_store_is_estimated_as_what_a_league_takes_or_a_little_more(tmp_path: Path) -> None:
    bots = ("ann", "bob", "cid")
    planned = league_of(AVENUE, [table(AVENUE, 2)], bots, 60)
    found = forecast(planned, URL, FakeMachine(FakeExecutor(game=AVENUE, together=32)), 1)
    sizes = []
    for deals in (30, 60):
        with Run(tmp_path, replace(planned, deals=deals)) as run:
            run.play(FakeExecutor(game=AVENUE, together=32))
        sizes.append((tmp_path / "store.sqlite").stat().st_size)
    ((before, after),) = pairwise(sizes)
    assert found.tried.match_bytes is not None
    grown = (after - before) / 180
    assert 0.97 * grown < found.tried.match_bytes < 1.2 * grown
    assert found.megabytes == pytest.approx(360 * found.tried.match_bytes / 1e6)


def test_each_kind_of_fault_of_each_bot_is_said_once_with_its_sentence() -> None:
    found = forecast(auction_league(deals=9), URL, FakeMachine(FakeExecutor({"bob@1": fails})), 1)
    (sentence,) = found.tried.faults
    assert sentence.startswith("bob@1: illegal, in ")
    assert "chose index 9 at decision" in sentence
    assert f"fault: {sentence}" in list(forecast_lines(found))
    assert "no bot had a fault" not in list(forecast_lines(found))


def test_a_remote_bot_that_is_away_ends_the_trial_and_nothing_is_estimated() -> None:
    machine = FakeMachine(FakeExecutor(away=lambda _entry: True))
    found = forecast(auction_league(), URL, machine, 1)
    assert (found.tried.matches, found.tried.cost, found.hours, found.megabytes) == (0, None, None, None)
    assert machine.waited_ms == []
    assert list(forecast_lines(found))[-1] == "no match was finished, so nothing can be said about time and store"


def test_void_matches_are_counted_and_the_trial_ends() -> None:
    found = forecast(auction_league(), URL, FakeMachine(FakeExecutor(loses=lambda _fixture, _attempt: True)), 1)
    assert (found.tried.matches, found.tried.void) == (0, VOIDS_ALLOWED * 6 * EACH)


def test_a_bot_that_cannot_be_started_is_a_problem_before_anything_is_played() -> None:
    executor = FakeExecutor()

    class Broken(FakeMachine):
        def roll_call(self, _league: League, store: Path | None, _logs: Path) -> RollCall:
            return RollCall({}, [f"ann@1 can see {store}"], [])

    with pytest.raises(FileProblems, match=r"ann@1 can see /nowhere/autumn\.sqlite"):
        forecast(auction_league(), URL, Broken(executor), 1)
    assert not executor.started


def test_memory_is_said_where_a_box_limits_it() -> None:
    boxed = replace(auction_league(), sandbox="bubblewrap")
    found = forecast(boxed, URL, FakeMachine(FakeExecutor(together=8)), 4)
    assert (found.processes, found.memory_mib) == (8, 8 * boxed.limits.memory_mib)
    assert "8 processes of bots, which may take 16,384 MiB together" in "".join(forecast_lines(found))


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.usefixtures("scratch")
def test_the_command_tries_real_bots_and_leaves_nothing_behind(tmp_path: Path) -> None:
    bots = [write_bot(tmp_path / name, name, tmp_path / "log") for name in ("ann", "bob")]
    file = write_league(tmp_path / "autumn.toml", bots, deals=3)
    before = set(tmp_path.iterdir())
    ended = referee("league", "check", file, "--store", f"sqlite:///{tmp_path / 'autumn.sqlite'}", "--workers", "1")
    assert ended.code == 0, ended.err
    lines = ended.out.splitlines()
    assert lines[:4] == [
        "autumn: 6 matches of 2 bots on 3 deals",
        "table simple: 6 matches",
        "each bot: 6 matches",
        "at once: 1 worker, 2 processes of bots, whose memory nothing limits",
    ]
    assert lines[4:6] == ["tried: 20 matches of 2 line-ups with 2 of 2 bots", "no bot had a fault"]
    assert lines[-1].startswith("the store takes 0.0")
    assert set(tmp_path.iterdir()) - before == {tmp_path / "log"}


@pytest.mark.parametrize(("section", "left"), [("", 0), ("[service]\n", 1), ("[service]\ncores = 2\n", 2)])
def test_a_run_beside_a_service_leaves_it_so_many_cores_and_the_command_counts_the_workers_that_it_has(
    section: str, left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counted(_league: League, _url: str, machine: LocalEnvironment, *_workers: int, **_how: bool) -> NoReturn:
        raise WrongUse(f"{machine.workers} workers")

    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: set(range(4)))
    monkeypatch.setattr(forecasting, "forecast", counted)
    monkeypatch.setattr(running, "open_run", counted)
    bots = [write_bot(tmp_path / name, name, tmp_path / "log") for name in ("ann", "bob")]
    file = write_league(tmp_path / "autumn.toml", bots, deals=1)
    file.write_text(file.read_text() + section)
    for command in ("check", "run"):
        assert f"{4 - left} workers" in referee("league", command, file).err


def test_it_says_how_even_a_choice_of_groups_is_and_which_bots_never_meet() -> None:
    chosen = replace(auction_league(tuple("abcdef"), deals=1), format=BalancedSettings(2))
    found = forecast(chosen, URL, FakeMachine(FakeExecutor()), 2)
    (table,) = chosen.tables
    assert found.apart is not None
    lines = list(forecast_lines(found))
    assert f"table {table.name}: 3 of 15 groups; any two bots meet in 0 to 1 of them" in lines
    assert found.apart in lines
    every = replace(chosen, format=BalancedSettings())
    assert (evenness(every), apart(every)) == ((), None)
