"""The commands that read a league after it was played. The store is filled without processes."""

import contextlib
import json
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256
from itertools import permutations
from pathlib import Path

import msgspec
import pytest

from referee.core.errors import Exit, WrongUse
from referee.core.game import AnyGame
from tests.cli.command import BOTS, GAME, Ended, referee
from tests.tournaments.arena import write_bot, write_league
from tests.tournaments.fakes import FakeExecutor, FakeMachine, Stopped, fails
from tests.tournaments.leagues import plan
from tests.tournaments.stores import in_sql
from tests.tournaments.trees import keep
from tournaments.league.model import League
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run
from tournaments.play.workers.worker_messages import Crowding
from tournaments.results import verify
from tournaments.results.league_location import league_in
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.store import Store
from tournaments.store.pinned_league import contents

FLAWED = "flawed@1"


class NextRules:
    """A game as a later program has it."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.rules_version = game.rules_version + 1

    def __getattr__(self, name: str) -> object:
        return getattr(self._game, name)


class Place:
    """A league file with its store, played as far as `executor` gets."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        flawed = write_bot(folder / "flawed", "flawed", folder / "log")
        self.file = write_league(folder / "autumn.toml", [BOTS / "random", BOTS / "greedy", flawed], deals=5)
        self.url = f"sqlite:///{folder / 'autumn.sqlite'}"

    @property
    def league(self) -> League:
        return league_in(self.file)

    def play(self, **how: object) -> None:
        executor = FakeExecutor({FLAWED: fails}, game=GAME, clock=self.league.clock, **how)  # type: ignore[arg-type]
        with open_run(self.league, self.url, FakeMachine(executor, contents)) as run:
            for _ in run.play():
                pass

    def pin(self) -> None:
        """Begin the league and play nothing."""
        with open_run(self.league, self.url, LocalEnvironment()):
            pass

    def kept(self) -> AbstractContextManager[StoredLeague]:
        return open_results(self.league, self.url)

    def ask(self, *words: str | Path) -> Ended:
        """`referee league WORD autumn.toml WORDS...` on this store."""
        return referee("league", words[0], self.file, *words[1:], "--store", self.url)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Three bots, one of which always fails and is suspended. For reading only."""
    place = Place(tmp_path_factory.mktemp("played"))
    place.play()
    return place


@pytest.fixture
def own(played: Place, tmp_path: Path) -> Place:
    """A copy that a test may change."""
    shutil.copytree(played.folder, tmp_path / "own", dirs_exist_ok=True)
    place = Place.__new__(Place)
    place.folder, place.file = tmp_path / "own", tmp_path / "own" / "autumn.toml"
    place.url = f"sqlite:///{place.folder / 'autumn.sqlite'}"
    return place


@pytest.mark.parametrize(
    "words",
    [
        *(("entry", word, "ann@1") for word in ("delete", "disable", "recheck")),
        ("entry", "give", "ann", "me"),
        *(("league", word) for word in ("run", "standings", "close")),
        ("serve",),
        ("site",),
    ],
)
def test_an_address_keeps_its_slashes_where_a_command_needs_a_file(words: tuple[str, ...], tmp_path: Path) -> None:
    ended = referee(*words, "https://example.org/leagues/x", *([tmp_path / "site"] if words == ("site",) else []))
    assert ended.code == Exit.WRONG_USE
    assert ended.err == "https://example.org/leagues/x: is an address; this command needs the league file\n"


def test_standings_as_json_have_the_keys_that_programs_rely_on(played: Place) -> None:
    table = played.ask("standings", "--json").json
    keys = "league digest matches void standings separated suspended sides cooperation interim groups seats forgiven"
    assert list(table) == [*keys.split(), "fit", "same_author"]
    assert list(table["matches"]) == ["planned", "played", "remaining", "skipped", "abandoned"]
    names = "rank bot rating sigma interval matches wins draws losses faults score group ranks first may_be_best"
    names += " beats_next best_mix overall last_of mean_decision_ms sides seats draw_share mean_return costs"
    assert [list(line) for line in table["standings"]] == [names.split()] * 3
    assert [line["rank"] for line in table["standings"]] == [1, 2, 3]
    assert (table["league"], table["suspended"], len(table["digest"])) == ("autumn", [FLAWED], 64)
    assert table["matches"] == {"planned": 30, "played": 15, "remaining": 0, "skipped": 15, "abandoned": 0}
    assert sum(line["rating"] for line in table["standings"]) == pytest.approx(75)


def test_standings_for_people_fit_100_columns_and_end_with_the_digest(played: Place) -> None:
    lines = played.ask("standings").out.splitlines()
    assert lines[0] == "autumn: 15 of 30 matches"
    assert max(map(len, lines)) <= 100
    assert any(line.split()[:2] == ["3", FLAWED] for line in lines)
    assert f"suspended: {FLAWED}; 15 matches skipped" in lines
    assert lines[-1] == f"digest: {played.ask('standings', '--json').json['digest']}"


def test_a_long_name_is_shortened_in_the_table_and_told_in_full_below(own: Place) -> None:
    name = "a-bot-with-a-name-longer-than-anybody-else-would-think-sensible"
    bot = write_bot(own.folder / "long", name, own.folder / "log")
    own.file.write_text(own.file.read_text().replace(str(BOTS / "greedy"), str(bot)))
    lines = own.ask("standings").out.splitlines()
    assert max(map(len, lines)) <= 100
    assert f"names in full: {name}@1" in lines
    assert f" {name}@1 " in own.ask("standings", "--wide").out


def test_sides_and_seats_are_told_when_asked_for(played: Place) -> None:
    short = played.ask("standings").out.splitlines()
    assert "by seat, without matches that a fault cut short" not in short
    long = played.ask("standings", "--seats", "--sides").out.splitlines()
    assert "by seat, without matches that a fault cut short" in long
    assert "by side: sides differ at no table" in long
    assert next(line.split() for line in long if line.startswith("simple"))[:4] == ["simple", "0", "all", "bots"]


def test_a_table_of_a_league_that_goes_on_says_first_that_it_is_interim(own: Place) -> None:
    own.file.write_text(own.file.read_text().replace("deals = 5", "deals = 9"))
    for command in ("standings", "crosstable"):
        assert own.ask(command).out.startswith("interim: 15 of ")
        assert own.ask(command, "--json").json["interim"] is True


def test_the_crosstable_as_json_has_every_pair_both_ways(played: Place) -> None:
    table = played.ask("crosstable", "--json").json
    assert list(table) == ["league", "digest", "matches", "void", "interim", "groups", "pairs", "fit"]
    names = "matches score expected difference interval beats unusual bot against points"
    assert [list(pair) for pair in table["pairs"]] == [names.split()] * 6
    bots = [name for group in table["groups"] for name in group]
    assert [(pair["bot"], pair["against"]) for pair in table["pairs"]] == list(permutations(bots, 2))
    assert table["digest"] == played.ask("standings", "--json").json["digest"]


def test_the_crosstable_can_be_asked_for_one_bot(played: Place) -> None:
    lines = played.ask("crosstable", "--bot", "random@1").out.splitlines()
    assert lines[0] == "autumn: score against the bot of each number"
    _heading, _rule, *pairs = lines[lines.index("two by two") + 1 : lines.index("two by two") + 5]
    assert sorted(line.split()[:2] for line in pairs) == [["random@1", FLAWED], ["random@1", "greedy@1"]]


def test_status_tells_the_seed_when_nothing_remains(played: Place) -> None:
    status = played.ask("status", "--json").json
    with played.kept() as kept:
        pinned, stored = kept.pinned, len(kept.matches())
    assert status == {
        "league": "autumn",
        "seed_sha256": pinned.commitment,
        "seed": pinned.seed,
        "progress": {
            "waves": 1,
            "matches": {"planned": 30, "played": 15, "remaining": 0, "skipped": 15, "abandoned": 0},
            "void": 0,
            "machine_busy": 0,
            "stored": stored,
        },
        "suspended": [FLAWED],
        "sandboxes": {},
        "fleet": None,
        "forgiven": {},
        "seats": [],
    }
    assert f"suspended: {FLAWED}\n" in played.ask("status").out


def test_the_report_tells_the_organizer_whether_bots_remember_deals_while_deals_are_open(tmp_path: Path) -> None:
    place = serious(tmp_path)
    place.play()
    assert (
        "\nno bot was noticed to play better on deals that were played before\n"
        in place.ask("report", tmp_path / "to").out
    )
    told = place.ask("report", tmp_path / "to", "--json").json
    assert told["files"] == [str(tmp_path / "to" / name) for name in ("report.md", "report.html")]
    assert told["memory"]["needed"] == 300
    assert {each["bot"] for each in told["memory"]["bots"]} == {"random@1", "greedy@1", FLAWED}
    assert "played before" not in (tmp_path / "to" / "report.md").read_text()


def serious(folder: Path) -> Place:
    """A league whose seed nobody can guess."""
    place = Place(folder)
    text = place.file.read_text().replace('seed = "7"\n', "").replace("rehearsal = true\n", "")
    place.file.write_text(text)
    return place


def test_status_keeps_the_seed_secret_until_the_league_is_closed_and_close_tells_it(tmp_path: Path) -> None:
    place = serious(tmp_path)
    place.play()
    assert place.ask("status", "--json").json["seed"] is None
    assert "seed: kept secret until the league is closed\n" in place.ask("status").out
    ended = place.ask("run")
    assert ended.code == 0
    with place.kept() as kept:
        seed, commitment = kept.pinned.seed, kept.pinned.commitment
    assert seed not in ended.out + ended.err
    assert (
        f"to publish the seed, close the league, which then takes no more bots: referee league close {place.file}"
        in ended.err
    )
    closed = place.ask("close")
    assert closed.code == 0
    assert closed.out.splitlines() == [
        "autumn is closed: 15 matches count, 15 are left out",
        f"its seed was {seed} (SHA-256 {commitment})",
    ]
    assert place.ask("close", "--json").json == {
        "league": "autumn",
        "played": 15,
        "left_out": 15,
        "seed": seed,
        "seed_sha256": commitment,
    }
    assert place.ask("status", "--json").json["seed"] == seed


def test_a_league_in_which_matches_remain_is_closed_only_if_that_is_said(tmp_path: Path) -> None:
    place = serious(tmp_path)
    with contextlib.suppress(Stopped):
        place.play(stops_after=5)
    before = place.ask("status", "--json").json
    matches = before["progress"]["matches"]
    left, counts = matches["remaining"], matches["played"]
    assert left > 10
    refused = place.ask("close")
    assert refused.code == 2
    told = (
        f"{matches['remaining']} matches of autumn remain; play on (referee league run), or close it without the rest"
    )
    assert told in refused.err
    assert place.ask("status", "--json").json == before
    assert before["seed"] is None
    closed = f"autumn is closed: {counts} matches count, {30 - counts} are left out\n"
    assert place.ask("close", "--abandon").out.startswith(closed)
    for words in (("run",), ("enter", BOTS / "counter"), ("reinstate", FLAWED)):
        late = place.ask(*words)
        assert (late.code, late.out) == (2, "")
        assert "autumn is closed, so nobody enters it and nothing more is played; begin a new league" in late.err


def test_standings_of_a_league_without_results_are_a_table(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.pin()
    ended = place.ask("standings", "--json")
    assert ended.code == 0
    assert ended.json["matches"]["played"] == 0


def test_matches_are_listed_once_each_the_latest_deal_first(played: Place) -> None:
    lines = [line for line in played.ask("matches").out.splitlines() if not line.startswith(" ")]
    with played.kept() as kept:
        stored = {result.fixture for result in kept.matches()}
    listed = [line.split()[0] for line in lines]
    assert sorted(listed) == sorted(stored)
    deals = [int(re.findall(r"/deal-(\d+)/", each)[0]) for each in listed]
    assert deals == sorted(deals, reverse=True)
    assert len(set(deals)) > 1


def test_faults_are_listed_with_the_reason(played: Place) -> None:
    lines = played.ask("matches", "--faults").out.splitlines()
    assert len(lines) == 2 * (len(played.ask("matches", "--bot", FLAWED).out.splitlines()) // 2)
    assert "  fault  " in lines[0]
    assert lines[0].endswith(f"; {FLAWED}: illegal")
    assert lines[1].startswith(f"    {FLAWED} (seat ")
    assert "chose index 9 at decision 1" in lines[1]


def test_matches_as_json_are_one_line_each(played: Place) -> None:
    lines = [json.loads(line) for line in played.ask("matches", "--json", "--faults").out.splitlines()]
    assert {line["ending"] for line in lines} == {"fault"}
    flawed = [seat for line in lines for seat in line["seats"] if seat["bot"] == FLAWED]
    assert {seat["fault"] for seat in flawed} == {"illegal"}
    assert len(flawed) == len(lines)
    assert all(line["sentences"] for line in lines)


def test_verify_holds_the_trees_of_bots_in_the_store_too(own: Place) -> None:
    with Store(own.url, "autumn") as store:
        keep(store, {"bot.toml": b"whole"})
        broken = keep(store, {"bot.toml": b"broken"})
    assert own.ask("verify").out.endswith("\n2 trees of bots checked: all hold\n")
    in_sql(own.url, "UPDATE piece SET content = :junk WHERE digest = :it", junk=b"x", it=sha256(b"broken").hexdigest())
    ended = own.ask("verify")
    assert ended.code == Exit.DOES_NOT_HOLD
    assert f"the tree {broken} of a bot: its piece {sha256(b'broken').hexdigest()} is damaged" in ended.out
    assert ended.out.endswith("\n2 trees of bots checked: 1 do not hold\n")
    assert set(own.ask("verify", "--json").json["damaged_trees"]) == {broken}


def test_verify_holds_what_was_played(played: Place) -> None:
    stored = len(played.ask("matches", "--json").out.splitlines())
    assert played.ask("verify") == (0, f"{stored} matches checked: all hold\n", "")
    assert played.ask("verify", "--json").json == {
        "league": "autumn",
        "matches": stored,
        "differences": {},
        "not_played": {},
        "trees": 0,
        "damaged_trees": {},
    }


def test_verify_counts_the_matches_of_rules_that_it_does_not_play_in_one_line(
    own: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = len(own.ask("matches", "--json").out.splitlines())
    monkeypatch.setattr(verify, "game_of", lambda _: NextRules(GAME))
    line = f"{stored} matches of rules version {GAME.rules_version}, which this program does not play; check them with"
    assert own.ask("verify") == (2, f"{line} the referee that played them\n0 matches checked: all hold\n", "")


def test_verify_says_what_is_wrong_with_many_matches_once(own: Place) -> None:
    in_sql(own.url, "UPDATE seat SET decisions = 77 WHERE seat = 0")
    ended = own.ask("verify")
    assert ended.code == 1
    assert len(ended.out.splitlines()) < len(own.ask("matches", "--json").out.splitlines())
    assert re.search(r"^\S+ and \d+ others: seat 0: decisions is stored as 77, but its", ended.out, re.MULTILINE)


def test_verify_names_a_changed_choice_and_the_digest_is_another(own: Place) -> None:
    before = own.ask("standings", "--json").json["digest"]
    with own.kept() as kept:
        fixture, transcript = next(each for each in kept.store.transcripts() if each[1].record.choices)
    whole = json.loads(transcript.record.canonical())
    whole["choices"][0][1] += 1  # in a match that a fault cut short, so the rules alone would not notice
    record = json.dumps(whole, separators=(",", ":"), ensure_ascii=False).encode()
    change = "UPDATE transcript SET record = :record, aside = :aside, dictionary = 0 WHERE fixture = :fixture"
    in_sql(own.url, change, record=record, aside=msgspec.json.encode(transcript.metadata), fixture=fixture)
    ended = own.ask("verify")
    assert ended.code == 1
    assert ended.out.startswith(f"{fixture}: ")
    assert ended.out.endswith("matches checked: 1 do not hold\n")
    in_sql(own.url, "DELETE FROM answer")  # a kept table follows the digests that were stored
    assert own.ask("standings", "--json").json["digest"] != before


def test_what_is_exported_verifies(played: Place, tmp_path: Path) -> None:
    ended = played.ask("export", tmp_path / "all")
    files = sorted((tmp_path / "all" / "transcripts").rglob("*.json"))
    lines = (tmp_path / "all" / "matches.jsonl").read_text().splitlines()
    assert ended == (0, f"{len(lines)} matches written to {tmp_path / 'all'}\n", "")
    assert len(files) == len(lines)
    assert referee("verify", *files).code == 0
    fixture = json.loads(lines[0])["fixture"]
    assert tmp_path / "all" / "transcripts" / f"{fixture}.json" in files


def test_a_folder_that_cannot_be_written_is_one_sentence(played: Place, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = played.ask("export", tmp_path / "file")
    assert ended == (2, "", f"{tmp_path / 'file'}: cannot be written: File exists\n")


def test_reinstating_lifts_a_suspension(own: Place) -> None:
    assert own.ask("reinstate", FLAWED).code == 0
    status = own.ask("status", "--json").json
    assert status["suspended"] == []
    matches = status["progress"]["matches"]
    assert (matches["remaining"] > 0, matches["skipped"]) == (True, 0)


@pytest.mark.parametrize(
    "words", [("reinstate", "nobody@1"), ("matches", "--bot", "nobody@1"), ("crosstable", "--bot", "nobody@1")]
)
def test_a_bot_that_is_not_in_the_league_is_named_with_those_that_are(played: Place, words: tuple[str, ...]) -> None:
    sentence = f"there is no bot nobody@1 in autumn; its bots: {FLAWED}, greedy@1, random@1\n"
    assert played.ask(*words) == (2, "", sentence)


@pytest.mark.process
@pytest.mark.usefixtures("scratch")
def test_a_run_says_at_its_start_which_bots_will_never_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalEnvironment, "executor", lambda *_: nullcontext(FakeExecutor(game=GAME)))
    bots = [write_bot(tmp_path / name, name, tmp_path / "log") for name in ("ann", "bob", "cid", "dan")]
    file = write_league(tmp_path / "autumn.toml", bots, 1, "format = { kind = 'round-robin', matches = 2 }")
    ended = referee("league", "run", file, "--store", f"sqlite:///{tmp_path / 'autumn.sqlite'}")
    assert "autumn: matches = 2 makes 2 groups of bots that never meet, so ratings cannot compare" in ended.err
    assert ended.err.index("never meet") < ended.err.index("SHA-256")


@pytest.mark.parametrize("command", ["standings", "crosstable", "status", "matches", "verify", "retry"])
def test_a_league_that_was_never_run_is_said_to_be(played: Place, command: str, tmp_path: Path) -> None:
    nowhere = f"sqlite:///{tmp_path / 'none.sqlite'}"
    ended = referee("league", command, played.file, "--store", nowhere)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"{tmp_path / 'none.sqlite'} has no results of autumn; run it first")
    assert not (tmp_path / "none.sqlite").exists()


def test_the_store_is_by_default_named_after_the_file_in_the_current_folder(
    played: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(played.folder)
    assert referee("league", "status", "autumn.toml") == played.ask("status")


def test_from_another_folder_the_store_beside_the_file_is_named_and_not_read(
    played: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    beside = f"--store {played.url}"
    reading = ("standings", "crosstable", "status", "watch", f"log {FLAWED}", "prune --older-than 9d")
    for command, *words in map(str.split, reading):
        ended = referee("league", command, played.file, *words)
        assert (ended.code, ended.out) == (2, "")
        assert f"there is no store {tmp_path / 'autumn.sqlite'}; one lies beside the league file" in ended.err
        assert ended.err.endswith(f"{beside}\n")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr("tournaments.cli.run.open_run", stopped)
    ended = referee("league", "run", played.file)
    said = f"{played.folder}/autumn.sqlite beside the league file is not read; to go on with it, add {beside}"
    assert said in ended.err


def stopped(*_: object, **__: object) -> None:
    raise WrongUse("stopped")


def test_a_store_in_a_folder_that_does_not_exist_is_said_to_be(played: Place, tmp_path: Path) -> None:
    for command in ("run", "standings", "status", "watch", "close", "verify"):
        ended = referee("league", command, played.file, "--store", f"sqlite:///{tmp_path}/none/x.sqlite")
        assert (ended.code, ended.out) == (2, "")
        assert f"{tmp_path}/none does not exist" in ended.err


def test_after_a_league_is_closed_nothing_is_interim(own: Place) -> None:
    own.file.write_text(own.file.read_text().replace("deals = 5", "deals = 9"))
    assert own.ask("standings", "--json").json["interim"] is True
    assert own.ask("close", "--abandon").code == 0
    for command in ("standings", "crosstable"):
        assert "interim" not in own.ask(command).out
        assert own.ask(command, "--json").json["interim"] is False


def test_every_command_finds_the_store_that_the_file_names_from_any_folder(
    own: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.file.write_text(f'store = "autumn.sqlite"\n{own.file.read_text()}')
    monkeypatch.chdir(tmp_path)
    for command in ("run", "standings", "status", "matches", "verify"):
        assert referee("league", command, "own/autumn.toml").code == 0
    assert f"autumn: results are kept in {own.folder}/autumn.sqlite\n" in referee("league", "run", own.file).err
    assert "has no results" in referee("league", "status", own.file, "--store", "sqlite:///other.sqlite").err
    assert [path.name for path in tmp_path.iterdir()] == ["own"]


def test_a_run_says_first_where_its_results_are_and_last_with_which_command_to_go_on(
    own: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own.folder)
    lines = referee("league", "run", "autumn.toml", "--workers", "2").err.splitlines()
    assert lines[0] == f"autumn: results are kept in {own.folder}/autumn.sqlite"
    command = "referee league run autumn.toml --workers 2"
    place = f"results are kept in {own.folder}/autumn.sqlite. To play what you add to the league later: {command}"
    assert place in lines


def test_another_league_in_the_same_store_has_no_results(played: Place, tmp_path: Path) -> None:
    other = tmp_path / "spring.toml"
    other.write_text(played.file.read_text().replace('"autumn"', '"spring"'))
    assert "has no results of spring" in referee("league", "status", other, "--store", played.url).err


def test_every_mistake_in_a_league_file_is_named_at_once(played: Place, tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    text = played.file.read_text().replace("seats = 2", "seats = 7").replace("deals = 5", "deals = 0")
    file.write_text(text.replace(str(BOTS / "greedy"), "nowhere") + "colour = 3\n")
    ended = referee("league", "run", file)
    assert (ended.code, ended.out) == (2, "")
    assert [line.split(": ")[1] for line in ended.err.splitlines()] == [
        "deals",
        "bots[1].path",
        "tables[0].colour",
        "tables[0].seats",  # more than the bots
        "tables[0].seats",  # more than the rules allow
    ]
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("url", "code", "sentence"),
    [
        ("nonsense", 2, "'nonsense' is no address of a store; write sqlite:///FILE or postgresql://..."),
        ("mysql://host/x", 2, "mysql://host/x: stores are kept in sqlite or postgresql only"),
    ],
)
def test_an_address_that_no_store_has_is_wrong_use(played: Place, url: str, code: int, sentence: str) -> None:
    for command in ("run", "standings"):
        assert referee("league", command, played.file, "--store", url) == (code, "", f"{sentence}\n")


def test_a_file_that_is_no_store_is_our_failure_in_one_sentence(played: Place, tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_text("no database, " * 100)
    ended = referee("league", "standings", played.file, "--store", f"sqlite:///{tmp_path / 'text.sqlite'}")
    assert ended.code == 3
    assert ended.err.endswith("could not be opened: file is not a database\n")
    assert len(ended.err.splitlines()) == 1


@pytest.mark.parametrize("command", ["standings", "crosstable", "status", "matches", "verify", "export"])
def test_to_ask_changes_nothing_in_a_store(own: Place, command: str, tmp_path: Path) -> None:
    """But a table that took long to compute stays in the store, in a table of its own."""
    before = dump(own.folder / "autumn.sqlite")
    ended = own.ask(command, *([tmp_path / "exported"] if command == "export" else []))
    assert ended.code == 0
    assert dump(own.folder / "autumn.sqlite") == before


def dump(store: Path) -> list[str]:
    """All that is in a store but for kept answers, as SQL."""
    with contextlib.closing(sqlite3.connect(store)) as connection:
        return [line for line in connection.iterdump() if not re.match(r'(CREATE TABLE|INSERT INTO) "?answer', line)]


def test_to_ask_a_database_of_others_changes_nothing_in_it(played: Place, tmp_path: Path) -> None:
    file = tmp_path / "players.sqlite"
    in_sql(f"sqlite:///{file}", "CREATE TABLE player (name TEXT)")
    before = file.read_bytes()
    ended = referee("league", "standings", played.file, "--store", f"sqlite:///{file}")
    assert ended.code == 2
    assert "has no results of autumn" in ended.err
    assert file.read_bytes() == before


def test_a_driver_that_is_not_installed_is_our_failure_in_one_sentence(
    played: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for command in ("run", "standings"):
        ended = referee("league", command, played.file, "--store", "postgresql://me:secret@host/db")
        assert (ended.code, ended.out) == (3, "")
        assert ended.err.startswith("the store postgresql://me:***@host/db cannot be opened without psycopg (")
        assert ended.err.endswith("; install referee[postgresql]\n")
        assert len(ended.err.splitlines()) == 1


# `run`, without processes


def test_a_run_on_a_busy_machine_says_first_who_shares_a_core_then_each_void_and_last_how_many_there_were(
    own: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.file.write_text(own.file.read_text().replace("deals = 5", "deals = 6"))
    (void, _) = honest(own)[-2:]
    fake = FakeExecutor(
        game=GAME, busy=lambda fixture, attempt: fixture.id == void and attempt == 1, ahead=2, crowding=Crowding(2, 1)
    )
    monkeypatch.setattr(LocalEnvironment, "executor", lambda *_: nullcontext(fake))
    ended = own.ask("run")
    assert ended.code == 0
    lines = ended.err.splitlines()
    told = [
        "2 workers share 1 free core: ",
        f"void: {void}: the bot waited for a core; the match is played again",
        "1 match was void because the machine was too busy; it was played again. ",
    ]
    assert [next(at for at, line in enumerate(lines) if line.startswith(words)) for words in told] == [1, 3, 4]
    again = own.ask("run")
    assert "share" not in again.err
    assert "void" not in again.err


# `run`, where nothing is left to play


def test_a_run_with_nothing_left_says_who_is_suspended_and_tells_the_seed(own: Place) -> None:
    ended = own.ask("run")
    assert (ended.code, ended.out) == (0, own.ask("standings").out)
    assert f"{FLAWED} is suspended: 5 of its 5 matches ended by its fault; 15 matches are skipped" in ended.err
    assert "done; the seed was " in ended.err


def honest(place: Place) -> list[str]:
    """The matches that no suspension skips."""
    return [fixture.id for fixture in plan(place.league) if FLAWED not in fixture.entries]


def abandoning(folder: Path, count: int) -> tuple[Place, list[str]]:
    """A league in which so many matches were abandoned, and all others played; and these matches."""
    place = Place(folder)
    lost = honest(place)[:count]
    place.play(loses=lambda fixture, _attempt: fixture.id in lost)
    return place, lost


def test_abandoned_matches_are_listed_with_what_takes_them_up_and_end_a_run_with_our_failure(tmp_path: Path) -> None:
    place, (lost,) = abandoning(tmp_path, 1)
    ended = place.ask("run")
    assert ended.code == 3
    assert ended.err.endswith(
        f"1 match is abandoned, void too often:\n  {lost}\n"
        f"take up again what is abandoned with: referee league retry {place.file} --store {place.url}\n"
    )


def test_retry_takes_up_all_that_is_abandoned_and_the_league_ends_as_if_nothing_had_been_void(
    tmp_path: Path, played: Place
) -> None:
    place, _ = abandoning(tmp_path, 2)
    assert place.ask("status", "--json").json["progress"]["matches"]["abandoned"] == 2
    ended = place.ask("retry")
    assert ended == (0, "2 matches are taken up again; run the league again to play them\n", "")
    status = place.ask("status", "--json").json
    assert (status["progress"]["matches"]["abandoned"], status["progress"]["void"]) == (0, 6)
    place.play()
    assert place.ask("run").code == 0
    digests = [one.ask("standings", "--json").json["digest"] for one in (place, played)]
    assert digests[0] == digests[1]


def test_retry_takes_up_the_matches_that_are_named_and_no_other(tmp_path: Path) -> None:
    place, (first, second) = abandoning(tmp_path, 2)
    ended = place.ask("retry", second)
    assert ended == (0, "1 match is taken up again; run the league again to play it\n", "")
    assert place.ask("retry", second) == (
        2,
        "",
        f"{second} is not abandoned in autumn; its abandoned matches: {first}\n",
    )
    place.play(loses=lambda fixture, _attempt: fixture.id == second)
    assert place.ask("status", "--json").json["progress"]["matches"]["abandoned"] == 2  # it was void three times more


def test_a_match_that_is_not_abandoned_is_no_match_to_retry_and_nothing_is_taken_up(tmp_path: Path) -> None:
    place, (lost,) = abandoning(tmp_path, 1)
    ended = place.ask("retry", lost, "deal-\x1b[2J")
    assert ended == (2, "", f"deal-\\x1b[2J is not abandoned in autumn; its abandoned matches: {lost}\n")
    assert place.ask("status", "--json").json["progress"]["matches"]["abandoned"] == 1


def test_retry_where_nothing_is_abandoned_says_so_and_changes_nothing(own: Place) -> None:
    before = dump(own.folder / "autumn.sqlite")
    assert own.ask("retry") == (0, "no match is abandoned\n", "")
    assert own.ask("retry", "deal-0") == (
        2,
        "",
        "deal-0 is not abandoned in autumn; its abandoned matches: none\n",
    )
    assert dump(own.folder / "autumn.sqlite") == before


def test_status_tells_how_many_matches_were_void_because_the_machine_was_busy(tmp_path: Path) -> None:
    place = Place(tmp_path)
    busy, lost = honest(place)[:2]
    place.play(
        busy=lambda fixture, attempt: fixture.id == busy and attempt <= 5,
        loses=lambda fixture, attempt: fixture.id == lost and attempt == 1,
    )
    progress = place.ask("status", "--json").json["progress"]
    assert (progress["void"], progress["machine_busy"]) == (6, 5)
    assert (progress["matches"]["abandoned"], progress["matches"]["remaining"]) == (0, 0)
    assert "void: 6\nmachine busy: 5\n" in place.ask("status").out


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('seed = "7"', 'seed = "8"'), "its seed is a different one"),
        (("move_ms = 300_000", "move_ms = 5"), "its clock was"),
    ],
)
def test_a_changed_league_is_refused_in_one_sentence(own: Place, change: tuple[str, str], sentence: str) -> None:
    own.file.write_text(own.file.read_text().replace(*change))
    ended = own.ask("run")
    assert ended.code == 2
    assert sentence in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_changed_bot_under_an_old_version_is_refused(own: Place) -> None:
    text = own.file.read_text()
    folder = next(line for line in text.splitlines() if "/flawed" in line).split('"')[1]
    copy = own.folder / "copy"
    shutil.copytree(folder, copy)
    (copy / "more.py").touch()
    own.file.write_text(text.replace(folder, str(copy)))
    ended = own.ask("run")
    assert ended.code == 2
    assert f"the files of {FLAWED} have changed (a changed bot needs a new version in its bot.toml)" in ended.err


def test_a_bot_that_was_built_anew_stops_the_run_with_what_to_do_and_can_be_accepted(own: Place) -> None:
    text = own.file.read_text()
    folder = Path(next(line for line in text.splitlines() if "/flawed" in line).split('"')[1])
    (folder / "build").mkdir()
    (folder / "build" / "bot").touch()
    ended = own.ask("run")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        f"the build output of {FLAWED} has changed since the last run, and the sources have not;"
        " put the old output back, or play on with the new one: referee league run --accept-builds\n"
    )
    assert own.ask("compare", FLAWED, "random@1").code == 0
    assert own.ask("run", "--accept-builds").code == 0
    assert own.ask("run").code == 0


def test_the_limits_of_the_league_file_hold_for_the_bots_folders(own: Place) -> None:
    own.file.write_text(own.file.read_text() + "[folders]\nfiles = 1\n")
    ended = own.ask("run")
    assert ended.code == 2
    assert "sample_bots/python/random: has more than 1 files, folders and links" in ended.err
    assert "Traceback" not in ended.err


def test_voids_are_counted_in_the_notes(own: Place) -> None:
    in_sql(own.url, "INSERT INTO void VALUES (1, 'autumn', 'one', 'lost', 0, FALSE, TRUE, '')")
    assert "void: 1; abandoned: 0" in own.ask("standings").out


@pytest.mark.slow
def test_only_a_table_that_is_not_kept_waits_for_numpy_and_scipy(own: Place) -> None:
    store = ("--store", own.url)
    in_sql(own.url, "DELETE FROM answer")
    status, matches, standings, crosstable = (
        ("league", table, str(own.file), *store) for table in ("status", "matches", "standings", "crosstable")
    )
    assert rates(("--help",), status, matches, standings) == [False, False, False, True]
    assert rates(standings, crosstable) == [False, True]
    assert rates(standings, crosstable) == [False, False]


def test_workers_do_not_wait_for_what_reads_files_keeps_results_or_calls_bots_elsewhere() -> None:
    (packages,) = loaded("import tournaments.play.workers.worker, referee.runtime.local_bot")
    assert packages.isdisjoint({"pydantic", "sqlalchemy", "grpc", "networkx"})


def test_to_ask_a_league_nobody_waits_for_grpc_and_postgresql_nor_a_run_and_its_workers_for_numpy_and_scipy() -> None:
    asking = "import sys\nimport tournaments.cli.league\nassert 'sqlalchemy.dialects.postgresql' not in sys.modules"
    asked, played = loaded(asking, "import tournaments.play.environment, tournaments.play.workers.worker")
    assert "sqlalchemy" in asked
    assert asked.isdisjoint({"grpc", "google", "referee_bot", "uvloop"})
    assert played.isdisjoint({"numpy", "scipy", "trueskill"})


def rates(*commands: tuple[str, ...]) -> list[bool]:
    """For each of these commands of one process, whether what only ratings need is loaded after it."""
    scripts = (
        "import contextlib, sys\n"
        "from referee.cli.main import main\n"
        f"sys.argv = {['referee', *words]!r}\n"
        "with contextlib.suppress(SystemExit): main()"
        for words in commands
    )
    return [bool(packages & {"numpy", "scipy", "trueskill"}) for packages in loaded(*scripts)]


def loaded(*scripts: str) -> list[set[str]]:
    """The packages that a program has imported at the end of each of its parts."""
    tell = "import sys; print('loaded', *{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    whole = "\n".join(f"{script}\n{tell}" for script in scripts)
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True)
    return [set(line.split()[1:]) for line in done.stderr.splitlines() if line.startswith("loaded ")]
