"""Requests to a service, and its answers. We do not trust answers: we bound their size and check their type."""

import contextlib
import http.client
import io
import re
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO, TypeVar
from urllib.parse import urlencode

import msgspec

from referee.core.errors import OurFailure, WrongUse
from referee.core.text import one_line
from referee.files.secret_files import read_certificates
from tournaments.web.client.address import Address

_PATIENCE_S = 60.0
"""How long the service may be silent. It sends a comment every ten seconds if nothing happens."""

_PATIENCE_AFTER_SENDING_S = 600.0
"""The same after an upload: the service first unpacks the earlier uploads of others."""

_TRIES = 12
"""How often a request is sent that the service cannot answer now."""

_SOON = re.compile("[12]?[0-9]")
"""After so many seconds the client asks again. If the service says later, its user decides."""

_LONGEST_ANSWER = 64 << 20
_LONGEST_PROBLEM = 64 << 10
_PROBLEM = "application/problem+json"

Answer = TypeVar("Answer")
Wait = Callable[[float], None]
"""Waits for so many seconds."""


class RequestRefused(WrongUse):
    """The service refuses the request; the text has its sentences."""


class ServiceUnreachable(OurFailure):
    """The client cannot reach the service, or the service cannot do this now."""


class _Problem(msgspec.Struct):
    detail: str


class LeagueClient:
    """Calls a service as an author or a visitor. Each request has a connection of its own."""

    def __init__(
        self, address: Address, token: str | None = None, ca: Path | None = None, wait: Wait = time.sleep
    ) -> None:
        """Prepare to call a service.

        Args:
            address: the address of its league.
            token: the token of the author; None: call as a visitor.
            ca: a file with the authorities trusted to sign its certificate, in PEM; None: those this machine trusts.
            wait: waits before a request is sent again.

        Raises:
            FileProblems: the file cannot be used.
        """
        self.address = address
        self._token = token
        self._wait = wait
        authorities = None if ca is None else read_certificates(ca).decode()
        self._context = ssl.create_default_context(cadata=authorities) if address.secure else None

    def get(self, answer: type[Answer], *words: str, **parameters: object) -> Answer:
        """The answer of the service.

        `words` are the parts of the path below the league's, `parameters` those of the query. None is left out.

        Raises:
            RequestRefused, ServiceUnreachable: it does not answer.
        """
        return self._read(answer, self.file(*words, **parameters))

    def file(self, *words: str, **parameters: object) -> bytes:
        """The answer as bytes.

        Raises:
            RequestRefused, ServiceUnreachable: as `get`.
        """
        with self._request("GET", self._path(*words, **parameters), None, {}) as response:
            return self._whole(response)

    def ask(self, answer: type[Answer], *words: str, **parameters: object) -> Answer:
        """Ask the service for something that it stores. Returns its answer. The request is sent once.

        Raises:
            RequestRefused, ServiceUnreachable: it does not answer.
        """
        headers = {"Content-Type": "application/octet-stream", "Content-Length": "0"}
        with self._request("POST", self._path(*words, **parameters), io.BytesIO(), headers, tries=1) as response:
            return self._read(answer, self._whole(response))

    def send(self, answer: type[Answer], body: BinaryIO, media: str, *words: str, **parameters: object) -> Answer:
        """Send a file, from its beginning. To send it twice must do no harm.

        Raises:
            RequestRefused, ServiceUnreachable: the service did not take it.
        """
        headers = {"Content-Type": media, "Content-Length": str(body.seek(0, 2))}
        with self._request("POST", self._path(*words, **parameters), body, headers) as response:
            return self._read(answer, self._whole(response))

    def events(self, event: type[Answer], *words: str) -> Iterator[Answer]:
        """The data of server-sent events, one line each, until the service ends the stream. Signs of life are left out.

        Raises:
            RequestRefused, ServiceUnreachable: as `get`, also in the middle.
        """
        with self._request("GET", self._path(*words), None, {"Accept": "text/event-stream"}) as response:
            name = b""
            while line := response.readline(_LONGEST_ANSWER):
                if line.startswith(b"event: "):
                    name = line.removeprefix(b"event: ").strip()
                elif line.startswith(b"data: ") and name != b"beat":
                    yield self._read(event, line.removeprefix(b"data: "))

    def _whole(self, response: http.client.HTTPResponse) -> bytes:
        body = response.read(_LONGEST_ANSWER + 1)
        if len(body) > _LONGEST_ANSWER:
            raise self._strange()
        return body

    def _read(self, answer: type[Answer], body: bytes) -> Answer:
        try:
            return msgspec.json.decode(body, type=answer)
        except (ValueError, RecursionError) as error:
            raise self._strange() from error

    def _path(self, *words: str, **parameters: object) -> str:
        given = {name: value for name, value in parameters.items() if value is not None}
        return self.address.of(*words) + (f"?{urlencode(given, doseq=True)}" if given else "")

    @contextmanager
    def _request(
        self, method: str, path: str, body: BinaryIO | None, headers: Mapping[str, str], tries: int = _TRIES
    ) -> Iterator[http.client.HTTPResponse]:
        connection = self._connection(_PATIENCE_S if body is None else _PATIENCE_AFTER_SENDING_S)
        authorization = {} if self._token is None else {"Authorization": f"Bearer {self._token}"}
        try:
            for left in reversed(range(tries)):
                if body is not None:
                    body.seek(0)
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it may have answered before the end
                    connection.request(method, path, body, {**headers, **authorization})
                response = connection.getresponse()
                later = response.headers.get("Retry-After", "")
                if response.status != HTTPStatus.SERVICE_UNAVAILABLE or not (left and _SOON.fullmatch(later)):
                    break
                connection.close()
                self._wait(int(later))
            if response.status >= HTTPStatus.BAD_REQUEST:
                raise self._refusal(response)
            if response.status >= HTTPStatus.MULTIPLE_CHOICES:
                raise self._strange()
            yield response
        except ssl.SSLCertVerificationError as error:
            raise RequestRefused(
                f"{self.address.text}: its certificate is not trusted: {error.verify_message}; if the organizer gave"
                " you a file of certificates, name it (--ca)"
            ) from error
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise ServiceUnreachable(
                f"{self.address.text} cannot be reached: {one_line(reason)}; try again later"
            ) from error
        finally:
            connection.close()

    def _connection(self, patience_s: float) -> http.client.HTTPConnection:
        host, port = self.address.host, self.address.port
        if self._context is None:
            return http.client.HTTPConnection(host, port, timeout=patience_s)
        return http.client.HTTPSConnection(host, port, timeout=patience_s, context=self._context)

    def _refusal(self, response: http.client.HTTPResponse) -> WrongUse | OurFailure:
        """The refusal, with the reasons that the service gives."""
        detail = f"it answered {response.status}"
        if response.headers.get_content_type() == _PROBLEM:
            with contextlib.suppress(ValueError, RecursionError):
                detail = msgspec.json.decode(response.read(_LONGEST_PROBLEM), type=_Problem).detail
        sentences = "\n".join(map(one_line, detail.split("\n")))
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR or response.status == HTTPStatus.TOO_MANY_REQUESTS:
            return ServiceUnreachable(sentences)
        return RequestRefused(sentences)

    def _strange(self) -> ServiceUnreachable:
        return ServiceUnreachable(f"{self.address.text} does not answer as a Referee does; look at the address")
