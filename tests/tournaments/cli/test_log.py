"""`league log` prints what a bot wrote, so that nothing of it can look like a line of ours."""

import json
import re
import signal
from pathlib import Path

import pytest

from tests.cli.command import BOTS, Ended, finish, referee, start
from tests.tournaments.arena import write_league
from tests.tournaments.cli.runs import Place, wait_until
from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tournaments.play.bot_logs import LONGEST, BotLog
from tournaments.play.run import open_run
from tournaments.results.league_location import league_in
from tournaments.store.pinned_league import contents

ONE, TWO = (f"agent-avenue/simple/greedy@1+random@1/deal-0/turn-{turn}" for turn in (0, 1))
NOON_MS = 1_790_000_000_000
AT = "2026-09-21T14:13:20.000+00:00"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A league that was begun."""
    file = write_league(tmp_path / "autumn.toml", [BOTS / "random", BOTS / "greedy"], deals=1)
    with open_run(league_in(file), f"sqlite:///{tmp_path}/autumn.sqlite", FakeMachine(FakeExecutor(), contents)):
        return tmp_path


def keep(folder: Path, match: str, *pieces: str, seat: int = 0, left_out: int = 0) -> None:
    log = BotLog(folder / "autumn.sqlite.autumn.logs", "random@1")
    for piece in pieces:
        log.keep(NOON_MS, match, seat, piece, left_out)
    log.close()


def log(folder: Path, *words: str) -> Ended:
    return referee("league", "log", folder / "autumn.toml", *words, "--store", f"sqlite:///{folder}/autumn.sqlite")


def test_what_a_bot_wrote_stands_in_a_margin_under_its_match_and_lines_in_pieces_are_whole(folder: Path) -> None:
    keep(folder, ONE, "first\nsec", "ond\n\nlast")
    keep(folder, TWO, f"{AT}  {ONE}  seat 1\n\x1b[2J\r\x00\u202e\\xff", seat=1)
    keep(folder, TWO, "the end", seat=1, left_out=123_456)
    assert log(folder, "random@1").out.splitlines() == [
        f"{AT}  {ONE}  seat 0",
        "  | first",
        "  | second",
        "  | ",
        "  | last",
        f"{AT}  {TWO}  seat 1",
        f"  | {AT}  {ONE}  seat 1",
        r"  | \x1b[2J\r\x00\u202e\xff",
        "  [123,456 bytes are not kept]",
        "  | the end",
    ]


def test_one_match_can_be_asked_for_and_json_has_a_line_for_each_piece(folder: Path) -> None:
    keep(folder, ONE, "one")
    keep(folder, TWO, "\x1b[31mtwo", seat=1)
    told = log(folder, "random@1", "--match", TWO, "--json")
    assert "\x1b" not in told.out
    assert told.json == {"at": AT, "match": TWO, "seat": 1, "text": "\x1b[31mtwo", "left_out": 0}
    assert len(log(folder, "random@1", "--json").out.splitlines()) == 2


def test_nothing_to_print_is_said_and_a_bot_that_was_never_in_the_league_is_refused(folder: Path) -> None:
    assert log(folder, "random@1") == Ended(0, "", "nothing is kept of what random@1 wrote\n")
    assert log(folder, "random@1", "--match", "a/b").err == "nothing is kept of what random@1 wrote in a/b\n"
    for name in ("nobody@1", "../../etc/passwd"):
        ended = log(folder, name)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err == f"there is no bot {name} in autumn; its bots: greedy@1, random@1\n"


@pytest.mark.slow
@pytest.mark.process
def test_who_follows_sees_what_is_added_also_when_the_file_is_put_aside_until_ctrl_c(
    folder: Path, scratch: Path
) -> None:
    keep(folder, ONE, "begun\n")
    process = start(folder, scratch, "league", "log", "autumn.toml", "random@1", "--follow", "--json")
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["text"] == "begun\n"
    keep(folder, ONE, *(f"{number} {'x' * 20_000}" for number in range(LONGEST // 20_000 + 2)))
    for number in range(LONGEST // 20_000 + 2):
        assert json.loads(process.stdout.readline())["text"].startswith(f"{number} x")
    process.send_signal(signal.SIGINT)
    ended = finish(process)
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.slow
@pytest.mark.process
def test_what_a_bot_wrote_before_runner_and_workers_were_killed_is_kept(tmp_path: Path, scratch: Path) -> None:
    place = Place(tmp_path, scratch, 20)
    manifest = tmp_path / "ann" / "bot.toml"
    *head, run = manifest.read_text().splitlines()
    words = json.loads(run.removeprefix("run = "))
    speaks = ["sh", "-c", 'echo "I am $$"; exec "$@"', "sh", *words]
    manifest.write_text("\n".join([*head, f"run = {json.dumps(speaks)}"]))
    process = place.start("--workers", "1")
    wait_until(lambda: place.begun() >= 1, process)
    process.kill()  # its workers die with it
    finish(process)
    (line,) = place.ask("log", "ann@1", "--json").out.splitlines()
    said = json.loads(line)
    assert said["text"].startswith("I am ")
    assert re.fullmatch(r"agent-avenue/simple/(ann@1\+bob@1|bob@1\+ann@1)/deal-\d+/turn-[01]", said["match"])
