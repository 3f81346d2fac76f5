"""How many matches of a league are stored, in steps of time.

Whoever asks again and again would otherwise learn when each match ended, and how long it took.
"""

from collections.abc import Callable

from tournaments.store import Store

_STEP_MS = 60_000


def everything() -> None:
    """All matches are shown at once."""


def last_minute(now_ms: int) -> int:
    """The last full minute, in milliseconds since 1970 (UTC)."""
    return now_ms - now_ms % _STEP_MS


class StoredMatches:
    """The stored matches of one league. Threads may share it."""

    def __init__(self, store: Store, shown_before_ms: Callable[[], int | None]) -> None:
        """`shown_before_ms` says up to which time, in milliseconds since 1970 (UTC), matches are shown; None: all."""
        self.shown_before_ms = shown_before_ms
        self._store = store
        self._counted: tuple[int, int] | None = None

    def count(self, before_ms: int | None) -> int:
        """How many were stored before a time, whether they count or not; None: how many are stored now."""
        if before_ms is None:
            return self._store.matches.count()
        counted = self._counted  # it is asked for the same time again and again
        if counted is None or counted[0] != before_ms:
            counted = self._counted = before_ms, self._store.matches.count(before_ms)
        return counted[1]
