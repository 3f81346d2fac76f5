"""What verifies of a damaged store is saved, and the next run comes to the digest of an undisturbed league."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from referee.match.transcript import digest_of
from tests.cli.command import BOTS, referee
from tests.cli.command import GAME as AVENUE
from tests.tournaments.arena import write_league
from tests.tournaments.fakes import (
    GAME,
    FakeExecutor,
    FakeMachine,
    Run,
    auction_league,
    bids_high,
    fails_in,
)
from tests.tournaments.stores import in_sql
from tests.tournaments.trees import keep, read
from tournaments.league.model import League, TableSpec
from tournaments.maintenance.salvage import FileExists, SalvageResult, SeedLost, salvage
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import league_in
from tournaments.results.organizer_actions import reinstate_bot
from tournaments.results.standings import Standings
from tournaments.results.stored_league import open_results
from tournaments.store import LONGEST, Store, StoreError
from tournaments.store.pinned_league import Content, contents

WRECKS = int(os.environ.get("REFEREE_TEST_WRECKS", "1"))
"""How many stores are damaged in each way. One is enough for everyday runs of the suite."""

BEFORE = auction_league(("ann", "bob", "cid", "dan"), deals=12)
LEAGUE = auction_league(deals=12)
BOTS_PLAY = {"ann@1": bids_high, "bob@1": fails_in(3)}
PLAYED = 144
PAGE = 4096


def files(league: League) -> dict[str, Content]:
    """Digests that differ from bot to bot, as real ones do."""
    return {entry.name: Content(hexed(entry.name), hexed(f"{entry.name}, built")) for entry in league.entries}


def hexed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store without damage: of a league that dan has left, with voids, faults and a bot that was reinstated."""
    folder = tmp_path_factory.mktemp("whole")
    run = Run(folder, BEFORE, started_ms=1_000_000)
    run.machine.contents = files
    with run:
        executor = FakeExecutor(BOTS_PLAY, loses=lambda fixture, at: fixture.deal == 5 and at == 1, together=20)
        run.play(executor)
        reinstate_bot(run.open.results, "bob@1", 77)
    with open_results(LEAGUE, url(folder / "store.sqlite")) as results:
        assert len(results.matches()) == PLAYED
        assert {bool(played.faults) for played in results.matches()} == {True, False}
    return folder / "store.sqlite"


@pytest.fixture(scope="module")
def undisturbed(whole: Path) -> Standings:
    with open_results(LEAGUE, url(whole)) as results:
        return league_standings(results)


@pytest.fixture
def damaged(whole: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copy(whole, tmp_path / "damaged.sqlite"))


def url(file: Path) -> str:
    return f"sqlite:///{file}"


def saved(damaged: Path, league: League = LEAGUE, seed: str | None = None) -> SalvageResult:
    """Salvage into a file beside the damaged one, which stays as it was."""
    before = damaged.read_bytes()
    machine = FakeMachine(FakeExecutor(), files, started_ms=2_000_000)
    found = salvage(league, damaged, damaged.with_name("store.sqlite"), machine, seed, GAME)
    assert damaged.read_bytes() == before
    return found


def finished(damaged: Path, league: League = LEAGUE) -> Standings:
    """The standings after the next run on the new store."""
    run = Run(damaged.parent, league, started_ms=3_000_000)
    run.machine.contents = files
    with run:
        return run.play(FakeExecutor(BOTS_PLAY, together=50)).standings()


def facts(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows of a store, without the time at which it was made, and with transcripts unpacked."""
    names = ("league_table", "entry", "match", "seat")
    found = {name: in_sql(url(file), f"SELECT * FROM {name} ORDER BY 1, 2, 3") for name in names}  # noqa: S608 - ours
    found["league"] = in_sql(url(file), "SELECT game, rules_version, rehearsal, seed, seed_sha256, clock FROM league")
    with Store(url(file), LEAGUE.name) as store:
        found["transcripts"] = list(store.transcripts())
        found["voids"] = [(void.fixture, void.reason, void.stored_ms, void.counts) for void in store.voids()]
    return found


def cut(content: bytearray, rng: Random) -> None:
    del content[rng.randrange(len(content) // 8, len(content)) :]  # of less, nothing can be read


def flip_bytes(content: bytearray, rng: Random) -> None:
    for _ in range(30):
        content[rng.randrange(len(content))] ^= rng.randrange(1, 256)


def overwrite_pages(content: bytearray, rng: Random) -> None:
    for page in rng.sample(range(len(content) // PAGE), 4):
        content[page * PAGE : (page + 1) * PAGE] = rng.randbytes(PAGE)


def blank_pages(content: bytearray, rng: Random) -> None:
    for page in rng.sample(range(len(content) // PAGE), 4):
        content[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(WRECKS))
@pytest.mark.parametrize("damage", [cut, flip_bytes, overwrite_pages, blank_pages])
def test_whatever_the_damage_no_wrong_match_is_saved_and_the_next_run_ends_with_the_undisturbed_digest(
    whole: Path, damaged: Path, undisturbed: Standings, damage: Callable[[bytearray, Random], None], seed: int
) -> None:
    content = bytearray(damaged.read_bytes())
    damage(content, Random(seed))
    damaged.write_bytes(content)
    found = saved(damaged, seed=BEFORE.seed)
    right = {fixture: row for fixture, *row in in_sql(url(whole), "SELECT fixture, digest FROM match")}
    new = url(damaged.with_name("store.sqlite"))
    there = {fixture: row for fixture, *row in in_sql(new, "SELECT fixture, digest FROM match")}
    assert there.items() <= right.items()
    assert len(there) == found.saved <= PLAYED
    again = finished(damaged)
    assert again.digest == undisturbed.digest
    assert [line.bot for line in again.standings] == [line.bot for line in undisturbed.standings]


def test_a_store_without_damage_gives_an_equal_one(whole: Path, damaged: Path, undisturbed: Standings) -> None:
    found = saved(damaged)
    assert (found.saved, found.wrong, found.remaining, found.notes) == (PLAYED, {}, 0, ())
    assert {table.table: table.read for table in found.tables} == {
        "league": 1,
        "league_table": 1,
        "entry": 4,
        "transcript": PLAYED,
        "match": PLAYED,
        "dictionary": 1,
        "void": len(facts(whole)["voids"]),
        "issue": 0,
        "change": 0,
        "tree": 0,
        "piece": 0,
    }
    assert not any(table.damaged or table.unreadable for table in found.tables)
    assert facts(damaged.with_name("store.sqlite")) == facts(whole)
    assert finished(damaged) == undisturbed


def test_a_league_that_was_closed_stays_closed_and_what_is_lost_of_it_is_not_played_again(damaged: Path) -> None:
    change(damaged, "UPDATE league SET closed_ms = 77")
    change(damaged, "UPDATE transcript SET record = x'00' WHERE fixture = (SELECT max(fixture) FROM transcript)")
    found = saved(damaged)
    assert "the league is closed, so what is lost of it is not played again" in found.notes
    assert (found.saved, found.remaining) == (PLAYED - 1, 0)
    with Store(url(damaged.with_name("store.sqlite")), LEAGUE.name) as store:
        assert store.closing().closed_ms == 77


def test_a_store_that_no_longer_says_whether_the_league_was_closed_is_told_of(damaged: Path) -> None:
    change(damaged, "DELETE FROM league")
    found = saved(damaged)
    (note,) = found.notes
    assert note.startswith("whether the league was closed cannot be read")
    with open_results(LEAGUE, url(damaged.with_name("store.sqlite"))) as results:
        assert results.pinned.contents == files(BEFORE), "what the bots consisted of is in other rows"


def test_pages_that_are_lost_cost_only_what_was_on_them(damaged: Path) -> None:
    content = bytearray(damaged.read_bytes())
    blank_pages(content, Random(1))
    damaged.write_bytes(content)
    assert saved(damaged).saved > PLAYED // 2


@pytest.mark.parametrize("content", [bytes(PAGE), b"\xff" * PAGE])
def test_a_store_that_no_longer_says_which_tables_it_has_loses_no_match(damaged: Path, content: bytes) -> None:
    damaged.write_bytes(content + damaged.read_bytes()[PAGE:])
    found = saved(damaged)
    assert (found.saved, found.wrong, found.remaining, found.notes) == (PLAYED, {}, 0, ())


def test_of_an_empty_file_nothing_is_written(damaged: Path) -> None:
    damaged.write_bytes(b"")
    with pytest.raises(StoreError, match=r"nothing can be read of .*damaged\.sqlite: "):
        saved(damaged)
    assert not damaged.with_name("store.sqlite").exists()


def test_an_existing_file_is_not_written_over(damaged: Path) -> None:
    new = damaged.with_name("store.sqlite")
    new.write_text("mine")
    with pytest.raises(FileExists, match="is there already"):
        saved(damaged)
    assert new.read_text() == "mine"


def change(file: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(file)
    connection.execute(statement, values)
    connection.commit()
    connection.close()


def test_a_match_of_another_seed_or_another_fixture_is_not_saved_and_told_with_its_reason(damaged: Path) -> None:
    first, second = (row[0] for row in in_sql(url(damaged), "SELECT fixture FROM transcript ORDER BY 1 LIMIT 2"))
    change(
        damaged,
        "UPDATE transcript SET record = (SELECT record FROM transcript WHERE fixture = ?) WHERE fixture = ?",
        second,
        first,
    )
    found = saved(damaged)
    assert found.wrong == {first: "its transcript is that of another match"}
    assert found.saved == PLAYED - 1


def first_plain(damaged: Path) -> tuple[str, bytes]:
    """A match that is not packed: its fixture and its record."""
    plain = "SELECT fixture, record FROM transcript WHERE dictionary = 0 ORDER BY fixture LIMIT 1"
    ((fixture, record),) = in_sql(url(damaged), plain)
    return fixture, record


def test_a_match_that_breaks_the_rules_is_not_saved_though_all_digests_agree(damaged: Path) -> None:
    fixture, record = first_plain(damaged)
    broken = record.replace(b'"choices":[[0,', b'"choices":[[1,')
    assert broken != record
    change(damaged, "UPDATE transcript SET record = ? WHERE fixture = ?", broken, fixture)
    change(damaged, "UPDATE match SET digest = ? WHERE fixture = ?", digest_of(broken), fixture)
    found = saved(damaged)
    assert list(found.wrong) == [fixture]
    assert (found.saved, found.remaining) == (PLAYED - 1, 1)


def test_with_another_seed_no_match_of_the_plan_is_saved(damaged: Path) -> None:
    change(damaged, "DELETE FROM league")
    found = saved(damaged, replace(LEAGUE, seed="ab" * 32))
    assert found.remaining == 72
    assert len(found.wrong) == 72
    assert "not what the league's seed and plan give" in next(iter(found.wrong.values()))


@pytest.mark.parametrize("record", [b"\xff", b'{"header":{"game":"\xff"}}', b"[" * 100_000, b"{}", b""])
def test_bytes_that_are_no_record_are_damaged_whatever_they_are(damaged: Path, record: bytes) -> None:
    fixture, _ = first_plain(damaged)
    change(damaged, "UPDATE transcript SET record = ? WHERE fixture = ?", record, fixture)
    assert saved(damaged).wrong == {fixture: "its transcript is damaged"}


def test_a_match_that_is_found_twice_is_saved_once(damaged: Path) -> None:
    both = "SELECT * FROM transcript UNION ALL SELECT * FROM transcript"
    change(damaged, f"CREATE TABLE twice AS SELECT * FROM ({both}) ORDER BY fixture")  # noqa: S608 - ours
    change(damaged, "DROP TABLE transcript")
    change(damaged, "ALTER TABLE twice RENAME TO transcript")
    found = saved(damaged)
    assert (found.saved, found.wrong) == (PLAYED, {})


def test_tables_that_the_league_no_longer_has_stay_pinned_and_a_lost_time_of_storing_becomes_now(damaged: Path) -> None:
    row = "'autumn', 'old', 3, '{\"rounds\":4}', 'copies', 'common', '[[0],[1,2]]', true, 1.0"
    change(damaged, f"INSERT INTO league_table VALUES ({row})")  # noqa: S608 - ours
    fixture, _ = first_plain(damaged)
    change(damaged, "DELETE FROM match WHERE fixture = ?", fixture)
    found = saved(damaged)
    assert {table.table for table in found.tables if table.unreadable} == {"match"}
    with open_results(LEAGUE, url(damaged.with_name("store.sqlite"))) as results:
        assert results.pinned.tables["old"] == TableSpec(
            "old", 3, {"rounds": 4}, "copies", ((0,), (1, 2)), deals_sides=True
        )
        late = [played.fixture for played in results.matches() if played.stored_ms > 2_000_000]
    assert late == [fixture]


def test_a_plain_record_that_keeps_the_rules_but_has_another_digest_is_not_saved(damaged: Path) -> None:
    (first,) = in_sql(url(damaged), "SELECT fixture FROM transcript WHERE dictionary = 0 ORDER BY 1 LIMIT 1")[0]
    change(damaged, "UPDATE match SET digest = replace(digest, 'a', 'b') WHERE fixture = ?", first)
    found = saved(damaged)
    assert list(found.wrong) == [first]
    assert "its digest differs" in found.wrong[first]


def test_a_lost_dictionary_is_made_again_from_the_first_matches(damaged: Path) -> None:
    change(damaged, "DELETE FROM dictionary")
    assert saved(damaged).saved == PLAYED
    change(
        damaged,
        "UPDATE transcript SET record = x'00' WHERE fixture IN"
        " (SELECT fixture FROM transcript WHERE dictionary = 0 ORDER BY fixture LIMIT 1)",
    )
    damaged.with_name("store.sqlite").unlink()
    found = saved(damaged)
    ((plain,),) = in_sql(url(damaged), "SELECT count(*) FROM transcript WHERE dictionary = 0")
    assert plain - 1 <= found.saved < PLAYED - 1, "what refers to the one that is lost cannot be unpacked"
    assert "its transcript is damaged" in found.wrong.values()


def test_a_lost_seed_is_taken_from_the_file_or_the_option_and_asked_for_if_neither_has_it(
    damaged: Path, undisturbed: Standings
) -> None:
    change(damaged, "UPDATE league SET seed = replace(seed, '1', '2')")
    unsaid = replace(LEAGUE, seed=None)
    with pytest.raises(SeedLost, match="cannot be read in the store; give it: --seed"):
        saved(damaged, unsaid)
    assert saved(damaged, unsaid, LEAGUE.seed).saved == PLAYED
    assert finished(damaged, unsaid).digest == undisturbed.digest
    damaged.with_name("store.sqlite").unlink()
    assert saved(damaged).saved == PLAYED


def test_a_seed_that_is_not_the_leagues_is_refused(damaged: Path) -> None:
    with pytest.raises(SeedLost, match="is another one"):
        saved(damaged, replace(LEAGUE, seed=None), "ab" * 32)
    assert not damaged.with_name("store.sqlite").exists()


def test_what_is_lost_of_the_bots_is_pinned_as_it_is_now_and_a_flipped_digit_is_made_good(damaged: Path) -> None:
    change(damaged, "DELETE FROM entry WHERE name = 'ann@1'")
    change(damaged, "UPDATE entry SET content = 'f' || substr(content, 2) WHERE name = 'bob@1'")
    change(damaged, "UPDATE entry SET content = ? WHERE name = 'cid@1'", "e" * 64)
    found = saved(damaged)
    assert found.notes == ("what ann@1 consisted of cannot be read; its files as they are now are pinned",)
    with open_results(LEAGUE, url(damaged.with_name("store.sqlite"))) as results:
        pinned = results.pinned.contents
    assert pinned == files(BEFORE) | {"cid@1": Content("e" * 64, hexed("cid@1, built"))}


def test_what_the_store_says_otherwise_than_the_league_file_is_told(damaged: Path) -> None:
    change(damaged, "UPDATE league SET clock = replace(clock, '10000', '10080')")
    (note,) = saved(damaged).notes
    assert note.startswith("by the store, its clock was ")
    assert note.endswith("the league file is followed")


def test_the_command_tells_table_by_table_what_was_found_and_how_to_go_on(tmp_path: Path) -> None:
    file = write_league(tmp_path / "autumn.toml", [BOTS / "random", BOTS / "greedy"], deals=8)
    clock = league_in(file).clock
    machine = FakeMachine(FakeExecutor(game=AVENUE, together=4, clock=clock), contents)
    old, new = tmp_path / "autumn.sqlite", tmp_path / "new.sqlite"
    with open_run(league_in(file), url(old), machine) as run:
        assert sum(1 for _ in run.play()) == 16
    change(old, "DELETE FROM transcript WHERE fixture LIKE '%deal-3/%'")
    ended = referee("league", "salvage", file, old, "--to", new)
    assert ended.out.splitlines()[0] == "league: 1 row read"
    assert "transcript: 14 rows read" in ended.out
    assert ended.out.endswith(f"14 matches saved in {new}; 2 remain to be played\n")
    assert ended.err == f"go on with: referee league run {file} --store sqlite:///{new}\n"
    assert referee("league", "verify", file, "--store", url(new)).code == 0
    as_json = referee("league", "salvage", file, old, "--to", tmp_path / "json.sqlite", "--json").json
    assert "match" in [table["table"] for table in as_json["tables"]]
    again = referee("league", "salvage", file, old, "--to", new)
    assert (again.code, again.err) == (2, f"{new} is there already; name a new file (--to)\n")
    missing = referee("league", "salvage", file, tmp_path / "none", "--to", tmp_path / "other")
    assert missing.code == 3
    assert "No such file" in missing.err


# Trees of bots


def test_trees_of_bots_are_taken_over_if_they_are_whole_and_named_if_not(damaged: Path) -> None:
    long = Random(1).randbytes(LONGEST + 1)
    with Store(url(damaged), LEAGUE.name) as store:
        whole = keep(store, {"bot.toml": b"whole", "shared": long})
        broken = keep(store, {"bot.toml": b"broken", "shared": long})
        unlisted = keep(store, {"bot.toml": b"unlisted"})
    in_sql(url(damaged), "UPDATE piece SET content = :junk WHERE digest = :it", junk=b"x", it=hexed("broken"))
    in_sql(url(damaged), "UPDATE tree SET content = :junk WHERE digest = :it", junk=b"x", it=unlisted)
    found = saved(damaged)
    assert (found.saved, found.trees, set(found.wrong_trees)) == (PLAYED, 1, {broken, unlisted})
    assert "damaged" in found.wrong_trees[broken]
    with Store(url(damaged.with_name("store.sqlite")), LEAGUE.name) as store:
        assert store.trees.digests() == [whole]
        assert read(store, whole) == {"bot.toml": b"whole", "shared": long}


def test_a_piece_is_found_although_the_index_of_pieces_is_lost(damaged: Path) -> None:
    with Store(url(damaged), LEAGUE.name) as store:
        keep(store, {"bot.toml": b"whole"})
    ((page,),) = in_sql(url(damaged), "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_piece_1'")
    content = bytearray(damaged.read_bytes())
    content[PAGE * (page - 1) : PAGE * page] = bytes(PAGE)
    damaged.write_bytes(content)
    found = saved(damaged)
    assert (found.trees, found.wrong_trees) == (1, {})
