"""A WebSocket (RFC 6455): frames on the side of the client, messages on the side of the app.

The frames that came become messages one by one. The connection is not read while many messages wait for the app, or
while the client does not take what was written. So a flood fills no memory.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from starlette.types import Message
from wsproto.connection import Connection, ConnectionState, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Event, Ping, TextMessage
from wsproto.frame_protocol import CloseReason
from wsproto.utilities import generate_accept_token

from referee.http_server.client_clock import ClientTimeouts

_MOST_WAITING, _MOST_WAITING_BYTES = 64, 64 << 10
"""How many messages may wait for the app, and how long they may be together."""

_PART_BYTES = 64
"""What each part of a message counts beside its own bytes."""


def accept_key(headers: dict[bytes, bytes]) -> bytes | None:
    """What confirms the upgrade that a request asks for (RFC 6455, 4.2.2); None if it does not ask for a WebSocket."""
    asks = (
        headers.get(b"upgrade", b"").lower() == b"websocket" and b"upgrade" in headers.get(b"connection", b"").lower()
    )
    key = headers.get(b"sec-websocket-key")
    if key is None or not asks or headers.get(b"sec-websocket-version") != b"13":
        return None
    return generate_accept_token(key)


class WebSocket:
    """A WebSocket whose upgrade was accepted.

    Attributes:
        is_over: set when nothing more comes: both ends have said goodbye, or the connection is lost.
    """

    def __init__(self, transport: asyncio.Transport, timeouts: ClientTimeouts, first: bytes, now_s: float) -> None:
        """`first` are the bytes that came after the request."""
        self.is_over = asyncio.Event()
        self._transport = transport
        self._timeouts = timeouts
        self._frames = Connection(ConnectionType.SERVER, trailing_data=first)
        self._messages = deque[Message]()
        self._came = asyncio.Event()
        self._answered = asyncio.Event()
        self._waiting_bytes = self._part_bytes = 0
        self._parts: list[str | bytes] = []
        self._came_s = now_s
        self._is_pinged = False
        self._is_paused = self._can_write = self._can_hear = True
        self._hear: Callable[[bytes], None] | None = None

    @property
    def is_closing(self) -> bool:
        """Whether we have said goodbye, and the client has not."""
        return self._frames.state is ConnectionState.LOCAL_CLOSING

    @property
    def client_owes(self) -> bool:
        """Whether the client must answer a ping or a goodbye, and is read."""
        return not self._is_paused and (self._is_pinged or self.is_closing)

    # On the side of the client

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Take bytes of the client. They show that it is there."""
        self._came_s, self._is_pinged = now_s, False
        self._answered.set()
        if not self.is_over.is_set():
            self._frames.receive_data(data)
            self.read()

    def read(self) -> None:
        """Read the frames that came, as far as there is room for their messages and for answers."""
        was_paused, self._is_paused = self._is_paused, not (self._can_write and self._can_hear)
        for event in () if self._is_paused else self._frames.events():
            self._take(event)
            if self.is_over.is_set():
                return
            has_room = len(self._messages) < _MOST_WAITING and self._waiting_bytes <= _MOST_WAITING_BYTES
            self._is_paused = not (has_room and self._can_write and self._can_hear)
            if self._is_paused:
                break
        if self._is_paused:
            self._transport.pause_reading()
        elif was_paused:
            self._transport.resume_reading()

    def note_writable(self, *, can_write: bool) -> None:
        """Note whether the client takes what is written."""
        self._can_write = can_write
        if can_write and not self.is_over.is_set():
            self.read()

    def look(self, now_s: float) -> bool:
        """Ping the client if it has said nothing for long. Returns whether it must answer from now on."""
        if self._is_pinged or self._is_paused or now_s - self._came_s < self._timeouts.ping_s:
            return False
        self._send(Ping())
        self._is_pinged = True
        return True

    async def ping(self) -> bool:
        """Ping the client, and wait until bytes of it come; whether they did before the connection was lost."""
        self._answered.clear()
        self._send(Ping())
        await self._answered.wait()
        return not self.is_over.is_set()

    def lose(self) -> None:
        """The connection is lost."""
        self._answered.set()
        self._frames.receive_data(None)
        self._end(CloseReason.ABNORMAL_CLOSURE)

    def _take(self, event: Event) -> None:
        is_open = self._frames.state is ConnectionState.OPEN
        if isinstance(event, CloseConnection):
            self._send(event.response())
            self._end(event.code)
            self._transport.close()
        elif isinstance(event, Ping) and is_open:
            self._send(event.response())
        elif isinstance(event, TextMessage | BytesMessage) and is_open:
            self._parts.append(event.data if isinstance(event, TextMessage) else bytes(event.data))
            self._part_bytes += len(event.data) + _PART_BYTES
            if self._part_bytes > self._timeouts.message_bytes + _PART_BYTES:
                self.close(CloseReason.MESSAGE_TOO_BIG, "the message is too long")
                self._tell_end(CloseReason.MESSAGE_TOO_BIG)
            elif event.message_finished:
                message = {"type": "websocket.receive", **self._whole()}
                if self._hear is None:
                    self._waiting_bytes += _size(message)
                    self._put(message)
                else:
                    self._hear(_content(message))

    def _whole(self) -> Message:
        parts, self._parts, self._part_bytes = self._parts, [], 0
        if isinstance(parts[0], str):
            return {"text": "".join(map(str, parts))}
        return {"bytes": b"".join(each for each in parts if isinstance(each, bytes))}

    def _end(self, code: int) -> None:
        self._tell_end(code)
        self.is_over.set()

    def _tell_end(self, code: int) -> None:
        self._put({"type": "websocket.disconnect", "code": int(code), "reason": ""})

    def _put(self, message: Message) -> None:
        self._messages.append(message)
        self._came.set()

    # On the side of the app

    def listen(self, hear: Callable[[bytes], None]) -> None:
        """Let `hear` have each message at once, without a task that waits for it, text as UTF-8."""
        self._hear = hear
        while self._messages and self._messages[0]["type"] == "websocket.receive":
            hear(_content(self._messages.popleft()))
        self._waiting_bytes = 0
        if self._is_paused and not self.is_over.is_set():
            self.read()

    def note_hearing(self, *, can_hear: bool) -> None:
        """Note whether the app can take messages. While it cannot, the connection is not read."""
        has_changed, self._can_hear = can_hear != self._can_hear, can_hear
        if has_changed and not self.is_over.is_set():
            self.read()

    async def receive(self) -> Message:
        """The next message for the app. The last one, `websocket.disconnect`, comes again and again."""
        while not self._messages:
            self._came.clear()
            await self._came.wait()
        message = self._messages[0]
        if message["type"] == "websocket.receive":
            self._messages.popleft()
            self._waiting_bytes -= _size(message)
            if self._is_paused and self._can_write and not self.is_over.is_set():
                self.read()
        return message

    def send(self, message: Message) -> None:
        """Send a message of the app, or close the WebSocket as it says. Afterwards nothing is sent any more."""
        if message["type"] == "websocket.close":
            self.close(message.get("code", CloseReason.NORMAL_CLOSURE), message.get("reason") or "")
        elif message.get("text") is not None:
            self.send_text(message["text"])
        else:
            self._send(BytesMessage(data=message["bytes"]))

    def send_text(self, text: str) -> None:
        """Send a message of text. If nobody takes it, it waits: `note_writable`."""
        self._send(TextMessage(data=text))

    def close(self, code: int, reason: str = "") -> None:
        """Say goodbye, if nobody has done so. The client must answer."""
        self._send(CloseConnection(code=code, reason=reason))

    def _send(self, event: Event) -> None:
        states = {ConnectionState.OPEN}
        if isinstance(event, CloseConnection):
            states.add(ConnectionState.REMOTE_CLOSING)
        if self._frames.state in states and not self._transport.is_closing():
            self._transport.write(self._frames.send(event))


def _content(message: Message) -> bytes:
    content: bytes = message["text"].encode() if "text" in message else message["bytes"]
    return content


def _size(message: Message) -> int:
    return len(message.get("text") or message.get("bytes") or "")
