"""`compare` and `league compare` as a user sees them, with real bots."""

import json
import shlex
import shutil
import signal
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from referee.wire.registry import game_entry
from tests.cli.command import BOTS, GAME, UNBOXED, Ended, finish, referee, start
from tests.runtime.remotes import serving
from tests.runtime.rogues import eventually
from tests.tournaments.arena import PATIENT, alive, starts, write_bot, write_league
from tests.tournaments.cli.runs import wait_until
from tests.tournaments.fakes import FakeExecutor, FakeMachine, bids_high
from tournaments.cli import compare as comparing
from tournaments.cli import progress
from tournaments.comparison.compare import league_of
from tournaments.league.model import League
from tournaments.play.environment import LocalEnvironment
from tournaments.play.loop import MOST
from tournaments.play.run import open_run
from tournaments.play.workers.worker_messages import Crowding
from tournaments.results.league_location import league_in
from tournaments.store.pinned_league import contents

pytestmark = pytest.mark.process

FIELDS = ["verdict", "deals", "mean", "interval", "matches"]
COUNTER, GREEDY, RANDOM = BOTS / "counter", BOTS / "greedy", BOTS / "random"
VERY_PATIENT = ("--move-ms", "300000", "--start-ms", "300000")


@pytest.fixture
def compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ended]:
    """Compare, in an empty folder; with one worker, unless the words say otherwise."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: referee("compare", "--workers", "1", *words, *VERY_PATIENT, *UNBOXED)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeExecutor:
    """Plays without processes, what its bots choose by their seeds."""
    fake = FakeExecutor(game=GAME)
    monkeypatch.setattr(LocalEnvironment, "executor", lambda *_: nullcontext(fake))
    return fake


@pytest.mark.slow
def test_random_is_worse_than_greedy(compare: Callable[..., Ended]) -> None:
    """That greedy is better than random is what docs/compare.md shows; `tests/test_compare_doc.py` plays it."""
    worse = compare(RANDOM, GREEDY, "--game", "agent-avenue")
    assert (worse.code, worse.out.splitlines()[0]) == (0, "worse: the new random@1 is worse than the old greedy@1")


@pytest.mark.slow
def test_json_says_the_same_with_any_number_of_workers(compare: Callable[..., Ended]) -> None:
    words = (COUNTER, RANDOM, "--game", "agent-avenue", "--seed", "7", "--json")
    one = compare(*words, "--workers", "1", "--store", "sqlite:///one.sqlite")
    two = compare(*words, "--workers", "2", "--store", "sqlite:///two.sqlite")
    assert one.out == two.out
    found = one.json
    assert (found["verdict"], found["matches"]) == ("better", 2 * found["deals"])
    assert [field for field in found if field in FIELDS] == FIELDS
    assert found["interval"][0] >= 0
    assert (found["new"], found["old"], found["left_out"], found["alike"]) == ("counter@1", "random@1", 0, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "words", "matches"),
    [
        ("agent-avenue", [GREEDY, RANDOM, "--option", "line_up=2v1"], 2),
        ("inside-job", [BOTS / "careful", RANDOM], 6),
        ("agonia", [BOTS / "defender", RANDOM], 2),
    ],
)
def test_bots_are_compared_in_every_game(
    compare: Callable[..., Ended], game: str, words: list[str | Path], matches: int
) -> None:
    found = compare(*words, "--game", game, "--max-deals", "2", "--seed", "3", "--json").json
    assert (found["deals"], found["matches"]) == (2, 2 * matches)
    assert found["new_faults"] == found["old_faults"] == 0
    assert -1 <= found["interval"][0] < found["mean"] < found["interval"][1] <= 1


@pytest.mark.parametrize(
    ("game", "words", "matches"),
    [
        ("agent-avenue", [GREEDY, RANDOM, "--option", "line_up=2v2"], 2),
        ("agent-avenue", [GREEDY, RANDOM, "--option", "line_up=2v2", "--against", BOTS / "counter"], 4),
        ("agent-avenue", [GREEDY, RANDOM, "--against", BOTS / "counter", "--against", RANDOM], 8),
        ("inside-job", [BOTS / "careful", RANDOM, "--seats", "4", "--against", RANDOM], 8),
        ("agonia", [BOTS / "defender", RANDOM, "--seats", "3", "--against", BOTS / "shooter"], 6),
    ],
)
def test_on_each_deal_bots_sit_at_every_seat_with_all_that_they_are_compared_against(
    compare: Callable[..., Ended],
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    words: list[str | Path],
    matches: int,
) -> None:
    fake = FakeExecutor(game=game_entry(game).game)
    monkeypatch.setattr(LocalEnvironment, "executor", lambda *_: nullcontext(fake))
    found = compare(*words, "--game", game, "--max-deals", "2", "--seed", "3", "--json").json
    assert (found["deals"], found["matches"]) == (2, 2 * matches)
    assert fake.started.total() == 2 * matches


@pytest.mark.usefixtures("fake")
def test_bots_with_the_same_content_are_said_to_have_it_and_do_not_differ(
    compare: Callable[..., Ended], tmp_path: Path
) -> None:
    shutil.copytree(GREEDY, tmp_path / "copy")
    ended = compare(GREEDY, tmp_path / "copy", "--game", "agent-avenue", "--margin", "0.2", "--seed", "7")
    assert ended.out.startswith("no difference: the new greedy@1 and the old greedy@1 differ by less than the margin\n")
    assert "the new bot and the old one have the same content" in ended.err


@pytest.mark.usefixtures("fake")
def test_a_bot_that_has_changed_is_compared_anew_and_the_old_comparison_is_kept(
    compare: Callable[..., Ended], tmp_path: Path
) -> None:
    shutil.copytree(RANDOM, tmp_path / "mine")
    words = (tmp_path / "mine", GREEDY, "--game", "agent-avenue", "--max-deals", "2", "--json")
    before = compare(*words).json
    (tmp_path / "mine" / "more.py").write_text("# a thought\n")
    assert compare(*words).json["seed"] != before["seed"]
    assert len(list(tmp_path.glob("compare-random-greedy-*.sqlite"))) == 2
    (tmp_path / "mine" / "more.py").unlink()
    assert compare(*words).json == before


@pytest.mark.slow
def test_a_bot_that_fails_is_worse_and_its_first_fault_is_told(compare: Callable[..., Ended], tmp_path: Path) -> None:
    shutil.copytree(RANDOM, tmp_path / "dead")
    (tmp_path / "dead" / "bot.py").write_text("raise SystemExit('no more')\n")
    ended = compare(tmp_path / "dead", GREEDY, "--game", "agent-avenue")
    assert ended.code == 0
    assert ended.out.startswith("worse: ")
    assert "matches that a fault of new-random@1 cut short: 18; they count as lost. The first of them:\n" in ended.out
    assert "no more" in ended.out
    file = ended.out.partition("the match: ")[2].strip()
    assert file.endswith("/referee/output/new-random@1.compare.json")
    assert referee("verify", file).code == 0


@pytest.mark.slow
def test_without_a_terminal_its_progress_is_a_line_of_deals_and_lead(
    compare: Callable[..., Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0.05)
    lines = compare(RANDOM, RANDOM, "--game", "agent-avenue", "--max-deals", "24").err.splitlines()
    told = [line for line in lines if line.startswith("new random@1 against old random@1: ") and "deals" in line]
    assert " of at most 24 deals, " in told[-1]
    assert any("no lead yet" in line for line in told)
    assert any(", lead " in line and ".." in line for line in told)


def test_a_comparison_says_who_shares_a_core_and_how_often_the_machine_was_too_busy(
    compare: Callable[..., Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeExecutor(game=GAME, busy=lambda _, attempt: attempt == 1, ahead=4, crowding=Crowding(4, 0))
    monkeypatch.setattr(LocalEnvironment, "executor", lambda *_: nullcontext(fake))
    monkeypatch.setattr(LocalEnvironment, "wait_ms", lambda *_: None)
    words = (RANDOM, GREEDY, "--game", "agent-avenue", "--max-deals", "3")
    lines = compare(*words).err.splitlines()
    assert lines[1].startswith("other runs use every core: ")
    assert any(line.startswith("6 matches were void because the machine was too busy; each was ") for line in lines)
    assert "other runs" not in compare(*words).err


@pytest.mark.slow
def test_a_remote_bot_is_compared_under_the_name_that_it_gives(compare: Callable[..., Ended]) -> None:
    with serving("honest") as (address, _):
        words = (address, RANDOM, "--game", "agent-avenue", "--max-deals", "2", "--json")
        found = compare(*words).json
        assert (found["new"], found["deals"], found["new_faults"]) == ("rogue@1", 2, 0)
    gone = compare(*words)
    assert (gone.code, gone.out, len(gone.err.splitlines())) == (2, "", 1)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([GREEDY, RANDOM, "--game", "chess"], "the game 'chess' is not installed"),
        ([GREEDY, "nowhere", "--game", "agonia"], "nowhere: there is no such folder"),
        ([GREEDY, RANDOM, "--game", "agent-avenue", "--against", "nowhere"], "nowhere: there is no such folder"),
        ([GREEDY, RANDOM, "--game", "agent-avenue", "--option", "mode=hard"], "--option mode: "),
        ([GREEDY, RANDOM, "--game", "agent-avenue", "--option", "mode"], "--option mode: write it as NAME=VALUE"),
        ([GREEDY, RANDOM, "--game", "agent-avenue", "--seats", "3"], "agent-avenue with these options takes 2 players"),
        ([GREEDY, RANDOM, "--game", "agonia"], "greedy@1 does not play agonia"),
        ([GREEDY, RANDOM, "--game", "agent-avenue", "--workers", "1000"], "1000 workers are too many"),
        ([GREEDY, RANDOM, "--game", "agonia", "--margin", "0.1", "--better-by", "0.1"], "give one of them"),
        ([GREEDY, RANDOM], "name a game with --game, or a league file with --league"),
        ([GREEDY, RANDOM, "--game", "agonia", "--table", "simple"], "--table simple: say with --league which league"),
        ([GREEDY, RANDOM, "--league", "nowhere.toml"], "--move-ms: nowhere.toml says this already"),
        ([GREEDY, RANDOM, "--game", "agent-avenue", "--store", "mysql://x"], "mysql://x: stores are kept in "),
    ],
)
def test_a_mistake_is_answered_with_one_sentence(
    compare: Callable[..., Ended], words: list[str | Path], sentence: str
) -> None:
    ended = compare(*words)
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert sentence in ended.err


@pytest.mark.usefixtures("fake")
def test_the_one_sided_question_has_verdicts_of_its_own_and_json_has_every_look(compare: Callable[..., Ended]) -> None:
    words = (RANDOM, GREEDY, "--game", "agent-avenue", "--seed", "7", "--better-by", "0.2")
    found = compare(*words, "--json").json
    assert found["verdict"] == "not better by that much"
    assert [look["deals"] for look in found["looks"]] == list(range(1, found["deals"] + 1))
    assert found["looks"][-1] == {name: found[name] for name in ("deals", "mean", "interval")}
    said = compare(*words).out.splitlines()
    assert said[0].endswith("the lead of the new random@1 over the old greedy@1 is less than +0.4")
    assert "; confidence sequence, 95 % for each of its ends: " in said[1]


@pytest.mark.usefixtures("fake")
def test_a_comparison_is_exported_as_a_league_is_also_after_its_end(
    compare: Callable[..., Ended], tmp_path: Path
) -> None:
    words = (RANDOM, GREEDY, "--game", "agent-avenue", "--max-deals", "3")
    assert "written" not in compare(*words).err
    assert "6 matches written to exported" in compare(*words, "--export", "exported").err
    written = [json.loads(line) for line in (tmp_path / "exported" / "matches.jsonl").read_text().splitlines()]
    assert {entry for match in written for entry in match["entries"]} == {"new-random@1", "old-greedy@1"}
    assert len(list((tmp_path / "exported" / "transcripts").rglob("*.json"))) == len(written) == 6


CONDITIONS = """\
fresh = true
pondering = true
[folders]
size_mib = 700
[sandbox]
kind = "none"
memory_mib = 300
read = ["data"]
"""


@pytest.mark.usefixtures("fake")
def test_a_comparison_has_the_table_the_clock_and_the_limits_of_a_league_file_and_other_limits_make_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write_league(tmp_path / "autumn.toml", [RANDOM, GREEDY], deals=40, more=CONDITIONS)
    clock = "[clock]\nmove_ms = 0\nbank_ms = 70000\nincrement_ms = 30\n"
    tables = '[[tables]]\nname = "hard"\nseats = 2\noptions = { mode = "advanced" }\n'
    file.write_text(file.read_text().replace(PATIENT, clock) + tables)
    seen: list[League] = []

    def noted(*words: Any) -> League:
        seen.append(league_of(*words))
        return seen[-1]

    monkeypatch.setattr(comparing, "league_of", noted)
    words = ("compare", RANDOM, RANDOM, "--league", file, "--max-deals", "1", "--workers", "1")
    assert referee(*words, "--table", "hard").code == 0
    played = seen[0]
    assert (played.clock.move_ms, played.clock.bank_ms, played.clock.increment_ms) == (0, 70_000, 30)
    assert (played.tables[0].seats, played.tables[0].options["mode"]) == (2, "advanced")
    assert (played.sandbox, played.limits.memory_mib) == ("none", 300)
    assert played.read == (str(tmp_path / "data"),)
    assert (played.folders.size_mib, played.fresh, played.pondering) == (700, True, True)
    for key, other in (("memory_mib = 300", "memory_mib = 400"), ("pondering = true", "pondering = false")):
        file.write_text(file.read_text().replace(key, other))
        assert referee(*words, "--table", "hard").code == 0
    assert len(list(tmp_path.glob("compare-random-random-*.sqlite"))) == 3
    assert "--game: autumn.toml says this already" in referee(*words, "--game", "").err
    assert "autumn has several tables; name one with --table: simple, hard" in referee(*words).err
    assert "--table soft: not a table of autumn; its tables: simple, hard" in referee(*words, "--table", "soft").err


DEALS = 8


class Versions:
    """Two versions of a bot, of the same name and version, in a folder of their own."""

    def __init__(self, folder: Path, scratch: Path, delay_ms: int) -> None:
        self.folder, self.scratch = folder, scratch
        self.log = folder / "log"
        write_bot(folder / "mine", "ann", self.log, delay_ms)
        write_bot(folder / "hers", "ann", folder / "other log", delay_ms)
        compared = ("compare", "mine", "hers", "--game", "agent-avenue", "--seed", "7", "--max-deals", str(DEALS))
        # The bots write their log outside of their folders.
        self.command = (*compared, *VERY_PATIENT, "--sandbox", "none")

    def start(self, *words: str) -> Any:
        return start(self.folder, self.scratch, *self.command, *words)

    def begun(self) -> int:
        return starts(self.log, "ann").total()


@pytest.fixture
def versions(tmp_path: Path, scratch: Path) -> Versions:
    return Versions(tmp_path, scratch, 2)


@pytest.mark.slow
def test_killed_and_run_again_it_gives_the_same_verdict_after_as_many_deals(
    versions: Versions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(versions.folder)
    whole = referee(*versions.command, "--json", "--workers", "1", "--store", "sqlite:///whole.sqlite")
    assert (whole.json["deals"], whole.json["matches"]) == (DEALS, 2 * DEALS)
    assert whole.json["new"] == whole.json["old"] == "ann@1"
    process = versions.start("--workers", "2")
    wait_until(lambda: versions.begun() >= 2 * DEALS + 6, process)
    process.kill()
    finish(process)
    assert referee(*versions.command, "--json", "--workers", "2").out == whole.out
    # What each worker was playing is played twice, and at most one group of results.
    assert versions.begun() <= 2 * 2 * DEALS + 2 + MOST
    assert eventually(lambda: not alive(versions.scratch))


@pytest.mark.slow
def test_a_signal_stops_it_cleanly_and_the_command_that_it_tells_goes_on(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Versions(tmp_path, scratch, 20)
    process = slow.start("--workers", "2")
    wait_until(lambda: slow.begun() >= 6, process)
    process.send_signal(signal.SIGINT)
    ended = finish(process)
    assert ended.code == 130
    assert "Traceback" not in ended.err
    assert eventually(lambda: not alive(scratch))
    kept, _, command = ended.err.splitlines()[-1].partition(". Go on with: ")
    (store,) = tmp_path.glob("*.sqlite")
    assert kept == f"stopped; what was played is kept in {store}"
    program, *words = shlex.split(command)
    assert program == "referee"
    monkeypatch.chdir(tmp_path)
    again = referee(*words, "--json")
    assert again.json["matches"] == 2 * DEALS
    assert slow.begun() <= 2 * DEALS + 2


def test_a_password_is_not_told(compare: Callable[..., Ended]) -> None:
    ended = compare(GREEDY, RANDOM, "--game", "agent-avenue", "--store", "postgresql://me:secret@localhost:1/x")
    assert ended.code == 3
    assert "secret" not in ended.err


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league file, with its store beside it; random chooses the last action, greedy any."""
    file = write_league(tmp_path_factory.mktemp("league") / "autumn.toml", [RANDOM, GREEDY], deals=40)
    url = f"sqlite:///{file.with_suffix('.sqlite')}"
    machine = FakeMachine(FakeExecutor({"random@1": bids_high}, game=GAME), contents)
    with open_run(league_in(file), url, machine) as run:
        list(run.play())
    return file


def in_league(file: Path, *words: str) -> Ended:
    return referee("league", "compare", file, *words, "--store", f"sqlite:///{file.with_suffix('.sqlite')}")


def test_a_league_is_asked_for_two_of_its_bots_and_says_when_that_is_valid(league: Path) -> None:
    found = in_league(league, "random@1", "greedy@1", "--json")
    assert found.err == "this holds for two bots that you named before you looked at any result of the league\n"
    assert [field for field in found.json if field in FIELDS] == FIELDS
    told = in_league(league, "random@1", "greedy@1")
    assert told.err == found.err
    assert told.out.startswith(found.json["verdict"])
    assert f"deals: {found.json['deals']}; matches: {2 * found.json['deals']}\n" in told.out
    turned = in_league(league, "greedy@1", "random@1", "--json").json
    assert turned["mean"] == -found.json["mean"]
    assert turned["interval"] == [-end for end in reversed(found.json["interval"])]


def test_a_bot_that_a_league_does_not_have_is_refused(league: Path) -> None:
    ended = in_league(league, "random@1", "eve@1")
    assert (ended.code, ended.err) == (2, "there is no bot eve@1 in autumn; its bots: greedy@1, random@1\n")
    assert in_league(league, "random@1", "random@1").code == 2


@pytest.mark.usefixtures("fake")
def test_json_is_one_document(compare: Callable[..., Ended]) -> None:
    ended = compare(RANDOM, RANDOM, "--game", "agent-avenue", "--max-deals", "1", "--json")
    assert json.loads(ended.out)["verdict"] == "undecided"
