"""`referee replay --seat N`: what a seat's bot was sent, through a pipe or to a bot, and what it answers now."""

import re
import sys
from pathlib import Path

import pytest

from referee.wire.registry import games
from tests.bots.alike import READS_LINES, write_alike
from tests.cli.command import Ended, referee, run

pytestmark = pytest.mark.process

PATIENT = ("--move-ms", "300000", "--start-ms", "300000", "--sandbox", "none")
LISTENS = {"lines": b'{"type":"decide"', "flat": b"type decide\n"}
each_protocol = pytest.mark.parametrize("protocol", LISTENS)


def keeps_what_it_hears(folder: Path, protocol: str) -> Path:
    """A bot that also writes all that it reads into a file of its folder."""
    write_alike(folder, protocol)
    manifest = folder / "bot.toml"
    before, _, _ = manifest.read_text().partition("run = ")
    manifest.write_text(f'{before}run = ["sh", "-c", "tee heard | \'{sys.executable}\' bot.py"]\n')
    return folder


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """A match of two bots that read lines."""
    file, bots = tmp_path / "match.json", [write_alike(tmp_path / name, "lines") for name in ("ann", "bob")]
    assert referee("play", "agent-avenue", *bots, "--seed", "3", "--out", file, *PATIENT).code == 0
    return file


def changed(folder: Path, old: str, new: str) -> Path:
    """A bot that reads lines, with other words in its program."""
    write_alike(folder, "lines")
    assert old in READS_LINES
    (folder / "bot.py").write_text(READS_LINES.replace(old, new))
    return folder


@each_protocol
@pytest.mark.parametrize("game", games())
def test_a_seat_is_written_byte_for_byte_as_its_bot_was_sent_it(game: str, protocol: str, tmp_path: Path) -> None:
    rules, file = games()[game].game, tmp_path / "match.json"
    seats = min(rules.seats(rules.options_type()))
    bots = [keeps_what_it_hears(tmp_path / str(seat), protocol) for seat in range(seats)]
    assert referee("play", game, *bots, "--seed", "3", "--out", file, *PATIENT).code == 0
    for seat, bot in enumerate(bots):
        shown = run("replay", file, "--seat", str(seat), "--as", protocol, folder=tmp_path)
        assert shown.code == 0
        heard = (bot / "heard").read_bytes()
        assert heard.count(LISTENS[protocol]) > 3
        assert shown.out.encode() == heard


@each_protocol
def test_since_leaves_out_the_decisions_before(protocol: str, match: Path) -> None:
    whole, part = (
        run("replay", match, "--seat", "1", "--as", protocol, *words, folder=match.parent)
        .out.encode()
        .split(LISTENS[protocol])
        for words in ((), ("--from", "3"))
    )
    assert part == [whole[0], *whole[3:]]


def asked(match: Path, bot: Path | str) -> Ended:
    return referee("replay", match, "--seat", "0", "--to", bot)


@pytest.mark.parametrize("protocol", ["grpc", "lines", "flat"])
def test_a_bot_that_answers_as_recorded_is_said_to(protocol: str, match: Path, tmp_path: Path) -> None:
    found = asked(match, write_alike(tmp_path / "now", protocol, "now"))
    assert (found.code, found.out) == (0, "the same answers as in the record\n")


def test_every_decision_in_which_a_bot_answers_otherwise_is_told_though_the_messages_stay_those_of_the_record(
    match: Path, tmp_path: Path
) -> None:
    last = 'print(len(message["legal"]) - 1, flush=True)'
    old = 'print(x * x % 9973 % len(message["legal"]), flush=True)'
    found = asked(match, changed(tmp_path / "now", old, last))
    lines = found.out.splitlines()
    assert found.code == 1
    assert len(lines) > 1
    assert all(re.match(r"decision \d+ of seat 0 \(\d+ of the match\): recorded .+, now ", line) for line in lines)
    decisions = [int(line.split()[1]) for line in lines]
    assert decisions == sorted(set(decisions))


def test_a_bot_that_dies_is_told_and_is_sent_nothing_more(match: Path, tmp_path: Path) -> None:
    dies = 'sys.exit("no such card")'
    found = asked(match, changed(tmp_path / "now", 'print("ready", flush=True)', f'print("ready", flush=True), {dies}'))
    assert found.code == 1
    assert re.match(r"decision 1 of seat 0 \(\d+ of the match\): recorded ", found.out)
    assert found.out.endswith("now the fault crash: ended; its process ended with code 1\n")


def test_nobody_waits_for_a_bot_that_is_not_there(match: Path, tmp_path: Path) -> None:
    found = asked(match, f"unix:{tmp_path}/none.sock")
    assert (found.code, "did not answer Describe" in found.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--as", "lines"), "give --seat N, too"),
        (("--from", "2"), "give --seat N, too"),
        (("--to", "bot"), "give --seat N, too"),
        (("--seat", "0", "--from", "2", "--to", "bot"), "leave out --from"),
        (("--seat", "0", "--as", "lines", "--json"), "ask for one of these"),
        (("--seat", "0", "--as", "lines", "--to", "bot"), "ask for one of these"),
        (("--seat", "0", "--to", "bot", "--html", "page.html"), "ask for one of these"),
        (("--seat", "2", "--as", "lines"), "this match has seats 0 to 1"),
    ],
)
def test_what_cannot_be_asked_together_is_said(words: tuple[str, ...], sentence: str, match: Path) -> None:
    found = referee("replay", match, *words)
    assert found.code == 2
    assert sentence in found.err
