"""What several routes check of a request: who sent it, the length of its query, and its body."""

from collections.abc import Mapping
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


async def read_body(request: Request) -> bytes:
    """The body of a request. The server handles slow clients.

    Raises:
        Problem: it is too long (413), or was not sent to its end (400).
    """
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_BODY:
                raise Problem(413, f"the request is longer than {LONGEST_BODY:,} bytes")
    except ClientDisconnect as gone:
        raise Problem(400, "the request is incomplete") from gone
    return body


async def read_form(request: Request, most_fields: int) -> Mapping[str, str]:
    """The fields of a form, as browsers send them by default.

    Raises:
        Problem: it is no form (415, 400), has more fields (400), or `read_body` refuses its body.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise Problem(415, f"a form is sent as {_FORM}")
    try:
        text = (await read_body(request)).decode()
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=most_fields))
    except ValueError as error:
        raise Problem(400, "this is no form that the pages here send") from error
