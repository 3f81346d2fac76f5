"""The server: sockets, TLS, and the loop. Only this module and `slow_clients` use uvicorn."""

import asyncio
import logging
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import uvicorn
from starlette.types import ASGIApp
from uvicorn import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from referee.core.errors import OurFailure, WrongUse
from referee.files.safe_read import open_ordinary
from referee.runtime.signals import handle_signals
from tournaments.web.service.acceptor import Acceptor
from tournaments.web.service.open_connections import OpenConnections
from tournaments.web.service.proxied_requests import ProxiedRequests
from tournaments.web.service.slow_clients import ClientTimeouts, TimeoutProtocol

_LONGEST_HEADER = 32 << 10
"""Bytes of a request line and its headers."""

_RECEIVED = 32 << 10
"""Bytes that the system buffers for each connection. The buffers of hundreds of connections must fit the memory."""

_LAST_WORDS_S = 5
"""How long unfinished answers may take when the server ends, in seconds."""

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class MissingTls(WrongUse):
    """Tokens would be sent in the clear."""


class BadCertificate(WrongUse):
    """The certificate or its key cannot be used."""


class CannotListen(OurFailure):
    """The server cannot listen there."""


class Certificate(msgspec.Struct, frozen=True):
    """The certificate and the key for TLS.

    Attributes:
        chain: a file with the certificate, and those that signed it, in PEM.
        key: a file with its key in PEM; None: it is in the same file.
    """

    chain: Path
    key: Path | None = None


class ServerAddress(msgspec.Struct, frozen=True):
    """The address at which the server listens, and its options.

    Attributes:
        host: an address of this machine, or its name.
        port: 0: any that is free.
        certificate: for TLS; None: plain HTTP.
        in_the_clear: whether to allow plain HTTP with other machines.
        proxies: addresses of proxies whose `X-Forwarded-For` counts, with commas between them; empty: none.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    certificate: Certificate | None = None
    in_the_clear: bool = False
    proxies: str = ""


def opened(place: ServerAddress) -> socket.socket:
    """A socket that listens.

    Raises:
        MissingTls: other machines could connect, and there is no TLS.
        CannotListen: the system does not let us.
    """
    if place.certificate is None and not place.in_the_clear and place.host not in _LOOPBACK:
        raise MissingTls(
            f"{place.host}: tokens would be sent in the clear; give a certificate (--certificate), listen on 127.0.0.1"
            " behind a proxy that speaks TLS, or say that you want this (--plain-http)"
        )
    try:
        family, *_, address = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server(address, family=family, backlog=1024)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVED)  # also of all connections to it
        return listening
    except OSError as error:
        raise CannotListen(f"{place.host}:{place.port}: the server cannot listen there: {error.strerror}") from error


def url_of(listening: socket.socket, place: ServerAddress) -> str:
    """The URL of the listening server for clients on this machine."""
    port = listening.getsockname()[1]
    host = f"[{place.host}]" if ":" in place.host else place.host
    return f"{'http' if place.certificate is None else 'https'}://{host}:{port}"


def server(
    app: ASGIApp,
    listening: socket.socket,
    place: ServerAddress,
    patience: ClientTimeouts = ClientTimeouts(),  # noqa: B008 - frozen
) -> uvicorn.Server:
    """The server of an app. `await serve()` ends after a signal, or when `should_exit` is set.

    Raises:
        BadCertificate: the certificate or its key cannot be used.
    """
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # do not log errors of clients

    class Connection(TimeoutProtocol):
        open_connections = OpenConnections[TimeoutProtocol](patience.connections, patience.connections_each)

    Connection.patience = patience
    config = Config(
        ProxiedRequests(app, patience.connections_each) if place.proxies else app,
        http=Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(place.proxies),
        forwarded_allow_ips=place.proxies,
        h11_max_incomplete_event_size=_LONGEST_HEADER,
        timeout_keep_alive=int(patience.header_s) or 1,
        timeout_graceful_shutdown=_LAST_WORDS_S,
        backlog=1024,
    )
    config.load()
    config.ssl = None if place.certificate is None else tls(place.certificate)
    return _Server(config, listening, Connection)


def tls(certificate: Certificate) -> ssl.SSLContext:
    """TLS 1.2 or newer with a certificate.

    Raises:
        BadCertificate: it cannot be used.
    """
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.set_alpn_protocols(["http/1.1"])
    try:
        for file in filter(None, (certificate.chain, certificate.key)):
            open_ordinary(file).close()
        context.load_cert_chain(certificate.chain, certificate.key)
    except OSError as error:  # also ssl.SSLError
        raise BadCertificate(
            f"{certificate.chain}: cannot be used for TLS: {error.strerror or error}; give a certificate and its key"
            " as PEM (--certificate, --key)"
        ) from error
    return context


class _Server(uvicorn.Server):
    """Accepts its connections itself, since the library counts none and lets a TLS handshake take a minute."""

    def __init__(self, config: Config, listening: socket.socket, protocol: type[TimeoutProtocol]) -> None:
        super().__init__(config)
        self._listening = listening
        self._protocol = protocol
        self._acceptor: Acceptor | None = None

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End the server at SIGHUP, too. Afterwards the library raises the signal that came, for the handler before."""
        with super().capture_signals(), handle_signals(self.handle_exit):
            yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets or [])
        self._acceptor = Acceptor(
            self._listening, self._connection, self._protocol.open_connections, self._is_proxy, self.config.ssl
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._acceptor is not None:
            self._acceptor.close()
        await super().shutdown(sockets)

    def _connection(self) -> TimeoutProtocol:
        return self._protocol(self.config, self.server_state, {}, asyncio.get_running_loop())

    def _is_proxy(self, host: str) -> bool:
        app = self.config.loaded_app
        return isinstance(app, ProxyHeadersMiddleware) and host in app.trusted_hosts
