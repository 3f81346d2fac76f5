"""Which matches the run forgives: a bot that the organizer named was unavailable before its first choice in them.

Such a match is void, and played again. The organizer says how many of them a bot may have in the whole league. So a bot
cannot buy a second chance: it has seen nothing but its first view, its cards stay the same, and the number is small.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tournaments.league.model import FinishedMatch, StoredVoid
from tournaments.league.status import Fleet
from tournaments.play.workers.worker_messages import BrokenBatch, Crowding, Executor, MatchVoided, Result, Work


class ForgivingExecutor:
    """An executor whose results are void if they are forgiven. It counts them, by bot, over all runs of the league."""

    def __init__(self, executor: Executor, allowed: Mapping[str, int], voids: Iterable[StoredVoid]) -> None:
        """Begin with the void matches in the store; `allowed` has the most matches of each bot that is forgiven."""
        self._executor = executor
        self._left = Counter(allowed)
        self._left.subtract(void.forgiven for void in voids if void.forgiven)

    @property
    def workers(self) -> int:
        """How many matches it can play at once."""
        return self._executor.workers

    @property
    def crowding(self) -> Crowding | None:
        """How many workers share their core with others."""
        return self._executor.crowding

    def renew(self, work: Work) -> None:
        """Play with other settings from now on."""
        self._executor.renew(work)

    def play(self, *how: Any) -> Iterator[Result | BrokenBatch | Fleet | None]:
        """Every result; see `Executor.play`."""
        for result in self._executor.play(*how):
            yield self._judged(result) if isinstance(result, FinishedMatch) else result

    def _judged(self, match: FinishedMatch) -> FinishedMatch | MatchVoided:
        """The match, or a void one in its place if each of its faults is forgiven."""
        away = match.unavailable
        if not away or any(self._left[entry] <= 0 for entry in away):
            return match
        self._left.subtract(away)
        who = " and ".join(sorted(away))
        return MatchVoided(match.fixture, f"{who} said before the first choice that it is unavailable", forgiven=away)
