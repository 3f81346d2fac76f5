"""The stream to one bot process. gRPC lives here and nowhere else."""

import asyncio
import os
import re
import secrets
from collections.abc import Awaitable, Callable
from typing import TypeAlias

# What gRPC logs at its own leisure is not for people: every failure reaches them through a fault or a void. It reads
# the variable when it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from referee_bot.v1 import bot_pb2

from referee.core.errors import Busy
from referee.core.printable import one_line
from referee.match.conversation import Batch, Conversation, Failed, Garbage, Message, Question, Reply
from referee.shell.peer import Peer
from referee.shell.stopwatch import Seen, Stopwatch, Unseen
from referee.wire.messages import MAX_BOT_MESSAGE_BYTES, PROTOCOL_MINOR, parse

_OPTIONS = (
    # A bot is called directly, whatever the environment's http_proxy says.
    ("grpc.enable_http_proxy", 0),
    # Else channels to one address share a connection, and its back-off: each seat of a remote bot has its own.
    ("grpc.use_local_subchannel_pool", 1),
    # A compressed message is handed over as it came: it is refused, and never grows here.
    ("grpc.per_message_decompression", 0),
)
_WHILE_IT_COMES_UP = (
    # The defaults would cost about a second at every start of a bot.
    ("grpc.initial_reconnect_backoff_ms", 20),
    ("grpc.max_reconnect_backoff_ms", 200),
)
_ON_A_UNIX_SOCKET = ("grpc.default_authority", "localhost")  # Rust and C# servers refuse a path as authority
_DESCRIBE = "/referee_bot.v1.Bot/Describe"
_PLAY = "/referee_bot.v1.Bot/Play"

_TOO_LONG = f"a message over {MAX_BOT_MESSAGE_BYTES // 1024} KiB"
_SLACK_BYTES = 1 << 20
"""How far gRPC's own limit may lie above ours, see `_Limit`. It bounds the memory that one message can take."""

_GZIP = b"\x1f\x8b"
"""How gzip begins (RFC 1952), and no message: its first byte would be a tag of wire type 7, which does not exist."""

_PATIENCE_MS = 1_000
"""The limit where there is no other: for reading a message that needs no answer, and for closing a stream."""

_END_BY_ITSELF_S = 0.2
"""A bot that hangs up is killed this much later: mostly it is about to end, and its own exit status says how."""

Description: TypeAlias = bot_pb2.DescribeResponse
_Call = grpc.aio.StreamStreamCall[bytes, bytes]


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
"""What gRPC's words for a failed TLS handshake mean. The first that fit are the ones."""


class _Limit:
    """Where gRPC stops to read a message: above our own limit, at a place that no bot knows.

    What is longer than `MAX_BOT_MESSAGE_BYTES` is refused when it has been read. What is longer than this limit ends
    the call, with a code and a text that a bot may also end it with. But gRPC's text has the limit in it.
    """

    def __init__(self) -> None:
        self.bytes = MAX_BOT_MESSAGE_BYTES + 1 + secrets.randbelow(_SLACK_BYTES)
        # No other number may come before, so a bot has one guess.
        self._words = re.compile(rf"\D*\d+ vs\. {self.bytes}\)+")

    def ended(self, error: grpc.aio.AioRpcError) -> bool:
        """Whether gRPC ended the call here because a message was too long."""
        too_much = error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        return too_much and self._words.fullmatch(error.details() or "") is not None


_NOBODY = Unseen()


def _leave_alone() -> None:
    """Do nothing about a fault."""


class Line:
    """One connection with one stream of `Play`, for as long as the bot's process lives.

    One read is outstanding all the time, also off turn. So a bot that dies or speaks unasked is noticed at once, and an
    answer is stamped with the time when it came, not with the time when it was looked for.

    Nothing here judges by the wall clock: the bot's time is measured by a `Stopwatch`.

    Attributes:
        talk: what was asked and what went wrong, without the stream.
    """

    def __init__(self, peer: Peer, on_fault: Callable[[], None] = _leave_alone, seen: Seen = _NOBODY) -> None:
        """Prepare to call `peer`.

        Args:
            peer: how the bot is called.
            on_fault: called at once when the bot does something wrong.
            seen: what the bot can be seen to do.
        """
        self.talk = Conversation()
        self._on_fault = on_fault
        self._loop = asyncio.get_running_loop()
        self._watch = Stopwatch(seen, self._ran_out)
        self._limit_ms = 0
        self._busy: Busy | None = None
        self._patient = peer.is_coming_up
        self._limit = _Limit()
        self._channel = _channel(peer, self._limit)
        self._metadata = None if peer.token is None else (("authorization", f"Bearer {peer.token}"),)
        self._call: _Call | None = None
        self._reader: asyncio.Task[None] | None = None
        self._answer: asyncio.Future[Reply] = self._loop.create_future()  # of the last question
        self._thought_us = 0
        self._has_begun = False
        self._hung_up = False

    async def describe(self, timeout_ms: int | None, *, protocol_minor: int = PROTOCOL_MINOR) -> Description:
        """Ask the bot who it is. A bot that is starting is asked as soon as it is up.

        Args:
            timeout_ms: how long to wait; None if the caller sees to that.
            protocol_minor: the minor version of the protocol that we say we speak.

        Raises:
            TokenRefused: it does not accept our token.
            NoDescription: it did not answer in time, or not with a description.
        """
        ask: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(_DESCRIBE)
        request = bot_pb2.DescribeRequest(protocol_minor=protocol_minor).SerializeToString()
        timeout_s = None if timeout_ms is None else timeout_ms / 1000
        try:
            answer = await ask(request, metadata=self._metadata, wait_for_ready=self._patient, timeout=timeout_s)
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.UNAUTHENTICATED:  # what P-24 asks for; any other code is no refusal
                raise TokenRefused("does not take the token") from error
            if self._limit.ended(error):
                raise NoDescription(f"answered Describe with {_TOO_LONG}") from error
            raise NoDescription(_why_no_answer(error, timeout_ms)) from error
        return _description(answer)

    def open(self) -> None:
        """Begin the stream, and read it."""
        self._call = self._channel.stream_stream(_PLAY)(metadata=self._metadata)
        self._reader = asyncio.create_task(self._read(self._call))

    async def ask(self, question: Question | Batch, message: bytes, limit_ms: int) -> tuple[Reply, int]:
        """Send `message`. Returns the judged reply, and the microseconds of the bot's time from sending to receipt.

        Bytes that are no whole message do not extend the time.

        Raises:
            Busy: the machine kept the bot from running, or the referee, for much longer than the limit.
        """
        latched = self.talk.ask(question)
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
        assert self._call is not None  # noqa: S101 - open() comes first
        if self._has_begun:
            await _unless_gone(self._call.write(message))
        else:
            await _until_it_ends(self._call, self._call.write(message))
            self._has_begun = True

    async def tell(self, message: bytes) -> None:
        """Send a message that needs no answer. A bot that does not read it in time is lost.

        Raises:
            Busy: the machine kept the bot from running, or the referee, for much longer than that time.
        """
        self._watch.start(_PATIENCE_MS)
        await self.send(message)
        self._watch.stop()
        if self._busy is not None:
            raise self._busy

    async def hang_up(self) -> bool:
        """Close our side and wait for the bot to close its own; whether it did so in time, and without an error."""
        if self._call is None or self._reader is None:
            return False
        self._hung_up = True  # the end of the stream is no fault from now on
        patience = self._loop.call_later(_PATIENCE_MS / 1000, self._give_up)
        await _until_it_ends(self._call, self._call.done_writing())
        await asyncio.wait([self._reader])  # unlike plain await, it does not cancel the reader when we are cancelled
        patience.cancel()
        return self.talk.latched is None

    async def drop(self) -> None:
        """Cut the connection."""
        if self._call is not None:
            self._call.cancel()
        self._watch.cancel()
        if self._reader is not None:
            await asyncio.wait([self._reader])
        await self._channel.close()

    async def _read(self, call: _Call) -> None:
        while True:
            try:
                raw = await call.read()
            except asyncio.CancelledError:
                _raise_if_we_are_cancelled()
                return None
            except grpc.aio.AioRpcError as error:
                if not self._limit.ended(error):
                    return self._lose(f"died or hung up ({_status(error)})")
                # gRPC reads no further, so there is nothing to come back for.
                return self._hear(Garbage(f"sent {_TOO_LONG}"))
            if not isinstance(raw, bytes):  # grpc.aio.EOF: the stream ended with the status OK
                return None if self._hung_up else self._lose("ended its stream")
            self._hear(_message(raw))

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

    def _give_up(self) -> None:
        self._thought_us = self._watch.stop()
        self._settle(self.talk.lose("does not read what it is sent"))
        self._cut()

    def _settle(self, reply: Reply | None) -> None:
        if reply is not None and not self._answer.done():  # it is done where the match is void
            self._answer.set_result(reply)

    def _cut(self) -> None:
        if self._call is not None:
            self._call.cancel()
        self._on_fault()

    def _ran_out(self, busy: Busy | None) -> None:
        """Judge a bot whose time is over, unless that is the machine's doing."""
        if not self.talk.answering:
            self._busy = busy
            self._give_up()
        elif busy is None:
            self._thought_us = self._watch.stop()
            self._settle(self.talk.expire(self._limit_ms))
            self._cut()
        else:
            self._answer.set_exception(busy)
            self._cut()


def _message(raw: bytes) -> Message:
    unfit = _unfit(raw)
    return Garbage(f"sent {unfit}") if unfit else parse(raw)


def _description(raw: bytes) -> Description:
    unfit = _unfit(raw)
    try:
        if unfit is None:
            return bot_pb2.DescribeResponse.FromString(raw)
    except DecodeError:
        unfit = "bytes that are no DescribeResponse"
    raise NoDescription(f"answered Describe with {unfit}")


def _unfit(raw: bytes) -> str | None:
    """What is wrong with the bytes of a message, whatever they say; None if nothing is."""
    if len(raw) > MAX_BOT_MESSAGE_BYTES:
        return _TOO_LONG
    return "a compressed message" if raw.startswith(_GZIP) else None


def _channel(peer: Peer, limit: _Limit) -> grpc.aio.Channel:
    on_a_socket = (_ON_A_UNIX_SOCKET,) if peer.address.startswith("unix:") else ()
    longest = ("grpc.max_receive_message_length", limit.bytes)
    options = (*_OPTIONS, longest, *on_a_socket, *(_WHILE_IT_COMES_UP if peer.is_coming_up else ()))
    if peer.tls is None:
        return grpc.aio.insecure_channel(peer.address, options=options)
    return grpc.aio.secure_channel(peer.address, grpc.ssl_channel_credentials(peer.tls.certificates), options=options)


async def _until_it_ends(call: _Call, sending: Awaitable[None]) -> None:
    """Wait for a write, or until the call has ended.

    A bot may let no stream begin. Then gRPC does not send the first message, and waits for ever, even if the call is
    cut. Once a message was sent, it does not.
    """
    ended = asyncio.Event()
    call.add_done_callback(lambda _call: ended.set())
    parts = [asyncio.ensure_future(part) for part in (_unless_gone(sending), ended.wait())]
    try:
        await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for part in parts:
            part.cancel()


async def _unless_gone(sending: Awaitable[None]) -> None:
    """Wait for a write. If the stream is gone, the read outstanding tells; the write need not."""
    try:
        await sending
    except (grpc.aio.AioRpcError, grpc.aio.InternalError, asyncio.InvalidStateError):
        pass  # a call that ends meanwhile, that gRPC's core has given up, and that had ended before
    except asyncio.CancelledError:
        _raise_if_we_are_cancelled()


def _raise_if_we_are_cancelled() -> None:
    """grpc.aio raises CancelledError also when only the call was cancelled, which is no reason for a task to end."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise  # noqa: PLE0704 - called while the error is handled


def _why_no_answer(error: grpc.aio.AioRpcError, timeout_ms: int | None) -> str:
    if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED and timeout_ms is not None:
        return f"did not answer Describe within {timeout_ms} ms"
    details = error.details() or ""
    trouble = next((meaning for words, meaning in _TLS_TROUBLES.items() if words in details), None)
    return trouble or f"did not answer Describe ({_status(error)})"


def _status(error: grpc.aio.AioRpcError) -> str:
    detail = one_line(error.details() or "")  # in a bot's own words
    return error.code().name.lower() + (f": {detail}" if detail else "")
