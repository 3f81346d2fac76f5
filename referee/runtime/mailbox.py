"""A person's mailbox at a table: the messages to the person, and the answers. It outlives pages and connections.

A person looks through a page, which may be closed, opened again or cut off at any time. So the referee
sends nothing to a page: messages lie here, and a page reads from any number on. The page's server puts in the answers.
The mailbox refuses an answer that does not fit the open question, and nothing changes. So only the clock can cost a
person a match.
"""

import asyncio
import time
from collections.abc import Callable

import msgspec

from referee.core.errors import WrongUse
from referee.wire.bot_messages import READY, choice
from referee.wire.decode import DecodedDecision, MatchBegins, outline


class NotAsked(WrongUse):
    """The answer fits no open question of the seat; nothing has changed."""


class Sent(msgspec.Struct, frozen=True):
    """A message to the seat.

    Attributes:
        message: the bytes that a bot would get.
        asked: its question; None if it needs no answer from the person.
        at_ns: when it was sent, by the monotonic clock of this process.
    """

    message: bytes
    asked: DecodedDecision | None
    at_ns: int


class Broadcast:
    """Wakes everybody who waits for a change."""

    def __init__(self) -> None:
        self.next = asyncio.Event()
        """The next ring sets it. Take it before you look, and you miss no ring."""

    def ring(self) -> None:
        """Wake everybody who waits."""
        self.next.set()
        self.next = asyncio.Event()


class Mailbox:
    """The messages of one seat in one match, in order, and the way for its answers.

    Attributes:
        sent: every message so far.
        chosen: the answers so far, by the number of the decision.
        bell: rings when anything here has changed.
    """

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.sent: list[Sent] = []
        self.chosen: dict[int, int] = {}
        self.bell = Broadcast()
        self._now_ns = now_ns
        self._say: Callable[[bytes], None] | None = None

    def connect(self, say: Callable[[bytes], None]) -> None:
        """Give the answers to `say` from now on."""
        self._say = say

    def disconnect(self) -> None:
        """Take no more answers: the seat has lost its place at the table, or the match is over."""
        self._say = None
        self.bell.ring()

    def deliver(self, message: bytes) -> None:
        """Put a message in. The page of a person is always ready, so `MatchStart` is answered here."""
        what = outline(message)
        self.sent.append(Sent(message, what if isinstance(what, DecodedDecision) else None, self._now_ns()))
        self.bell.ring()
        if isinstance(what, MatchBegins) and self._say is not None:
            self._say(READY)

    def choose(self, decision: int, index: int) -> None:
        """Answer the open question.

        Raises:
            NotAsked: no such decision is open, or it has no action of this index.
        """
        open_ = self.open
        if open_ is None or self._say is None:
            raise NotAsked("nothing is asked of you now")
        if decision != open_.decision:
            raise NotAsked(f"decision {decision} is not open; open is decision {open_.decision}")
        if not 0 <= index < open_.legal:
            raise NotAsked(f"decision {decision} has no action {index}; the last is {open_.legal - 1}")
        self.chosen[decision] = index
        self._say(choice(decision, index))
        self.bell.ring()

    @property
    def open(self) -> DecodedDecision | None:
        """The question that waits for an answer."""
        asked = self.sent[-1].asked if self.sent else None
        return None if asked is None or self._say is None or asked.decision in self.chosen else asked

    @property
    def left_ms(self) -> int | None:
        """How much time is left for the open question, in milliseconds; None if there is none."""
        if self.open is None:
            return None
        return max(0, self.open.left_ms - (self._now_ns() - self.sent[-1].at_ns) // 1_000_000)
