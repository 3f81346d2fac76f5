"""The check of bots that read lines: each fault fails its point in words that the author knows."""

import re
from pathlib import Path

import pytest
import uvloop

from referee.check import run_check
from referee.check.matches import Setup
from referee.check.run_check import IN_LINES, Finding, Requirement, check
from referee.match.terms import Clock
from referee.runtime.confinement import Unconfined
from referee.runtime.local_bot import LocalBot
from tests.auction import Options
from tests.runtime.rogues import ENTRY, PATIENT
from tests.runtime.test_line_bots import line_bot, liner

pytestmark = pytest.mark.process

UNFLUSHED = "import sys\nfor line in sys.stdin: print('ready' if 'start' in line else '0')"
REMEMBERS = """\
import json
starts = 0
while line := input():
    message = json.loads(line)
    if message["type"] == "start":
        starts += 1
        print("ready", flush=True)
    elif message["type"] == "decide":
        print((starts + message["number"]) % len(message["legal"]), flush=True)
"""
OUTLIVES_ITS_INPUT = """\
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "end":
        print("ready" if message["type"] == "start" else 0, flush=True)
time.sleep(30)
"""


def found(bot: LocalBot, clock: Clock = PATIENT) -> list[Finding]:
    return list(uvloop.run(check(Setup(ENTRY, Options(rounds=12), bot, 1, clock, Unconfined(), matches=3))))


def failed(bot: LocalBot, clock: Clock = PATIENT) -> list[tuple[str, str]]:
    return [(finding.rule, finding.text) for finding in found(bot, clock) if finding.kept is False]


def in_lines(requirement: Requirement) -> str:
    return IN_LINES.get(requirement, requirement).rule


def script(folder: Path, text: str) -> LocalBot:
    bot = line_bot(folder / "bot", "{python}", "bot.py", max_batch=1)
    (bot.folder / "bot.py").write_text(text)
    return bot


def test_an_honest_bot_keeps_all_that_applies(tmp_path: Path) -> None:
    assert [(finding.rule, finding.kept) for finding in found(liner(tmp_path, "honest"))] == [
        (in_lines(requirement), True)
        for requirement in (
            run_check.STARTS,
            run_check.ANSWERS,
            run_check.STAYS,
            run_check.CHOOSES,
            run_check.SPEAKS,
            run_check.IGNORES,
            run_check.READS,
            run_check.REPEATS,
            run_check.FORGETS,
            run_check.BATCHES,
            run_check.HANGS_UP,
        )
    ]


@pytest.mark.parametrize(
    ("how", "requirement", "text"),
    [
        ("prints_a_banner", run_check.SPEAKS, "what people are to read belongs on stderr"),
        ("answers_twice", run_check.SPEAKS, "spoke without being asked"),
        ("answers_the_end", run_check.SPEAKS, "ready|spoke without being asked"),  # it may be read at the next start
        ("chooses_99", run_check.CHOOSES, "chose index 99 at decision 2"),
        ("exits", run_check.STAYS, "ended; its process ended with code 3"),
        ("never_starts", run_check.STARTS, "ended; its process ended with code 3"),
    ],
)
def test_each_fault_fails_its_point(how: str, requirement: Requirement, text: str, tmp_path: Path) -> None:
    ((rule, said),) = failed(liner(tmp_path, how))
    assert rule == in_lines(requirement)
    assert re.search(text, said)


def test_who_does_not_flush_is_told_so(tmp_path: Path) -> None:
    ((rule, text),) = failed(script(tmp_path, UNFLUSHED), Clock(move_ms=60_000, start_ms=2_000))
    assert rule == in_lines(run_check.STARTS)
    assert text.endswith(
        "nothing arrived; does it flush its output after each answer, and read what bot.toml names as its protocol?"
    )


def test_who_remembers_other_matches_fails_that_point(tmp_path: Path) -> None:
    assert [rule for rule, _ in failed(script(tmp_path, REMEMBERS))] == [in_lines(run_check.FORGETS)]


def test_who_goes_on_after_the_end_of_its_input_fails_that_point(tmp_path: Path) -> None:
    ((rule, _),) = failed(script(tmp_path, OUTLIVES_ITS_INPUT))
    assert rule == in_lines(run_check.HANGS_UP)
