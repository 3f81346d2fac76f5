"""The conduct of real bots, good and bad. A bot that breaks one rule of docs/protocol.md fails in that rule alone."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest
import uvloop

from referee.check import run_check
from referee.check.matches import MATCHES, Setup
from referee.check.run_check import Finding, Requirement, check
from referee.files.manifest import Transport
from referee.match.terms import Clock
from referee.runtime.confinement import Unconfined
from referee.runtime.remote_bot import Credentials, meet
from referee.wire.messages import PROTOCOL_MINOR
from tests.auction import Options
from tests.bots.rogue import library
from tests.runtime.remotes import TLS, TOKEN, serving
from tests.runtime.rogues import ENTRY, PATIENT, rogue
from tests.runtime.test_batches import batcher

pytestmark = pytest.mark.process

REQUIREMENTS = (
    run_check.STARTS, run_check.ANSWERS, run_check.STAYS, run_check.CHOOSES, run_check.SPEAKS, run_check.IGNORES,
    run_check.READS, run_check.REPEATS, run_check.FORGETS, run_check.BATCHES, run_check.HANGS_UP, run_check.PLAYS,
    run_check.ENDS, run_check.REFUSES,
)  # fmt: skip
"""In the order of the report."""
SINGLY = [requirement for requirement in REQUIREMENTS if requirement is not run_check.BATCHES]
"""The requirements for a bot that plays no batches."""
ON_A_SOCKET = [requirement for requirement in SINGLY if requirement is not run_check.REFUSES]
"""Those of them for a bot on a unix socket, which no other user can call."""
NEED_WHOLE_MATCHES = (
    run_check.IGNORES, run_check.READS, run_check.REPEATS, run_check.FORGETS, run_check.HANGS_UP,
)  # fmt: skip
HASTY = Clock(move_ms=500, start_ms=20_000)
START_MS = 4_000
"""How long to wait for a bot that starts, but is never ready."""
SHORT_START_MS = 1_000
"""How long to wait for a bot that cannot start in any time."""
LONG = (
    "batcher/misses_one",
    "describes_itself_to_strangers",
    "has_another_name",
    "ignores_sigterm",
    "is_never_ready",
    "keeps_its_stream",
    "minds_unknown_fields",
    "never_serves",
    "reads_short_messages",
    "refuses_to_describe_itself",
)
"""Bots whose test takes more than a second."""

BREAKS: dict[str, tuple[Requirement, dict[str, str]]] = {
    "P-01": (run_check.STARTS, {"never_serves": "did not answer Describe"}),
    "P-02": (run_check.STARTS, {"exits": "ended before it could be called; its process ended with code 3"}),
    "P-03": (
        run_check.STARTS,
        {
            "refuses_to_describe_itself": "did not answer Describe (unimplemented: what?)",
            "describes_itself_with_garbage": "answered Describe with bytes that are no DescribeResponse",
        },
    ),
    "P-04": (run_check.STARTS, {"has_another_name": "says it is somebody@1, but its bot.toml says rogue@1"}),
    "P-05": (run_check.PLAYS, {"plays_another_game": "says chess; bot.toml: *"}),
    "P-06": (
        run_check.IGNORES,
        {
            "minds_unknown_fields": "what is this?",
            "knows_one_version": "did not answer Describe of a referee with a later minor version",
        },
    ),
    "P-07": (run_check.STARTS, {"is_never_ready": "did not answer the start"}),
    "P-08": (run_check.ANSWERS, {"hangs": "did not answer decision 2 within 500 ms"}),
    "P-09": (
        run_check.SPEAKS,
        {
            "says_a_wrong_number": "answered decision 7 when decision 2 was asked",
            "says_ready": "answered decision 2 with ready instead of a choice",
        },
    ),
    "P-10": (run_check.SPEAKS, {"says_no_index": "answered decision 2 without an index"}),
    "P-11": (run_check.CHOOSES, {"says_too_high_an_index": "chose index 3 at decision 2, which had 3 actions"}),
    "P-12": (
        run_check.SPEAKS,
        {
            "says_garbage": "sent 10 bytes that are no BotMessage",
            "says_an_empty_message": "sent a BotMessage that is none of Ready, Choice, Unavailable and Answers",
        },
    ),
    "P-13": (run_check.SPEAKS, {"says_too_much": "sent a message over 64 KiB"}),
    "P-26": (run_check.SPEAKS, {"compresses": "sent a compressed message"}),
    "P-14": (run_check.SPEAKS, {"speaks_after_the_end": "ready", "speaks_first": "a choice"}),
    "P-15": (run_check.STAYS, {"dies": "its process ended with code 3", "ends_its_stream": "ended its stream"}),
    "P-16": (
        run_check.STAYS,
        {
            "dies_after_the_end": "after the last decision of match 1, seat ",
            "ends_its_stream_after_the_end": "after the last decision of match 1, seat ",
        },
    ),
    "P-17": (run_check.READS, {"reads_short_messages": "died or hung up"}),
    "P-18": (run_check.HANGS_UP, {"keeps_its_stream": "did not do so within a second after match 3"}),
    "P-19": (run_check.ENDS, {"ignores_sigterm": "did not do so within a second"}),
    "P-20": (run_check.REPEATS, {"gambles": "match 3, twice on fresh processes: decision "}),
    "P-21": (
        run_check.FORGETS,
        {"remembers": "decision 1 of seat 0: recorded index 0, now index 1"},
    ),
    "P-27": (
        run_check.BATCHES,
        {
            "batcher/misses_one": "did not answer 1 of the 3 questions of a batch within 500 ms",
        },
    ),
    "P-28": (
        run_check.BATCHES,
        {"batcher/answers_singly": "with a choice instead of answers"},
    ),
    "P-29": (
        run_check.BATCHES,
        {"batcher/chooses_otherwise": "singly and at once with others: decision 2"},
    ),
    "P-24": (
        run_check.REFUSES,
        {
            "describes_itself_to_strangers": "did not refuse Describe without a token, Describe with a wrong token",
            "plays_with_strangers": "did not refuse Play without a token, Play with a wrong token",
        },
    ),
}
"""For each rule: the requirement that tests it, and the bot that breaks it, with a part of the finding's text.

Of those that answer a batch wrongly there is one for each rule; `tests/runtime/test_batches.py` has the others.
"""


Findings = Callable[[str, Clock, Transport], dict[str, Finding]]


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """Checks a bot. What several tests ask about the same bot is found out once."""
    return cache(partial(found_in, tmp_path_factory.mktemp("bots")))


def found_in(folder: Path, how: str, clock: Clock, transport: Transport) -> dict[str, Finding]:
    """Every finding by its rule, after three matches of one seat, so that each match needs only one process.

    In so many rounds nobody chooses twice alike by chance.
    """
    bot = batcher(folder, Path(how).name) if how.startswith("batcher/") else rogue(folder, how, transport)
    setup = Setup(ENTRY, Options(rounds=12), bot, 1, clock, Unconfined(), matches=3)
    return {finding.rule: finding for finding in uvloop.run(check(setup))}


def test_an_honest_bot_keeps_every_rule(tmp_path: Path) -> None:
    found = uvloop.run(check(Setup(ENTRY, Options(), rogue(tmp_path, "honest"), 2, PATIENT, Unconfined())))
    assert [(finding.rule, finding.numbers, finding.kept) for finding in found] == [
        (requirement.rule, requirement.numbers, True) for requirement in ON_A_SOCKET
    ]
    texts = {finding.rule: finding.text for finding in found}
    assert texts[run_check.CHOOSES.rule] == f"{MATCHES} matches, {MATCHES * 4} decisions"
    assert texts[run_check.ANSWERS.rule].startswith("the slowest decision took ")


# Of several bots that break a rule, each in its way, `make test` has the first, unless that takes long.
def test_the_rogue_that_knows_one_version_knows_that_of_the_referee() -> None:
    assert library.MINOR == PROTOCOL_MINOR


@pytest.mark.parametrize(
    ("number", "how"),
    [
        pytest.param(number, how, marks=[pytest.mark.slow] if place or how in LONG else [])
        for number, (_, rogues) in BREAKS.items()
        for place, how in enumerate(rogues)
    ],
)
def test_who_breaks_a_rule_fails_its_point_and_no_other(number: str, how: str, findings: Findings) -> None:
    requirement, texts = BREAKS[number]
    start_ms = {"never_serves": SHORT_START_MS, "is_never_ready": START_MS}.get(how, PATIENT.start_ms)
    clock = Clock(
        move_ms=HASTY.move_ms if how in ("hangs", "batcher/misses_one") else PATIENT.move_ms, start_ms=start_ms
    )
    found = findings(how, clock, "tcp" if requirement is run_check.REFUSES else "unix")
    assert [finding.rule for finding in found.values() if finding.kept is False] == [requirement.rule]
    assert number in found[requirement.rule].numbers
    assert texts[how] in found[requirement.rule].text


def test_an_honest_bot_that_plays_batches_keeps_that_rule_too(findings: Findings) -> None:
    found = findings("batcher/right", PATIENT, "unix")
    assert {finding.kept for finding in found.values()} == {True}
    assert found[run_check.BATCHES.rule].text == "3 matches, 36 decisions"


def test_every_number_of_a_point_has_somebody_who_breaks_it() -> None:
    assert {(number, requirement.rule) for requirement in REQUIREMENTS for number in requirement.numbers} == {
        (number, requirement.rule) for number, (requirement, _) in BREAKS.items()
    }


def test_after_a_fault_the_points_that_need_whole_matches_stay_open(findings: Findings) -> None:
    found = findings("dies", PATIENT, "unix")
    left_open = {rule for rule, finding in found.items() if finding.kept is None}
    assert left_open == {requirement.rule for requirement in NEED_WHOLE_MATCHES}


OPEN_FROM_THE_START = {(None, "not tested, since it did not start as it should")}


def but_of_its_start(found: dict[str, Finding]) -> set[tuple[bool | None, str]]:
    """Whether the other rules were kept, and what was seen of them."""
    return {(finding.kept, finding.text) for rule, finding in found.items() if rule != run_check.STARTS.rule}


def test_a_bot_that_does_not_start_leaves_every_other_rule_open(findings: Findings) -> None:
    found = findings("exits", PATIENT, "unix")
    starts = found[run_check.STARTS.rule]
    assert (starts.kept, starts.stderr) == (False, "no licence found")
    assert but_of_its_start(found) == OPEN_FROM_THE_START


@pytest.mark.parametrize("how", ["has_another_name", pytest.param("is_never_ready", marks=pytest.mark.slow)])
def test_of_a_bot_that_says_who_it_is_and_starts_wrongly_nobody_says_that_it_does_not_answer(
    how: str, findings: Findings
) -> None:
    start_ms = START_MS if how == "is_never_ready" else PATIENT.start_ms
    found = findings(how, Clock(move_ms=PATIENT.move_ms, start_ms=start_ms), "unix")
    assert but_of_its_start(found) == OPEN_FROM_THE_START


def test_an_honest_bot_on_a_port_keeps_its_token_too(findings: Findings) -> None:
    """It says the port. With an address that they are given, bots that break P-24 keep all other rules."""
    found = findings("honest", PATIENT, "tcp-any")
    kept = {rule: finding.kept for rule, finding in found.items()}
    assert kept == {requirement.rule: True for requirement in SINGLY}
    assert found[run_check.REFUSES.rule].text == "refused all of 4 calls"


@pytest.mark.slow
def test_a_bot_on_a_port_that_it_does_not_say_has_not_started(findings: Findings) -> None:
    """P-01."""
    found = findings("keeps_its_port_to_itself", Clock(move_ms=20_000, start_ms=SHORT_START_MS), "tcp-any")
    assert found[run_check.STARTS.rule].text.endswith(f"did not print REFEREE_PORT=... within {SHORT_START_MS} ms")


def test_a_remote_bot_is_tried_at_all_but_its_start_and_end(tmp_path: Path) -> None:
    """P-25: it holds two seats at once."""
    (tmp_path / "token").touch(mode=0o600)
    (tmp_path / "token").write_text(TOKEN)
    with serving("honest", tls=True, token=TOKEN) as (address, _):
        bot = uvloop.run(meet(address, Credentials(TLS / "ca.pem", tmp_path / "token"), 20_000))
        found = uvloop.run(check(Setup(ENTRY, Options(), bot, 2, PATIENT, Unconfined(), matches=3)))
    not_ours = (run_check.PLAYS, run_check.ENDS)
    assert [(finding.rule, finding.kept) for finding in found] == [
        (requirement.rule, True) for requirement in SINGLY if requirement not in not_ours
    ]
