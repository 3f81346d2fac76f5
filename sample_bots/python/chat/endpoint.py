"""Asks an endpoint that speaks OpenAI's chat completions, within a time, whatever the endpoint does."""

import asyncio
import email.utils
import http.client
import json
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
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
        self.passing, self.wait_s = passing, wait_s


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key is for one host, and for no other."""

    def redirect_request(self, *_args: Any) -> None:
        """A redirect is an error."""


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
        self._address = f"{address.rstrip('/')}/chat/completions"
        self._fields = {**settings, "model": model, "stream": False}
        self._key = key
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "chat"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._open = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects()).open

    async def complete(self, messages: list[dict[str, str]], deadline: float) -> Completion:
        """Ask until there is an answer, or until the deadline, by `time.monotonic`.

        Raises:
            NoAnswer: there is none, and no further request fits before the deadline.
        """
        least_s = _FIRST_WAIT_S
        while True:
            try:  # in a thread, as nothing else ends a slow look-up or slow headers in time
                async with asyncio.timeout(deadline - time.monotonic()):
                    return await asyncio.to_thread(self._request, messages, deadline)
            except TimeoutError:
                raise NoAnswer(_LATE) from None
            except NoAnswer as failure:
                wait_s = max(failure.wait_s, least_s)
                if not failure.passing or time.monotonic() + wait_s >= deadline:
                    raise
            await asyncio.sleep(wait_s)
            least_s *= 2

    def _request(self, messages: list[dict[str, str]], deadline: float) -> Completion:
        body = json.dumps({**self._fields, "messages": messages}).encode()
        request = urllib.request.Request(self._address, body, self._headers)  # noqa: S310 - it is HTTP
        try:
            with self._open(request, timeout=deadline - time.monotonic()) as response:
                found = _completion(_read(response, deadline), messages)
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise _refused(refusal) from None
        except (OSError, http.client.HTTPException, ValueError) as error:  # their texts may repeat what was sent
            cause = getattr(error, "reason", error)
            if isinstance(cause, ssl.SSLCertVerificationError):
                raise NoAnswer("the certificate of the endpoint is not trusted here", passing=False) from None
            raise NoAnswer(f"the connection to the endpoint failed ({type(cause).__name__})") from None
        text = found.text.replace(self._key, "[key]") if self._key else found.text  # it may repeat what it was sent
        return found._replace(text=text)


def _refused(refusal: urllib.error.HTTPError) -> NoAnswer:
    if 300 <= refusal.code < 400:
        text = f"the endpoint redirects (status {refusal.code}); give the address to which it does"
        return NoAnswer(text, passing=False)
    text, wait_s = f"the endpoint answered with status {refusal.code}", _seconds(refusal.headers["Retry-After"] or "")
    return NoAnswer(text, passing=refusal.code in _PASSING, wait_s=wait_s)


def _seconds(retry_after: str) -> float:
    """The seconds in `Retry-After`, which has a number or a date; 0 if it has none."""
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        return email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _read(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """The body of an answer. A body that comes slowly ends at the deadline, also if nobody waits for it any more."""
    body = bytearray()
    while part := response.read1(1 << 16):
        body += part
        if time.monotonic() > deadline:
            raise NoAnswer(_LATE)
        if len(body) > LONGEST:
            raise NoAnswer(f"the answer has more than {LONGEST >> 20} MiB")
    return bytes(body)


def _completion(body: bytes, messages: list[dict[str, str]]) -> Completion:
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
