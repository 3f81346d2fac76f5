"""What several routes check of a request: who sent it, the length of its query, and its body."""

from collections.abc import AsyncIterator, Mapping
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from tournaments.web.service.replies import Problem

LONGEST_BODY = 8 << 10
"""Bytes of the body of a form or of a choice."""

_LONGEST_QUERY = 2_000
_FORM = "application/x-www-form-urlencoded"


def check_same_origin(request: Request) -> None:
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
