"""The server: its address, its socket, its certificate, and the limits of requests behind a proxy.

The connections of a proxy serve many networks. So the requests of each network that go on at once are limited.
"""

import contextlib
import ipaddress
import socket
import ssl
from pathlib import Path

import msgspec
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from referee.core.errors import OurFailure, WrongUse
from referee.files.safe_read import open_ordinary
from referee.http_server.app_server import Server
from referee.http_server.client_clock import ClientTimeouts
from tournaments.web.service.authentication import visitor
from tournaments.web.service.places import Places
from tournaments.web.service.replies import Problem


class Proxies:
    """The proxies whose clients are of many networks."""

    def __init__(self, addresses: str) -> None:
        """`addresses` has addresses and networks with commas between them; `*` stands for all, and empty for none."""
        self._are_all = addresses.strip() == "*"
        self._networks = []
        for each in addresses.split(","):
            with contextlib.suppress(ValueError):  # no address of a connection is equal to it
                self._networks.append(ipaddress.ip_network(each.strip()))

    def __contains__(self, host: object) -> bool:
        """Whether the address of a connection is that of a proxy."""
        try:
            address = ipaddress.ip_address(str(host))
        except ValueError:
            return self._are_all
        return self._are_all or any(address in network for network in self._networks)

    def client(self, forwarded: str) -> str:
        """The address of the client that a header `X-Forwarded-For` names. Each proxy appends the one it talks to."""
        hosts = [_without_port(each.strip()) for each in forwarded.split(",")]
        return next((host for host in reversed(hosts) if host not in self), hosts[0])


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host


class ProxiedRequests:
    """An app whose requests come from proxies. Those of each network that go on at once are limited."""

    def __init__(self, app: ASGIApp, proxies: Proxies, most_each: int) -> None:
        """Pass the requests to `app`, at most `most_each` of a network at once. The proxy names the network."""
        self._app = app
        self._proxies = proxies
        own_taken = "too many requests at once; wait until some have ended"
        self._places = Places(None, most_each, "", own_taken, retry_after_s=10)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["client"] and scope["client"][0] in self._proxies:
            scope = {**scope, **self._forwarded(scope)}
        if scope["type"] == "websocket":  # it stays for long, and the app counts those that it accepts
            await self._app(scope, receive, send)
            return
        try:
            with self._places.one(visitor(scope["client"]).network):
                await self._app(scope, receive, send)
        except Problem as refusal:
            await refusal.answer(scope, receive, send)

    def _forwarded(self, scope: Scope) -> Scope:
        """What the proxy says about the client."""
        headers = Headers(scope=scope)
        found: Scope = {}
        if (scheme := headers.get("x-forwarded-proto", "").strip()) in {"http", "https"}:
            found["scheme"] = scheme.replace("http", "ws") if scope["type"] == "websocket" else scheme
        if host := self._proxies.client(", ".join(headers.getlist("x-forwarded-for"))):
            found["client"] = (host, 0)
        return found


_RECEIVED = 32 << 10
"""Bytes that the system buffers for each connection. The buffers of hundreds of connections must fit the memory."""

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
) -> Server:
    """The server of an app. `await serve()` ends after a signal, or when `should_exit` is set.

    Raises:
        BadCertificate: the certificate or its key cannot be used.
    """
    context = None if place.certificate is None else tls(place.certificate)
    if not place.proxies:
        return Server(app, listening, patience, context)
    proxies = Proxies(place.proxies)
    return Server(
        ProxiedRequests(app, proxies, patience.connections_each), listening, patience, context, proxies.__contains__
    )


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
