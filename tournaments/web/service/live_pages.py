"""Live updates for viewers of a league. The server reads the store once a second, for any number of viewers."""

import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import aclosing

import msgspec

from tournaments.results.live_status import MatchRate
from tournaments.web.queries import Pulse
from tournaments.web.service.event_streams import STILL_THERE, Poller, audible
from tournaments.web.service.league_service import LeagueService
from tournaments.web.service.problem_details import Problem

MOST, MOST_EACH = 256, 64
"""The limits of simultaneous viewers: in all, and from one network."""

_PULSE = "pulse"
_STALE_S = 10.0
"""The seconds after which a measured speed is out of date."""


class LiveCounts(msgspec.Struct, frozen=True):
    """The counts that change from second to second.

    Attributes:
        stored: how many matches are stored.
    """

    stored: int


class LivePages:
    """The live viewers of one league."""

    def __init__(self, league_service: LeagueService) -> None:
        """Begin without viewers."""
        self._league_service = league_service
        self._speed = MatchRate()
        self._looked_s = -math.inf
        self._heartbeat: Poller[str, Pulse] = Poller(self._look)
        self._there: Counter[str] = Counter()

    def left_s(self, remaining: int) -> float | None:
        """The seconds that so many matches may take; None if nobody watched just now, or no match was stored."""
        speed = self._speed.a_second if self._is_fresh(time.monotonic()) else None
        return remaining / speed if speed else None

    def check_room(self, network: str) -> None:
        """Check that one more viewer may watch.

        Raises:
            Problem: there are too many viewers (503), or too many from this network (429).
        """
        if self._there[network] >= MOST_EACH:
            raise Problem(429, "too many pages of this league are open at once; close some", {"retry-after": "30"})
        if self._there.total() >= MOST:
            raise Problem(
                503, "too many people look at this league now; load the page again later", {"retry-after": "30"}
            )

    def events(self, network: str) -> AsyncIterator[bytes]:
        """The changes, as server-sent events: `counts`, and `changed` if a page may have changed."""
        return audible(self._beats(network))

    async def _beats(self, network: str) -> AsyncIterator[bytes]:
        self._there[network] += 1
        try:
            yield STILL_THERE
            before: Pulse | None = None
            async with aclosing(self._heartbeat.follow(_PULSE)) as pulses:  # type: ignore[type-var] # a generator
                async for pulse in pulses:
                    yield b"" if pulse is None else b"".join(_news(before, pulse))
                    before = pulse or before
        finally:
            self._there[network] -= 1
            self._there = +self._there

    def _look(self, _topics: Collection[str]) -> Mapping[str, Pulse]:
        pulse = self._league_service.shown.pulse()
        now_s = time.monotonic()
        if not self._is_fresh(now_s):
            self._speed = MatchRate()
        self._speed.note(now_s, pulse.stored)
        self._looked_s = now_s
        return {_PULSE: pulse}

    def _is_fresh(self, now_s: float) -> bool:
        return now_s - self._looked_s < _STALE_S


def _news(before: Pulse | None, now: Pulse) -> list[bytes]:
    """The events between two polls. At the first poll the page is as new as the poll."""
    if before is None or before == now:
        return []
    counts = b"event: counts\ndata: " + msgspec.json.encode(LiveCounts(now.stored)) + b"\n\n"
    if msgspec.structs.replace(before, stored=now.stored) == now:
        return [counts]
    return [counts, b"event: changed\ndata: {}\n\n"]
