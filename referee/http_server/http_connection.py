"""One connection of a client: HTTP/1.1 by h11 on one side, an ASGI app on the other. It can become a WebSocket.

A task serves one request after the other. A timer ends the connection if the client is too slow (`ClientClock`).
"""

import asyncio
import http.client
import logging
import math
from email.utils import formatdate
from typing import Any
from urllib.parse import unquote

import h11
from starlette.types import ASGIApp, Message, Scope

from referee.http_server.client_clock import ClientClock, ClientTimeouts
from referee.http_server.open_connections import Accepted, OpenConnections
from referee.http_server.websocket import WebSocket, accept_key

_log = logging.getLogger(__name__)

_LONGEST_HEADER = 32 << 10
"""Bytes of a request line and its headers."""

_UNREAD = 64 << 10
"""Bytes that may wait for the app before the connection is read no more."""

_UNREAD_TLS = 16 << 10
"""Bytes that TLS may buffer for an unread connection. The default is a quarter of a MiB for each."""

OUT_OF_ASGI = "referee.out_of_asgi"
"""An extension of ASGI: its function hands an accepted `WebSocket` over to the app, None if the client is gone.

The app then calls it directly, which costs less than messages of ASGI. It counts no more among those of visitors.
"""

_LINGER = 0.2
"""The share of `header_s` in which a client may still send, and read an answer that arrived before its body's end."""

_BOTH_DONE = {h11.CLIENT: h11.DONE, h11.SERVER: h11.DONE}
_GOING_AWAY, _INTERNAL_ERROR = 1001, 1011  # RFC 6455, 7.4.1


class HttpConnection(Accepted):
    """A connection."""

    def __init__(
        self, app: ASGIApp, timeouts: ClientTimeouts, open_connections: "OpenConnections[HttpConnection]"
    ) -> None:
        self._app, self._timeouts, self._open_connections = app, timeouts, open_connections
        self._loop = asyncio.get_running_loop()
        self._clock = ClientClock(timeouts, self._loop.time())
        self._http = h11.Connection(h11.SERVER, _LONGEST_HEADER)
        self._first: Any = None  # the event after the header, if it came with it
        self._websocket: WebSocket | None = None
        self._accept_key: bytes | None = None
        self._arrived, self._writable, self._gone = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._writable.set()
        self._unread_bytes = 0
        self._is_answering = self._is_reading = self._is_head = False
        self._is_last = self._is_ending = self._is_lost = self._is_over = False

    # What the transport calls

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as it is always
        """Begin to serve. The time of a handshake counts for the first header."""
        self.transport = transport
        self.is_made = True
        if transport.get_extra_info("sslcontext") is not None:
            transport.set_read_buffer_limits(_UNREAD_TLS)  # type: ignore[attr-defined] # those of TLS have it
        self._serving = self._loop.create_task(self._serve())
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take bytes of the client."""
        if self._websocket is not None:
            if not self._websocket.is_closing:
                self._clock.wait_anew(self._loop.time())
            self._websocket.receive_data(data, self._loop.time())
            return
        if self._is_answering and self._http.their_state is h11.SEND_BODY:
            self._clock.receive_body(len(data))
        self._http.receive_data(data)
        self._arrived.set()
        self._unread_bytes += len(data)
        if self._unread_bytes > _UNREAD:
            self.transport.pause_reading()

    def pause_writing(self) -> None:
        """Let the app wait until the client has taken some of its answer."""
        self._writable.clear()
        if self._websocket is not None:
            self._websocket.note_writable(can_write=False)

    def resume_writing(self) -> None:
        """Let the app go on."""
        self._clock.send_anew()
        self._writable.set()
        if self._websocket is not None:
            self._websocket.note_writable(can_write=True)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - of asyncio
        """Tell the app. Its work goes on after the client is gone, so the connection keeps its place until then."""
        self._is_lost = True
        self._looking.cancel()
        for event in (self._arrived, self._writable, self._gone):
            event.set()
        if self._websocket is not None:
            self._websocket.lose()
        self._leave()

    # One request after the other

    async def _serve(self) -> None:
        try:
            while isinstance(request := await self._next_event(), h11.Request):
                if self._is_ending or self._is_lost:
                    break
                await self._answer(request)
                if self._http.states != _BOTH_DONE or self._is_last or self._is_lost:
                    break
                self._gone.clear()
                self._http.start_next_cycle()
        except h11.RemoteProtocolError:
            self._refuse()
        finally:
            self._is_over, self._is_answering = True, False
            if not self._is_lost:
                self._clock.wait_anew(self._loop.time())
                self.transport.close()
            self._leave()

    def _leave(self) -> None:
        if self._is_lost and self._is_over:
            self._open_connections.remove(self)
            # These refer to each other. With TLS they hold a quarter of a MiB, which the collector does not count.
            del self.transport
            self._websocket = None

    async def _next_event(self) -> Any:
        """The next event of the client; `h11.NEED_DATA` if the client is gone.

        Raises:
            h11.RemoteProtocolError: what came is no HTTP.
        """
        if self._first is not None:
            event, self._first = self._first, None
            return event
        while (event := self._http.next_event()) is h11.NEED_DATA and not self._is_lost:
            if self._http.they_are_waiting_for_100_continue:
                self._write(h11.InformationalResponse(status_code=100, headers=[]))
            self._arrived.clear()
            if self._unread_bytes > _UNREAD and not self.transport.is_closing():
                self.transport.resume_reading()
            self._unread_bytes = 0
            await self._arrived.wait()
        return event

    async def _answer(self, request: h11.Request) -> None:
        event = self._http.next_event()
        self._first = None if event is h11.NEED_DATA else event
        self._is_answering, self._is_head = True, request.method == b"HEAD"
        scope = self._scope(request)
        receive = self._receive if self._accept_key is None else self._receive_message
        code = _INTERNAL_ERROR
        try:
            await self._app(scope, receive, self._send)
            code = 1000
        except Exception:
            _log.exception("a request failed")
        await self._complete(code)
        self._is_answering, self._first = False, None
        self._clock.wait_anew(self._loop.time())
        if self._http.their_state is h11.SEND_BODY:
            self._clock.wait_anew(self._loop.time(), self._timeouts.header_s * (1 - _LINGER))
            while isinstance(await self._next_event(), h11.Data):
                pass

    async def _complete(self, code: int) -> None:
        """End an answer that the app has not ended."""
        if self._websocket is not None:
            self._websocket.close(code)
            await self._websocket.is_over.wait()
        elif self._gone.is_set() or self._is_ending:
            pass
        elif self._http.our_state is h11.SEND_RESPONSE:
            self._write_empty(500)
            self._is_last = True
        else:
            self.end()

    def _scope(self, request: h11.Request) -> Scope:
        path, _, query = request.target.partition(b"?")
        headers = list(request.headers)
        is_alone = isinstance(self._first, h11.EndOfMessage) and request.method == b"GET"
        self._accept_key = accept_key(dict(headers)) if is_alone else None
        tls = self.transport.get_extra_info("sslcontext") is not None
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": request.http_version.decode(),
            "scheme": "https" if tls else "http",
            "method": request.method.decode(),
            "path": unquote(path.decode("ascii")),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": headers,
            "client": _address(self.transport.get_extra_info("peername")),
            "server": _address(self.transport.get_extra_info("sockname")),
        }
        if self._accept_key is not None:
            extensions: Scope = {"websocket.http.response": {}, OUT_OF_ASGI: self._hand_over}
            scope.update(type="websocket", scheme="wss" if tls else "ws", subprotocols=[], extensions=extensions)
        return scope

    # What the app calls

    async def _receive(self) -> Message:
        if not self._gone.is_set() and (self._first is not None or self._http.their_state is h11.SEND_BODY):
            self._is_reading = True
            try:
                event = await self._next_event()
            except h11.RemoteProtocolError:
                self._refuse()
                event = None
            finally:
                self._is_reading = False
            if isinstance(event, h11.Data):
                return {"type": "http.request", "body": bytes(event.data), "more_body": True}
            if isinstance(event, h11.EndOfMessage):
                return {"type": "http.request", "body": b"", "more_body": False}
        else:
            await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _receive_message(self) -> Message:
        if self._first is not None:
            self._first = None
            return {"type": "websocket.connect"}
        if self._websocket is None:
            await self._gone.wait()
            return {"type": "websocket.disconnect", "code": 1006}
        return await self._websocket.receive()

    async def _send(self, message: Message) -> None:
        if self._gone.is_set() or self._is_ending:
            return
        kind = message["type"].removeprefix("websocket.")
        if kind == "http.response.start":
            status = message["status"]
            headers = [(b"date", formatdate(usegmt=True).encode()), *message.get("headers", ())]
            reason = http.client.responses.get(status, "").encode()
            self._write(h11.Response(status_code=status, headers=headers, reason=reason))
        elif kind == "http.response.body":
            if (body := message.get("body")) and not self._is_head:
                self._write(h11.Data(data=body))
            if not message.get("more_body"):
                self._write(h11.EndOfMessage())
                self._gone.set()
        elif self._websocket is not None:
            self._websocket.send(message)
        elif kind == "accept":
            self._upgrade(message)
        else:  # it is closed before it is accepted
            self._write_empty(403)
            self._gone.set()
        await self._writable.wait()

    def _hand_over(self) -> WebSocket | None:
        if self._websocket is not None:
            self._open_connections.set_apart(self)
        return self._websocket

    def _upgrade(self, message: Message) -> None:
        """Hand the connection over to a WebSocket."""
        key = self._accept_key or b""
        headers = [(b"upgrade", b"websocket"), (b"connection", b"Upgrade"), (b"sec-websocket-accept", key)]
        headers += message.get("headers") or ()
        self._write(h11.InformationalResponse(status_code=101, headers=headers, reason=b"Switching Protocols"))
        now_s = self._loop.time()
        self._websocket = WebSocket(self.transport, self._timeouts, self._http.trailing_data[0], now_s)
        self._clock.wait_anew(now_s)
        self._websocket.read()
        if self._is_last:
            self._websocket.close(_GOING_AWAY)

    # What is written

    def _write(self, event: Any) -> None:
        data = self._http.send(event)
        if data and not self.transport.is_closing():
            self.transport.write(data)

    def _write_empty(self, status: int) -> None:
        headers = [("content-length", "0"), ("connection", "close")]
        reason = http.client.responses[status].encode()
        self._write(h11.Response(status_code=status, headers=headers, reason=reason))
        self._write(h11.EndOfMessage())

    def _refuse(self) -> None:
        """Refuse what is no HTTP. An answer that has begun cannot be ended well."""
        if self._http.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            self._write_empty(400)
            self._gone.set()
            self.transport.close()
        elif self._http.our_state is h11.SEND_BODY:
            self.end()

    # How long the client takes

    @property
    def late_s(self) -> float:
        """How long the server has waited in vain for the client, in seconds.

        Negative: the client owes nothing, or the connection is being ended.
        """
        if self._is_ending or self._is_working:
            return -math.inf
        return self._clock.late_s(self._loop.time(), owes=self._client_owes)

    @property
    def _is_working(self) -> bool:
        """Whether the app works on a request, and waits neither for its body nor for the client to take its answer."""
        return self._is_answering and not self._is_reading and self._http.our_state is h11.SEND_RESPONSE

    @property
    def _client_owes(self) -> bool:
        if self._is_working:
            return False
        if self._websocket is not None and not self._is_over:
            return self._websocket.client_owes
        return self._is_over or self._http.their_state in {h11.IDLE, h11.SEND_BODY}

    def _look(self) -> None:
        now_s = self._loop.time()
        self._clock.look(now_s, self.transport.get_write_buffer_size(), owes=self._client_owes)
        if self._websocket is not None and self._websocket.look(now_s):
            self._clock.wait_anew(now_s)
        if self.late_s > self._timeouts.header_s:
            self.transport.abort()
        else:
            # Hundreds of WebSockets may wait for hours, and then nobody is late.
            is_idle = self._websocket is not None and not (self._client_owes or self.transport.get_write_buffer_size())
            wait_s = self._timeouts.ping_s / 4 if is_idle else self._timeouts.look_s
            self._looking = self._loop.call_later(wait_s, self._look)

    def end(self) -> None:
        """End the connection at once."""
        self._is_ending = True
        super().end()

    def finish(self) -> None:
        """End the connection after the answer that has begun. Say goodbye to a WebSocket."""
        self._is_last = True
        if self._websocket is not None:
            self._websocket.close(_GOING_AWAY)
        elif not self._is_answering and self.is_made:
            self.transport.close()


def _address(name: Any) -> tuple[str, int] | None:
    """The host and the port of a socket's name; None if the client was gone before."""
    return (name[0], name[1]) if isinstance(name, tuple) else None
