import random
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.match.conversation import Answer, Chosen, Ready, Reply, Unavailable
from referee.match.match import Ask, Close, Match, Open, Request
from referee.match.narrator import tell_note
from referee.match.replay import Replay
from referee.match.terms import Clock
from referee.match.transcript import DecisionNote, FaultKind, FaultMark, Note, Transcript
from tests.auction import CLOCK, Auction, Bids, Purse, auction_header
from tests.match.simulation import NOISE, Behaviour, Says, Simulation, honest


def play(behave: Behaviour = honest, seats: int = 2, clock: Clock = CLOCK, **options: Any) -> Transcript:
    return Simulation(Auction(), auction_header(seats, **options), clock, behave).play()


def at(seat: int, decision: int, says: Says) -> Behaviour:
    """Honest, except at one decision of one seat."""
    return lambda s, d, legal: says if (s, d) == (seat, decision) else honest(s, d, legal)


def test_an_honest_match_ends_by_the_rules_with_every_choice_kept() -> None:
    transcript = play(seats=3, rounds=4)
    assert transcript.record.outcome.ending == "sold"
    assert [choice.seat for choice in transcript.record.choices] == [0, 1, 2] * 4
    assert transcript.record.faults == ()


def test_all_seats_are_opened_before_anyone_is_asked_and_closed_when_it_is_over() -> None:
    match, kinds = Match(Auction(), auction_header(2, rounds=1), CLOCK), []
    for request in match:
        kinds.append((type(request), request.seat))
        reply = Chosen(0) if isinstance(request, Ask) else Ready() if isinstance(request, Open) else None
        match.reply(reply)
    assert kinds == [(Open, 0), (Open, 1), (Ask, 0), (Ask, 1), (Close, 0), (Close, 1)]


def test_decisions_of_a_seat_are_numbered_from_1_and_events_reach_it_once_in_order() -> None:
    match = Match(Auction(), auction_header(2, rounds=2), CLOCK)
    heard, numbers = [], []
    for request in match:
        if request.seat == 1 and not isinstance(request, Open):
            heard.append([type(event) for event in request.events])
        if request.seat == 1 and isinstance(request, Ask):
            numbers.append(request.number)
        reply = Chosen(request.seat) if isinstance(request, Ask) else Ready() if isinstance(request, Open) else None
        match.reply(reply)
    assert numbers == [1, 2]
    assert heard[0] == [Purse]
    assert heard[1][0] is Bids
    assert sum(kinds.count(Bids) for kinds in heard) == 2


HONEST: Mapping[type[Request], Reply] = {Open: Ready(), Ask: Chosen(0)}


def carry_out(match: Match, replies: Mapping[type[Request], Reply] = HONEST) -> Iterator[type[Request]]:
    """The kinds of all requests. Each gets its reply, if it has one."""
    for request in match:
        if type(request) in replies:
            match.reply(replies[type(request)])
        yield type(request)


def test_a_loop_that_was_left_is_gone_on_with_by_the_next_one() -> None:
    match = Match(Auction(), auction_header(2, rounds=1), CLOCK)
    assert list(islice(carry_out(match), 3)) == [Open, Open, Ask]
    assert list(carry_out(match)) == [Ask, Close, Close]
    assert match.transcript().record.outcome.ending == "sold"


@pytest.mark.parametrize(
    ("replies", "given"),
    [
        ({}, "no reply"),
        ({Open: Ready()}, "no reply"),
        ({Open: Chosen(0)}, r"Chosen\(index=0\)"),
        ({Open: Ready(), Ask: Ready()}, r"Ready\(\)"),
    ],
)
def test_a_match_does_not_go_on_without_a_reply_that_is_one(replies: dict[type[Request], Reply], given: str) -> None:
    match = Match(Auction(), auction_header(2), CLOCK)
    with pytest.raises(RuntimeError, match=f"cannot go on: seat 0 was asked, and the loop gave {given}"):
        list(carry_out(match, replies))


@pytest.mark.parametrize("request_at", [0, 1, 3, 7])
def test_nothing_can_be_replied_before_a_match_twice_or_after_it(request_at: int) -> None:
    match = Match(Auction(), auction_header(2, rounds=1), CLOCK)
    list(islice(carry_out(match), request_at))
    with pytest.raises(RuntimeError, match="no request is open"):
        match.reply(Ready())


def test_the_same_header_and_choices_give_the_same_digest_whatever_the_times() -> None:
    quick = play(seats=4)
    slow = play(lambda s, d, n: Says(honest(s, d, n).messages, delay_ms=900), seats=4)
    assert quick.digest == slow.digest
    assert quick.metadata.spent != slow.metadata.spent


def test_another_choice_gives_another_digest() -> None:
    assert play(at(0, 1, Says((Answer(1, 0),)))).digest != play(at(0, 1, Says((Answer(1, 2),)))).digest


FAULTS: list[tuple[Says, FaultKind]] = [
    (Says(), FaultKind.TIMEOUT),
    (Says((Answer(2, 0),), delay_ms=1101), FaultKind.TIMEOUT),
    (Says(dies=True), FaultKind.CRASH),
    (Says((Answer(2, 3),)), FaultKind.ILLEGAL),
    (Says((Answer(2, None),)), FaultKind.PROTOCOL),
    (Says((Answer(1, 0),)), FaultKind.PROTOCOL),
    (Says((Ready(),)), FaultKind.PROTOCOL),
    (Says((NOISE,)), FaultKind.PROTOCOL),
]


@pytest.mark.parametrize(("says", "kind"), FAULTS)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_every_fault_costs_the_seat_the_match_at_that_decision(seat: int, says: Says, kind: FaultKind) -> None:
    record = play(at(seat, 2, says), seats=3, rounds=3).record
    assert record.faults == (FaultMark(seat, 2, kind),)
    assert record.outcome.ending == "fault"
    assert record.outcome.places == tuple(3 if s == seat else 1 for s in range(3))


def test_sealed_seats_are_all_asked_and_all_offenders_are_last() -> None:
    def two_offenders(seat: int, decision: int, legal: int) -> Says:
        return Says() if decision == 1 and seat in (0, 2) else honest(seat, decision, legal)

    record = play(two_offenders, seats=4).record
    assert [fault.seat for fault in record.faults] == [0, 2]
    assert [choice.seat for choice in record.choices] == [1, 3]
    assert record.outcome.places == (3, 1, 3, 1)


def test_in_a_two_sided_match_the_partner_of_the_offender_is_last_too() -> None:
    assert play(at(2, 1, Says()), seats=4, sides="two").record.outcome.places == (3, 1, 3, 1)


@pytest.mark.parametrize("says", [Says(), Says(dies=True)])
def test_a_bot_that_is_never_ready_has_not_started(says: Says) -> None:
    record = play(at(1, 0, says)).record
    assert record.faults == (FaultMark(1, 0, FaultKind.NO_START),)
    assert record.choices == ()


def test_noise_instead_of_ready_is_a_protocol_fault() -> None:
    assert play(at(0, 0, Says((NOISE,)))).record.faults == (FaultMark(0, 0, FaultKind.PROTOCOL),)


def test_a_second_answer_is_judged_at_the_seats_next_decision() -> None:
    # The second message comes while seat 1 thinks.
    record = play(at(0, 1, Says((Answer(1, 0), Answer(1, 1)))), rounds=3).record
    assert record.faults == (FaultMark(0, 2, FaultKind.PROTOCOL),)


def test_a_death_while_another_seat_thinks_is_judged_at_the_dead_seats_next_decision() -> None:
    record = play(at(0, 1, Says((Answer(1, 0),), dies=True)), rounds=3).record
    assert record.faults == (FaultMark(0, 2, FaultKind.CRASH),)


def test_misconduct_after_the_last_decision_is_remarked_and_costs_nothing() -> None:
    transcript = play(at(0, 2, Says((Answer(2, 0), Answer(2, 0)))), rounds=2)
    assert transcript.record.faults == ()
    assert transcript.record.outcome.ending == "sold"
    assert [(remark.seat, remark.decision) for remark in transcript.metadata.remarks] == [(0, None)]


def test_notes_are_kept_beside_the_record_with_so_many_characters_of_a_decision_and_of_a_seat() -> None:
    def noting(seat: int, decision: int, legal: int) -> Says:
        note = None if seat else Note("x" * 5_000, decision, 10)
        return Says((Answer(decision, 0, note),)) if decision else honest(seat, decision, legal)

    plain = play(lambda s, d, legal: Says((Answer(d, 0),)) if d else honest(s, d, legal), rounds=25)
    noted = play(noting, rounds=25)
    assert noted.digest == plain.digest
    assert (plain.notes, plain.tries) == ((), (0, 0))
    assert {(each.seat, len(each.note.text)) for each in noted.notes[:20]} == {(0, 2_000)}
    assert {len(each.note.text) for each in noted.notes[20:]} == {0}
    assert (noted.tries, noted.tokens) == ((sum(range(1, 26)), 0), (250, 0))
    assert [step.reply.note for step in Replay(Auction(), noted).steps() if isinstance(step.reply, Chosen)][:2] == [
        noted.notes[0].note,
        None,
    ]


def test_a_note_is_told_line_by_line_and_escaped() -> None:
    assert tell_note(None) == []
    told = tell_note(Note("I bluff.\n\x1b[31mred\u202e", 2, 1))
    assert told == ["I bluff.", r"\x1b[31mred\u202e", "2 tries, 1 token"]


def test_an_unavailable_bot_fails_with_its_own_kind_and_its_note_is_kept() -> None:
    note = Note("503", 1, 0)
    found = play(at(1, 2, Says((Unavailable(2, note),))))
    assert found.record.faults == (FaultMark(1, 2, FaultKind.UNAVAILABLE),)
    assert found.notes == (DecisionNote(1, 2, note),)


def test_an_answer_within_the_margin_counts_and_one_after_it_does_not() -> None:
    in_time = play(at(0, 1, Says((Answer(1, 0),), delay_ms=1100)))
    too_late = play(at(0, 1, Says((Answer(1, 0),), delay_ms=1101)))
    assert in_time.record.faults == ()
    assert too_late.record.faults[0].kind is FaultKind.TIMEOUT


def test_a_seat_that_has_used_its_bank_up_times_out() -> None:
    clock = Clock(move_ms=0, bank_ms=500, increment_ms=10)

    def slow(seat: int, decision: int, legal: int) -> Says:
        return Says(honest(seat, decision, legal).messages, delay_ms=400 if seat == 0 else 1)

    record = play(slow, clock=clock, rounds=3).record
    assert record.faults == (FaultMark(0, 2, FaultKind.TIMEOUT),)


def chaos(seed: int, odds: float) -> Callable[[int, int, int], Says]:
    """Faults and delays that depend on seat and decision only, and not on one shared random stream."""

    def behave(seat: int, decision: int, legal: int) -> Says:
        drawn = random.Random(f"{seed}/{seat}/{decision}")
        answer = honest(seat, decision, legal).messages
        odd = [Says(), Says((NOISE,)), Says(dies=True), Says((*answer, *answer)), Says(answer, dies=True)]
        if drawn.random() < odds:
            return drawn.choice(odd)
        return Says(answer, delay_ms=drawn.randrange(1, 1000))

    return behave


@given(st.integers(0, 10_000), st.integers(2, 4), st.sampled_from([0.0, 0.1, 0.4]))
def test_under_any_mix_of_faults_a_match_ends_and_blames_only_who_misbehaved(
    seed: int, seats: int, odds: float
) -> None:
    transcript = play(chaos(seed, odds), seats, rounds=3)
    record = transcript.record
    assert (record.outcome.ending == "fault") == bool(record.faults)
    if odds == 0:
        assert not record.faults
    again = play(chaos(seed, odds), seats, rounds=3)
    assert again.record == record
