"""The way to call a bot: its address, and the credentials that the bot and the referee must show each other."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

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
