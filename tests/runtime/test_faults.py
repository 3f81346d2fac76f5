"""Every way in which a bot can fail, with real processes: whose fault it is, at which decision, and why."""

import re
from pathlib import Path

import pytest

from referee.files.manifest import LONGEST_WORD, MOST_BYTES
from referee.match.terms import MARGIN_MS, Clock
from referee.match.transcript import FaultKind, Transcript
from tests.runtime.rogues import PATIENT, bot_that_runs, faults, play_one, rogue

pytestmark = pytest.mark.process

HASTY = Clock(move_ms=500, start_ms=20_000)
GUARD_MS = 3000
"""How much later a busy machine may give a verdict. This guards against waiting forever and measures nothing."""

LOST = r"died or hung up \((unavailable|unknown|cancelled|internal): .*\)"
"""gRPC says `internal` if the stream broke while a question was being written, whatever the bot said last."""

AT_DECISION_2 = {
    "dies": (FaultKind.CRASH, LOST + r"; its process ended with code 3"),
    "is_killed": (FaultKind.CRASH, LOST + r"; its process was ended by signal 9"),
    "leaves_a_child_with_its_connection": (FaultKind.CRASH, LOST + r"; its process ended with code 3"),
    "leaves_a_session_with_its_connection": (FaultKind.CRASH, r"died.*; its process ended with code 3"),
    "raises": (FaultKind.CRASH, r"died or hung up \(unknown: .*I cannot think.*\)"),
    "ends_its_stream": (FaultKind.CRASH, "ended its stream"),
    "floods_stderr": (FaultKind.CRASH, LOST + r"; its process ended with code 5"),
    "says_a_wrong_number": (FaultKind.PROTOCOL, "answered decision 7 when decision 2 was asked"),
    "says_no_index": (FaultKind.PROTOCOL, "answered decision 2 without an index"),
    "says_too_high_an_index": (FaultKind.ILLEGAL, "chose index 3 at decision 2, which had 3 actions"),
    "is_unavailable": (FaultKind.UNAVAILABLE, r"was unavailable at decision 2: 503\\x1b\[31m"),
    "says_an_empty_message": (FaultKind.PROTOCOL, "sent a BotMessage that is none of Ready, .* and Answers"),
    "says_garbage": (FaultKind.PROTOCOL, "sent 10 bytes that are no BotMessage"),
    "says_ready": (FaultKind.PROTOCOL, "answered decision 2 with ready instead of a choice"),
    "compresses": (FaultKind.PROTOCOL, "sent a compressed message"),
    "says_too_much": (FaultKind.PROTOCOL, "sent a message over 64 KiB"),
}
UNASKED = r"spoke without being asked \(a choice for decision 2\)|answered decision 2 when decision 3 was asked"
AT_DECISION_3 = {
    "floods": (FaultKind.PROTOCOL, UNASKED),
    "answers_twice": (FaultKind.PROTOCOL, UNASKED),
}
WHILE_THE_OTHER_THINKS = {
    "dies_off_turn": (FaultKind.CRASH, LOST + r"; its process ended with code 4"),
    "hangs_up_off_turn": (FaultKind.CRASH, LOST),
    "speaks_off_turn": (
        FaultKind.PROTOCOL,
        r"spoke without being asked \(ready\)|answered decision 3 with ready instead of a choice",
    ),
}
BEFORE_DECISION_1 = {
    "exits": (FaultKind.NO_START, "ended before it could be called; its process ended with code 3"),
    "has_another_name": (FaultKind.NO_START, "says it is somebody@1, but its bot.toml says rogue@1"),
    "describes_itself_with_garbage": (
        FaultKind.NO_START,
        "answered Describe with bytes that are no DescribeResponse",
    ),
    "refuses_to_describe_itself": (FaultKind.NO_START, r"did not answer Describe \(unimplemented: what\?\)"),
    "dies_at_the_start": (
        FaultKind.NO_START,
        LOST + r"; its process ended with code 3",
    ),
    "cancels_its_stream": (FaultKind.NO_START, LOST),
    "is_exhausted": (FaultKind.NO_START, r"died or hung up \((resource_exhausted: too many|internal: .*)\)"),
    "speaks_first": (
        FaultKind.PROTOCOL,
        r"spoke without being asked \(a choice\)|answered the start with a choice instead of ready",
    ),
}

Expected = dict[str, tuple[FaultKind, str]]


def in_threes(expected: Expected) -> list[tuple[str, ...]]:
    """The bots in groups of three. One match tries three bots, because its start is what takes time."""
    names = list(expected)
    return [tuple(names[at : at + 3]) for at in range(0, len(names), 3)]


def play_against_an_honest_one(folder: Path, names: tuple[str, ...], clock: Clock = PATIENT) -> Transcript:
    return play_one([*(rogue(folder, name) for name in names), rogue(folder, "honest")], clock=clock)


def assert_all_fail(transcript: Transcript, names: tuple[str, ...], decision: int, expected: Expected) -> None:
    """Assert that all of them fail at that decision, as expected, and that the honest last seat has won."""
    assert faults(transcript) == [(seat, decision, expected[name][0]) for seat, name in enumerate(names)]
    for name, remark in zip(names, transcript.metadata.remarks, strict=True):
        assert re.fullmatch(expected[name][1], remark.text), f"{name}: {remark.text}"
    assert transcript.record.outcome.places == (*[2] * len(names), 1)


@pytest.mark.parametrize("names", in_threes(AT_DECISION_2), ids="-".join)
def test_a_bad_answer_or_death_loses_at_the_decision_that_was_asked(names: tuple[str, ...], tmp_path: Path) -> None:
    transcript = play_against_an_honest_one(tmp_path, names)
    assert_all_fail(transcript, names, 2, AT_DECISION_2)


@pytest.mark.parametrize("names", in_threes(AT_DECISION_3), ids="-".join)
def test_what_comes_after_the_answer_loses_at_the_next_decision(names: tuple[str, ...], tmp_path: Path) -> None:
    transcript = play_against_an_honest_one(tmp_path, names)
    assert_all_fail(transcript, names, 3, AT_DECISION_3)


@pytest.mark.slow
@pytest.mark.parametrize("pondering", [True, False])
def test_what_happens_while_the_other_thinks_loses_at_the_next_decision(pondering: bool, tmp_path: Path) -> None:
    names = tuple(WHILE_THE_OTHER_THINKS)
    bots = [rogue(tmp_path, name) for name in (*names, "thinks")]
    transcript = play_one(bots, pondering=pondering)
    assert_all_fail(transcript, names, 3, WHILE_THE_OTHER_THINKS)


@pytest.mark.slow
@pytest.mark.parametrize("names", in_threes(BEFORE_DECISION_1), ids="-".join)
def test_a_bot_that_does_not_start_as_it_should_loses_before_the_first_decision(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    transcript = play_against_an_honest_one(tmp_path, names)
    assert_all_fail(transcript, names, 0, BEFORE_DECISION_1)
    assert transcript.record.choices == ()


@pytest.mark.slow
def test_silence_lateness_and_single_bytes_do_not_extend_the_deadline(tmp_path: Path) -> None:
    names = ("hangs", "is_late", "drips")
    transcript = play_against_an_honest_one(tmp_path, names, HASTY)
    too_late = (FaultKind.TIMEOUT, "did not answer decision 2 within 500 ms")
    assert_all_fail(transcript, names, 2, dict.fromkeys(names, too_late))
    times_ms = [spent.us / 1000 for spent in transcript.metadata.spent[-4:-1]]
    assert all(500 + MARGIN_MS <= time < 500 + MARGIN_MS + GUARD_MS for time in times_ms)


@pytest.mark.slow
def test_a_bot_that_is_not_up_in_time_loses_before_the_first_decision(tmp_path: Path) -> None:
    bots = [rogue(tmp_path, "never_serves")] * 2
    transcript = play_one(bots, clock=Clock(start_ms=300))
    assert faults(transcript) == [(0, 0, FaultKind.NO_START), (1, 0, FaultKind.NO_START)]
    assert {remark.text for remark in transcript.metadata.remarks} == {"did not answer Describe within 300 ms"}


def test_a_command_that_does_not_exist_is_no_start_and_said_so(tmp_path: Path) -> None:
    bots = [bot_that_runs(tmp_path / "nothing", "no-such-command"), rogue(tmp_path, "honest")]
    transcript = play_one(bots)
    assert faults(transcript) == [(0, 0, FaultKind.NO_START)]
    (remark,) = transcript.metadata.remarks
    assert remark.text == "ended before it could be called; its process ended with code 127"
    assert "no-such-command" in remark.stderr
    assert "No such file" in remark.stderr


CANNOT_BE_RUN = {
    "is_not_executable": ("#!/bin/sh\n", 0o644),
    "has_no_interpreter": ("#!/no/such/interpreter\n", 0o755),
    "has_too_long_an_interpreter": (f"#!/{'x' * 5000}\n", 0o755),
    "is_for_no_machine": ("\x7fELF\x02\x01\x01" + "\0" * 57, 0o755),
}


def test_a_program_that_no_system_can_run_is_no_start(tmp_path: Path) -> None:
    bots = []
    for name, (content, mode) in CANNOT_BE_RUN.items():
        bots.append(bot_that_runs(tmp_path / name, "./program", "{address}"))
        (tmp_path / name / "program").write_text(content)
        (tmp_path / name / "program").chmod(mode)
    transcript = play_one([*bots, rogue(tmp_path, "honest")])
    assert faults(transcript) == [(seat, 0, FaultKind.NO_START) for seat in range(len(bots))]
    for remark in transcript.metadata.remarks:
        assert re.match(r"ended before it could be called; its process ended with code \d+", remark.text)


def test_the_longest_command_that_bot_toml_may_have_is_started(tmp_path: Path) -> None:
    longest = [f"{{address}}{'x' * (LONGEST_WORD - 20)}"] * (MOST_BYTES // LONGEST_WORD - 1)
    bots = [bot_that_runs(tmp_path / "long", "true", *longest), rogue(tmp_path, "honest")]
    transcript = play_one(bots)
    (remark,) = transcript.metadata.remarks
    assert remark.text.startswith("ended before it could be called; its process ended with code 0")


def test_the_last_lines_of_stderr_are_kept(tmp_path: Path) -> None:
    transcript = play_against_an_honest_one(tmp_path, ("dies", "floods_stderr"))
    short, long = (remark.stderr for remark in transcript.metadata.remarks)
    assert short == "about to die"
    assert len(long) <= 4096
    assert long.endswith("line 19998 of far too many\nline 19999 of far too many")
