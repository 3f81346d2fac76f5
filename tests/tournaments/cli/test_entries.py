"""Bots in a store, by commands: submitted, listed, taken out, given away, and played by runners that are killed."""

import io
import shutil
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from referee.core.bot_limits import FolderLimits
from referee.core.errors import Exit
from tests.cli.command import BOTS, GAME, finish, referee, start
from tests.runtime.rogues import eventually
from tests.runtime.sandbox.needed import needs_bwrap
from tests.tournaments.arena import alive, write_bot, write_league
from tests.tournaments.cli.runs import Place, wait_until
from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tests.tournaments.stores import in_sql
from tests.tournaments.workshops import FakeWorkshop, submitted
from tournaments.play.run import open_run
from tournaments.results.league_location import game_of, league_in
from tournaments.store.pinned_league import contents as pinned_contents
from tournaments.submissions.build_environment import platform_here
from tournaments.submissions.bundle import bundle, pack

HERE = platform_here()
AGAIN = "the organizer can have it checked again: referee entry recheck"
WAITS = "it waits for more bots\n"
OPEN = "[submissions]\nfree_mib = 0\n"


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> FakeWorkshop:
    """The workshop of this machine, which starts no processes."""
    found = FakeWorkshop(HERE)
    monkeypatch.setattr(
        "tournaments.play.environment.LocalEnvironment.build_environment", lambda _machine, _league: found
    )
    return found


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A league to which bots may be submitted, in the current folder. Its store is made there."""
    monkeypatch.chdir(tmp_path)
    return write_league(tmp_path / "autumn.toml", [], deals=4, more=f'sandbox = "landlock"\n{OPEN}')


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    return write_bot(tmp_path / "bots" / "ann", "ann", tmp_path / "log")


def submit(folder: Path, file: Path, *words: str) -> Any:
    return referee("submit", folder, "--to", file, *words)


def test_submit_tells_each_state_and_says_when_the_bot_plays(file: Path, bot: Path, shop: FakeWorkshop) -> None:
    ended = submit(bot, file)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "received\nbuilding\ncompiling\nchecking\nplaying\nentered\nann@1 is entered; it plays from the next run\n"
    )
    again = submit(bot, file)
    assert (again.code, again.err) == (2, "ann@1 is in the league already, with the same files\n")
    (bot / "more").write_text("x")
    changed = submit(bot, file)
    assert (changed.code, changed.err) == (
        2,
        "ann@1 is in the league already; a changed bot needs a new version or label\n",
    )
    assert submit(bot, file, "--label", "b").code == 0
    assert len(shop.built) == 2


def test_a_rejected_bot_ends_with_1_its_log_says_why_and_words_of_bots_are_escaped(
    file: Path, bot: Path, shop: FakeWorkshop
) -> None:
    shop.fails_in_check = "it says \x1b[2J"
    ended = submit(bot, file, "--json")
    assert ended.code == Exit.DOES_NOT_HOLD
    assert ended.json["submission"]["state"] == "rejected"
    assert [part["state"] for part in ended.json["log"]] == ["building", "checking"]
    shown = referee("entry", "ann@1", file, "--log")
    assert shown.code == 0
    assert shown.out.splitlines()[0].startswith("ann@1: rejected since ")
    assert shown.out.splitlines()[-2:] == ["  playing", r"  it says \x1b[2J"]
    assert (submit(bot, file).code, len(referee("entries", file, "--json").json)) == (1, 2), "it may be sent again"
    shop.fails_in_check = None
    assert referee("entry", "recheck", "ann@1", file).out.endswith("ann@1 is entered; it plays from the next run\n")
    assert referee("entry", "disable", "ann@1", file).code == 0
    again = submit(bot, file)
    assert (again.code, again.err) == (
        2,
        f"ann@1 was submitted before with the same files, and is disabled; {AGAIN} ann@1 {file}\n",
    )


def test_all_that_were_rejected_since_a_time_are_checked_again_by_one_command(
    file: Path, tmp_path: Path, shop: FakeWorkshop
) -> None:
    shop.fails_in_check = "a library is missing"
    for name in ("ann", "bob", "cid"):
        assert submit(write_bot(tmp_path / "bots" / name, name, tmp_path / "log"), file).code == 1
    shop.fails_in_check = None
    later = referee("entry", "recheck", file, "--rejected-since", "2999-01-01T00:00")
    assert (later.code, later.out) == (0, "no bot was rejected since then\n")
    every = referee("entry", "recheck", file, "--rejected-since", "2026-01-01T00:00", "--json")
    assert (every.code, [each["state"] for each in every.json]) == (0, ["entered"] * 3)
    for words in (("ann@1", file, "--rejected-since", "2026-01-01"), (file,), ("ann@1", "bob@1", file)):
        wrong = referee("entry", "recheck", *words)
        assert (wrong.code, wrong.err) == (
            2,
            "give a bot and its league file, or --rejected-since TIME and the league file alone\n",
        )
    assert "not a time" in referee("entry", "recheck", file, "--rejected-since", "yesterday").err


def test_a_submission_that_was_interrupted_goes_on_when_the_same_is_submitted_again(
    file: Path, bot: Path, shop: FakeWorkshop
) -> None:
    def interrupt(what: str) -> None:
        if what == "check":
            raise KeyboardInterrupt

    shop._before = interrupt
    submit(bot, file)
    assert referee("entries", file, "--json").json[0]["state"] == "checking"
    shop._before = lambda _what: None
    assert submit(bot, file).out == "checking\nplaying\nentered\nann@1 is entered; it plays from the next run\n"


def test_a_person_gets_a_token_once_and_submits_until_removed(file: Path, bot: Path, shop: FakeWorkshop) -> None:
    nobody = submit(bot, file, "--as", "eva")
    assert (nobody.code, nobody.err) == (2, "there is no person or team eva in the store; persons: none\n")
    added = referee("people", "add", "eva", file, "--token")
    token = added.out.strip()
    assert (len(bytes.fromhex(token)), token in added.err) == (32, False)
    assert in_sql("sqlite:///autumn.sqlite", "SELECT sha256 FROM secret") == [(sha256(token.encode()).hexdigest(),)]
    assert token.encode() not in Path("autumn.sqlite").read_bytes()
    assert submit(bot, file, "--as", "eva").code == 0
    assert [each["author"] for each in referee("entries", file, "--json").json] == ["eva"]
    assert referee("people", "remove", "eva", file).code == 0
    assert submit(bot, file, "--as", "eva", "--label", "b").code == 2
    assert "removed on " in referee("people", "list", file).out
    assert referee("people", "add", "e v a", file).err.startswith("the name 'e v a' is not allowed")
    assert len(shop.built) == 1


def test_the_organizer_takes_out_gives_deletes_and_all_of_it_is_in_the_audit(
    file: Path, bot: Path, shop: FakeWorkshop, tmp_path: Path
) -> None:
    assert referee("entries", file).code == 2  # nothing is there
    submit(bot, file)
    assert referee("entries", file).out.split()[1:4] == ["ann@1", "organizer", "entered"]
    deleted = referee("entry", "delete", "ann@1", file)
    assert (deleted.code, deleted.err) == (
        2,
        "ann@1 plays in the league; withdraw it first\n",
    )
    assert referee("entry", "withdraw", "ann@1", file, "--why", "asked for it").out.startswith("ann@1 is withdrawn; ")
    assert referee("entry", "disable", "ann@1", file).code == 0
    assert "asked for it" in referee("entry", "show", "ann@1", file, "--log").out
    referee("people", "add", "eva", file)
    assert referee("entry", "give", "ann", "eva", file).out == "the name ann belongs to eva\n"
    assert referee("entry", "unpack", "ann@1", file, tmp_path / "out").code == 0
    assert (tmp_path / "out" / "build" / "made").exists()
    assert referee("entry", "unpack", "ann@1", file, tmp_path / "out").code == 2
    assert referee("entry", "delete", "ann@1", file).out == "the files of ann@1 are deleted; its results stay\n"
    assert in_sql("sqlite:///autumn.sqlite", "SELECT count(*) FROM piece") == [(0,)]
    assert referee("entry", "bob@1", file).err == "nothing was submitted to this league as bob@1; submitted: ann@1\n"
    audit = [line.split()[3] for line in referee("entries", file, "--audit").out.splitlines()]
    assert audit == ["submit", "build", "check", "enter", "withdraw", "disable", "add-person", "give", "delete"]
    assert len(shop.checked) == 1


def test_readers_and_runners_of_a_league_that_has_too_few_bots_say_so_and_do_not_fail(
    file: Path, bot: Path, shop: FakeWorkshop
) -> None:
    submit(bot, file)
    for command in ("status", "standings"):
        assert "has no results of autumn" in referee("league", command, file).err
    run = referee("league", "run", file)
    assert (run.code, run.err) == (
        2,
        'autumn cannot be played yet: table simple: 2 seats need as many bots, or seating = "copies"; there is 1\n'
        + WAITS,
    )
    check = referee("league", "check", file)
    assert (check.code, check.err) == (2, run.err)
    assert len(shop.built) == 1


def _play_submitted(file: Path, bot: Path, monkeypatch: pytest.MonkeyPatch, shop: FakeWorkshop) -> None:
    """Submit two bots, and let them play."""
    monkeypatch.setattr("tests.tournaments.fakes.FakeMachine.build_environment", lambda _machine, _league: shop)
    for words in ((), ("--label", "two")):
        assert submit(bot, file, *words).code == 0
    league = league_in(file)
    machine = FakeMachine(FakeExecutor(game=GAME, clock=league.clock), pinned_contents)
    with open_run(league, "sqlite:///autumn.sqlite", machine) as run:
        for _ in run.play():
            pass


def test_a_crosstable_has_the_bots_that_were_submitted(
    file: Path, bot: Path, shop: FakeWorkshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    _play_submitted(file, bot, monkeypatch, shop)
    table = referee("league", "crosstable", file, "--wide").out
    assert {"ann@1", "ann+two@1"} <= set(table.split())
    assert referee("league", "crosstable", file, "--bot", "ann@1").code == 0


def test_a_league_with_bots_and_without_submissions_plays_the_bots_of_its_store_too(
    file: Path, bot: Path, shop: FakeWorkshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    _play_submitted(file, bot, monkeypatch, shop)
    write_league(file, [BOTS / "random", BOTS / "greedy"], deals=4, more='sandbox = "landlock"\n')
    league = league_in(file)
    assert league.submissions is None
    machine = FakeMachine(FakeExecutor(game=GAME, clock=league.clock), pinned_contents)
    with open_run(league, "sqlite:///autumn.sqlite", machine) as run:
        assert [entry.name for entry in run.participants.league.entries] == [
            *("random@1", "greedy@1", "ann@1", "ann+two@1"),
        ]


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.usefixtures("shop")
def test_check_counts_and_tries_the_bots_that_were_submitted(file: Path, bot: Path) -> None:
    for words in ((), ("--label", "two")):
        assert submit(bot, file, *words).code == 0
    store = file.with_name("autumn.sqlite").read_bytes()
    write_league(file, [BOTS / "random"], deals=4, more=f'sandbox = "none"\n{OPEN}')
    found = referee("league", "check", file, "--workers", "1", "--json")
    assert (found.code, found.err) == (0, "")
    assert found.json["planned"]["bots"] == {"random@1": 16, "ann@1": 16, "ann+two@1": 16}
    assert found.json["tried"]["bots"] == 3
    assert file.with_name("autumn.sqlite").read_bytes() == store


@pytest.mark.submissions
@pytest.mark.process
def test_a_real_bot_is_checked_entered_and_plays_in_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write_league(tmp_path / "autumn.toml", [BOTS / "greedy"], deals=1, more=OPEN)
    ended = submit(BOTS / "random", file)
    assert ended.code == 0, ended.err
    assert "  ok    chooses legal actions only" in ended.out
    assert referee("league", "run", file, "--workers", "1").code == 0
    table = referee("league", "standings", file, "--json").json
    assert sorted(line["bot"] for line in table["standings"]) == ["greedy@1", "random@1"]


# Runs


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of a league whose file names the same bots."""
    place = Place(tmp_path_factory.mktemp("named"), tmp_path_factory.mktemp("scratch"), 0, deals=8)
    assert place.ask("run", "--workers", "1").code == 0
    return place.digest()


@pytest.fixture
def place(tmp_path: Path, scratch: Path) -> Place:
    """The same league with both bots in its store."""
    place = Place(tmp_path, scratch, 1, deals=8)
    bots = [place.folder / name for name in ("ann", "bob")]
    file = write_league(place.folder / "autumn.toml", [], deals=8, more=f'luck = "common"\n{OPEN}')
    league = league_in(file)
    for bot in bots:
        packed = io.BytesIO()
        pack(bot, bundle(bot, FolderLimits(size_mib=64)), packed)
        packed.seek(0)
        ended = submitted(place.url, league, FakeWorkshop(HERE), packed, game=game_of(league))
        assert ended.state == "entered"
        shutil.rmtree(bot)
    return place


@pytest.mark.submissions
@pytest.mark.process
def test_runners_that_are_killed_and_whose_unpacked_bots_are_lost_come_to_the_digest_of_bots_in_folders(
    place: Place, expected: str
) -> None:
    process = place.start("--workers", "2")
    wait_until(lambda: place.begun() >= 5, process)
    time.sleep(0.1)
    process.kill()
    finish(process)
    for left in (place.folder / "autumn.sqlite.bots").iterdir():  # as on another machine
        if left.is_dir():
            left.rename(place.scratch.parent / f"{place.scratch.name}-{left.name}")
    ended = place.run("--workers", "1")
    assert ended.code == 0, ended.err
    assert place.digest() == expected
    assert place.ask("verify").code == 0


@pytest.mark.submissions
@pytest.mark.process
def test_a_match_is_played_again_from_the_unpacked_bots_and_an_export_names_what_was_submitted(
    place: Place, tmp_path: Path
) -> None:
    assert place.run("--workers", "2").code == 0
    out = tmp_path / "out"
    assert place.ask("export", out).code == 0
    sources = dict(in_sql(place.url, "SELECT entry, source FROM submission"))
    bots = referee("entries", place.folder / "autumn.toml", "--store", place.url, "--json").json
    assert {each["entry"]: each["source"] for each in bots} == sources
    transcript = next(out.glob("**/deal-0/turn-0.json"))
    assert referee("rerun", transcript, "--sandbox", "none").out == "the same match, choice by choice\n"
    for name in ("ann", "bob"):
        ended = referee(
            "entry", "unpack", f"{name}@1", place.folder / "autumn.toml", tmp_path / name, "--store", place.url
        )
        assert ended.code == 0
    seats = [entry.partition("@")[0] for entry in ("ann@1", "bob@1")]
    moved = [word for name in seats for word in ("--bot", str(tmp_path / name))]
    again = referee("rerun", transcript, *moved, "--sandbox", "none")
    assert again.out == "the same match, choice by choice\n"


@needs_bwrap
@pytest.mark.submissions
@pytest.mark.process
def test_a_submission_that_is_killed_while_it_builds_leaves_no_process_and_is_built_again(
    tmp_path: Path, scratch: Path
) -> None:
    terms = f"{OPEN}build_s = 2\n"
    file = write_league(tmp_path / "autumn.toml", [], deals=1, more=f'sandbox = "bubblewrap"\n{terms}')
    bot = tmp_path / "bot"
    bot.mkdir()
    head = 'name = "slow"\nversion = "1"\nauthor = "t"\ngames = ["*"]\nrun = ["./bot"]\n'
    (bot / "bot.toml").write_text(head + 'build = ["sh", "-c", "(sleep 1000 & echo begun; sleep 1000)"]\n')
    process = start(tmp_path, scratch, "submit", bot, "--to", file)
    assert process.stdout is not None
    while "begun" not in process.stdout.readline():
        pass
    assert alive(scratch)
    process.kill()
    finish(process)
    assert eventually(lambda: not alive(scratch))
    store = ("--store", f"sqlite:///{tmp_path / 'autumn.sqlite'}")
    assert referee("entry", "slow@1", file, "--json", *store).json["submission"]["state"] == "building"
    again = finish(start(tmp_path, scratch, "submit", bot, "--to", file))
    assert (again.code, again.out.splitlines()[-2:]) == (1, ["the build was ended after 2 s", "rejected"])
    assert eventually(lambda: not alive(scratch))
