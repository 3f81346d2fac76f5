"""The messages that one seat may send, and when: the protocol as a table, without the stream that carries it.

A seat may speak only when asked. If it speaks or is lost while no question is open, that fault is latched: it becomes
the answer to the next question. So a fault costs the same whenever it happens while the other seats think.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NoReturn, TypeAlias, get_args

import msgspec

from referee.core.text import one_line
from referee.match.transcript import FaultKind, Note


class Ready(msgspec.Struct, frozen=True):
    """The seat is ready for its first decision."""


class Answer(msgspec.Struct, frozen=True):
    """A choice as the bot sent it, not yet judged; `index` is None if the bot left it out."""

    decision: int
    index: int | None
    note: Note | None = None


class Unavailable(msgspec.Struct, frozen=True):
    """The bot says that it cannot answer, because something that it needs does not work."""

    decision: int
    note: Note


class Garbage(msgspec.Struct, frozen=True):
    """A message that is not part of the protocol."""

    text: str


class Answers(msgspec.Struct, frozen=True):
    """Answers to a batch, or some of them, not yet judged.

    Attributes:
        choices: for each choice the number of its match, and the choice.
        ready: the numbers of the matches for which the bot is ready.
    """

    choices: tuple[tuple[int, Answer], ...] = ()
    ready: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.choices) + len(self.ready)


_QUOTED = 200
"""A fault repeats so many characters of what a bot says."""

Message: TypeAlias = Ready | Answer | Unavailable | Answers | Garbage


class Lost(msgspec.Struct, frozen=True):
    """The seat died or hung up; `text` says how."""

    text: str


class Expired(msgspec.Struct, frozen=True):
    """The time for the open question is over; `silence` is what else is known, in words that go after the fault."""

    limit_ms: int
    silence: str = ""


Event: TypeAlias = Message | Lost | Expired
"""A message from a seat, or something that can happen to it."""


class Chosen(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """A choice that was judged legal, with the bot's note about it, if there is one."""

    index: int
    note: Note | None = None


class Failed(msgspec.Struct, frozen=True):
    """The seat's fault.

    Attributes:
        kind: the kind of fault.
        text: a sentence about the fault for people.
        stderr: the last lines that the bot wrote to stderr, if they are known.
        note: the bot's note about the decision, if there is one.
    """

    kind: FaultKind
    text: str
    stderr: str = ""
    note: Note | None = None


class Answered(msgspec.Struct, frozen=True):
    """All questions of a batch are answered.

    Attributes:
        replies: the judged reply for each match, by its number.
    """

    replies: Mapping[int, Ready | Chosen]


Reply: TypeAlias = Ready | Chosen | Answered | Failed

State: TypeAlias = Literal["idle", "starting", "choosing", "batching", "failed"]
"""The state of a seat. `idle`: no question is open. `starting`: it must answer MatchStart with Ready. `choosing`: it
must answer a decision with a Choice. `batching`: it must answer all questions of a batch with Answers. `failed`: a
fault is latched and answers every question that follows."""


class SeatQuestion(msgspec.Struct, frozen=True):
    """The last question to a seat.

    Attributes:
        decision: the number of the decision, 0 for MatchStart.
        legal: how many actions the seat may choose from.
    """

    decision: int
    legal: int = 0

    def judge(self, message: Ready | Answer | Unavailable | Garbage) -> "Ready | Chosen | Failed":
        """Judge `message` as the answer to this question."""
        reply: Ready | Chosen | Failed = TABLE[_state_when_asked(self)][type(message)](self, message)
        return reply


class Batch:
    """The questions of a batch, which may be answered one by one.

    Attributes:
        open: the questions that are not answered yet, by the number of the match.
    """

    def __init__(self, questions: Mapping[int, SeatQuestion]) -> None:
        self.open = dict(questions)
        self._size = len(questions)
        self._replies: dict[int, Ready | Chosen] = {}

    def __len__(self) -> int:
        return self._size

    def take(self, answers: Answers) -> Answered | Failed | None:
        """Judge these answers. None if they are right, and others are missing."""
        for match, answer in answers.choices:
            wrong = self._judge(match, answer)
            if wrong is not None:
                return wrong
        for match in answers.ready:
            wrong = self._judge(match, Ready())
            if wrong is not None:
                return wrong
        return None if self.open else Answered(self._replies)

    def _judge(self, match: int, message: Answer | Ready) -> Failed | None:
        question = self.open.pop(match, None)
        if question is None:
            return Failed(FaultKind.PROTOCOL, f"answered for match {match}, which had no open question in the batch")
        reply = question.judge(message)
        if isinstance(reply, Failed):
            return msgspec.structs.replace(reply, text=f"{reply.text}, in a batch")
        self._replies[match] = reply
        return None


def _state_when_asked(question: SeatQuestion | Batch) -> State:
    """The state of a seat that was asked this question."""
    if isinstance(question, Batch):
        return "batching"
    return "choosing" if question.decision else "starting"


def _ready(_question: SeatQuestion, ready: Ready) -> Ready:
    return ready


def _choice(question: SeatQuestion, answer: Answer) -> Chosen | Failed:
    number, index = question.decision, answer.index
    if answer.decision != number:
        return Failed(FaultKind.PROTOCOL, f"answered decision {answer.decision} when decision {number} was asked")
    if index is None:
        return Failed(FaultKind.PROTOCOL, f"answered decision {number} without an index")
    if index >= question.legal:
        what = f"chose index {index} at decision {number}, which had {question.legal} actions"
        return Failed(FaultKind.ILLEGAL, what, note=answer.note)
    return Chosen(index, answer.note)


def _unavailable(question: SeatQuestion, message: Unavailable) -> Failed:
    if message.decision != question.decision:
        request = f"decision {question.decision}" if question.decision else "the start"
        return Failed(FaultKind.PROTOCOL, f"answered decision {message.decision} when {request} was asked")
    at = f"at decision {question.decision}" if question.decision else "at the start"
    text = one_line(message.note.text[:_QUOTED])
    return Failed(FaultKind.UNAVAILABLE, f"was unavailable {at}" + (f": {text}" if text else ""), note=message.note)


def _not_ready(_question: SeatQuestion, _answer: Answer) -> Failed:
    return Failed(FaultKind.PROTOCOL, "answered the start with a choice instead of ready")


def _no_choice(question: SeatQuestion, _ready: Ready) -> Failed:
    return Failed(FaultKind.PROTOCOL, f"answered decision {question.decision} with ready instead of a choice")


def _not_alone(question: SeatQuestion, _answers: Answers) -> Failed:
    what = f"decision {question.decision}" if question.decision else "the start"
    return Failed(FaultKind.PROTOCOL, f"answered {what} with answers to a batch")


def _no_answers(_batch: Batch, message: Ready | Answer | Unavailable) -> Failed:
    what = "a choice" if isinstance(message, Answer) else type(message).__name__.lower()
    return Failed(FaultKind.PROTOCOL, f"answered a batch with {what} instead of answers")


def _garbage(_question: SeatQuestion | Batch, garbage: Garbage) -> Failed:
    return Failed(FaultKind.PROTOCOL, garbage.text)


def _unasked(_question: SeatQuestion, message: Message) -> Failed:
    what = type(message).__name__.lower()
    if isinstance(message, Answer):
        what = f"a choice for decision {message.decision}" if message.decision else "a choice"
    elif isinstance(message, Garbage):
        what = message.text
    return Failed(FaultKind.PROTOCOL, f"spoke without being asked ({what})")


def _crash(_question: SeatQuestion, lost: Lost) -> Failed:
    return Failed(FaultKind.CRASH, lost.text)


def _batch_timeout(batch: Batch, expired: Expired) -> Failed:
    what = f"{len(batch.open)} of the {len(batch)} questions of a batch"
    return Failed(FaultKind.TIMEOUT, f"did not answer {what} within {expired.limit_ms} ms{expired.silence}")


def _timeout(question: SeatQuestion, expired: Expired) -> Failed:
    what = f"decision {question.decision}" if question.decision else "the start"
    return Failed(FaultKind.TIMEOUT, f"did not answer {what} within {expired.limit_ms} ms{expired.silence}")


def _never(_question: SeatQuestion, _event: Event) -> NoReturn:
    raise RuntimeError("no question is open that could expire")


Judge: TypeAlias = Callable[[Any, Any], Any]
"""Takes the last question and an event; gives the reply that follows, or None if the event changes nothing."""

TABLE: Final[Mapping[State, Mapping[type[Event], Judge]]] = {
    # A seat may not speak unasked, whatever it says. Nobody waits for these replies, so they are latched.
    "idle": {
        **dict.fromkeys(get_args(Message), _unasked),
        Lost: _crash,
        Expired: _never,
    },
    # Each question has one kind of answer, and the first message counts as the answer: there is no second try.
    "starting": {
        Ready: _ready,
        Answer: _not_ready,
        Unavailable: _unavailable,
        Answers: _not_alone,
        Garbage: _garbage,
        Lost: _crash,
        Expired: _timeout,
    },
    "choosing": {
        Ready: _no_choice,
        Answer: _choice,
        Unavailable: _unavailable,
        Answers: _not_alone,
        Garbage: _garbage,
        Lost: _crash,
        Expired: _timeout,
    },
    # A batch may be answered in pieces. Each question in it has one answer.
    "batching": {
        Ready: _no_answers,
        Answer: _no_answers,
        Unavailable: _no_answers,
        Answers: Batch.take,
        Garbage: _garbage,
        Lost: _crash,
        Expired: _batch_timeout,
    },
    # The first fault is the cause. Later ones that follow from it (a killed process hangs up) say nothing new.
    "failed": {**dict.fromkeys((*get_args(Message), Lost), lambda _question, _event: None), Expired: _never},
}
"""The rule for each state and event. Only `Conversation.ask` leads from idle to a question."""

NEXT: Final[Mapping[type[Reply], State]] = {Ready: "idle", Chosen: "idle", Answered: "idle", Failed: "failed"}
"""The state after each kind of reply. Without a reply the state stays, so no state follows a fault: a process that is
started anew gets a new conversation."""


class Conversation:
    """One seat's side of the stream, for all matches of its process.

    Attributes:
        latched: the fault that waits for the seat's next question, if any.
        state: the state of the seat.
        question: the last question.
    """

    def __init__(self) -> None:
        self.latched: Failed | None = None
        self.state: State = "idle"
        self.question: SeatQuestion | Batch = SeatQuestion(0)

    @property
    def answering(self) -> bool:
        """Whether a question is open."""
        return self.state in ("starting", "choosing", "batching")

    def leaves_open(self, message: Message) -> bool:
        """Whether questions stay open after this message, which answers some of a batch."""
        question = self.question
        return (
            self.state == "batching"
            and isinstance(question, Batch)
            and isinstance(message, Answers)
            and 0 < len(message) < len(question.open)
        )

    def ask(self, question: SeatQuestion | Batch) -> Failed | None:
        """Open `question`. If a fault is latched, it is returned as the answer, and nothing must be sent."""
        if self.state == "failed":
            return self.latched
        if self.state != "idle":
            raise RuntimeError("one question at a time: the last one has no answer yet")
        self.question = question
        self.state = _state_when_asked(question)
        return None

    def hear(self, message: Message) -> Reply | None:
        """The answer to the open question.

        None if no question is open, and the message is latched as a fault; or if others of a batch stay open.
        """
        reply: Reply | None = self._take(message)
        return reply

    def lose(self, text: str) -> Failed | None:
        """Note that the process died or hung up; the answer to the open question, or None if this is latched."""
        failed: Failed | None = self._take(Lost(text))
        return failed

    def expire(self, limit_ms: int, silence: str = "") -> Failed:
        """Note that the time for the open question is over; returns the fault that answers it. See `Expired`."""
        failed: Failed = self._take(Expired(limit_ms, silence))
        return failed

    def _take(self, event: Event) -> Any:
        """Apply the table to `event`. The reply, if it answers an open question."""
        before = self.state
        reply = TABLE[before][type(event)](self.question, event)
        if reply is None:
            return None
        self.state = NEXT[type(reply)]
        if isinstance(reply, Failed):
            self.latched = reply
        return None if before == "idle" else reply
