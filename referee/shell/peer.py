"""Who is called: where a bot listens, and what it and the referee must show each other."""

import msgspec


class Authorities(msgspec.Struct, frozen=True):
    """Who may have signed the certificate of a bot that is called over TLS.

    Attributes:
        certificates: PEM; None: those that this machine trusts.
    """

    certificates: bytes | None = None


class Peer(msgspec.Struct, frozen=True):
    """A bot that can be called.

    Attributes:
        address: as gRPC spells it: `unix:/path` or `host:port`.
        token: what proves to the bot that it is the referee who calls; None where nobody else can.
        tls: whose word the referee takes for it that this is the bot; None on this machine, where no TLS is spoken.
        is_coming_up: whether it was started only now, so that the first call has to wait for it.
    """

    address: str
    token: str | None = None
    tls: Authorities | None = None
    is_coming_up: bool = False
