"""The address of a served league: `https://HOST/leagues/NAME`."""

import re
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from referee.core.errors import WrongUse

VARIABLE = "REFEREE_TOKEN"
"""The variable with a token, for instance for CI. No option takes one: other users of a machine can see them."""


_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_PATH = re.compile(r"((?:/[A-Za-z0-9._~-]+)*)/leagues/([A-Za-z0-9_-]+)/?")
_FORM = "write https://HOST/leagues/NAME, as the organizer told you"
_PORTS = {"https": 443, "http": 80}


class BadAddress(WrongUse):
    """The text is not the address of a league."""


class Address(NamedTuple):
    """The address of a served league.

    Attributes:
        secure: whether the service uses TLS.
        host: a name or an address.
        port: of TCP.
        path: the path of the league.
    """

    secure: bool
    host: str
    port: int
    path: str

    @property
    def text(self) -> str:
        """The address, as people write it."""
        return self.service + self.path

    @property
    def service(self) -> str:
        """The address of the service, without a path."""
        scheme = "https" if self.secure else "http"
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[scheme] else f":{self.port}"
        return f"{scheme}://{host}{port}"

    def of(self, *words: str) -> str:
        """The path of something below the league's; the words may have any characters."""
        return "/".join([self.path, "api", *(quote(word, safe="/+@") for word in words)])


def is_address(text: str) -> bool:
    """Whether `text` is an address rather than a file."""
    return "://" in text


def address(text: str, *, in_the_clear: bool = False) -> Address:
    """The address in a text.

    `in_the_clear` allows plain HTTP with other machines.

    Raises:
        BadAddress: it has none, or a token would be sent in the clear.
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise BadAddress(f"{text!r} is not the address of a league; {_FORM}") from error
    path = _PATH.fullmatch(parts.path)
    wrong = parts.username is not None or parts.query or parts.fragment
    if parts.scheme not in _PORTS or not parts.hostname or path is None or wrong:
        # Not quoted: there may be a password in it.
        named = "what is given" if "@" in text else repr(text)
        raise BadAddress(f"{named} is not the address of a league; {_FORM}")
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK and not in_the_clear:
        raise BadAddress(f"{text!r}: everything would be sent in the clear; {_FORM}")
    return Address(parts.scheme == "https", parts.hostname, port or _PORTS[parts.scheme], parts.path.rstrip("/"))
