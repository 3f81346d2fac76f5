"""Workers that are lost in the middle of a match: line-up by line-up, since a bot of the line-up may be the reason."""

from collections import Counter
from collections.abc import Iterable

IN_A_ROW = 3
"""A line-up that has lost this many workers in a row goes last. This many line-ups without a common bot are no accident
either: then the machine is at fault."""


class WorkerCrashes:
    """Says whom lost workers hold up. The seats do not matter, only the entries."""

    def __init__(self) -> None:
        self._in_a_row: Counter[tuple[str, ...]] = Counter()
        self._involved: set[str] = set()
        self._apart = 0

    def lose(self, entries: Iterable[str]) -> None:
        """Note that a worker was lost while it played a match of these entries."""
        line_up = _line_up(entries)
        if not self.is_deprioritised(line_up) and self._involved.isdisjoint(line_up):
            self._involved.update(line_up)
            self._apart += 1
        self._in_a_row[line_up] += 1

    def finish(self, entries: Iterable[str]) -> None:
        """Note that a match of these entries was finished."""
        del self._in_a_row[_line_up(entries)]
        self._involved.clear()
        self._apart = 0

    def is_deprioritised(self, entries: Iterable[str]) -> bool:
        """Whether these entries must let all others play first."""
        return bool(self._in_a_row) and self._in_a_row[_line_up(entries)] >= IN_A_ROW

    @property
    def nothing_works(self) -> bool:
        """Whether line-up after line-up was lost without a common bot, and no match was finished in between.

        So a single bot can never stop a league, nor can two.
        """
        return self._apart >= IN_A_ROW


def _line_up(entries: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(entries))
