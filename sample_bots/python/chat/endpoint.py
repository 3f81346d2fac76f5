"""Asks an endpoint that speaks OpenAI's chat completions: one request, within a time, whatever the endpoint does."""

import contextlib
import email.utils
import http.client
import json
import socket
import ssl
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple
from urllib.parse import urlsplit

LONGEST = 1 << 20
"""Bytes of an answer that are read. A longer answer is no answer."""

_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request may succeed later."""

_FIRST_WAIT_S = 1.0
_MOST_TOKENS = 1_000_000_000
_CHARACTERS_A_TOKEN = 3
"""If the endpoint counts no tokens, so many characters count as one. Mostly it is a bit too few."""


_LATE = "the endpoint did not answer in time"


class Completion(NamedTuple):
    """An answer of the model, and how many tokens question and answer took."""

    text: str
    tokens: int


class NoAnswer(Exception):
    """The endpoint gave no answer; the text says why, in our own words.

    Attributes:
        passing: whether it may answer the same request later.
        wait_s: how long it asks to wait at least, in seconds.
    """

    def __init__(self, text: str, *, passing: bool = True, wait_s: float = 0.0) -> None:
        super().__init__(text)
        self.passing = passing
        self.wait_s = wait_s


class Endpoint:
    """An endpoint, and the model that is asked there."""

    def __init__(self, address: str, model: str, key: str | None, settings: Mapping[str, Any]) -> None:
        """Prepare to ask.

        Args:
            address: such as `https://HOST/v1`; `/chat/completions` is added.
            model: the name of the model.
            key: goes into the header `Authorization`, and nowhere else.
            settings: further fields of each request, such as `temperature`.

        Raises:
            ValueError: the address is none.
        """
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
            raise ValueError(f"{parts.scheme}://{parts.hostname}: no address such as https://HOST/v1")
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._host, self._port = parts.hostname, parts.port
        self._path = f"{parts.path.rstrip('/')}/chat/completions"
        self._fields = {**settings, "model": model, "stream": False}
        self._key = key
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    def complete(self, messages: list[dict[str, str]], deadline: float) -> Completion:
        """Ask until there is an answer, or until the deadline, by `time.monotonic`.

        Raises:
            NoAnswer: there is none, and no further request fits before the deadline.
        """
        least_s = _FIRST_WAIT_S
        while True:
            try:
                return self._ask(messages, deadline)
            except NoAnswer as failure:
                wait_s = max(failure.wait_s, least_s)
                if not failure.passing or time.monotonic() + wait_s >= deadline:
                    raise
            time.sleep(wait_s)
            least_s *= 2

    def _ask(self, messages: list[dict[str, str]], deadline: float) -> Completion:
        """One request. It runs in a thread of its own, as nothing else ends a slow look-up or slow headers in time."""
        left_s = deadline - time.monotonic()
        if left_s <= 0:
            raise NoAnswer("no time is left")
        connection = self._connection(left_s)
        thread = ThreadPoolExecutor(1)
        answer = thread.submit(self._request, connection, messages, deadline)
        thread.shutdown(wait=False)
        try:
            return answer.result(left_s)
        except TimeoutError:
            raise NoAnswer(_LATE) from None
        finally:
            _cut(connection)

    def _connection(self, left_s: float) -> http.client.HTTPConnection:
        if self._tls is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=left_s)
        return http.client.HTTPSConnection(self._host, self._port, timeout=left_s, context=self._tls)

    def _request(
        self, connection: http.client.HTTPConnection, messages: list[dict[str, str]], deadline: float
    ) -> Completion:
        body = json.dumps({**self._fields, "messages": messages})
        try:
            with contextlib.closing(connection):
                connection.request("POST", self._path, body, self._headers)
                with connection.getresponse() as response:
                    _check_status(response)
                    found = _completion(_read(response, deadline), messages)
        except ssl.SSLCertVerificationError:
            raise NoAnswer("the certificate of the endpoint is not trusted here", passing=False) from None
        except (OSError, http.client.HTTPException, ValueError) as error:  # their texts may repeat what was sent
            raise NoAnswer(f"the connection to the endpoint failed ({type(error).__name__})") from None
        text = found.text.replace(self._key, "[key]") if self._key else found.text  # it may repeat what it was sent
        return found._replace(text=text)


def _cut(connection: http.client.HTTPConnection) -> None:
    """Let the thread that uses a connection come to its end. It closes the connection itself."""
    link = connection.sock
    if link is not None:
        with contextlib.suppress(OSError):  # it is closed already
            link.shutdown(socket.SHUT_RDWR)


def _check_status(response: http.client.HTTPResponse) -> None:
    status = response.status
    if 300 <= status < 400:  # the key is for this host, and for no other
        raise NoAnswer(f"the endpoint redirects (status {status}); give the address to which it does", passing=False)
    if status != 200:
        passing = status in _PASSING
        raise NoAnswer(f"the endpoint answered with status {status}", passing=passing, wait_s=_retry_after(response))


def _retry_after(response: http.client.HTTPResponse) -> float:
    """The seconds in `Retry-After`, which has a number or a date; 0 if it has none."""
    value = (response.getheader("Retry-After") or "").strip()[:40]
    if value.isdecimal():
        return float(value)
    try:
        return email.utils.parsedate_to_datetime(value).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _read(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """The body of an answer. A body that comes slowly ends at the deadline, also if nobody waits for it any more."""
    body = bytearray()
    while len(body) <= LONGEST and (part := response.read1(1 << 16)):
        body += part
        if time.monotonic() > deadline:
            raise NoAnswer(_LATE)
    return bytes(body)


def _completion(body: bytes, messages: list[dict[str, str]]) -> Completion:
    if len(body) > LONGEST:
        raise NoAnswer(f"the answer has more than {LONGEST >> 20} MiB")
    try:
        said = json.loads(body.decode("utf-8"))
        text = said["choices"][0]["message"].get("content") or ""
        if not isinstance(text, str):
            raise TypeError
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        raise NoAnswer("the endpoint did not answer with a chat completion") from None
    usage = said.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    if not isinstance(tokens, int) or isinstance(tokens, bool) or not 0 < tokens < _MOST_TOKENS:
        tokens = (sum(len(message["content"]) for message in messages) + len(text)) // _CHARACTERS_A_TOKEN + 1
    return Completion(text, tokens)
