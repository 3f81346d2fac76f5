"""What a person is sent waits to be read, and only an answer to the open question counts."""

from collections.abc import Callable

import pytest
from referee_bot.v1 import bot_pb2 as pb

from referee.runtime.person import Mailbox, NotAsked
from referee.wire.messages import READY, choice

START = pb.RefereeMessage(match_start=pb.MatchStart(game="any")).SerializeToString()
END = pb.RefereeMessage(match_end=pb.MatchEnd(ending="over")).SerializeToString()


def decision(number: int, legal: int = 3, left_ms: int = 60_000) -> bytes:
    asked = pb.Decision(number=number, legal=[b"an action"] * legal, time_left_ms=left_ms)
    return pb.RefereeMessage(decision=asked).SerializeToString()


class Clock:
    def __init__(self) -> None:
        self.now_ns = 7_000_000_000

    def __call__(self) -> int:
        return self.now_ns


def asked(number: int = 1) -> tuple[Mailbox, list[bytes]]:
    said: list[bytes] = []
    mailbox = Mailbox()
    mailbox.connect(said.append)
    mailbox.deliver(decision(number))
    return mailbox, said


def test_a_start_is_answered_at_once_and_an_end_is_not() -> None:
    said: list[bytes] = []
    mailbox = Mailbox()
    mailbox.connect(said.append)
    mailbox.deliver(START)
    assert said == [READY]
    mailbox.deliver(END)
    assert said == [READY]
    assert [sent.message for sent in mailbox.sent] == [START, END]


def test_an_answer_to_the_open_decision_is_said_once() -> None:
    mailbox, said = asked()
    mailbox.choose(1, 2)
    assert said == [choice(1, 2)]
    assert mailbox.chosen == {1: 2}
    with pytest.raises(NotAsked, match="nothing is asked of you now"):
        mailbox.choose(1, 2)
    assert said == [choice(1, 2)]


@pytest.mark.parametrize(
    ("number", "index", "why"),
    [(2, 0, "open is decision 1"), (0, 0, "open is decision 1"), (1, 3, "no action 3"), (1, -1, "no action -1")],
)
def test_what_does_not_answer_the_open_decision_changes_nothing(number: int, index: int, why: str) -> None:
    mailbox, said = asked()
    with pytest.raises(NotAsked, match=why):
        mailbox.choose(number, index)
    assert said == []
    mailbox.choose(1, 0)
    assert said == [choice(1, 0)]


def test_nothing_can_be_answered_before_the_match_or_after_it() -> None:
    with pytest.raises(NotAsked):
        Mailbox().choose(1, 0)
    mailbox, said = asked()
    mailbox.disconnect()
    assert mailbox.open is None
    assert mailbox.left_ms is None
    with pytest.raises(NotAsked):
        mailbox.choose(1, 0)
    assert said == []


def test_the_time_that_is_left_falls_and_ends_at_nothing() -> None:
    clock = Clock()
    mailbox = Mailbox(clock)
    mailbox.connect(lambda _answer: None)
    mailbox.deliver(decision(1, left_ms=5_000))
    assert mailbox.left_ms == 5_000
    clock.now_ns += 1_500_000_000
    assert mailbox.left_ms == 3_500
    clock.now_ns += 10_000_000_000
    assert mailbox.left_ms == 0
    mailbox.choose(1, 0)
    assert mailbox.left_ms is None


def test_the_bell_rings_for_every_change_and_no_ring_is_missed() -> None:
    mailbox = Mailbox()
    changes: list[Callable[[], None]] = [
        lambda: mailbox.deliver(decision(1)),
        lambda: mailbox.choose(1, 0),
        mailbox.disconnect,
    ]
    for change in changes:
        mailbox.connect(lambda _answer: None)
        ring = mailbox.bell.next
        assert not ring.is_set()
        change()
        assert ring.is_set()
        assert not mailbox.bell.next.is_set()
