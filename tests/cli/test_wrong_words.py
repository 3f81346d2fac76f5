"""Words and an environment that no command can use end it with one sentence, never with a traceback."""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.api import matches
from referee.cli.console import report_errors_plainly
from referee.core.errors import WrongUse
from referee.runtime.shortages import describe_shortage, is_shortage
from tests.cli.command import BOTS, REFEREE, UNBOXED, Ended, referee
from tests.tournaments.arena import write_league

ODD = os.fsdecode(b"\xff")
RANDOM = BOTS / "random"
PLAY = ("play", "agent-avenue", RANDOM, RANDOM, *UNBOXED)
OVER_32_BITS = str(1 << 32)


def assert_one_sentence(ended: Ended, said: str, code: int = 2) -> None:
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert len(ended.err.splitlines()) == 1


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A folder whose name is not UTF-8, with a bot and a league file."""
    shutil.copytree(RANDOM, tmp_path / ODD / "random")
    write_league(tmp_path / ODD / "autumn.toml", [Path("random"), RANDOM.with_name("greedy")], deals=1)
    return tmp_path / ODD


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*PLAY, "--seed", ODD), "the seed '\\udcff' is not UTF-8"),
        ((*PLAY, "--seed", ODD, "--batch", "2"), "the seed '\\udcff-1' is not UTF-8"),
        ((*PLAY, "--option", f"mode={ODD}"), "--option mode: '\\udcff' is not UTF-8"),
        (("compare", RANDOM, RANDOM, "--game", "agent-avenue", *UNBOXED, "--seed", ODD), "is not UTF-8"),
        (("league", "standings", "none.toml", "--store", f"sqlite:///{ODD}"), "none.toml"),
    ],
)
def test_a_word_that_is_not_utf_8_is_one_sentence(words: tuple[str | Path, ...], said: str) -> None:
    assert_one_sentence(referee(*words), said)


def test_a_seed_that_is_not_utf_8_is_wrong_use_in_python_too() -> None:
    with pytest.raises(WrongUse, match="is not UTF-8"):
        matches.start("agent-avenue", 2, seed=ODD)
    with pytest.raises(WrongUse, match="is not UTF-8"):
        matches.play("agent-avenue", [lambda _asked: 0] * 2, seed=ODD)


def test_a_league_in_a_folder_that_is_not_utf_8_is_refused_and_names_the_folder(odd: Path) -> None:
    for command in ("run", "check", "standings"):
        ended = referee("league", command, odd / "autumn.toml")
        assert_one_sentence(ended, "udcff/random: its name is not UTF-8; rename")


@pytest.mark.parametrize(
    "words", [("play", "agent-avenue", RANDOM), ("check",), ("compare", RANDOM, "--game", "agent-avenue")], ids=str
)
def test_a_bot_in_a_folder_that_is_not_utf_8_is_refused_before_it_plays(
    odd: Path, words: tuple[str | Path, ...]
) -> None:
    assert_one_sentence(referee(*words, odd / "random", *UNBOXED), "udcff/random: its name is not UTF-8; rename")


@pytest.mark.process
def test_commands_read_and_write_files_in_such_a_folder(odd: Path) -> None:
    out, page = odd / "match.json", odd / "page.html"
    assert referee(*PLAY, "--out", out, "--html", page).code == 0
    assert referee("verify", out).code == 0
    assert referee("new", "python", "--protocol", "grpc", odd / "mine").code == 0


@pytest.mark.parametrize("option", ["--move-ms", "--start-ms"])
@pytest.mark.parametrize(
    "words",
    [PLAY, ("check", RANDOM), ("compare", RANDOM, RANDOM, "--game", "agent-avenue")],
    ids=["play", "check", "compare"],
)
def test_a_time_of_more_than_32_bits_is_refused(words: tuple[str | Path, ...], option: str) -> None:
    ended = referee(*words, option, OVER_32_BITS)
    assert (ended.code, ended.out) == (2, "")
    assert "4294967295" in ended.err
    assert "Traceback" not in ended.err


def test_a_command_that_may_open_too_few_files_says_how_to_raise_the_limit() -> None:
    """The libraries would abort the process without a word."""
    for most in (8, 20):
        # Where the path has a space, the script begins with a shell, which needs more files itself.
        command = ["prlimit", f"--nofile={most}:{most}", sys.executable, str(REFEREE), *map(str, PLAY)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert_one_sentence(Ended(done.returncode, done.stdout, done.stderr), "(ulimit -n 1024)", code=3)


def _failing(error: BaseException) -> Iterator[None]:
    with report_errors_plainly():
        raise error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "full", "a/b"), "(full: a/b); free space on that disk"),
        (OSError(errno.EMFILE, "many"), "(many); allow more open files (ulimit -n 1024)"),
        (OSError(errno.ENFILE, "many"), "(many); allow more open files on this machine"),
        (OSError(errno.EDQUOT, "quota"), "your quota is used up"),
        (MemoryError(), "(Cannot allocate memory); free memory"),
        (
            ExceptionGroup("both", [ValueError(), OSError(errno.EMFILE, "many")]),
            "(many); allow more open files (ulimit -n 1024)",
        ),
    ],
)
def test_a_machine_that_cannot_go_on_is_one_sentence_wherever_it_shows(error: BaseException, said: str) -> None:
    assert said in describe_shortage(error)
    later = RuntimeError("cannot close a running event loop")
    later.__context__ = error
    assert is_shortage(later)
    assert said in describe_shortage(later)
    with pytest.raises(SystemExit) as ended:
        next(_failing(error))
    assert ended.value.code == 3


@pytest.mark.parametrize("bug", [KeyError("x"), FileNotFoundError(errno.ENOENT, "none"), OSError()])
def test_a_bug_stays_a_traceback(bug: Exception) -> None:
    with pytest.raises(type(bug)):
        next(_failing(bug))


def test_a_bot_that_cannot_be_written_leaves_nothing_and_says_which_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_source: object, target: object, **_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))

    monkeypatch.setattr("shutil.copyfile", full)
    ended = referee("new", "python", "--protocol", "grpc", tmp_path / "mine")
    assert_one_sentence(ended, "cannot be written: No space left on device; mend that, then give the command again")
    assert ended.err.startswith(str(tmp_path / "mine"))
    assert list(tmp_path.iterdir()) == []


def test_a_bad_time_zone_is_one_sentence(tmp_path: Path) -> None:
    write_league(tmp_path / "autumn.toml", [RANDOM, BOTS / "greedy"], deals=1)
    command = [sys.executable, "-m", "referee.cli.main", "league", "run", "autumn.toml", "--until", "07:30"]
    zone = os.environ | {"TZ": "AAA+24"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=zone, cwd=tmp_path)
    said = "TZ='AAA+24' is no time zone; write for instance TZ=Europe/Berlin, or unset it"
    assert_one_sentence(Ended(done.returncode, done.stdout, done.stderr), said)
