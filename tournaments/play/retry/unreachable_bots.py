"""Remote bots that cannot be reached: when to call them again, and when to give them up."""

from collections.abc import Iterable

import msgspec

FIRST_WAIT_MS = 1_000
LONGEST_WAIT_MS = 60_000
PATIENCE_MS = 3_600_000
"""A bot that could not be reached for this long is given up."""


class UnreachableBot(msgspec.Struct, frozen=True):
    """A bot that is away.

    Attributes:
        since_ms: when it could first not be reached.
        call_ms: when to call it again.
        wait_ms: how long the wait before that call is.
        reason: what went wrong at the last call.
    """

    since_ms: int
    call_ms: int
    wait_ms: int
    reason: str


class UnreachableBots:
    """The bots that are away. All times are in milliseconds, by one clock."""

    def __init__(self) -> None:
        self._away: dict[str, UnreachableBot] = {}
        self._looked_for: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._away)

    def miss(self, entry: str, reason: str, now_ms: int) -> None:
        """Note that `entry` could not be reached. The wait for the next call is twice the last one, up to a limit.

        If the next call is not due yet, this one was made before the last one was known to fail. It changes no wait.
        """
        before = self._away.get(entry)
        if before is not None and self.awaited((entry,), now_ms):
            self._away[entry] = msgspec.structs.replace(before, reason=reason)
            return
        wait_ms = FIRST_WAIT_MS if before is None else min(2 * before.wait_ms, LONGEST_WAIT_MS)
        since_ms = now_ms if before is None else before.since_ms
        self._away[entry] = UnreachableBot(since_ms, now_ms + wait_ms, wait_ms, reason)

    def met(self, entries: Iterable[str]) -> None:
        """Note that these entries have just played."""
        for entry in entries:
            if self._away.pop(entry, None):
                self._looked_for.clear()  # they may play against it now

    def awaited(self, entries: Iterable[str], now_ms: int) -> bool:
        """Whether one of these entries is away, and it is too early to call it again."""
        return any(entry in self._away and _left_ms(self._away[entry], now_ms) for entry in entries)

    def wait_ms(self, now_ms: int) -> int:
        """The milliseconds until the run looks for matches again; at least one bot must be away.

        A bot whose call became due while the run looked gets one more look soon. If that did not help, the bot plays
        only against bots that are awaited. So then the run waits until the call of one of these is due.
        """
        left_ms = {entry: _left_ms(absence, now_ms) for entry, absence in self._away.items()}
        due = {entry for entry, left in left_ms.items() if not left}
        is_new, self._looked_for = bool(due - self._looked_for), due
        if is_new:
            return min(FIRST_WAIT_MS, max(left_ms.values()))
        return min((left for left in left_ms.values() if left), default=FIRST_WAIT_MS)

    def given_up(self, now_ms: int) -> dict[str, UnreachableBot]:
        """The bots that have been away for too long, by entry."""
        return {entry: absence for entry, absence in self._away.items() if now_ms - absence.since_ms >= PATIENCE_MS}


def _left_ms(absence: UnreachableBot, now_ms: int) -> int:
    """The milliseconds until a bot is called again; 0 if the call is due, or if the clock was set back since."""
    left_ms = absence.call_ms - now_ms
    return left_ms if 0 < left_ms <= absence.wait_ms else 0
