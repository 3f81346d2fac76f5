"""Identifies requesters, and checks what they may do.

Programs send a token as a bearer token (RFC 6750), browsers the cookie of a session. Both are secrets of a person in
the store, which each request looks up again: one that was ended is worth nothing at once.
"""

import re
from typing import NamedTuple

from starlette.requests import HTTPConnection

from referee.http_server.open_connections import network_of
from tournaments.league.people import RIGHTS, Person, Right, Role
from tournaments.store import sha256_of
from tournaments.web.service.replies import Problem

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)
_CHALLENGE = 'Bearer realm="referee"'


class Caller(NamedTuple):
    """The sender of a request.

    Attributes:
        network: the network of the request; empty if it is unknown.
        account: the account of the person; None for a visitor.
        role: the role in the league of the request; None for a visitor.
        owner: to whom the bots belong that the person submits there; empty for a visitor.
    """

    network: str
    account: Person | None = None
    role: Role | None = None
    owner: str = ""

    @property
    def bucket(self) -> str:
        """The name under which the requests are counted. No person's name has a colon."""
        return f"from:{self.network}" if self.account is None else self.account.name

    def may(self, right: Right) -> bool:
        """Whether the requester has a right in the league of the request."""
        return right in RIGHTS[self.role]

    def require(self, right: Right) -> None:
        """Check that the requester has a right. This is the only place where it is refused.

        Raises:
            Problem: a valid secret is needed (401), or the role does not have the right (403).
        """
        if self.may(right):
            return
        if self.account is None:
            about = "only persons with an account may do this; log in first (referee login LEAGUE), or send your token"
            raise Problem(401, about, {"www-authenticate": _CHALLENGE})
        if self.role == "organizer":
            raise Problem(403, "the organizer can only look here; to change the league, use `referee` on its machine")
        raise Problem(403, f"this is not for you: in this league you are {self.role}")


def visitor(client: tuple[str, int] | None) -> Caller:
    """The requester at an address, without a secret; None: the address is unknown."""
    return Caller(network_of(client[0] if client else None))


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
    return sha256_of(found[1])


def unknown() -> Problem:
    """The refusal of an invalid token. It does not say what is wrong with the token."""
    return Problem(
        401,
        "this token is not valid here; ask the organizer for one, or send none to see what everybody may see",
        {"www-authenticate": f'{_CHALLENGE}, error="invalid_token"'},
    )


def cookie_name(request: HTTPConnection) -> str:
    """The name of the cookie of a session. Over TLS no other host, path or plain page can set a cookie of this name."""
    return "__Host-referee" if request.scope["scheme"] == "https" else "referee"


def session_sha256(request: HTTPConnection) -> str | None:
    """The SHA-256 of the session that a browser shows; None if it shows none."""
    secret = request.cookies.get(cookie_name(request))
    return sha256_of(secret) if secret else None
