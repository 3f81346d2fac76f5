"""The sittings that wait to be played: taken in their order, but for those whose remote bots are busy elsewhere."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain, islice

from tournaments.model import Entry, Sitting

LOOK_AHEAD = 1_000
"""So many sittings may wait for a remote bot before workers wait with them."""


class Queue:
    """Sittings in the order in which they should begin. They are made as they are needed, not before."""

    def __init__(self, sittings: Iterable[Sitting], entries: Mapping[str, Entry]) -> None:
        """`entries` are the bots, by name."""
        self._sittings = iter(sittings)
        self._waiting: list[Sitting] = []
        self._entries = entries

    def __bool__(self) -> bool:
        """Whether any sitting is left."""
        self._waiting += islice(self._sittings, 0 if self._waiting else 1)
        return bool(self._waiting)

    def next(self, held: Counter[str]) -> Sitting | None:
        """Take out the first that may begin; None if there is none.

        Args:
            held: how many seats each entry holds elsewhere.
        """
        passed: list[Sitting] = []
        waiting = chain(self._waiting, islice(self._sittings, LOOK_AHEAD - len(self._waiting)))
        for sitting in waiting:
            if may_begin(sitting, held, self._entries):
                self._waiting = [*passed, *self._waiting[len(passed) + 1 :]]
                return sitting
            passed.append(sitting)
        self._waiting = passed
        return None


def may_begin(sitting: Sitting, held: Counter[str], entries: Mapping[str, Entry]) -> bool:
    """Whether every remote bot can take the seats it has in `sitting`, beside those that it holds elsewhere.

    One sitting may have more seats for a bot than it holds at once by the league file; it is then played alone.

    Args:
        sitting: what is to be played.
        held: how many seats each entry holds.
        entries: the bots, by name.
    """
    asked = Counter(sitting.fixtures[0].entries)
    return all(
        (remote := entries[name].remote) is None or held[name] + seats <= max(remote.parallel, seats)
        for name, seats in asked.items()
    )
