"""The verdict on two bots: a function of the lead of one over the other on each deal, in the order of the deals.

The order does not depend on which deal was played first. There are two questions. The two-sided one asks which bot is
better. The one-sided one only asks whether the new bot is better, so it needs fewer deals.

After a number of deals that was fixed before, Student's interval holds, which is narrower than a confidence sequence.
It needs that the mean is nearly normal. Where one deal in a hundred decides, it is not: the interval would hold the
truth in 65 of 100 cases (simulated). So there is none if few deals differ from the rest.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from statistics import fmean
from typing import Annotated, Literal, TypeAlias

import msgspec

from referee.core.outcome import Outcome
from tournaments.comparison.confidence_sequence import ConfidenceSequence
from tournaments.league.model import Fixture
from tournaments.rating.sides import score
from tournaments.results.standings import league_digest


class DealLead(msgspec.Struct, frozen=True):
    """A complete deal.

    Attributes:
        lead: the mean share of the new bot minus that of the old one, from -1 to 1.
        matches: how many matches it took.
        new_faults: how many of them a fault of the new bot cut short.
        old_faults: how many of them a fault of the old bot cut short.
        number: the number of the deal, from 0.
        share: the mean share of the new bot, from 0 to 1.
        margin: the mean score of the new bot minus that of the old one; None if a match has no scores.
        digest: the digest of its matches, in the order of their ids.
    """

    lead: Annotated[float, msgspec.Meta(ge=-1, le=1)]
    matches: int
    new_faults: int = 0
    old_faults: int = 0
    number: int = 0
    share: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.5
    margin: Annotated[float, msgspec.Meta(ge=-(2**54), le=2**54)] | None = None
    digest: str = ""


class _Match(msgspec.Struct, frozen=True):
    """A match. For the new bot and the old one: share and mean score, or None; whether its fault ended the match."""

    shares: tuple[float | None, float | None]
    scores: tuple[float | None, float | None]
    faults: tuple[bool, bool]
    digest: str


class DealLeads:
    """Takes the matches of two bots in any order, and gives the complete deals in the order of the deals.

    A deal with an abandoned match is left out. The deals after one that is not complete must wait.

    Attributes:
        left_out: the numbers of the deals that were left out so far.
    """

    def __init__(self, new: str, old: str, planned: Iterable[tuple[int, int]]) -> None:
        """`new` and `old` are entries. `planned` gives every deal in order, with the number of its matches."""
        self.left_out: list[int] = []
        self._bots = new, old
        self._planned = iter(planned)
        self._next = next(self._planned, None)
        self._matches: defaultdict[int, dict[str, _Match]] = defaultdict(dict)
        self._abandoned: set[int] = set()

    def settle(self, fixture: Fixture, outcome: Outcome, offenders: Set[str], digest: str = "") -> None:
        """Take a match in which at least one of the two bots sat; `offenders` are the entries whose fault ended it."""
        new, old = (score(outcome, fixture.entries, bot) if bot in fixture.entries else None for bot in self._bots)
        faults = self._bots[0] in offenders, self._bots[1] in offenders
        scores = _mean_score(outcome, fixture, self._bots[0]), _mean_score(outcome, fixture, self._bots[1])
        self._matches[fixture.deal][fixture.id] = _Match((new, old), scores, faults, digest)

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
                self.left_out.append(number)
            else:
                yield _deal(number, played)


def _mean_score(outcome: Outcome, fixture: Fixture, bot: str) -> float | None:
    own = [seat for seat, entry in enumerate(fixture.entries) if entry == bot]
    return fmean(outcome.scores[seat] for seat in own) if outcome.scores and own else None


def _deal(number: int, played: Mapping[str, _Match]) -> DealLead:
    # fmean rounds only once, so the order of the matches does not matter.
    matches = played.values()
    new, old = (fmean(got for match in matches if (got := match.shares[bot]) is not None) for bot in (0, 1))
    new_faults, old_faults = (sum(match.faults[bot] for match in matches) for bot in (0, 1))
    scores = [[got for match in matches if (got := match.scores[bot]) is not None] for bot in (0, 1)]
    seated = [sum(match.shares[bot] is not None for match in matches) for bot in (0, 1)]
    margin = fmean(scores[0]) - fmean(scores[1]) if [*map(len, scores)] == seated else None
    digest = league_digest((name, played[name].digest) for name in sorted(played))
    return DealLead(new - old, len(matches), new_faults, old_faults, number, new, margin, digest)


Verdict: TypeAlias = Literal["better", "worse", "no difference", "not better by that much", "undecided"]
"""What is known about the new bot, compared with the old one."""


class TwoSided(msgspec.Struct, frozen=True):
    """Which bot is better, or do they differ by less than the margin?

    Attributes:
        margin: in shares of points: with 0.05 "no difference" means less than 55 % against 45 %.
    """

    margin: float

    def sequence(self, alpha: float) -> ConfidenceSequence:
        """The confidence sequence that decides. If the bots are equal, either end can be wrong: each half the error."""
        return ConfidenceSequence(alpha, 2 * self.margin)

    def verdict(self, low: float, high: float) -> Verdict:
        """What it means that the lead is between these two."""
        if low >= 0:
            return "better"
        if high <= 0:
            return "worse"
        return "no difference" if -2 * self.margin <= low and high <= 2 * self.margin else "undecided"


class OneSided(msgspec.Struct, frozen=True):
    """Is the new bot better, or is it not better by that much?

    Attributes:
        better_by: in shares of points, above 0: with 0.05 "not better by that much" means less than 55 % against 45 %.
    """

    better_by: float

    def sequence(self, alpha: float) -> ConfidenceSequence:
        """The confidence sequence that decides. Each end may have the whole error.

        "Better" is wrong if the lead is at most 0, and "not better by that much" if it is at least that much. No lead
        is both.
        """
        return ConfidenceSequence(2 * alpha, 2 * self.better_by)

    def verdict(self, low: float, high: float) -> Verdict:
        """What it means that the lead is above the one, and what that it is below the other."""
        if low >= 0:
            return "better"
        return "not better by that much" if high <= 2 * self.better_by else "undecided"


class NoQuestion(msgspec.Struct, frozen=True):
    """Nothing is decided: all deals are played, however they end."""

    def sequence(self, alpha: float) -> ConfidenceSequence:
        """The confidence sequence of the lead."""
        return ConfidenceSequence(alpha)

    def verdict(self, _low: float, _high: float) -> Verdict:
        """None."""
        return "undecided"


ComparisonQuestion: TypeAlias = TwoSided | OneSided | NoQuestion


class Look(msgspec.Struct, frozen=True):
    """What was known after so many deals.

    Attributes:
        deals: how many.
        mean: the mean lead of the new bot.
        interval: the confidence sequence of the lead: low and high.
    """

    deals: int
    mean: float
    interval: tuple[float, float]


class ComparisonResult(msgspec.Struct, frozen=True):
    """The findings of a comparison so far.

    Attributes:
        verdict: the conclusion.
        deals: how many deals it took.
        mean: the mean lead of the new bot; None before the first deal.
        interval: the confidence sequence of the lead: low and high.
        matches: how many matches these deals took.
        new_faults: how many of them a fault of the new bot cut short.
        old_faults: how many of them a fault of the old bot cut short.
    """

    verdict: Verdict
    deals: int
    mean: float | None
    interval: tuple[float, float]
    matches: int
    new_faults: int
    old_faults: int


class Judge:
    """Takes deals in order until something is known. The later ones change nothing.

    If the true lead stays the same from deal to deal, the chance that the verdict is ever wrong is at most `alpha`,
    however often one looks: "better" of a bot that is not, "worse" of one that is not, "no difference" of bots that
    differ by the margin or more, "not better by that much" of a bot that is.

    Attributes:
        alpha: that chance.
        question: which verdicts are possible.
        deals: those that it took.
        looks: what was known after each of them.
    """

    def __init__(self, alpha: float, question: ComparisonQuestion) -> None:
        self.alpha = alpha
        self.question = question
        self.deals: list[DealLead] = []
        self.looks: list[Look] = []
        self._sequence = question.sequence(alpha)
        self._matches = self._new_faults = self._old_faults = 0
        self._total = 0.0

    @property
    def shares(self) -> tuple[float, float] | None:
        """The mean shares of the points of the new bot and of the old one, from 0 to 1; None before the first deal."""
        if not self.deals:
            return None
        new = fmean(deal.share for deal in self.deals)
        return new, new - fmean(deal.lead for deal in self.deals)

    @property
    def digest(self) -> str:
        """The digest of all matches of the deals, in the order of the deals."""
        return league_digest((f"deal-{deal.number}", deal.digest) for deal in self.deals)

    @property
    def decided(self) -> bool:
        """Whether something is known."""
        return self._verdict() != "undecided"

    @property
    def finding(self) -> ComparisonResult:
        """The findings so far."""
        return ComparisonResult(
            verdict=self._verdict(),
            deals=len(self.looks),
            mean=self.looks[-1].mean if self.looks else None,
            interval=self._sequence.interval,
            matches=self._matches,
            new_faults=self._new_faults,
            old_faults=self._old_faults,
        )

    def hear(self, deals: Iterable[DealLead]) -> None:
        """Take the next deals. None is taken from `deals` after the one that decides."""
        ahead = iter(deals)
        while not self.decided and (deal := next(ahead, None)) is not None:
            self.deals.append(deal)
            self._sequence.take(deal.lead)
            self._matches += deal.matches
            self._total += deal.lead
            self._new_faults += deal.new_faults
            self._old_faults += deal.old_faults
            count = len(self.looks) + 1
            self.looks.append(Look(count, self._total / count, self._sequence.interval))

    def _verdict(self) -> Verdict:
        return self.question.verdict(*self._sequence.interval)
