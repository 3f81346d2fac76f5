"""What one seat process may say, and when: the protocol as a table, without the stream that carries it.

A process speaks only when asked. What it says or suffers while no question is open is latched, and answers the next
question in its stead; so a fault costs the same wherever in the other seat's thinking it happens.
"""

from typing import TypeAlias

import msgspec

from referee.match.transcript import FaultKind


class Ready(msgspec.Struct, frozen=True):
    """The seat is ready for its first decision."""


class Answer(msgspec.Struct, frozen=True):
    """A choice as the bot sent it, not yet judged; `index` is None where the bot left it out."""

    decision: int
    index: int | None


class Garbage(msgspec.Struct, frozen=True):
    """A message that is none of the protocol's."""

    text: str


Message: TypeAlias = Ready | Answer | Garbage


class Chosen(msgspec.Struct, frozen=True):
    """A choice, judged to be legal."""

    index: int


class Failed(msgspec.Struct, frozen=True):
    """The seat's fault.

    Attributes:
        kind: what it is judged as.
        text: a sentence about it for people.
        stderr: the last lines that the bot wrote there, where they are known.
    """

    kind: FaultKind
    text: str
    stderr: str = ""


Reply: TypeAlias = Ready | Chosen | Failed


class Question(msgspec.Struct, frozen=True):
    """What a seat was asked last.

    Attributes:
        decision: its number, 0 for MatchStart.
        legal: how many actions it may choose from.
    """

    decision: int
    legal: int = 0

    def judge(self, message: Message) -> Reply:
        """What `message` amounts to, as the answer to this question."""
        if isinstance(message, Garbage):
            return Failed(FaultKind.PROTOCOL, message.text)
        if not self.decision:
            return _judge_ready(message)
        return _judge_choice(self, message)


def _judge_ready(message: Ready | Answer) -> Reply:
    if isinstance(message, Ready):
        return message
    return Failed(FaultKind.PROTOCOL, "answered MatchStart with a Choice instead of Ready")


def _judge_choice(question: Question, message: Ready | Answer) -> Reply:
    number = question.decision
    if isinstance(message, Ready):
        return Failed(FaultKind.PROTOCOL, f"answered decision {number} with Ready instead of a Choice")
    if message.decision != number:
        return Failed(FaultKind.PROTOCOL, f"answered decision {message.decision} when decision {number} was asked")
    if message.index is None:
        return Failed(FaultKind.PROTOCOL, f"answered decision {number} without an index")
    if message.index >= question.legal:
        return Failed(
            FaultKind.ILLEGAL, f"chose index {message.index} at decision {number}, which had {question.legal} actions"
        )
    return Chosen(message.index)


class Conversation:
    """One seat's side of the stream, over as many matches as its process lives.

    Attributes:
        latched: the fault that waits for the seat's next question, if any.
    """

    def __init__(self) -> None:
        self.latched: Failed | None = None
        self._open: Question | None = None

    @property
    def answering(self) -> bool:
        """Whether a question is open."""
        return self._open is not None

    def ask(self, question: Question) -> Failed | None:
        """Open `question`; a latched fault answers it at once, and nothing is to be sent."""
        if self.latched:
            return self.latched
        self._open = question
        return None

    def hear(self, message: Message) -> Reply | None:
        """The answer to the open question; None if there was none, and the message is latched as a fault."""
        if self._open is None:
            self._latch(Failed(FaultKind.PROTOCOL, _unasked(message)))
            return None
        reply = self._open.judge(message)
        self._close(reply)
        return reply

    def lose(self, text: str) -> Failed | None:
        """The process died or hung up: the answer to the open question, or None if that is latched."""
        failed = Failed(FaultKind.CRASH, text)
        if self._open is None:
            self._latch(failed)
            return None
        self._close(failed)
        return failed

    def expire(self, limit_ms: int) -> Failed:
        """The time for the open question is over."""
        if self._open is None:
            raise RuntimeError("no question is open that could expire")
        what = f"decision {self._open.decision}" if self._open.decision else "MatchStart"
        failed = Failed(FaultKind.TIMEOUT, f"did not answer {what} within {limit_ms} ms")
        self._close(failed)
        return failed

    def _close(self, reply: Reply) -> None:
        self._open = None
        if isinstance(reply, Failed):
            self._latch(reply)

    def _latch(self, failed: Failed) -> None:
        # The first fault is the cause; what follows from it (a killed process hangs up) says nothing new.
        self.latched = self.latched or failed


def _unasked(message: Message) -> str:
    if isinstance(message, Garbage):
        return f"spoke without being asked ({message.text})"
    what = "Ready" if isinstance(message, Ready) else f"a Choice for decision {message.decision}"
    return f"spoke without being asked ({what})"
