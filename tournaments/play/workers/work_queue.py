"""The sittings that wait to be played. They are taken in order, except those whose remote bots are busy elsewhere."""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from itertools import chain, islice

from tournaments.league.model import Entry, Sitting

LOOK_AHEAD = 1_000
"""When this many sittings wait for remote bots, no sittings after them are considered, and workers wait too."""


class WorkQueue:
    """Sittings in the order in which they should begin. Each is made only when it is needed."""

    def __init__(self, sittings: Iterable[Sitting], entries: Mapping[str, Entry]) -> None:
        """`entries` are the bots, by name."""
        self._sittings = iter(sittings)
        self._waiting: list[Sitting] = []
        self._entries = entries

    def __bool__(self) -> bool:
        """Whether any sitting is left."""
        self._waiting += islice(self._sittings, 0 if self._waiting else 1)
        return bool(self._waiting)

    def next(self, held: Counter[str], away: Set[str] = frozenset()) -> Sitting | None:
        """Take out the first sitting that may begin; None if there is none.

        `held` counts the seats that each entry has in other sittings. The entries in `away` cannot play now.
        """
        passed: list[Sitting] = []
        waiting = chain(self._waiting, islice(self._sittings, max(0, LOOK_AHEAD - len(self._waiting))))
        for sitting in waiting:
            if away.isdisjoint(sitting.fixtures[0].entries) and may_begin(sitting, held, self._entries):
                self._waiting = [*passed, *self._waiting[len(passed) + 1 :]]
                return sitting
            passed.append(sitting)
        self._waiting = passed
        return None

    def put_back(self, sitting: Sitting) -> None:
        """Let the rest of a sitting wait, before all others."""
        self._waiting.insert(0, sitting)


def may_begin(sitting: Sitting, held: Counter[str], entries: Mapping[str, Entry]) -> bool:
    """Whether every remote bot can take its seats in `sitting` in addition to those that it holds in other sittings.

    A sitting may have more seats for a bot than the league file lets it hold at once. It then
    waits until the bot holds no other seats.
    """
    asked = Counter(sitting.fixtures[0].entries)
    return all(
        (remote := entries[name].remote) is None or held[name] + seats <= max(remote.parallel, seats)
        for name, seats in asked.items()
    )
