import pytest

from referee.match.conversation import Answer, Chosen, Conversation, Failed, Garbage, Message, Question, Ready
from referee.match.transcript import FaultKind

DECISION = Question(decision=4, legal=3)


def asked(question: Question = DECISION) -> Conversation:
    talk = Conversation()
    assert talk.ask(question) is None
    return talk


def test_the_right_number_and_an_index_in_range_is_a_choice() -> None:
    assert asked().hear(Answer(4, 2)) == Chosen(2)


def test_ready_answers_match_start() -> None:
    assert asked(Question(0)).hear(Ready()) == Ready()


@pytest.mark.parametrize(
    ("question", "message", "kind", "words"),
    [
        (DECISION, Answer(3, 0), FaultKind.PROTOCOL, "answered decision 3 when decision 4 was asked"),
        (DECISION, Answer(4, None), FaultKind.PROTOCOL, "without an index"),
        (DECISION, Answer(4, 3), FaultKind.ILLEGAL, "index 3 at decision 4, which had 3 actions"),
        (DECISION, Ready(), FaultKind.PROTOCOL, "with Ready instead of a Choice"),
        (DECISION, Garbage("sent 9 bytes that are no BotMessage"), FaultKind.PROTOCOL, "sent 9 bytes"),
        (Question(0), Answer(1, 0), FaultKind.PROTOCOL, "instead of Ready"),
    ],
)
def test_every_other_answer_is_a_fault_named_exactly(
    question: Question, message: Message, kind: FaultKind, words: str
) -> None:
    reply = asked(question).hear(message)
    assert isinstance(reply, Failed)
    assert reply.kind is kind
    assert words in reply.text


@pytest.mark.parametrize("message", [Ready(), Answer(1, 0), Garbage("sent noise")])
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
