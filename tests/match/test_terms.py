"""What bots were entered with, and clocks: each seat has its own, and the transcript says so where there is one."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.match.conversation import Chosen, Ready, Reply
from referee.match.match import Ask, Match, Open, Request
from referee.match.narrator import tell_opening, tell_terms
from referee.match.replay import Difference, Replay, verify
from referee.match.terms import LONGEST_MS, USUAL, Clock, EntryTerms
from referee.match.transcript import Transcript, from_file, to_file
from tests.auction import CLOCK, Auction, auction_header

SLOW = Clock(move_ms=0, bank_ms=5_000, increment_ms=10)
HANDICAP = EntryTerms(("--depth", "4"), {"DEPTH": "4"}, SLOW)
TAKEN_US = 300_000


def asked(match: Match) -> list[Ask]:
    """Every question of a match in which each decision takes the same time."""
    found = []
    for request in match:
        found += [request] if isinstance(request, Ask) else []
        match.reply(reply_to(request), TAKEN_US)
    return found


def reply_to(request: Request) -> Reply | None:
    return Chosen(0) if isinstance(request, Ask) else Ready() if isinstance(request, Open) else None


def played(*terms: EntryTerms) -> Transcript:
    match = Match(Auction(), auction_header(2), CLOCK, terms)
    asked(match)
    return match.transcript(("/a", "/b"), "none")


def test_a_seat_with_a_clock_of_its_own_has_its_limits_and_the_others_have_those_of_the_match() -> None:
    limits = [
        (ask.seat, ask.time_left_ms) for ask in asked(Match(Auction(), auction_header(2), CLOCK, [USUAL, HANDICAP]))
    ]
    assert limits == [(0, 1000), (1, 5_000), (0, 1000), (1, 4_710)]


def test_the_clocks_of_a_match_are_told_by_seat() -> None:
    assert Match(Auction(), auction_header(2), CLOCK, [HANDICAP, USUAL]).clocks == (SLOW, CLOCK)
    assert Match(Auction(), auction_header(3), CLOCK).clocks == (CLOCK,) * 3


@pytest.mark.parametrize("terms", [(), (USUAL, USUAL)])
def test_a_match_of_bots_without_terms_is_kept_as_it_always_was(terms: tuple[EntryTerms, ...]) -> None:
    transcript = played(*terms)
    assert list(msgspec.json.decode(to_file(transcript))["aside"]) == ["clock", "spent", "remarks", "bots", "sandbox"]
    assert transcript.terms == (USUAL, USUAL)
    assert from_file(to_file(transcript))[0] == transcript


def test_terms_are_kept_beside_the_record_and_change_no_digest() -> None:
    transcript = played(HANDICAP, USUAL)
    assert transcript.digest == played().digest
    again, _ = from_file(to_file(transcript))
    assert again == transcript
    assert again.terms == (HANDICAP, USUAL)
    assert msgspec.json.decode(to_file(transcript))["aside"]["terms"][0] == {
        "arguments": ["--depth", "4"],
        "environment": {"DEPTH": "4"},
        "clock": {"move_ms": 0, "bank_ms": 5000, "increment_ms": 10, "start_ms": 10000},
    }


def test_a_replay_gives_each_seat_the_time_that_it_had() -> None:
    match = Match(Auction(), auction_header(2), CLOCK, [USUAL, HANDICAP])
    limits = [ask.time_left_ms for ask in asked(match)]
    transcript, _ = from_file(to_file(match.transcript()))
    verify(Auction(), transcript)
    steps = Replay(Auction(), transcript).steps()
    assert [step.request.time_left_ms for step in steps if isinstance(step.request, Ask)] == limits


def test_terms_that_are_not_those_of_every_seat_are_a_difference() -> None:
    transcript = played(HANDICAP, USUAL)
    aside = msgspec.structs.replace(transcript.metadata, terms=(HANDICAP,))
    with pytest.raises(Difference, match="1 bots have terms, and 2 sit at the table"):
        verify(Auction(), msgspec.structs.replace(transcript, metadata=aside))


def test_whoever_is_told_a_match_is_told_who_played_on_which_terms() -> None:
    header = auction_header(2)
    assert tell_opening(header, (HANDICAP, USUAL)).splitlines()[1:] == [
        "seat 0: bot0@1 (arguments --depth 4, DEPTH=4, move_ms 0, bank_ms 5000, increment_ms 10, start_ms 10000)",
        "seat 1: bot1@1",
    ]
    assert tell_opening(header, (USUAL, USUAL)) == tell_opening(header)


@given(st.lists(st.text()), st.dictionaries(st.text(), st.text()))
def test_terms_are_told_on_one_line_whatever_they_are(arguments: list[str], environment: dict[str, str]) -> None:
    told = tell_opening(auction_header(1), (EntryTerms(tuple(arguments), environment),))
    assert len(told.splitlines()) == 2
    assert (tell_terms(EntryTerms(tuple(arguments), environment)) == "") == (not arguments and not environment)


def test_without_a_bank_every_decision_has_the_move_limit() -> None:
    clock = Clock(move_ms=500)
    assert clock.time_left(clock.bank_after(0, 400)) == 500


def test_the_smaller_of_bank_and_move_limit_counts() -> None:
    clock = Clock(move_ms=500, bank_ms=2000)
    assert clock.time_left(2000) == 500
    assert clock.time_left(300) == 300


def test_an_empty_bank_leaves_no_time() -> None:
    assert Clock(move_ms=500, bank_ms=2000).time_left(0) == 0


def test_thinking_uses_the_bank_up_and_the_increment_refills_it() -> None:
    clock = Clock(move_ms=0, bank_ms=1000, increment_ms=50)
    assert clock.bank_after(1000, 300) == 750
    assert clock.bank_after(100, 180) == 50


def test_a_bank_never_holds_more_than_a_message_can_say() -> None:
    clock = Clock(move_ms=0, bank_ms=LONGEST_MS, increment_ms=LONGEST_MS)
    assert clock.bank_after(LONGEST_MS, 1) == LONGEST_MS


@pytest.mark.parametrize(
    "times",
    [{"move_ms": 0}, {"move_ms": -1}, {"start_ms": 0}, {"bank_ms": 5, "increment_ms": -2}, {"bank_ms": 1 << 32}],
)
def test_a_clock_that_cannot_run_out_runs_backwards_or_cannot_be_told_is_refused(times: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"clock|time"):
        Clock(**times)
