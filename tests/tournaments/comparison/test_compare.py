"""Comparisons that are played in this process: in any order, stopped and resumed, with void matches and bad bots."""

import contextlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from referee.match.terms import Clock
from tests.tournaments.fakes import (
    GAME,
    Bot,
    FakeExecutor,
    FakeMachine,
    Stopped,
    auction_league,
    bids_high,
    fails,
    fails_in,
    nothing_changes,
    shuffled,
)
from tournaments.comparison.compare import (
    Comparison,
    Conditions,
    OpenComparison,
    SameBot,
    compare_stored,
    compared,
    league_of,
    open_comparison,
    table_of,
)
from tournaments.comparison.stopping_rule import ComparisonResult, Judge, TwoSided
from tournaments.league.model import Entry, League, Remote
from tournaments.play.match_results import MatchPostponed
from tournaments.play.run import open_run
from tournaments.play.workers.worker_messages import Crowding, Executor
from tournaments.results.stored_league import NoSuchBot, StoredLeague
from tournaments.store.pinned_league import Content

NEW, OLD = "new-bot@2", "old-bot@1"
BETTER: Mapping[str, Bot] = {NEW: bids_high}


def comparison(*others: str, seats: int = 2, deals: int = 100, seed: str | None = "7") -> Comparison:
    entries = tuple(Entry(name, f"/bots/{name}") for name in (NEW, OLD, *others))
    conditions = Conditions(GAME, table_of(GAME, GAME.options_type(), seats), Clock())
    league = league_of(conditions, "none", entries, seed, deals)
    return compared(league, {entry.name: Content(entry.name, "built") for entry in entries})


@contextmanager
def opened(
    folder: Path, executor: Executor, what: Comparison | None = None, margin: float = 0.05
) -> Iterator[OpenComparison]:
    url = f"sqlite:///{folder / 'store.sqlite'}"
    with open_comparison(what or comparison(), url, FakeMachine(executor), Judge(0.05, TwoSided(margin))) as comparing:
        yield comparing


def played(
    folder: Path, executor: Executor, what: Comparison | None = None, margin: float = 0.05
) -> tuple[ComparisonResult, int]:
    """The verdict, and the number of omitted deals."""
    with opened(folder, executor, what, margin) as comparing:
        for _ in comparing.play():
            pass
        return comparing.finding, len(comparing.piece({}).left_out)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> ComparisonResult:
    finding, left_out = played(tmp_path_factory.mktemp("undisturbed"), FakeExecutor(BETTER))
    assert left_out == 0
    return finding


def test_a_better_bot_is_found_to_be_better_and_no_match_begins_after_that(
    tmp_path: Path, undisturbed: ComparisonResult
) -> None:
    assert (undisturbed.verdict, undisturbed.matches) == ("better", 2 * undisturbed.deals)
    with opened(tmp_path, executor := FakeExecutor(BETTER, together=1)) as comparing:
        told = [(comparing.finding, len(executor.started)) for _ in comparing.play()]
    assert told[-1][0] == undisturbed
    assert [finding.verdict for finding, _ in told[:-1]] == ["undecided"] * (len(told) - 1)
    assert told[-1][1] == len(executor.started) == len(told)


def test_the_other_way_round_it_is_found_to_be_worse(tmp_path: Path) -> None:
    assert played(tmp_path, FakeExecutor({OLD: bids_high}))[0].verdict == "worse"


def test_with_the_same_seed_the_same_is_found_and_with_another_seed_something_else(
    tmp_path: Path, undisturbed: ComparisonResult
) -> None:
    for name, seed in (("same", "7"), ("other", "8")):
        (tmp_path / name).mkdir()
        finding, _ = played(tmp_path / name, FakeExecutor(BETTER), comparison(seed=seed))
        assert (finding == undisturbed) == (name == "same")


@pytest.mark.parametrize("seed", range(4))
def test_in_any_order_of_results_the_same_is_found_after_as_many_deals(
    tmp_path: Path, undisturbed: ComparisonResult, seed: int
) -> None:
    executor = FakeExecutor(BETTER, arrange=shuffled(seed), ahead=1 + 2 * seed)
    assert played(tmp_path, executor) == (undisturbed, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_stopped_again_and_again_it_finds_the_same_and_plays_nothing_twice(
    tmp_path: Path, undisturbed: ComparisonResult, seed: int
) -> None:
    rng, begun = Random(seed), set[str]()
    finding: ComparisonResult | None = None
    while finding is None:
        executor = FakeExecutor(BETTER, arrange=shuffled(rng.randrange(100)), stops_after=rng.randrange(1, 9))
        with contextlib.suppress(Stopped):
            finding, _ = played(tmp_path, executor)
        assert begun.isdisjoint(executor.started)
        begun |= executor.started.keys()
    assert finding == undisturbed


def test_what_is_decided_is_not_played_again_and_needs_no_executor(
    tmp_path: Path, undisturbed: ComparisonResult
) -> None:
    played(tmp_path, FakeExecutor(BETTER))
    assert played(tmp_path, executor := FakeExecutor(BETTER)) == (undisturbed, 0)
    assert not executor.sittings


def test_when_it_is_known_the_matches_that_have_begun_are_finished_and_stored(tmp_path: Path) -> None:
    with opened(tmp_path, executor := FakeExecutor(BETTER, ahead=5)) as comparing:
        results = list(comparing.play())
    assert len(results) == len(executor.started) > comparing.finding.matches
    with opened(tmp_path, FakeExecutor()) as comparing:
        assert len(comparing.run.results.matches()) == len(results)


def test_equals_are_undecided_at_the_last_deal_and_with_more_deals_it_goes_on(tmp_path: Path) -> None:
    finding, _ = played(tmp_path, FakeExecutor(), comparison(deals=20))
    assert (finding.verdict, finding.deals, finding.matches) == ("undecided", 20, 40)
    finding, _ = played(tmp_path, executor := FakeExecutor(), comparison(deals=30))
    assert (finding.verdict, finding.deals) == ("undecided", 30)
    assert len(executor.started) == 20


def test_void_matches_are_played_again_and_change_nothing(tmp_path: Path, undisturbed: ComparisonResult) -> None:
    lose = FakeExecutor(BETTER, loses=lambda fixture, attempt: fixture.deal % 3 == 0 and attempt <= 2)
    assert played(tmp_path, lose) == (undisturbed, 0)


def test_matches_that_are_void_because_the_machine_is_busy_leave_no_deal_out(
    tmp_path: Path, undisturbed: ComparisonResult
) -> None:
    busy = FakeExecutor(BETTER, busy=lambda fixture, attempt: fixture.deal % 7 == 0 and attempt <= 5, ahead=3)
    assert played(tmp_path, busy) == (undisturbed, 0)
    assert max(busy.started.values()) == 6


def test_who_shares_a_core_is_said_only_while_something_is_left_to_play(tmp_path: Path) -> None:
    with opened(tmp_path, FakeExecutor(BETTER, crowding=Crowding(2, 1))) as comparing:
        assert comparing.crowding == Crowding(2, 1)
        list(comparing.play())
        assert comparing.finding.verdict == "better"
        assert comparing.crowding is None


def test_a_deal_with_an_abandoned_match_is_left_out_and_the_others_count(tmp_path: Path) -> None:
    lose = FakeExecutor(loses=lambda fixture, _: (fixture.deal, fixture.rotation) in {(3, 0), (11, 1)})
    finding, left_out = played(tmp_path, lose, comparison(deals=20))
    assert (finding.deals, finding.matches, left_out) == (18, 36, 2)
    assert played(tmp_path, FakeExecutor(), comparison(deals=20)) == (finding, 2)


def test_a_bot_that_always_fails_is_worse_and_is_not_suspended(tmp_path: Path) -> None:
    finding, _ = played(tmp_path, FakeExecutor({NEW: fails}))
    assert (finding.verdict, finding.new_faults, finding.old_faults) == ("worse", finding.matches, 0)


def test_bots_that_both_fail_come_to_an_end(tmp_path: Path) -> None:
    finding, _ = played(tmp_path, FakeExecutor({NEW: fails, OLD: fails}), margin=0.1)
    assert finding.verdict == "no difference"


def test_faults_are_losses_however_often_it_is_stopped(tmp_path: Path) -> None:
    bots = {NEW: fails_in(60)}
    (tmp_path / "whole").mkdir()
    whole = played(tmp_path / "whole", FakeExecutor(bots))
    with pytest.raises(Stopped):
        played(tmp_path, FakeExecutor(bots, stops_after=17))
    assert played(tmp_path, FakeExecutor(bots, arrange=shuffled(1))) == whole
    assert whole[0].verdict == "worse"


def test_the_first_match_that_a_fault_cut_short_is_told(tmp_path: Path) -> None:
    with opened(tmp_path, FakeExecutor({NEW: fails_in(60)})) as comparing:
        list(comparing.play())
        transcript = comparing.first_fault(NEW)
        assert transcript is not None
        assert "chose index 9" in transcript.metadata.remarks[0].text
        assert comparing.first_fault(OLD) is None


def test_a_bot_that_is_away_is_awaited(tmp_path: Path, undisturbed: ComparisonResult) -> None:
    calls = iter([True] * 5)
    executor = FakeExecutor(BETTER, away=lambda entry: entry == OLD and next(calls, False))
    with opened(tmp_path, executor) as comparing:
        results = list(comparing.play())
    assert any(isinstance(result, MatchPostponed) for result in results)
    assert comparing.finding == undisturbed


@pytest.mark.parametrize(("seats", "others", "matches"), [(2, 1, 4), (2, 2, 8), (3, 1, 6), (4, 3, 24)])
def test_beside_others_the_two_play_equally_often_and_never_meet(
    tmp_path: Path, seats: int, others: int, matches: int
) -> None:
    names = [f"against-{number}-bot@1" for number in range(1, others + 1)]
    finding, _ = played(tmp_path, executor := FakeExecutor(BETTER), comparison(*names, seats=seats, deals=8))
    assert finding.matches == matches * finding.deals
    assert not any(NEW in fixture and OLD in fixture for fixture in executor.started)


def test_copies_of_both_sit_at_a_table_of_several(tmp_path: Path) -> None:
    finding, _ = played(tmp_path, FakeExecutor(BETTER), comparison(seats=4))
    assert finding.verdict == "better"
    assert finding.matches == finding.deals * (4 + 4 + 4)


def test_the_name_follows_from_everything_that_the_matches_depend_on_and_from_nothing_else() -> None:
    usual = comparison()
    table = usual.league.tables[0]
    contents = {name: Content(name, "built") for name in (NEW, OLD)}
    others = [
        compared(replace(usual.league, clock=Clock(move_ms=1)), contents),
        compared(replace(usual.league, rules_version=9), contents),
        compared(replace(usual.league, tables=(replace(table, options={"rounds": 5}),)), contents),
        compared(usual.league, contents | {OLD: Content("changed", "built")}),
        compared(usual.league, contents | {OLD: Content(OLD, "built anew")}),
        comparison(seed="8"),
        comparison(seed=None),
        comparison("against-1-bot@1"),
        comparison(seats=3),
    ]
    names = [usual.league.name, *(other.league.name for other in others)]
    assert len(set(names)) == len(names)
    assert comparison(deals=5).league.name == usual.league.name


def test_a_comparison_that_was_begun_before_bots_had_terms_keeps_its_name() -> None:
    assert comparison().league.name == "1fa18be38af9"


def test_two_bots_are_alike_if_their_content_is() -> None:
    usual = comparison()
    assert not usual.alike
    assert compared(usual.league, dict.fromkeys((NEW, OLD), Content("tree", "built"))).alike
    assert not compared(usual.league, {NEW: Content("tree", "built"), OLD: Content("tree", "built anew")}).alike


def test_remote_bots_are_alike_only_at_one_address() -> None:
    for address, alike in (("grpcs://b:1", False), ("grpcs://a:1", True)):
        entries = (Entry(NEW, "grpcs://a:1", Remote()), Entry(OLD, address, Remote()))
        league = replace(comparison().league, entries=entries)
        assert compared(league, dict.fromkeys((NEW, OLD), Content("remote", ""))).alike == alike


LEAGUE = auction_league(("ann", "bob", "cid"), deals=60)


@contextmanager
def kept(folder: Path, executor: Executor, league: League = LEAGUE) -> Iterator[StoredLeague]:
    with open_run(league, f"sqlite:///{folder / 'store.sqlite'}", FakeMachine(executor, nothing_changes)) as run:
        with contextlib.suppress(Stopped):
            list(run.play())
        yield run.results


def in_league(
    folder: Path, executor: Executor, new: str, old: str, league: League = LEAGUE
) -> tuple[ComparisonResult, int]:
    with kept(folder, executor, league) as run:
        return compare_stored(run, new, old, Judge(0.05, TwoSided(0.05)))


def test_a_league_says_which_of_two_bots_is_better(tmp_path: Path) -> None:
    finding, _ = in_league(tmp_path, FakeExecutor({"ann@1": bids_high}), "ann@1", "bob@1")
    assert finding.verdict == "better"
    assert finding.matches == 6 * finding.deals  # ann or bob sits in every match
    other, _ = in_league(tmp_path, FakeExecutor(), "bob@1", "ann@1")
    assert (other.verdict, other.deals) == ("worse", finding.deals)


def test_a_league_in_progress_says_what_its_complete_deals_say(tmp_path: Path) -> None:
    finding, _ = in_league(tmp_path, FakeExecutor(stops_after=47), "ann@1", "bob@1")
    assert (finding.verdict, finding.deals) == ("undecided", 1)  # one line-up has not played deal 1
    finding, _ = in_league(tmp_path, FakeExecutor(stops_after=0), "ann@1", "cid@1")
    assert finding.deals >= 1


def test_an_abandoned_match_leaves_its_deal_out_only_if_one_of_the_two_sat_in_it(tmp_path: Path) -> None:
    lost = {("ann@1", "bob@1", 2), ("bob@1", "cid@1", 4)}
    executor = FakeExecutor(loses=lambda fixture, _: (*sorted(fixture.entries), fixture.deal) in lost)
    league = replace(LEAGUE, deals=8)
    found = in_league(tmp_path, executor, "ann@1", "cid@1", league)
    assert (found[0].deals, found[1]) == (6, 2)
    lost_to_others = {("bob@1", "cid@1", 4)}
    (tmp_path / "other").mkdir()
    executor = FakeExecutor(loses=lambda fixture, _: (*sorted(fixture.entries), fixture.deal) in lost_to_others)
    league = replace(league, entries=(*league.entries, Entry("dan@1", "/bots/dan")))
    found = in_league(tmp_path / "other", executor, "ann@1", "dan@1", league)
    assert (found[0].deals, found[1]) == (8, 0)


def test_a_bot_that_is_not_in_the_league_and_a_single_bot_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NoSuchBot, match="there is no bot eve@1 in autumn; its bots: ann@1, bob@1, cid@1"):
        in_league(tmp_path, FakeExecutor(stops_after=0), "ann@1", "eve@1")
    with pytest.raises(SameBot, match="ann@1 is compared with itself"):
        in_league(tmp_path, FakeExecutor(stops_after=0), "ann@1", "ann@1")
