"""Batches that broke, counted by the entry whose bot was to blame."""

from collections import Counter
from collections.abc import Iterable, Mapping

BATCH_FAILURES_ALLOWED = 3
"""After so many broken batches an entry plays singly for the rest of the league. Breaking a batch that goes badly, to
have its matches played anew, gains it no more than that many."""


class BatchFailures:
    """Decides which bots play singly."""

    def __init__(self, so_far: Mapping[str, int]) -> None:
        """`so_far` says for entries how many batches they have broken already."""
        self._count = Counter(so_far)

    def note(self, culprit: str | None) -> None:
        """Note a broken batch; None if no bot was to blame."""
        if culprit is not None:
            self._count[culprit] += 1

    def singly(self, entries: Iterable[str]) -> bool:
        """Whether the matches of these entries are played one by one."""
        return any(self._count[entry] >= BATCH_FAILURES_ALLOWED for entry in entries)
