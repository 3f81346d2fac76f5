"""Remote bots that could not be reached: when they are called again, and when they are given up."""

from collections.abc import Iterable

import msgspec

FIRST_WAIT_MS = 1_000
LONGEST_WAIT_MS = 60_000
PATIENCE_MS = 3_600_000
"""A bot that nobody reached for so long is waited for no longer."""


class Absence(msgspec.Struct, frozen=True):
    """A bot that is away.

    Attributes:
        since_ms: when it was first missed.
        call_ms: when it is called again.
        wait_ms: how long it was waited for this time.
        reason: what was wrong the last time.
    """

    since_ms: int
    call_ms: int
    wait_ms: int
    reason: str


class Absences:
    """Who is away. Times are in milliseconds, all by one clock."""

    def __init__(self) -> None:
        self._away: dict[str, Absence] = {}

    def __bool__(self) -> bool:
        return bool(self._away)

    def miss(self, entry: str, reason: str, now_ms: int) -> None:
        """`entry` was called and could not be reached: the next call is twice as far off as the last one."""
        before = self._away.get(entry)
        wait_ms = FIRST_WAIT_MS if before is None else min(2 * before.wait_ms, LONGEST_WAIT_MS)
        since_ms = now_ms if before is None else before.since_ms
        self._away[entry] = Absence(since_ms, now_ms + wait_ms, wait_ms, reason)

    def met(self, entries: Iterable[str]) -> None:
        """These have just played."""
        for entry in entries:
            self._away.pop(entry, None)

    def awaited(self, entries: Iterable[str], now_ms: int) -> bool:
        """Whether one of these is away and not to be called yet."""
        return any(entry in self._away and now_ms < self._away[entry].call_ms for entry in entries)

    def wait_ms(self, now_ms: int) -> int:
        """How long until somebody is to be called again; at least one must be away."""
        return max(0, min(absence.call_ms for absence in self._away.values()) - now_ms)

    def given_up(self, now_ms: int) -> dict[str, Absence]:
        """Everybody who was away for too long."""
        return {entry: absence for entry, absence in self._away.items() if now_ms - absence.since_ms >= PATIENCE_MS}
