"""Which matches the run forgives: a bot that the organizer named was unavailable before its first choice in them.

Such a match is void, and played again. The organizer says how many of them a bot may have in the whole league. So a bot
cannot buy a second chance: it has seen nothing but its first view, its cards stay the same, and the number is small.
"""

from collections import Counter
from collections.abc import Iterable

from tournaments.league.model import Entry, FinishedMatch, StoredVoid
from tournaments.play.workers.worker_messages import MatchVoided


class Forgiveness:
    """How many more matches of each bot the run may forgive."""

    def __init__(self, entries: Iterable[Entry], voids: Iterable[StoredVoid]) -> None:
        """Begin with the void matches in the store: those of all runs of the league count."""
        self._left = Counter({entry.name: entry.remote.forgiven for entry in entries if entry.remote})
        self._left.subtract(void.forgiven for void in voids if void.forgiven)

    def judge(self, match: FinishedMatch) -> FinishedMatch | MatchVoided:
        """The match, or a void one in its place if each of its faults is forgiven."""
        away = match.unavailable
        if not away or any(self._left[entry] <= 0 for entry in away):
            return match
        self._left.subtract(away)
        who = " and ".join(sorted(away))
        return MatchVoided(match.fixture, f"{who} said before the first choice that it is unavailable", forgiven=away)
