"""Leagues of every format as they are run: stopped, in any order, with bots that come, go, fail and are away."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Protocol

import pytest
from msgspec.structs import replace

from tests.tournaments.fakes import (
    GAME,
    Bot,
    FakeExecutor,
    FakeMachine,
    Run,
    Stopped,
    auction_league,
    bids_high,
    fails_in,
    nothing_changes,
    shuffled,
)
from tournaments.league.format_settings import (
    BalancedSettings,
    GauntletSettings,
    KnockoutSettings,
    OpenSettings,
    Settings,
    SwissSettings,
)
from tournaments.league.model import Entry, League
from tournaments.maintenance.close_league import close
from tournaments.maintenance.forecast import forecast
from tournaments.maintenance.salvage import salvage
from tournaments.play.bots import RollCall
from tournaments.results.computed_tables import NoRounds, league_rounds, league_standings
from tournaments.results.organizer_actions import BotEntered, TooLate, enter_bot, retry_abandoned, withdraw_bot
from tournaments.results.progress import is_league_over, league_progress, league_status
from tournaments.results.stored_league import NoSuchBot, StoredLeague, open_results
from tournaments.results.verify import differences
from tournaments.schedule.formats import Bracket, SwissStanding
from tournaments.schedule.formats.wave import fixture_of
from tournaments.store import Store

NAMES = ("ann", "bob", "cid", "dan", "eve", "fay", "gus")
BOTS: dict[str, Bot] = {"ann@1": bids_high, "bob@1": fails_in(30)}
FORMATS: list[Settings] = [
    BalancedSettings(matches=8),
    GauntletSettings(("ann", "cid@1")),
    SwissSettings(rounds=3),
    KnockoutSettings(),
    OpenSettings(matches=60),
]
ZOE = Entry("zoe@1", "/bots/zoe")


def league(settings: Settings, deals: int = 2) -> League:
    return replace(auction_league(NAMES, deals), format=settings)


def kind(settings: Settings) -> str:
    return type(settings).__name__.lower()


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'store.sqlite'}"


def digest(folder: Path, planned: League, executor: FakeExecutor | None = None) -> str:
    with Run(folder, planned) as run:
        return run.play(executor or FakeExecutor(BOTS)).standings().digest


@pytest.mark.parametrize("settings", FORMATS, ids=kind)
def test_the_digest_is_that_of_an_undisturbed_run_in_any_order_and_after_any_stops(
    tmp_path: Path, settings: Settings
) -> None:
    planned = league(settings)
    undisturbed = digest(tmp_path, planned)
    folder = tmp_path / "stopped"
    folder.mkdir()
    rng, over = Random(0), False
    while not over:
        with Run(folder, planned) as run, contextlib.suppress(Stopped):
            run.play(FakeExecutor(BOTS, arrange=shuffled(0), ahead=3, together=4, stops_after=rng.randrange(1, 25)))
            over = is_league_over(run.open.results)
    assert digest(folder, planned) == undisturbed


@pytest.mark.parametrize("settings", FORMATS, ids=kind)
def test_void_matches_and_abandoned_ones_stop_no_format(tmp_path: Path, settings: Settings) -> None:
    def loses(fixture: object, attempt: int) -> bool:
        return hash_of(fixture) % 7 == 0 and attempt <= hash_of(fixture) % 4

    with Run(tmp_path, league(settings)) as run:
        run.play(FakeExecutor(BOTS, loses=loses))
        assert is_league_over(run.open.results)
        verdict = run.open.results.state.verdict()
    assert verdict.remaining == 0
    assert verdict.counted


def hash_of(fixture: object) -> int:
    return sum(str(fixture).encode())


@pytest.mark.parametrize("settings", FORMATS, ids=kind)
def test_a_reader_finds_what_the_runner_found_and_verify_holds(tmp_path: Path, settings: Settings) -> None:
    planned = league(settings)
    with Run(tmp_path, planned) as run:
        table = run.play(FakeExecutor(BOTS)).standings()
        waves = len(run.open.results.state.plan.waves)
    with open_results(planned, url(tmp_path)) as results:
        status = league_status(results)
        assert league_standings(results) == table
        assert (status.progress.waves, status.progress.matches.remaining, status.seed) == (waves, 0, None)
        assert {wrong for _, wrong in differences(results, GAME)} == {None}


def with_own_luck(planned: League) -> League:
    return replace(planned, tables=tuple(replace(table, luck="own") for table in planned.tables))


@pytest.mark.slow
@pytest.mark.parametrize("settings", FORMATS, ids=kind)
def test_with_luck_of_its_own_each_match_has_a_deal_that_no_other_has_and_is_told_when_it_ends(
    tmp_path: Path, settings: Settings
) -> None:
    planned = with_own_luck(league(settings))
    with Run(tmp_path, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=7))
    with open_results(planned, url(tmp_path)) as results:
        found = dict(results.store.transcripts())
        assert found
        deals = results.deals()
        fixtures = [fixture for of in found if (fixture := fixture_of(of)) is not None]
        assert [deals.is_closed(fixture) for fixture in fixtures] == [True] * len(found)
        assert results.seed is None
    with Run(tmp_path, planned) as run:
        table = run.play(FakeExecutor(BOTS, arrange=shuffled(1))).standings()
    with open_results(planned, url(tmp_path)) as results:
        dealt = [transcript.record.header.deal_seed for _, transcript in results.store.transcripts()]
        assert {wrong for _, wrong in differences(results, GAME)} == {None}
    assert len(set(dealt)) == len(dealt)
    folder = tmp_path / "undisturbed"
    folder.mkdir()
    assert digest(folder, planned) == table.digest


def test_a_league_that_began_with_common_luck_plays_on_with_it_though_its_file_would_now_give_own(
    tmp_path: Path,
) -> None:
    planned = league(BalancedSettings(matches=8))
    with Run(tmp_path, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=7))
    now = replace(with_own_luck(planned), assumed_luck=tuple(table.name for table in planned.tables))
    with Run(tmp_path, now) as run:
        table = run.play(FakeExecutor(BOTS)).standings()
    with open_results(now, url(tmp_path)) as results:
        assert {wrong for _, wrong in differences(results, GAME)} == {None}
        assert league_standings(results) == table
    folder = tmp_path / "undisturbed"
    folder.mkdir()
    assert digest(folder, planned) == table.digest


@pytest.mark.parametrize("settings", [SwissSettings(rounds=3), KnockoutSettings(), OpenSettings(matches=60)], ids=kind)
def test_the_seed_is_not_told_while_a_further_wave_will_be_decided(tmp_path: Path, settings: Settings) -> None:
    planned = league(settings)
    with Run(tmp_path, planned) as run:
        first = len(run.open.results.state.plan)
        run.machine.now = FakeExecutor(BOTS)
        for result in run.open.play(lambda: len(run.told) == first):
            run.told.append(result)
        assert not is_league_over(run.open.results)
    with open_results(planned, url(tmp_path)) as results:
        status = league_status(results)
        assert (status.progress.matches.remaining, status.progress.waves, status.seed) == (0, 1, None)
        assert not is_league_over(results)


def test_a_reader_who_opened_a_league_before_a_wave_was_issued_does_not_make_its_table_the_later_one(
    tmp_path: Path,
) -> None:
    planned = league(SwissSettings(rounds=2))
    with Run(tmp_path, planned) as run:
        first = len(run.open.results.state.plan)
        run.machine.now = FakeExecutor(BOTS)
        for result in run.open.play(lambda: len(run.told) == first):
            run.told.append(result)
        with open_results(planned, url(tmp_path)) as reader:
            with contextlib.suppress(Stopped):
                run.play(FakeExecutor(BOTS, stops_after=0))  # the next wave is issued, and nothing of it is played
            early = league_standings(reader).matches.planned
    with open_results(planned, url(tmp_path)) as later:
        assert league_standings(later).matches.planned == league_progress(later).matches.planned > early == first


@pytest.mark.parametrize("settings", [SwissSettings(rounds=4), OpenSettings(matches=120)], ids=kind)
def test_a_bot_that_is_entered_while_a_league_is_played_plays_from_the_next_wave(
    tmp_path: Path, settings: Settings
) -> None:
    planned = league(settings)
    with Run(tmp_path, planned) as run, to_read_later(tmp_path, planned) as outside:
        executor = run.machine.now = FakeExecutor(BOTS)
        first = len(run.open.results.state.plan)
        for count, _ in enumerate(run.open.play(), 1):
            if count == first // 2:
                enter_bot(outside(), ZOE, now_ms=5)
        assert [work.entries.keys() >= {"zoe@1"} for work in executor.renewed] == [True]
        met = [fixture for fixture, _ in run.open.results.state.counted() if "zoe@1" in fixture.entries]
        assert met
        assert min(fixture.deal for fixture in met) == run.open.results.state.plan.waves[1].deals.start
        assert run.standings().standings[-1].bot
    with open_results(planned, url(tmp_path)) as results:
        assert "zoe@1" in {entry.name for entry in results.league.entries}
        assert "zoe@1" in results.pinned.contents


def test_bots_of_an_author_that_are_entered_while_a_league_is_played_do_not_meet(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=5))
    own = {"zoe@1", "zoe@2"}
    with Run(tmp_path, planned) as run, to_read_later(tmp_path, planned) as outside:
        run.machine.now = FakeExecutor(BOTS)
        for count, _ in enumerate(run.open.play(), 1):
            if count == 3:
                for name in sorted(own):
                    enter_bot(outside(), replace(ZOE, name=name, author="yan"), now_ms=5)
        assert run.open.results.league.authors == dict.fromkeys(own, "yan")
        met = [{*fixture.entries} for fixture, _ in run.open.results.state.counted()]
        assert all(any(name in each for each in met) for name in own)
        assert own not in met
        table = run.standings()
    with open_results(planned, url(tmp_path)) as results:
        assert results.league.authors == dict.fromkeys(own, "yan")
        lines = {line.bot: line.last_of for line in league_standings(results).standings}
        assert {bot: count for bot, count in lines.items() if count} == {"zoe@2": 2}
        assert league_standings(results).digest == table.digest


@pytest.mark.slow
@pytest.mark.parametrize("settings", [SwissSettings(rounds=4), KnockoutSettings(), OpenSettings(matches=120)], ids=kind)
def test_of_a_bot_that_is_withdrawn_while_a_league_is_played_the_current_wave_does_not_count(
    tmp_path: Path, settings: Settings
) -> None:
    planned = league(settings)
    digests = set()
    for when in (1, 3):
        folder = tmp_path / str(when)
        folder.mkdir()
        with Run(folder, planned) as run, to_read_later(folder, planned) as outside:
            run.machine.now = FakeExecutor(BOTS)
            leaves = next(iter(run.open.results.state.plan)).entries[0]
            for count, _ in enumerate(run.open.play(), 1):
                if count == when:
                    withdraw_bot(outside(), leaves, now_ms=5)
            assert not [fixture for fixture, _ in run.open.results.state.counted() if leaves in fixture.entries]
            assert run.open.results.state.verdict().skipped
            digests.add(run.standings().digest)
    assert len(digests) == 1, "what counts does not hang on how far the wave was"


@pytest.mark.parametrize("settings", FORMATS, ids=kind)
def test_between_runs_bots_come_and_go_as_well(tmp_path: Path, settings: Settings) -> None:
    planned, takes_in = league(settings), settings not in (FORMATS[0], KnockoutSettings())
    with Run(tmp_path, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=3))
    with open_results(planned, url(tmp_path)) as results:
        if takes_in:
            enter_bot(results, ZOE, now_ms=5)
        withdraw_bot(results, "fay@1", now_ms=6)
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor(BOTS))
        names = {entry.name for entry in run.open.results.league.entries}
        assert run.open.results.state.verdict().remaining == 0
        assert not [fixture for fixture, _ in run.open.results.state.counted() if "fay@1" in fixture.entries]
    assert ("zoe@1" in names) == takes_in
    assert "fay@1" not in names


def test_a_knock_out_that_has_begun_takes_nobody_in(tmp_path: Path) -> None:
    planned = league(KnockoutSettings())
    with Run(tmp_path, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=3))
    with open_results(planned, url(tmp_path)) as results, pytest.raises(TooLate, match="no other bot fits"):
        enter_bot(results, ZOE, now_ms=5)
    with Store(url(tmp_path), planned.name) as store:
        assert store.changes() == ()


def test_a_bot_that_was_entered_and_cannot_be_played_with_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=3))
    with Run(tmp_path, planned) as run, to_read_later(tmp_path, planned) as outside:
        run.machine.now = FakeExecutor(BOTS)
        run.machine.roll_call = lambda _league, _store, _logs: RollCall({}, ["/bots/zoe: is gone"], [])  # type: ignore[method-assign]
        for count, _ in enumerate(run.open.play(), 1):
            if count == 1:
                enter_bot(outside(), ZOE, now_ms=5)
        assert run.open.participants.refused == ["zoe@1 cannot be taken in: /bots/zoe: is gone"]
        assert len(run.open.results.state.plan.waves) == 3
        assert "zoe@1" not in {entry.name for entry in run.open.results.league.entries}


def test_a_bot_whose_files_have_changed_since_it_was_in_the_league_is_not_taken_in(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=3))
    changed = {name: replace(content, sources="other") for name, content in nothing_changes(planned).items()}
    with Run(tmp_path, planned) as run, to_read_later(tmp_path, planned) as outside:
        run.machine.now = FakeExecutor(BOTS)
        for count, _ in enumerate(run.open.play(), 1):
            if count == 1:
                withdraw_bot(outside(), "gus@1", now_ms=5)
                again = replace(planned.entries[-1], place="/elsewhere")
                enter_bot(outside(fresh=True), again, now_ms=6)
                run.machine.contents = lambda of: {entry.name: changed[entry.name] for entry in of.entries}
        (sentence,) = run.open.participants.refused
    assert sentence.startswith("gus@1 cannot be taken in: league")
    assert "the files of gus@1 have changed" in sentence


def test_a_bot_that_is_there_is_not_entered_again_and_one_that_is_not_there_is_not_withdrawn(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=3))
    digest(tmp_path, planned)
    with open_results(planned, url(tmp_path)) as results:
        with pytest.raises(BotEntered, match=r"ann@1 is in .* already; a changed bot needs a new version or label"):
            enter_bot(results, planned.entries[0], now_ms=5)
        with pytest.raises(NoSuchBot, match=r"there is no bot zoe@1 in"):
            withdraw_bot(results, "zoe@1", now_ms=5)
    with Store(url(tmp_path), planned.name) as store:
        assert store.changes() == ()


def test_a_suspended_bot_is_in_no_later_wave(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=6), deals=6)
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor({"bob@1": fails_in(100)}))
        (suspension,) = run.open.results.state.suspensions.values()
        issues = len(run.open.results.state.plan.waves)
    with Store(url(tmp_path), planned.name) as store:
        rosters = [issue.roster for issue in store.issues()]
    assert suspension.entry == "bob@1"
    assert issues == 6
    assert ["bob@1" in roster for roster in rosters] == [True] * rosters_before(rosters) + [False] * (
        6 - rosters_before(rosters)
    )
    assert rosters_before(rosters) < 6


def rosters_before(rosters: list[tuple[str, ...]]) -> int:
    return next((number for number, roster in enumerate(rosters) if "bob@1" not in roster), len(rosters))


def test_a_bot_that_is_taken_out_of_the_file_is_out_of_the_wave_that_is_being_played(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=3))
    with Run(tmp_path, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=15))  # in the second round
    shorter = replace(planned, entries=planned.entries[1:])
    with Run(tmp_path, shorter) as run:
        run.play(FakeExecutor(BOTS))
        met = {fixture.deal for fixture, _ in run.open.results.state.counted() if "ann@1" in fixture.entries}
        waves = [wave.deals for wave in run.open.results.state.plan.waves]
        assert is_league_over(run.open.results)
    assert len(waves) == 3
    assert met <= set(waves[0])


def test_a_salvaged_swiss_goes_on_with_its_waves_and_its_roster(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=4))
    with Run(tmp_path, planned) as run, to_read_later(tmp_path, planned) as outside:
        run.machine.now = FakeExecutor(BOTS)
        for count, _ in enumerate(run.open.play(), 1):
            if count == 1:
                enter_bot(outside(), ZOE, now_ms=5)
            if count == 20:
                withdraw_bot(outside(), "gus@1", now_ms=6)
        digest_before = run.standings().digest
    new = tmp_path / "new"
    new.mkdir()
    found = salvage(planned, tmp_path / "store.sqlite", new / "store.sqlite", FakeMachine(FakeExecutor()), game=GAME)
    assert (found.wrong, found.remaining) == ({}, 0)
    assert {table.table: table.read for table in found.tables}["issue"] == 4
    with Store(url(tmp_path), planned.name) as old, Store(url(new), planned.name) as salvaged:
        assert salvaged.issues() == old.issues()
        assert salvaged.changes() == old.changes()
    assert digest(new, planned) == digest_before


@pytest.mark.slow
@pytest.mark.parametrize("settings", FORMATS, ids=kind)
def test_a_forecast_counts_the_first_wave_and_says_whether_others_follow(tmp_path: Path, settings: Settings) -> None:
    found = forecast(league(settings), url(tmp_path), FakeMachine(FakeExecutor(BOTS)), workers=1)
    with Run(tmp_path, league(settings)) as run:
        assert found.planned.matches == len(run.open.results.state.plan)
    assert found.goes_on == isinstance(settings, SwissSettings | KnockoutSettings | OpenSettings)
    assert found.tried.matches


class Outside(Protocol):
    """Gives the league as another command beside the run would open it."""

    def __call__(self, *, fresh: bool = False) -> StoredLeague: ...


@contextlib.contextmanager
def to_read_later(folder: Path, planned: League) -> Iterator[Outside]:
    """Opens the league when it is first asked for, or `fresh`."""
    with contextlib.ExitStack() as stack:
        opened: list[StoredLeague] = []

        def outside(*, fresh: bool = False) -> StoredLeague:
            if fresh or not opened:
                opened.append(stack.enter_context(open_results(planned, url(folder))))
            return opened[-1]

        yield outside


def test_the_rounds_of_a_swiss_are_told_as_far_as_they_are_settled(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=3))
    with Run(tmp_path, planned) as run:
        run.machine.now = FakeExecutor(BOTS)
        first = len(run.open.results.state.plan)
        for number, _ in enumerate(run.open.play(), 1):
            if number == first + 1:  # the second round has begun
                (lengths,) = {len(line.rounds) for line in rounds_of_swiss(run.open.results)}
                assert lengths == 1
        lines = rounds_of_swiss(run.open.results)
    assert lines[0].entry == "ann@1"
    assert {len(line.rounds) for line in lines} == {3}
    assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)


def rounds_of_swiss(results: StoredLeague) -> list[SwissStanding]:
    found = league_rounds(results)
    assert isinstance(found, list)
    return found


def test_the_tree_of_a_knock_out_is_told_while_it_is_played_and_at_the_end(tmp_path: Path) -> None:
    planned = league(KnockoutSettings(seeds=("ann",)))
    with Run(tmp_path, planned) as run:
        before = league_rounds(run.open.results)
        after = league_rounds(run.play(FakeExecutor(BOTS)).open.results)
    assert isinstance(before, Bracket)
    assert isinstance(after, Bracket)
    assert (len(before.rounds), before.over, before.champion) == (1, False, None)
    assert (len(after.rounds), after.over, after.champion) == (3, True, "ann@1")


def test_other_leagues_have_no_rounds(tmp_path: Path) -> None:
    with (
        Run(tmp_path, league(OpenSettings(matches=60))) as run,
        pytest.raises(NoRounds, match="only a knock-out and a Swiss have"),
    ):
        league_rounds(run.open.results)


# What follows from matches that were not played

DECIDED: list[Settings] = [SwissSettings(rounds=3), KnockoutSettings(), OpenSettings(matches=60)]


def never(_fixture: object, _attempt: int) -> bool:
    return True


@pytest.mark.parametrize("settings", DECIDED, ids=kind)
def test_no_wave_follows_from_matches_that_were_abandoned_and_retry_makes_all_as_if_nothing_had_been(
    tmp_path: Path, settings: Settings
) -> None:
    planned = league(settings)
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor(BOTS, loses=never))
        assert not is_league_over(run.open.results)
        assert len(run.open.results.state.plan.waves) == 1
    with open_results(planned, url(tmp_path)) as results:
        assert not is_league_over(results)
        assert league_standings(results).interim
        assert retry_abandoned(results) == league_progress(results).matches.planned
    folder = tmp_path / "quiet"
    folder.mkdir()
    assert digest(tmp_path, planned) == digest(folder, planned)


def test_a_knock_out_has_no_winner_and_a_swiss_no_byes_while_nothing_was_played(tmp_path: Path) -> None:
    for name, settings in (("cup", KnockoutSettings()), ("swiss", SwissSettings(rounds=3))):
        (tmp_path / name).mkdir()
        with Run(tmp_path / name, league(settings)) as run:
            rounds = league_rounds(run.play(FakeExecutor(BOTS, loses=never)).open.results)
        if isinstance(rounds, Bracket):
            assert (rounds.over, rounds.champion) == (False, None)
            assert {group.why for each in rounds.rounds for group in each.groups} == {None}
        else:
            assert {line.points for line in rounds} == {0.0}


@pytest.mark.parametrize("settings", DECIDED, ids=kind)
def test_a_pairing_counts_if_half_of_each_line_up_was_played_and_then_the_next_wave_follows(
    tmp_path: Path, settings: Settings
) -> None:
    planned = league(settings)
    with Run(tmp_path, planned) as run:
        lost = next(iter(run.open.results.state.plan))
        run.play(FakeExecutor(BOTS, loses=lambda fixture, _: fixture == lost))
        assert is_league_over(run.open.results)
        assert run.open.results.state.verdict().abandoned == (lost,)


def test_a_withdrawn_bot_lets_the_wave_go_on_without_its_unplayed_pairing(tmp_path: Path) -> None:
    planned = league(SwissSettings(rounds=3))
    with Run(tmp_path, planned) as run:
        bad = next(iter(run.open.results.state.plan)).entries[0]
        run.play(FakeExecutor(BOTS, loses=lambda fixture, _: bad in fixture.entries))
        assert not is_league_over(run.open.results)
    with open_results(planned, url(tmp_path)) as results:
        withdraw_bot(results, bad, now_ms=5)
    with Run(tmp_path, planned) as run:
        assert is_league_over(run.play(FakeExecutor(BOTS)).open.results)


def test_a_knock_out_that_is_closed_before_its_final_was_played_has_no_winner(tmp_path: Path) -> None:
    planned = replace(auction_league(("ann", "cid")), format=KnockoutSettings())
    with Run(tmp_path, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(BOTS, stops_after=1))
    close(planned, url(tmp_path), 7, abandon=True)
    with open_results(planned, url(tmp_path)) as results:
        found = league_rounds(results)
        assert is_league_over(results)
    assert isinstance(found, Bracket)
    assert ([group.why for group in found.rounds[0].groups], found.champion) == ([None], None)
