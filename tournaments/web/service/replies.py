"""Answers of the service: to refused requests, and compressed ones.

A refused request gets a status and sentences: on a page if the client takes HTML, and else as
`application/problem+json` (RFC 9457). The network learns only the errors that are listed here. Other errors may name
paths of this machine, so the server prints them for the organizer, and the answer only says to try again later.

Answers that are the same for every visitor are compressed. An answer to somebody who shows a token or a session never
is. Such a page has secrets of this reader, and text of an address beside them: a search that was typed, for instance.
Text that occurs twice compresses better. So an attacker who makes a browser open addresses, and sees how long the
answers are, could guess the secrets letter by letter (BREACH, CVE-2013-3587). An answer to a visitor has nothing that
the attacker could not ask for directly.
"""

import gzip
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Final, TypeAlias

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from referee.core.errors import UserError
from tournaments.config.league_file import LeagueFileError
from tournaments.league.people import BadPeople
from tournaments.league.submissions import NoSuchEntry, NotNow, SubmissionRefused
from tournaments.schedule.leaving import LeavingRefused
from tournaments.store import NoSuchPerson, NoSuchSecret
from tournaments.submissions.pipeline import DiskFull
from tournaments.submissions.unpack import ArchiveError
from tournaments.web.pages import leagues
from tournaments.web.pages.rendering import PageFrame, rendered
from tournaments.web.pages.urls import PLAY, ServedLinks
from tournaments.web.queries import BadQuery, NotThere, NotYet
from tournaments.web.service.background_process import tell

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

MEDIA = "application/problem+json"

PAGE: Final[Mapping[str, str]] = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "same-origin",  # with no-referrer a browser does not send the origin of a form
    "x-content-type-options": "nosniff",
}
"""The headers of every page."""

_NO_PAGE = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
}
"""The headers of every other answer."""

_LATER = "the service cannot do this now; try again later"
"""The text of the answer after a failure of ours."""

_RETRY_AFTER_S = 5
"""A database server needs about so long to restart."""

_STATUSES: Final[Mapping[type[UserError], HTTPStatus]] = {
    ArchiveError: HTTPStatus.UNPROCESSABLE_ENTITY,
    LeagueFileError: HTTPStatus.UNPROCESSABLE_ENTITY,
    SubmissionRefused: HTTPStatus.CONFLICT,
    NotNow: HTTPStatus.CONFLICT,
    LeavingRefused: HTTPStatus.CONFLICT,
    NoSuchEntry: HTTPStatus.NOT_FOUND,
    BadQuery: HTTPStatus.BAD_REQUEST,
    NotThere: HTTPStatus.NOT_FOUND,
    NotYet: HTTPStatus.NOT_FOUND,
    NoSuchSecret: HTTPStatus.NOT_FOUND,
    NoSuchPerson: HTTPStatus.NOT_FOUND,
    BadPeople: HTTPStatus.CONFLICT,
    DiskFull: HTTPStatus.INSUFFICIENT_STORAGE,
}
"""The errors whose text the network may see, with their status."""

_IN_OTHER_WORDS: Final[Mapping[type[UserError], str]] = {
    DiskFull: "the service has no room for another bot; try again later, or ask the organizer",
}
"""The replacement texts of errors whose own text is only for the organizer."""


class Details(msgspec.Struct, frozen=True, rename={"kind": "type"}):
    """The body of a refusal.

    Attributes:
        title: the status in words.
        status: the number of the status.
        detail: what is wrong and what to do, one sentence a line.
        kind: always the same, since the status says all.
    """

    title: str
    status: int
    detail: str
    kind: str = "about:blank"


class Problem(Exception):
    """A request is refused.

    Attributes:
        status: the HTTP status.
        detail: the reasons, one sentence a line.
        headers: the headers of the answer.
    """

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = HTTPStatus(status)
        self.detail = detail
        self.headers = dict(headers or {})

    @property
    def answer(self) -> Response:
        """The refusal as an answer for programs."""
        details = Details(self.status.phrase, self.status.value, self.detail)
        headers = {"cache-control": "no-store", **self.headers}
        return with_headers(Response(msgspec.json.encode(details), self.status.value, headers, MEDIA))

    def answer_to(self, request: Request) -> Response:
        """The refusal as a page, if the request says that it takes HTML; else as an answer for programs."""
        self.headers["vary"] = "accept"
        if "text/html" not in request.headers.get("accept", ""):
            return self.answer
        frame = PageFrame(play=PLAY if request.url.path.startswith(PLAY) else None)
        body = rendered(leagues.problem(self.status.phrase, self.detail), frame, ServedLinks())
        headers = {**PAGE, "cache-control": "no-store", **self.headers}
        return Response(body, self.status.value, headers, "text/html")


def with_headers(response: Response) -> Response:
    """The response with the headers of all answers that are no pages."""
    response.headers.update(_NO_PAGE)
    return response


def problem_of(error: UserError) -> Problem:
    """The refusal for an error. If only the organizer may know the text, it is printed instead."""
    for kind, status in _STATUSES.items():
        if isinstance(error, kind):
            return Problem(status, _IN_OTHER_WORDS.get(kind, str(error)))
    tell(str(error))
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, _LATER, {"retry-after": str(_RETRY_AFTER_S)})


def refusing(
    endpoint: Endpoint, problem_of: Callable[[UserError], Problem] = problem_of, *, as_page: bool = True
) -> Endpoint:
    """The same endpoint, which also answers refusals and failures: on a page if the client takes HTML and `as_page`.

    `problem_of` gives the refusal for an error.
    """

    async def answering(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Problem as refusal:
            problem = refusal
        except UserError as error:
            problem = problem_of(error)
        return problem.answer_to(request) if as_page else problem.answer

    return answering


SHORTEST, LONGEST = 1_400, 4 << 20
"""The lengths of bodies that are compressed, in bytes. A shorter one fits a packet; a longer one takes too long."""

_LEVEL = 5


def accepts_gzip(headers: Mapping[str, str]) -> bool:
    """Whether a client takes gzip (RFC 9110, 12.5.3)."""
    for coding in headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = coding.partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "").rstrip("0") not in {"q=", "q=0."}
    return False


def compressed(body: bytes) -> bytes:
    """The body in gzip: always the same bytes for the same body."""
    return gzip.compress(body, _LEVEL, mtime=0)
