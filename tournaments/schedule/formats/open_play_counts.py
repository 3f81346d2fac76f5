"""Counts the matches that each entry was issued, and those that it is owed."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from tournaments.schedule.formats.wave_decider import IssuedWave


class PlayCounts(msgspec.Struct, frozen=True):
    """How much was issued so far.

    Attributes:
        matches: all matches.
        played: by entry, the matches that it sits in, with or without a result.
        debts: by entry, how far it is behind its least rate, in even shares of a wave, at least 0.
    """

    matches: int
    played: Counter[str]
    debts: dict[str, float]

    def new(self, entry: str) -> bool:
        """Whether the entry was in no match so far."""
        return not self.played[entry]


def attendance(issues: Sequence[IssuedWave], least: float) -> PlayCounts:
    """How much was issued in these waves.

    The even share of a wave is the matches of an entry in it if all of its roster played equally much. In every wave
    an entry of the roster is owed `least` of an even share, and its matches are credited. Matches beyond that are not
    saved up: a bot that was placed with many matches is not left out for long afterwards.
    """
    played: Counter[str] = Counter()
    debts: dict[str, float] = {}
    for issue in issues:
        sits = Counter(entry for line_up in issue.line_ups for entry in set(line_up.entries))
        even = sits.total() / len(issue.roster)
        for entry in issue.roster:
            debts[entry] = max(0.0, debts.get(entry, 0.0) + least - sits[entry] / even)
            played[entry] += sits[entry] * issue.deals
    return PlayCounts(sum(len(issue.line_ups) * issue.deals for issue in issues), played, debts)
