"""The addresses of bots: on which a bot on this machine must listen, and how to call any bot.

To call a bot, the referee needs its address, and the credentials that both must show each other.
"""

import asyncio
import os
import secrets
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from referee.files.manifest import Reach

if TYPE_CHECKING:
    from referee.runtime.channels.channel import Channel


class Authorities(msgspec.Struct, frozen=True):
    """The authorities trusted to sign the certificate of a bot that is called over TLS.

    Attributes:
        certificates: their certificates (PEM); None: the authorities that this machine trusts.
    """

    certificates: bytes | None = None


class Peer(msgspec.Struct, frozen=True):
    """A bot that can be called.

    Attributes:
        address: as gRPC spells it: `unix:/path` or `host:port`.
        token: proves to the bot that the caller is the referee; None if the bot asks for no token.
        tls: the authorities that vouch for the bot's certificate; None for a bot on this machine, called without TLS.
        is_coming_up: whether it has just been started, so that the first call has to wait for it.
        door: makes the channel to a seat in this process, which needs no call; None for a bot.
    """

    address: str
    token: str | None = None
    tls: Authorities | None = None
    is_coming_up: bool = False
    door: "Callable[[], Channel] | None" = None


_MAX_SOCKET_PATH_BYTES = 107  # unix(7): 108 with the closing zero
LOOPBACK = "127.0.0.1"
_UNIX = "unix:"

_POLL_S = 0.002
"""How often to look whether the bot has made its socket."""

NO_VARIABLES: Mapping[str, str] = {}
"""A bot's own variables, in addition to those that every bot has."""


class ListenAddress:
    """A place to listen, kept free for one bot until it is released.

    Attributes:
        address: the address that the bot gets; empty if it does not listen.
        token: the token that the bot must ask its callers for; None if no other user of this machine could call it.
    """

    def __init__(self, address: str, token: str | None = None, holder: socket.socket | None = None) -> None:
        self.address = address
        self.token = token
        self._holder = holder

    @property
    def is_chosen_by_the_bot(self) -> bool:
        """Whether the bot takes any free port itself, and prints it."""
        return self.address.endswith(":0")

    @property
    def environment(self) -> dict[str, str]:
        """The variables that it adds to the bot's environment."""
        token = {} if self.token is None else {"REFEREE_TOKEN": self.token}
        return {"REFEREE_ADDRESS": self.address, **token} if self.address else {}

    def command(self, command: Sequence[str], variables: Mapping[str, str]) -> list[str]:
        """A bot's command with the address in place of `{address}`.

        env(1) sets the bot's own `variables` and becomes the bot. So they do not affect programs that start the bot.
        """
        setting = ["env", *(f"{name}={value}" for name, value in variables.items())] if variables else []
        return [*setting, *(word.replace("{address}", self.address) for word in command)]

    async def peer(self, port: Awaitable[int]) -> Peer:
        """How to call the bot, as soon as that is known. This may never return.

        A call before the bot's socket is there would fail, and the client would wait before the next.

        `port` is the port that the bot prints, if it chooses one.
        """
        address = f"{LOOPBACK}:{await port}" if self.is_chosen_by_the_bot else self.address
        if address.startswith(_UNIX):
            while not os.path.exists(address.removeprefix(_UNIX)):  # noqa: PTH110 - for each start, many times
                await asyncio.sleep(_POLL_S)
        return Peer(address, self.token, is_coming_up=True)

    def release(self) -> None:
        """Give the place up."""
        if self._holder is not None:
            self._holder.close()


def listening(reach: Reach, scratch: Path) -> ListenAddress:
    """A new place to listen, for one bot. A unix socket will be in `scratch`.

    Raises:
        OSError: there is no such place.
    """
    match reach:
        case "unix":
            return ListenAddress(f"{_UNIX}{_socket_path(scratch)}")
        case "stdio":
            return ListenAddress("")
        case "tcp":
            holder = _held_port()
            return ListenAddress(f"{LOOPBACK}:{holder.getsockname()[1]}", secrets.token_hex(16), holder)
        case "tcp-any":
            return ListenAddress(f"{LOOPBACK}:0", secrets.token_hex(16))


def _socket_path(scratch: Path) -> Path:
    path = scratch / "bot.sock"
    if len(os.fsencode(path)) > _MAX_SOCKET_PATH_BYTES:
        raise OSError(f"{path} is too long for a socket; set TMPDIR to a shorter path")
    return path


def _held_port() -> socket.socket:
    """A free port, reserved for the program that gets its number.

    Linux lets a second socket have the port if both were made with SO_REUSEADDR, as servers do, and the first does not
    listen. But Linux does not give the port to programs that ask for any free port.
    """
    holder = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind((LOOPBACK, 0))
    return holder
