"""The table of a conversation, cell by cell, and the words for each way to fail."""

from collections.abc import Callable
from itertools import product
from typing import get_args

import pytest

from referee.match.conversation import (
    TABLE,
    Answer,
    Answered,
    Answers,
    Batch,
    Chosen,
    Conversation,
    Failed,
    Garbage,
    Message,
    Ready,
    Reply,
    SeatQuestion,
    State,
    Unavailable,
)
from referee.match.transcript import FaultKind, Note

START = SeatQuestion(decision=0)
DECISION = SeatQuestion(decision=4, legal=3)
BROKEN = Failed(FaultKind.CRASH, "broke before")


def batch(*matches: int) -> Batch:
    """The same decision in each of these matches."""
    return Batch(dict.fromkeys(matches, DECISION))


def asked(question: SeatQuestion | Batch = DECISION) -> Conversation:
    talk = Conversation()
    assert talk.ask(question) is None
    return talk


def test_the_right_number_and_an_index_in_range_is_a_choice() -> None:
    assert asked().hear(Answer(4, 2)) == Chosen(2)


def test_ready_answers_match_start() -> None:
    assert asked(SeatQuestion(0)).hear(Ready()) == Ready()


@pytest.mark.parametrize(
    ("question", "message", "kind", "words"),
    [
        (DECISION, Answer(3, 0), FaultKind.PROTOCOL, "answered decision 3 when decision 4 was asked"),
        (DECISION, Answer(4, None), FaultKind.PROTOCOL, "without an index"),
        (DECISION, Answer(4, 3), FaultKind.ILLEGAL, "index 3 at decision 4, which had 3 actions"),
        (DECISION, Ready(), FaultKind.PROTOCOL, "with ready instead of a choice"),
        (DECISION, Garbage("sent 9 bytes that are no BotMessage"), FaultKind.PROTOCOL, "sent 9 bytes"),
        (SeatQuestion(0), Answer(1, 0), FaultKind.PROTOCOL, "instead of ready"),
        (DECISION, Unavailable(4, Note("503\n")), FaultKind.UNAVAILABLE, "was unavailable at decision 4: 503"),
        (DECISION, Unavailable(4, Note("x" * 900)), FaultKind.UNAVAILABLE, f": {'x' * 200}"),
        (DECISION, Unavailable(3, Note()), FaultKind.PROTOCOL, "answered decision 3 when decision 4 was asked"),
        (SeatQuestion(0), Unavailable(0, Note()), FaultKind.UNAVAILABLE, "was unavailable at the start"),
        (SeatQuestion(0), Unavailable(1, Note()), FaultKind.PROTOCOL, "answered decision 1 when the start was asked"),
    ],
)
def test_every_other_answer_is_a_fault_named_exactly(
    question: SeatQuestion, message: Message, kind: FaultKind, words: str
) -> None:
    reply = asked(question).hear(message)
    assert isinstance(reply, Failed)
    assert reply.kind is kind
    assert words in reply.text
    assert len(reply.text) < 300


def test_a_note_goes_with_its_choice_and_with_its_fault() -> None:
    note = Note("I bluff.", 2, 90)
    chosen, illegal, away = (asked().hear(it) for it in (Answer(4, 1, note), Answer(4, 3, note), Unavailable(4, note)))
    assert chosen == Chosen(1, note)
    assert [reply.note for reply in (illegal, away) if isinstance(reply, Failed)] == [note, note]


@pytest.mark.parametrize("message", [Ready(), Answer(1, 0), Unavailable(1, Note()), Garbage("sent noise")])
def test_what_is_said_unasked_answers_the_next_question_as_a_fault(message: Message) -> None:
    talk = Conversation()
    assert talk.hear(message) is None
    failed = talk.ask(DECISION)
    assert failed is not None
    assert failed.kind is FaultKind.PROTOCOL
    assert "without being asked" in failed.text


def test_a_second_answer_is_unasked() -> None:
    talk = asked()
    talk.hear(Answer(4, 0))
    assert talk.hear(Answer(4, 1)) is None
    assert talk.latched is not None


def test_a_death_while_nothing_is_asked_answers_the_next_question_as_a_crash() -> None:
    talk = Conversation()
    assert talk.lose("died") is None
    failed = talk.ask(DECISION)
    assert failed is not None
    assert failed.kind is FaultKind.CRASH


def test_a_death_while_thinking_is_a_crash_at_once() -> None:
    reply = asked().lose("died")
    assert reply is not None
    assert reply.kind is FaultKind.CRASH


def test_silence_is_a_timeout_that_names_the_decision_and_the_limit() -> None:
    reply = asked().expire(250)
    assert (reply.kind, reply.text) == (FaultKind.TIMEOUT, "did not answer decision 4 within 250 ms")


def test_the_first_fault_stands_and_later_ones_are_its_consequences() -> None:
    talk = asked()
    first = talk.hear(Answer(4, 99))
    talk.lose("killed for it")
    assert talk.latched == first


def test_nothing_can_expire_that_was_not_asked() -> None:
    with pytest.raises(RuntimeError):
        Conversation().expire(250)


def put(state: State) -> Conversation:
    """A conversation in this state."""
    talk = Conversation()
    if state in ("starting", "choosing"):
        talk.ask(START if state == "starting" else DECISION)
    if state == "batching":
        talk.ask(batch(7))
    if state == "failed":
        talk.lose(BROKEN.text)
    return talk


HAPPENINGS: dict[str, Callable[[Conversation], Reply | None]] = {
    "is asked": lambda talk: talk.ask(DECISION),
    "Ready": lambda talk: talk.hear(Ready()),
    "Answer": lambda talk: talk.hear(Answer(4, 1)),
    "Unavailable": lambda talk: talk.hear(Unavailable(talk.state == "choosing" and 4, Note("503"))),
    "Answers": lambda talk: talk.hear(Answers(((7, Answer(4, 1)),))),
    "Garbage": lambda talk: talk.hear(Garbage("noise")),
    "Lost": lambda talk: talk.lose("died"),
    "Expired": lambda talk: talk.expire(250),
}
"""By name, all that can happen to a conversation. The answer is right at `DECISION`."""

PROTOCOL, CRASH, TIMEOUT, AWAY = FaultKind.PROTOCOL, FaultKind.CRASH, FaultKind.TIMEOUT, FaultKind.UNAVAILABLE
OUR_BUG = None

CELLS: dict[tuple[State, str], tuple[State, Ready | Chosen | Answered | FaultKind | None] | None] = {
    ("idle", "is asked"): ("choosing", None),
    ("idle", "Ready"): ("failed", None),
    ("idle", "Answer"): ("failed", None),
    ("idle", "Unavailable"): ("failed", None),
    ("idle", "Answers"): ("failed", None),
    ("idle", "Garbage"): ("failed", None),
    ("idle", "Lost"): ("failed", None),
    ("idle", "Expired"): OUR_BUG,
    ("starting", "is asked"): OUR_BUG,
    ("starting", "Ready"): ("idle", Ready()),
    ("starting", "Answer"): ("failed", PROTOCOL),
    ("starting", "Unavailable"): ("failed", AWAY),
    ("starting", "Answers"): ("failed", PROTOCOL),
    ("starting", "Garbage"): ("failed", PROTOCOL),
    ("starting", "Lost"): ("failed", CRASH),
    ("starting", "Expired"): ("failed", TIMEOUT),
    ("choosing", "is asked"): OUR_BUG,
    ("choosing", "Ready"): ("failed", PROTOCOL),
    ("choosing", "Answer"): ("idle", Chosen(1)),
    ("choosing", "Unavailable"): ("failed", AWAY),
    ("choosing", "Answers"): ("failed", PROTOCOL),
    ("choosing", "Garbage"): ("failed", PROTOCOL),
    ("choosing", "Lost"): ("failed", CRASH),
    ("choosing", "Expired"): ("failed", TIMEOUT),
    ("batching", "is asked"): OUR_BUG,
    ("batching", "Ready"): ("failed", PROTOCOL),
    ("batching", "Answer"): ("failed", PROTOCOL),
    ("batching", "Unavailable"): ("failed", PROTOCOL),
    ("batching", "Answers"): ("idle", Answered({7: Chosen(1)})),
    ("batching", "Garbage"): ("failed", PROTOCOL),
    ("batching", "Lost"): ("failed", CRASH),
    ("batching", "Expired"): ("failed", TIMEOUT),
    ("failed", "is asked"): ("failed", CRASH),
    ("failed", "Ready"): ("failed", None),
    ("failed", "Answer"): ("failed", None),
    ("failed", "Unavailable"): ("failed", None),
    ("failed", "Answers"): ("failed", None),
    ("failed", "Garbage"): ("failed", None),
    ("failed", "Lost"): ("failed", None),
    ("failed", "Expired"): OUR_BUG,
}
"""By state and what happens: the next state, and the reply if there is one. For a fault, its kind."""


def test_the_table_of_this_test_has_every_cell_that_there_is() -> None:
    assert set(CELLS) == set(product(get_args(State), HAPPENINGS))
    events = HAPPENINGS.keys() - {"is asked"}
    cells = {state: {event.__name__ for event in row} for state, row in TABLE.items()}
    assert cells == dict.fromkeys(get_args(State), events)


@pytest.mark.parametrize(("state", "happening"), [cell for cell, leads in CELLS.items() if leads is OUR_BUG])
def test_what_only_a_bug_of_ours_can_do_is_an_error(state: State, happening: str) -> None:
    with pytest.raises(RuntimeError):
        HAPPENINGS[happening](put(state))


@pytest.mark.parametrize(("state", "happening"), [cell for cell, leads in CELLS.items() if leads is not OUR_BUG])
def test_each_other_cell_leads_to_its_state_with_its_reply_and_latches_the_first_fault(
    state: State, happening: str
) -> None:
    talk = put(state)
    reply = HAPPENINGS[happening](talk)
    assert (talk.state, reply.kind if isinstance(reply, Failed) else reply) == CELLS[state, happening]
    assert talk.answering == (talk.state in ("starting", "choosing", "batching"))
    assert (talk.latched is not None) == (talk.state == "failed")
    if state == "failed":
        assert talk.latched == BROKEN
    elif isinstance(reply, Failed):
        assert talk.latched is reply


def right(*matches: int) -> Answers:
    """The right answers in these matches."""
    return Answers(tuple((match, Answer(4, 2)) for match in matches))


def test_a_batch_is_answered_in_one_piece_or_in_several_in_any_order() -> None:
    whole = {1: Chosen(2), 2: Chosen(2), 3: Chosen(2)}
    assert asked(batch(1, 2, 3)).hear(right(3, 1, 2)) == Answered(whole)
    talk = asked(batch(1, 2, 3))
    for match in (2, 1):
        assert talk.leaves_open(right(match))
        assert talk.hear(right(match)) is None
        assert (talk.answering, talk.latched) == (True, None)
    assert not talk.leaves_open(right(3))
    assert talk.hear(right(3)) == Answered(whole)


def test_a_batch_of_starts_is_answered_with_the_matches_that_are_ready() -> None:
    talk = asked(Batch({1: START, 2: START}))
    assert talk.hear(Answers(ready=(2, 1))) == Answered({1: Ready(), 2: Ready()})


@pytest.mark.parametrize(
    ("answers", "kind", "words"),
    [
        (right(1, 1), FaultKind.PROTOCOL, "answered for match 1, which had no open question in the batch"),
        (right(9), FaultKind.PROTOCOL, "answered for match 9, which had no open question"),
        (
            Answers(((1, Answer(3, 0)),)),
            FaultKind.PROTOCOL,
            "answered decision 3 when decision 4 was asked, in a batch",
        ),
        (Answers(((1, Answer(4, 3)),)), FaultKind.ILLEGAL, "chose index 3 at decision 4, which had 3 actions"),
        (Answers(ready=(1,)), FaultKind.PROTOCOL, "with ready instead of a choice"),
    ],
)
@pytest.mark.parametrize("others", [(), (5, 6)])
def test_one_wrong_answer_fails_the_batch_whether_others_are_missing_or_not(
    answers: Answers, kind: FaultKind, words: str, others: tuple[int, ...]
) -> None:
    talk = asked(batch(1, 2, *others))
    reply = talk.hear(answers)
    assert isinstance(reply, Failed)
    assert (reply.kind, words in reply.text) == (kind, True)
    assert talk.latched is reply


def test_a_batch_that_takes_too_long_says_how_many_answers_are_missing() -> None:
    talk = asked(batch(1, 2, 3))
    talk.hear(right(2))
    failed = talk.expire(250)
    assert (failed.kind, failed.text) == (
        FaultKind.TIMEOUT,
        "did not answer 2 of the 3 questions of a batch within 250 ms",
    )
