"""The addresses of bots that run elsewhere, as people write them."""

import re

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The hosts that may be called without TLS."""

_ADDRESS = re.compile(r"(grpcs?)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")
_LAST_PORT = 65535
_SOCKET = "unix:"
_ALLOWED = "write grpcs://HOST:PORT, or grpc://HOST:PORT on this machine"

SEAT = "seat:"
"""The address of a bot that calls the service of its league begins so. The name of its author follows."""


def is_address(text: str) -> bool:
    """Whether `text` is meant as the address of a bot that runs already, not as a folder."""
    return "://" in text or text.startswith(_SOCKET)


def target_of(text: str) -> str:
    """How gRPC spells the address of a bot that can be called: `unix:/path` or `host:port`.

    Raises:
        ValueError: no bot can be called at `text`, with what to write instead.
    """
    return text if text.startswith(_SOCKET) else remote_address(text).partition("://")[2]


def remote_address(text: str) -> str:
    """The text itself, if it is the address of a bot that can be called.

    Raises:
        ValueError: it is not, with what to write instead.
    """
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found[3]) > _LAST_PORT:
        raise ValueError(f"{text!r} is not an address; {_ALLOWED}")
    if found[1] == "grpc" and found[2] not in LOOPBACK:
        raise ValueError(f"{text!r}: everything would be sent in the clear; {_ALLOWED}")
    return text


def entry_address(text: str) -> str:
    """The text itself, if it is the address of a bot that can be called, or `seat:AUTHOR`.

    Raises:
        ValueError: it is neither, with what to write instead.
    """
    if re.fullmatch(rf"{SEAT}[A-Za-z0-9_-]+", text):
        return text
    try:
        return remote_address(text)
    except ValueError as error:
        raise ValueError(f"{error}, or {SEAT}AUTHOR for a bot that calls the service") from error
