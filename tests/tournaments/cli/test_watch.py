"""`league watch`, as it is seen: on a terminal of any size, in lines, and in JSON."""

import contextlib
import io
import json
import os
import pty
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator
from fcntl import ioctl
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.cli.console import Console
from tests.cli.command import BOTS, GAME, REFEREE, Ended, finish, referee, start
from tests.tournaments.arena import write_league
from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tests.tournaments.play.test_waves import league, url
from tests.tournaments.results.test_live_status import seen
from tournaments.cli import watch as command
from tournaments.cli.watch import frame, head
from tournaments.league.format_settings import BalancedSettings, KnockoutSettings, SwissSettings
from tournaments.league.status import MatchCounts, Progress, Trouble
from tournaments.play.run import open_run
from tournaments.results import live_status
from tournaments.results.league_location import league_in
from tournaments.results.live_status import LiveSnapshot, LiveStatus, TableSnapshot
from tournaments.store.pinned_league import contents

PROGRESS = Progress(3, MatchCounts(5_000, 1_000, 3_766, 230, 4), void=7, machine_busy=0, stored=1_000)
GLANCE = LiveSnapshot("night", 1_790_000_000_000, "playing", "process 7 on here", PROGRESS, 41.2)
HOSTILE = "a\nb\x1b[2J\u202ec"


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_status, "LOOK_EVERY_S", 0.0)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league file whose league is over."""
    folder = tmp_path_factory.mktemp("watch")
    file = write_league(folder / "autumn.toml", [BOTS / "random", BOTS / "greedy"], deals=3)
    machine = FakeMachine(FakeExecutor(game=GAME), contents)
    with open_run(league_in(file), f"sqlite:///{folder}/autumn.sqlite", machine) as run:
        assert len(list(run.play())) == 6
    return file


def watch(file: Path, *words: str) -> Ended:
    return referee("league", "watch", file, *words, "--store", f"sqlite:///{file.parent}/autumn.sqlite")


def drawn(glance: LiveSnapshot, table: TableSnapshot | None, width: int, height: int) -> list[str]:
    """The lines of a terminal of this size."""
    screen = io.StringIO()
    console = Console(file=screen, width=width, height=height)
    console.print(frame(glance, table, "/a/store", width, height))
    return screen.getvalue().splitlines()


def test_the_head_says_how_far_it_is_how_fast_and_who_plays() -> None:
    first, second = head(GLANCE, "/a/store")
    assert first.partition(", ")[2] == (
        "1,234 of 5,000 matches, 41/s, about 2 min left, wave 3, 230 skipped, 4 abandoned, 7 void"
    )
    assert second == "process 7 on here plays it"
    assert [*head(replace(GLANCE, state="idle", runner=None), "/a/store")][1] == "nobody plays it now"
    assert "/a/store" in " ".join(head(LiveSnapshot("night", 0, "waiting"), "/a/store"))


def test_whatever_the_size_of_the_terminal_and_the_format_everything_fits(
    tables: dict[type, tuple[LiveSnapshot, TableSnapshot]],
) -> None:
    trouble = (Trouble(0, "a/match", "bob@1", "illegal"), Trouble(0, "a/match", None, "a worker\nwas lost " * 20))
    for settings, (width, height) in product(
        (BalancedSettings, SwissSettings, KnockoutSettings), ((100, 40), (100, 12), (50, 14))
    ):
        glance, table = tables[settings]
        lines = drawn(replace(glance, trouble=trouble), table, width, height)
        case = settings, width, height
        assert len(lines) <= height, case
        assert max(map(len, lines)) <= width, case
        text = "\n".join(lines)
        assert "table as of" in text, case
        assert ("... and " in text) == (height < 40), case
        assert ("fault: bob@1: illegal in a/match" in text) == (height > 12), case
        assert ("void: a/match: a worker" in text) == (height == 40), case
        assert ("Buchholz" in text) == (settings is SwissSettings), case


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[type, tuple[LiveSnapshot, TableSnapshot]]:
    """A glance and a table of a finished league of each kind."""
    found = {}
    for settings in (BalancedSettings(), SwissSettings(rounds=3), KnockoutSettings()):
        folder, planned = tmp_path_factory.mktemp("league"), league(settings, deals=1)
        with open_run(planned, url(folder), FakeMachine(FakeExecutor())) as run:
            assert list(run.play())
        found[type(settings)] = seen(LiveStatus(planned, url(folder)))
    return found


def test_no_word_of_a_bot_or_a_file_name_leaves_its_line(
    tables: dict[type, tuple[LiveSnapshot, TableSnapshot]],
) -> None:
    glance, table = tables[BalancedSettings]
    line = replace(table.standings.standings[0], bot=HOSTILE)
    hostile = table._replace(standings=replace(table.standings, standings=(line, *table.standings.standings[1:])))
    trouble = (Trouble(0, HOSTILE, HOSTILE, HOSTILE), Trouble(0, HOSTILE, None, HOSTILE))
    usual = drawn(replace(glance, trouble=(Trouble(0, "m", "b", "k"), Trouble(0, "m", None, "k"))), table, 200, 60)
    lines = drawn(replace(glance, league=HOSTILE, runner=HOSTILE, state="playing", trouble=trouble), hostile, 200, 60)
    assert len(lines) == len(usual) + 1  # a name in a table may have two lines
    assert all(line.isprintable() for line in lines)


def test_without_a_terminal_it_says_a_line_and_in_the_end_the_table(played: Path) -> None:
    told = watch(played)
    first, second, *table = told.out.splitlines()
    assert told.code == 0
    assert first.startswith("autumn: as of ")
    assert first.endswith(", 6 of 6 matches; it is over")
    assert second.endswith(", after 6 matches")
    assert {"random@1", "greedy@1"} <= set(" ".join(table).split())


def test_as_json_it_prints_a_line_for_each_change_and_a_table_when_there_is_a_new_one(
    played: Path, tables: dict[type, tuple[LiveSnapshot, TableSnapshot]], capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = watch(played, "--json").out.splitlines()
    told = json.loads(line)
    assert told["state"] == "over"
    assert told["progress"]["matches"]["played"] == 6
    assert len(told["table"]["standings"]["standings"]) == 2
    _, table = tables[BalancedSettings]
    with command._documents() as show:
        for glance in (GLANCE, replace(GLANCE, at_ms=5, a_second=7.0), replace(GLANCE, state="idle")):
            show(glance, None)
        show(replace(GLANCE, state="idle"), table)
        show(replace(GLANCE, state="idle"), table)
        show(GLANCE, table)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["state"], line["table"] is None) for line in lines] == [
        ("playing", True),
        ("idle", True),
        ("idle", False),
        ("playing", True),
    ]
    assert lines[0]["left_s"] == pytest.approx(3_766 / 41.2)


@pytest.mark.slow
@pytest.mark.process
def test_it_waits_for_the_first_run_and_ctrl_c_is_a_good_end(played: Path, scratch: Path) -> None:
    process = start(played.parent, scratch, "league", "watch", "autumn.toml", "--store", "sqlite:///later.sqlite")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("autumn: nothing was played so far; waiting for the first run; ")
    process.send_signal(signal.SIGINT)
    ended = finish(process)
    assert (ended.code, ended.err) == (0, "")
    assert not (played.parent / "later.sqlite").exists()


@pytest.mark.slow
@pytest.mark.process
def test_on_a_terminal_the_last_picture_remains(played: Path) -> None:
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 90, 0, 0))
    words = [str(REFEREE), "league", "watch", "autumn.toml"]
    with subprocess.Popen(words, cwd=played.parent, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b"".join(_all_of(ours)).decode()
    assert process.returncode == 0
    _, _, normal = shown.rpartition("\x1b[?1049l")
    assert "6 of 6 matches" in normal
    assert "greedy@1" in normal


def _all_of(terminal: int) -> Iterator[bytes]:
    """What a program writes to its terminal, until it ends."""
    with contextlib.suppress(OSError):  # nobody has it open any more
        while piece := os.read(terminal, 1 << 16):
            yield piece
    os.close(terminal)
