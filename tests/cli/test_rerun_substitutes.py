"""`referee rerun FILE --bot SEAT=BOT`: would the match have gone otherwise with another bot in a seat?"""

import json
import re
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.match.transcript import Transcript, from_file, to_file
from referee.wire.registry import games
from tests.bots.alike import PROTOCOLS, READS_LINES, by_rule, write_alike
from tests.cli.command import Ended, referee

pytestmark = pytest.mark.process

PATIENT = ("--start-ms", "300000", "--sandbox", "none")
BY_RULE = 'x * x % 9973 % len(message["legal"])'
FROM_THE_THIRD = f'{BY_RULE} if message["number"] < 3 else len(message["legal"]) - 1'


def another(folder: Path, chooses: str, name: str = "other") -> Path:
    """A bot that reads lines and chooses so."""
    program = write_alike(folder, "lines", name) / "bot.py"
    assert BY_RULE in READS_LINES
    program.write_text(READS_LINES.replace(BY_RULE, chooses))
    return folder


@pytest.fixture(params=games())
def match(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A match of each game between bots that read lines."""
    rules, file = games()[request.param].game, tmp_path / "match.json"
    bots = [write_alike(tmp_path / f"bot{seat}", "lines") for seat in range(min(rules.seats(rules.options_type())))]
    played = referee("play", request.param, *bots, "--seed", "3", "--out", file, "--move-ms", "300000", *PATIENT)
    assert played.code == 0, played.err
    return file


def rerun(file: Path, *words: str | Path) -> Ended:
    return referee("rerun", file, *words, *PATIENT)


def recorded(file: Path) -> Transcript:
    return from_file(file.read_bytes())[0]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_bot_that_chooses_as_recorded_plays_the_same_match(match: Path, protocol: str, tmp_path: Path) -> None:
    found = rerun(match, "--bot", f"1={write_alike(tmp_path / 'new', protocol, 'new')}")
    assert (found.code, found.out) == (0, "the same match, choice by choice\n")


def test_the_first_other_choice_is_told_with_both_actions_and_both_ends(match: Path, tmp_path: Path) -> None:
    found = rerun(match, "--bot", f"1={another(tmp_path / 'new', FROM_THE_THIRD)}", "--json").json
    then = recorded(match)
    told = re.fullmatch(
        r"the same up to decision (\d+) of seat 1 \((\d+) of the match\): recorded (.+), now (.+)", found["difference"]
    )
    assert told
    assert (int(told[1]) >= 3, found["same"], found["absent"]) == (True, False, [])
    own = [at for at, choice in enumerate(then.record.choices, 1) if choice.seat == 1]
    assert int(told[2]) == own[int(told[1]) - 1]
    assert told[3] != told[4]
    assert found["places"] == list(then.record.outcome.places)
    assert len(found["now"]) == len(found["places"])


def test_what_follows_is_the_match_that_these_bots_play(match: Path, tmp_path: Path) -> None:
    """All others choose by the rule, in the record and now. So the end is that of a match with the new bot."""
    header = recorded(match).record.header
    new = another(tmp_path / "new", FROM_THE_THIRD, "alike")  # of the same name, so it has the same seed
    bots = [new if seat == 1 else tmp_path / f"bot{seat}" for seat in range(len(header.entries))]
    again = tmp_path / "again.json"
    assert referee("play", header.game, *bots, "--seed", "3", "--out", again, *PATIENT).code == 0
    found = rerun(match, "--bot", f"1={new}", "--json").json
    assert found["now"] == list(recorded(again).record.outcome.places)
    assert by_rule(header).digest == recorded(match).digest


def test_if_a_bot_of_the_record_is_gone_the_match_is_followed_to_the_first_other_choice(
    match: Path, tmp_path: Path
) -> None:
    new = another(tmp_path / "new", FROM_THE_THIRD)
    whole = rerun(match, "--bot", f"1={new}", "--json").json
    shutil.rmtree(tmp_path / "bot0")
    found = rerun(match, "--bot", f"1={new}")
    assert found.code == 1
    assert "nobody goes on: alike@1 (seat 0) cannot be had; --others BOT lets a bot stand in" in found.out
    part = rerun(match, "--bot", f"1={new}", "--json").json
    assert (part["difference"], part["now"], part["absent"]) == (whole["difference"], None, [0])
    same = rerun(match, "--bot", f"1={write_alike(tmp_path / 'same', 'flat')}")
    assert (same.code, same.out) == (0, "the same match, choice by choice\n")


def test_who_stands_in_knows_the_match_and_chooses_only_from_the_first_other_choice_on(
    match: Path, tmp_path: Path
) -> None:
    new, last = another(tmp_path / "new", FROM_THE_THIRD), another(tmp_path / "last", 'len(message["legal"]) - 1')
    whole = rerun(match, "--bot", f"1={new}", "--json").json
    shutil.rmtree(tmp_path / "bot0")
    found = rerun(match, "--bot", f"1={new}", "--others", last)
    assert "other@1 stands in for alike@1 (seat 0) from then on" in found.out
    assert rerun(match, "--bot", f"1={new}", "--others", last, "--json").json["difference"] == whole["difference"]
    alike = rerun(match, "--bot", f"1={new}", "--others", write_alike(tmp_path / "alike", "grpc"), "--json").json
    assert alike["now"] == whole["now"]


def test_a_bot_that_fails_now_leaves_the_record_by_its_fault(match: Path, tmp_path: Path) -> None:
    found = rerun(match, "--bot", f"0={another(tmp_path / 'new', '1_000')}", "--json").json
    assert found["difference"].startswith("the same up to decision 1 of seat 0 (")
    assert ", now the fault illegal: " in found["difference"]


def test_a_bot_that_does_not_start_leaves_the_record_at_the_start(match: Path, tmp_path: Path) -> None:
    new = another(tmp_path / "new", BY_RULE)
    (new / "bot.py").write_text("raise SystemExit(3)\n")
    found = rerun(match, "--bot", f"1={new}")
    assert found.code == 1
    assert found.out.startswith("the same up to the start of seat 1: recorded no fault, now the fault no start: ended")


def test_a_fault_of_the_record_is_told_as_it_was_and_the_match_goes_on_without_it(tmp_path: Path) -> None:
    bad, file = another(tmp_path / "bad", f'1_000 if message["number"] == 2 else {BY_RULE}', "bad"), tmp_path / "m.json"
    good = write_alike(tmp_path / "good", "lines")
    assert referee("play", "agent-avenue", bad, good, "--seed", "3", "--out", file, *PATIENT).code == 0
    same = rerun(file)
    assert (same.code, same.out) == (0, "the same match, choice by choice, with the same fault: illegal of seat 0\n")
    found = rerun(file, "--bot", f"0={good}")
    assert " of the match): recorded the fault illegal: chose index 1000 at decision 2, " in found.out
    assert "recorded: ending: fault\n" in found.out
    assert "now: ending: fault\n" not in found.out
    assert recorded(file).record.faults
    shutil.rmtree(bad)  # nobody is in its seat: its fault is that of the record
    followed = rerun(file, "--bot", f"1={good}")
    assert (followed.code, followed.out) == (same.code, same.out)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--bot", "9=BOT"), "there is no seat 9"),
        (("--bot", "0=BOT", "--bot", "BOT"), "write every --bot as SEAT=BOT, each seat once"),
        (("--others", "BOT"), "write every --bot as SEAT=BOT, each seat once"),
        (("--bot", "0=BOT", "--bot", "0=BOT"), "write every --bot as SEAT=BOT, each seat once"),
        (("--bot", "0=nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_asked_is_said(words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    bots, file = [write_alike(tmp_path / name, "lines") for name in ("ann", "bob")], tmp_path / "match.json"
    assert referee("play", "agent-avenue", *bots, "--seed", "3", "--out", file, *PATIENT).code == 0
    found = rerun(file, *(word.replace("BOT", str(bots[0])) for word in words))
    assert (found.code, found.out) == (2, "")
    assert sentence in found.err


@pytest.mark.parametrize("place", ["\0", "x" * 5_000, "", "unix:\0", "\ud800"])
def test_a_place_that_can_be_none_is_no_bot_and_no_exception(place: str, tmp_path: Path) -> None:
    file, bot = tmp_path / "m.json", write_alike(tmp_path / "bot", "lines")
    assert referee("play", "agent-avenue", bot, bot, "--seed", "3", "--out", file, *PATIENT).code == 0
    transcript = recorded(file)
    file.write_text(
        to_file(replace(transcript, metadata=replace(transcript.metadata, bots=("ODD", str(bot)))))
        .decode()
        .replace('"ODD"', json.dumps(place))
    )
    same = rerun(file, "--bot", f"1={bot}")
    alone = rerun(file)
    if place != "\ud800":  # no JSON of ours has it
        assert (same.code, same.out) == (0, "the same match, choice by choice\n")
    assert (alone.code, len(alone.err.splitlines())) == (2, 1)
