"""A machine that can start no bots: the run tries a few more times, and then it stops.

It is neither the bots' fault nor that of a match. So nothing is stored, and no match comes nearer to being abandoned.
The next run goes on as if these attempts had not been made. This module uses no clock.
"""

FIRST_START_REST_MS = 1_000
FAILED_STARTS_ALLOWED = 4
"""After so many failed attempts in a row the run stops. It rests between them: 1, 2 and 4 seconds."""


class FailedStarts:
    """The attempts in a row at which this machine could start nothing.

    Attributes:
        reason: why the last one failed; None if none did since a match was finished.
    """

    def __init__(self, workers: int) -> None:
        """`workers` matches at most are played at once."""
        self.reason: str | None = None
        self._workers = workers
        self._attempts = 0
        self._begun_before = 0

    def finish(self) -> None:
        """Note that a match was finished."""
        self.reason = None
        self._attempts = self._begun_before = 0

    def fail(self, reason: str) -> None:
        """Note a failed attempt. Those that had begun before the run noticed the first one say nothing more."""
        if self.reason is None:
            self._begun_before = self._workers
        self.reason = reason
        self._begun_before -= 1
        self._attempts += self._attempts == 0 or self._begun_before < 0

    def at_once(self, others: int) -> int:
        """How many matches to play at once, where it would be `others` if all went well."""
        return others if self.reason is None else 1

    @property
    def hopeless(self) -> bool:
        """Whether the run stops."""
        return self._attempts >= FAILED_STARTS_ALLOWED

    @property
    def rest_ms(self) -> int:
        """How long to wait before the next attempt, in milliseconds."""
        return FIRST_START_REST_MS << max(0, self._attempts - 1)
