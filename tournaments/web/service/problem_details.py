"""What is said to somebody whose request is refused: a status and sentences, as `application/problem+json` (RFC 9457).

Only what is named here is told to people on the network. Everything else is ours: it may name places of this machine,
so it goes to the organizer's eyes, and the network hears that it should try again later.
"""

import sys
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.responses import Response

from referee.core.errors import UserError
from tournaments.config.league_file import LeagueFileError
from tournaments.league.admission.registry import NoSuchEntry, SubmissionRefused
from tournaments.league.admission.states import NotNow
from tournaments.submissions.pipeline import DiskFull
from tournaments.submissions.unpack import ArchiveError
from tournaments.web.queries import NotThere, NotYet

MEDIA = "application/problem+json"

_LATER = "the service cannot do this now; try again later"
"""What the network hears of a failure of ours."""

_STATUSES: Final[Mapping[type[UserError], HTTPStatus]] = {
    ArchiveError: HTTPStatus.UNPROCESSABLE_ENTITY,
    LeagueFileError: HTTPStatus.UNPROCESSABLE_ENTITY,
    SubmissionRefused: HTTPStatus.CONFLICT,
    NotNow: HTTPStatus.CONFLICT,
    NoSuchEntry: HTTPStatus.NOT_FOUND,
    NotThere: HTTPStatus.NOT_FOUND,
    NotYet: HTTPStatus.NOT_FOUND,
    DiskFull: HTTPStatus.INSUFFICIENT_STORAGE,
}
"""What may be told, and with which status."""

_IN_OTHER_WORDS: Final[Mapping[type[UserError], str]] = {
    DiskFull: "the service has no room for another bot; try again later, or ask the organizer",
}
"""Whose own text is the organizer's."""


class Details(msgspec.Struct, frozen=True, rename={"kind": "type"}):
    """A refusal, as it is sent.

    Attributes:
        title: the status in words.
        status: its number.
        detail: one sentence a line: what is wrong, and what to do.
        kind: always the same; the status says all.
    """

    title: str
    status: int
    detail: str
    kind: str = "about:blank"


class Problem(Exception):
    """A request is refused.

    Attributes:
        status: of HTTP.
        detail: one sentence a line.
        headers: of the answer.
    """

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = HTTPStatus(status)
        self.detail = detail
        self.headers = dict(headers or {})

    @property
    def answer(self) -> Response:
        """The same, as an answer."""
        details = Details(self.status.phrase, self.status.value, self.detail)
        headers = {"cache-control": "no-store", **self.headers}
        return Response(msgspec.json.encode(details), self.status.value, headers, MEDIA)


def problem_of(error: UserError) -> Problem:
    """What the network hears of an error. What only the organizer may know is printed for the organizer."""
    for kind, status in _STATUSES.items():
        if isinstance(error, kind):
            return Problem(status, _IN_OTHER_WORDS.get(kind, str(error)))
    print(f"referee serve: {error}", file=sys.stderr, flush=True)
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, _LATER, {"retry-after": "30"})
