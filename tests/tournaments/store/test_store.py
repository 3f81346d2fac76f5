"""What a store keeps and gives back, in a SQLite file and on a PostgreSQL server (`make ci-postgresql`) alike."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sql
from msgspec.structs import replace
from sqlalchemy.exc import OperationalError

from referee.core.errors import Stopped, WrongUse
from referee.core.outcome import Outcome
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import FaultKind, FaultMark, digest_of
from tests.tournaments.leagues import SEED, league, match
from tests.tournaments.stores import CONTENTS, DRAWN, PLAN, in_sql, opened, saved
from tournaments.league.deals import OPEN, ClosedDeals
from tournaments.league.model import Entry, Remote, StoredVoid, TableSpec
from tournaments.league.roster import NOTHING_DECIDED, RosterChange
from tournaments.results.standings import league_digest
from tournaments.schedule.formats.issued_waves import IssuedWave
from tournaments.schedule.formats.wave import LineUp
from tournaments.store import Store, StoreError
from tournaments.store.database import Database
from tournaments.store.decision_rows import Reinstatement
from tournaments.store.pinned_league import Content, LeagueChanged


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store whose league is open."""
    with opened(url) as store:
        yield store


# What is pinned


def test_nothing_is_pinned_before_the_first_run(url: str) -> None:
    with Store(url, "autumn") as store:
        assert store.pinned() is None


def test_the_first_run_pins_seed_commitment_clock_tables_and_contents(store: Store, url: str) -> None:
    pinned = store.pinned()
    assert pinned is not None
    assert (pinned.seed, pinned.game, pinned.rules_version) == (SEED.hex(), "nim", 4)
    assert pinned.clock == league().clock
    assert pinned.tables == {"of-2": league().tables[0]}
    assert pinned.contents == CONTENTS
    assert in_sql(url, "SELECT seed_sha256 FROM league") == [(pinned.commitment,)]


def test_the_drawn_seed_is_used_if_the_file_gives_none_and_stays(url: str) -> None:
    drawing = league(seed=None)
    with Store(url, "autumn") as store:
        assert store.open_league(drawing, CONTENTS, DRAWN, now_ms=1).seed_bytes == DRAWN
    with Store(url, "autumn") as store:
        assert store.open_league(drawing, CONTENTS, bytes(32), now_ms=2).seed_bytes == DRAWN


@pytest.mark.parametrize(
    "change",
    [{"seed": "00" * 32}, {"tables": (TableSpec("of-2", 2, {"mode": "fancy"}),)}, {"rules_version": 5}],
)
def test_a_changed_league_is_refused_and_nothing_is_written(store: Store, change: dict[str, Any]) -> None:
    before = store.pinned()
    changed = msgspec.structs.replace(league(["ann", "zoe"]), **change)
    with pytest.raises(LeagueChanged):
        store.open_league(changed, CONTENTS | {"zoe@1": Content("z", "z")}, DRAWN, now_ms=2)
    assert store.pinned() == before


def test_a_bot_changed_under_one_version_is_refused(store: Store) -> None:
    with pytest.raises(LeagueChanged, match="bob@1"):
        store.open_league(league(), CONTENTS | {"bob@1": Content("other", "other")}, DRAWN, now_ms=2)


REBUILT = CONTENTS | {"bob@1": msgspec.structs.replace(CONTENTS["bob@1"], output="built anew")}


def test_a_bot_built_anew_is_refused_until_that_is_accepted_and_then_it_is_pinned(store: Store) -> None:
    with pytest.raises(LeagueChanged, match=r"the build output of bob@1 has changed.*--accept-builds$"):
        store.open_league(league(), REBUILT, DRAWN, now_ms=2)
    assert store.open_league(league(), REBUILT, DRAWN, now_ms=3, accept_builds=True).contents == REBUILT
    assert store.open_league(league(), REBUILT, DRAWN, now_ms=4).contents == REBUILT
    with pytest.raises(LeagueChanged, match="bob@1"):
        store.open_league(league(), CONTENTS, DRAWN, now_ms=5)


def test_to_accept_builds_is_not_to_accept_other_sources_and_then_writes_nothing(store: Store) -> None:
    changed = REBUILT | {"ann@1": Content("other", CONTENTS["ann@1"].output)}
    with pytest.raises(LeagueChanged, match=r"the files of ann@1 have changed"):
        store.open_league(league(), changed, DRAWN, now_ms=2, accept_builds=True)
    pinned = store.pinned()
    assert pinned is not None
    assert pinned.contents == CONTENTS


def test_what_is_built_anew_in_one_league_stays_pinned_in_another(store: Store, url: str) -> None:
    with Store(url, "spring") as other:
        other.open_league(league(name="spring"), REBUILT, DRAWN, now_ms=2)
    pinned = store.pinned()
    assert pinned is not None
    assert pinned.contents == CONTENTS


def test_added_bots_and_tables_are_pinned_too_and_removed_ones_stay(store: Store) -> None:
    table = TableSpec("new", 3, {"mode": "fancy"})
    store.open_league(
        league(["ann", "zoe"], tables=(table,)),
        {"ann@1": CONTENTS["ann@1"], "zoe@1": Content("z", "z")},
        DRAWN,
        now_ms=2,
    )
    pinned = store.pinned()
    assert pinned is not None
    assert pinned.contents == CONTENTS | {"zoe@1": Content("z", "z")}
    assert set(pinned.tables) == {"of-2", "new"}


def test_two_leagues_in_one_store_know_nothing_of_each_other(store: Store, url: str) -> None:
    saved(store, 0)
    with Store(url, "spring") as other:
        assert other.pinned() is None
        other.open_league(league(name="spring", seed=None), {"ann@1": Content("another", "built")}, DRAWN, now_ms=1)
        assert other.results() == []
        assert other.save([match(PLAN[0])], now_ms=5)
        other.reinstate("ann@1", 5, int)
    (played,) = store.results()
    assert (played.stored_ms, played.decisions) == (1_000, (1, 1))
    assert store.reinstated() == {}


def test_the_seating_of_a_table_is_pinned(store: Store) -> None:
    pairs = TableSpec("pairs", 3, {"mode": "fancy"}, "teams", ((0, 2), (1,)))
    store.open_league(league(tables=(pairs,)), CONTENTS, DRAWN, now_ms=2)
    pinned = store.pinned()
    assert pinned is not None
    assert {name: table.seating for name, table in pinned.tables.items()} == {"of-2": "distinct", "pairs": "teams"}
    distinct = msgspec.structs.replace(pairs, seating="distinct")
    with pytest.raises(LeagueChanged, match="the seating of table pairs was teams and is distinct"):
        store.open_league(league(tables=(distinct,)), CONTENTS, DRAWN, now_ms=3)


def test_what_a_bot_is_entered_with_is_pinned(url: str) -> None:
    terms = EntryTerms(("--depth", "é"), {"DEPTH": "4", "EMPTY": ""}, Clock(move_ms=20))
    entered = CONTENTS | {"bob@1": Content("bob", "bob, built", terms)}
    with Store(url, "autumn") as store:
        store.open_league(league(), entered, DRAWN, now_ms=1)
    with Store(url, "autumn") as store:
        pinned = store.pinned()
        assert pinned is not None
        assert pinned.contents == entered
        with pytest.raises(
            LeagueChanged, match="bob@1 was entered with other values of arguments and environment and clock"
        ):
            store.open_league(league(), CONTENTS, DRAWN, now_ms=2)
    stored = {"arguments": ["--depth", "é"], "environment": {"DEPTH": "4", "EMPTY": ""}}
    ((text,),) = in_sql(url, "SELECT terms FROM entry WHERE name = 'bob@1'")
    assert json.loads(text) == stored | {"clock": {"move_ms": 20, "bank_ms": 0, "increment_ms": 0, "start_ms": 10_000}}


def test_an_entry_s_folder_is_not_pinned(store: Store) -> None:
    moved = tuple(Entry(entry.name, f"/elsewhere{entry.place}") for entry in league().entries)
    assert store.open_league(league(entries=moved), CONTENTS, DRAWN, now_ms=2).contents == CONTENTS


# What was played


def test_a_result_is_read_as_it_was_saved(store: Store) -> None:
    record = saved(store, 0, winner=1, at_fault=0)
    (played,) = store.results()
    assert played.fixture == PLAN[0].id
    assert played.digest == digest_of(record)
    assert played.entries == PLAN[0].entries == ("ann@1", "bob@1")
    assert played.outcome == Outcome("fault", (2, 1), ())
    assert played.faults == (FaultMark(0, 1, FaultKind.TIMEOUT),)
    assert played.offenders == {"ann@1"}
    assert (played.decisions, played.thinking_us) == ((1, 1), (10, 11))
    assert played.stored_ms == 1_000


def test_a_transcript_is_read_as_it_was_saved(store: Store) -> None:
    record = saved(store, 0, at_fault=1)
    transcript = store.transcript(PLAN[0].id)
    assert transcript is not None
    assert transcript.record.canonical() == record
    assert transcript.metadata.remarks[0].stderr == "stuck"
    assert store.transcript(PLAN[1].id) is None


def test_all_transcripts_come_with_their_fixture_s_id(store: Store) -> None:
    records = {PLAN[number].id: saved(store, number, winner=number % 2) for number in range(6)}
    assert {fixture: found.record.canonical() for fixture, found in store.transcripts()} == records


def test_transcripts_are_sorted_by_code_point_whatever_the_database_sorts_by(store: Store) -> None:
    names = ["nim/b", "nim/B", "nim/a-1", "nim/a+1", "nim/Z", "nim/é"]
    for name in names:
        assert store.save([match(msgspec.structs.replace(PLAN[0], id=name))], now_ms=1)
    assert [fixture for fixture, _ in store.transcripts()] == sorted(names)


def test_a_second_save_does_nothing_and_says_so(store: Store) -> None:
    saved(store, 0, winner=0)
    before = store.results()
    assert store.save([match(PLAN[0], winner=1)], now_ms=9_999) == 0
    assert store.results() == before


def test_of_a_group_that_holds_stored_matches_the_new_ones_are_kept(store: Store) -> None:
    saved(store, 1, winner=0)
    before = store.results()
    group = [match(PLAN[0]), match(PLAN[1], winner=1), match(PLAN[2])]
    assert store.save(group, now_ms=5) == 2
    after = {played.fixture: played for played in store.results()}
    assert after.keys() == {fixture.id for fixture in PLAN[:3]}
    assert after[PLAN[1].id] == before[0]
    for number in (0, 2):
        assert after[PLAN[number].id].digest == digest_of(group[number].record)
        assert after[PLAN[number].id].thinking_us == (10, 11)


def test_what_is_stored_outlives_the_store(store: Store, url: str) -> None:
    for number in range(4):
        saved(store, number)
    with Store(url, "autumn") as again:
        assert sorted(again.results(), key=str) == sorted(store.results(), key=str)
        assert len(again.results()) == 4


def test_the_digest_follows_the_stored_record_and_nothing_else(store: Store, url: str) -> None:
    saved(store, 0, choices=(0, 1))
    saved(store, 1)
    before = {played.fixture: played.digest for played in store.results()}
    in_sql(url, "UPDATE match SET ending = 'other'")
    in_sql(url, "UPDATE transcript SET aside = :aside", aside=b"{}")
    assert {played.fixture: played.digest for played in store.results()} == before
    other = match(PLAN[0], choices=(1, 1)).record
    in_sql(url, "UPDATE transcript SET record = :record WHERE fixture = :id", record=other, id=PLAN[0].id)
    after = {played.fixture: played.digest for played in store.results()}
    assert after[PLAN[0].id] == digest_of(other) != before[PLAN[0].id]
    assert after[PLAN[1].id] == before[PLAN[1].id]
    assert league_digest(sorted(after.items())) != league_digest(sorted(before.items()))


def test_a_damaged_record_is_named(store: Store, url: str) -> None:
    saved(store, 0)
    in_sql(url, "UPDATE transcript SET record = :record", record=b"{")
    with pytest.raises(StoreError, match=r"the transcript of nim/of-2/ann@1\+bob@1/deal-0/turn-0 is damaged"):
        store.results()
    with pytest.raises(StoreError, match="is damaged"):
        store.transcript(PLAN[0].id)


def test_metadata_of_a_seat_that_is_not_there_is_damage(store: Store, url: str) -> None:
    saved(store, 0)
    (metadata,) = in_sql(url, "SELECT aside FROM transcript")[0]
    remarked = json.loads(metadata) | {"remarks": [{"seat": -1, "decision": None, "text": "late"}]}
    in_sql(url, "UPDATE transcript SET aside = :aside", aside=json.dumps(remarked).encode())
    with pytest.raises(StoreError, match=r"is damaged: it has no seats \[-1\]"):
        store.transcript(PLAN[0].id)


def test_a_match_of_a_league_that_was_never_opened_is_refused(url: str) -> None:
    opened(url).close()
    with Store(url, "spring") as other, pytest.raises(StoreError, match=r"(?i)foreign key"):
        other.save([match(PLAN[0])], now_ms=1)


def test_voids_are_kept_in_order_beside_a_result(store: Store) -> None:
    voids = (
        StoredVoid(PLAN[0].id, "a worker was lost", 5),
        StoredVoid(PLAN[0].id, "the bot waited", 6, busy=True, counts=False),
        StoredVoid(PLAN[0].id, "the disk was full", 7),
        StoredVoid(PLAN[0].id, "the bot was unavailable", 8, counts=False, forgiven="ann@1"),
    )
    store.save([], 7, voids[:1])
    store.save([match(PLAN[0])], 7, voids[1:])
    assert store.voids() == voids
    assert len(store.results()) == 1
    assert store.decisions().retried == {}, "nobody has said that a match shall be tried again"


def test_tries_and_tokens_are_read_as_they_were_saved(store: Store) -> None:
    store.save([replace(match(PLAN[0]), tries=(1, 2), tokens=(30, 40))], now_ms=6)
    assert [(found.tries, found.tokens) for found in store.results()] == [((1, 2), (30, 40))]
    found = store.matches.one(PLAN[0].id)
    assert found is not None
    assert (found.tries, found.tokens) == ((1, 2), (30, 40))


def test_what_is_saved_again_because_the_answer_was_lost_changes_nothing(store: Store) -> None:
    for _ in range(2):
        store.save([match(PLAN[0])], 5)
        store.note_broken_batch(("ann@1", "bob@1"), "ann@1", "it ended", 5)
    assert len(store.results()) == 1
    assert store.broken_batches() == {"ann@1": 1}
    store.note_broken_batch(("ann@1", "bob@1"), "ann@1", "it ended", 6)
    assert store.broken_batches() == {"ann@1": 2}


def test_voids_of_matches_that_are_tried_again_no_longer_count_and_stay(store: Store, url: str) -> None:
    voids = [StoredVoid(PLAN[number].id, "lost", number) for number in (0, 1, 2, 0)]
    store.save([], 3, voids)
    with Store(url, "spring") as other:  # another league in the same store, with the same matches
        other.open_league(league(name="spring"), CONTENTS, DRAWN, now_ms=1)
        other.save([], 3, voids[:1])
        store.retry(lambda: [PLAN[0].id, PLAN[2].id])
        assert other.voids() == (voids[0],)
    assert [(void.fixture, void.counts) for void in store.voids()] == [
        (PLAN[0].id, False),
        (PLAN[1].id, True),
        (PLAN[2].id, False),
        (PLAN[0].id, False),
    ]
    store.retry(list)
    assert [void.counts for void in store.voids()] == [False, True, False, False]


def test_a_reinstated_entry_stays_reinstated_and_an_unknown_one_is_told(store: Store) -> None:
    assert store.reinstate("bob@1", 5, int)
    assert not store.reinstate("bib@1", 5, int)
    store.open_league(league(), CONTENTS, DRAWN, now_ms=6)
    assert store.reinstated() == {"bob@1": Reinstatement(5, 0)}


def test_a_reinstatement_keeps_the_deal_with_which_it_was_first_made(store: Store) -> None:
    store.reinstate("bob@1", 5, lambda: 7)
    store.reinstate("bob@1", 6, lambda: 9)
    assert store.reinstated() == {"bob@1": Reinstatement(5, 7)}
    assert store.decisions().reinstated == {"bob@1": 7}


def test_seats_are_there_for_whoever_asks_in_sql(store: Store, url: str) -> None:
    saved(store, 0, winner=1, at_fault=0)
    rows = in_sql(url, "SELECT entry, place, fault, decisions, thinking_us FROM seat ORDER BY seat")
    assert rows == [("ann@1", 2, "timeout", 1, 10), ("bob@1", 1, None, 1, 11)]


# What can fail


def test_an_error_in_the_middle_of_a_group_keeps_nothing_of_it(store: Store, url: str) -> None:
    group = [match(PLAN[0]), match(PLAN[1])]
    in_sql(url, "ALTER TABLE transcript RENAME TO elsewhere")
    with pytest.raises(StoreError, match=r"could not be written: .*transcript") as caught:
        store.save(group, now_ms=1)
    assert "\n" not in str(caught.value)
    assert in_sql(url, "SELECT count(*) FROM match") == in_sql(url, "SELECT count(*) FROM seat") == [(0,)]
    in_sql(url, "ALTER TABLE elsewhere RENAME TO transcript")
    assert store.save(group, now_ms=2) == 2


@pytest.mark.parametrize(("code", "refusals", "is_made"), [("BUSY", 3, True), ("IOERR", 1, False)])
def test_a_new_store_is_made_although_sqlite_says_at_once_that_others_make_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, refusals: int, is_made: bool
) -> None:
    """This is what SQLite does if two processes switch a file to its log at the same moment."""
    refused = sqlite3.OperationalError("database is locked")
    refused.sqlite_errorcode = getattr(sqlite3, f"SQLITE_{code}")
    left, outside = [StoreError("locked")] * refusals, Database._outside

    def refuse(database: Database, statement: str, what: str) -> None:
        if left:
            raise left.pop() from OperationalError(statement, {}, refused)
        outside(database, statement, what)

    monkeypatch.setattr(Database, "_outside", refuse)
    with Store(f"sqlite:///{tmp_path / 'new.sqlite'}", "autumn") as store:
        if is_made:
            store.open_league(league(), CONTENTS, DRAWN, now_ms=1)
        else:
            with pytest.raises(StoreError, match="locked"):
                store.open_league(league(), CONTENTS, DRAWN, now_ms=1)
    assert left == []


# Answers that took long to compute


def test_an_answer_is_taken_by_its_key_and_the_next_one_takes_its_place(store: Store, url: str) -> None:
    table_cache = store.table_cache
    assert (table_cache.key("who"), table_cache.take("who", key="k1")) == (None, {})
    table_cache.put("who", "k1", {"who": b"one"})
    assert table_cache.take("who", key="k1") == table_cache.take("who") == {"who": b"one"}
    assert (table_cache.take("who", key="k2"), table_cache.take("what", key="k1")) == ({}, {})
    table_cache.put("what", "k1", {"what": b"other"})
    table_cache.put("who", "k2", {"who": b"two"})
    assert table_cache.take("what", key="k1") == {"what": b"other"}
    with Store(url, "autumn") as again:
        assert again.table_cache.key("who") == "k2"
        assert (again.table_cache.take("who", key="k1"), again.table_cache.take("who", key="k2")) == (
            {},
            {"who": b"two"},
        )


def test_answers_that_are_put_there_at_once_take_the_place_of_all_that_begin_alike(store: Store) -> None:
    store.table_cache.put("who", "k1", {"who": b"one"})
    store.table_cache.put("all/", "k1", {"all/a": b"a", "all/b": b"b"})
    store.table_cache.put("all/", "k2", {"all/b": b"c"})
    assert store.table_cache.take("all/a", "all/b", "who") == {"all/b": b"c", "who": b"one"}


def test_each_league_of_a_store_has_an_answer_of_its_own(store: Store, url: str) -> None:
    store.table_cache.put("who", "k", {"who": b"one"})
    with Store(url, "spring") as other:
        assert other.table_cache.take("who") == {}
        other.table_cache.put("who", "k", {"who": b"two"})
        assert (store.table_cache.take("who"), other.table_cache.take("who")) == ({"who": b"one"}, {"who": b"two"})


def test_the_digests_of_results_are_those_of_the_stored_records(store: Store, url: str) -> None:
    saved(store, 0)
    record = saved(store, 1).replace(b'"won"', b'"WON"')
    before = {played.fixture: played.digest for played in store.results()}
    in_sql(url, "UPDATE transcript SET record = :record WHERE fixture = :id", record=record, id=PLAN[1].id)
    after = {kept.fixture: digest_of(kept.record) for kept in store.fixture_rows() if kept.record}
    assert after == {played.fixture: played.digest for played in store.results()}
    assert after[PLAN[1].id] != before[PLAN[1].id]


def test_results_share_what_is_equal_in_them(store: Store) -> None:
    saved(store, 0)
    saved(store, 2)
    one, other = store.results()
    assert one.fixture != other.fixture
    assert one.outcome is other.outcome
    assert one.faults is other.faults
    assert (one.entries is other.entries) == (one.entries == other.entries)


def test_offenders_are_those_of_the_results_even_of_several_seats(store: Store, url: str) -> None:
    for number, at_fault in enumerate((None, 0, 1, None)):
        saved(store, number, at_fault=at_fault)
    assert dict(store.offenders()) == {played.fixture: played.offenders for played in store.results()}
    in_sql(url, "UPDATE seat SET fault = 'crash' WHERE fixture = :id", id=PLAN[1].id)
    assert dict(store.offenders())[PLAN[1].id] == frozenset(PLAN[1].entries)


def test_counts_are_those_of_the_matches_with_a_transcript_and_of_one_moment(store: Store, url: str) -> None:
    for number in range(5):
        saved(store, number, at_fault=number % 2 if number > 2 else None)
    in_sql(url, "DELETE FROM transcript WHERE fixture = :fixture", fixture=PLAN[0].id)
    with store.counting() as counting:
        assert counting.transcripts() == 4
        saved(store, 5)
        every = {row.line_up: row.results for row in counting.line_ups(range(3)) if not row.rotation}
        assert every == Counter(fixture.id.rpartition("/deal")[0] for fixture in PLAN[1:5] if not fixture.rotation)
        assert counting.line_ups(range(1, 3)) == []
        assert set(counting.faults()) == {(PLAN[3].id, PLAN[3].entries[1]), (PLAN[4].id, PLAN[4].entries[0])}
        assert set(counting.of("cid@1")) == {fixture.id for fixture in PLAN[:5] if "cid@1" in fixture.entries}
        assert counting.among([PLAN[0].id, PLAN[1].id, PLAN[5].id, "none"]) == {PLAN[1].id}
        assert counting.every(2) == sorted(fixture.id for fixture in PLAN[1:5])[1::2]


def test_a_part_of_what_is_kept_is_what_comes_after_one_fixture_up_to_another(store: Store) -> None:
    for number in range(5):
        saved(store, number)
    ids = sorted(fixture.id for fixture in PLAN[:5])
    assert [kept.fixture for kept in store.fixture_rows(ids[0], ids[3])] == ids[1:4]
    assert [kept.fixture for kept in store.fixture_rows(ids[2])] == ids[3:]


# Who plays, and what was issued

ISSUE = IssuedWave(("ann@1", "bob@1"), (LineUp("of-2", ("ann@1", "bob@1"), 0),), 0, 3, ("cid@1",))
ZOE = Entry("zoe@1", "/bots/zoe", Remote(parallel=2), "zed@1")


def test_waves_are_read_as_they_were_issued_in_order_and_by_league(store: Store, url: str) -> None:
    with Store(url, "spring") as other:
        other.open_league(league(name="spring"), CONTENTS, DRAWN, now_ms=1)
        later = msgspec.structs.replace(ISSUE, first_deal=3)
        assert store.issue(0, ISSUE, NOTHING_DECIDED, now_ms=5)
        assert store.issue(1, later, NOTHING_DECIDED, now_ms=6)
        assert other.issue(0, later, NOTHING_DECIDED, now_ms=7)
        assert store.issues() == [ISSUE, later]
        assert other.issues() == [later]


def test_changes_of_the_roster_are_kept_in_order_with_how_many_waves_there_were(store: Store, url: str) -> None:
    store.change("zoe@1", ZOE, now_ms=5)
    store.issue(0, ISSUE, store.decisions(), now_ms=6)
    store.change("ann@1", None, now_ms=7)
    assert store.changes() == (RosterChange("zoe@1", ZOE, 0, 5), RosterChange("ann@1", None, 1, 7))
    with Store(url, "spring") as other:
        other.open_league(league(name="spring"), CONTENTS, DRAWN, now_ms=1)
        assert other.changes() == ()


def test_a_wave_that_was_decided_for_a_roster_of_before_is_not_stored(store: Store) -> None:
    store.change("zoe@1", ZOE, now_ms=5)
    assert not store.issue(0, ISSUE, NOTHING_DECIDED, now_ms=6)
    assert store.issues() == []
    assert store.issue(0, ISSUE, store.decisions(), now_ms=6)


def test_a_wave_is_not_stored_and_no_deal_closed_if_a_bot_was_reinstated_or_a_match_retried_meanwhile(
    store: Store,
) -> None:
    store.save([], 1, [StoredVoid(PLAN[0].id, "lost", 1)])
    steps: list[Callable[[], object]] = [
        lambda: store.reinstate("ann@1", 5, int),
        lambda: store.retry(lambda: [PLAN[0].id]),
        lambda: store.change("bob@1", None, now_ms=5),
    ]
    for step in steps:
        known = store.decisions()
        step()
        assert not store.issue(0, ISSUE, known, now_ms=6, closed=3)
        store.close_deals(3, known)
        assert (store.issues(), store.closing()) == ([], OPEN)
    assert store.issue(0, ISSUE, store.decisions(), now_ms=6, closed=3)
    assert store.closing() == ClosedDeals(3)


def test_of_a_change_that_the_league_does_not_allow_any_more_nothing_is_stored(store: Store) -> None:
    def refuse() -> None:
        raise WrongUse("too late")

    with pytest.raises(WrongUse):
        store.change("zoe@1", ZOE, 5, refuse)
    assert store.changes() == ()


def test_a_wave_is_stored_once_whatever_the_organizer_decided_since_and_no_other_wave_takes_its_place(
    store: Store,
) -> None:
    for now_ms in (5, 6):
        assert store.issue(0, ISSUE, NOTHING_DECIDED, now_ms)
        store.change("zoe@1", ZOE, now_ms)
    assert (store.issues(), store.issue_times()) == ([ISSUE], [5])
    another = msgspec.structs.replace(ISSUE, first_deal=ISSUE.first_deal + 1)
    with pytest.raises(StoreError, match=r"could not be written"):
        store.issue(0, another, store.decisions(), now_ms=7)


def test_of_two_who_open_a_new_league_at_once_both_have_the_seed_of_the_first(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = replace(league(), seed=None)
    with Store(url, "autumn") as slow, Store(url, "autumn") as fast:
        with monkeypatch.context() as patch:
            patch.setattr(slow, "pinned", lambda: None)  # it looked before the other wrote
            first = fast.open_league(drawn, {}, b"\x01" * 32, now_ms=1)
            assert slow.open_league(drawn, CONTENTS, b"\x02" * 32, now_ms=2).seed == first.seed
            with pytest.raises(LeagueChanged, match="its clock was"):
                slow.open_league(replace(drawn, clock=Clock(move_ms=7)), {}, b"\x03" * 32, now_ms=3)
        pinned = fast.pinned()
        assert pinned is not None
        assert (pinned.seed, pinned.contents) == (first.seed, CONTENTS)


def test_a_signal_that_an_error_of_the_driver_replaces_still_ends_the_command(tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        try:
            raise Stopped(15)
        finally:  # psycopg tidies up a connection so, while the server still works on it
            raise OperationalError("SELECT 1", None, Exception("can't change 'autocommit' now"))

    database = Database(f"sqlite:///{tmp_path}/autumn.sqlite")
    sql.event.listen(database.engine, "engine_connect", stop)
    with pytest.raises(Stopped):
        database.is_empty()
