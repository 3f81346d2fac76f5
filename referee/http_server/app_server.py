"""Serves an ASGI app over HTTP/1.1 and WebSockets."""

import asyncio
import gc
import signal
import socket
import ssl
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from types import FrameType

from starlette.types import ASGIApp

from referee.http_server.client_clock import ClientTimeouts
from referee.http_server.http_connection import HttpConnection
from referee.http_server.open_connections import Acceptor, OpenConnections
from referee.runtime.child_process import handle_signals

_LOOK_S = 0.1
"""The interval at which the server looks whether it should end, in seconds."""

_NEW_OBJECTS = 700
"""After so many the collector looks for garbage. Only the collector finds some requests that were answered. Each may
hold a body that it does not count, so rare looks fill the memory."""


class Server:
    """A server. `await serve()` ends after a signal, or when `should_exit` is set, by any thread.

    Attributes:
        started: whether it accepts connections, or did.
        should_exit: whether it should end.
        last_works: what is done before it ends, while it still serves. A second signal ends it.
    """

    def __init__(
        self,
        app: ASGIApp,
        listening: socket.socket,
        timeouts: ClientTimeouts = ClientTimeouts(),  # noqa: B008 - frozen
        context: ssl.SSLContext | None = None,
        is_proxy: Callable[[str], bool] = lambda _host: False,
    ) -> None:
        """`context` is for TLS. `is_proxy` knows the addresses of proxies, whose clients are of many networks."""
        gc.set_threshold(_NEW_OBJECTS)
        self.started = self.should_exit = False
        self._app, self._listening, self._timeouts = app, listening, timeouts
        self._context, self._is_proxy = context, is_proxy
        self._connections = OpenConnections[HttpConnection](timeouts.connections, timeouts.connections_each)
        self._signals: list[int] = []
        self.last_works: list[Callable[[], Awaitable[object]]] = []

    async def serve(self, lifespan: AbstractAsyncContextManager[object] = nullcontext()) -> None:  # noqa: B008 - empty
        """Serve until the server should exit. Then wait for answers that are not finished; a second signal ends them.

        Meanwhile the context `lifespan` is open. At last the first signal is raised again, for the handler before.
        """
        with handle_signals(self._exit):
            async with lifespan:
                await self.listen()
        for number in self._signals[:1]:
            signal.raise_signal(number)

    async def listen(self) -> None:
        """Serve as `serve` does, in a process whose signals somebody else handles."""
        make = partial(HttpConnection, self._app, self._timeouts, self._connections)
        handshake_s = self._timeouts.header_s
        acceptor = Acceptor(self._listening, make, self._connections, self._is_proxy, self._context, handshake_s)
        self.started = True
        try:
            while not self.should_exit:
                await asyncio.sleep(_LOOK_S)
            last_works = asyncio.gather(*(work() for work in self.last_works))
            while not last_works.done() and len(self._signals) < 2:
                await asyncio.sleep(_LOOK_S)
            last_works.cancel()
        finally:
            acceptor.close()
        await self._finish()

    def _exit(self, number: int, _frame: FrameType | None) -> None:
        self.should_exit = True
        self._signals.append(number)

    async def _finish(self) -> None:
        for each in self._connections:
            each.finish()
        until_s = asyncio.get_running_loop().time() + self._timeouts.end_s
        while any(True for _ in self._connections) and len(self._signals) < 2:
            if asyncio.get_running_loop().time() >= until_s:
                break
            await asyncio.sleep(_LOOK_S)
        for each in self._connections:
            each.end()
