"""A seat for a person: a bot that is not called at its address, but by a channel that ends in a mailbox.

The mailbox has the messages to the person, and the answers. It outlives pages and connections: a person looks through a
page, which may be closed, opened again or cut off at any time. So the referee sends nothing to a page: messages lie in
the mailbox, and a page reads from any number on. The page's server puts in the answers. The mailbox refuses an answer
that does not fit the open question, and nothing changes. So only the clock can cost a person a match.
"""

import asyncio
import time
from collections.abc import Callable

import msgspec

from referee.core.errors import WrongUse
from referee.files.manifest import plain_name
from referee.match.terms import EntryTerms
from referee.runtime.bot_address import Peer
from referee.runtime.channels.channel import CallStatus, Channel, PlayListener
from referee.runtime.remote_bot import RemoteBot
from referee.wire.messages import READY, choice, description
from referee.wire.seat_messages import DecodedDecision, MatchBegins, outline


class NotAsked(WrongUse):
    """The answer fits no open question of the seat; nothing has changed."""


class Sent(msgspec.Struct, frozen=True):
    """A message to the seat.

    Attributes:
        message: the bytes that a bot would get.
        question: its question; None if it needs no answer from the person.
        at_ns: when it was sent, by the monotonic clock of this process.
    """

    message: bytes
    question: DecodedDecision | None
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
        question = self.sent[-1].question if self.sent else None
        return None if question is None or self._say is None or question.decision in self.chosen else question

    @property
    def left_ms(self) -> int | None:
        """How much time is left for the open question, in milliseconds; None if there is none."""
        if self.open is None:
            return None
        return max(0, self.open.left_ms - (self._now_ns() - self.sent[-1].at_ns) // 1_000_000)


SIGN = "~"
"""The first character of the names of persons. No name of a bot may have it."""

VERSION = "person"
"""Every entry has a version."""

PLACE = "a person"
"""Stands in transcripts where bots have a folder or an address."""

LONGEST_NAME = 24


def person_name(text: str) -> str:
    """The name that a person plays under: the sign, and the given name after it.

    Raises:
        ValueError: it has other characters than letters, digits, - and _, or none, or too many.
    """
    if len(text) > LONGEST_NAME:
        raise ValueError(f"the name has {len(text)} characters; allowed: 1 to {LONGEST_NAME}")
    return SIGN + plain_name(text)


def person(name: str, mailbox: Mailbox, terms: EntryTerms) -> RemoteBot:
    """A person who plays through a page, and may close the page and open it again.

    Args:
        name: with the sign before it.
        mailbox: gets the messages to the person, and the answers.
        terms: with the clock of persons.
    """
    return RemoteBot(PLACE, Peer(PLACE, door=lambda: _Channel(name, mailbox)), name, VERSION, terms=terms)


class _Channel(Channel):
    """Puts a stream's messages into the mailbox, and gives it the person's answers: a `Channel`."""

    def __init__(self, name: str, mailbox: Mailbox) -> None:
        self._name, self._mailbox = name, mailbox
        self._listener: PlayListener | None = None

    async def describe(self, request: bytes, timeout_s: float | None) -> bytes:  # noqa: ARG002 - it is known here
        """Answer for the person."""
        return description(self._name, VERSION)

    def open(self, listener: PlayListener) -> None:
        """Let the person speak."""
        self._listener = listener
        self._mailbox.connect(listener.on_message)

    async def send(self, message: bytes) -> None:
        """Put a message into the mailbox. It has left at once."""
        self._mailbox.deliver(message)

    async def finish(self) -> None:
        """End the call: the referee sends no more, and the person has no more to say."""
        self._end(CallStatus("ok"))

    def cancel(self) -> None:
        """Listen to the person no more."""
        self._end(None)

    async def close(self) -> None:
        """End everything."""
        self._end(None)

    def _end(self, status: CallStatus | None) -> None:
        if self._listener is not None:
            listener, self._listener = self._listener, None
            self._mailbox.disconnect()
            listener.on_end(status)
