"""The work of an executor: the sittings that wait to be played, and whether each of their matches still has to be.

Sittings are taken in order, except those whose remote bots are busy elsewhere, or cannot be reached now.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import islice
from typing import NamedTuple

from referee.match.transcript import Header
from tournaments.league.model import Entry, Fixture, Sitting
from tournaments.play.retry_policy import RetryPolicy

LOOK_AHEAD = 1_000
"""When this many sittings wait for remote bots, no sittings after them are considered, and workers wait too."""


class MatchSource(NamedTuple):
    """Where a supply has its matches from.

    Attributes:
        sittings: gives the sittings to play, from the first on, each time it is called.
        header: gives the header of a match.
        entries: the bots, by name.
        withdraw: takes a bot out of the league that was away for too long.
    """

    sittings: Callable[[], Iterable[Sitting]]
    header: Callable[[Fixture], Header]
    entries: Mapping[str, Entry]
    withdraw: Callable[[str], object] = lambda _entry: None


class SittingSupply:
    """Sittings in the order in which they should begin. Each is made only when it is needed."""

    def __init__(
        self,
        source: MatchSource,
        policy: RetryPolicy,
        is_wanted: Callable[[Fixture], bool],
        now_ms: Callable[[], int],
        near: int = 1,
    ) -> None:
        """Supply the sittings of a source.

        Args:
            source: where the matches come from.
            policy: says which matches may begin now, how many at once, and which singly.
            is_wanted: whether a match has to be played, asked just before it begins.
            now_ms: the clock that the policy goes by.
            near: among so many of the first sittings a worker may take one that is not the first.
        """
        self._source = source
        self._policy = policy
        self._is_wanted = is_wanted
        self._now_ms = now_ms
        self._near = near
        self._sittings: Iterator[Sitting] = iter(source.sittings())
        self._waiting: list[Sitting] = []
        self._remote = frozenset(name for name, entry in source.entries.items() if entry.remote)

    def only(self, accepts: Callable[[Sitting], bool], near: int = 1) -> "SittingSupply":
        """A supply of its own with those of all sittings that `accepts` says yes to."""
        source = self._source._replace(sittings=lambda: filter(accepts, self._source.sittings()))
        return SittingSupply(source, self._policy, self._is_wanted, self._now_ms, near)

    def __bool__(self) -> bool:
        """Whether a sitting is left that could begin now if nothing else were played."""
        return self._first_free(Counter(), self._unreachable()) is not None

    @property
    def at_once(self) -> int:
        """How many sittings may be played at once on this machine. If more are being played, they are finished."""
        return self._policy.at_once

    def next(self, held: Counter[str], can_continue: Callable[[Sitting], bool] = lambda _: False) -> Sitting | None:
        """Take out the first sitting that may begin now; None if none may. Sittings that nobody wants are dropped.

        Args:
            held: counts the seats that each entry has in other sittings.
            can_continue: whether bots that run can play a sitting. Such a one is taken first, if it is near.
        """
        unreachable = self._unreachable()
        self._fill(self._near)
        for at, sitting in enumerate(self._waiting[: self._near]):
            if can_continue(sitting) and self._may_begin(sitting, held, unreachable) and self.wants(sitting.fixtures):
                return self._waiting.pop(at)
        first = self._first_free(held, unreachable)
        return None if first is None else self._waiting.pop(first)

    def put_back(self, sitting: Sitting) -> None:
        """Let the rest of a sitting wait, before all others."""
        self._waiting.insert(0, sitting)

    def header(self, fixture: Fixture) -> Header | None:
        """The header of a match that is given out now; None if it is not wanted."""
        return self._source.header(fixture) if self.wants((fixture,)) else None

    def singly(self, sitting: Sitting) -> bool:
        """Whether the matches of a sitting that begins are played one by one, whatever the bots can do."""
        return self._policy.singly(sitting.fixtures[0].entries)

    def wants(self, fixtures: Iterable[Fixture]) -> bool:
        """Whether one of these matches is wanted now."""
        return any(self._is_wanted(each) and self._policy.may_play(each.entries, self._now_ms()) for each in fixtures)

    def must_wait(self, entries: Iterable[str]) -> bool:
        """Whether one of these entries is a remote bot that cannot be reached now."""
        return not self._unreachable().isdisjoint(entries)

    def _unreachable(self) -> Set[str]:
        return self._remote & self._policy.unreachable(self._now_ms()) if self._remote else frozenset()

    def _fill(self, number: int) -> None:
        """Have so many sittings wait, or all if they are fewer."""
        self._waiting += islice(self._sittings, max(0, number - len(self._waiting)))

    def _first_free(self, held: Counter[str], unreachable: Set[str]) -> int | None:
        """The place, among those that wait, of the first sitting that may begin now; None if none may.

        The sittings before it that nobody wants are dropped.
        """
        at = 0
        while True:
            if at < LOOK_AHEAD:
                self._fill(at + 1)
            if at == len(self._waiting):
                return None
            if not self._may_begin(self._waiting[at], held, unreachable):
                at += 1
            elif self.wants(self._waiting[at].fixtures):
                return at
            else:
                del self._waiting[at]

    def _may_begin(self, sitting: Sitting, held: Counter[str], unreachable: Set[str]) -> bool:
        """Whether its bots can be reached, and every remote bot can take its seats beside those that it holds.

        A sitting may have more seats for a bot than the league file lets it hold at once. It then waits until the bot
        holds no other seats.
        """
        entries = sitting.fixtures[0].entries
        seats = Counter(name for name in entries if name in self._remote)
        return unreachable.isdisjoint(entries) and all(
            held[name] + own <= max(remote.parallel, own)
            for name, own in seats.items()
            if (remote := self._source.entries[name].remote)
        )
