"""Bots that read lines, as processes in every sandbox: each way to fail, with its kind and words, and equal matches."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
import uvloop
from msgspec.structs import replace

from referee.core.bot_limits import Sandbox
from referee.match.terms import Clock
from referee.match.transcript import FaultKind, Transcript
from referee.runtime.batches import play_at_once
from referee.runtime.confinement import confinement
from referee.runtime.host import HostSettings
from referee.runtime.local_bot import LocalBot, read_sources
from referee.runtime.table import Table, play_once
from tests.auction import auction_header
from tests.runtime.rogues import ENTRY, PATIENT, ROGUE_READS, bot_that_runs, faults, run_folder
from tests.runtime.sandbox.boxes import needs_boxes
from tests.runtime.sandbox.needed import needs_landlock

pytestmark = pytest.mark.process

LINER = Path(__file__).parents[1] / "bots" / "liner" / "bot.py"
MANIFEST = """\
name = "{name}"
version = "1"
author = "the tests"
games = ["*"]
protocol = "{protocol}"
max_batch = {max_batch}
run = {run}
"""
HASTY = Clock(move_ms=400, start_ms=60_000)
ENDED = "ended; its process ended with code {}"
SERVES = """\
from referee_bot import serve

class Player:
    def __init__(self, start): pass

    def choose(self, decision):
        return decision.number % len(decision.legal)

serve(Player)
"""
READS_FLAT = """\
value = dict()
while True:
    path, _, value[path] = input().partition(" ")
    if path == "type":
        value = dict(type=value["type"])
    elif path == "go":
        print("ready" if value["type"] == "start" else int(value["number"]) % int(value["legal"]), flush=True)
"""


def no_answer(shown: str) -> tuple[FaultKind, str]:
    text = f"sent a line that is no answer: '{shown}'; what people are to read belongs on stderr"
    return FaultKind.PROTOCOL, re.escape(text)


AT_DECISION_2 = {
    "prints_a_banner": no_answer("Welcome!"),
    "chooses_minus_one": no_answer("-1"),
    "chooses_a_fraction": no_answer("0.0"),
    "shouts": no_answer("READY"),
    "says_an_empty_line": no_answer(""),
    "says_nul": no_answer(r"0\x00"),
    "says_no_utf8": no_answer(r"\xff\xfe"),
    "says_5000_digits": no_answer("1" * 80),
    "chooses_99": (FaultKind.ILLEGAL, "chose index 99 at decision 2, which had 3 actions"),
    "says_an_object_without_index": (FaultKind.PROTOCOL, "answered decision 2 without an index"),
    "says_another_number": (FaultKind.PROTOCOL, "answered decision 7 when decision 2 was asked"),
    "says_broken_json": (FaultKind.PROTOCOL, "sent an object that is no answer: Input data was truncated"),
    "says_deep_json": (FaultKind.PROTOCOL, "sent an object that is no answer: .*recursion.*"),
    "says_a_negative_index": (FaultKind.PROTOCOL, "chose index -1, which is negative"),
    "says_ready": (FaultKind.PROTOCOL, "answered decision 2 with ready instead of a choice"),
    "is_unavailable": (FaultKind.UNAVAILABLE, r"was unavailable at decision 2: 503\\x1b\[31m"),
    "says_too_long_a_line": (FaultKind.PROTOCOL, "sent a line over 64 KiB"),
    "floods": (FaultKind.PROTOCOL, "sent a line over 64 KiB"),
    "exits": (FaultKind.CRASH, ENDED.format(3)),
    "aborts": (FaultKind.CRASH, "ended; its process was ended by signal 6"),
    "leaves_a_child_with_its_output": (FaultKind.CRASH, ENDED.format(3)),
    "ends_half_said": (FaultKind.CRASH, ENDED.format(0)),
}
SILENT = {
    "waits_half_said": "did not answer decision 2 within 400 ms; a line began, but it did not end",
    "closes_its_output": "did not answer decision 2 within 400 ms",
    "never_answers": "did not answer decision 2 within 400 ms",
}
TWICE = r"spoke without being asked \(a choice for decision 2\)"
BEFORE_DECISION_1 = {
    "never_starts": (FaultKind.NO_START, ENDED.format(3)),
    "is_never_ready": (FaultKind.PROTOCOL, "answered the start with a choice instead of ready"),
}
HONEST = (
    "enlarges_its_pipes",
    "fills_its_own_input",
    "floods_stderr",
    "reopens_its_pipes",
    "leaves_a_session",
    "blanks",
    "notes",
    "honest",
)

in_every_sandbox = pytest.mark.parametrize(
    "sandbox",
    [
        "none",
        pytest.param("landlock", marks=needs_landlock),
        pytest.param("bubblewrap", marks=needs_boxes),
    ],
)


def line_bot(
    folder: Path, *command: str, name: str = "liner", protocol: str = "lines", max_batch: int = 64
) -> LocalBot:
    folder.mkdir(parents=True, exist_ok=True)
    run = msgspec.json.encode(command).decode()
    text = MANIFEST.format(name=name, protocol=protocol, max_batch=max_batch, run=run)
    (folder / "bot.toml").write_text(text)
    return read_sources(folder)


def liner(folder: Path, how: str) -> LocalBot:
    return line_bot(folder / how, "{python}", str(LINER), how)


def grpc_bot(folder: Path) -> LocalBot:
    bot = bot_that_runs(folder / "grpc", "{python}", "bot.py")
    (bot.folder / "bot.py").write_text(SERVES)
    return bot


def flat_bot(folder: Path) -> LocalBot:
    return line_bot(folder / "flat", "{python}", "-c", READS_FLAT, name="rogue", protocol="flat")


def play_one(bots: Sequence[LocalBot], sandbox: Sandbox, clock: Clock = PATIENT) -> Transcript:
    confined = confinement(sandbox, read=ROGUE_READS)
    header = auction_header(seats=len(bots), seed=0, rounds=3)
    return uvloop.run(play_once(ENTRY, bots, header, clock, confined))


def assert_it_fails(
    tmp_path: Path, how: str, sandbox: Sandbox, decision: int, kind: FaultKind, text: str, clock: Clock = PATIENT
) -> None:
    transcript = play_one([liner(tmp_path, how), liner(tmp_path, "honest")], sandbox, clock)
    assert faults(transcript) == [(0, decision, kind)]
    assert re.fullmatch(text, transcript.metadata.remarks[0].text), transcript.metadata.remarks[0].text


@in_every_sandbox
@pytest.mark.parametrize("how", AT_DECISION_2)
def test_a_wrong_line_or_an_end_loses_at_the_decision_that_was_asked(
    how: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    assert_it_fails(tmp_path, how, sandbox, 2, *AT_DECISION_2[how])


@in_every_sandbox
@pytest.mark.parametrize("how", SILENT)
def test_silence_is_a_timeout_whatever_the_bot_has_closed(how: str, sandbox: Sandbox, tmp_path: Path) -> None:
    assert_it_fails(tmp_path, how, sandbox, 2, FaultKind.TIMEOUT, SILENT[how], HASTY)


@in_every_sandbox
@pytest.mark.parametrize("how", BEFORE_DECISION_1)
def test_a_bot_that_does_not_get_ready_loses_before_its_first_decision(
    how: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    assert_it_fails(tmp_path, how, sandbox, 0, *BEFORE_DECISION_1[how])


@in_every_sandbox
def test_a_bot_that_never_flushes_learns_of_it(sandbox: Sandbox, tmp_path: Path) -> None:
    code = "import sys\nfor line in sys.stdin: print('ready')"
    silent = line_bot(tmp_path / "silent", "{python}", "-c", code)
    transcript = play_one([silent, liner(tmp_path, "honest")], sandbox, Clock(start_ms=1_500))
    text = "did not answer the start within 1500 ms; nothing arrived; does it flush its output after each answer, and"
    text += " read what bot.toml names as its protocol?"
    assert transcript.metadata.remarks[0].text == text


@in_every_sandbox
def test_a_second_answer_is_a_fault_at_the_next_decision(sandbox: Sandbox, tmp_path: Path) -> None:
    assert_it_fails(tmp_path, "answers_twice", sandbox, 3, FaultKind.PROTOCOL, TWICE)


@in_every_sandbox
def test_a_bot_that_closes_its_input_loses_by_silence(sandbox: Sandbox, tmp_path: Path) -> None:
    text = "did not answer decision 1 within 400 ms"
    assert_it_fails(tmp_path, "closes_its_input", sandbox, 1, FaultKind.TIMEOUT, text, HASTY)


@in_every_sandbox
@pytest.mark.parametrize("how", HONEST)
def test_what_hurts_nobody_is_no_fault(how: str, sandbox: Sandbox, tmp_path: Path) -> None:
    assert faults(play_one([liner(tmp_path, how), liner(tmp_path, "honest")], sandbox)) == []


@in_every_sandbox
def test_an_answer_to_the_end_costs_nothing_in_that_match_and_is_seen_at_the_next(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    async def play(run_dir: Path) -> tuple[list[Transcript], Table]:
        hosting = HostSettings(run_dir, confinement(sandbox, read=ROGUE_READS), PATIENT.start_ms)
        table = Table([liner(tmp_path, "answers_the_end"), liner(tmp_path, "honest")], hosting)
        headers = [auction_header(seats=2, seed=seed, rounds=3) for seed in range(2)]
        played = [await table.play(ENTRY, header, PATIENT) for header in headers]
        await table.stop()
        return played, table

    with run_folder() as run_dir:
        (first, second), table = uvloop.run(play(run_dir))
    assert faults(first) == []
    between = [failed.kind for failed in table.unpunished[0]]
    assert faults(second) in ([], [(0, 0, FaultKind.PROTOCOL)])
    assert (between == [FaultKind.PROTOCOL]) is (faults(second) == [])


@in_every_sandbox
@pytest.mark.parametrize("kinds", [("grpc", "lines"), ("lines", "flat"), ("flat", "grpc")], ids="-".join)
def test_the_same_choices_make_the_same_match_whatever_the_bots_read(
    kinds: tuple[str, str], sandbox: Sandbox, tmp_path: Path
) -> None:
    make: dict[str, Callable[[], LocalBot]] = {
        "grpc": lambda: grpc_bot(tmp_path),
        "lines": lambda: line_bot(tmp_path / "lines", "{python}", str(LINER), "honest", name="rogue"),
        "flat": lambda: flat_bot(tmp_path),
    }
    mixed = play_one([make[kind]() for kind in kinds], sandbox)
    assert faults(mixed) == []
    plain = play_one([grpc_bot(tmp_path)] * 2, sandbox)
    assert replace(mixed.record, header=plain.record.header) == plain.record


@in_every_sandbox
def test_matches_at_once_are_those_of_single_play(sandbox: Sandbox, tmp_path: Path) -> None:
    bots = [line_bot(tmp_path / "many", "{python}", str(LINER), "honest")] * 2
    headers = [auction_header(seats=2, seed=seed, rounds=3 + seed % 3) for seed in range(20)]
    confined = confinement(sandbox, read=ROGUE_READS)
    broken: list[str] = []

    async def play() -> tuple[list[Transcript], list[Transcript]]:
        at_once = await play_at_once(ENTRY, bots, headers, PATIENT, confined, lambda why: broken.append(str(why)))
        return at_once, [await play_once(ENTRY, bots, header, PATIENT, confined) for header in headers[:3]]

    at_once, singly = uvloop.run(play())
    assert broken == []
    assert [each.record for each in at_once[:3]] == [each.record for each in singly]


@pytest.mark.parametrize(
    "sandbox", [pytest.param("landlock", marks=needs_landlock), pytest.param("bubblewrap", marks=needs_boxes)]
)
def test_no_bot_in_a_sandbox_opens_the_pipes_of_another(sandbox: Sandbox, tmp_path: Path) -> None:
    transcript = play_one([liner(tmp_path, "opens_pipes_of_others"), liner(tmp_path, "honest")], sandbox)
    assert transcript.metadata.remarks == ()


def test_without_a_sandbox_a_bot_can_open_the_pipes_of_another(tmp_path: Path) -> None:
    transcript = play_one([liner(tmp_path, "opens_pipes_of_others"), liner(tmp_path, "honest")], "none")
    assert transcript.metadata.remarks[0].text == ENDED.format(7)
