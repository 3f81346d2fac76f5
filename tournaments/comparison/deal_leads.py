"""The lead of one bot over another on each deal, in the order of the deals, whichever was played first."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Set
from statistics import fmean

import msgspec

from referee.core.outcome import Outcome
from tournaments.league.model import Fixture
from tournaments.rating.score import score


class DealLead(msgspec.Struct, frozen=True):
    """A complete deal.

    Attributes:
        lead: the mean share of the new bot minus that of the old one, from -1 to 1.
        matches: how many matches it took.
        new_faults: how many of them a fault of the new bot cut short.
        old_faults: how many of them a fault of the old bot cut short.
    """

    lead: float
    matches: int
    new_faults: int = 0
    old_faults: int = 0


class _Match(msgspec.Struct, frozen=True):
    """For the new bot and the old one: its share, None if it had no seat, and whether its fault cut the match short."""

    shares: tuple[float | None, float | None]
    faults: tuple[bool, bool]


class DealLeads:
    """Takes the matches of two bots in any order, and gives the complete deals in the order of the deals.

    A deal with an abandoned match is left out. The deals after one that is not complete must wait.

    Attributes:
        left_out: how many deals were left out so far.
    """

    def __init__(self, new: str, old: str, planned: Iterable[tuple[int, int]]) -> None:
        """`new` and `old` are entries. `planned` gives every deal in order, with the number of its matches."""
        self.left_out = 0
        self._bots = new, old
        self._planned = iter(planned)
        self._next = next(self._planned, None)
        self._matches: defaultdict[int, dict[str, _Match]] = defaultdict(dict)
        self._abandoned: set[int] = set()

    def settle(self, fixture: Fixture, outcome: Outcome, offenders: Set[str]) -> None:
        """Take a match in which at least one of the two bots sat; `offenders` are the entries whose fault ended it."""
        new, old = (score(outcome, fixture.entries, bot) if bot in fixture.entries else None for bot in self._bots)
        faults = self._bots[0] in offenders, self._bots[1] in offenders
        self._matches[fixture.deal][fixture.id] = _Match((new, old), faults)

    def abandon(self, fixture: Fixture) -> None:
        """Take note that a match was given up."""
        self._abandoned.add(fixture.deal)

    def ready(self) -> Iterator[DealLead]:
        """The deals that are complete and whose turn it is. Each is given once."""
        while self._next is not None:
            number, matches = self._next
            if number not in self._abandoned and len(self._matches[number]) < matches:
                return
            self._next = next(self._planned, None)
            played = self._matches.pop(number, {})
            if number in self._abandoned:
                self.left_out += 1
            else:
                yield _deal(played.values())


def _deal(matches: Collection[_Match]) -> DealLead:
    # fmean rounds only once, so the order of the matches does not matter.
    new, old = (fmean(got for match in matches if (got := match.shares[bot]) is not None) for bot in (0, 1))
    new_faults, old_faults = (sum(match.faults[bot] for match in matches) for bot in (0, 1))
    return DealLead(new - old, len(matches), new_faults, old_faults)
