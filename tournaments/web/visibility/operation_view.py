"""What only the organizer sees of a league: how fast it is played, and what goes wrong."""

import msgspec


class FaultsView(msgspec.Struct, frozen=True):
    """How many stored matches the faults of a bot of this kind cut short."""

    bot: str
    kind: str
    matches: int


class VoidView(msgspec.Struct, frozen=True):
    """A void match.

    Attributes:
        match: the id of its fixture.
        reason: why it does not count.
        at_ms: when it was stored, in milliseconds since 1970 (UTC).
    """

    match: str
    reason: str
    at_ms: int


class OperationView(msgspec.Struct, frozen=True):
    """How a league is played.

    Attributes:
        a_minute: the matches a minute, over the ten minutes before the last match was stored.
        faults: the faults by bot and kind, the most frequent first.
        voids: how many matches were void.
        latest: the latest void matches, the latest first.
    """

    a_minute: float
    faults: tuple[FaultsView, ...]
    voids: int
    latest: tuple[VoidView, ...]
