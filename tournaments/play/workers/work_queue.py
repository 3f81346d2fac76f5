"""The sittings that wait to be played. They are taken in order, except those whose remote bots are busy elsewhere."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import chain, islice

from tournaments.league.model import Entry, Sitting

LOOK_AHEAD = 1_000
"""When this many sittings wait for remote bots, no sittings after them are considered, and workers wait too."""


class WorkQueue:
    """Sittings in the order in which they should begin. Each is made only when it is needed."""

    def __init__(self, sittings: Iterable[Sitting], entries: Mapping[str, Entry], near: int = 1) -> None:
        """Take sittings in their order.

        Args:
            sittings: those to be played.
            entries: the bots, by name.
            near: among so many of the first sittings a worker may take one that is not the first.
        """
        self._sittings = iter(sittings)
        self._waiting: list[Sitting] = []
        self._entries = entries
        self._near = near

    def __bool__(self) -> bool:
        """Whether any sitting is left."""
        return bool(self._first(1))

    def next(
        self,
        busy_seats: Counter[str],
        away: Set[str] = frozenset(),
        can_continue: Callable[[Sitting], bool] = lambda _: False,
    ) -> Sitting | None:
        """Take out the first sitting that may begin; None if there is none.

        Args:
            busy_seats: counts the seats that each entry has in other sittings.
            away: the entries that cannot play now.
            can_continue: whether bots that run can play a sitting. Such a one is taken first, if it is near.
        """
        for at, sitting in enumerate(self._first(self._near)):
            if can_continue(sitting) and self._may_begin(sitting, busy_seats, away):
                return self._waiting.pop(at)
        passed: list[Sitting] = []
        waiting = chain(self._waiting, islice(self._sittings, max(0, LOOK_AHEAD - len(self._waiting))))
        for sitting in waiting:
            if self._may_begin(sitting, busy_seats, away):
                self._waiting = [*passed, *self._waiting[len(passed) + 1 :]]
                return sitting
            passed.append(sitting)
        self._waiting = passed
        return None

    def put_back(self, sitting: Sitting) -> None:
        """Let the rest of a sitting wait, before all others."""
        self._waiting.insert(0, sitting)

    def _first(self, number: int) -> Sequence[Sitting]:
        """So many of the sittings that wait, or all of them if they are fewer."""
        self._waiting += islice(self._sittings, max(0, number - len(self._waiting)))
        return self._waiting[:number]

    def _may_begin(self, sitting: Sitting, busy_seats: Counter[str], away: Set[str]) -> bool:
        return away.isdisjoint(sitting.fixtures[0].entries) and may_begin(sitting, busy_seats, self._entries)


def may_begin(sitting: Sitting, busy_seats: Counter[str], entries: Mapping[str, Entry]) -> bool:
    """Whether every remote bot can take its seats in `sitting` in addition to those that it holds in other sittings.

    A sitting may have more seats for a bot than the league file lets it hold at once. It then
    waits until the bot holds no other seats.
    """
    own_seats = Counter(sitting.fixtures[0].entries)
    return all(
        (remote := entries[name].remote) is None or busy_seats[name] + seats <= max(remote.parallel, seats)
        for name, seats in own_seats.items()
    )
