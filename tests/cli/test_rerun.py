"""`rerun` of a match of a league takes all that the bots were entered with from the transcript."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.cli.rerun import on_plain_terms
from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import from_file, to_file
from tests.cli.command import GAME, header, referee
from tests.tournaments.arena import write_bot, write_league
from tests.tournaments.fakes import draws, play_in_process

FIRST = 'label = "first"\narguments = ["1"]\nenvironment = { SHIFT = "1" }\n'
SECOND = 'label = "second"\nclock = { move_ms = 200_000 }\n'


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """The transcript of a match between two entries of one bot. The league file has gone since."""
    bot = write_bot(tmp_path / "ann", "ann", tmp_path / "log")
    file = write_league(tmp_path / "small.toml", [], deals=1)
    keys = f"[[bots]]\npath = {json.dumps(str(bot))}\n"
    file.write_text(file.read_text().replace("[[tables]]", f"{keys}{FIRST}{keys}{SECOND}[[tables]]"))
    store = ("--store", f"sqlite:///{tmp_path / 'small.sqlite'}")
    assert referee("league", "run", file, *store, "--workers", "1").code == 0
    assert referee("league", "export", file, tmp_path / "out", *store).code == 0
    assert referee("league", "verify", file, *store).code == 0
    file.unlink()
    return tmp_path / "out/transcripts/agent-avenue/simple/ann+first@1+ann+second@1/deal-0/turn-0.json"


@pytest.mark.process
def test_a_match_of_two_entries_of_one_bot_is_played_again_as_it_was(exported: Path) -> None:
    transcript, _ = from_file(exported.read_bytes())
    patient = Clock(move_ms=300_000, start_ms=300_000)
    assert transcript.metadata.clock == patient
    assert transcript.terms == (
        EntryTerms(("1",), {"SHIFT": "1"}),
        EntryTerms(clock=msgspec.structs.replace(patient, move_ms=200_000)),
    )
    again = referee("rerun", exported, "--sandbox", "none", "--start-ms", "400000")
    assert (again.code, again.out) == (0, "the same match, choice by choice\n")
    told = referee("replay", exported).out.splitlines()
    assert told[1:3] == [
        "seat 0: ann+first@1 (arguments 1, SHIFT=1)",
        "seat 1: ann+second@1 (move_ms 200000, bank_ms 0, increment_ms 0, start_ms 300000)",
    ]
    one, other = (referee("replay", exported, "--seat", seat).out.splitlines()[0] for seat in ("0", "1"))
    assert one == "MatchStart"
    assert other == "MatchStart (move_ms 200000, bank_ms 0, increment_ms 0, start_ms 300000)"
    exported.write_bytes(to_file(msgspec.structs.replace(transcript, metadata=without_terms(transcript.metadata))))
    other_bots = referee("rerun", exported, "--sandbox", "none")
    assert other_bots.code == 1
    assert " of seat 0 (1 of the match): recorded " in other_bots.out


def test_another_time_to_start_is_that_of_the_bots_with_clocks_of_their_own_too() -> None:
    transcript = play_in_process(GAME, header(), Clock(), (draws, draws))
    own = (EntryTerms(("1",), clock=Clock(move_ms=5)), EntryTerms())
    transcript = msgspec.structs.replace(transcript, metadata=msgspec.structs.replace(transcript.metadata, terms=own))
    assert on_plain_terms("it", transcript).terms == own
    later = (EntryTerms(("1",), clock=Clock(move_ms=5, start_ms=7)), EntryTerms())
    assert on_plain_terms("it", transcript, 7).terms == later


def without_terms(aside: Any) -> Any:
    return msgspec.structs.replace(aside, terms=msgspec.UNSET)


def changes(change: Callable[[Any], None], file: Path) -> Path:
    """A transcript of two bots in folders, with terms, and a change to its aside."""
    transcript = play_in_process(GAME, header(), Clock(), (draws, draws))
    aside = msgspec.structs.replace(transcript.metadata, terms=(EntryTerms(("1",)), EntryTerms()), bots=("/a", "/b"))
    whole = json.loads(to_file(msgspec.structs.replace(transcript, metadata=aside)))
    change(whole["aside"])
    file.write_text(json.dumps(whole))
    return file


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda aside: aside["terms"].pop(),
            "it cannot be compared with another match: the header does not describe a match of agent-avenue: 1 bots",
        ),
        (
            lambda aside: aside["terms"][1]["environment"].update(LD_PRELOAD="/evil.so"),
            "the terms of seat 1 cannot be used: LD_PRELOAD is reserved; not allowed: ",
        ),
        (
            lambda aside: aside["terms"][0].update(clock={"move_ms": 1 << 32}),
            "is not a transcript: a time that bots are told must be at most 4294967295 ms",
        ),
        (
            lambda aside: aside["terms"][0]["arguments"].append("\0"),
            "the terms of seat 0 cannot be used: has a NUL character, which no command can have",
        ),
    ],
)
def test_terms_that_no_league_file_may_give_start_nothing(
    change: Callable[[Any], None], sentence: str, tmp_path: Path
) -> None:
    file = changes(change, tmp_path / "match.json")
    ended = referee("rerun", file)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"{file}: {sentence}")
    assert len(ended.err.splitlines()) == 1
