"""Serves an app over HTTP/1.1. Only this module and `slow_clients` use uvicorn."""

import asyncio
import gc
import logging
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from referee.http_server.slow_clients import Accepted, Acceptor, ClientTimeouts, OpenConnections, TimeoutProtocol
from referee.runtime.child_process import handle_signals

_LONGEST_HEADER = 32 << 10
"""Bytes of a request line and its headers."""

_LAST_WORDS_S = 5
"""How long unfinished answers may take when the server ends, in seconds."""

_NEW_OBJECTS = 700
"""After so many the collector looks for garbage. Only the collector finds some requests that were answered. Each may
hold a body that it does not count, so rare looks fill the memory."""


class Server(uvicorn.Server):
    """Accepts its connections itself, since the library counts none and lets a TLS handshake take a minute."""

    def __init__(
        self,
        app: Any,
        listening: socket.socket,
        patience: ClientTimeouts = ClientTimeouts(),  # noqa: B008 - frozen
        context: ssl.SSLContext | None = None,
        proxies: str = "",
    ) -> None:
        """`await serve()` serves the ASGI app until a signal comes, or `should_exit` is set.

        `context` is for TLS. The header `X-Forwarded-For` counts from `proxies`, addresses with commas between them.
        """
        gc.set_threshold(_NEW_OBJECTS)
        logging.getLogger("uvicorn").setLevel(logging.ERROR)  # do not log errors of clients

        class Connection(TimeoutProtocol):
            open_connections = OpenConnections[Accepted](patience.connections, patience.connections_each)

        Connection.timeouts = patience
        config = uvicorn.Config(
            app,
            http=Connection,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=proxies,
            h11_max_incomplete_event_size=_LONGEST_HEADER,
            timeout_keep_alive=int(patience.header_s) or 1,
            timeout_graceful_shutdown=_LAST_WORDS_S,
            backlog=1024,
        )
        config.load()
        config.ssl = context
        super().__init__(config)
        self._acceptor: Acceptor | None = None

        def make() -> Connection:
            return Connection(config, self.server_state, {}, asyncio.get_running_loop())

        self._accept = partial(
            Acceptor, listening, make, Connection.open_connections, self._is_proxy, context, patience.header_s
        )

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End the server at SIGHUP, too. Afterwards the library raises the signal that came, for the handler before."""
        with super().capture_signals(), handle_signals(self.handle_exit):
            yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections."""
        await super().startup(sockets=sockets or [])
        self._acceptor = self._accept()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more, and end."""
        if self._acceptor is not None:
            self._acceptor.close()
        await super().shutdown(sockets)

    def _is_proxy(self, host: str) -> bool:
        app = self.config.loaded_app
        return isinstance(app, ProxyHeadersMiddleware) and host in app.trusted_hosts
