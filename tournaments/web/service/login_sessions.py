"""Sessions of authors who logged in with a browser. A session stands for a token, which each request looks up again.

So revoking a token ends its sessions. Sessions are in memory: they end with the server.
"""

import secrets
from collections import OrderedDict
from hashlib import sha256

import msgspec

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
    return sha256(secret.encode()).hexdigest()
