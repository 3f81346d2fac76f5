"""Pruning drops what only people read. Results, ratings, digests and the verdict of `verify` stay as they are."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.match.terms import Clock
from referee.match.transcript import DecisionNote, Header, Metadata, Note, Record, Remark, Spent, Transcript
from tests.cli.command import BOTS, referee
from tests.cli.command import GAME as AVENUE
from tests.tournaments.arena import write_league
from tests.tournaments.fakes import GAME, FakeExecutor, FakeMachine, Run, auction_league, fails_in
from tests.tournaments.stores import in_sql, opened, saved
from tournaments.league.model import FinishedMatch, Fixture, finished
from tournaments.maintenance.pruning import PruneResult, prunable, prune
from tournaments.play.bot_logs import BotLog
from tournaments.play.match_results import Result
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import NeverRun, league_in
from tournaments.results.standings import Standings
from tournaments.results.stored_league import open_results
from tournaments.results.verify import differences
from tournaments.store import PrunedRow, StoreError, transcript_packing
from tournaments.store.pinned_league import contents
from tournaments.store.prune_rows import Pruning, pruned
from tournaments.store.run_lock import LockHeld

LEAGUE = auction_league(deals=12)
MATCHES = 72
ALL = 1 << 50

aside_s = st.builds(
    Metadata,
    clock=st.builds(Clock, move_ms=st.integers(1, 9_000)),
    spent=st.lists(st.builds(Spent, st.integers(0, 3), st.integers(0, 10**9)), max_size=8).map(tuple),
    remarks=st.lists(st.builds(Remark, st.integers(0, 3), st.none(), st.just("crash"), st.just("why")), max_size=2).map(
        tuple
    ),
    bots=st.lists(st.just("/bot"), max_size=2).map(tuple),
    sandbox=st.sampled_from([None, "none", "bubblewrap"]),
    notes=st.sampled_from([msgspec.UNSET, (DecisionNote(0, 1, Note("I bluff.", 2, 30)),)]),
)


class Eventful(FakeExecutor):
    """Its matches have different times, places of bots, and remarks."""

    def _play(self, fixture: Fixture, header: Header) -> Result:
        match = super()._play(fixture, header)
        assert isinstance(match, FinishedMatch)
        aside = msgspec.json.decode(match.metadata, type=Metadata)
        spent = tuple(Spent(each.seat, 100 * fixture.deal + 7 * number) for number, each in enumerate(aside.spent))
        remarks = (*aside.remarks, Remark(0, None, f"at {fixture.id}", "Traceback of a bot\n" * 3))
        record = msgspec.json.decode(match.record, type=Record)
        return finished(fixture, Transcript(record, replace(aside, spent=spent, remarks=remarks, bots=("/a", "/b"))))


class Old(Run):
    """A league whose matches were stored long ago, with some faults among them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, LEAGUE)
        self.url = f"sqlite:///{folder / 'store.sqlite'}"
        with self:
            self.play(Eventful({"bob@1": fails_in(5)}, together=5))

    def facts(self) -> tuple[Standings, list[tuple[Any, ...]], dict[str, Any]]:
        """All that must stay: the table, the records with every column beside them, what `verify` finds."""
        rows = [
            row
            for table in ("match", "seat", "entry", "league", "league_table", "dictionary", "void")
            for row in in_sql(self.url, f"SELECT * FROM {table} ORDER BY 1, 2, 3")  # noqa: S608 - names of ours
        ]
        rows += in_sql(self.url, "SELECT fixture, record, dictionary FROM transcript ORDER BY fixture")
        with open_results(self.league, self.url) as results:
            return league_standings(results), rows, dict(differences(results, GAME))

    def transcripts(self) -> dict[str, Transcript]:
        with open_results(self.league, self.url) as results:
            return dict(results.store.transcripts())

    def samples(self) -> set[str]:
        plain = "SELECT fixture FROM transcript WHERE dictionary = 0 ORDER BY fixture LIMIT :most"
        return {fixture for (fixture,) in in_sql(self.url, plain, most=transcript_packing.SAMPLES)}


@pytest.fixture
def old(tmp_path: Path) -> Old:
    return Old(tmp_path)


@given(aside_s)
def test_of_an_aside_each_seat_keeps_its_decisions_and_its_time_in_all(aside: Metadata) -> None:
    after = pruned(aside)
    assert after.notes == (msgspec.UNSET if aside.notes is msgspec.UNSET else (DecisionNote(0, 1, Note("", 2, 30)),))
    assert [spent.seat for spent in after.spent] == [spent.seat for spent in aside.spent]
    assert _totals(after.spent) == _totals(aside.spent)
    assert (after.clock, after.sandbox, after.remarks, after.bots) == (aside.clock, aside.sandbox, (), ())
    assert pruned(after) == after
    for seat in range(4):
        times = [spent.us for spent in after.spent if spent.seat == seat]
        assert len(set(times[1:])) < 2, "no time of a single decision is left"


def _totals(spent: Iterable[Spent]) -> dict[int, int]:
    times = list(spent)
    return {seat: sum(each.us for each in times if each.seat == seat) for seat in {each.seat for each in times}}


def test_all_but_times_remarks_and_places_stays_byte_for_byte_and_verify_still_holds(old: Old) -> None:
    before, transcripts, samples = old.facts(), old.transcripts(), old.samples()
    assert any(transcript.metadata.remarks for transcript in transcripts.values())
    done = prune(LEAGUE, old.url, ALL)
    assert old.facts() == before
    assert set(before[2].values()) == {None}
    for fixture, transcript in old.transcripts().items():
        was = transcripts[fixture].metadata
        assert transcript.metadata == (was if fixture in samples else pruned(was))
    assert done.matches == MATCHES - transcript_packing.SAMPLES
    assert done.saved_bytes > 0


def test_in_a_store_of_each_kind_old_asides_become_smaller_and_the_rest_is_as_it_was(url: str) -> None:
    with opened(url) as store:
        for number in range(transcript_packing.SAMPLES + 6):
            saved(store, number, at_fault=number % 2)
        before = {kept.fixture: kept for kept in store.fixture_rows()}
        young = 1_000 + transcript_packing.SAMPLES + 4
        for page in store.pruning.pages(young):
            store.pruning.write(page)
        store.pruning.shrink()
        after = {kept.fixture: kept for kept in store.fixture_rows()}
        assert list(store.pruning.pages(young)) == [[]]
    changed = [fixture for fixture in before if after[fixture].transcript != before[fixture].transcript]
    assert 0 < len(changed) <= 4
    for fixture, was in before.items():
        assert was.transcript is not None
        kept = pruned(was.transcript.metadata) if fixture in changed else was.transcript.metadata
        assert after[fixture] == was._replace(transcript=Transcript(was.transcript.record, kept))


def test_the_file_becomes_smaller(old: Old, tmp_path: Path) -> None:
    in_sql(old.url, "CREATE TABLE filler (bytes BLOB)")
    in_sql(old.url, "INSERT INTO filler VALUES (zeroblob(1000000))")
    in_sql(old.url, "DROP TABLE filler")
    before = (tmp_path / "store.sqlite").stat().st_size
    prune(LEAGUE, old.url, ALL)
    assert (tmp_path / "store.sqlite").stat().st_size < before - 900_000


def test_only_matches_stored_before_the_time_are_pruned(old: Old) -> None:
    transcripts = old.transcripts()
    with open_results(LEAGUE, old.url) as results:
        stored_ms = {played.fixture: played.stored_ms for played in results.matches()}
    half = sorted(stored_ms.values())[MATCHES // 2]
    prune(LEAGUE, old.url, half)
    changed = {fixture for fixture, now in old.transcripts().items() if now != transcripts[fixture]}
    assert changed == {fixture for fixture, when in stored_ms.items() if when < half} - old.samples()


def test_a_dry_run_says_the_same_and_changes_no_byte(old: Old, tmp_path: Path) -> None:
    before = (tmp_path / "store.sqlite").read_bytes()
    said = prunable(LEAGUE, old.url, ALL)
    assert (tmp_path / "store.sqlite").read_bytes() == before
    assert prune(LEAGUE, old.url, ALL) == said
    assert prunable(LEAGUE, old.url, ALL) == prune(LEAGUE, old.url, ALL) == PruneResult(0, 0, 0, 0)


def test_logs_to_which_nothing_was_added_since_are_removed(old: Old, tmp_path: Path) -> None:
    folder = tmp_path / "store.sqlite.autumn.logs"
    for bot, kept_s in (("ann@1", 10), ("bob@1", 50)):
        log = BotLog(folder, bot)
        log.keep(0, "a/match", 0, "hello")
        log.close()
        os.utime(folder / f"{bot}.log", (kept_s, kept_s))
    size = (folder / "ann@1.log").stat().st_size
    for ask in (prunable, prune):
        found = ask(LEAGUE, old.url, 20_000)
        assert (found.logs, found.log_bytes) == (1, size)
    assert [file.name for file in folder.iterdir()] == ["bob@1.log"]


def test_while_somebody_plays_it_is_refused(old: Old, tmp_path: Path) -> None:
    with Run(tmp_path, LEAGUE), pytest.raises(LockHeld, match="has been playing this league"):
        prune(LEAGUE, old.url, ALL)


def test_stopped_in_between_it_goes_on_the_next_time(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    before, planned = old.facts(), prunable(LEAGUE, old.url, ALL)
    monkeypatch.setattr("tournaments.store.prune_rows.PAGE", 10)
    write = Pruning.write

    def fills_the_disk(self: Pruning, asides: list[PrunedRow]) -> None:
        monkeypatch.setattr(Pruning, "write", _full)
        write(self, asides)

    monkeypatch.setattr(Pruning, "write", fills_the_disk)
    with pytest.raises(StoreError, match="full"):
        prune(LEAGUE, old.url, ALL)
    monkeypatch.setattr(Pruning, "write", write)
    rest = prune(LEAGUE, old.url, ALL)
    assert 0 < rest.matches < planned.matches
    assert prunable(LEAGUE, old.url, ALL).matches == 0
    assert old.facts() == before


def _full(_pruning: Pruning, _asides: list[PrunedRow]) -> None:
    raise StoreError("the disk is full")


def test_a_pruned_league_is_played_on(old: Old) -> None:
    prune(LEAGUE, old.url, ALL)
    with Run(Path(old.url.removeprefix("sqlite:///")).parent, auction_league(deals=13)) as more:
        assert len(more.play(FakeExecutor()).told) == 6


def test_a_league_that_never_ran_cannot_be_pruned(tmp_path: Path) -> None:
    with pytest.raises(NeverRun):
        prune(LEAGUE, f"sqlite:///{tmp_path / 'none.sqlite'}", ALL)
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_how_many_and_how_much_and_reads_time_spans(tmp_path: Path) -> None:
    file = write_league(tmp_path / "autumn.toml", [BOTS / "random", BOTS / "greedy"], deals=8)
    league = league_in(file)
    url = f"sqlite:///{tmp_path / 'autumn.sqlite'}"
    with open_run(league, url, FakeMachine(Eventful(game=AVENUE, together=4, clock=league.clock), contents)) as run:
        assert sum(1 for _ in run.play()) == 16
    command = ("league", "prune", file, "--store", url, "--older-than")
    assert referee(*command, "90x").err.startswith("--older-than 90x: not a time span")
    assert referee(*command, "30d", "--dry-run", "--json").json["matches"] > 0
    assert "would be pruned" in referee(*command, "30d", "--dry-run").out
    assert " pruned: 0.0" in referee(*command, "30d").out
    assert referee(*command, "30d").out == "0 matches pruned: 0.00 MB\n"
    assert referee("league", "verify", file, "--store", url).code == 0
