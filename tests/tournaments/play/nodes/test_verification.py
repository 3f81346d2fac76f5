"""The results of nodes that the runner stores."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.core.errors import GameBug
from referee.match.terms import EntryTerms
from referee.match.transcript import Choice, FaultKind, FaultMark, Header, Metadata, Record, Transcript
from referee.wire.registry import game_entry
from tests.tournaments.leagues import plan
from tests.tournaments.play.nodes.leagues import CLOCK, altered, avenue, played
from tournaments.league import league_seed
from tournaments.league.model import FinishedMatch, finished
from tournaments.play.nodes.verification import ExpectedMatch, verified_match, verify_matches

LEAGUE = avenue()
FIXTURE, OTHER = plan(LEAGUE)[:2]
HEADER = league_seed.header(LEAGUE, bytes(32), FIXTURE)
TRUE = played(HEADER)
PLACES = ("/bots/ann", "/bots/bob")
EXPECTED = ExpectedMatch(FIXTURE, HEADER, CLOCK, (EntryTerms(), EntryTerms()), PLACES)


def sent(record: Record = TRUE.record, aside: Metadata = TRUE.metadata) -> FinishedMatch:
    return finished(FIXTURE, Transcript(record, aside))


def test_a_match_that_holds_is_stored_with_the_places_where_the_runner_has_the_bots() -> None:
    on_node = replace(TRUE.metadata, bots=("/node/1", "/node/2"))
    kept = verified_match(EXPECTED, sent(aside=on_node))
    assert kept == finished(FIXTURE, replace(TRUE, metadata=replace(TRUE.metadata, bots=PLACES)))


def test_if_the_game_fails_when_a_match_is_verified_it_is_a_bug_of_the_game_and_not_of_the_node(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("pot")

    monkeypatch.setattr(type(game_entry(HEADER.game).game), "apply", fails)
    with pytest.raises(GameBug, match="KeyError: 'pot'; this is a bug of the game"):
        verified_match(EXPECTED, sent())


def test_another_choice_that_is_legal_holds_and_is_another_match() -> None:
    other = altered(HEADER)
    assert other.record != TRUE.record
    assert isinstance(verified_match(EXPECTED, finished(FIXTURE, other)), FinishedMatch)


def with_choice(record: Record, at: int, choice: Choice) -> Record:
    return replace(record, choices=(*record.choices[:at], choice, *record.choices[at + 1 :]))


@given(at=st.integers(0, len(TRUE.record.choices) - 1), index=st.integers(-3, 60))
def test_a_choice_that_is_altered_holds_only_if_the_rules_lead_to_the_rest(at: int, index: int) -> None:
    record = with_choice(TRUE.record, at, Choice(TRUE.record.choices[at].seat, index))
    kept = verified_match(EXPECTED, sent(record))
    if record == TRUE.record:
        assert isinstance(kept, FinishedMatch)
    elif isinstance(kept, FinishedMatch):  # two actions that lead to the same match, as two equal cards do
        assert index >= 0
        assert replace(record, choices=()) == replace(TRUE.record, choices=())


_BREAKS: dict[str, Callable[[], FinishedMatch]] = {
    "another header": lambda: sent(played(league_seed.header(LEAGUE, bytes(32), OTHER)).record),
    "the luck of another seed": lambda: sent(
        replace(played(league_seed.header(LEAGUE, b"1" * 32, FIXTURE)).record, header=HEADER)
    ),
    "an ending cut off": lambda: sent(replace(TRUE.record, choices=TRUE.record.choices[:-1])),
    "a choice too many": lambda: sent(replace(TRUE.record, choices=(*TRUE.record.choices, Choice(0, 0)))),
    "a fault that was none": lambda: sent(replace(TRUE.record, faults=(FaultMark(1, 99, FaultKind.CRASH),))),
    "places turned round": lambda: sent(
        replace(TRUE.record, outcome=replace(TRUE.record.outcome, places=TRUE.record.outcome.places[::-1]))
    ),
    "another clock": lambda: sent(aside=replace(TRUE.metadata, clock=replace(CLOCK, move_ms=1))),
    "other terms": lambda: sent(
        aside=replace(TRUE.metadata, terms=(EntryTerms(arguments=("--strong",)), EntryTerms()))
    ),
    "a wrong count of decisions": lambda: replace(sent(), decisions=(1, 1)),
    "a wrong sum of times": lambda: replace(sent(), thinking_us=(0, 0)),
    "an offender who did nothing": lambda: replace(sent(), offenders=frozenset({"ann@1"})),
    "no JSON": lambda: replace(sent(), record=b"{"),
    "no text": lambda: replace(sent(), metadata=b"\xff\xfe"),
    "a record in other bytes": lambda: replace(sent(), record=msgspec.json.format(sent().record)),
    "seats that are none": lambda: sent(with_choice(TRUE.record, 0, Choice(7, 0))),
    "times of seats that are none": lambda: replace(
        sent(), metadata=msgspec.json.encode(replace(TRUE.metadata, spent=())), thinking_us=(5, 5)
    ),
}


@pytest.mark.parametrize("how", _BREAKS)
def test_what_does_not_hold_is_refused_with_a_reason(how: str) -> None:
    reason = verified_match(EXPECTED, _BREAKS[how]())
    assert isinstance(reason, str)
    assert reason


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_bytes_that_are_no_transcript_stop_nothing(record: bytes, aside: bytes) -> None:
    assert isinstance(verified_match(EXPECTED, replace(sent(), record=record, metadata=aside)), str)


def test_a_piece_is_judged_match_by_match_and_what_nobody_asked_for_gets_no_verdict() -> None:
    wrong = _BREAKS["an ending cut off"]()
    held = verify_matches([(EXPECTED, sent()), None, (None, sent()), (EXPECTED, wrong)])
    assert [type(verdict) for verdict in held] == [FinishedMatch, type(None), type(None), str]


def test_the_header_is_the_one_that_the_runner_sent() -> None:
    assert isinstance(HEADER, Header)
    other = replace(EXPECTED, header=league_seed.header(LEAGUE, b"1" * 32, FIXTURE))
    assert verified_match(other, sent()) == "its header (options, seeds, entries) is not the one that was sent"
