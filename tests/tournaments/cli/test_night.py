"""A league that is left alone: it ends in time, writes down what happened, and tells somebody."""

import json
import re
import signal
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.cli.command import GAME, finish
from tests.tournaments.cli.runs import Place, wait_until
from tests.tournaments.fakes import FakeExecutor
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in

pytestmark = pytest.mark.process

KEEP = "import sys; open(sys.argv[1], 'a').write(sys.stdin.read() + chr(10))"


@pytest.fixture
def place(tmp_path: Path, scratch: Path) -> Place:
    """A league of eight matches of half a second each."""
    return Place(tmp_path, scratch, 20, deals=4)


@pytest.fixture
def quick(tmp_path: Path, scratch: Path) -> Place:
    """A league of four matches of bots that answer at once."""
    return Place(tmp_path, scratch, 0, deals=2)


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.slow
def test_a_run_ends_after_its_time_without_telling_the_seed_and_the_next_one_goes_on(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.folder)
    ended = place.ask("run", "--workers", "1", "--for", "1s", "--log", "night.jsonl", "--report", "report")
    assert ended.code == 0
    assert "the time is over; what was played is kept in" in ended.err
    assert "the seed was" not in ended.err
    played = len(place.stored_ms())
    assert played < place.matches  # none on a machine that is busy enough
    assert lines(place.folder / "night.jsonl")[-1]["why"] == "time"
    again = place.ask("run", "--workers", "1", "--log", "night.jsonl")
    assert again.code == 0
    assert "done; the seed was" in again.err
    assert len(place.stored_ms()) == place.matches
    told = lines(place.folder / "night.jsonl")
    assert [line["type"] for line in told].count("result") == place.matches
    assert [line["why"] for line in told if line["type"] == "end"] == ["time", "done"]
    assert [line["remaining"] for line in told if line["type"] == "begun"] == [place.matches, place.matches - played]
    assert (place.folder / "report" / "report.html").read_text().startswith("<!doctype html>")
    assert re.search(rf"\b{played} match(es)? counts?\b", (place.folder / "report" / "report.md").read_text())


@pytest.mark.slow
def test_the_organizer_s_command_is_told_of_the_end_also_if_the_run_is_stopped(place: Place) -> None:
    told = place.folder / "told"
    file = place.folder / "autumn.toml"
    command = json.dumps([sys.executable, "-c", KEEP, str(told)])
    file.write_text(file.read_text().replace("[clock]", f"[notify]\ncommand = {command}\n\n[clock]"))
    process = place.start("--workers", "1")
    wait_until(lambda: place.begun() >= 1, process)
    process.send_signal(signal.SIGINT)
    assert finish(process).code == 130
    assert place.ask("run", "--workers", "1").code == 0
    assert [(line["why"], line["exit_code"]) for line in lines(told)] == [("stopped", 130), ("done", 0)]


def test_a_time_that_cannot_be_read_and_a_log_that_cannot_be_written_are_refused_before_anything_is_played(
    place: Place,
) -> None:
    for words, sentence in (
        (("--for", "soon"), "--for soon: not a time span; write for instance 90s, 20m, 8h or 1d12h\n"),
        (("--until", "25:61"), "--until 25:61: not a time; write for instance 07:30 or 2026-11-23T07:30\n"),
        (("--log", "nowhere/log"), "the log nowhere/log cannot be written: No such file or directory\n"),
    ):
        ended = place.ask("run", *words)
        assert (ended.code, ended.err) == (2, sentence)
    assert place.begun() == 0


def test_bots_are_entered_and_withdrawn_by_commands(quick: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeExecutor(game=GAME, clock=league_in(quick.folder / "autumn.toml").clock)
    monkeypatch.setattr(LocalEnvironment, "executor", lambda *_: nullcontext(fake))
    assert quick.ask("run", "--workers", "1").code == 0
    entered = quick.ask("enter", quick.folder / "ann", "--label", "twin")
    assert (entered.code, entered.out) == (
        0,
        "ann+twin@1 is entered; it plays from the next run\n",
    )
    again = quick.ask("enter", quick.folder / "ann", "--label", "twin")
    assert (again.code, again.err) == (
        2,
        "ann+twin@1 is in autumn already; a changed bot needs a new version or label\n",
    )
    assert quick.ask("enter", quick.folder / "none").code == 2
    assert quick.ask("run", "--workers", "1").code == 0
    status = quick.ask("status", "--json").json
    assert status["progress"]["matches"]["played"] == 3 * quick.matches
    withdrawn = quick.ask("withdraw", "bob@1")
    assert (withdrawn.code, withdrawn.err) == (
        2,
        "the league is over, so bob@1 cannot leave it; all that was played counts\n",
    )
    assert quick.ask("enter", quick.folder / "ann", "--label", "third").code == 0  # now matches remain
    withdrawn = quick.ask("withdraw", "bob@1")
    preview = (
        f"{2 * quick.matches} matches of bob@1 would stop counting; with them {quick.matches} of ann+twin@1,"
        f" {quick.matches} of ann@1\n"
    )
    assert (withdrawn.code, withdrawn.out, withdrawn.err) == (
        2,
        preview,
        "bob@1 stays in the league; to go on without a question, add --yes\n",
    )
    withdrawn = quick.ask("withdraw", "bob@1", "--yes")
    assert withdrawn.out == "bob@1 is withdrawn; none of its matches count, and the league is played without it\n"
    table = quick.ask("standings", "--json").json
    assert {line["bot"] for line in table["standings"]} == {"ann@1", "ann+twin@1", "ann+third@1"}


def test_of_a_league_that_results_decide_it_is_said_that_the_next_wave_counts(quick: Place) -> None:
    file = quick.folder / "autumn.toml"
    file.write_text(file.read_text().replace("[clock]", '[format]\nkind = "open"\n\n[clock]'))
    with open_run(league_in(file), quick.url, LocalEnvironment(1)):
        pass  # its first wave is issued
    entered = quick.ask("enter", quick.folder / "ann", "--label", "twin")
    assert entered.out == "ann+twin@1 is entered; it plays from the first wave\n"
    withdrawn = quick.ask("withdraw", "ann@1")
    assert withdrawn.out == ("ann@1 is withdrawn; it plays no more, and what it has played still counts\n")
