"""A channel by grpc.aio: to a bot on another machine, or one on this machine that listens on a port."""

import asyncio
import os
import re
import secrets
from collections.abc import Awaitable

# People do not need gRPC's own log: every failure reaches them through a fault or a void. gRPC reads the variable
# when it is imported.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc
import grpc.aio

from referee.match.conversation import Garbage
from referee.runtime.bot_address import Peer
from referee.runtime.channels.channel import (
    COMPRESSED,
    DESCRIBE,
    PLAY,
    TOO_LONG,
    CallEnded,
    CallStatus,
    Channel,
    PlayListener,
    UnreadableAnswer,
)
from referee.wire.messages import MAX_BOT_MESSAGE_BYTES

_OPTIONS = (
    # A bot is called directly, whatever the environment's http_proxy says.
    ("grpc.enable_http_proxy", 0),
    # Else channels to one address share a connection, and its back-off: each seat of a remote bot has its own.
    ("grpc.use_local_subchannel_pool", 1),
    # gRPC hands over a compressed message as it is. We refuse it, and never unpack it.
    ("grpc.per_message_decompression", 0),
)
_WHILE_IT_COMES_UP = (
    # The defaults would cost about a second at every start of a bot.
    ("grpc.initial_reconnect_backoff_ms", 20),
    ("grpc.max_reconnect_backoff_ms", 200),
)

_SLACK_BYTES = 1 << 20
"""How far gRPC's own limit may lie above ours, see `_Limit`. It bounds the memory that one message can take."""

_GZIP = b"\x1f\x8b"
"""How gzip begins (RFC 1952), and no message: its first byte would be a tag of wire type 7, which does not exist."""

_Call = grpc.aio.StreamStreamCall[bytes, bytes]


class _Limit:
    """The size at which gRPC stops reading a message: above our own limit, and unknown to bots.

    We refuse a message longer than `MAX_BOT_MESSAGE_BYTES` when gRPC has read it. A message longer than this limit ends
    the call, with a code and a text that a bot may also end it with. But gRPC's text has the limit in it.
    """

    def __init__(self) -> None:
        self.bytes = MAX_BOT_MESSAGE_BYTES + 1 + secrets.randbelow(_SLACK_BYTES)
        # No other number may stand before it, so a bot has one guess.
        self._words = re.compile(rf"\D*\d+ vs\. {self.bytes}\)+")

    def ended(self, error: grpc.aio.AioRpcError) -> bool:
        """Whether gRPC ended the call here because a message was too long."""
        too_much = error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        return too_much and self._words.fullmatch(error.details() or "") is not None


class GrpcChannel(Channel):
    """A `Channel`."""

    def __init__(self, peer: Peer) -> None:
        """Nothing is called yet."""
        self._is_patient = peer.is_coming_up
        self._limit = _Limit()
        self._channel = _channel(peer, self._limit)
        self._metadata = None if peer.token is None else (("authorization", f"Bearer {peer.token}"),)
        self._call: _Call | None = None
        self._reader: asyncio.Task[None] | None = None
        self._has_begun = False

    async def describe(self, request: bytes, timeout_s: float | None) -> bytes:
        """Call `Describe`; see `Channel`."""
        ask: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(DESCRIBE)
        try:
            answer = await ask(request, metadata=self._metadata, wait_for_ready=self._is_patient, timeout=timeout_s)
        except grpc.aio.AioRpcError as error:
            if self._limit.ended(error):
                raise UnreadableAnswer(TOO_LONG) from error
            raise CallEnded(_status(error)) from error
        unfit = _unfit(answer)
        if unfit:
            raise UnreadableAnswer(unfit)
        return answer

    def open(self, listener: PlayListener) -> None:
        """Begin to call `Play`, with one read outstanding all the time."""
        self._call = self._channel.stream_stream(PLAY)(metadata=self._metadata)
        self._reader = asyncio.create_task(self._read(self._call, listener))

    async def send(self, message: bytes) -> None:
        """Send a message of `Play`; see `Channel`."""
        assert self._call is not None  # noqa: S101 - open() comes first
        if self._has_begun:
            await _unless_gone(self._call.write(message))
        else:
            await _until_it_ends(self._call, self._call.write(message))
            self._has_begun = True

    async def finish(self) -> None:
        """Say that nothing more will be sent; see `Channel`."""
        assert self._call is not None  # noqa: S101 - open() comes first
        await _until_it_ends(self._call, self._call.done_writing())

    def cancel(self) -> None:
        """End the call of `Play`, if there is one."""
        if self._call is not None:
            self._call.cancel()

    async def close(self) -> None:
        """End everything."""
        self.cancel()
        if self._reader is not None:
            await asyncio.wait([self._reader])
        await self._channel.close()

    async def _read(self, call: _Call, listener: PlayListener) -> None:
        ended: CallStatus | None = None
        try:
            while isinstance(raw := await call.read(), bytes):
                unfit = _unfit(raw)
                listener.on_message(Garbage(f"sent {unfit}") if unfit else raw)
            ended = CallStatus("ok")  # grpc.aio.EOF
        except asyncio.CancelledError:
            _raise_if_we_are_cancelled()
        except grpc.aio.AioRpcError as error:
            if self._limit.ended(error):
                listener.on_message(Garbage(f"sent {TOO_LONG}"))
            else:
                ended = _status(error)
        finally:
            listener.on_end(ended)


def _unfit(raw: bytes) -> str | None:
    """The error in the bytes of a message, apart from their content; None if there is none."""
    if len(raw) > MAX_BOT_MESSAGE_BYTES:
        return TOO_LONG
    return COMPRESSED if raw.startswith(_GZIP) else None


def _channel(peer: Peer, limit: _Limit) -> grpc.aio.Channel:
    longest = ("grpc.max_receive_message_length", limit.bytes)
    options = (*_OPTIONS, longest, *(_WHILE_IT_COMES_UP if peer.is_coming_up else ()))
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


def _status(error: grpc.aio.AioRpcError) -> CallStatus:
    return CallStatus(error.code().name.lower(), error.details() or "")
