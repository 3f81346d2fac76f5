"""How many matches a run plays at once: fewer after a match that was void because the machine was too busy.

No bot is at fault if the machine is busy. So the run repeats such a match as often as it takes, and reduces the load:
first it plays fewer matches at once, then it rests between them. It speeds up again when matches are finished. This
module uses no clock: it counts only matches and the lengths of the rests.
"""

CALM = 10
"""After this many matches for each that is played at once, without a void one, one more is played at once."""

FIRST_REST_MS = 1_000
LONGEST_REST_MS = 60_000
IN_VAIN_MS = 3_600_000
"""After rests of this length in all, without a finished match in between, the run is given up."""


class Throttle:
    """The pace of one run.

    Attributes:
        at_once: how many matches may be played at once; at least one.
        rest_ms: how long to rest before the next match, in milliseconds.
    """

    def __init__(self, workers: int) -> None:
        """Begin with as many matches at once as there are `workers`."""
        self.at_once = workers
        self.rest_ms = 0
        self._workers = workers
        self._begun_before = 0
        self._calm = 0
        self._rested_ms = 0

    def finish(self) -> None:
        """Note that a match was finished."""
        self._begun_before = max(0, self._begun_before - 1)
        self.rest_ms = self._rested_ms = 0
        self._calm += 1
        if self._calm >= CALM * self.at_once:
            self._calm = 0
            self.at_once = min(self.at_once + 1, self._workers)

    def disturb(self) -> None:
        """Note that a match was void because the machine was too busy.

        The matches that had begun before the run slowed down say nothing about the slower run.
        """
        self._calm = 0
        if self._begun_before:
            self._begun_before -= 1
        elif self.at_once > 1:
            self._begun_before = self.at_once - 1
            self.at_once //= 2
        else:
            self._rested_ms += self.rest_ms
            self.rest_ms = min(2 * self.rest_ms, LONGEST_REST_MS) or FIRST_REST_MS

    @property
    def hopeless(self) -> bool:
        """Whether the run has rested for too long in vain.

        It must end some time: a match of a bot that never stops computing, on a machine that is always too busy, can
        never be judged.
        """
        return self._rested_ms >= IN_VAIN_MS
