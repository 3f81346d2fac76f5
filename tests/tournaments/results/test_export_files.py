"""What an export writes, about which matches, and what it leaves when it fails."""

import json
import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.game import AnyGame
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import Transcript, from_file
from tests.cli.command import BOTS, finish, start
from tests.tournaments.arena import write_league
from tests.tournaments.exporting import AGONIA, AVENUE, INSIDE, Exported, exported, exported_again, league_of, table
from tests.tournaments.fakes import GAME, Bot, FakeExecutor, FakeMachine, Run, auction_league, bids_high, fails_in
from tests.tournaments.leagues import SEED
from tournaments.league.model import Entry, Fixture, League, Remote, TableSpec
from tournaments.maintenance.close_league import close
from tournaments.play.run import open_run
from tournaments.results import export_files as writing
from tournaments.results.computed_tables import league_standings
from tournaments.results.export_fields import exported_match
from tournaments.results.export_files import CannotExport, export
from tournaments.results.league_location import league_in
from tournaments.results.stored_league import open_results
from tournaments.store.pinned_league import contents

NAMES = ("ann", "bob", "cid")
BOTH_FAIL: dict[str, Bot] = {"ann@1": fails_in(19), "bob@1": fails_in(19)}
NO_TERMS: dict[str, Any] = {"label": None, "arguments": [], "environment": {}, "clock": None}
FILES = ["league.json", "matches.csv", "matches.jsonl"]
LEAGUES: dict[str, tuple[AnyGame, list[TableSpec]]] = {
    "auction": (GAME, [table(GAME, 2), table(GAME, 3)]),
    "agent-avenue": (AVENUE, [table(AVENUE, 2), table(AVENUE, 3, "copies", line_up="2v1")]),
    "agonia": (AGONIA, [table(AGONIA, 2), table(AGONIA, 3, "teams", board="secondary")]),
    "inside-job": (INSIDE, [table(INSIDE, 4, "copies", roles="wired,shady")]),
}


def with_remote(planned: League, bot: str) -> League:
    """The same league, with one of its bots elsewhere."""
    there = Remote(ca="/secret/ca.pem")
    entries = tuple(replace(each, remote=there) if each.name == bot else each for each in planned.entries)
    return replace(planned, entries=entries)


def transcript(found: Exported, fixture: str) -> Transcript:
    return from_file((found.folder / "transcripts" / f"{fixture}.json").read_bytes())[0]


def latest_deal_first(fixtures: list[Fixture]) -> list[Fixture]:
    """So that a suspension finds later matches that are already played."""
    return sorted(fixtures, key=lambda fixture: fixture.deal, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAGUES)
def test_every_column_of_every_match_is_what_its_transcript_says(name: str, tmp_path: Path) -> None:
    game, tables = LEAGUES[name]
    planned = with_remote(league_of(game, tables, NAMES, deals=4), "cid@1")
    found = exported(tmp_path, planned, game, {"ann@1": bids_high, "bob@1": fails_in(60)}, arrange=latest_deal_first)
    rows = iter(found.rows)
    assert len(found.matches) == len(list((found.folder / "transcripts").rglob("*.json"))) > 0
    for match in found.matches:
        stored = transcript(found, match["fixture"])
        header, outcome = stored.record.header, stored.record.outcome
        game_name, table_name, line_up, deal, rotation = match["fixture"].split("/")
        assert game_name == name
        for seat, bot in enumerate(line_up.split("+")):
            sides = [side.name for side in outcome.sides if seat in side.seats]
            faults = [fault.kind for fault in stored.record.faults if fault.seat == seat]
            own = "cid@1" in header.entries
            assert next(rows) == {
                "fixture": header.fixture,
                "table": table_name,
                "deal": deal.removeprefix("deal-"),
                "own_deal": str(own).lower(),
                "block": f"{table_name}/{deal}/{'+'.join(sorted(header.entries))}" if own else deal,
                "rotation": rotation.removeprefix("turn-"),
                "seat": str(seat),
                "bot": bot,
                "place": str(outcome.places[seat]),
                "side": sides[0] if sides else "",
                "fault": faults[0] if faults else "",
                "decisions": str(stored.decisions[seat]),
                "thinking_us": str(stored.thinking_us[seat]),
                "ending": outcome.ending,
                "score": str(outcome.scores[seat]) if outcome.scores else "",
                "counts": str(match["counts"]).lower(),
                "same_author": "false",
                "tries": "0",
                "tokens": "0",
                "processor_us": "",
                "money": "",
            }
    assert next(rows, None) is None
    common = [match for match in found.matches if not match["own_deal"]]
    luck = [(match["block"], transcript(found, match["fixture"]).record.header.deal_seed) for match in common]
    assert len(set(luck)) == len({block for block, _ in luck}) == len({seed for _, seed in luck})
    assert {match["counts"] for match in found.matches} == {True, False}
    assert any(match["faults"] for match in found.matches if match["counts"])


def test_a_small_league_is_written_like_this(tmp_path: Path) -> None:
    planned = league_of(GAME, [table(GAME, 2)], ("ann", "bob"), deals=1)
    found = exported(tmp_path, planned, GAME, {"ann@1": bids_high, "bob@1": fails_in(100)})
    assert (found.folder / "matches.csv").read_text(encoding="utf-8") == (
        "fixture,table,deal,own_deal,block,rotation,seat,bot,place,side,fault,decisions,thinking_us,ending,score,counts,"
        "same_author,tries,tokens,processor_us,money\n"
        "auction/plain-2-distinct/ann@1+bob@1/deal-0/turn-0,"
        "plain-2-distinct,0,false,deal-0,0,0,ann@1,1,,,1,1000,fault,,true,false,0,0,,\n"
        "auction/plain-2-distinct/ann@1+bob@1/deal-0/turn-0,"
        "plain-2-distinct,0,false,deal-0,0,1,bob@1,2,,illegal,1,1000,fault,,true,false,0,0,,\n"
        "auction/plain-2-distinct/bob@1+ann@1/deal-0/turn-1,"
        "plain-2-distinct,0,false,deal-0,1,0,bob@1,2,,illegal,1,1000,fault,,true,false,0,0,,\n"
        "auction/plain-2-distinct/bob@1+ann@1/deal-0/turn-1,"
        "plain-2-distinct,0,false,deal-0,1,1,ann@1,1,,,1,1000,fault,,true,false,0,0,,\n"
    )
    first, _ = found.matches
    assert first == {
        "fixture": "auction/plain-2-distinct/ann@1+bob@1/deal-0/turn-0",
        "digest": transcript(found, first["fixture"]).digest,
        "entries": ["ann@1", "bob@1"],
        "outcome": {"ending": "fault", "places": [1, 2], "sides": [], "scores": None},
        "faults": [{"seat": 1, "decision": 1, "kind": "illegal"}],
        "decisions": [1, 1],
        "thinking_us": [1000, 1000],
        "tries": [0, 0],
        "tokens": [0, 0],
        "processor_us": [None, None],
        "money": [None, None],
        "stored_ms": first["stored_ms"],
        "table": "plain-2-distinct",
        "deal": 0,
        "own_deal": False,
        "block": "deal-0",
        "rotation": 0,
        "counts": True,
        "same_author": False,
    }


def test_the_league_is_described_whole(tmp_path: Path) -> None:
    tables = [table(AVENUE, 3, "teams", line_up="2v1"), table(AVENUE, 2)]
    planned = with_remote(league_of(AVENUE, tables, ("cid", "ann"), deals=1), "ann@1")
    found = exported(tmp_path, planned, AVENUE, {})
    assert found.league == {
        "format": 1,
        "name": "autumn",
        "game": "agent-avenue",
        "rules_version": AVENUE.rules_version,
        "kind": "round-robin",
        "draw_probability": 0.01,
        "deals": 1,
        "seed_sha256": sha256(SEED).hexdigest(),
        "seed": None,
        "rehearsal": False,
        "sandbox": "none",
        "fresh": False,
        "pondering": False,
        "clock": {"move_ms": 10_000, "bank_ms": 0, "increment_ms": 0, "start_ms": 10_000},
        "tables": [
            {
                "name": "2v1-3-teams",
                "seats": 3,
                "options": {"mode": "simple", "line_up": "2v1", "ceasefire": False},
                "seating": "teams",
                "sides": [[0, 2], [1]],
                "luck": "common",
                "deals_sides": False,
                "weight": 1.0,
            },
            {
                "name": "plain-2-distinct",
                "seats": 2,
                "options": {"mode": "simple", "line_up": "1v1", "ceasefire": False},
                "seating": "distinct",
                "sides": [[0], [1]],
                "luck": "common",
                "deals_sides": False,
                "weight": 1.0,
            },
        ],
        "bots": [
            {"bot": "cid@1", "digest": "tree", "remote": False} | NO_TERMS,
            {"bot": "ann@1", "digest": None, "remote": True} | NO_TERMS,
        ],
        "suspensions": [],
        "matches": {"planned": 4, "played": 4, "remaining": 0, "skipped": 0, "abandoned": 0},
        "void": 0,
        "digest": found.standings.digest,
    }
    assert "/secret" not in (found.folder / "league.json").read_text(encoding="utf-8")


def test_a_suspension_names_the_match_that_caused_it_and_what_comes_later_does_not_count(tmp_path: Path) -> None:
    planned = league_of(GAME, [table(GAME, 2)], NAMES, deals=4)
    found = exported(tmp_path, planned, GAME, {"bob@1": fails_in(100)}, arrange=latest_deal_first)
    (suspension,) = found.league["suspensions"]
    at = [match["fixture"] for match in found.matches].index(suspension["fixture"])
    assert (suspension["bot"], suspension["faults"], suspension["matches"]) == ("bob@1", 5, 5)
    assert all(match["counts"] for match in found.matches[: at + 1])
    assert all(match["counts"] == ("bob@1" not in match["entries"]) for match in found.matches[at + 1 :])
    counts = found.league["matches"]
    assert counts["played"] == len([match for match in found.matches if match["counts"]])
    assert counts["planned"] == counts["played"] + counts["skipped"] == 24


def test_void_and_abandoned_matches_are_counted(tmp_path: Path) -> None:
    planned = league_of(GAME, [table(GAME, 2)], ("ann", "bob"), deals=2)
    found = exported(tmp_path, planned, GAME, {}, loses=lambda fixture, _: fixture.deal == 0 and fixture.rotation == 0)
    expected = {"planned": 4, "played": 3, "remaining": 0, "skipped": 0, "abandoned": 1}
    assert (found.league["matches"], found.league["void"], len(found.matches)) == (expected, 3, 3)


def test_the_seed_is_told_only_when_the_league_is_closed(tmp_path: Path) -> None:
    planned = league_of(GAME, [table(GAME, 2)], ("ann", "bob"), deals=2)
    halfway = exported(tmp_path, planned, GAME, {}, stops_after=2)
    assert (halfway.league["seed"], halfway.league["matches"]["remaining"]) == (None, 2)
    assert SEED.hex() not in (halfway.folder / "league.json").read_text(encoding="utf-8")
    commitment = halfway.league["seed_sha256"]
    assert exported(tmp_path, planned, GAME, {}).league["seed"] is None
    close(planned, f"sqlite:///{tmp_path / 'store.sqlite'}", 5, abandon=False)
    whole = exported_again(tmp_path, planned)
    assert (whole.league["seed"], whole.league["seed_sha256"]) == (SEED.hex(), commitment)
    assert commitment == sha256(SEED).hexdigest()


def test_what_is_no_longer_in_the_plan_comes_last_and_does_not_count(tmp_path: Path) -> None:
    planned = with_remote(league_of(GAME, [table(GAME, 2)], NAMES, deals=2), "cid@1")
    exported(tmp_path, planned, GAME, {})
    found = exported_again(tmp_path, replace(planned, entries=planned.entries[:2], deals=1))
    assert [match["counts"] for match in found.matches] == [True] * 2 + [False] * 10
    others = [match["fixture"] for match in found.matches[2:]]
    assert others == sorted(others)
    assert {match["own_deal"] for match in found.matches if "cid@1" in match["entries"]} == {True}
    assert [bot["bot"] for bot in found.league["bots"]] == ["ann@1", "bob@1"]


def test_a_bot_that_was_added_since_the_last_run_has_no_digest_yet(tmp_path: Path) -> None:
    planned = league_of(GAME, [table(GAME, 2)], ("ann", "bob"), deals=1)
    exported(tmp_path, planned, GAME, {})
    found = exported_again(tmp_path, replace(planned, entries=(*planned.entries, Entry("new@1", "/bots/new"))))
    assert found.league["bots"][2] == {"bot": "new@1", "digest": None, "remote": False} | NO_TERMS
    assert found.league["seed"] is None


def test_an_export_says_what_each_bot_was_pinned_with_whatever_the_file_says_now(tmp_path: Path) -> None:
    planned = league_of(GAME, [table(GAME, 2)], ("ann", "bob"), deals=1)
    odds = EntryTerms(("--depth", "4"), {"DEPTH": "4"}, Clock(move_ms=20))
    deep = Entry("ann+deep@1", "/bots/ann", None, "ann@1", odds)
    planned = replace(planned, entries=(*planned.entries, deep))
    exported(tmp_path, planned, GAME, {})
    now = replace(
        planned, entries=(planned.entries[0], replace(deep, terms=EntryTerms()), replace(deep, name="ann+new@1"))
    )
    usual, kept, new = exported_again(tmp_path, now).league["bots"]
    terms = {
        "arguments": ["--depth", "4"],
        "environment": {"DEPTH": "4"},
        "clock": {"move_ms": 20, "bank_ms": 0, "increment_ms": 0, "start_ms": 10_000},
    }
    assert usual == {"bot": "ann@1", "digest": "tree", "remote": False} | NO_TERMS
    assert kept == {"bot": "ann+deep@1", "digest": "tree", "remote": False, "label": "deep"} | terms
    assert new == {"bot": "ann+new@1", "digest": None, "remote": False, "label": "new"} | terms


def test_an_export_of_a_league_that_is_played_has_what_was_there_when_it_was_first_read(tmp_path: Path) -> None:
    planned = auction_league(("ann", "bob"), deals=4)
    exported(tmp_path, planned, GAME, {}, stops_after=3)
    with open_results(planned, f"sqlite:///{tmp_path / 'store.sqlite'}") as results:
        assert len(results.matches()) == 3
        with Run(tmp_path, planned) as run:
            run.play(FakeExecutor(loses=lambda _, attempt: attempt == 1)).standings()
        assert export(results, tmp_path / "snapshot") == 3
        found = Exported(tmp_path / "snapshot", league_standings(results))
    assert len(found.matches) == len(list(found.folder.rglob("transcripts/**/*.json"))) == 3
    assert len(found.rows) == 6
    expected = {"planned": 8, "played": 3, "remaining": 5, "skipped": 0, "abandoned": 0}
    assert (found.league["matches"], found.league["void"]) == (expected, 0)
    assert found.league["digest"] == found.standings.digest
    assert found.league["seed"] is None


def test_a_league_without_results_is_exported(tmp_path: Path) -> None:
    found = exported(tmp_path, auction_league(), GAME, {}, stops_after=0)
    assert (found.matches, found.rows) == ([], [])
    assert found.league["matches"]["remaining"] == 30
    assert [path.name for path in sorted(found.folder.iterdir())] == FILES


# What an export leaves when it fails.


@pytest.fixture
def before(tmp_path: Path) -> Exported:
    """An earlier export, of a league that has gone on since."""
    found = exported(tmp_path, auction_league(), GAME, {}, stops_after=4)
    with Run(tmp_path, auction_league()) as run:
        run.play(FakeExecutor())
    return found


def contents_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_until_all_three_are_whole_the_files_are_those_of_before(
    before: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = contents_of(before.folder)
    meanwhile: list[dict[str, bytes]] = []

    def watched(*of: Any) -> Any:
        meanwhile.append(contents_of(before.folder))
        return exported_match(*of)

    monkeypatch.setattr(writing, "exported_match", watched)
    exported_again(tmp_path, auction_league())
    assert len(meanwhile) == 30
    for files in meanwhile:
        assert earlier.items() <= files.items()
        assert {name for name in files.keys() - earlier.keys() if not name.endswith(".part")} == set()
    assert len(before.matches) == 30


@pytest.mark.parametrize("how", [KeyboardInterrupt, SystemExit])
def test_an_export_that_is_stopped_leaves_the_files_of_before_and_no_others(
    before: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: type[BaseException]
) -> None:
    def stops(*_of: Any) -> None:
        raise how

    earlier = contents_of(before.folder)
    monkeypatch.setattr(writing, "seat_rows", stops)
    with pytest.raises(how):
        exported_again(tmp_path, auction_league())
    assert contents_of(before.folder) == earlier


def test_a_transcript_gets_its_name_when_it_is_whole(
    before: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stops(_transcript: Transcript) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "to_file", stops)
    earlier = contents_of(before.folder)
    with pytest.raises(KeyboardInterrupt):
        exported_again(tmp_path, auction_league())
    assert contents_of(before.folder).keys() == earlier.keys()
    assert len(before.matches) == 30  # these were whole before


@pytest.mark.parametrize("name", FILES)
def test_where_a_file_cannot_have_its_name_it_is_named_and_nothing_is_left(name: str, tmp_path: Path) -> None:
    (tmp_path / "exported" / name).mkdir(parents=True)
    with pytest.raises(CannotExport, match=rf"exported/{name}: cannot be written: Is a directory$"):
        exported(tmp_path, auction_league(), GAME, {})
    assert not list((tmp_path / "exported").rglob("*.part"))


@pytest.mark.slow
def test_a_full_disk_is_one_sentence_and_leaves_no_half_of_a_file(tmp_path: Path, scratch: Path) -> None:
    file = write_league(tmp_path / "autumn.toml", [BOTS / "random", BOTS / "greedy"], deals=100)
    machine = FakeMachine(FakeExecutor(game=AVENUE), contents)
    with open_run(league_in(file), f"sqlite:///{tmp_path / 'autumn.sqlite'}", machine) as run:
        for _ in run.play():
            pass
    full = ("prlimit", "--fsize=40000")  # SQLite needs 32 KiB to read
    ended = finish(start(tmp_path, scratch, "league", "export", "autumn.toml", "exported", prefix=full))
    assert ended == (2, "", "exported: cannot be written: File too large\n")
    assert list((tmp_path / "exported").iterdir()) == []


def test_others_may_read_what_is_exported_if_the_user_lets_them(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        found = exported(tmp_path, auction_league(deals=1), GAME, {})
    finally:
        os.umask(before)
    files = [path for path in found.folder.rglob("*") if path.is_file()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o644}
    assert len(files) == 3 + 6
    assert json.loads((found.folder / "league.json").read_bytes())["name"] == "autumn"
