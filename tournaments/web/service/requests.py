"""What several routes check of a request: who sent it, how often, its length and its body; and answers with a tag."""

import hashlib
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

import anyio
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from tournaments.league.people import Person
from tournaments.web.service.authentication import Caller, session_sha256, token_sha256, unknown, visitor
from tournaments.web.service.league_service import LeagueService
from tournaments.web.service.replies import LONGEST, SHORTEST, Problem, accepts_gzip, compressed, with_headers
from tournaments.web.service.token_bucket import Rate, RateLimiter

LONGEST_BODY = 8 << 10
"""Bytes of the body of a form or of a choice."""

_LONGEST_QUERY = 2_000
_FORM = "application/x-www-form-urlencoded"


def check_same_origin(request: HTTPConnection) -> None:
    """Check that a page of this server sent the request, and not a page of another site.

    Raises:
        Problem: it did not, or the browser does not say (403).
    """
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    host = request.headers.get("host")
    ours = origin in {f"http://{host}", f"https://{host}"} if site is None else site == "same-origin"
    if not ours:
        raise Problem(403, "this request comes from a page of another server; use the pages of this one")


def check_query_length(query: bytes) -> None:
    """Check that a query is not longer than any useful query.

    Raises:
        Problem: it is longer (400).
    """
    if len(query) > _LONGEST_QUERY:
        raise Problem(400, f"the query is longer than {_LONGEST_QUERY:,} bytes")


def media_type(request: Request) -> str:
    """The media type of the body, without parameters; empty if the request names none."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def too_long(most_bytes: int) -> Problem:
    """The refusal of a body that is longer (413)."""
    return Problem(413, f"the body is longer than {most_bytes:,} bytes, the most that is allowed here")


async def body_parts(request: Request, most_bytes: int) -> AsyncIterator[bytes]:
    """The body of a request, as it comes. The server handles slow clients.

    Raises:
        Problem: it is longer than `most_bytes` (413), or was not sent to its end (400).
    """
    size = 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most_bytes:
                raise too_long(most_bytes)
            yield part
    except ClientDisconnect as gone:
        raise Problem(400, "the body is incomplete") from gone


async def read_body(request: Request, media: str, what: str) -> bytes:
    """The body of a short request of this media type. `what` it is stands in the refusal of another type.

    Raises:
        Problem: it is of another type (415), or as `body_parts`.
    """
    if media_type(request) != media:
        raise Problem(415, f"{what} is sent as {media}")
    return b"".join([part async for part in body_parts(request, LONGEST_BODY)])


async def read_form(request: Request, most_fields: int) -> Mapping[str, str]:
    """The fields of a form, as browsers send them by default.

    Raises:
        Problem: it is no form, or has more fields (400), or as `read_body`.
    """
    try:
        text = (await read_body(request, _FORM, "a form")).decode()
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=most_fields))
    except ValueError as error:
        raise Problem(400, "this is no form that the pages here send") from error


class RequestChecks:
    """The common parts of all requests to the leagues of a service."""

    def __init__(
        self, league_services: Mapping[str, LeagueService], rate: Rate, reads: int, clock_s: Callable[[], float]
    ) -> None:
        """Limit the rate of each requester, and how many answers are computed at once. `clock_s` never goes back."""
        self.league_services = league_services
        self.clock_s = clock_s
        self._requests = RateLimiter(rate)
        self._reading = anyio.Semaphore(reads)

    def league_service(self, request: HTTPConnection, more: str = "") -> LeagueService:
        """The league that a request names. `more` is the end of the refusal.

        Raises:
            Problem: it is not served here (404).
        """
        name = request.path_params["league"]
        if name not in self.league_services:
            raise Problem(404, f"no league of this name is served here{more}")
        return self.league_services[name]

    async def asker(self, request: HTTPConnection, league_service: LeagueService) -> Caller:
        """The requester, if the request is allowed now.

        Raises:
            Problem: the token is not valid (401), a page of another site sent it with a session (403), or there were
                too many requests (429).
        """
        asker = visitor(request.client)
        try:
            account = await self.account(request, league_service)
        except Problem:
            self.count(asker)
            raise
        if account is not None:
            asker = await self.read(league_service.caller, asker, account)
        self.count(asker)
        return asker

    async def account(self, request: HTTPConnection, league_service: LeagueService) -> Person | None:
        """Whose token or session the request shows. One without, or with a session that ended, is a visitor's.

        Raises:
            Problem: as `asker`.
        """
        token, session = token_sha256(request.headers.get("authorization")), session_sha256(request)
        kind, secret = ("token", token) if token else ("session", session)
        found: Person | None = await self.read(league_service.account, secret, kind) if secret else None
        if token and found is None:
            raise unknown()
        if found is not None and not token and request.scope.get("method", "GET") not in {"GET", "HEAD"}:
            check_same_origin(request)
        return found

    def count(self, asker: Caller) -> None:
        """Count a request of the requester.

        Raises:
            Problem: there were too many (429).
        """
        wait_s = self._requests.take(asker.bucket, self.clock_s())
        if wait_s:
            headers = {"retry-after": str(int(wait_s) + 1)}
            raise Problem(429, "too many requests; wait a little, and ask less often", headers)

    async def read(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a blocking function. The number of simultaneous calls is limited."""
        async with self._reading:
            return await anyio.to_thread.run_sync(function, *arguments)

    async def whole(
        self,
        request: Request,
        body: bytes,
        media: str,
        headers: Mapping[str, str] | None = None,
        asker: Caller | None = None,
    ) -> Response:
        """An answer with its entity tag, or 304 if nothing has changed (RFC 9110, 8.8.3 and 13.1.2).

        An answer to a visitor is compressed if the client takes that, and has an entity tag of its own then.
        """
        is_public = asker is None or asker.account is None
        packs = is_public and SHORTEST <= len(body) <= LONGEST and accepts_gzip(request.headers)
        etag = f'"{hashlib.sha256(body).hexdigest()[:32]}{"-gzip" if packs else ""}"'
        all_headers = {
            "etag": etag,
            "cache-control": f"{'public' if is_public else 'private'}, no-cache",
            "vary": "accept-encoding, authorization, cookie",
            **(headers or {}),
        }
        known = {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}
        if etag in known:
            return with_headers(Response(status_code=304, headers=all_headers))
        if packs:
            all_headers["content-encoding"] = "gzip"
            body = await self.read(compressed, body)
        return with_headers(Response(body, 200, all_headers, media))
