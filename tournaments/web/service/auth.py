"""Identifies requesters. Authors send the token that `referee authors add` printed, as a bearer token (RFC 6750)."""

import hashlib
import re
from typing import NamedTuple

from referee.http_server.slow_clients import network_of
from tournaments.league.submissions import ORGANIZER
from tournaments.web.service.problem_details import Problem

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)
_CHALLENGE = 'Bearer realm="referee"'
_LONGEST_QUERY = 2_000


class Requester(NamedTuple):
    """The sender of a request.

    Attributes:
        network: the network of the request; empty if it is unknown.
        author: the owner of a valid token, who may be the organizer; None for a visitor.
    """

    network: str
    author: str | None

    @property
    def may_submit(self) -> bool:
        """Whether the requester may submit bots. The organizer acts on the machine itself, and only reads over HTTP."""
        return self.author not in {None, ORGANIZER}

    @property
    def bucket(self) -> str:
        """The name under which the requests are counted. No author's name has a colon."""
        return f"from:{self.network}" if self.author is None else self.author


def visitor(client: tuple[str, int] | None) -> Requester:
    """The requester at an address, without a token; None: the address is unknown."""
    return Requester(network_of(client[0] if client else None), None)


def token_sha256(authorization: str | None) -> str | None:
    """The SHA-256 of the token in a header `Authorization`; None if there is no such header.

    Raises:
        Problem: the header has something other than a token (401).
    """
    if authorization is None:
        return None
    found = _BEARER.fullmatch(authorization)
    if found is None:
        raise unknown()
    return hashlib.sha256(found[1].encode()).hexdigest()


def unknown() -> Problem:
    """The refusal of an invalid token. It does not say what is wrong with the token."""
    return Problem(
        401,
        "this token is not valid here; ask the organizer for one, or send none to see what everybody may see",
        {"www-authenticate": f'{_CHALLENGE}, error="invalid_token"'},
    )


def authentication_required() -> Problem:
    """The refusal of a request without a token, where one is needed."""
    return Problem(401, "only authors may do this; send your token", {"www-authenticate": _CHALLENGE})


def check_query_length(query: bytes) -> None:
    """Check that a query is not longer than any useful query.

    Raises:
        Problem: it is longer (400).
    """
    if len(query) > _LONGEST_QUERY:
        raise Problem(400, f"the query is longer than {_LONGEST_QUERY:,} bytes")


def read_only() -> Problem:
    """The refusal of a change by the organizer over HTTP."""
    return Problem(403, "the organizer can only look here; to change the league, use `referee` on its machine")
