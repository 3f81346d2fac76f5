import contextlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from tests.auction import Options
from tests.tournaments.fakes import (
    Bot,
    FakeExecutor,
    Run,
    Stopped,
    auction_league,
    bids_high,
    fails,
    fails_in,
    shuffled,
)
from tests.tournaments.leagues import SEED, plan, wave
from tournaments.league import league_seed
from tournaments.league.deals import OwnDeals
from tournaments.league.model import Entry, FinishedMatch, Fixture, League, Remote, TableSpec
from tournaments.play.match_results import MatchPostponed
from tournaments.play.retry_policy import PATIENCE_MS, BotsUnreachable
from tournaments.results.organizer_actions import reinstate_bot
from tournaments.results.progress import league_progress
from tournaments.results.standings import Standings
from tournaments.schedule.play_order import drawn_order
from tournaments.store import Store

BOTS: dict[str, Bot] = {"ann@1": bids_high}
LEAGUE = auction_league(deals=5)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Standings:
    """The standings of the league if it is played in one go."""
    with Run(tmp_path_factory.mktemp("undisturbed"), LEAGUE) as run:
        return run.play(FakeExecutor(BOTS)).standings()


def test_the_whole_plan_is_played_and_told_once(tmp_path: Path) -> None:
    with Run(tmp_path, LEAGUE) as run:
        run.play(executor := FakeExecutor(BOTS))
        assert executor.started == {fixture.id: 1 for fixture in plan(LEAGUE)}
        assert sorted(result.fixture.id for result in run.told) == sorted(fixture.id for fixture in plan(LEAGUE))


def test_a_bot_that_always_bids_high_leads(undisturbed: Standings) -> None:
    best = undisturbed.standings[0]
    assert (best.bot, best.wins + best.draws + best.losses) == ("ann@1", 20)
    assert undisturbed.matches.planned == undisturbed.matches.played == 30


@pytest.mark.parametrize("seed", range(4))
def test_in_any_order_of_results_digest_and_standings_are_the_same(
    tmp_path: Path, undisturbed: Standings, seed: int
) -> None:
    with Run(tmp_path, LEAGUE) as run:
        run.play(FakeExecutor(BOTS, arrange=shuffled(seed), ahead=4))
        assert run.standings() == undisturbed


@pytest.mark.parametrize("together", [2, 7, 1_000])
def test_every_result_is_stored_before_it_is_told_and_in_groups_of_any_size_all_is_the_same(
    tmp_path: Path, undisturbed: Standings, together: int
) -> None:
    with Run(tmp_path, LEAGUE) as run, Store(f"sqlite:///{tmp_path / 'store.sqlite'}", LEAGUE.name) as store:
        run.machine.now = FakeExecutor(BOTS, arrange=shuffled(1), ahead=4, together=together)
        for result in run.open.play():
            assert store.transcript(result.fixture.id) is not None
        assert run.standings() == undisturbed


@pytest.mark.parametrize("seed", range(2))
def test_a_run_that_is_stopped_again_and_again_ends_the_same_and_plays_nothing_twice(
    tmp_path: Path, undisturbed: Standings, seed: int
) -> None:
    rng = Random(seed)
    stored: dict[str, int] = {}
    while len(stored) < len(plan(LEAGUE)):
        with Run(tmp_path, LEAGUE, started_ms=1_000 * len(stored)) as run:
            executor = FakeExecutor(BOTS, arrange=shuffled(rng.randrange(100)), stops_after=rng.randrange(1, 9))
            with contextlib.suppress(Stopped):
                run.play(executor)
            assert not stored.keys() & executor.started.keys()
            assert stored.items() < run.stored_ms().items()  # what was stored before keeps its time
            stored = run.stored_ms()
    with Run(tmp_path, LEAGUE) as run:
        assert run.play(FakeExecutor(BOTS)).told == []
        assert run.standings() == undisturbed


@pytest.mark.parametrize("seed", range(3))
def test_void_matches_are_played_again_after_all_others_and_change_nothing(
    tmp_path: Path, undisturbed: Standings, seed: int
) -> None:
    lost = {fixture.id for fixture in Random(seed).sample(plan(LEAGUE), 5)}
    with Run(tmp_path, LEAGUE) as run:
        run.play(FakeExecutor(BOTS, loses=lambda fixture, attempt: fixture.id in lost and attempt <= 2))
        table = run.standings()
        again = [result.fixture.id for result in run.told][30:]
    assert set(again) == lost
    assert (table.digest, table.standings) == (undisturbed.digest, undisturbed.standings)
    assert (table.void, table.matches.abandoned, table.matches.played) == (10, 0, 30)


def test_after_three_voids_a_match_is_abandoned_and_the_rest_counts(tmp_path: Path, undisturbed: Standings) -> None:
    given_up = plan(LEAGUE)[7].id
    with Run(tmp_path, LEAGUE) as run:
        executor = FakeExecutor(BOTS, loses=lambda fixture, _: fixture.id == given_up)
        run.play(executor)
        table = run.standings()
        verdict = run.open.results.state.verdict()
        run.play(again := FakeExecutor(BOTS))
    assert executor.started[given_up] == 3
    assert not again.started
    assert [fixture.id for fixture in verdict.abandoned] == [given_up]
    assert (table.void, table.matches.abandoned, table.matches.played) == (3, 1, 29)
    assert table.digest != undisturbed.digest


def test_voids_are_counted_across_runs(tmp_path: Path) -> None:
    given_up = next(wave(LEAGUE).sittings(lambda *_: True, order=drawn_order(SEED, OwnDeals()))).fixtures[0].id
    for day in range(3):
        with Run(tmp_path, LEAGUE, started_ms=day * 86_400_000) as run, pytest.raises(Stopped):
            run.play(FakeExecutor(loses=lambda fixture, _: fixture.id == given_up, stops_after=1))
    with Run(tmp_path, LEAGUE) as run:
        run.play(executor := FakeExecutor())
    assert given_up not in executor.started
    assert len(executor.started) == 29


def test_a_bot_that_always_fails_is_suspended_and_the_rest_goes_on(tmp_path: Path) -> None:
    planned = auction_league(deals=10)
    with Run(tmp_path, planned) as run:
        executor = FakeExecutor(BOTS | {"bob@1": fails}, together=1)
        table = run.play(executor).standings()
    assert table.suspended == ("bob@1",)
    faults = {line.bot: line.faults for line in table.standings}
    assert faults == {"ann@1": 0, "bob@1": 5, "cid@1": 0}
    assert table.matches.planned == table.matches.played + table.matches.skipped == 60
    assert table.matches.played == 20 + 5  # all of ann against cid, and five faults
    assert len(executor.started) < 35  # few were already under way


@pytest.mark.parametrize("seed", range(4))
def test_who_is_suspended_and_what_counts_does_not_depend_on_the_order_of_results(tmp_path: Path, seed: int) -> None:
    planned = auction_league(("ann", "bob", "cid", "dan"), deals=8)
    bots = {"bob@1": fails_in(35), "cid@1": fails_in(20), "dan@1": fails_in(90)}
    with Run(tmp_path, planned) as run:
        expected = run.play(FakeExecutor(bots)).standings()
    (tmp_path / "other").mkdir()
    with Run(tmp_path / "other", planned) as run:
        with pytest.raises(Stopped):
            run.play(FakeExecutor(bots, arrange=shuffled(seed), ahead=1 + 3 * seed, stops_after=20))
        other = run.play(FakeExecutor(bots, arrange=shuffled(seed + 50), ahead=5)).standings()
    assert "dan@1" in expected.suspended
    assert other == expected


def test_clean_results_after_the_faults_that_came_first_lift_a_suspension_and_the_run_ends(tmp_path: Path) -> None:
    planned = auction_league(("ann", "bob"), deals=20)
    faulty = {fixture.id for fixture in plan(planned)[24:29]}

    def faults_first(fixtures: list[Fixture]) -> list[Fixture]:
        return sorted(fixtures, key=lambda fixture: fixture.id not in faulty)

    seeds_of_faults = set[str]()

    def bob(ask: object, seed: str) -> object:
        return fails(ask, seed) if seed in seeds_of_faults else bids_high(ask, seed)  # type: ignore[arg-type]

    with Run(tmp_path, planned) as run:
        for fixture in plan(planned)[24:29]:
            header = league_seed.header(planned, run.open.results.pinned.seed_bytes, fixture)
            seeds_of_faults.add(header.bot_seeds[fixture.entries.index("bob@1")])
        run.play(FakeExecutor({"bob@1": bob}, arrange=faults_first))  # type: ignore[dict-item]
        table = run.standings()
    assert (table.matches.played, table.matches.skipped, table.suspended) == (40, 0, ())


def test_reinstating_a_bot_plays_what_was_skipped_and_keeps_what_was_played(tmp_path: Path) -> None:
    with Run(tmp_path, LEAGUE) as run:
        run.play(FakeExecutor(BOTS | {"bob@1": fails}))
        stored = run.stored_ms()
        assert run.standings().matches.skipped == 15
        reinstate_bot(run.open.results, "bob@1", 99)
        run.play(executor := FakeExecutor(BOTS | {"bob@1": fails}))
        table = run.standings()
        assert stored.items() <= run.stored_ms().items()
    assert (table.matches.played, table.matches.skipped, table.suspended) == (30, 0, ())
    assert executor.started.keys() == {fixture.id for fixture in plan(LEAGUE)} - stored.keys()


def test_results_that_came_before_a_suspension_showed_are_kept_and_not_counted(tmp_path: Path) -> None:
    def backwards(fixtures: list[Fixture]) -> list[Fixture]:
        return fixtures[::-1]

    bots = BOTS | {"bob@1": fails}
    with Run(tmp_path, LEAGUE) as run:
        expected = run.play(FakeExecutor(bots)).standings()
    (tmp_path / "other").mkdir()
    with Run(tmp_path / "other", LEAGUE) as run:
        run.play(FakeExecutor(bots, arrange=backwards))
        assert len(run.open.results.matches()) > run.standings().matches.played
        assert run.standings() == expected


def test_added_bots_and_deals_keep_every_old_result(tmp_path: Path) -> None:
    with Run(tmp_path, LEAGUE) as run:
        stored = run.play(FakeExecutor(BOTS)).stored_ms()
    larger = auction_league(("ann", "bob", "cid", "dan"), deals=6)
    with Run(tmp_path, larger, started_ms=500) as run:
        run.play(executor := FakeExecutor(BOTS))
        assert stored.items() <= run.stored_ms().items()
        assert not stored.keys() & executor.started.keys()
        assert run.standings().matches.played == len(plan(larger)) == 72


def test_the_results_of_a_removed_bot_are_kept_and_not_counted(tmp_path: Path, undisturbed: Standings) -> None:
    with Run(tmp_path, auction_league(("ann", "bob", "cid", "dan"), deals=5)) as run:
        stored = run.play(FakeExecutor(BOTS)).stored_ms()
    with Run(tmp_path, LEAGUE) as run:
        run.play(executor := FakeExecutor(BOTS))
        assert not executor.started
        assert run.stored_ms() == stored
        assert run.standings() == undisturbed


def test_the_order_of_bots_in_the_file_means_nothing(tmp_path: Path, undisturbed: Standings) -> None:
    turned = auction_league(("cid", "ann", "bob"), deals=5)
    assert turned.entries[0] == Entry("cid@1", "/bots/cid")
    with Run(tmp_path, turned) as run:
        assert run.play(FakeExecutor(BOTS)).standings() == undisturbed


SIDES = ((0, 2), (1, 3))
TEAMS = TableSpec("teams", 4, msgspec.to_builtins(Options(sides="two")), "teams", SIDES)


def test_an_added_table_of_teams_keeps_every_old_result_and_plays_every_bot_on_every_side(tmp_path: Path) -> None:
    with Run(tmp_path, LEAGUE) as run:
        stored = run.play(FakeExecutor(BOTS)).stored_ms()
    larger = msgspec.structs.replace(LEAGUE, tables=(*LEAGUE.tables, TEAMS))
    with Run(tmp_path, larger, started_ms=500) as run:
        run.play(executor := FakeExecutor(BOTS))
        assert stored.items() <= run.stored_ms().items()
        assert not stored.keys() & executor.started.keys()
        assert run.standings().matches.played == 30 + 6 * 5
        seats = {played.entries for played in run.open.results.matches() if len(played.entries) == 4}
    names = [entry.name for entry in LEAGUE.entries]
    assert seats == {(one, other, one, other) for one in names for other in names if one != other}


@pytest.mark.parametrize("seed", range(2))
def test_a_league_of_teams_has_one_digest_in_any_order_and_suspends_a_team_that_fails(
    tmp_path: Path, seed: int
) -> None:
    planned = msgspec.structs.replace(auction_league(deals=10), tables=(TEAMS,))
    bots = BOTS | {"bob@1": fails}
    with Run(tmp_path, planned) as run:
        expected = run.play(FakeExecutor(bots)).standings()
    (tmp_path / "other").mkdir()
    with Run(tmp_path / "other", planned) as run:
        assert run.play(FakeExecutor(bots, arrange=shuffled(seed), ahead=4)).standings() == expected
    assert expected.suspended == ("bob@1",)
    assert {line.bot: line.faults for line in expected.standings} == {"ann@1": 0, "bob@1": 5, "cid@1": 0}


def away_for(calls: int) -> Callable[[str], bool]:
    """`cid@1` cannot be reached at the first `calls` calls."""
    left = [calls]

    def away(entry: str) -> bool:
        if entry != "cid@1" or left[0] == 0:
            return False
        left[0] -= 1
        return True

    return away


def test_matches_of_a_bot_that_is_away_are_played_when_it_is_back(tmp_path: Path, undisturbed: Standings) -> None:
    with Run(tmp_path, LEAGUE) as run:
        run.play(executor := FakeExecutor(BOTS, away=away_for(3)))
        assert run.standings() == undisturbed
        assert executor.started == {fixture.id: 1 for fixture in plan(LEAGUE)}
        told = [result.entry for result in run.told if isinstance(result, MatchPostponed)]
        assert told == ["cid@1"] * 3  # not once for each of its matches
        assert run.machine.waited_ms[-1] > run.machine.waited_ms[0]


def test_a_match_that_was_postponed_is_no_void_match(tmp_path: Path) -> None:
    with Run(tmp_path, LEAGUE) as run:
        run.play(FakeExecutor(BOTS, away=away_for(5)))
        assert league_progress(run.open.results).void == 0


def test_a_run_ends_when_all_that_remains_waits_for_a_bot_for_too_long(tmp_path: Path) -> None:
    with Run(tmp_path, LEAGUE) as run:
        with pytest.raises(BotsUnreachable, match=r"^not reached for 60 min: cid@1 \(nobody answers\); "):
            run.play(FakeExecutor(BOTS, away=away_for(10_000)))
        assert {played.fixture for played in run.open.results.matches()} == {
            fixture.id for fixture in plan(LEAGUE) if "cid@1" not in fixture.entries
        }
        assert sum(run.machine.waited_ms) >= PATIENCE_MS - 1_000
    with Run(tmp_path, LEAGUE) as again:
        assert again.play(FakeExecutor(BOTS)).standings().matches.played == len(plan(LEAGUE))


def remote_league() -> League:
    """The league with `cid@1` at an address."""
    entries = tuple(replace(e, remote=Remote()) if e.name == "cid@1" else e for e in LEAGUE.entries)
    return replace(LEAGUE, entries=entries)


def test_matches_with_a_remote_bot_have_deals_of_their_own_and_all_others_the_common_ones() -> None:
    league = remote_league()
    found = [(fixture, league_seed.header(league, b"seed", fixture).deal_seed) for fixture in plan(league)]
    common = {fixture.deal: league_seed.header(LEAGUE, b"seed", fixture).deal_seed for fixture in plan(LEAGUE)}
    remote = [seed for fixture, seed in found if "cid@1" in fixture.entries]
    assert len(set(remote)) == len(remote)
    assert set(remote).isdisjoint(common.values())
    assert all(seed == common[fixture.deal] for fixture, seed in found if "cid@1" not in fixture.entries)


@pytest.mark.parametrize("played", [60, 600])
def test_a_run_that_is_stopped_is_a_smaller_league_of_the_same_shape(tmp_path: Path, played: int) -> None:
    tables = tuple(msgspec.structs.replace(LEAGUE.tables[0], name=name) for name in ("a", "b", "c"))
    planned = msgspec.structs.replace(auction_league(("ann", "bob"), deals=400), tables=tables)  # 2,400 matches
    with Run(tmp_path, planned) as run:
        with pytest.raises(Stopped):
            run.play(FakeExecutor(BOTS, stops_after=played))
        stored = [fixture for fixture, _ in run.open.results.state.counted()]
    last = run.told[-1].fixture
    deals = Counter((fixture.table, fixture.rotation) for fixture in stored)
    others = [
        deals[table.name, turn]
        for table in tables
        for turn in (0, 1)
        if (table.name, turn) != (last.table, last.rotation)
    ]
    assert max(others) <= 2 * min(others) + 8
    assert len(stored) == played


def test_a_run_plays_the_deals_of_each_piece_in_the_order_that_the_seed_gives_before_and_after_a_stop(
    tmp_path: Path,
) -> None:
    for folder, stops in (("whole", (None,)), ("stopped", (3, 7, None))):
        (tmp_path / folder).mkdir()
        played = []
        for stop in stops:
            with Run(tmp_path / folder, LEAGUE) as run, contextlib.suppress(Stopped):
                run.play(FakeExecutor(BOTS, stops_after=stop, together=1))
            played += [result.fixture for result in run.told if isinstance(result, FinishedMatch)]
        (tmp_path / f"{folder}.txt").write_text("\n".join(fixture.id for fixture in played))
    assert (tmp_path / "whole.txt").read_text() == (tmp_path / "stopped.txt").read_text()
    order = wave(LEAGUE).sittings(lambda *_: True, order=drawn_order(SEED, OwnDeals()))
    assert played == [fixture for sitting in order for fixture in sitting.fixtures]


def test_in_a_fresh_league_every_match_is_a_sitting_of_its_own_in_the_same_order(tmp_path: Path) -> None:
    ordinary, fresh = FakeExecutor(BOTS), FakeExecutor(BOTS)
    for folder, planned, executor in (("a", LEAGUE, ordinary), ("b", replace(LEAGUE, fresh=True), fresh)):
        (tmp_path / folder).mkdir()
        with Run(tmp_path / folder, planned) as run:
            run.play(executor)
    matches = [fixture for sitting in ordinary.sittings for fixture in sitting.fixtures]
    assert len(ordinary.sittings) < len(matches)
    assert [sitting.fixtures for sitting in fresh.sittings] == [(fixture,) for fixture in matches]
    assert len({sitting.id for sitting in fresh.sittings}) == len(matches)


def test_a_remote_bot_that_may_hold_many_seats_plays_its_matches_at_once_and_nothing_else_changes(
    tmp_path: Path,
) -> None:
    digests, lengths = set(), {}
    for parallel in (1, 16):
        remote = replace(LEAGUE.entries[-1], remote=Remote(parallel=parallel))
        (folder := tmp_path / str(parallel)).mkdir()
        with Run(folder, replace(LEAGUE, entries=(*LEAGUE.entries[:-1], remote))) as run:
            digests.add(run.play(executor := FakeExecutor(BOTS)).standings().digest)
        lengths[parallel] = {
            len(sitting.fixtures) for sitting in executor.sittings if remote.name in sitting.fixtures[0].entries
        }
    assert lengths == {1: {5}, 16: {1}}
    assert len(digests) == 1
