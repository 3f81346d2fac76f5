"""The verdict on two bots: a function of what the deals say, in the order of the deals.

There are two questions. The two-sided one asks which bot is better. The one-sided one only asks whether the new bot is
better, so it needs fewer deals.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from tournaments.comparison.confidence_sequence import ConfidenceSequence
from tournaments.comparison.deal_leads import DealLead

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
        return ConfidenceSequence(alpha)

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
        return ConfidenceSequence(2 * alpha)

    def verdict(self, low: float, high: float) -> Verdict:
        """What it means that the lead is above the one, and what that it is below the other."""
        if low >= 0:
            return "better"
        return "not better by that much" if high <= 2 * self.better_by else "undecided"


ComparisonQuestion: TypeAlias = TwoSided | OneSided


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
        looks: what was known after each deal.
    """

    def __init__(self, alpha: float, question: ComparisonQuestion) -> None:
        self.alpha = alpha
        self.question = question
        self.looks: list[Look] = []
        self._sequence = question.sequence(alpha)
        self._matches = self._new_faults = self._old_faults = 0
        self._total = 0.0

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
            self._sequence.take(deal.lead)
            self._matches += deal.matches
            self._total += deal.lead
            self._new_faults += deal.new_faults
            self._old_faults += deal.old_faults
            count = len(self.looks) + 1
            self.looks.append(Look(count, self._total / count, self._sequence.interval))

    def _verdict(self) -> Verdict:
        return self.question.verdict(*self._sequence.interval)
