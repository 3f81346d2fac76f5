"""The stream to one bot process: its questions and answers, and the time between them."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from google.protobuf.message import DecodeError
from referee_bot.v1 import bot_pb2

from referee.core.errors import Busy, Void
from referee.core.text import one_line
from referee.match.conversation import Batch, Conversation, Failed, Garbage, Message, Reply, SeatQuestion
from referee.runtime.bot_address import Peer
from referee.runtime.channels import channel_to
from referee.runtime.channels.channel import CallEnded, CallStatus, UnreadableAnswer
from referee.runtime.stopwatch import Observable, Stopwatch, Unobservable
from referee.wire.dialects import GRPC, Dialect
from referee.wire.messages import PROTOCOL_MINOR

_PATIENCE_MS = 1_000
"""The limit where there is no other: for reading a message that needs no answer, and for closing a stream."""

_END_BY_ITSELF_S = 0.2
"""A bot that hangs up is killed this much later: mostly it is about to end, and its own exit status says how."""

Description: TypeAlias = bot_pb2.DescribeResponse


class NoDescription(Exception):
    """The bot did not answer Describe; the text says how."""


class TokenRefused(NoDescription):
    """The bot asks for another token than it was shown."""


_TLS_TROUBLES = {
    "certificate has expired": "its certificate has expired",
    "certificate is not yet valid": "its certificate is not valid yet; are the clocks right?",
    "CERTIFICATE_VERIFY_FAILED": "its certificate was not signed by an authority that is trusted here",
    "Peer name": "its certificate is for another host name",
    "Hostname Verification": "its certificate is for another host name",
    "WRONG_VERSION_NUMBER": "it does not speak TLS",
}
"""The meaning of gRPC's words for a failed TLS handshake. The first that fit apply."""


_NOBODY = Unobservable()


def _leave_alone() -> None:
    """Do nothing about a fault."""


class BotStream:
    """One connection with one stream of `Play`, for as long as the bot's process lives.

    It listens all the time, also off turn. So it notices at once if a bot dies or speaks unasked. It stamps an answer
    with the time of its arrival, not with the time when somebody looked for it.

    Nothing here judges by the wall clock: a `Stopwatch` measures the bot's time.

    Attributes:
        talk: the questions and faults so far, without the stream.
    """

    def __init__(
        self,
        peer: Peer,
        on_fault: Callable[[], None] = _leave_alone,
        observable: Observable = _NOBODY,
        dialect: Dialect = GRPC,
    ) -> None:
        """Prepare to call `peer`.

        It calls `on_fault` at once when the bot does something wrong; `observable` has the kernel's counts of the bot.
        The bot's answers are written in `dialect`.
        """
        self.talk = Conversation()
        self._dialect = dialect
        self._on_fault = on_fault
        self._loop = asyncio.get_running_loop()
        self._watch = Stopwatch(observable, self._ran_out)
        self._limit_ms = 0
        self._void: Void | None = None  # why the match is, where that was found while the bot owed no answer
        self._channel = channel_to(peer)
        self._answer: asyncio.Future[Reply] = self._loop.create_future()  # of the last question
        self._over: asyncio.Future[None] | None = None  # of the stream
        self._thought_us = 0
        self._hung_up = False

    async def describe(self, timeout_ms: int | None, *, protocol_minor: int = PROTOCOL_MINOR) -> Description:
        """Ask the bot for its description. If the bot is starting, this asks as soon as it is up.

        Args:
            timeout_ms: how long to wait; None if the caller sees to that.
            protocol_minor: the minor version of the protocol that we say we speak.

        Raises:
            TokenRefused: it does not accept our token.
            NoDescription: it did not answer in time, or not with a description.
        """
        request = bot_pb2.DescribeRequest(protocol_minor=protocol_minor).SerializeToString()
        try:
            answer = await self._channel.describe(request, None if timeout_ms is None else timeout_ms / 1000)
            return bot_pb2.DescribeResponse.FromString(answer)
        except CallEnded as end:
            if end.status.code == "unauthenticated":  # what P-24 asks for; any other code is no refusal
                raise TokenRefused("does not take the token") from end
            raise NoDescription(_why_no_answer(end.status, timeout_ms)) from end
        except UnreadableAnswer as unfit:
            raise NoDescription(f"answered Describe with {unfit}") from unfit
        except DecodeError as error:
            raise NoDescription("answered Describe with bytes that are no DescribeResponse") from error

    def open(self) -> None:
        """Begin the stream, and listen to it."""
        self._over = self._loop.create_future()
        self._channel.open(self)

    async def ask(self, question: SeatQuestion | Batch, message: bytes, limit_ms: int) -> tuple[Reply, int]:
        """Send `message`. Returns the judged reply, and the microseconds of the bot's time from sending to receipt.

        Bytes that are no whole message do not extend the time.

        Raises:
            Busy: the machine kept the bot from running, or the referee, for much longer than the limit.
            Void: the connection was lost through our fault.
        """
        latched = self.talk.ask(question)
        if self._void is not None:
            raise self._void
        if latched:
            return latched, 0
        self._answer = self._loop.create_future()
        self._limit_ms = limit_ms
        # It runs before the message is sent: a bot that does not read keeps `send` waiting, at its own expense.
        self._watch.start(limit_ms)
        await self.send(message)
        reply = await self._answer
        return reply, self._thought_us

    async def send(self, message: bytes) -> None:
        """Send `message`, for which the caller has set a deadline."""
        await self._channel.send(message)

    async def tell(self, message: bytes) -> None:
        """Send a message that needs no answer. A bot that does not read it in time is lost.

        Raises:
            Busy: the machine kept the bot from running, or the referee, for much longer than that time.
        """
        self._watch.start(_PATIENCE_MS)
        await self.send(message)
        self._watch.stop()
        if self._void is not None:
            raise self._void

    async def hang_up(self) -> bool:
        """Close our side and wait for the bot to close its own; whether it did so in time, and without an error."""
        if self._over is None:
            return False
        self._hung_up = True  # the end of the stream is no fault from now on
        patience = self._loop.call_later(_PATIENCE_MS / 1000, self._give_up)
        await self._channel.finish()
        await asyncio.wait([self._over])
        patience.cancel()
        return self.talk.latched is None

    async def drop(self) -> None:
        """Cut the connection."""
        self._watch.cancel()
        await self._channel.close()

    def on_message(self, message: bytes | Garbage) -> None:
        """Judge what the bot sent; see `PlayListener`."""
        self._hear(message if isinstance(message, Garbage) else self._dialect.parse(message, self.talk.question))

    def on_end(self, status: CallStatus | None) -> None:
        """Judge that the stream has ended; see `PlayListener`."""
        if status is not None and status.code == "lost" and not self._hung_up:
            self._lose_our_end(status.detail)
        elif status is not None and status.code != "ok":
            self._lose(f"died or hung up ({_words(status)})")
        elif status is not None and not self._hung_up:
            self._lose(status.detail or "ended its stream")
        if self._over is not None:
            self._over.set_result(None)

    def lose_process(self) -> None:
        """Judge that the bot's process has ended, though something may hold its end of the stream open."""
        if self._over is not None and not self._over.done():
            self._lose("died")
            self._channel.cancel()

    def _hear(self, message: Message) -> None:
        if self.talk.leaves_open(message):
            self._hear_a_piece(message)
            return
        # The time is taken here, not in `ask`, which the loop runs later while the bot's clock would go on.
        self._thought_us = self._watch.stop()
        too_late = self.talk.answering and self._watch.ran_over
        reply = self.talk.expire(self._limit_ms) if too_late else self.talk.hear(message)
        self._settle(reply)
        if reply is None or isinstance(reply, Failed):  # it spoke unasked, or answered wrongly
            self._cut()

    def _hear_a_piece(self, message: Message) -> None:
        """Hear some of the answers to a batch. The clock runs on for the others."""
        failed = self.talk.hear(message)
        if failed is not None:
            self._thought_us = self._watch.stop()
            self._settle(failed)
            self._cut()

    def _lose(self, text: str) -> None:
        self._thought_us = self._watch.stop()
        self._settle(self.talk.lose(text))
        self._loop.call_later(_END_BY_ITSELF_S, self._on_fault)

    def _lose_our_end(self, text: str) -> None:
        """Make the match void. A match that has not begun can be played later, as if the bot were away."""
        if self.talk.state != "starting":
            self._void = Void(text)
            if self.talk.answering and not self._answer.done():
                self._answer.set_exception(self._void)
        self._lose(text)

    def _give_up(self) -> None:
        self._thought_us = self._watch.stop()
        self._settle(self.talk.lose("does not read what it is sent"))
        self._cut()

    def _settle(self, reply: Reply | None) -> None:
        if reply is not None and not self._answer.done():  # it is done where the match is void
            self._answer.set_result(reply)

    def _cut(self) -> None:
        self._channel.cancel()
        self._on_fault()

    def _ran_out(self, busy: Busy | None) -> None:
        """Judge a bot whose time is over, unless that is the machine's doing."""
        if not self.talk.answering:
            self._void = busy
            self._give_up()
        elif busy is None:
            self._thought_us = self._watch.stop()
            self._settle(self.talk.expire(self._limit_ms, self._channel.silence))
            self._cut()
        else:
            self._answer.set_exception(busy)
            self._cut()


def _why_no_answer(status: CallStatus, timeout_ms: int | None) -> str:
    if status.code == "deadline_exceeded" and timeout_ms is not None:
        return f"did not answer Describe within {timeout_ms} ms"
    if status.code == "away":  # no code of gRPC: nobody called us
        return status.detail
    trouble = next((meaning for words, meaning in _TLS_TROUBLES.items() if words in status.detail), None)
    return trouble or f"did not answer Describe ({_words(status)})"


def _words(status: CallStatus) -> str:
    detail = one_line(status.detail)  # in a bot's own words
    return status.code + (f": {detail}" if detail else "")
