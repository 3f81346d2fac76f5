"""The verdict on two bots: a function of what the deals say, in the order of the deals."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from tournaments.comparison.confidence_sequence import ConfidenceSequence
from tournaments.comparison.deal_leads import DealLead

Verdict: TypeAlias = Literal["better", "worse", "no difference", "undecided"]
"""What is known about the new bot, compared with the old one."""


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
    differ by the margin or more.
    """

    def __init__(self, alpha: float, margin: float) -> None:
        """`margin` is in shares of points: with 0.05 "no difference" means less than 55 % against 45 %."""
        self._sequence = ConfidenceSequence(alpha)
        self._widest = 2 * margin
        self._deals = self._matches = self._new_faults = self._old_faults = 0
        self._total = 0.0

    @property
    def decided(self) -> bool:
        """Whether something is known."""
        return self._verdict() != "undecided"

    @property
    def finding(self) -> ComparisonResult:
        """The findings so far."""
        mean = self._total / self._deals if self._deals else None
        return ComparisonResult(
            verdict=self._verdict(),
            deals=self._deals,
            mean=mean,
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
            self._deals += 1
            self._matches += deal.matches
            self._total += deal.lead
            self._new_faults += deal.new_faults
            self._old_faults += deal.old_faults

    def _verdict(self) -> Verdict:
        low, high = self._sequence.interval
        if low >= 0:
            return "better"
        if high <= 0:
            return "worse"
        return "no difference" if -self._widest <= low and high <= self._widest else "undecided"
