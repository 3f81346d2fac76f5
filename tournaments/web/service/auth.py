"""Who is asking. Authors show the token that `referee authors add` printed, as a bearer token (RFC 6750)."""

import hashlib
import ipaddress
import re
from typing import NamedTuple

from tournaments.league.admission.registry import ORGANIZER
from tournaments.web.service.problem_details import Problem

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)
_CHALLENGE = 'Bearer realm="referee"'
_LONGEST_QUERY = 2_000
_NETWORK_BITS = 64
"""Who has an address of IPv6 usually has all those that begin with the same bits."""


class Requester(NamedTuple):
    """Who is asking.

    Attributes:
        network: where from; empty if that is not known.
        author: who showed a valid token, which may be the organizer; None is a visitor.
    """

    network: str
    author: str | None

    @property
    def may_submit(self) -> bool:
        """Whether bots may come from the asker. The organizer acts on the machine itself, and only looks over HTTP."""
        return self.author not in {None, ORGANIZER}

    @property
    def bucket(self) -> str:
        """Under which name the asker's requests are counted. No author's name has a colon."""
        return f"from:{self.network}" if self.author is None else self.author


def visitor(client: tuple[str, int] | None) -> Requester:
    """Somebody at an address who has shown no token; None: the address is not known."""
    return Requester(network_of(client[0] if client else None), None)


def token_sha256(authorization: str | None) -> str | None:
    """The SHA-256 of the token in a header `Authorization`; None if there is no such header.

    Raises:
        Problem: the header has something else (401).
    """
    if authorization is None:
        return None
    found = _BEARER.fullmatch(authorization)
    if found is None:
        raise unknown()
    return hashlib.sha256(found[1].encode()).hexdigest()


def unknown() -> Problem:
    """The refusal of whoever shows something that is no valid token. It does not say what is wrong with it."""
    return Problem(
        401,
        "this token is not valid here; ask the organizer for one, or send none to see what everybody may see",
        {"www-authenticate": f'{_CHALLENGE}, error="invalid_token"'},
    )


def authentication_required() -> Problem:
    """The refusal of whoever shows no token where one is needed."""
    return Problem(401, "only authors may do this; send your token", {"www-authenticate": _CHALLENGE})


def check_query_length(query: bytes) -> None:
    """Check that a query is no longer than any that makes sense.

    Raises:
        Problem: it is (400).
    """
    if len(query) > _LONGEST_QUERY:
        raise Problem(400, f"the query is longer than {_LONGEST_QUERY:,} bytes")


def read_only() -> Problem:
    """The refusal of the organizer who would change something from elsewhere."""
    return Problem(403, "the organizer may only look from here; on the machine of the league `referee` does everything")


def network_of(host: str | None) -> str:
    """The network of somebody's address; empty if it is none."""
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, _NETWORK_BITS), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)
