"""The conduct of real bots, good and bad: each rule fails for the bot that breaks it, and only that rule."""

from pathlib import Path

import pytest
import uvloop

from referee.match.clock import Clock
from referee.shell.conduct import MATCHES, Point, Trial, check
from tests.auction import Options
from tests.shell.rogues import ENTRY, PATIENT, rogue

pytestmark = pytest.mark.process

RULES = ("starts in time", "answers", "stays up", "chooses", "speaks", "makes the same choices", "ends its stream")
OPEN_AFTER_A_FAULT = {"makes the same choices", "ends its stream"}


def points(folder: Path, how: str, clock: Clock = PATIENT) -> dict[str, Point]:
    """Every point by how its rule begins."""
    found = uvloop.run(check(Trial(ENTRY, Options(), rogue(folder, how), 2, clock)))
    assert len(found) == len(RULES)
    return {next(rule for rule in RULES if point.rule.startswith(rule)): point for point in found}


def test_an_honest_bot_keeps_every_rule(tmp_path: Path) -> None:
    found = points(tmp_path, "honest")
    assert {rule: point.kept for rule, point in found.items()} == dict.fromkeys(RULES, True)
    assert found["chooses"].text == f"{MATCHES} matches, {MATCHES * 4} decisions"
    assert f"of {MATCHES * 4} decisions" in found["answers"].text


@pytest.mark.parametrize(
    ("how", "rule", "text"),
    [
        ("hangs", "answers", "did not answer decision 2 within 500 ms"),
        ("dies", "stays up", "its process ended with code 3"),
        ("says_too_high_an_index", "chooses", "chose index 3 at decision 2, which had 3 actions"),
        ("says_garbage", "speaks", "sent 10 bytes that are no BotMessage"),
    ],
)
def test_a_fault_breaks_its_rule_and_no_other(how: str, rule: str, text: str, tmp_path: Path) -> None:
    found = points(tmp_path, how, Clock(move_ms=500, start_ms=20_000) if how == "hangs" else PATIENT)
    assert text in found[rule].text
    assert {rule for rule, point in found.items() if point.kept is False} == {rule}
    assert {rule for rule, point in found.items() if point.kept is None} == OPEN_AFTER_A_FAULT


def test_a_bot_that_does_not_start_leaves_every_other_rule_open(tmp_path: Path) -> None:
    found = points(tmp_path, "exits")
    assert found["starts in time"].kept is False
    assert found["starts in time"].stderr == "no licence found"
    assert {point.kept for rule, point in found.items() if rule != "starts in time"} == {None}


def test_a_bot_that_remembers_earlier_matches_is_found_out(tmp_path: Path) -> None:
    found = points(tmp_path, "remembers")
    assert [rule for rule, point in found.items() if not point.kept] == ["makes the same choices"]
    assert (
        "decision 1 of seat 0: recorded index 2 by seat 0, now index 1 by seat 0"
        in found["makes the same choices"].text
    )


def test_a_bot_that_keeps_its_stream_open_is_found_out(tmp_path: Path) -> None:
    found = points(tmp_path, "keeps_its_stream")
    assert [rule for rule, point in found.items() if not point.kept] == ["ends its stream"]


@pytest.mark.parametrize(("how", "kept"), [("honest", True), ("welcomes_strangers", False)])
def test_a_bot_on_a_port_must_refuse_who_does_not_show_its_token(how: str, kept: bool, tmp_path: Path) -> None:
    found = uvloop.run(check(Trial(ENTRY, Options(), rogue(tmp_path, how, "tcp"), 2, PATIENT)))
    strangers = found[-1]
    assert strangers.rule.startswith("refuses who does not show its token")
    assert (strangers.kept, strangers.text) == (kept, f"answered {0 if kept else 2} of 2 who had none")
    assert {point.kept for point in found[:-1]} == {True}
