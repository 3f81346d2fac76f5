"""Identifies requesters. Authors send the token that `referee authors add` printed, as a bearer token (RFC 6750).

An author who logged in with a browser has a session. It stands for a token, which each request looks up again. So
revoking a token ends its sessions. Sessions are in memory: they end with the server.
"""

import hashlib
import re
import secrets
from collections import OrderedDict
from typing import NamedTuple

import msgspec

from referee.http_server.open_connections import network_of
from tournaments.league.submissions import ORGANIZER
from tournaments.web.service.replies import Problem

LASTS_S = 12 * 3600.0
"""The duration of a session, in seconds."""

MOST, MOST_EACH = 1_000, 8
"""The limits of simultaneous sessions: in all, and of one token. The oldest end first."""


class Session(msgspec.Struct, frozen=True):
    """A session.

    Attributes:
        league: the league whose token it is.
        token_sha256: the SHA-256 of the token, in hex.
        ends_s: the end of the session, in seconds by the clock of the server.
    """

    league: str
    token_sha256: str
    ends_s: float


class Sessions:
    """All sessions. They store only digests of their secrets."""

    def __init__(self) -> None:
        """Begin without sessions."""
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def begin(self, league: str, token_sha256: str, now_s: float) -> str:
        """Begin a session. Returns its secret, which the browser shows from now on."""
        own = [key for key, each in self._sessions.items() if each.token_sha256 == token_sha256]
        for key in own[: max(0, len(own) + 1 - MOST_EACH)]:
            del self._sessions[key]
        if len(self._sessions) >= MOST:
            self._sessions.popitem(last=False)
        secret = secrets.token_urlsafe(32)
        self._sessions[_key(secret)] = Session(league, token_sha256, now_s + LASTS_S)
        return secret

    def token_sha256(self, league: str, secret: str, now_s: float) -> str | None:
        """The SHA-256 of the token that a session of a league stands for; None if there is no such session now."""
        found = self._sessions.get(_key(secret))
        if found is None or found.league != league:
            return None
        if now_s >= found.ends_s:
            del self._sessions[_key(secret)]
            return None
        return found.token_sha256

    def end(self, secret: str) -> None:
        """End a session, if there is one."""
        self._sessions.pop(_key(secret), None)


def _key(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)
_CHALLENGE = 'Bearer realm="referee"'


class Caller(NamedTuple):
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


def visitor(client: tuple[str, int] | None) -> Caller:
    """The requester at an address, without a token; None: the address is unknown."""
    return Caller(network_of(client[0] if client else None), None)


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


def read_only() -> Problem:
    """The refusal of a change by the organizer over HTTP."""
    return Problem(403, "the organizer can only look here; to change the league, use `referee` on its machine")
