from collections.abc import Callable
from typing import NoReturn

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.match.match import Ask
from referee.match.replay import Difference, Replay, compare, verify
from referee.match.transcript import (
    Choice,
    Draw,
    FaultKind,
    FaultMark,
    Record,
    Transcript,
    digest_of,
    from_file,
    to_file,
)
from tests.auction import CLOCK, Auction, auction_header
from tests.match.simulation import Says, Simulation, honest
from tests.match.test_match import chaos, play


def changed(transcript: Transcript, **parts: object) -> Transcript:
    return Transcript(msgspec.structs.replace(transcript.record, **parts), transcript.metadata)


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_every_match_verifies_faulted_or_not(seed: int, seats: int) -> None:
    verify(Auction(), play(chaos(seed, 0.1), seats, rounds=3))


def test_verifying_makes_no_views_which_no_record_follows_from() -> None:
    class Blind(Auction):
        def view(self, _state: object, _seat: int) -> NoReturn:
            raise AssertionError("a view was made")

        def heard(self, _event: object, _seat: int) -> NoReturn:
            raise AssertionError("somebody was told")

    verify(Blind(), play(rounds=3))


def damaged(record: Record, data: st.DataObject) -> Record:
    """The record with something of it left out, doubled, or put in another place."""
    parts = {name: list(getattr(record, name)) for name in ("choices", "luck", "faults")}
    part = parts[data.draw(st.sampled_from([name for name, values in parts.items() if values]))]
    at = data.draw(st.integers(0, len(part) - 1))
    how = data.draw(st.sampled_from(["left out", "doubled", "last", "changed"]))
    if how == "changed":
        part[at] = changed_value(part[at], data.draw(st.integers(-1, 4)))
    elif how == "doubled":
        part.insert(at, part[at])
    else:
        value = part.pop(at)
        part.extend([value] if how == "last" else [])
    return msgspec.structs.replace(record, **{name: tuple(values) for name, values in parts.items()})


def changed_value(value: Choice | Draw | FaultMark, number: int) -> Choice | Draw | FaultMark:
    if isinstance(value, Choice):
        return Choice(value.seat, number)
    if isinstance(value, Draw):
        return Draw(value.label, (*value.drawn[:-1], number))
    return FaultMark(value.seat, number, value.kind)


def first_difference(look: Callable[[], object]) -> str | None:
    try:
        look()
    except Difference as difference:
        return str(difference)
    return None


@given(st.integers(0, 1_000), st.integers(2, 4), st.sampled_from([0.0, 0.2]), st.data())
def test_verifying_finds_in_any_record_what_a_walk_through_it_finds(
    seed: int, seats: int, odds: float, data: st.DataObject
) -> None:
    whole = play(chaos(seed, odds), seats, rounds=3)
    other = Transcript(damaged(whole.record, data), whole.metadata)
    walked = first_difference(lambda: list(Replay(Auction(), other).steps()))
    assert first_difference(lambda: verify(Auction(), other)) == walked


def test_a_replay_asks_exactly_what_was_asked_times_included() -> None:
    asked: list[Ask] = []

    def listening(seat: int, decision: int, legal: int) -> Says:
        return Says(honest(seat, decision, legal).messages, delay_ms=10 * decision + seat + 1)

    transcript = play(listening, rounds=3)
    asked = [step.request for step in Replay(Auction(), transcript).steps() if isinstance(step.request, Ask)]
    again = [step.request for step in Replay(Auction(), transcript).steps() if isinstance(step.request, Ask)]
    assert asked == again
    assert len(asked) == len(transcript.record.choices)


def test_a_changed_choice_changes_the_digest_and_the_first_difference_is_named() -> None:
    transcript = play(rounds=2)
    choices = transcript.record.choices
    was, now = choices[0].index, (choices[0].index + 1) % 3
    other = changed(transcript, choices=(Choice(0, now), *choices[1:]))
    assert other.digest != transcript.digest
    assert compare(transcript.record, other.record) == (f"decision 1 of seat 0: recorded index {was}, now index {now}")


FAULT = FaultMark(1, 1, FaultKind.TIMEOUT)


@pytest.mark.parametrize(
    ("recorded", "again", "words"),
    [
        ({"faults": ()}, {"faults": (FAULT,)}, "decision 1 of seat 1: recorded index 1, now the fault timeout"),
        ({"faults": (FAULT,)}, {"faults": ()}, "decision 1 of seat 1: recorded the fault timeout, now index 1"),
        (
            {"faults": (FAULT,)},
            {"faults": (FaultMark(1, 1, FaultKind.ILLEGAL),)},
            "decision 1 of seat 1: recorded the fault timeout, now the fault illegal",
        ),
        (
            {"faults": ()},
            {"faults": (FaultMark(1, 0, FaultKind.NO_START),)},
            "the start of seat 1: recorded no fault, now ",
        ),
        (
            {"faults": (FaultMark(1, 0, FaultKind.NO_START),)},
            {"faults": ()},
            "the start of seat 1: recorded the fault ",
        ),
    ],
)
def test_a_fault_in_one_of_two_matches_is_the_difference_that_is_named(
    recorded: dict[str, object], again: dict[str, object], words: str
) -> None:
    choices = (Choice(0, 0), Choice(1, 1), Choice(2, 2), Choice(0, 1), Choice(1, 0), Choice(2, 0))

    def record(faults: tuple[FaultMark, ...]) -> Record:
        """All choices; after a fault, those of the other seats at the same decision."""
        fails = {(fault.seat, fault.decision) for fault in faults}
        until = 3 * max((decision for _, decision in fails), default=2)
        made = tuple(choice for choice in choices[:until] if (choice.seat, until // 3) not in fails)
        return msgspec.structs.replace(play(rounds=2).record, choices=made, faults=faults)

    difference = compare(record(**recorded), record(**again))  # type: ignore[arg-type]
    assert difference is not None
    assert difference.startswith(words)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"choices": (Choice(0, 7),)}, "decision 1 of seat 0 is recorded as index 7, but has 3 legal actions"),
        ({"choices": (Choice(1, 0),)}, "a choice of seat 1 where the rules ask for decision 1 of seat 0"),
        ({"choices": ()}, "the record ends before decision 1 of seat 0"),
        ({"luck": (Draw("purses", (0, 0)),)}, "draw 1 (purses) is recorded otherwise"),
    ],
)
def test_an_impossible_record_is_refused_with_the_place(parts: dict[str, object], words: str) -> None:
    with pytest.raises(Difference, match=words.replace("(", r"\(").replace(")", r"\)")):
        verify(Auction(), changed(play(), **parts))


def test_a_changed_outcome_is_refused() -> None:
    transcript = play()
    outcome = msgspec.structs.replace(transcript.record.outcome, places=(2, 1, 1))
    with pytest.raises(Difference, match="outcome: recorded"):
        verify(Auction(), changed(transcript, outcome=outcome))


def test_a_choice_too_many_is_refused() -> None:
    transcript = play()
    with pytest.raises(Difference, match="choices: recorded"):
        verify(Auction(), changed(transcript, choices=(*transcript.record.choices, Choice(0, 0))))


def test_unknown_rules_are_named_with_the_version_that_is_known() -> None:
    transcript = play()
    header = msgspec.structs.replace(transcript.record.header, rules_version=9)
    with pytest.raises(Difference, match=r"rules version 9 of auction, but only version 3 is known here; use the"):
        Replay(Auction(), changed(transcript, header=header))


def test_impossible_options_are_named() -> None:
    transcript = play()
    header = msgspec.structs.replace(transcript.record.header, options={"rounds": "many"})
    with pytest.raises(Difference, match="header does not describe a match of auction"):
        Replay(Auction(), changed(transcript, header=header))


def test_a_transcript_survives_its_file() -> None:
    transcript = play(seats=3)
    again, digest = from_file(to_file(transcript))
    assert again == transcript
    assert digest == transcript.digest


def test_the_digest_is_that_of_the_canonical_record_and_ignores_what_stands_beside_it() -> None:
    transcript = Simulation(Auction(), auction_header(2), CLOCK, honest).play()
    beside = Transcript(transcript.record, msgspec.structs.replace(transcript.metadata, spent=(), bots=("x",)))
    assert beside.digest == transcript.digest == digest_of(transcript.record.canonical())
    assert msgspec.json.decode(transcript.record.canonical(), type=Record) == transcript.record
